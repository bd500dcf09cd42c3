//! Observations: a record that something instructive happened (skill-loop.md §1).
//!
//! Promises: an observation proposes nothing by itself and changes no skill; a line is written
//! whole or not at all, and where that cannot be told, it is said; what is damaged is counted,
//! never repaired by guessing.

mod attribution;
mod draft;
mod log;
mod reading;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::Serialize;

pub use attribution::{Attribution, attribute};
pub use draft::{Beside, Draft, MOST_BYTES};
pub use log::{append, committed, path};
pub use reading::{Reading, read};

pub use super::proposal::Signal;
use crate::digest;

/// What `schema` says in every record.
pub const SCHEMA: &str = "lithermes/observation/v1";

/// The signals of an observation; a technique is proposed, not observed.
pub const SIGNALS: [Signal; 3] = [Signal::Correction, Signal::Repetition, Signal::CoverageGap];

/// A record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// `lithermes/observation/v1`.
    pub schema: String,
    /// `o-` and 12 hex digits: the same for the same content.
    pub id: String,
    /// When it was recorded; 1970 for a record of an older version, which did not say.
    pub at: Timestamp,
    /// What kind of thing happened.
    pub signal: Signal,
    /// The skill concerned, as the host names it; a coverage gap may name none.
    pub skill_id: Option<String>,
    /// What happened, quoted.
    pub observed: String,
    /// The edit that would have prevented it: file and section.
    pub proposal: String,
    /// Always `false`.
    pub applied: bool,
}

/// What an id is made of.
#[derive(Serialize)]
struct Essence<'a> {
    schema: &'a str,
    signal: Signal,
    skill_id: Option<&'a str>,
    observed: &'a str,
    proposal: &'a str,
    applied: bool,
}

impl Observation {
    /// A checked draft as a record.
    pub fn new(draft: Draft, at: Timestamp) -> Self {
        let mut observation = Self {
            schema: SCHEMA.to_owned(),
            id: String::new(),
            at,
            signal: draft.signal,
            skill_id: draft.skill_id,
            observed: draft.observed,
            proposal: draft.proposal,
            applied: false,
        };
        observation.id = observation.computed_id();
        observation
    }

    /// The id that the content gives.
    pub fn computed_id(&self) -> String {
        let essence = Essence {
            schema: &self.schema,
            signal: self.signal,
            skill_id: self.skill_id.as_deref(),
            observed: &self.observed,
            proposal: &self.proposal,
            applied: self.applied,
        };
        digest::id("o-", &essence, 12)
    }
}
