//! How much of a conference is there: lanes that sent a packet, and why others did not
//! (conference.md A6).

use std::fmt;

use super::inert::inert;
use crate::conference::rounds::receive;
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::engine::id::{Lane, Task};
use crate::engine::packet::Status;
use crate::engine::state::State;

/// Lanes that sent a packet that counts, of all lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    received: usize,
    of: usize,
}

impl Coverage {
    /// Of one round.
    pub(super) fn of_round(terms: &Terms, state: &State, round: u32) -> Self {
        let received = |lane: &Lane| rows::packet(state, round, *lane).is_some();
        Self {
            received: terms.lanes().filter(received).count(),
            of: terms.lanes().count(),
        }
    }

    /// Of all rounds that began.
    pub(super) fn of_all(terms: &Terms, state: &State) -> Self {
        let rounds = state.rounds.keys();
        rounds.fold(Self { received: 0, of: 0 }, |sum, round| {
            let round = Self::of_round(terms, state, *round);
            Self {
                received: sum.received + round.received,
                of: sum.of + round.of,
            }
        })
    }

    pub(super) fn is_partial(self) -> bool {
        self.received < self.of
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = if self.is_partial() { " (partial)" } else { "" };
        write!(out, "{}/{}{label}", self.received, self.of)
    }
}

/// Why a lane has nothing in a round, or has only said that it could not; `None` where it did
/// its work.
pub(super) fn absence(state: &State, round: u32, lane: Lane) -> Option<String> {
    if let Some(packet) = rows::packet(state, round, lane) {
        return (packet.status == Status::Blocked).then(|| "blocked".to_owned());
    }
    let account = state.last_call(Task::Research(round, lane));
    let end = account.and_then(|(_, account)| account.end.as_ref());
    Some(end.map_or_else(
        || "never dispatched".to_owned(),
        |end| inert(&receive::spelled(end)),
    ))
}
