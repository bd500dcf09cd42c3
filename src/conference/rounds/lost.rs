//! Children whose process went with its runner (conference.md A6).
//!
//! Promises: a lost child is replaced only where the conditions or a person say so and the approved
//! budget holds one more; about every other one a person is asked once, while its phase is open.

use super::receive::LOST;
use super::terms::Terms;
use super::{budget, judge};
use crate::engine::event::Decision;
use crate::engine::id::{Call, Task};
use crate::engine::state::{End, State};

/// Whether a task's last child was lost and is to be replaced.
pub fn is_replaced(terms: &Terms, state: &State, task: Task) -> bool {
    let lost = state.last_call(task).filter(|(_, one)| is_lost(&one.end));
    let wants = |call| is_wanted(terms, state, call);
    lost.is_some_and(|(call, _)| wants(call))
        && budget::holds_another(terms, state, judge::next_try(state, task))
        && fits(terms, state, task, &wants)
}

/// Whether the budget holds one more try of each of these calls.
pub fn are_affordable(terms: &Terms, state: &State, calls: &[Call]) -> bool {
    let wants = |call| calls.contains(&call) || is_wanted(terms, state, call);
    let mut tasks = calls.iter().map(|call| call.task);
    tasks.all(|task| fits(terms, state, task, &wants))
}

/// Whether the conditions, or a person, want a lost call replaced.
fn is_wanted(terms: &Terms, state: &State, call: Call) -> bool {
    match state.decided.get(&call) {
        Some(decision) => *decision == Decision::Redispatch,
        None => terms.redispatch_lost,
    }
}

/// Whether the budget holds everything that has still to go out until the end of a task's round,
/// and the synthesis.
fn fits(terms: &Terms, state: &State, task: Task, wants: &dyn Fn(Call) -> bool) -> bool {
    let (mut iterations, mut calls) = (state.budget.iterations(), state.budget.calls());
    for task in until_the_end(terms, task) {
        if is_due(state, task, wants) {
            iterations += u64::from(terms.allowance(task));
            calls += 1;
        }
    }
    iterations <= terms.ceiling && calls <= terms.calls()
}

fn until_the_end(terms: &Terms, task: Task) -> Vec<Task> {
    let round = match task {
        Task::Synthesis => return vec![Task::Synthesis],
        Task::Probe => 1,
        other => other.round().unwrap_or(1),
    };
    let lanes = terms.lanes().map(|lane| Task::Research(round, lane));
    let poster = (terms.poster_child && terms.focus.len() > 1).then_some(Task::Poster(round));
    let probe = (task == Task::Probe).then_some(task);
    let before = probe.into_iter().chain(lanes).chain(poster);
    before
        .chain([Task::Review(round), Task::Synthesis])
        .collect()
}

/// Whether a task has still to go out, and nothing is set aside for it.
fn is_due(state: &State, task: Task, wants: &dyn Fn(Call) -> bool) -> bool {
    let next = judge::next_try(state, task);
    if state.budget.reserved.contains_key(&next) {
        return false;
    }
    match state.last_call(task) {
        None => true,
        Some((call, account)) => is_lost(&account.end) && wants(call),
    }
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
