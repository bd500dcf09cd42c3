//! What a person approved, as the round protocol uses it.

use crate::conference::plan::{Convergence, MetricKind, PauseEvery, Target};
use crate::engine::charter::{Direction, Parameter, Read, Success};
use crate::engine::id::{ConferenceId, Lane, Role, Task};

/// The conditions of a round conference (conference.md A3).
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Its id.
    pub conference: ConferenceId,
    /// What is wanted.
    pub goal: String,
    /// When that is reached, as charters say it.
    pub success: Success,
    /// The same as a number; `None` in qualitative mode.
    pub target: Option<Target>,
    /// How small a gain is none.
    pub metric_kind: MetricKind,
    /// When it stops by itself.
    pub convergence: Convergence,
    /// Each lane's focus, from lane A on.
    pub focus: Vec<String>,
    /// Whether the last lane challenges what the others agree on.
    pub critic: bool,
    /// Iterations that a lane has in a round.
    pub iterations_per_round: u32,
    /// Rounds at most.
    pub max_rounds: u32,
    /// Iterations of all lanes and rounds at most.
    pub ceiling: u64,
    /// Whether a child composes the poster.
    pub poster_child: bool,
    /// Whether the host is asked once before anything else.
    pub probe: bool,
    /// Whether the root measures candidates.
    pub has_evaluator: bool,
    /// Seconds of a child.
    pub lane_timeout_s: u64,
    /// Seconds of the conference.
    pub wall_clock_s: u64,
    /// When a person is asked between rounds.
    pub pause_every: PauseEvery,
    /// Whether a lost child is replaced without asking.
    pub redispatch_lost: bool,
    /// Which host does the work.
    pub host: String,
    /// What a candidate may be.
    pub parameters: Vec<Parameter>,
    /// Files that the root read for the children.
    pub read_context: Vec<Read>,
    /// Where such files may come from.
    pub allowed_read_roots: Vec<String>,
    /// What no child may do.
    pub forbidden_actions: Vec<String>,
}

impl Terms {
    /// The lanes, from A on.
    pub fn lanes(&self) -> impl Iterator<Item = Lane> + Clone + use<> {
        (0..self.focus.len()).filter_map(Lane::nth)
    }

    /// Iterations of one round.
    pub fn iterations_of_round(&self) -> u64 {
        self.focus.len() as u64 * u64::from(self.iterations_per_round)
    }

    /// Whether values are the root's: it has an evaluator, and candidates that it can be given.
    pub fn measures(&self) -> bool {
        self.has_evaluator && !self.parameters.is_empty()
    }

    /// Whole rounds that the ceiling leaves: the calls of that many were approved.
    pub fn effective_rounds(&self) -> u64 {
        let whole = self.ceiling / self.iterations_of_round().max(1);
        whole.min(u64::from(self.max_rounds))
    }

    /// Iterations that a task may report.
    pub fn allowance(&self, task: Task) -> u32 {
        match task.role() {
            Role::Researcher => self.iterations_per_round,
            _ => 0,
        }
    }

    /// Calls of children in one round.
    pub fn calls_of_round(&self) -> u64 {
        let lanes = self.focus.len() as u64;
        lanes + 1 + u64::from(self.poster_child && lanes > 1)
    }

    /// Calls of children at most, as they were approved.
    pub fn calls(&self) -> u64 {
        u64::from(self.probe) + self.effective_rounds() * self.calls_of_round() + 1
    }

    /// Which way is better; more is, for scores.
    pub fn direction(&self) -> Direction {
        match &self.success {
            Success::Metric { direction, .. } => *direction,
            Success::Qualitative { .. } => Direction::Maximize,
        }
    }

    /// Whether a number decides.
    pub fn is_metric(&self) -> bool {
        matches!(self.success, Success::Metric { .. })
    }

    /// The gain that a better value has over `than`; negative for a worse one.
    pub fn gain(&self, value: f64, than: f64) -> f64 {
        match self.direction() {
            Direction::Maximize => value - than,
            Direction::Minimize => than - value,
        }
    }

    /// Up to this a gain is none (conference.md B 3.8, C17).
    pub fn threshold(&self, baseline: Option<f64>) -> f64 {
        let threshold = self.convergence.threshold_of(self.metric_kind);
        let least = self.convergence.min_consensus_delta;
        threshold.in_units(baseline).max(least)
    }
}
