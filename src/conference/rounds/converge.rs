//! Whether a conference is done (conference.md A6, B 3.8, B 3.9).
//!
//! Promises: only reviewed values decide; each fact is told apart from the rule that ends the
//! conference, so that a stop by budget hides no success.

use super::budget;
use super::rows;
use super::terms::Terms;
use crate::conference::plan::Target;
use crate::engine::event::RowStatus;
use crate::engine::id::{Lane, Task};
use crate::engine::packet::Status;
use crate::engine::state::{End, State};

/// Rounds in a row in which every lane is stuck before the conference is.
const STUCK_ROUNDS: usize = 2;
/// The score from which on one round is enough, where that was approved.
const EXCELLENT: u32 = 9;

/// What is true of a conference after its last round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// A reviewed value meets the target, or the quality holds.
    pub target_met: bool,
    /// Two comparisons in a row brought no gain.
    pub plateau: bool,
    /// All lanes are stuck, or nothing ever got better.
    pub stalled: bool,
    /// Limits that forbid another round ([`budget::hit`]).
    pub budget_hit: Vec<String>,
    /// The best reviewed value: with lane, round and iteration.
    pub best: Option<Best>,
}

/// A value and where it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The value.
    pub value: f64,
    /// Whose.
    pub lane: Lane,
    /// In which round.
    pub round: u32,
    /// In which iteration.
    pub iteration: u32,
}

/// Looks at everything up to the last round.
pub fn facts(terms: &Terms, state: &State) -> Facts {
    let mut facts = match terms.is_metric() {
        true => metric(terms, state),
        false => qualitative(terms, state),
    };
    facts.budget_hit = budget::hit(terms, state);
    facts
}

/// Rounds in which every lane was received and the review taken; others count in no window.
fn complete_rounds(state: &State) -> impl Iterator<Item = u32> {
    let complete = state
        .rounds
        .iter()
        .filter(|(_, round)| round.completed == Some(true));
    complete.map(|(number, _)| *number)
}

/// The best reviewed value of a round; of equals that of the first lane.
pub fn best_of(terms: &Terms, state: &State, round: u32) -> Option<Best> {
    let reviewed = rows::reviewed(state, round).into_iter();
    let reviewed = reviewed.map(|(lane, iteration, value)| Best {
        value,
        lane,
        round,
        iteration,
    });
    first_best(terms, reviewed)
}

/// The best of several; the first of equals.
fn first_best(terms: &Terms, mut all: impl Iterator<Item = Best>) -> Option<Best> {
    let first = all.next()?;
    let better = |best: Best, next: Best| match terms.direction().is_better(next.value, best.value)
    {
        true => next,
        false => best,
    };
    Some(all.fold(first, better))
}

fn metric(terms: &Terms, state: &State) -> Facts {
    let baseline = rows::baseline(terms, state);
    let threshold = terms.threshold(baseline);
    let (mut reference, mut flat) = (baseline, 0);
    // Of complete rounds alone: the others count in no window.
    let mut best: Option<Best> = None;
    for round in complete_rounds(state) {
        let found = best_of(terms, state, round);
        let gain = match (found, reference) {
            (Some(found), Some(reference)) => terms.gain(found.value, reference),
            (Some(_), None) => f64::INFINITY,
            (None, _) => f64::NEG_INFINITY,
        };
        flat = if gain > threshold { 0 } else { flat + 1 };
        if let Some(found) = found
            && best.is_none_or(|best| terms.direction().is_better(found.value, best.value))
        {
            best = Some(found);
        }
        reference = match (reference, found) {
            (Some(value), Some(found)) if !terms.direction().is_better(found.value, value) => {
                Some(value)
            }
            (value, found) => found.map(|found| found.value).or(value),
        };
    }
    let improved = best.is_some_and(|best| {
        baseline.is_none_or(|baseline| terms.direction().is_better(best.value, baseline))
    });
    let window = terms.convergence.plateau_window;
    let meets = |target: &Target| {
        state.rounds.keys().any(|round| {
            rows::reviewed(state, *round)
                .iter()
                .any(|(.., value)| target.is_met_by(*value))
        })
    };
    Facts {
        target_met: terms.target.as_ref().is_some_and(meets),
        plateau: flat >= window && improved,
        stalled: (flat >= window && !improved) || all_stuck(terms, state),
        budget_hit: Vec::new(),
        best: first_best(
            terms,
            state
                .rounds
                .keys()
                .filter_map(|round| best_of(terms, state, *round)),
        ),
    }
}

/// In two rounds in a row every lane was stuck, or sent nothing, and none got better.
fn all_stuck(terms: &Terms, state: &State) -> bool {
    // A round that a cancel or the clock left open says nothing of lanes that never began.
    let ended = state.rounds.iter().rev();
    let ended = ended.filter(|(_, round)| round.completed.is_some());
    let last: Vec<u32> = ended
        .map(|(number, _)| *number)
        .take(STUCK_ROUNDS)
        .collect();
    last.len() == STUCK_ROUNDS
        && last
            .iter()
            .all(|round| terms.lanes().all(|lane| is_stuck(state, *round, lane)))
}

fn is_stuck(state: &State, round: u32, lane: Lane) -> bool {
    let Some((call, account)) = state.last_call(Task::Research(round, lane)) else {
        return true;
    };
    if account.end != Some(End::Received) {
        return true;
    }
    let blocked = state
        .packets
        .get(&call)
        .is_some_and(|accepted| accepted.packet.status == Status::Blocked);
    let level = state
        .rounds
        .get(&round)
        .and_then(|round| round.stuck.get(&lane))
        .copied();
    let kept = state.rows.range((round, lane, 0)..=(round, lane, u32::MAX));
    let kept = kept
        .filter(|(_, row)| row.status == RowStatus::Kept)
        .count();
    kept == 0 && (blocked || level.unwrap_or(0) >= 2)
}

/// The reviewer's scores of a round, where every lane has one.
fn scores(terms: &Terms, state: &State, round: u32) -> Option<Vec<u8>> {
    terms
        .lanes()
        .map(|lane| rows::score(state, round, lane))
        .collect()
}

fn qualitative(terms: &Terms, state: &State) -> Facts {
    // A lane without a score means that not all are good.
    let all: Vec<Option<Vec<u8>>> = complete_rounds(state)
        .map(|round| scores(terms, state, round))
        .collect();
    let rules = &terms.convergence;
    let window = rules.plateau_window as usize;
    let reach = |scores: &Option<Vec<u8>>, least: u32| {
        let mut scores = scores.iter().flatten().peekable();
        scores.peek().is_some() && scores.all(|score| u32::from(*score) >= least)
    };
    let newest = || all.iter().rev();
    let good = |scores: &Option<Vec<u8>>| reach(scores, rules.qualitative_threshold);
    let mean = |scores: &Vec<u8>| {
        let sum: u32 = scores.iter().map(|score| u32::from(*score)).sum();
        f64::from(sum) / scores.len().max(1) as f64
    };
    let early = rules.early_quality && newest().next().is_some_and(|last| reach(last, EXCELLENT));
    let holds = early || (all.len() >= window && newest().take(window).all(good));
    // So many comparisons need one round more.
    let tail: Vec<f64> = newest().flatten().take(window + 1).map(mean).collect();
    let flat = tail.len() == window + 1 && tail.windows(2).all(|pair| pair[0] <= pair[1]);
    let last_is_good = newest().next().is_some_and(good);
    let rows = state.rows.iter();
    let scored = rows.filter_map(|((round, lane, iteration), row)| {
        Some(Best {
            value: row.value?,
            lane: *lane,
            round: *round,
            iteration: *iteration,
        })
    });
    Facts {
        target_met: holds,
        plateau: holds,
        stalled: (flat && !last_is_good) || all_stuck(terms, state),
        budget_hit: Vec::new(),
        best: first_best(terms, scored),
    }
}
