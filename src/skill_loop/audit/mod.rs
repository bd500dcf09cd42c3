//! Proving that ledger, store, queue and skills agree: what `verify` does (skill-loop.md §7).
//!
//! Promises: reads only; names the first thing that does not hold; an interrupted decision, a
//! torn tail and a skill edited by hand are findings, not faults.

mod book;

use std::collections::{HashMap, HashSet};

use super::decision::snapshot;
use super::queue::Proposal;
use super::receipt::FileState;
use super::slot::Slot;
use super::workplace::Workplace;
use crate::error::{Code, Error, Result};
use crate::ledger::Ledger;
use crate::store::{ObjectId, Store};
use book::{Book, Decision};

/// What a proof found.
#[derive(Debug, Default)]
pub struct Audit {
    /// Lines of the ledger that hold.
    pub lines: u64,
    /// Objects of the store that were read and hashed.
    pub objects: u64,
    /// Bytes of an unfinished last line.
    pub torn: u64,
    /// Decisions that began and did not end: proposal ids.
    pub interrupted: Vec<String>,
    /// Files of skills that are not what the last receipt left.
    pub drift: Vec<Drift>,
    /// What does not hold, the first first.
    pub faults: Vec<Error>,
}

/// A file that somebody changed since its last receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// The skill.
    pub skill: String,
    /// Path below its directory.
    pub path: String,
    /// What the receipt left.
    pub expected: Option<FileState>,
    /// What is there.
    pub found: Option<FileState>,
    /// The receipt.
    pub receipt: String,
}

/// Proves a home and the queue of its workspace.
pub fn run(place: &Workplace) -> Result<Audit> {
    let mut audit = Audit::default();
    let Some(ledger) = place.ledger()? else {
        return Ok(audit);
    };
    // Beside a writer the ledger only grows, and is ahead of branches and queue: what they named
    // before it was read, it must name.
    let before = Before::read(place);
    let mut book = Book::default();
    let checked = ledger.check(&mut |line| book.take(line))?;
    audit.lines = checked.lines;
    audit.torn = checked.torn;
    if let Some(damage) = checked.damage {
        let text = format!("ledger line {} does not hold: {}", damage.line, damage.what);
        audit.faults.push(fault(&ledger, text));
        return Ok(audit);
    }
    audit.faults.append(&mut book.faults);
    audit.interrupted.extend(
        book.open
            .iter()
            .map(|open| open.opening.proposal_id.clone()),
    );
    let store = match place.store() {
        Ok(store) => store,
        Err(error) => {
            audit.faults.push(error);
            return Ok(audit);
        }
    };
    match &store {
        Some(store) => {
            objects(store, &book, &mut audit);
            match &before.tips {
                Ok(tips) => branches(store, tips, &ledger, &book, &mut audit)?,
                Err(error) => audit.faults.push(error.clone()),
            }
        }
        None if book.decisions.is_empty() => {}
        None => {
            let text = "the store is missing, but the ledger names decisions";
            audit
                .faults
                .push(Error::new(Code::StoreDamaged, text).hint("restore it from a backup"));
        }
    }
    match &before.copies {
        Ok(copies) => queue(copies, &ledger, &book, &mut audit),
        Err(error) => audit.faults.push(error.clone()),
    }
    drift(place, &book, &mut audit)?;
    Ok(audit)
}

/// What vouches for the ledger, read before it.
struct Before {
    /// Where each branch stood.
    tips: Result<HashMap<String, ObjectId>>,
    /// Proposals of this home in the queue, with the receipt that the queue file names.
    copies: Result<Vec<(String, String)>>,
}

impl Before {
    fn read(place: &Workplace) -> Self {
        Self {
            tips: tips(place),
            copies: copies(place),
        }
    }
}

fn tips(place: &Workplace) -> Result<HashMap<String, ObjectId>> {
    let Some(store) = place.store()? else {
        return Ok(HashMap::new());
    };
    let known = store.branches("skills")?.into_iter();
    let mut tips: HashMap<String, ObjectId> = known
        .map(|(name, id)| (snapshot::branch(&name), id))
        .collect();
    if let Some(tip) = store.tip(snapshot::ALTERED)? {
        tips.insert(snapshot::ALTERED.to_owned(), tip);
    }
    Ok(tips)
}

fn copies(place: &Workplace) -> Result<Vec<(String, String)>> {
    let ours = |(id, proposal): (String, Result<Proposal>)| {
        let proposal = proposal.ok()?;
        let receipt = proposal.ledger_entry_id?;
        (proposal.home == place.home_text()).then_some((id, receipt))
    };
    Ok(place
        .queue()
        .load_all()?
        .into_iter()
        .filter_map(ours)
        .collect())
}

fn fault(ledger: &Ledger, text: impl Into<String>) -> Error {
    Error::new(Code::LedgerDamaged, text)
        .caused_by(ledger.path().display())
        .hint("restore the file from a backup; nothing was written")
}

/// Every named object is there and hashes to what the receipt says.
fn objects(store: &Store, book: &Book, audit: &mut Audit) {
    let mut seen: HashMap<&ObjectId, &str> = HashMap::new();
    let mut read: HashSet<ObjectId> = HashSet::new();
    for decision in &book.decisions {
        let states = decision
            .files
            .iter()
            .flat_map(|file| [&file.before, &file.after]);
        for state in states.flatten() {
            if seen.get(&state.blob) == Some(&state.sha256.as_str()) {
                continue;
            }
            audit.objects += 1;
            match store.blob(&state.blob) {
                Ok(bytes) if crate::digest::sha256_hex(&bytes) == state.sha256 => {
                    seen.insert(&state.blob, &state.sha256);
                    read.insert(state.blob.clone());
                }
                Ok(_) => audit
                    .faults
                    .push(disagree(decision, &state.blob, "another content")),
                Err(error) => audit
                    .faults
                    .push(error.caused_by(format!("named by {}", decision.id))),
            }
        }
        audit.objects += 1;
        let known = read.len();
        if let Err(error) = committed(store, decision, &mut read) {
            audit.faults.push(error);
        }
        audit.objects += (read.len() - known) as u64;
    }
}

/// The commit holds the files as the receipt left them, and every file in it can be read: what
/// was decided, and the package around it. `read` holds the blobs that were.
fn committed(store: &Store, decision: &Decision, read: &mut HashSet<ObjectId>) -> Result<()> {
    let files = store.files_in(&decision.commit)?;
    if !files.contains_key("proposal.json") {
        return Err(disagree(decision, &decision.commit, "no proposal.json"));
    }
    for change in &decision.files {
        let kept = files.get(&format!("skill/{}", change.path));
        let wanted = change.after.as_ref().map(|state| &state.blob);
        if kept.map(|file| &file.blob) != wanted {
            let found = format!("another {}", change.path);
            return Err(disagree(decision, &decision.commit, &found));
        }
    }
    for file in files.into_values() {
        if !read.contains(&file.blob) {
            store
                .blob(&file.blob)
                .map_err(|error| error.caused_by(format!("named by {}", decision.id)))?;
            read.insert(file.blob);
        }
    }
    Ok(())
}

fn disagree(decision: &Decision, id: &ObjectId, found: &str) -> Error {
    let text = format!("object {id} is not what ledger entry {} says", decision.id);
    Error::new(Code::StoreDamaged, text).found(found)
}

/// Branches follow the closing lines, and nothing else is on them.
fn branches(
    store: &Store,
    tips: &HashMap<String, ObjectId>,
    ledger: &Ledger,
    book: &Book,
    audit: &mut Audit,
) -> Result<()> {
    for (branch, tip) in tips {
        let commits = book.branches.get(branch);
        if commits.is_none_or(|commits| !commits.contains(tip)) {
            let text = format!(
                "branch `{branch}` of the store stands at {tip}, which no ledger entry names"
            );
            audit.faults.push(
                fault(ledger, text)
                    .expected("a ledger entry that names it")
                    .found("none"),
            );
        }
    }
    for (branch, commits) in &book.branches {
        let Some(last) = commits.last() else { continue };
        if tips.get(branch) == Some(last) || book.is_just_closed(last) {
            continue;
        }
        // A writer may have closed decisions and moved the branch while the ledger was read.
        let now = store.tip(branch)?;
        let moved = now.as_ref() != tips.get(branch);
        if now.as_ref() == Some(last)
            || (moved && !commits.iter().any(|one| now.as_ref() == Some(one)))
        {
            continue;
        }
        let text = format!("branch `{branch}` of the store is not where the ledger says");
        let found = now.map_or_else(|| "no branch".to_owned(), |tip| tip.to_string());
        let error = Error::new(Code::StoreDamaged, text);
        audit
            .faults
            .push(error.expected(last.as_str()).found(found));
    }
    Ok(())
}

/// A queue copy may lag behind the ledger, never ahead of it.
fn queue(copies: &[(String, String)], ledger: &Ledger, book: &Book, audit: &mut Audit) {
    for (id, receipt) in copies {
        if !book.ids.contains(receipt) {
            let text =
                format!("the queue file of {id} names ledger entry {receipt}, which is missing");
            let error = fault(ledger, text).expected(receipt.as_str());
            audit.faults.push(error.found("no such entry"));
        }
    }
}

fn drift(place: &Workplace, book: &Book, audit: &mut Audit) -> Result<()> {
    let mut left: Vec<_> = book.left.iter().collect();
    left.sort_by(|one, two| one.0.cmp(two.0));
    for ((skill, path), (expected, receipt)) in left {
        let slot = Slot::open(place, skill, path, receipt);
        let found = match slot.and_then(|slot| slot.found()) {
            Ok(found) => found,
            Err(error) if error.code() == Code::UnsafePath => None,
            Err(error) => return Err(error),
        };
        if found != *expected {
            audit.drift.push(Drift {
                skill: skill.clone(),
                path: path.clone(),
                expected: expected.clone(),
                found,
                receipt: receipt.clone(),
            });
        }
    }
    Ok(())
}
