//! What the skill loop writes into the ledger (skill-loop.md §5 to §7): the opening line that
//! announces a write, and the closing lines that settle a proposal's state.
//!
//! Promises: recovery needs nothing but these and the store.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::digest;
use crate::error::{Code, Error, Result};
use crate::ledger::Entry;
use crate::store::ObjectId;

/// Kinds of ledger line that this room writes.
pub mod kind {
    /// Opening line: what is about to be written.
    pub const APPROVE: &str = "skill.approve";
    /// Closing line: an apply is done.
    pub const APPLY: &str = "skill.apply";
    /// Closing line: a rollback is done.
    pub const ROLLBACK: &str = "skill.rollback";
    /// Closing line: an interrupted decision was undone, or somebody edited in between.
    pub const RECOVER: &str = "skill.recover";
    /// A decision that changes no skill.
    pub const REJECT: &str = "skill.reject";
    /// A rejected or rolled-back proposal was imported again.
    pub const REOPEN: &str = "skill.reopen";
}

/// What a file is at one moment. Absence is a state too: `Option<FileState>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileState {
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// Bytes.
    pub size: u64,
    /// Permission bits, four octal digits.
    pub mode: String,
    /// Where the store keeps the bytes.
    pub blob: ObjectId,
}

impl FileState {
    /// The state of a file with these bytes and permission bits.
    pub fn of(bytes: &[u8], mode: u32) -> Result<Self> {
        Ok(Self {
            sha256: digest::sha256_hex(bytes),
            size: bytes.len() as u64,
            mode: spelled(mode),
            blob: ObjectId::of_blob(bytes)?,
        })
    }

    /// Whether these bytes and permission bits are what it says. (What SHA-256 calls the same,
    /// the store's digest need not prove once more.)
    pub fn is_of(&self, bytes: &[u8], mode: u32) -> bool {
        self.size == bytes.len() as u64
            && self.mode == spelled(mode)
            && self.sha256 == digest::sha256_hex(bytes)
    }

    /// The permission bits as a number.
    pub fn mode_bits(&self) -> u32 {
        u32::from_str_radix(&self.mode, 8).unwrap_or(0o600) & 0o7777
    }

    /// Whether the owner may execute it.
    pub fn is_executable(&self) -> bool {
        self.mode_bits() & 0o100 != 0
    }

    /// 12 digits of the digest, for people.
    pub fn short(state: Option<&Self>) -> String {
        state.map_or_else(
            || "absent".to_owned(),
            |file| file.sha256.chars().take(12).collect(),
        )
    }
}

/// Permission bits in four octal digits.
fn spelled(mode: u32) -> String {
    format!("{mode:04o}")
}

/// What a decision makes of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Path below the skill's directory.
    pub path: String,
    /// What it was.
    pub before: Option<FileState>,
    /// What it is to be.
    pub after: Option<FileState>,
}

/// Which way a decision goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// A proposal's change is made.
    Apply,
    /// A receipt's change is taken back.
    Rollback,
}

/// The body of a `skill.approve` line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    /// Which way.
    pub op: Op,
    /// The proposal, all 32 digits.
    pub proposal_id: String,
    /// The skill.
    pub skill: String,
    /// Digest of what was shown and approved.
    pub plan_digest: String,
    /// Each file, in the order of the writes.
    pub files: Vec<FileChange>,
    /// Directories, below the home, that the decision makes (apply) or takes away (rollback).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directories: Vec<String>,
    /// The receipt that a rollback takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_back: Option<String>,
    /// The state of the proposal before, for an undo.
    pub state_before: State,
    /// The state of the proposal after.
    pub state_after: State,
    /// The decision's commit in the store.
    pub commit: ObjectId,
    /// Files of the package that the commit does not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The home, for a receipt that is read elsewhere.
    pub home: String,
}

impl Opening {
    /// Whether files come into being, and their directories with them.
    pub fn makes_files(&self) -> bool {
        self.files.iter().any(|file| file.before.is_none())
    }

    /// Whether files go, and the directories that they leave empty.
    pub fn takes_files(&self) -> bool {
        self.files.iter().any(|file| file.after.is_none())
    }
}

/// The body of a closing line (`skill.apply`, `skill.rollback`, `skill.recover`), of
/// `skill.reject` and of `skill.reopen`: whatever settles the state of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    /// The proposal, all 32 digits.
    pub proposal_id: String,
    /// The skill; absent where the queue file cannot be trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The state of the proposal from now on.
    pub state: State,
    /// The opening line that is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens: Option<String>,
    /// The receipt that was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_back: Option<String>,
    /// The decision's commit in the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<ObjectId>,
    /// What a recovery found: `undone` or `contested`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The three digests of each file, where a recovery found an edit of somebody else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<Contested>,
    /// Why a person rejected it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a recovery ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Nothing of it had been written, or all was put back.
    Undone,
    /// A file is neither as before nor as after: nothing was touched.
    Contested,
}

/// A file that is neither as before nor as after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contested {
    /// Path below the skill's directory.
    pub path: String,
    /// What it was.
    pub before: Option<FileState>,
    /// What it was to be.
    pub after: Option<FileState>,
    /// What is there.
    pub found: Option<FileState>,
}

/// The state of a proposal (skill-loop.md §3). *approved* is the time between an opening and a
/// closing line and is never stored in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Waits for a person.
    Pending,
    /// A decision began and did not end.
    Approved,
    /// The change is made.
    Applied,
    /// A person said no.
    Rejected,
    /// The change was taken back.
    RolledBack,
}

impl State {
    /// As it is spelled everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Applied => "applied",
            Self::Rejected => "rejected",
            Self::RolledBack => "rolled-back",
        }
    }
}

/// A typed body as the ledger wants it.
pub fn to_body(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The opening line's body.
pub fn opening(entry: &Entry) -> Result<Opening> {
    typed(entry)
}

/// The body of a line that settles a state.
pub fn settled(entry: &Entry) -> Result<Settled> {
    typed(entry)
}

/// Whether the line settles a proposal's state.
pub fn settles(entry: &Entry) -> bool {
    [
        kind::APPLY,
        kind::ROLLBACK,
        kind::RECOVER,
        kind::REJECT,
        kind::REOPEN,
    ]
    .contains(&entry.kind.as_str())
}

fn typed<T: serde::de::DeserializeOwned>(entry: &Entry) -> Result<T> {
    serde_json::from_value(Value::Object(entry.body.clone())).map_err(|error| {
        let text = format!("ledger entry {} is no {}", entry.id, entry.kind);
        Error::new(Code::LedgerDamaged, text)
            .caused_by(error)
            .hint("lithermes skill-loop verify")
    })
}
