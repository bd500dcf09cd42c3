//! What the rules say after each round, in this program's order and in the older one.

use serde::{Serialize, Serializer};

use crate::conference::artifacts;
use crate::conference::history::convergence::{Order, Rules, first};
use crate::conference::history::figures;
use crate::conference::rounds::next;
use crate::conference::rounds::terms::Terms;
use crate::engine::event::StopCode;

use crate::engine::state::State;

/// See the module.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decided {
    /// The round.
    pub round: u32,
    /// Its best value, reviewed or not.
    pub best: Option<f64>,
    /// The mean of its values.
    pub mean: Option<f64>,
    /// `stop`, or `continue`.
    pub decision: &'static str,
    /// The code that ends it.
    #[serde(serialize_with = "spelled")]
    pub stop_code: Option<StopCode>,
    /// A validated value meets the target.
    pub target_met: bool,
    /// Two comparisons in a row brought no gain.
    pub plateau: bool,
    /// All lanes are stuck, or nothing ever got better.
    pub stalled: bool,
    /// Limits that forbid another round.
    pub budget_hit: Vec<String>,
    /// The code where the target is asked for before the budget.
    #[serde(serialize_with = "spelled")]
    pub target_first: Option<StopCode>,
    /// The code where the wall clock is not asked.
    #[serde(serialize_with = "spelled")]
    pub time_ignored: Option<StopCode>,
}

impl Decided {
    /// What a state says whose last round has just ended.
    pub(super) fn after(terms: &Terms, state: &State) -> Self {
        let (stop_code, facts) = next::decide(terms, state);
        let round = state.current_round();
        let rows = state.rows.iter().filter(|((at, ..), _)| *at == round);
        let values: Vec<f64> = rows.filter_map(|(_, row)| row.value).collect();
        let rules = |is_asked: fn(&str) -> bool| Rules {
            budget: facts.budget_hit.iter().any(|name| is_asked(name)),
            target: facts.target_met,
            plateau: facts.plateau,
            stall: facts.stalled,
        };
        // Where no lane sent anything, no order finds more.
        let blocked = stop_code.filter(|code| *code == StopCode::BlockedNoValidPacket);
        let under = |order, rules| first(order, rules).or(blocked);
        Self {
            round,
            best: figures::best(values.iter().copied(), terms.direction()),
            mean: mean(&values),
            decision: decision(stop_code),
            stop_code,
            target_met: facts.target_met,
            plateau: facts.plateau,
            stalled: facts.stalled,
            target_first: under(Order::TargetFirst, rules(|_| true)),
            time_ignored: under(Order::BudgetFirst, rules(|name| name != "time")),
            budget_hit: facts.budget_hit,
        }
    }
}

pub(super) fn decision(code: Option<StopCode>) -> &'static str {
    match code {
        Some(_) => "stop",
        None => "continue",
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn spelled<S: Serializer>(code: &Option<StopCode>, to: S) -> Result<S::Ok, S::Error> {
    code.map(artifacts::stop_code).serialize(to)
}
