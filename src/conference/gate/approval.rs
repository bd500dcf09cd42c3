//! What a person approves, and its digest (conference.md A3).

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::program::Program;
use super::totals::Totals;
use crate::conference::plan::{Host, OnLostChild, PauseEvery, Plan, Success, Threshold, Toolset};
use crate::digest;
use crate::hermes::work;

/// The version of the contract that an approval is of.
pub(super) const CONTRACT: &str = "lithermes/conference/v1";

/// Two flat rounds, or two in which every lane was stuck (A6).
const STALLED_ROUNDS: u32 = 2;

/// Everything that an approval is of. Times, slots, versions and what a probe says are not in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Approval {
    /// The version of the contract.
    pub contract: &'static str,
    /// The real path of the Hermes home.
    pub home: String,
    /// The real path of the conference root.
    pub root: String,
    /// What may not change in `conference.md`.
    pub config_digest: String,
    /// What it costs at most.
    pub totals: Totals,
    /// When it stops by itself.
    pub stop: Stop,
    /// What becomes of a lost child.
    pub on_lost_child: OnLostChild,
    /// When a person is asked between rounds.
    pub pause_every: PauseEvery,
    /// What children are.
    pub host: HostTerms,
    /// What measures.
    pub evaluator: Option<Program>,
    /// What runs after each evaluation.
    pub guard: Option<Program>,
    /// Paths whose files may be quoted to children.
    pub allowed_read_roots: Vec<String>,
    /// Paths that may not.
    pub forbidden_roots: Vec<String>,
    /// The bounded work that this is a part of.
    pub grant: Option<Grant>,
}

/// Every parameter of the stop rules, with its default where none was said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stop {
    /// Comparisons without a gain that are a plateau.
    pub plateau_window: u32,
    /// From which gain on a round has improved; in the mode `metric`.
    pub threshold: Option<Threshold>,
    /// The threshold is never less.
    pub min_consensus_delta: f64,
    /// The score that every lane must reach.
    pub qualitative_threshold: u32,
    /// One round with the best scores is enough.
    pub early_quality: bool,
    /// Rounds without progress that are a stall.
    pub stalled_rounds: u32,
}

/// What children are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HostTerms {
    /// The host.
    pub name: Host,
    /// The program of the host `command`.
    pub program: Option<Program>,
    /// What a child may use; sorted.
    pub toolsets: Vec<Toolset>,
    /// Names of variables that a child gets; sorted.
    pub pass_environment: Vec<String>,
    /// The digest of the events that the host `recorded` plays.
    pub recording: Option<String>,
}

/// Bounded work of the worktree, at a revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grant {
    /// Its id.
    pub work_id: String,
    /// Its revision; at least 1.
    pub revision: u64,
}

impl Stop {
    /// What holds for this plan.
    pub(super) fn of(plan: &Plan) -> Self {
        let convergence = &plan.settings.convergence;
        let threshold = match &plan.success {
            Success::Metric { kind, .. } => Some(convergence.threshold_of(*kind)),
            Success::Criteria(_) => None,
        };
        Self {
            plateau_window: convergence.plateau_window,
            threshold,
            min_consensus_delta: convergence.min_consensus_delta,
            qualitative_threshold: convergence.qualitative_threshold,
            early_quality: convergence.early_quality,
            stalled_rounds: STALLED_ROUNDS,
        }
    }
}

impl Approval {
    /// The digest that a person names to approve.
    pub fn digest(&self) -> String {
        digest::sha256_hex(&digest::canonical(self))
    }
}

impl Grant {
    /// As a receipt keeps it.
    pub fn kept(value: &serde_json::Value) -> Option<Self> {
        Some(Self {
            work_id: value.get("work_id")?.as_str()?.to_owned(),
            revision: value.get("revision")?.as_u64()?,
        })
    }
}

impl FromStr for Grant {
    type Err = String;

    /// `WORK_ID:REVISION`; an id may hold colons itself (B 7.1).
    fn from_str(text: &str) -> Result<Self, String> {
        let read = text.rsplit_once(':').and_then(|(work_id, revision)| {
            let is_id = work::is_id(work_id);
            let is_number = revision.bytes().all(|byte| byte.is_ascii_digit());
            let revision = revision
                .parse()
                .ok()
                .filter(|revision| *revision > 0 && is_number);
            let work_id = work_id.to_owned();
            revision
                .filter(|_| is_id)
                .map(|revision| Self { work_id, revision })
        });
        read.ok_or_else(|| "expected WORK_ID:REVISION, such as work-0123456789abcdef:4".to_owned())
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.work_id, self.revision)
    }
}
