//! What a conference that has begun is about: what its artifacts are made with and its replay asks.
//!
//! Promises: it is the one of the gate; where `conference.md` is another by now, there is none.

use super::agreed;
use super::plan::{Host, Plan, Reading};
use super::replay::Against;
use super::rounds::terms::Terms;
use super::seal::Seal;
use crate::engine::id::ConferenceId;
use crate::engine::state::Gate;

/// See the module.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What was approved.
    pub terms: Terms,
    /// The title.
    pub title: String,
    /// The name of the evaluator's file.
    pub evaluator: Option<String>,
}

impl Subject {
    /// Of a plan under its approval.
    pub fn of(plan: &Plan, conference: ConferenceId, host: Host) -> Self {
        Self {
            terms: agreed::terms(plan, conference, host),
            title: plan.settings.title.clone(),
            evaluator: agreed::evaluator_file(plan),
        }
    }

    /// As the gate was confirmed; `None` where the document is not that one any more.
    pub fn of_gate(reading: &Reading, gate: &Gate) -> Option<Self> {
        let plan = reading.plan.as_ref()?;
        let is_same = reading.config_digest.as_ref() == Some(&gate.config_digest);
        let host = Host::named(&gate.host).filter(|_| is_same)?;
        Some(Self::of(plan, gate.conference.clone(), host))
    }

    /// As [`Subject::against`], for who only goes on: nothing is made again.
    pub fn against_recorded<'a>(&'a self, sealed: &'a [Seal]) -> Against<'a> {
        Against {
            renders: false,
            ..self.against(sealed)
        }
    }

    /// A replay of it, held against seals.
    pub fn against<'a>(&'a self, sealed: &'a [Seal]) -> Against<'a> {
        Against {
            renders: true,
            terms: Some(&self.terms),
            title: &self.title,
            evaluator: self.evaluator.as_deref(),
            stop: None,
            sealed,
        }
    }
}
