//! What a child hands back (conference.md A8, B 2.6).
//!
//! Promises: a packet is taken whole or refused with one typed reason that repeats no credential;
//! what is taken was checked against the charter that it answers; its strings are data.

mod agree;
mod envelope;
mod guard;
mod node;
mod read;
pub mod relay;
pub mod schema;
#[cfg(test)]
mod tests;
mod yaml;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::id::{ClaimId, DispatchId, Lane, Role};
use crate::digest;

pub use read::{addressed, read};

/// Bytes of a packet.
pub const MAX_BYTES: usize = 64 << 10;
/// Characters of any string in it.
pub const MAX_STRING: usize = 2_000;
/// Claims.
pub const MAX_CLAIMS: usize = 64;
/// Iterations: hypotheses, measurements or candidates.
pub const MAX_ITERATIONS: usize = 32;
/// Levels of nesting.
pub const MAX_LEVELS: usize = 16;

/// A packet that answers its charter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// The charter that it answers.
    pub dispatch_id: DispatchId,
    /// What the child was asked to be.
    pub role: Role,
    /// How it went.
    pub status: Status,
    /// What it says.
    pub claims: Vec<Claim>,
    /// What it does not know.
    pub uncertainties: Vec<String>,
    /// What it would do next. Free text, which grants nothing.
    pub recommended_root_actions: Vec<String>,
    /// Iteration by iteration: what was tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<Hypothesis>,
    /// Iteration by iteration: what it says that it measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measurements: Vec<Measurement>,
    /// Iteration by iteration: what the root is to measure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Its opinion of itself, 1 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_score: Option<u8>,
    /// Its opinion of how stuck it is, 0 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_level: Option<u8>,
    /// A researcher may say that it may not delegate; it may never say that it may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delegation_allowed: Option<bool>,
    /// A reviewer's judgements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Judgement>,
    /// A reviewer's scores, in qualitative mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Score>,
    /// A poster's summaries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Summary>,
    /// Where lanes agree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreements: Vec<String>,
    /// Where they do not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
    /// What would be needed to tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_evidence: Vec<String>,
    /// What nobody answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
    /// A synthesis' established findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub established: Vec<ClaimId>,
    /// Not established, but worth a look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promising: Vec<String>,
    /// What contradicts what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<String>,
    /// What was tried and did not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub negative_results: Vec<String>,
    /// What a person should decide next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_decisions: Vec<String>,
}

impl Packet {
    /// Its canonical bytes, which lie in `packets/`.
    pub fn bytes(&self) -> Vec<u8> {
        digest::canonical(self)
    }

    /// The name of its file: SHA-256 of its canonical bytes, so that white space makes no other
    /// packet.
    pub fn digest(&self) -> String {
        digest::sha256_hex(&self.bytes())
    }

    /// How many iterations it reports.
    pub fn iterations(&self) -> usize {
        let lists = [
            self.hypotheses.len(),
            self.measurements.len(),
            self.candidates.len(),
        ];
        lists.into_iter().max().unwrap_or(0)
    }

    /// Its claims with their ids.
    pub fn claims_with_ids(&self) -> impl Iterator<Item = (ClaimId, &Claim)> {
        let call = self.dispatch_id.call;
        (1..)
            .zip(&self.claims)
            .map(move |(number, claim)| (ClaimId { call, number }, claim))
    }
}

/// How a child's work went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It did what the charter asks.
    Completed,
    /// It could not: received, without claims.
    Blocked,
    /// It failed: as if it had sent nothing.
    Failed,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What is claimed.
    pub claim: String,
    /// What it rests on.
    pub evidence: String,
    /// How sure its author is.
    pub confidence: Confidence,
    /// Iterations that show it, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<usize>,
}

/// How sure somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Not very.
    Low,
    /// Fairly.
    Medium,
    /// Very.
    High,
}

/// What was tried in one iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    /// What was expected.
    pub statement: String,
    /// What came of it.
    pub verdict: Held,
    /// What that rests on.
    pub evidence: String,
}

/// What came of a hypothesis, as its author sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    /// It held.
    Supported,
    /// It did not.
    Falsified,
    /// Nobody knows.
    Unresolved,
}

/// What a child says that it measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The metric's name.
    pub name: String,
    /// A finite decimal, as text.
    pub value: String,
    /// How it was measured.
    pub provenance: String,
}

impl Measurement {
    /// The number. ([`read`] takes only what is one.)
    pub fn number(&self) -> Option<f64> {
        self.value
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }
}

/// What the root is to measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// A value for each parameter that the candidate sets.
    pub values: BTreeMap<String, Value>,
}

/// A reviewer's judgement of one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// Which claim.
    pub claim: ClaimId,
    /// What it is worth.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// What that rests on.
    pub evidence: String,
    /// How sure the reviewer is.
    pub confidence: Confidence,
}

/// What a review says of a claim, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is wrong.
    Overturned,
    /// Plausible, with too little evidence.
    Challenged,
    /// The reviewer cannot tell.
    NeedsReview,
    /// It holds. Only this is carried over to other lanes.
    Validated,
}

/// A reviewer's score of a lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The lane.
    pub lane: Lane,
    /// 1 to 10.
    pub score: u8,
    /// Why.
    pub notes: String,
}

/// A poster's summary of one lane's packet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Which packet: what follows the conference's id.
    pub dispatch_id: super::id::Call,
    /// What it comes to.
    pub summary: String,
}

/// Why a packet is refused. The spelling of [`Reason::as_str`] stands in events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// More than [`MAX_BYTES`].
    Oversized,
    /// No UTF-8, no JSON and no YAML of the subset, or broken.
    Malformed,
    /// Something stands beside the document.
    Surrounded,
    /// More than one document.
    SeveralDocuments,
    /// A key stands twice.
    DuplicateKey,
    /// NaN, an infinity, or a number too large to be one.
    NotFinite,
    /// Nested deeper than [`MAX_LEVELS`].
    TooDeep,
    /// A string longer than [`MAX_STRING`].
    LongString,
    /// More claims than the charter allows.
    TooManyClaims,
    /// More iterations than the charter allows.
    OverAllowance,
    /// A key, a type or a word that the role does not have.
    WrongShape,
    /// No id, or no role, at all.
    NoIdentity,
    /// The id of another charter.
    OtherIdentity,
    /// It says that it may delegate.
    ClaimsDelegation,
    /// A credential.
    Secret,
    /// Characters that hide or reorder text.
    HiddenText,
    /// It poses as a message of the system, the tool or the user, or as a command.
    Instructs,
    /// A name or a value outside Parameters.
    OutsideParameters,
    /// Evidence, a claim or a lane that the charter does not have.
    UnknownReference,
    /// A measurement of another metric, or one that is no number.
    WrongMeasurement,
}

impl Reason {
    /// As it stands in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Oversized => "oversized",
            Self::Malformed => "malformed",
            Self::Surrounded => "text_beside_the_document",
            Self::SeveralDocuments => "several_documents",
            Self::DuplicateKey => "duplicate_key",
            Self::NotFinite => "not_finite",
            Self::TooDeep => "too_deep",
            Self::LongString => "long_string",
            Self::TooManyClaims => "too_many_claims",
            Self::OverAllowance => "over_allowance",
            Self::WrongShape => "wrong_shape",
            Self::NoIdentity => "no_identity",
            Self::OtherIdentity => "other_identity",
            Self::ClaimsDelegation => "delegation",
            Self::Secret => "secret",
            Self::HiddenText => "hidden_text",
            Self::Instructs => "instructions",
            Self::OutsideParameters => "outside_parameters",
            Self::UnknownReference => "unknown_reference",
            Self::WrongMeasurement => "wrong_measurement",
        }
    }
}

/// A refused packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// Where and what, in words; never a credential.
    pub detail: String,
}

impl Refusal {
    fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.reason.as_str(), self.detail)
    }
}

/// Something that a person should look at and that refuses nothing (conference.md, Appendix C).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// JSON pointer of the string.
    pub pointer: String,
    /// What it looks like.
    pub what: &'static str,
}
