//! Which time an artifact bears.
//!
//! Promises: written again later, from more events, an artifact bears the same time.

use jiff::Timestamp;

use crate::engine::id::Task;
use crate::engine::state::State;

/// When a round's research was recorded, as far as it was.
pub(super) fn of_research(state: &State, round: u32) -> Option<Timestamp> {
    let rows = state.rows.iter().filter(|((at, ..), _)| *at == round);
    let rows = rows.map(|(_, row)| row.at);
    let charters = state.accounts.iter().filter(
        |(call, _)| matches!(call.task, Task::Research(at, _) | Task::Poster(at) if at == round),
    );
    rows.chain(charters.map(|(_, account)| account.issued))
        .max()
}

/// When a round's reviewer was asked; that of its research where nobody was.
pub(super) fn of_review(state: &State, round: u32) -> Option<Timestamp> {
    let asked = state.last_call(Task::Review(round));
    let asked = asked.map(|(_, account)| account.issued);
    asked.max(of_research(state, round))
}

/// When the last of everything was asked or recorded.
pub(super) fn of_all(state: &State) -> Option<Timestamp> {
    let charters = state.accounts.values().map(|account| account.issued);
    let rows = state.rows.values().map(|row| row.at);
    let began = state.gate.as_ref().map(|gate| gate.at);
    charters.chain(rows).chain(began).max()
}

/// A moment as it is printed.
pub(super) fn printed(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.to_string())
}
