//! What a child is given: one task with everything that it may know and use (conference.md A8).
//!
//! Promises: canonical JSON of at most [`MAX_BYTES`]; nothing in it grants a child anything.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::id::{ClaimId, ConferenceId, DispatchId, Lane, Role};
use super::packet::{Confidence, Verdict};
use crate::digest;

/// Bytes of a charter (conference.md A2).
pub const MAX_BYTES: usize = 96 << 10;

/// What `schema` says in every charter.
pub const SCHEMA: &str = "lithermes/charter/v1";

/// One task for one child.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Charter {
    /// [`SCHEMA`].
    pub schema: String,
    /// Whose.
    pub conference_id: ConferenceId,
    /// What the packet must bear.
    pub dispatch_id: DispatchId,
    /// `null` for probe and synthesis.
    pub round: Option<u32>,
    /// What the child is.
    pub role: Role,
    /// `null` but for researchers.
    pub lane: Option<Lane>,
    /// Which try, from 1.
    pub attempt: u32,
    /// The goal.
    pub objective: String,
    /// The lane's part of the search space.
    pub focus: String,
    /// When the goal is reached.
    pub success: Success,
    /// Whether another round can follow.
    pub signal: Signal,
    /// Whether this lane challenges what the others agree on.
    pub contrarian: bool,
    /// Iterations that the packet may report.
    pub iteration_allowance: u32,
    /// Claims that it may make.
    pub claims_allowed: u32,
    /// What a candidate may be.
    pub parameters: Vec<Parameter>,
    /// Findings that reviews validated.
    pub knowledge: Vec<Finding>,
    /// What posters, reviewers and synthesizers judge.
    pub claims: Vec<Claimed>,
    /// Files that the root read for the child.
    pub read_context: Vec<Read>,
    /// Where those files may come from.
    pub allowed_read_roots: Vec<String>,
    /// What the child may not do.
    pub forbidden_actions: Vec<String>,
    /// Always `false`.
    pub delegation_allowed: bool,
    /// Seconds until it is timed out.
    pub timeout_s: u64,
    /// What happens to its work when the conference is cancelled.
    pub on_cancel: String,
    /// JSON Schema of the packet.
    pub packet_schema: Value,
}

impl Charter {
    /// The bytes that a child reads, and whose digest `dispatch.issued` names.
    pub fn bytes(&self) -> Vec<u8> {
        digest::canonical(self)
    }
}

/// When the goal is reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum Success {
    /// A number decides.
    Metric {
        /// Its name.
        metric: String,
        /// Which way is better.
        direction: Direction,
        /// As it was written.
        target: String,
        /// Where the search began; `null` where nobody measured it.
        baseline: Option<f64>,
    },
    /// A reviewer's scores decide.
    Qualitative {
        /// The criteria, as they were written.
        criteria: String,
    },
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// More.
    Maximize,
    /// Less.
    Minimize,
}

impl Direction {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Maximize => "maximize",
            Self::Minimize => "minimize",
        }
    }

    /// Whether `value` is strictly better than `than`.
    pub fn is_better(self, value: f64, than: f64) -> bool {
        match self {
            Self::Maximize => value > than,
            Self::Minimize => value < than,
        }
    }
}

/// Whether another round can follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Signal {
    /// It can.
    Normal,
    /// This is the last one.
    LastRound,
}

/// What a candidate's value may be (conference.md A4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it may be.
    #[serde(flatten)]
    pub domain: Domain,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Domain {
    /// Numbers from `min` to `max`, both included.
    Range {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
        /// Whole numbers only.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        integer: bool,
    },
    /// One of these words.
    Choice {
        /// In the order in which they were written.
        choices: Vec<String>,
    },
}

impl Domain {
    /// Whether a candidate may have this value.
    pub fn allows(&self, value: &Value) -> bool {
        match self {
            Self::Range { min, max, integer } => value.as_f64().is_some_and(|number| {
                number >= *min && number <= *max && (!integer || number.fract() == 0.0)
            }),
            Self::Choice { choices } => value
                .as_str()
                .is_some_and(|word| choices.iter().any(|choice| choice == word)),
        }
    }
}

/// A validated finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim that became it.
    pub finding: ClaimId,
    /// What it says.
    pub claim: String,
    /// What was measured, where it cites a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

/// A claim as those who judge it see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claimed {
    /// Its id.
    pub id: ClaimId,
    /// Whose it is.
    pub lane: Lane,
    /// What it says.
    pub claim: String,
    /// What it rests on; cut where a charter would be too large.
    pub evidence: String,
    /// How sure its author is.
    pub confidence: Confidence,
    /// What the root measured, where it cites a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What a review said of it (for the synthesis).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A file that the root read for a child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// Where it lies.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its text, bounded and scrubbed.
    pub text: String,
}
