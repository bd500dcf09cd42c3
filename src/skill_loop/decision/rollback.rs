//! `rollback`: what a receipt changed is put back, where it is exactly what the receipt left.

use super::apply::same_plan;
use super::package;
use super::{Done, Plan, PlannedFile, carry_out};
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::ledger::{Entry, Ledger, Line};
use crate::skill_loop::receipt::{self, FileChange, FileState, Op, Opening, State, kind};
use crate::skill_loop::slot::Slot;
use crate::skill_loop::standing;
use crate::skill_loop::workplace::{Locked, Workplace};
use crate::store::Store;

/// What rolling a receipt back would do; `Err(Done::Already)` inside where it was done before.
pub fn plan_rollback(
    place: &Workplace,
    ledger_id: &str,
) -> Result<std::result::Result<Plan, Done>> {
    let nothing = || {
        let text = format!("no ledger entry matches `{}`", ledger_id.escape_debug());
        Error::new(Code::NotFound, text).hint("lithermes skill-loop log")
    };
    let ledger = place.ledger()?.ok_or_else(nothing)?;
    let closing = closing_of(&ledger, ledger.find(ledger_id)?)?;
    let store = place.store()?.ok_or_else(|| {
        let text = "the store is missing, so what this receipt replaced is not there";
        Error::new(Code::StoreDamaged, text).hint("restore it from a backup; nothing was written")
    })?;
    let settled = receipt::settled(&closing.entry)?;
    let opens = settled.opens.as_deref().unwrap_or_default();
    let opening = receipt::opening(&ledger.find(opens)?.entry)?;
    if let Some(done) = already(&ledger, &closing.entry, &opening.proposal_id)? {
        return Ok(Err(done));
    }
    let files = reversed(&store, &opening)?;
    compare(place, &store, &opening, &closing.entry.id)?;
    let commit = settled.commit.as_ref().unwrap_or(&opening.commit);
    let document = match store.file_in(commit, "proposal.json")? {
        Some(file) => store.blob(&file.blob)?,
        None => Vec::new(),
    };
    let before = standing::of(Some(&ledger), &opening.proposal_id)?.state;
    Ok(Ok(Plan {
        op: Op::Rollback,
        proposal_id: opening.proposal_id.clone(),
        skill: opening.skill.clone(),
        files,
        directories: opening.directories.clone(),
        rolls_back: Some(closing.entry.id.clone()),
        state_before: before,
        state_after: opposite(settled.state),
        document,
        reason: format!("takes back {}", closing.entry.id),
        warnings: Vec::new(),
    }))
}

/// Rolls one receipt back. `approved` as for [`super::apply`].
pub fn rollback(locked: &Locked<'_>, ledger_id: &str, approved: Option<&str>) -> Result<Done> {
    match plan_rollback(locked.place, ledger_id)? {
        Err(done) => Ok(done),
        Ok(plan) => {
            same_plan(&plan, approved)?;
            carry_out(locked, &plan)
        }
    }
}

/// People may paste either line of a decision; the closing one is the receipt.
fn closing_of(ledger: &Ledger, line: Line) -> Result<Line> {
    let id = line.entry.id.clone();
    let refused = |found: &str| {
        let text = format!("{id} changed no file, so there is nothing to roll back");
        Error::new(Code::NotFound, text)
            .expected("a skill.apply or skill.rollback receipt")
            .found(found)
            .hint("lithermes skill-loop log --kind skill.apply")
    };
    match line.entry.kind.as_str() {
        kind::APPLY | kind::ROLLBACK => Ok(line),
        kind::APPROVE => {
            let closes = |entry: &Entry| entry.text("opens") == Some(&id);
            let closing = ledger.newest(&id, closes)?;
            let done =
                |line: &Line| [kind::APPLY, kind::ROLLBACK].contains(&line.entry.kind.as_str());
            closing
                .filter(done)
                .ok_or_else(|| refused("a decision that came to nothing"))
        }
        other => Err(refused(&other.escape_debug().to_string())),
    }
}

/// Rolling the same receipt back twice does nothing, also when its effect is there again.
fn already(ledger: &Ledger, entry: &Entry, proposal_id: &str) -> Result<Option<Done>> {
    let took_back =
        |other: &Entry| other.kind == kind::ROLLBACK && other.text("rollsBack") == Some(&entry.id);
    let Some(line) = ledger.newest(&entry.id, took_back)? else {
        return Ok(None);
    };
    let receipt = line.entry.id;
    let mut note = format!("{} is already rolled back, nothing was written", entry.id);
    let now = standing::of(Some(ledger), proposal_id)?;
    if let Some(newest) = now.receipt.filter(|newest| *newest != receipt) {
        note.push_str(&format!(
            "; {proposal_id} is {} by {newest}",
            now.state.as_str()
        ));
    }
    Ok(Some(Done::Already { receipt, note }))
}

fn opposite(state: State) -> State {
    match state {
        State::RolledBack => State::Applied,
        _ => State::RolledBack,
    }
}

fn reversed(store: &Store, opening: &Opening) -> Result<Vec<PlannedFile>> {
    let bytes = |state: &Option<FileState>| {
        state
            .as_ref()
            .map(|file| store.blob(&file.blob))
            .transpose()
    };
    let mut files = Vec::new();
    for change in opening.files.iter().rev() {
        files.push(PlannedFile {
            change: FileChange {
                path: change.path.clone(),
                before: change.after.clone(),
                after: change.before.clone(),
            },
            before: bytes(&change.after)?,
            after: bytes(&change.before)?,
        });
    }
    Ok(files)
}

/// The files that this receipt changed must be what it left; other files never block, except
/// where the whole skill would go from under them.
fn compare(place: &Workplace, store: &Store, opening: &Opening, receipt: &str) -> Result<()> {
    for change in &opening.files {
        let slot = Slot::open(place, &opening.skill, &change.path, receipt)?;
        let found = slot.found()?;
        if found != change.after {
            return Err(mismatch(place, store, opening, change, found.as_ref()));
        }
    }
    let removes_skill = opening
        .directories
        .contains(&format!("skills/{}", opening.skill));
    if !removes_skill || !opening.makes_files() {
        return Ok(());
    }
    let ours: Vec<&str> = opening
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let others = package::others_files(place, &opening.skill, &ours)?;
    if others.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = others
        .iter()
        .map(|name| text::line(name).into_owned())
        .collect();
    let text = format!(
        "skill `{}` meanwhile holds files that this receipt did not write; nothing was changed",
        opening.skill
    );
    Err(Error::new(Code::RollbackCasMismatch, text)
        .expected("only the files of the receipt")
        .found(names.join(", "))
        .hint("move these files elsewhere, then roll back again"))
}

fn mismatch(
    place: &Workplace,
    store: &Store,
    opening: &Opening,
    change: &FileChange,
    found: Option<&FileState>,
) -> Error {
    let path = text::line(&change.path).into_owned();
    let text = format!("`{path}` changed since the receipt was written; nothing was changed");
    let mut error = Error::new(Code::RollbackCasMismatch, text)
        .expected(describe(change.after.as_ref()))
        .found(describe(found));
    if let Some(diff) = difference(place, store, opening, change) {
        error = error.caused_by(format!("edited since:\n{diff}"));
    }
    error.hint("undo the edit (or save it elsewhere), then roll back again")
}

fn describe(state: Option<&FileState>) -> String {
    match state {
        Some(file) => format!("{} (mode {})", FileState::short(Some(file)), file.mode),
        None => "absent".to_owned(),
    }
}

/// What somebody changed since, where both sides can still be read.
fn difference(
    place: &Workplace,
    store: &Store,
    opening: &Opening,
    change: &FileChange,
) -> Option<String> {
    let left = change
        .after
        .as_ref()
        .and_then(|file| store.blob(&file.blob).ok());
    let (folder, name) = change.path.rsplit_once('/').unwrap_or(("", &change.path));
    let dir = place
        .skill_dir(&opening.skill)
        .ok()??
        .descend(folder)
        .ok()??;
    let now = dir.read(name, crate::skill_loop::slot::MAX_FILE).ok()?;
    let now = now.as_ref().map(|file| file.bytes.as_slice());
    Some(crate::term::diff::unified(
        &change.path,
        left.as_deref(),
        now,
    ))
}
