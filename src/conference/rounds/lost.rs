//! Children whose process went with its runner (conference.md A6).
//!
//! Promises: a lost child is replaced only where the conditions or a person say so and the approved
//! budget holds one more; about every other one a person is asked once, while its phase is open.

use super::receive::LOST;
use super::terms::Terms;
use crate::engine::event::Decision;
use crate::engine::id::{Call, Task};
use crate::engine::state::{End, State};

/// Whether a task's last child was lost and is to be replaced.
pub fn is_replaced(terms: &Terms, state: &State, task: Task) -> bool {
    let lost = state.last_call(task).filter(|(_, one)| is_lost(&one.end));
    lost.is_some_and(|(call, _)| {
        let wanted = match state.decided.get(&call) {
            Some(decision) => *decision == Decision::Redispatch,
            None => terms.redispatch_lost,
        };
        wanted && is_affordable(terms, state, task)
    })
}

/// Whether the budget holds one more try of a task, and the synthesis after it.
pub fn is_affordable(terms: &Terms, state: &State, task: Task) -> bool {
    let iterations = state.budget.iterations() + u64::from(terms.allowance(task));
    let synthesis = u64::from(task != Task::Synthesis);
    let calls = state.budget.calls() + 1 + synthesis;
    iterations <= terms.ceiling && calls <= terms.calls()
}

/// The lost calls about which a person has to decide, in order.
pub fn undecided(terms: &Terms, state: &State) -> Vec<Call> {
    if state.cancelled || state.stop.is_some() {
        return Vec::new();
    }
    let open = all(state).filter(|call| {
        let is_last = state.last_call(call.task).map(|(last, _)| last) == Some(*call);
        is_last && is_open(state, call.task)
    });
    let calls = open.filter(|call| {
        let is_decided = state.decided.contains_key(call);
        !is_decided && !is_replaced(terms, state, call.task)
    });
    calls.collect()
}

/// Every lost call, in order.
pub fn all(state: &State) -> impl Iterator<Item = Call> {
    let lost = state.accounts.iter().filter(|(_, one)| is_lost(&one.end));
    lost.map(|(call, _)| *call)
}

fn is_lost(end: &Option<End>) -> bool {
    matches!(end, Some(End::Failed(reason)) if reason == LOST)
}

/// Whether the phase of a task still waits for it; time that is up closes all but the synthesis.
fn is_open(state: &State, task: Task) -> bool {
    let of_round = |round: u32| state.rounds.get(&round).filter(|_| !state.out_of_time);
    match task {
        Task::Probe => state.rounds.is_empty() && !state.out_of_time,
        Task::Research(round, _) => of_round(round).is_some_and(|round| !round.measured),
        Task::Poster(round) => of_round(round).is_some_and(|round| !round.poster),
        Task::Review(round) => of_round(round).is_some_and(|round| round.reviewed.is_none()),
        Task::Synthesis => true,
    }
}
