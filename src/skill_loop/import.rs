//! From a document to queue files: what `propose` does (skill-loop.md §3).
//!
//! Promises: the whole document is checked against the home before the first write; each base is
//! in the store, flushed, before its proposal is in the queue; the same document again changes
//! nothing, or completes what a killed import began.

use super::assess::Assessor;
use super::outcome::{self, Current, Trouble};
use super::proposal::{Change, Draft, NewFile, SCHEMA};
use super::queue::{Base, Proposal};
use super::receipt::{FileState, Settled, State, kind};
use super::standing;
use super::workplace::{Locked, Workplace};
use crate::clock;
use crate::error::{Code, Fault, Result};
use crate::guard::name::SKILL_FILE;
use crate::guard::text;
use crate::hermes::frontmatter;
use crate::hermes::skills::{Owner, catalogue, similar};

/// What became of one proposal of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is new in the queue.
    Imported,
    /// It was in the queue.
    AlreadyPending,
    /// It was decided for.
    AlreadyApplied,
    /// It had been rejected or rolled back and is pending again.
    Reopened,
}

/// A proposal of a document, with what a person should know about it.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The proposal.
    pub proposal: Proposal,
    /// What became of it.
    pub fate: Fate,
    /// What stops nothing at import: a blocked target, a long description, a similar skill.
    pub warnings: Vec<String>,
}

/// A proposal that passed every check, not written yet.
#[derive(Debug)]
pub struct Admitted {
    proposal: Proposal,
    current: Current,
    warnings: Vec<String>,
}

/// Checks all drafts against the home. `INVALID_PROPOSAL` (or the code of the patch misfits)
/// with all faults of all drafts.
pub fn admit(place: &Workplace, drafts: &[Draft]) -> Result<Vec<Admitted>> {
    let assessor = Assessor::load(place)?;
    let mut admitted: Vec<Admitted> = Vec::new();
    let mut troubles: Vec<(usize, Trouble)> = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        match admit_one(place, &assessor, draft)? {
            Ok(one) => admitted.push(one),
            Err(list) => troubles.extend(list.into_iter().map(|trouble| (index, trouble))),
        }
    }
    if troubles.is_empty() {
        return Ok(admitted);
    }
    let faults: Vec<Fault> = troubles
        .iter()
        .map(|(index, trouble)| {
            drafts[*index]
                .places
                .fault(&trouble.field, &trouble.message)
        })
        .collect();
    let list: Vec<Trouble> = troubles.into_iter().map(|(_, trouble)| trouble).collect();
    let error = outcome::refusal(&list, |trouble| Fault {
        pointer: trouble.field.clone(),
        line: 1,
        column: 1,
        message: trouble.message.clone(),
    });
    Err(error.with_faults(faults).hint("nothing was imported"))
}

/// Writes what was admitted, one proposal after the other.
pub fn import(locked: &Locked<'_>, admitted: Vec<Admitted>) -> Result<Vec<Imported>> {
    let mut batch = locked.store.batch();
    for one in &admitted {
        for content in one.current.values().flatten() {
            batch.blob(&content.bytes)?;
        }
    }
    batch.write(&locked.lock)?;
    locked.place.queue().sweep(&locked.lock)?;
    admitted
        .into_iter()
        .map(|one| import_one(locked, one))
        .collect()
}

fn import_one(locked: &Locked<'_>, admitted: Admitted) -> Result<Imported> {
    let Admitted {
        mut proposal,
        warnings,
        ..
    } = admitted;
    let queue = locked.place.queue();
    let standing = standing::of(Some(&locked.ledger), &proposal.id)?;
    let queued = match queue.load(&proposal.id) {
        Ok(found) => found,
        // An altered file gives way to the document as it was proposed.
        Err(error) if error.code() == Code::InvalidProposal => None,
        Err(error) => return Err(error),
    };
    let fate = match standing.state {
        State::Pending | State::Approved if queued.is_some() => Fate::AlreadyPending,
        State::Pending | State::Approved => Fate::Imported,
        State::Applied => Fate::AlreadyApplied,
        State::Rejected | State::RolledBack => Fate::Reopened,
    };
    if let Some(queued) = queued {
        proposal.imported_at = queued.imported_at;
    }
    proposal.status = standing.state;
    proposal.ledger_entry_id = standing.receipt;
    if fate == Fate::Reopened {
        proposal.ledger_entry_id = Some(reopen(locked, &proposal)?);
        proposal.status = State::Pending;
    }
    if fate != Fate::AlreadyPending {
        queue.save(&locked.lock, &proposal)?;
    }
    Ok(Imported {
        proposal,
        fate,
        warnings,
    })
}

fn reopen(locked: &Locked<'_>, proposal: &Proposal) -> Result<String> {
    let settled = Settled {
        proposal_id: proposal.id.clone(),
        skill: Some(proposal.skill.clone()),
        state: State::Pending,
        opens: None,
        rolls_back: None,
        commit: None,
        outcome: None,
        contested: Vec::new(),
        reason: None,
    };
    Ok(locked.record(kind::REOPEN, &settled)?.entry.id)
}

fn admit_one(
    place: &Workplace,
    assessor: &Assessor<'_>,
    draft: &Draft,
) -> Result<std::result::Result<Admitted, Vec<Trouble>>> {
    let dir = assessor.skill_dir(&draft.skill)?;
    let current = outcome::read(dir.as_ref(), &draft.change);
    let owner = assessor.owner(&draft.skill, dir.as_ref(), &current)?;
    let current = current?;
    let mut troubles = outcome::near_names(dir.as_ref(), &current)?;
    troubles.extend(named_bases(draft, &current));
    let change = match &draft.change {
        Change::Create { files } => {
            troubles.extend(taken(assessor, &draft.skill)?);
            marked(files, &mut troubles)
        }
        other => other.clone(),
    };
    let listed = !matches!(owner, Owner::Other(_));
    match outcome::of(&draft.skill, &change, &current, listed) {
        Ok(_) if troubles.is_empty() => {}
        Ok(_) => return Ok(Err(troubles)),
        Err(more) => {
            troubles.extend(more);
            return Ok(Err(troubles));
        }
    }
    let warnings = warnings(place, draft, &change, &owner)?;
    let proposal = queued(place, draft, change, &current)?;
    Ok(Ok(Admitted {
        proposal,
        current,
        warnings,
    }))
}

/// The marker goes in at import, so that what is shown is what is written.
fn marked(files: &[NewFile], troubles: &mut Vec<Trouble>) -> Change {
    let mut files = files.to_vec();
    for (index, file) in files.iter_mut().enumerate() {
        if file.path != SKILL_FILE {
            continue;
        }
        match frontmatter::insert_marker(&file.content) {
            Ok(content) => file.content = content,
            Err(fault) => troubles.push(Trouble {
                field: format!("/create/files/{index}/content"),
                code: Code::InvalidProposal,
                message: format!("SKILL.md line {}: {}", fault.line, fault.message),
            }),
        }
    }
    Change::Create { files }
}

fn taken(assessor: &Assessor<'_>, skill: &str) -> Result<Option<Trouble>> {
    let taken = assessor.collisions(skill)?;
    Ok(taken.first().map(|first| Trouble {
        field: "/skill".to_owned(),
        code: Code::InvalidProposal,
        message: format!(
            "a new skill `{skill}` would collide with {}",
            text::line(first)
        ),
    }))
}

/// `baseSha256` beside a path says which bytes the author read.
fn named_bases(draft: &Draft, current: &Current) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    for (path, expected) in &draft.base_sha256 {
        let found = current.get(path).and_then(Option::as_ref);
        let found = found.map(|file| crate::digest::sha256_hex(&file.bytes));
        if found.as_ref() != Some(expected) {
            let found = found.map_or_else(|| "absent".to_owned(), |hex| hex[..12].to_owned());
            let message = format!(
                "`{path}` is not what the author read: expected {}, found {found}; read it again",
                &expected[..12.min(expected.len())]
            );
            troubles.push(Trouble {
                field: "/skill".to_owned(),
                code: Code::StaleBase,
                message,
            });
        }
    }
    troubles
}

fn queued(place: &Workplace, draft: &Draft, change: Change, current: &Current) -> Result<Proposal> {
    let mut base = Vec::new();
    for path in change.paths() {
        let content = current.get(path).and_then(Option::as_ref);
        let file = content
            .map(|file| FileState::of(&file.bytes, file.mode))
            .transpose()?;
        let path = path.to_owned();
        base.push(Base { path, file });
    }
    let mut proposal = Proposal {
        schema: SCHEMA.to_owned(),
        id: String::new(),
        status: State::Pending,
        skill: draft.skill.clone(),
        signal: draft.signal,
        rationale: draft.rationale.clone(),
        evidence_refs: draft.evidence_refs.clone(),
        change,
        base,
        home: place.home_text(),
        imported_at: clock::now(),
        workspace: place.workspace.path.to_string_lossy().into_owned(),
        ledger_entry_id: None,
    };
    proposal.id = proposal.computed_id();
    Ok(proposal)
}

fn warnings(
    place: &Workplace,
    draft: &Draft,
    change: &Change,
    owner: &Owner,
) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    if let Owner::Other(reason) = owner {
        warnings.push(format!(
            "blocked: skill `{}` is not an agent's: {reason}",
            draft.skill
        ));
    }
    let Change::Create { files } = change else {
        return Ok(warnings);
    };
    let skill_file = files.iter().find(|file| file.path == SKILL_FILE);
    let Some(content) = skill_file.map(|file| file.content.as_str()) else {
        return Ok(warnings);
    };
    if let Some(length) = frontmatter::long_description(content) {
        warnings.push(format!(
            "the description has {length} characters; Hermes shows the first 57 in its index"
        ));
    }
    let description = frontmatter::lenient(content)
        .description
        .unwrap_or_default();
    let close = similar(&catalogue(&place.home_dir)?, &draft.skill, &description);
    if !close.is_empty() {
        let names: Vec<String> = close.iter().map(|name| format!("`{name}`")).collect();
        warnings.push(format!("close to an existing skill: {}", names.join(", ")));
    }
    Ok(warnings)
}
