//! What a decision keeps in the store: the package as it will be, the proposal, and first, as a
//! commit of its own, whatever somebody edited since the last decision (skill-loop.md §8).

use super::package::Package;
use super::{Plan, PlannedFile};
use crate::clock;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::ledger::Entry;
use crate::skill_loop::receipt::{self, FileState, Op, Settled, kind};
use crate::skill_loop::workplace::Locked;
use crate::store::{Batch, File, Files, Message, ObjectId, Store};

/// Where a decision without a trusted skill goes: the rejection of an altered queue file.
pub const ALTERED: &str = "altered";

/// What was put into the store for a decision.
#[derive(Debug)]
pub struct Kept {
    /// The decision's commit.
    pub commit: ObjectId,
    /// Where the branch stood before.
    pub tip: Option<ObjectId>,
    /// Files of the package that are not in the commit.
    pub left_out: Vec<String>,
}

/// The branch of a skill.
pub fn branch(skill: &str) -> String {
    format!("skills/{skill}")
}

/// The branch that a settling line's commit is on.
pub fn branch_of(settled: &Settled) -> String {
    settled
        .skill
        .as_deref()
        .map_or_else(|| ALTERED.to_owned(), branch)
}

/// Where a branch stands. `STORE_DAMAGED` where the ledger says otherwise: a decision on top would
/// bury the evidence.
fn tip(locked: &Locked<'_>, skill: Option<&str>) -> Result<Option<ObjectId>> {
    let branch = skill.map_or_else(|| ALTERED.to_owned(), branch);
    let needle = match skill {
        Some(skill) => format!("\"skill\":\"{skill}\""),
        None => format!("\"kind\":\"{}\"", kind::REJECT),
    };
    let tip = locked.store.tip(&branch)?;
    let decided = |entry: &Entry| {
        receipt::settles(entry)
            && receipt::settled(entry)
                .is_ok_and(|settled| settled.commit.is_some() && settled.skill.as_deref() == skill)
    };
    let known = match locked.ledger.newest(&needle, decided)? {
        Some(line) => receipt::settled(&line.entry)?.commit,
        None => None,
    };
    match tip == known {
        true => Ok(tip),
        false => Err(elsewhere(&branch, known.as_ref(), tip.as_ref())),
    }
}

/// A branch that is behind the ledger stands at the commit before the last decision's, or before
/// the edits that this one found. Anywhere else, it is the ledger that lost lines, or the branch
/// that was moved: `STORE_DAMAGED`, and nothing is moved over it.
pub(in crate::skill_loop) fn refuse_elsewhere(
    store: &Store,
    branch: &str,
    tip: Option<&ObjectId>,
    commit: &ObjectId,
) -> Result<()> {
    let parent = store.commit_facts(commit)?.parent;
    let grandparent = match &parent {
        Some(parent) => store.commit_facts(parent)?.parent,
        None => None,
    };
    match tip == parent.as_ref() || tip == grandparent.as_ref() {
        true => Ok(()),
        false => Err(elsewhere(branch, Some(commit), tip)),
    }
}

fn elsewhere(branch: &str, expected: Option<&ObjectId>, found: Option<&ObjectId>) -> Error {
    let spell = |id: Option<&ObjectId>| id.map_or("no commit".into(), ToString::to_string);
    let text = format!("branch `{branch}` of the store is not where the ledger says");
    Error::new(Code::StoreDamaged, text)
        .expected(spell(expected))
        .found(spell(found))
        .hint("lithermes skill-loop verify")
        .hint("restore ledger and store from one backup; nothing was written")
}

/// Writes, flushed: bytes before and after, edits found, and the commit of a plan.
pub fn keep(locked: &Locked<'_>, plan: &Plan) -> Result<Kept> {
    let mut batch = locked.store.batch();
    let package = Package::read(locked.place, &plan.skill, &mut batch)?;
    let tip = tip(locked, Some(&plan.skill))?;
    for file in &plan.files {
        for bytes in [&file.before, &file.after].into_iter().flatten() {
            batch.blob(bytes)?;
        }
    }
    let mut parent = tip.clone();
    if found_edits(locked, tip.as_ref(), &plan.files)? {
        parent = Some(commit_found(
            &mut batch,
            locked,
            &package,
            plan,
            tip.as_ref(),
        )?);
    }
    let mut files = package.files.clone();
    for file in &plan.files {
        let path = format!("skill/{}", file.change.path);
        match &file.change.after {
            Some(state) => drop(files.insert(path, stored(state))),
            None => drop(files.remove(&path)),
        }
    }
    let subject = match plan.op {
        Op::Apply => "apply",
        Op::Rollback => "rollback",
    };
    let document = Document {
        bytes: &plan.document,
        id: &plan.proposal_id,
    };
    let commit = commit(
        &mut batch,
        locked,
        files,
        document,
        subject,
        &plan.reason,
        parent,
    )?;
    batch.write(&locked.lock)?;
    Ok(Kept {
        commit,
        tip,
        left_out: package.left_out,
    })
}

/// Writes, flushed, the commit of a decision that changes no skill. Without a skill (an altered
/// queue file) it goes to a branch of its own.
pub fn keep_decision(
    locked: &Locked<'_>,
    skill: Option<&str>,
    document: Document<'_>,
    subject: &str,
    reason: &str,
) -> Result<Kept> {
    let mut batch = locked.store.batch();
    let package = match skill {
        Some(skill) => Package::read(locked.place, skill, &mut batch)?,
        None => Package::default(),
    };
    let tip = tip(locked, skill)?;
    let parent = tip.clone();
    let commit = commit(
        &mut batch,
        locked,
        package.files,
        document,
        subject,
        reason,
        parent,
    )?;
    batch.write(&locked.lock)?;
    Ok(Kept {
        commit,
        tip,
        left_out: package.left_out,
    })
}

/// `proposal.json` of a commit.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The proposal's id.
    pub id: &'a str,
}

fn commit(
    batch: &mut Batch<'_>,
    locked: &Locked<'_>,
    mut files: Files,
    document: Document<'_>,
    subject: &str,
    reason: &str,
    parent: Option<ObjectId>,
) -> Result<ObjectId> {
    let blob = batch.blob(document.bytes)?;
    files.insert(
        "proposal.json".to_owned(),
        File {
            blob,
            executable: false,
        },
    );
    let short: String = document.id.chars().take(14).collect();
    let first: String = text::line(reason.lines().next().unwrap_or(""))
        .chars()
        .take(72)
        .collect();
    let subject = format!("{subject} {short}: {first}");
    let text = message(
        locked,
        subject.trim_end_matches([':', ' ']),
        reason,
        document.id,
    )?;
    batch.commit(&files, parent.as_ref(), &text)
}

fn message(locked: &Locked<'_>, subject: &str, reason: &str, id: &str) -> Result<Message> {
    let last = locked
        .ledger
        .last()?
        .map_or_else(|| "none".to_owned(), |line| line.digest);
    let reason = text::block(reason);
    let text = format!("{subject}\n\n{reason}\n\nProposal: {id}\nLedger-Line-Before: {last}\n");
    Ok(Message {
        text,
        seconds: clock::now().as_second(),
    })
}

fn commit_found(
    batch: &mut Batch<'_>,
    locked: &Locked<'_>,
    package: &Package,
    plan: &Plan,
    tip: Option<&ObjectId>,
) -> Result<ObjectId> {
    let subject = match tip {
        Some(_) => "found: edits made since the last decision",
        None => "found: the skill before its first decision",
    };
    let reason = "These bytes were in the skill when the next decision was taken.";
    let text = message(locked, subject, reason, &plan.proposal_id)?;
    batch.commit(&package.files, tip, &text)
}

/// Whether a file that the plan touches is something else than the branch knows.
fn found_edits(locked: &Locked<'_>, tip: Option<&ObjectId>, files: &[PlannedFile]) -> Result<bool> {
    for file in files {
        let path = format!("skill/{}", file.change.path);
        let known = match tip {
            Some(tip) => locked.store.file_in(tip, &path)?,
            None => None,
        };
        if known != file.change.before.as_ref().map(stored) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn stored(state: &FileState) -> File {
    File {
        blob: state.blob.clone(),
        executable: state.is_executable(),
    }
}
