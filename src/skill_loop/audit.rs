//! Proving that ledger, store, queue and skills agree: what `verify` does (skill-loop.md §7).
//!
//! Promises: reads only; names the first thing that does not hold; an interrupted decision, a
//! torn tail and a skill edited by hand are findings, not faults.

use std::collections::{HashMap, HashSet};

use super::decision::snapshot;
use super::receipt::{self, FileState, Op, Opening, Settled, kind};
use super::slot::Slot;
use super::workplace::Workplace;
use crate::error::{Code, Error, Result};
use crate::ledger::{Entry, Ledger, Line};
use crate::store::{ObjectId, Store};

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
            branches(store, &ledger, &book, &mut audit)?;
        }
        None if book.decisions.is_empty() => {}
        None => {
            let text = "the store is missing, but the ledger names decisions";
            audit
                .faults
                .push(Error::new(Code::StoreDamaged, text).hint("restore it from a backup"));
        }
    }
    queue(place, &ledger, &book, &mut audit)?;
    drift(place, &book, &mut audit)?;
    Ok(audit)
}

fn fault(ledger: &Ledger, text: impl Into<String>) -> Error {
    Error::new(Code::LedgerDamaged, text)
        .caused_by(ledger.path().display())
        .hint("restore the file from a backup; nothing was written")
}

/// A decision whose opening line was read.
#[derive(Debug)]
struct Open {
    id: String,
    opening: Opening,
}

/// What a first reading of the ledger collects.
#[derive(Debug, Default)]
struct Book {
    open: Option<Open>,
    /// What each skill's file was left as, by the last closing line.
    left: HashMap<(String, String), (Option<FileState>, String)>,
    /// Each branch's commits as the ledger names them, in order.
    branches: HashMap<String, Vec<ObjectId>>,
    decisions: Vec<Decision>,
    ids: HashSet<String>,
    faults: Vec<Error>,
}

/// What a line names in the store.
#[derive(Debug)]
struct Decision {
    id: String,
    commit: ObjectId,
    files: Vec<receipt::FileChange>,
    /// Its commit is a branch's: the decision is closed.
    closed: bool,
}

impl Book {
    fn take(&mut self, line: &Line) {
        let entry = &line.entry;
        self.ids.insert(entry.id.clone());
        let taken = match entry.kind.as_str() {
            kind::APPROVE => self.opened(entry),
            _ if receipt::settles(entry) => self.settled(entry),
            _ => Ok(()),
        };
        if let Err(error) = taken {
            self.faults.push(error);
        }
    }

    fn opened(&mut self, entry: &Entry) -> Result<()> {
        let opening = receipt::opening(entry)?;
        if let Some(open) = self.open.take() {
            return Err(unpaired(entry, &format!("{} was never closed", open.id)));
        }
        self.decisions.push(Decision {
            id: entry.id.clone(),
            commit: opening.commit.clone(),
            files: opening.files.clone(),
            closed: false,
        });
        self.open = Some(Open {
            id: entry.id.clone(),
            opening,
        });
        Ok(())
    }

    fn settled(&mut self, entry: &Entry) -> Result<()> {
        let settled = receipt::settled(entry)?;
        let Some(opens) = &settled.opens else {
            return self.decided(entry, settled);
        };
        let Some(open) = self.open.take().filter(|open| open.id == *opens) else {
            return Err(unpaired(entry, &format!("{opens} is not open")));
        };
        let expected = match open.opening.op {
            Op::Apply => kind::APPLY,
            Op::Rollback => kind::ROLLBACK,
        };
        if entry.kind != expected && entry.kind != kind::RECOVER {
            return Err(unpaired(entry, &format!("{opens} is closed by {expected}")));
        }
        if entry.kind == kind::RECOVER {
            return Ok(());
        }
        if let Some(last) = self.decisions.last_mut() {
            last.closed = true;
        }
        for change in open.opening.files {
            let key = (open.opening.skill.clone(), change.path);
            self.left.insert(key, (change.after, entry.id.clone()));
        }
        let branch = snapshot::branch(&open.opening.skill);
        self.branches
            .entry(branch)
            .or_default()
            .extend(settled.commit);
        Ok(())
    }

    fn decided(&mut self, entry: &Entry, settled: Settled) -> Result<()> {
        let branch = snapshot::branch_of(&settled);
        if let Some(commit) = settled.commit {
            self.branches
                .entry(branch)
                .or_default()
                .push(commit.clone());
            let id = entry.id.clone();
            self.decisions.push(Decision {
                id,
                commit,
                files: Vec::new(),
                closed: true,
            });
        }
        Ok(())
    }
}

fn unpaired(entry: &Entry, why: &str) -> Error {
    let text = format!(
        "ledger entry {} ({}) does not fit: {why}",
        entry.id, entry.kind
    );
    Error::new(Code::LedgerDamaged, text)
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

/// Whether the ledger names something by now: a writer beside us may have gone on since it was
/// read, and always writes its line before a branch or a queue file names it.
fn named_since(ledger: &Ledger, name: &str) -> Result<bool> {
    Ok(ledger.newest(name, |_| true)?.is_some())
}

/// Branches follow the closing lines, and nothing else is on them.
fn branches(store: &Store, ledger: &Ledger, book: &Book, audit: &mut Audit) -> Result<()> {
    let behind = super::standing::unfinished(ledger)?.is_none();
    let known = match store.branches("skills") {
        Ok(known) => known,
        Err(error) => {
            audit.faults.push(error);
            return Ok(());
        }
    };
    let mut tips: HashMap<String, ObjectId> = known
        .into_iter()
        .map(|(name, id)| (snapshot::branch(&name), id))
        .collect();
    if let Some(tip) = store.tip(snapshot::ALTERED)? {
        tips.insert(snapshot::ALTERED.to_owned(), tip);
    }
    for (branch, tip) in &tips {
        let commits = book.branches.get(branch);
        let known = commits.is_some_and(|commits| commits.contains(tip));
        if !known && !named_since(ledger, tip.as_str())? {
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
        let tip = tips.get(branch);
        // The last decision's branch may still be behind: the next writer moves it.
        let just_closed = behind
            && book
                .decisions
                .last()
                .is_some_and(|d| d.closed && d.commit == *last);
        let moved_on = match tip {
            Some(tip) if tip != last && !commits.contains(tip) => {
                named_since(ledger, tip.as_str())?
            }
            _ => false,
        };
        if tip != Some(last) && !just_closed && !moved_on {
            let text = format!("branch `{branch}` of the store is not where the ledger says");
            let found = tip.map_or_else(|| "no branch".to_owned(), ToString::to_string);
            audit.faults.push(
                Error::new(Code::StoreDamaged, text)
                    .expected(last.as_str())
                    .found(found),
            );
        }
    }
    Ok(())
}

/// A queue copy may lag behind the ledger, never ahead of it.
fn queue(place: &Workplace, ledger: &Ledger, book: &Book, audit: &mut Audit) -> Result<()> {
    let all = match place.queue().load_all() {
        Ok(all) => all,
        Err(error) => {
            audit.faults.push(error);
            return Ok(());
        }
    };
    for (id, proposal) in all {
        let Ok(proposal) = proposal else { continue };
        if proposal.home != place.home_text() {
            continue;
        }
        let Some(receipt) = proposal.ledger_entry_id else {
            continue;
        };
        if !book.ids.contains(&receipt) && !named_since(ledger, &receipt)? {
            let text =
                format!("the queue file of {id} names ledger entry {receipt}, which is missing");
            audit
                .faults
                .push(fault(ledger, text).expected(receipt).found("no such entry"));
        }
    }
    Ok(())
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
