//! Decisions: apply, reject, rollback (skill-loop.md §5 and §6).
//!
//! Promises: no receipt, no write; a plan that was shown is carried out exactly or not at all;
//! after a crash at any step, recovery ends with the old files or the new ones and says which.

mod apply;
mod carry_out;
mod package;
mod reject;
mod rollback;
pub mod snapshot;

pub use apply::{apply, plan_apply};
pub use carry_out::carry_out;
pub(in crate::skill_loop) use carry_out::{close, make_directories, remove_directories, undone};
pub use reject::{reject, reject_altered};
pub use rollback::{plan_rollback, rollback};

use serde::Serialize;

use super::queue::Proposal;
use super::receipt::{FileChange, Op, State};
use crate::digest;

/// What a decision would do: computed without a lock, shown, computed again under the lock.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Which way.
    pub op: Op,
    /// The proposal, all 32 digits.
    pub proposal_id: String,
    /// The skill.
    pub skill: String,
    /// Each file in the order of the writes.
    pub files: Vec<PlannedFile>,
    /// Directories below the home that are made (apply) or, where empty, taken away (rollback).
    pub directories: Vec<String>,
    /// The receipt that a rollback takes back.
    pub rolls_back: Option<String>,
    /// The proposal's state before.
    pub state_before: State,
    /// The proposal's state after.
    pub state_after: State,
    /// `proposal.json` of the decision's commit.
    pub document: Vec<u8>,
    /// Subject and body of the commit.
    pub reason: String,
    /// What a person should know and that stops nothing.
    pub warnings: Vec<String>,
}

/// One file of a plan, with its bytes.
#[derive(Debug, Clone)]
pub struct PlannedFile {
    /// Path and both states.
    pub change: FileChange,
    /// The bytes that are there.
    pub before: Option<Vec<u8>>,
    /// The bytes that will be there.
    pub after: Option<Vec<u8>>,
}

impl Plan {
    /// What a proposal would write to its own base: for showing one that cannot be applied now.
    pub fn of_base(proposal: &Proposal, files: Vec<PlannedFile>) -> Self {
        Self {
            op: Op::Apply,
            proposal_id: proposal.id.clone(),
            skill: proposal.skill.clone(),
            files,
            directories: Vec::new(),
            rolls_back: None,
            state_before: State::Pending,
            state_after: State::Applied,
            document: proposal.document(),
            reason: proposal.rationale.clone(),
            warnings: Vec::new(),
        }
    }

    /// What a person approves: the digest of everything that will be written.
    pub fn digest(&self) -> String {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Approved<'a> {
            op: Op,
            proposal_id: &'a str,
            skill: &'a str,
            files: Vec<&'a FileChange>,
            directories: &'a [String],
            rolls_back: Option<&'a str>,
        }
        let approved = Approved {
            op: self.op,
            proposal_id: &self.proposal_id,
            skill: &self.skill,
            files: self.files.iter().map(|file| &file.change).collect(),
            directories: &self.directories,
            rolls_back: self.rolls_back.as_deref(),
        };
        digest::sha256_hex(&digest::canonical(&approved))
    }
}

/// How a decision ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// It was taken now.
    Now {
        /// The closing line's id.
        receipt: String,
        /// What went wrong after the decision was durable (the queue file could not be
        /// refreshed, …); the next command puts it right.
        warnings: Vec<String>,
    },
    /// It had been taken before; nothing was written.
    Already {
        /// The receipt that says so.
        receipt: String,
        /// One sentence.
        note: String,
    },
}
