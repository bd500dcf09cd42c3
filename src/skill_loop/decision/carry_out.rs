//! Steps 3 to 9 of a decision that changes files, in exactly that order (skill-loop.md §5).

use super::snapshot::{self, Kept};
use super::{Done, Plan, package};
use crate::error::{Code, Error, Result};
use crate::ledger::Line;
use crate::skill_loop::receipt::{Op, Opening, Outcome, Settled, kind};
use crate::skill_loop::recovery;
use crate::skill_loop::slot::Slot;
use crate::skill_loop::workplace::Locked;

/// Carries a plan out. The caller computed it under this lock and compared its digest with the
/// approved one.
pub fn carry_out(locked: &Locked<'_>, plan: &Plan) -> Result<Done> {
    let kept = snapshot::keep(locked, plan)?;
    let opening = Opening {
        op: plan.op,
        proposal_id: plan.proposal_id.clone(),
        skill: plan.skill.clone(),
        plan_digest: plan.digest(),
        files: plan.files.iter().map(|file| file.change.clone()).collect(),
        directories: plan.directories.clone(),
        rolls_back: plan.rolls_back.clone(),
        state_before: plan.state_before,
        state_after: plan.state_after,
        commit: kept.commit.clone(),
        left_out: kept.left_out.clone(),
        home: locked.place.home_text(),
    };
    let opened = locked.record(kind::APPROVE, &opening)?;
    let mut written = 0;
    if let Err(error) = write(locked, plan, &opened, &mut written) {
        let undone = unwrite(locked, plan, &opened, written);
        return Err(undo(locked, undone, &opened, &opening, error));
    }
    let closed = close(locked, &opened, &opening)?;
    let mut warnings = Vec::new();
    let mut tolerate = |result: Result<()>| {
        if let Err(error) = result {
            warnings.push(format!("{error}; the next command puts it right"));
        }
    };
    tolerate(follow_up(locked, plan, &opened, &kept));
    let queue = locked.place.queue();
    tolerate(queue.refresh(
        &locked.lock,
        &plan.proposal_id,
        plan.state_after,
        &closed.entry.id,
    ));
    Ok(Done::Now {
        receipt: closed.entry.id,
        warnings,
    })
}

/// The branch moves last: while it is behind the ledger, recovery looks for leftovers.
fn follow_up(locked: &Locked<'_>, plan: &Plan, opened: &Line, kept: &Kept) -> Result<()> {
    tidy(locked, plan, opened)?;
    let branch = snapshot::branch(&plan.skill);
    locked
        .store
        .advance(&locked.lock, &branch, kept.tip.as_ref(), &kept.commit)
}

/// The closing line of an opening one: the decision is done from here on.
pub(in crate::skill_loop) fn close(
    locked: &Locked<'_>,
    opened: &Line,
    opening: &Opening,
) -> Result<Line> {
    let settled = Settled {
        proposal_id: opening.proposal_id.clone(),
        skill: Some(opening.skill.clone()),
        state: opening.state_after,
        opens: Some(opened.entry.id.clone()),
        rolls_back: opening.rolls_back.clone(),
        commit: Some(opening.commit.clone()),
        outcome: None,
        contested: Vec::new(),
        reason: None,
    };
    let kind = match opening.op {
        Op::Apply => kind::APPLY,
        Op::Rollback => kind::ROLLBACK,
    };
    locked.record(kind, &settled).map_err(|error| {
        Error::new(
            Code::Io,
            "closing entry pending: the files are written, their receipt is not",
        )
        .caused_by(error)
        .hint("free some disk space; the next lithermes command that writes closes it")
    })
}

/// `written` counts the files that have their new content.
fn write(locked: &Locked<'_>, plan: &Plan, opened: &Line, written: &mut usize) -> Result<()> {
    if plan.files.iter().any(|file| file.before.is_none()) {
        make_directories(locked, &plan.directories)?;
    }
    for file in &plan.files {
        let slot = slot(locked, plan, &file.change.path, opened)?;
        slot.put(&file.change, file.after.as_deref())?;
        *written += 1;
    }
    for file in &plan.files {
        let found = slot(locked, plan, &file.change.path, opened)?.found()?;
        if found != file.change.after {
            let expected = file.change.after.as_ref();
            return Err(crate::skill_loop::slot::stale(
                &file.change.path,
                expected,
                found.as_ref(),
            ));
        }
    }
    Ok(())
}

/// Puts everything back after a failure, and says so in the ledger. Where that fails too the
/// opening line stays open, and the next command recovers.
fn undo(
    locked: &Locked<'_>,
    unwritten: Result<bool>,
    opened: &Line,
    opening: &Opening,
    error: Error,
) -> Error {
    let undone = unwritten.and_then(|whole| {
        if !whole {
            let text = "a file was edited while it was written; the next command looks at it again";
            return Err(Error::new(Code::StaleBase, text));
        }
        recovery::record_undone(locked, opened, opening)
    });
    match undone {
        Ok(()) => error.hint("nothing was changed"),
        Err(second) => error
            .caused_by(format!("and it could not be undone yet: {second}"))
            .hint("lithermes skill-loop verify --repair"),
    }
}

/// Takes the writes back, last first; `false` where somebody edited one of the `written` files.
fn unwrite(locked: &Locked<'_>, plan: &Plan, opened: &Line, written: usize) -> Result<bool> {
    let mut whole = true;
    for (index, file) in plan.files.iter().enumerate().rev() {
        let slot = slot(locked, plan, &file.change.path, opened)?;
        match slot.found() {
            Ok(found) if found == file.change.before => slot.remove_temp()?,
            Ok(found) if found == file.change.after => {
                whole &= slot.unput(&file.change, file.before.as_deref())?;
            }
            Err(error) if error.code() != Code::UnsafePath => return Err(error),
            // Somebody else's: where we had not written yet, nothing of ours is in it.
            _ => {
                slot.remove_temp()?;
                whole &= index >= written;
            }
        }
    }
    if plan.files.iter().any(|file| file.before.is_none()) {
        remove_directories(locked, &plan.directories)?;
    }
    Ok(whole)
}

/// After the closing line: displaced files go, and the directories that a rollback emptied.
fn tidy(locked: &Locked<'_>, plan: &Plan, opened: &Line) -> Result<()> {
    for file in &plan.files {
        slot(locked, plan, &file.change.path, opened)?.remove_temp()?;
    }
    if plan.files.iter().any(|file| file.after.is_none()) {
        remove_directories(locked, &plan.directories)?;
    }
    Ok(())
}

fn slot(locked: &Locked<'_>, plan: &Plan, path: &str, opened: &Line) -> Result<Slot> {
    Slot::open(locked.place, &plan.skill, path, &opened.entry.id)
}

/// Makes directories below the home, parents first; each is flushed into its parent.
pub(in crate::skill_loop) fn make_directories(
    locked: &Locked<'_>,
    directories: &[String],
) -> Result<()> {
    for directory in directories {
        let mut here = locked.place.home_dir.again()?;
        for name in directory.split('/') {
            here = here.sub_or_create(name, 0o755)?.0;
        }
    }
    Ok(())
}

/// Removes directories below the home, children first, where nothing but other programs' litter
/// is in them.
pub(in crate::skill_loop) fn remove_directories(
    locked: &Locked<'_>,
    directories: &[String],
) -> Result<()> {
    for directory in directories.iter().rev() {
        let (parent, name) = directory.rsplit_once('/').unwrap_or(("", directory));
        let opened = locked.place.home_dir.descend(parent).and_then(|parent| {
            let Some(parent) = parent else {
                return Ok(None);
            };
            Ok(parent.sub(name)?.map(|dir| (parent, dir)))
        });
        let (parent, dir) = match opened {
            Ok(Some(both)) => both,
            Ok(None) => continue,
            // A link by now: somebody else's, and not ours to take away.
            Err(error) if error.code() == Code::UnsafePath => continue,
            Err(error) => return Err(error),
        };
        package::remove_litter(&dir)?;
        if crate::disk::durable::remove_empty_dir(&parent, name)? {
            parent.flush()?;
        }
    }
    Ok(())
}

/// The closing line that says that an opening one came to nothing.
pub(in crate::skill_loop) fn undone(opened: &Line, opening: &Opening) -> Settled {
    Settled {
        proposal_id: opening.proposal_id.clone(),
        skill: Some(opening.skill.clone()),
        state: opening.state_before,
        opens: Some(opened.entry.id.clone()),
        rolls_back: opening.rolls_back.clone(),
        commit: None,
        outcome: Some(Outcome::Undone),
        contested: Vec::new(),
        reason: None,
    }
}
