//! What a killed decision left, settled by the next command (skill-loop.md §5, recovery).
//!
//! Promises: needs ledger and store only; all files as before: undone; each as before or as
//! after: finished; anything else: untouched, and said with the three digests.

use super::decision::snapshot;
use super::receipt::{Contested, FileChange, FileState, Op, Opening, Outcome, Settled, kind};
use super::slot::Slot;
use super::standing::unfinished;
use super::workplace::Locked;
use crate::error::{Code, Result};
use crate::ledger::{Ledger, Line};
use crate::store::Store;

/// How often the files of a decision are looked at before an edit that never rests is an error.
const LOOKS: u32 = 3;

/// Settles an unfinished decision, and rolls a branch forward to the ledger.
pub(super) fn run(locked: &mut Locked<'_>) -> Result<()> {
    if let Some((opened, opening)) = unfinished(&locked.ledger)? {
        let note = settle(locked, &opened, &opening)?;
        locked.notes.push(note);
    }
    follow(locked)
}

/// Whether [`run`] would do anything but refresh a queue file. Reads only.
pub(super) fn is_due(ledger: &Ledger, store: &Store) -> Result<bool> {
    if unfinished(ledger)?.is_some() {
        return Ok(true);
    }
    match last_settled(ledger)? {
        Some((_, settled)) => Ok(settled.commit.is_some()
            && store.tip(&snapshot::branch_of(&settled))? != settled.commit),
        None => Ok(false),
    }
}

fn last_settled(ledger: &Ledger) -> Result<Option<(Line, Settled)>> {
    let newest = ledger.newest("\"kind\":\"skill.", super::receipt::settles)?;
    let Some(line) = newest else {
        return Ok(None);
    };
    let settled = super::receipt::settled(&line.entry)?;
    Ok(Some((line, settled)))
}

/// What the files of an opening line are now.
#[derive(Debug, PartialEq, Eq)]
enum Finding {
    AllBefore,
    Partly,
    Contested(Vec<Contested>),
}

/// Somebody who edits at the same moment makes a finish fail; the next look sees the edit.
fn settle(locked: &Locked<'_>, opened: &Line, opening: &Opening) -> Result<String> {
    let mut looks = 0;
    loop {
        looks += 1;
        match settle_once(locked, opened, opening) {
            Err(error) if error.code() == Code::StaleBase && looks < LOOKS => {}
            result => return result,
        }
    }
}

fn settle_once(locked: &Locked<'_>, opened: &Line, opening: &Opening) -> Result<String> {
    for change in &opening.files {
        if let Some(slot) = slot(locked, opening, change, opened)? {
            slot.put_back_displaced(change)?;
        }
    }
    let finding = look(locked, opened, opening)?;
    let what = match opening.op {
        Op::Apply => "apply",
        Op::Rollback => "rollback",
    };
    let who = format!(
        "an interrupted {what} of {} on `{}`",
        opening.proposal_id, opening.skill
    );
    match finding {
        Finding::AllBefore => {
            sweep(locked, opened, opening)?;
            if opening.makes_files() {
                super::decision::remove_directories(locked, &opening.directories)?;
            }
            record_undone(locked, opened, opening)?;
            Ok(format!("{who} was undone: the files are the old ones"))
        }
        Finding::Partly => {
            finish(locked, opened, opening)?;
            Ok(format!("{who} was finished: the files are the new ones"))
        }
        Finding::Contested(files) => {
            sweep(locked, opened, opening)?;
            let settled = Settled {
                outcome: Some(Outcome::Contested),
                contested: files,
                ..super::decision::undone(opened, opening)
            };
            locked.record(kind::RECOVER, &settled)?;
            Ok(format!(
                "{who} met files that were edited by hand since; they were not touched"
            ))
        }
    }
}

/// Writes the closing line that says that nothing of the decision stays.
pub(super) fn record_undone(locked: &Locked<'_>, opened: &Line, opening: &Opening) -> Result<()> {
    locked
        .record(kind::RECOVER, &super::decision::undone(opened, opening))
        .map(drop)
}

fn look(locked: &Locked<'_>, opened: &Line, opening: &Opening) -> Result<Finding> {
    let mut contested = Vec::new();
    let mut after = 0;
    for change in &opening.files {
        let found = match slot(locked, opening, change, opened)? {
            Some(slot) => slot.found(),
            None => {
                contested.push(contest(change, None));
                continue;
            }
        };
        match found {
            Ok(state) if state == change.before => {}
            Ok(state) if state == change.after => after += 1,
            Ok(state) => contested.push(contest(change, state)),
            // A link or a second name appeared: somebody else's doing.
            Err(error) if error.code() == Code::UnsafePath => contested.push(contest(change, None)),
            Err(error) => return Err(error),
        }
    }
    Ok(match (contested.is_empty(), after) {
        (false, _) => Finding::Contested(contested),
        (true, 0) => Finding::AllBefore,
        (true, _) => Finding::Partly,
    })
}

fn contest(change: &FileChange, found: Option<FileState>) -> Contested {
    Contested {
        path: change.path.clone(),
        before: change.before.clone(),
        after: change.after.clone(),
        found,
    }
}

fn finish(locked: &Locked<'_>, opened: &Line, opening: &Opening) -> Result<()> {
    if opening.makes_files() {
        super::decision::make_directories(locked, &opening.directories)?;
    }
    for change in &opening.files {
        let Some(slot) = slot(locked, opening, change, opened)? else {
            continue;
        };
        if slot.found()? == change.after {
            continue;
        }
        slot.remove_temp()?;
        let bytes = change
            .after
            .as_ref()
            .map(|file| locked.store.blob(&file.blob))
            .transpose()?;
        slot.put(change, bytes.as_deref())?;
    }
    super::decision::close(locked, opened, opening)?;
    sweep(locked, opened, opening)?;
    if opening.takes_files() {
        super::decision::remove_directories(locked, &opening.directories)?;
    }
    Ok(())
}

fn sweep(locked: &Locked<'_>, opened: &Line, opening: &Opening) -> Result<()> {
    for change in &opening.files {
        if let Some(slot) = slot(locked, opening, change, opened)? {
            slot.remove_temp()?;
        }
    }
    Ok(())
}

/// `None` where a link or a thing that is no directory stands on the way by now: somebody else's
/// doing, and not followed.
fn slot(
    locked: &Locked<'_>,
    opening: &Opening,
    change: &FileChange,
    opened: &Line,
) -> Result<Option<Slot>> {
    match Slot::open(locked.place, &opening.skill, &change.path, &opened.entry.id) {
        Ok(slot) => Ok(Some(slot)),
        Err(error) if error.code() == Code::UnsafePath => Ok(None),
        Err(error) => Err(error),
    }
}

/// The last decision's branch and leftovers: a kill after the closing line leaves the branch
/// behind the ledger, displaced files beside their targets, and the queue's copy stale.
fn follow(locked: &mut Locked<'_>) -> Result<()> {
    let Some((line, settled)) = last_settled(&locked.ledger)? else {
        return Ok(());
    };
    let Some(commit) = &settled.commit else {
        return Ok(());
    };
    let branch = snapshot::branch_of(&settled);
    let tip = locked.store.tip(&branch)?;
    if tip.as_ref() != Some(commit) {
        snapshot::refuse_elsewhere(&locked.store, &branch, tip.as_ref(), commit)?;
        clear_up(locked, &settled)?;
        locked
            .store
            .advance(&locked.lock, &branch, tip.as_ref(), commit)?;
    }
    let queue = locked.place.queue();
    let refreshed = queue.refresh(
        &locked.lock,
        &settled.proposal_id,
        settled.state,
        &line.entry.id,
    );
    // Only a copy; another workspace, a missing or an unwritable one stop nothing.
    if let Err(error) = refreshed {
        locked
            .notes
            .push(format!("the queue file could not be refreshed: {error}"));
    }
    Ok(())
}

fn clear_up(locked: &Locked<'_>, settled: &Settled) -> Result<()> {
    let Some(opens) = &settled.opens else {
        return Ok(());
    };
    let opened = locked.ledger.find(opens)?;
    let opening = super::receipt::opening(&opened.entry)?;
    sweep(locked, &opened, &opening)?;
    if opening.takes_files() {
        super::decision::remove_directories(locked, &opening.directories)?;
    }
    Ok(())
}
