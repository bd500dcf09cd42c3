//! The best of a lane and of a round, reviewed or not.

use super::number;
use crate::conference::rounds::converge::Best;
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::engine::charter::Success;
use crate::engine::id::Lane;
use crate::engine::state::State;

/// The best value that a lane found in a round, whatever a review says of it: the earliest of
/// equals. In qualitative mode it is what the lane says of itself.
pub(super) fn of_lane(terms: &Terms, state: &State, round: u32, lane: Lane) -> Option<Best> {
    if !terms.is_metric() {
        let score = rows::packet(state, round, lane)?.self_score?;
        return Some(best(f64::from(score), round, lane, 1));
    }
    let rows = state.rows.range((round, lane, 1)..=(round, lane, u32::MAX));
    let found = rows.filter_map(|((.., iteration), row)| Some((*iteration, row.value?)));
    let found = found.map(|(iteration, value)| best(value, round, lane, iteration));
    found.reduce(|best, next| better(terms, best, next))
}

/// The same in qualitative mode with the reviewer's score, else [`of_lane`].
pub(super) fn judged(terms: &Terms, state: &State, round: u32, lane: Lane) -> Option<Best> {
    if terms.is_metric() {
        return of_lane(terms, state, round, lane);
    }
    let score = rows::score(state, round, lane)?;
    Some(best(f64::from(score), round, lane, 1))
}

/// The best of several; the first of equals.
pub(super) fn of(terms: &Terms, all: impl Iterator<Item = Best>) -> Option<Best> {
    all.reduce(|best, next| better(terms, best, next))
}

/// With where it was found.
pub(super) fn printed(best: &Best) -> String {
    let value = number::decimal(best.value);
    format!(
        "{value} (researcher {}, round {}, iteration {})",
        best.lane, best.round, best.iteration
    )
}

/// What is optimised, in words: `minimize: seconds`.
pub(super) fn aim(terms: &Terms) -> String {
    use crate::engine::charter::Direction;
    match &terms.success {
        Success::Metric {
            metric, direction, ..
        } => {
            let direction = match direction {
                Direction::Maximize => "maximize",
                Direction::Minimize => "minimize",
            };
            format!("{direction}: {}", super::inert::inert(metric))
        }
        Success::Qualitative { .. } => "maximize: reviewer score of 10".to_owned(),
    }
}

fn best(value: f64, round: u32, lane: Lane, iteration: u32) -> Best {
    Best {
        value,
        lane,
        round,
        iteration,
    }
}

fn better(terms: &Terms, best: Best, next: Best) -> Best {
    match terms.direction().is_better(next.value, best.value) {
        true => next,
        false => best,
    }
}
