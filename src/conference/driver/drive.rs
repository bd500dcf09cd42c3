//! What a conference is driven with, and what an earlier root of it left.

use crate::conference::artifacts::Edition;
use crate::conference::children::Host;
use crate::conference::evaluator::Evaluator;
use crate::conference::replay::Replayed;
use crate::conference::rounds::terms::Terms;
use crate::conference::seal::{Seal, sealed_rounds};
use crate::engine::event::{Line, Stop};
use crate::engine::state::State;
use crate::error::Result;
use crate::process::Cancel;

/// What a conference is driven with.
pub struct Drive<'a> {
    /// What was approved.
    pub terms: Terms,
    /// Who does the children's work; `None` for a session, which hands their packets in later.
    pub host: Option<&'a dyn Host>,
    /// Who measures.
    pub evaluator: Option<Evaluator>,
    /// Evaluations at a time.
    pub evaluator_slots: usize,
    /// Children at a time.
    pub slots: usize,
    /// Stops children and evaluations.
    pub cancel: Cancel,
    /// Hears each event once it is durable.
    pub heard: &'a mut dyn FnMut(&Line, &State),
    /// Called after each round and at the end, with the events up to there durable: how many
    /// lines there are, and SHA-256 of them.
    pub sealed: &'a mut dyn FnMut(&Seal),
    /// Whether what was approved still stands; asked before success is claimed.
    pub stands: &'a dyn Fn() -> Result<()>,
    /// What may not change in `conference.md`, as it was approved.
    pub config_digest: String,
    /// The title, for artifacts.
    pub title: String,
    /// The evaluator's file, for artifacts.
    pub evaluator_file: Option<String>,
    /// What an earlier root left.
    pub left: Left,
    /// Nobody works on it any more, and it is only ended: what differs is told beside the end, and
    /// does not keep it open.
    pub is_abandoned: bool,
}

/// What an earlier root of the same conference had done, and what not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// Rounds whose end is sealed.
    pub rounds: u32,
    /// Lines that are sealed.
    pub lines: u64,
    /// A file that is announced in the events and was not written.
    pub unwritten: Option<String>,
}

impl Left {
    /// What a replay found of it, which was held against `sealed`.
    pub fn of(replayed: &Replayed, sealed: &[Seal]) -> Self {
        Self {
            rounds: sealed_rounds(&replayed.record.state, sealed),
            lines: sealed.iter().map(|seal| seal.lines).max().unwrap_or(0),
            unwritten: replayed.unwritten.clone(),
        }
    }
}

impl Drive<'_> {
    pub(super) fn edition<'a>(&'a self, state: &'a State, stop: Option<&'a Stop>) -> Edition<'a> {
        Edition {
            title: &self.title,
            evaluator: self.evaluator_file.as_deref(),
            reported: &state.reported,
            stop,
        }
    }
}
