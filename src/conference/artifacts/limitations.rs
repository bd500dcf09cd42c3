//! What synthesis and report do not prove (conference.md B 2.7: a designated section).

use super::coverage::{Coverage, absence};
use super::inert::inert;
use super::{Edition, synthesis};
use crate::conference::rounds::terms::Terms;
use crate::engine::event::{Stop, StopCode};
use crate::engine::packet::Verdict;
use crate::engine::state::State;

/// Every limitation, in order.
pub(super) fn of(terms: &Terms, state: &State, edition: &Edition<'_>, stop: &Stop) -> Vec<String> {
    let mut points = Vec::new();
    if synthesis::packet(state).is_none() {
        points.push(
            "No synthesis packet was accepted: the root wrote this from validated findings."
                .to_owned(),
        );
    }
    if let Some(point) = ended(stop) {
        points.push(point.to_owned());
    }
    points.extend(values(terms));
    points.extend(rounds(terms, state));
    points.extend(unvalidated(state));
    points.extend(flagged(state));
    points.extend(changed_models(edition));
    if Coverage::of_all(terms, state).is_partial() {
        points.push(
            "Coverage is partial: what the missing lanes would have found is unknown.".to_owned(),
        );
    }
    points
}

fn ended(stop: &Stop) -> Option<&'static str> {
    Some(match stop.stop_code {
        StopCode::Cancelled => "The conference was cancelled: it is not complete.",
        StopCode::BudgetStop => "A budget ended the search, not its result.",
        StopCode::Stalled => "The search stalled: nothing says that no better value exists.",
        StopCode::ConvergedPlateau => "A plateau is no proof that no better value exists.",
        StopCode::BlockedNoValidPacket
        | StopCode::BlockedMultiAgentUnavailable
        | StopCode::BlockedDispatchReplayConflict => {
            "The conference was blocked: it is not complete."
        }
        StopCode::Converged => return None,
    })
}

fn values(terms: &Terms) -> Option<String> {
    let point = match (terms.is_metric(), terms.has_evaluator) {
        (true, true) => return None,
        (true, false) => "Nobody measured: every value is the claim of whoever found it.",
        (false, _) => "The scores are a reviewer's opinion; nothing was measured.",
    };
    Some(point.to_owned())
}

fn rounds(terms: &Terms, state: &State) -> Vec<String> {
    let mut points = Vec::new();
    for (round, stands) in &state.rounds {
        for lane in terms.lanes() {
            if let Some(why) = absence(state, *round, lane) {
                points.push(format!(
                    "Round {round}: researcher {lane} is missing ({why})."
                ));
            }
        }
        match (stands.reviewed, stands.completed) {
            (Some(true), Some(_)) => {}
            (Some(false), _) => points.push(format!("Round {round} was not reviewed.")),
            (_, None) => points.push(format!("Round {round} was not finished.")),
            (None, Some(_)) => {}
        }
    }
    points
}

/// A synthesis may not establish what no review validated.
fn unvalidated(state: &State) -> Vec<String> {
    let established = synthesis::packet(state).map_or(&[][..], |packet| &packet.established);
    let holds = |id| {
        let judged = state.verdicts.get(id);
        judged.is_some_and(|judged| judged.verdict == Verdict::Validated)
    };
    let named = established.iter().filter(|id| !holds(id));
    named
        .map(|id| format!("The synthesis calls {id} established; no review validated it."))
        .collect()
}

fn flagged(state: &State) -> Option<String> {
    let flagged = state
        .packets
        .iter()
        .filter(|(_, accepted)| !accepted.flags.is_empty());
    let mut calls: Vec<_> = flagged.map(|(call, _)| *call).collect();
    calls.sort_by_key(super::place);
    let calls: Vec<String> = calls.iter().map(ToString::to_string).collect();
    let point = format!(
        "Wording worth a look, which decided nothing, stands in: {}.",
        calls.join(", ")
    );
    (!calls.is_empty()).then_some(point)
}

/// A child of another model than the one before it.
fn changed_models(edition: &Edition<'_>) -> Vec<String> {
    let mut reported: Vec<_> = edition.reported.iter().collect();
    reported.sort_by_key(|one| super::place(&one.call));
    let known = |text: &Option<String>| inert(text.as_deref().unwrap_or("unknown"));
    let said = |one: &super::Reported| format!("{} of {}", known(&one.model), known(&one.provider));
    let pairs = reported.windows(2);
    let changed = pairs.filter_map(|pair| match pair {
        [before, after] if said(before) != said(after) => Some(format!(
            "The host changed its model at {}: {}, before it {}.",
            after.call,
            said(after),
            said(before)
        )),
        _ => None,
    });
    changed.collect()
}
