//! The stages of a conference (conference.md B 3.1): only the root moves on, and each move is an
//! event that names what was accounted before it.
//!
//! Promises: pure; a stage is told before what belongs to it; asked again it says the same. The
//! end is no stage: it is told by the event that ends the conference.

use super::next::Step;
use super::terms::Terms;
use crate::digest;
use crate::engine::event::Event;
use crate::engine::id::{Role, Task};
use crate::engine::state::{End, PLANNING, State};

const CONFIRMED: &str = "CONFIRMED";
const DISPATCHING: &str = "DISPATCHING";
const COLLECTING: &str = "COLLECTING";
const REVIEWING: &str = "REVIEWING";
const SYNTHESIZING: &str = "SYNTHESIZING";

/// The move that comes before a step; `None` where the conference is in its stage already.
pub(super) fn before(terms: &Terms, state: &State, step: &Step) -> Option<Event> {
    let prev = state.stage.as_deref();
    let (next, reason) = match prev {
        None => (CONFIRMED, "the gate was confirmed"),
        Some(_) => of(terms, state, step)?,
    };
    let prev = prev.unwrap_or(PLANNING);
    (prev != next).then(|| event(terms, state, prev, next, reason))
}

/// Whether the rules ended the rounds, so that only the synthesis and the end are left.
pub(super) fn is_after_rounds(state: &State) -> bool {
    state.stage.as_deref() == Some(SYNTHESIZING)
}

/// The stage that a step belongs to, and why it has come; most steps stay where they are.
fn of(terms: &Terms, state: &State, step: &Step) -> Option<(&'static str, &'static str)> {
    match step {
        Step::Dispatch(charter) => match charter.role {
            Role::Probe => None,
            Role::Researcher => Some((DISPATCHING, "charters of a round go out")),
            Role::Poster => Some((COLLECTING, "every lane has its end")),
            Role::Reviewer => Some((REVIEWING, "every lane has its end, and the poster stands")),
            Role::Synthesis => Some((SYNTHESIZING, "the rules ended the rounds")),
        },
        Step::Await(_) => {
            let round = state.current_round();
            let is_open = state.rounds.get(&round).is_some_and(|open| !open.measured);
            let is_out = |lane| state.last_call(Task::Research(round, lane)).is_some();
            (is_open && terms.lanes().all(is_out)).then_some((COLLECTING, "every lane is out"))
        }
        Step::Record(_) | Step::Pause | Step::Finish(_) | Step::Over => None,
    }
}

fn event(terms: &Terms, state: &State, prev: &str, next: &str, reason: &str) -> Event {
    let round = state.current_round();
    let roles: &[Role] = match prev {
        PLANNING => &[],
        CONFIRMED => &[Role::Probe],
        REVIEWING => &[Role::Reviewer],
        _ => &[Role::Researcher, Role::Poster],
    };
    // A review is left behind when the next round has begun already.
    let reviewed = state.rounds.iter().rev();
    let mut reviewed = reviewed.filter(|(_, round)| round.reviewed.is_some());
    let of = match prev {
        REVIEWING => reviewed.next().map_or(round, |(number, _)| *number),
        _ => round,
    };
    let belongs = |task: Task| {
        roles.contains(&task.role()) && task.round().is_none_or(|of_task| of_task == of)
    };
    let accounts = state.accounts.iter();
    let accounted: Vec<_> = accounts.filter(|(call, _)| belongs(call.task)).collect();
    // What it rests on: each id with its end, and with its packet where there is one.
    let evidence: Vec<_> = accounted
        .iter()
        .map(|(call, account)| {
            let end = account.end.as_ref().map_or("open", End::as_str);
            let packet = state.packets.get(call);
            (call, end, packet.map(|accepted| &accepted.digest))
        })
        .collect();
    Event::Transition {
        prev: prev.to_owned(),
        next: next.to_owned(),
        round,
        dispatch_ids: accounted
            .iter()
            .map(|(call, _)| terms.conference.dispatch(**call))
            .collect(),
        evidence_digest: digest::sha256_hex(&digest::canonical(&evidence)),
        reason: reason.to_owned(),
    }
}
