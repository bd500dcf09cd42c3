//! The proposal queue of a workspace: one file a proposal (skill-loop.md §3).
//!
//! Promises: a file is whole or not there; what was altered after its import is told apart from
//! what was imported; a missing workspace is an answer, never a failure.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::folder;
use super::proposal::{self, Change, Signal};
use super::receipt::{FileState, State};
use crate::digest;
use crate::disk::{Dir, Lock, durable};
use crate::error::{Code, Error, Result};

/// In our folder of the workspace.
const FOLDER: &str = "skill-proposals";
/// A queue file holds one proposal of a document of at most 4 MiB, escaped once more.
const MAX_FILE: u64 = 32 << 20;
/// Hex digits of an id.
const DIGITS: usize = 32;
/// Characters of an id as people see it: `p-` and 12 digits.
pub const SHORT: usize = 14;

/// What a file was at import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// Path below the skill's directory.
    pub path: String,
    /// `null` where nothing was there.
    pub file: Option<FileState>,
}

/// A proposal in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// `lithermes/proposal/v1`.
    pub schema: String,
    /// `p-` and 32 hex digits.
    pub id: String,
    /// A copy of what the ledger says.
    pub status: State,
    /// The skill concerned.
    pub skill: String,
    /// Why it was proposed.
    pub signal: Signal,
    /// Why, in words.
    pub rationale: String,
    /// What the reason rests on.
    pub evidence_refs: Vec<String>,
    /// What is to be changed.
    #[serde(flatten)]
    pub change: Change,
    /// What each file was at import, in the order of the writes.
    pub base: Vec<Base>,
    /// The home, real path.
    pub home: String,
    /// When it was imported first.
    pub imported_at: Timestamp,
    /// The workspace, real path.
    pub workspace: String,
    /// The receipt of the last decision: a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger_entry_id: Option<String>,
}

/// What the author wrote.
#[derive(Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Stated<'a> {
    skill: &'a str,
    signal: Signal,
    rationale: &'a str,
    evidence_refs: &'a [String],
    #[serde(flatten)]
    change: &'a Change,
}

/// What an id is made of, and what a decision's commit keeps as `proposal.json`.
#[derive(Serialize)]
struct Essence<'a> {
    #[serde(flatten)]
    stated: Stated<'a>,
    base: &'a [Base],
}

impl Proposal {
    /// The id that the content gives.
    pub fn computed_id(&self) -> String {
        digest::id("p-", &self.essence(), DIGITS)
    }

    /// The canonical bytes of what was decided.
    pub fn document(&self) -> Vec<u8> {
        let mut bytes = digest::canonical(&self.essence());
        bytes.push(b'\n');
        bytes
    }

    /// Whether it keeps every rule of a proposal that needs no home. (A queue file may come from
    /// anywhere: that its id fits its content does not say that it was ever checked.)
    /// `INVALID_PROPOSAL` with all faults.
    pub fn check(&self) -> Result<()> {
        #[derive(Serialize)]
        struct Document<'a> {
            schema: &'a str,
            #[serde(flatten)]
            stated: Stated<'a>,
        }
        let document = Document {
            schema: &self.schema,
            stated: self.stated(),
        };
        let json = serde_json::to_vec(&document).map_err(unspeakable)?;
        proposal::read_again(&json)?;
        let based: Vec<&str> = self.base.iter().map(|base| base.path.as_str()).collect();
        let touched = self.change.paths();
        if based == touched {
            return Ok(());
        }
        let text = "the proposal records a base of other files than it changes";
        Err(Error::new(Code::InvalidProposal, text)
            .expected(touched.join(", "))
            .found(based.join(", ")))
    }

    /// The id as people see it.
    pub fn short_id(&self) -> &str {
        self.id.get(..SHORT).unwrap_or(&self.id)
    }

    /// Whether two proposals are one document on two bases.
    pub fn same_document(&self, other: &Self) -> bool {
        self.stated() == other.stated()
    }

    fn essence(&self) -> Essence<'_> {
        Essence {
            stated: self.stated(),
            base: &self.base,
        }
    }

    fn stated(&self) -> Stated<'_> {
        Stated {
            skill: &self.skill,
            signal: self.signal,
            rationale: &self.rationale,
            evidence_refs: &self.evidence_refs,
            change: &self.change,
        }
    }
}

/// The queue of one workspace.
#[derive(Debug, Clone)]
pub struct Queue {
    workspace: PathBuf,
}

impl Queue {
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            workspace: workspace.to_owned(),
        }
    }

    /// Where it is, for messages.
    pub fn path(&self) -> PathBuf {
        folder::path(&self.workspace, FOLDER)
    }

    /// The ids in the queue, sorted. Files with other names are nobody's proposals.
    pub fn ids(&self) -> Result<BTreeSet<String>> {
        let Some(dir) = self.dir()? else {
            return Ok(BTreeSet::new());
        };
        let entries = dir.entries(1_000_000)?;
        let name = |entry: &crate::disk::beneath::DirEntry| {
            let id = entry.name.to_str()?.strip_suffix(".json")?;
            is_full_id(id).then(|| id.to_owned())
        };
        Ok(entries.iter().filter_map(name).collect())
    }

    /// The one id that begins with `given` (with or without `p-`, at least 6 digits).
    /// `NOT_FOUND` with the ids that exist, `AMBIGUOUS_ID` with those that fit.
    pub fn resolve(&self, given: &str) -> Result<String> {
        if is_full_id(given) {
            return Ok(given.to_owned());
        }
        let digits = given.strip_prefix("p-").unwrap_or(given);
        let ids = self.ids()?;
        let shown = crate::guard::text::line(given);
        let enough = digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let prefix = format!("p-{}", digits.to_ascii_lowercase());
        let mut fits = ids.iter().filter(|id| enough && id.starts_with(&prefix));
        match (fits.next(), fits.next()) {
            (Some(id), None) => Ok(id.clone()),
            (Some(one), Some(two)) => {
                let mut found = vec![one.as_str(), two];
                found.extend(fits.take(8).map(String::as_str));
                let text = format!("more than one proposal begins with `{shown}`");
                Err(Error::new(Code::AmbiguousId, text).found(found.join(", ")))
            }
            (None, _) => Err(self.not_found(given, ids.iter().map(String::as_str))),
        }
    }

    /// The proposal with this full id; `None` where the queue has none. `INVALID_PROPOSAL` for a
    /// file that was altered after its import.
    pub fn load(&self, id: &str) -> Result<Option<Proposal>> {
        match self.dir()? {
            Some(dir) => load_from(&dir, id),
            None => Ok(None),
        }
    }

    /// As [`Queue::load`], `NOT_FOUND` where there is none.
    pub fn get(&self, id: &str) -> Result<Proposal> {
        match self.load(id)? {
            Some(proposal) => Ok(proposal),
            None => Err(self.not_found(id, self.ids()?.iter().map(String::as_str))),
        }
    }

    /// Every proposal, or why its file cannot be trusted, by id.
    pub fn load_all(&self) -> Result<Vec<(String, Result<Proposal>)>> {
        let ids: Vec<String> = self.ids()?.into_iter().collect();
        self.load_these(&ids)
    }

    /// These proposals, or why their files cannot be trusted; what went away is left out.
    pub fn load_these(&self, ids: &[String]) -> Result<Vec<(String, Result<Proposal>)>> {
        let Some(dir) = self.dir()? else {
            return Ok(Vec::new());
        };
        let load = |id: &String| load_from(&dir, id).transpose().map(|one| (id.clone(), one));
        Ok(ids.iter().filter_map(load).collect())
    }

    /// The bytes of a queue file, trusted or not; `None` where there is none.
    pub fn raw(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let Some(dir) = self.dir()? else {
            return Ok(None);
        };
        Ok(dir.read(&file_name(id), MAX_FILE)?.map(|file| file.bytes))
    }

    /// Removes what a killed import left half written.
    pub fn sweep(&self, _lock: &Lock) -> Result<()> {
        let Some(dir) = self.dir()? else {
            return Ok(());
        };
        for entry in dir.entries(1_000_000)? {
            let name = entry.name.to_string_lossy();
            if name.strip_suffix(".tmp").is_some_and(is_full_id) {
                durable::remove(&dir, &name)?;
            }
        }
        Ok(())
    }

    /// Writes a proposal, flushed, making the queue where it is missing.
    pub fn save(&self, lock: &Lock, proposal: &Proposal) -> Result<()> {
        let made = folder::make(&self.workspace, FOLDER)?;
        write(lock, &made.dir, proposal).map_err(|error| made.undo(error))
    }

    /// Refreshes the copy of the state in a queue file; nothing to do where the file is missing,
    /// altered or says so already.
    pub fn refresh(&self, lock: &Lock, id: &str, state: State, receipt: &str) -> Result<()> {
        let Some(dir) = self.dir()? else {
            return Ok(());
        };
        let Ok(Some(mut proposal)) = load_from(&dir, id) else {
            return Ok(());
        };
        if proposal.status == state && proposal.ledger_entry_id.as_deref() == Some(receipt) {
            return Ok(());
        }
        proposal.status = state;
        proposal.ledger_entry_id = Some(receipt.to_owned());
        write(lock, &dir, &proposal)
    }

    fn dir(&self) -> Result<Option<Dir>> {
        folder::open(&self.workspace, FOLDER)
    }

    /// `NOT_FOUND`, with some of the ids that exist.
    pub fn not_found<'a>(&self, given: &str, ids: impl Iterator<Item = &'a str>) -> Error {
        let shown = crate::guard::text::line(given);
        let text = format!("no proposal matches `{shown}` in {}", self.path().display());
        let ids: Vec<&str> = ids.collect();
        let known = ids.iter().take(10).copied().collect::<Vec<_>>().join(", ");
        let found = match ids.len() {
            0 => "an empty queue".to_owned(),
            1..=10 => known,
            count => format!("{known} and {} more", count - 10),
        };
        Error::new(Code::NotFound, text)
            .found(found)
            .hint("lithermes skill-loop list --all")
    }
}

/// Whether `id` is `p-` and 32 lower-case hex digits.
pub fn is_full_id(id: &str) -> bool {
    id.strip_prefix("p-").is_some_and(|digits| {
        digits.len() == DIGITS
            && digits
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn file_name(id: &str) -> String {
    format!("{id}.json")
}

fn temp_name(id: &str) -> String {
    format!("{id}.tmp")
}

fn write(_lock: &Lock, dir: &Dir, proposal: &Proposal) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(proposal).map_err(unspeakable)?;
    bytes.push(b'\n');
    let temp = temp_name(&proposal.id);
    durable::replace(dir, &file_name(&proposal.id), &temp, &bytes, 0o600)
}

fn unspeakable(error: serde_json::Error) -> Error {
    Error::new(Code::Io, format!("cannot spell a proposal: {error}"))
}

fn load_from(dir: &Dir, id: &str) -> Result<Option<Proposal>> {
    let name = file_name(id);
    let Some(file) = dir.read(&name, MAX_FILE)? else {
        return Ok(None);
    };
    let altered = |found: String| {
        let text = format!("altered after import: {}", dir.path_of(&name).display());
        Error::new(Code::InvalidProposal, text)
            .expected(id)
            .found(found)
            .hint(format!("lithermes skill-loop reject {id}"))
    };
    let proposal: Proposal = serde_json::from_slice(&file.bytes)
        .map_err(|error| altered(format!("no proposal ({error})")))?;
    let computed = proposal.computed_id();
    if computed != id || proposal.id != id {
        return Err(altered(computed));
    }
    Ok(Some(proposal))
}
