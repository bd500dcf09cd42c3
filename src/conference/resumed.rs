//! The receipt of going on with a conference that was cut off (conference.md B 5.2).

use super::rounds::lost;
use super::rounds::receive;
use super::rounds::terms::Terms;
use super::standing::phase;
use crate::engine::event::{Decision, Event, Regranted, Resumed};
use crate::engine::id::Call;
use crate::engine::state::State;

/// The event: where it goes on, how each id stands, and what was decided about which.
pub fn receipt(
    terms: &Terms,
    state: &State,
    decision: Decision,
    decided: &[Call],
    unwritten: Option<String>,
    grant: Option<Regranted>,
) -> Event {
    let round = state.current_round();
    let of_round = lost::all(state).filter(|call| call.task.round() == Some(round));
    let ids = state.accounts.iter().map(|(call, account)| {
        let end = account.end.as_ref();
        let end = end.map_or_else(|| "dispatched".to_owned(), receive::spelled);
        format!("{call} {end}")
    });
    let accepted = state.packets.values().map(|one| one.digest.clone());
    let aside = state.asides.iter().filter_map(|one| one.digest.clone());
    Event::Resumed(Resumed {
        recovery_point: phase(state).to_owned(),
        round,
        reverted_researchers: of_round.filter_map(|call| call.task.lane()).collect(),
        ids: ids.collect(),
        accepted: accepted.collect(),
        aside: aside.collect(),
        iterations_left: terms.ceiling.saturating_sub(state.budget.iterations()),
        decision,
        decided: decided
            .iter()
            .map(|call| terms.conference.dispatch(*call))
            .collect(),
        unwritten,
        grant,
    })
}
