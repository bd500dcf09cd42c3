//! The Conference Log of `conference.md` (conference.md B 2.8). For display.

use super::best;
use super::coverage::{Coverage, absence};
use super::inert::quoted;
use super::number::optional;
use super::page::Page;
use super::report;
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::conference::rounds::{converge, judge};
use crate::engine::event::Stop;
use crate::engine::id::Lane;
use crate::engine::packet::Verdict;
use crate::engine::state::State;

const HEADINGS: [&str; 5] = [
    "Round",
    "Researcher",
    "Best Metric",
    "Key Finding",
    "Status",
];

/// The section: a row a round and lane, and one for the end.
pub(super) fn write(terms: &Terms, state: &State, stop: Option<&Stop>) -> String {
    let measured = state.rounds.iter().filter(|(_, round)| round.measured);
    let mut table: Vec<[String; 5]> = Vec::new();
    for (round, _) in measured {
        table.extend(terms.lanes().map(|lane| row(terms, state, *round, lane)));
    }
    if let Some(stop) = stop {
        table.push(last(terms, state, stop));
    }
    let mut page = Page::new();
    page.table(HEADINGS, &table, "No round was held yet.");
    page.into_text()
}

fn row(terms: &Terms, state: &State, round: u32, lane: Lane) -> [String; 5] {
    let found = best::judged(terms, state, round, lane).map(|best| best.value);
    let claims = rows::packet(state, round, lane).into_iter();
    let claims = claims.flat_map(|packet| packet.claims_with_ids());
    let claims: Vec<_> = claims
        .map(|(id, claim)| (state.verdicts.get(&id).map(|judged| judged.verdict), claim))
        .collect();
    let validated = claims
        .iter()
        .find(|(verdict, _)| *verdict == Some(Verdict::Validated));
    let verdict = claims.iter().filter_map(|(verdict, _)| *verdict).max();
    let status = absence(state, round, lane)
        .unwrap_or_else(|| verdict.map_or("completed", judge::spelled).to_owned());
    let finding = validated.or(claims.first());
    [
        round.to_string(),
        lane.to_string(),
        optional(found),
        finding.map_or_else(|| "-".to_owned(), |(_, claim)| quoted(&claim.claim)),
        status,
    ]
}

fn last(terms: &Terms, state: &State, stop: &Stop) -> [String; 5] {
    let best = converge::facts(terms, state).best;
    let round = match state.current_round() {
        0 => "-".to_owned(),
        round => round.to_string(),
    };
    let coverage = Coverage::of_all(terms, state);
    [
        round,
        "ALL".to_owned(),
        optional(best.map(|best| best.value)),
        format!("{}; coverage {coverage}", report::code(stop)),
        report::status(stop).to_owned(),
    ]
}
