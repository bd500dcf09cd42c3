//! What a conference will cost at most (conference.md A3, B 4.1).

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::conference::plan::{Cost, Draft, Evaluator, Host, Mode, Poster};

/// Calls of children, by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// The round trip that proves a paid host.
    pub probe: u64,
    /// Lanes × rounds.
    pub research: u64,
    /// One a round where a child writes it.
    pub poster: u64,
    /// One a round.
    pub review: u64,
    /// One.
    pub synthesis: u64,
    /// All of them.
    pub total: u64,
}

/// Everything that is spent at most.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Totals {
    /// Lanes × iterations × rounds.
    pub product: u64,
    /// Iterations at most.
    pub ceiling: u64,
    /// Whole rounds that the ceiling leaves.
    pub effective_rounds: u32,
    /// Iterations of the rounds that can run.
    pub iterations: u64,
    /// Calls of children.
    pub calls: Calls,
    /// Runs of the evaluator, repeats, baseline and re-runs by the reviewer included; `None`
    /// while it is not said who measures.
    pub evaluator_runs: Option<u64>,
    /// Wall clock, where it is said.
    #[serde(serialize_with = "seconds")]
    pub time_budget: Option<Duration>,
    /// Wall clock of one child, where it is said.
    #[serde(serialize_with = "seconds")]
    pub researcher_timeout: Option<Duration>,
    /// Wall clock of one run of the evaluator, where it is known.
    #[serde(serialize_with = "seconds")]
    pub evaluator_timeout: Option<Duration>,
    /// A ceiling of cost.
    pub cost_ceiling: Option<Cost>,
}

/// The totals of these conditions under this host; `None` while lanes, iterations or rounds are
/// not said.
pub fn totals(draft: &Draft, host: Host) -> Option<Totals> {
    let extent = draft.extent()?;
    let lanes = u64::from(draft.count?);
    let rounds = u64::from(extent.effective_rounds);
    let timeout = draft.researcher_timeout;
    let share = timeout
        .zip(draft.iterations_per_round)
        .map(|(all, n)| all / n.max(1));
    Some(Totals {
        product: extent.product,
        ceiling: extent.ceiling,
        effective_rounds: extent.effective_rounds,
        iterations: extent.iterations(),
        calls: calls(draft, host, lanes, rounds),
        evaluator_runs: evaluator_runs(draft, host, extent.iterations(), lanes * rounds),
        time_budget: draft.time_budget,
        researcher_timeout: timeout,
        evaluator_timeout: draft.settings.evaluator_timeout.or(share),
        cost_ceiling: draft.settings.cost_ceiling.clone(),
    })
}

fn calls(draft: &Draft, host: Host, lanes: u64, rounds: u64) -> Calls {
    let probe = u64::from(host == Host::Hermes);
    let (research, poster) = match draft.mode {
        // A statement, a challenge and a rebuttal of each side; of one round only the statements.
        Mode::Debate if rounds > 1 => (3 * lanes * rounds, 0),
        Mode::Debate => (lanes * rounds, 0),
        _ if draft.settings.poster == Poster::Child && lanes > 1 => (lanes * rounds, rounds),
        _ => (lanes * rounds, 0),
    };
    Calls {
        probe,
        research,
        poster,
        review: rounds,
        synthesis: 1,
        total: probe + research + poster + rounds + 1,
    }
}

/// Every iteration, a baseline that nobody stated, and under `local` the best of each lane once
/// more by the reviewer; each as often as noise demands.
fn evaluator_runs(draft: &Draft, host: Host, iterations: u64, reviewed: u64) -> Option<u64> {
    if draft.mode != Mode::Metric {
        return Some(0);
    }
    if draft.evaluator.as_ref()? == &Evaluator::None {
        return Some(0);
    }
    let baseline = u64::from(draft.settings.baseline.is_none());
    let reviewed = if host == Host::Local { reviewed } else { 0 };
    let evaluations = iterations.checked_add(reviewed)?.checked_add(baseline)?;
    evaluations.checked_mul(u64::from(draft.settings.noise_runs))
}

fn seconds<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    duration
        .map(|duration| duration.as_secs())
        .serialize(serializer)
}
