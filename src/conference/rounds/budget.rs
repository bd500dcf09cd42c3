//! What may still be spent: iterations and calls of each role, as they were approved
//! (conference.md A3, B 4.1, B 4.2).
//!
//! Promises: a replacement takes nothing that a lane of its round has yet to get; no role is called
//! more often than the approval says.

use super::terms::Terms;
use crate::engine::id::{Call, Role, Task};
use crate::engine::state::State;

/// Roles that every round needs.
const OF_A_ROUND: [Role; 3] = [Role::Researcher, Role::Poster, Role::Reviewer];

/// Limits that forbid another round: `iterations`, `rounds`, `calls` where neither says it, `time`.
pub fn hit(terms: &Terms, state: &State) -> Vec<String> {
    let mut hit = Vec::new();
    if state.budget.iterations() + terms.iterations_of_round() > terms.ceiling {
        hit.push("iterations");
    }
    if state.current_round() >= terms.max_rounds {
        hit.push("rounds");
    }
    if hit.is_empty() && lacks_calls(terms, state, u32::MAX, 1) {
        hit.push("calls");
    }
    if state.out_of_time {
        hit.push("time");
    }
    hit.into_iter().map(str::to_owned).collect()
}

/// Whether rounds, ceiling and calls leave no round after this one. Of a lane's own round only what
/// was approved counts, so that all of its lanes are told the same.
pub fn is_last_round(terms: &Terms, state: &State, task: Task, round: u32) -> bool {
    let (before, this) = match task.lane() {
        Some(_) => (round, terms.iterations_of_round()),
        None => (u32::MAX, 0),
    };
    let spent = iterations(state, before) + this;
    round >= terms.max_rounds
        || spent + terms.iterations_of_round() > terms.ceiling
        || lacks_calls(terms, state, round, 2)
}

/// Whether a lost child may be replaced by `again`.
pub fn holds_another(terms: &Terms, state: &State, again: Call) -> bool {
    if state.budget.reserved.contains_key(&again) {
        return true;
    }
    let role = again.task.role();
    let (iterations, due) = match again.task {
        Task::Research(round, _) => (terms.iterations_per_round, due(terms, state, round)),
        _ => (0, 0),
    };
    let iterations = u64::from(iterations) * (due + 1);
    state.budget.iterations() + iterations <= terms.ceiling
        && calls(state, role, u32::MAX) + due < approved(terms, role)
}

/// Lanes of a round for which nothing was set aside yet.
fn due(terms: &Terms, state: &State, round: u32) -> u64 {
    let budget = &state.budget;
    let spent = || budget.reserved.keys().chain(budget.settled.keys());
    let waits = |task: Task| spent().all(|call| call.task != task);
    let lanes = terms.lanes().map(|lane| Task::Research(round, lane));
    lanes.filter(|task| waits(*task)).count() as u64
}

/// Whether `rounds` more rounds, after those before one, need more calls than were approved.
fn lacks_calls(terms: &Terms, state: &State, before: u32, rounds: u64) -> bool {
    let lacks = |role| {
        let needed = calls(state, role, before) + rounds * of_a_round(terms, role);
        needed > approved(terms, role)
    };
    OF_A_ROUND.into_iter().any(lacks)
}

/// Calls of a role that a round needs.
fn of_a_round(terms: &Terms, role: Role) -> u64 {
    match role {
        Role::Researcher => terms.focus.len() as u64,
        Role::Poster => u64::from(terms.poster_child && terms.focus.len() > 1),
        Role::Reviewer => 1,
        Role::Probe | Role::Synthesis => 0,
    }
}

/// Calls of a role that were approved.
fn approved(terms: &Terms, role: Role) -> u64 {
    match role {
        Role::Probe => u64::from(terms.probe),
        Role::Synthesis => 1,
        _ => of_a_round(terms, role) * terms.effective_rounds(),
    }
}

/// Calls of a role that are spent or set aside, in rounds before one.
fn calls(state: &State, role: Role, before: u32) -> u64 {
    let of_role = spent(state, before).filter(|(call, _)| call.task.role() == role);
    of_role.map(|(_, (_, calls))| u64::from(calls)).sum()
}

/// Iterations that are spent or set aside, in rounds before one.
fn iterations(state: &State, before: u32) -> u64 {
    let all = spent(state, before);
    all.map(|(_, (iterations, _))| u64::from(iterations)).sum()
}

fn spent(state: &State, before: u32) -> impl Iterator<Item = (Call, (u32, u32))> {
    let budget = &state.budget;
    let all = budget.reserved.iter().chain(&budget.settled);
    let earlier = all.filter(move |(call, _)| call.task.round().is_none_or(|round| round < before));
    earlier.map(|(call, cost)| (*call, *cost))
}
