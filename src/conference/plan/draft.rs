//! The conditions of a conference, typed.
//!
//! Promises: what has no safe default is an option in a [`Draft`] until it is said, and a [`Plan`]
//! is there only once nothing of it is missing or wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::settings::{Critic, MetricKind, Mode, Settings, Strategy};
use super::value::argv::Argv;
use super::value::duration::as_seconds;
use super::value::target::{Direction, Target};

/// Who measures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evaluator {
    /// Nobody: values stay claims.
    None,
    /// The root, with this command.
    Command(Argv),
}

impl Evaluator {
    /// The command, where there is one.
    pub fn command(&self) -> Option<&Argv> {
        match self {
            Self::None => None,
            Self::Command(argv) => Some(argv),
        }
    }
}

/// What a `conference.md` says, as far as it says it. `None` is missing, or wrong and told so.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Draft {
    /// What is to be found out.
    pub goal: Option<String>,
    /// The protocol.
    pub mode: Mode,
    /// The metric's name.
    pub metric: Option<String>,
    /// Whether more or less is better.
    pub direction: Option<Direction>,
    /// The target.
    pub target: Option<Target>,
    /// What kind of number the metric is.
    pub metric_kind: Option<MetricKind>,
    /// Who measures.
    pub evaluator: Option<Evaluator>,
    /// What a reviewer scores, in every mode but `metric`.
    pub success_criteria: Option<String>,
    /// Lanes, 1 to 26: `A`, `B`, ….
    pub count: Option<u32>,
    /// Iterations of a lane in a round, 1 to 32.
    pub iterations_per_round: Option<u32>,
    /// Rounds at most; at least 1.
    pub max_rounds: Option<u32>,
    /// Iterations at most, of all lanes and rounds; by default the product of the three.
    pub max_total_iterations: Option<u64>,
    /// Wall clock at most.
    #[serde(serialize_with = "as_seconds")]
    pub time_budget: Option<Duration>,
    /// Wall clock of one child at most.
    #[serde(serialize_with = "as_seconds")]
    pub researcher_timeout: Option<Duration>,
    /// Who may look where.
    pub strategy: Option<Strategy>,
    /// The focus of each lane that has one.
    pub focus: BTreeMap<char, String>,
    /// Whether the last lane argues against the consensus.
    pub critic: Option<Critic>,
    /// What has a safe default.
    pub settings: Settings,
}

/// What success is.
#[derive(Debug, Clone, PartialEq)]
pub enum Success {
    /// A number reaches its target.
    Metric {
        /// Its name.
        name: String,
        /// Whether more or less is better.
        direction: Direction,
        /// The target.
        target: Target,
        /// What kind of number it is.
        kind: MetricKind,
        /// Who measures.
        evaluator: Evaluator,
    },
    /// A reviewer finds these criteria met.
    Criteria(String),
}

/// A complete `conference.md`: every value read and checked, nothing vague left.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is to be found out.
    pub goal: String,
    /// The protocol.
    pub mode: Mode,
    /// What success is.
    pub success: Success,
    /// Lanes, 1 to 26: `A`, `B`, ….
    pub count: u32,
    /// Iterations of a lane in a round, 1 to 32.
    pub iterations_per_round: u32,
    /// Rounds at most; at least 1.
    pub max_rounds: u32,
    /// Iterations at most, of all lanes and rounds; enough for one round.
    pub max_total_iterations: u64,
    /// Wall clock at most.
    pub time_budget: Duration,
    /// Wall clock of one child at most, not more than the time budget.
    pub researcher_timeout: Duration,
    /// Who may look where.
    pub strategy: Strategy,
    /// The focus of each lane that has one; of every lane where the strategy is assigned.
    pub focus: BTreeMap<char, String>,
    /// Whether the last lane argues against the consensus.
    pub critic: Critic,
    /// What has a safe default.
    pub settings: Settings,
}

impl Draft {
    /// The plan, once nothing vague is left. What is missing is told by the faults of a reading.
    pub(super) fn plan(&self) -> Option<Plan> {
        let draft = self.clone();
        let success = draft.success()?;
        Some(Plan {
            success,
            goal: draft.goal?,
            mode: draft.mode,
            count: draft.count?,
            iterations_per_round: draft.iterations_per_round?,
            max_rounds: draft.max_rounds?,
            max_total_iterations: draft.max_total_iterations?,
            time_budget: draft.time_budget?,
            researcher_timeout: draft.researcher_timeout?,
            strategy: draft.strategy?,
            focus: draft.focus,
            critic: draft.critic?,
            settings: draft.settings,
        })
    }

    /// The plan that a run without receipts was held by: what old files never said, and what
    /// decides nothing about values, is filled in.
    pub fn plan_of_old(&self) -> Option<Plan> {
        let mut draft = self.clone();
        draft.evaluator.get_or_insert(Evaluator::None);
        draft.metric_kind.get_or_insert(MetricKind::Float);
        draft.strategy.get_or_insert(Strategy::Free);
        draft.critic.get_or_insert(Critic::Disabled);
        draft.time_budget.get_or_insert(Duration::MAX);
        draft.researcher_timeout = draft.researcher_timeout.or(draft.time_budget);
        draft.plan()
    }

    fn success(&self) -> Option<Success> {
        if self.mode != Mode::Metric {
            return self.success_criteria.clone().map(Success::Criteria);
        }
        Some(Success::Metric {
            name: self.metric.clone()?,
            direction: self.direction?,
            target: self.target.clone()?,
            kind: self.metric_kind?,
            evaluator: self.evaluator.clone()?,
        })
    }

    /// How far the iterations reach, where all that it takes is said.
    pub fn extent(&self) -> Option<Extent> {
        Extent::of(
            self.count?,
            self.iterations_per_round?,
            self.max_rounds?,
            self.max_total_iterations,
        )
    }
}

impl Plan {
    /// The lanes, `A` first.
    pub fn lanes(&self) -> impl Iterator<Item = char> {
        lanes(self.count)
    }

    /// The lane that argues against the consensus: the last one, where the critic is enabled.
    pub fn contrarian(&self) -> Option<char> {
        self.lanes()
            .last()
            .filter(|_| self.critic == Critic::Enabled)
    }

    /// How far the iterations reach.
    pub fn extent(&self) -> Option<Extent> {
        let ceiling = Some(self.max_total_iterations);
        Extent::of(
            self.count,
            self.iterations_per_round,
            self.max_rounds,
            ceiling,
        )
    }

    /// The longest that one run of the evaluator may take: an iteration's share of a lane's time,
    /// a second at least, where nothing else is said.
    pub fn evaluator_timeout(&self) -> Duration {
        let share = self.researcher_timeout / self.iterations_per_round.max(1);
        let share = share.max(Duration::from_secs(1));
        self.settings.evaluator_timeout.unwrap_or(share)
    }
}

/// The first lanes, at most 26.
pub(super) fn lanes(count: u32) -> impl Iterator<Item = char> {
    ('A'..='Z').take(count as usize)
}

/// How far the iterations reach (conference.md B 1.7 and 4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Iterations of one round: lanes × iterations.
    pub round: u64,
    /// Lanes × iterations × rounds.
    pub product: u64,
    /// Iterations at most.
    pub ceiling: u64,
    /// Whole rounds that the ceiling leaves, at most `max_rounds`.
    pub effective_rounds: u32,
}

impl Extent {
    /// `None` where the product is too large to count, or a factor is 0. Without a ceiling it is
    /// the product.
    fn of(count: u32, iterations: u32, rounds: u32, ceiling: Option<u64>) -> Option<Self> {
        let round = u64::from(count).checked_mul(u64::from(iterations))?;
        let product = round.checked_mul(u64::from(rounds))?;
        let ceiling = ceiling.unwrap_or(product);
        let left = ceiling.checked_div(round)?;
        Some(Self {
            round,
            product,
            ceiling,
            effective_rounds: rounds.min(u32::try_from(left).unwrap_or(u32::MAX)),
        })
    }

    /// Iterations that will be dispatched at most.
    pub fn iterations(&self) -> u64 {
        self.round.saturating_mul(u64::from(self.effective_rounds))
    }
}
