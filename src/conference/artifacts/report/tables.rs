//! The report's tables: what happened, who did what, what the reviews said.

use super::super::coverage::Coverage;
use super::super::inert::inert;
use super::super::number::optional;
use super::super::page::Page;
use super::super::record::Record;
use super::super::{best, review};
use super::code;
use crate::conference::rounds::converge::{self, Best};
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::engine::event::{RowStatus, Stop};
use crate::engine::id::Lane;
use crate::engine::state::State;

pub(super) fn write(
    page: &mut Page,
    terms: &Terms,
    state: &State,
    records: &[Record],
    stop: &Stop,
) {
    page.section("Conference Timeline");
    let headings = ["Round", "Phase", "Key Event", "Metric"];
    page.table(headings, &timeline(terms, state, stop), "");
    page.section("Per-Researcher Summary");
    let headings = [
        "Researcher",
        "Focus",
        "Iterations",
        "Best Metric",
        "Kept Changes",
        "Stuck Level",
    ];
    let rows: Vec<_> = terms
        .lanes()
        .map(|lane| researcher(terms, state, records, lane))
        .collect();
    page.table(headings, &rows, "");
    page.section("Peer Review Summary");
    let headings = [
        "Round",
        "Validated",
        "Challenged",
        "Overturned",
        "Needs review",
    ];
    let rows: Vec<_> = state
        .rounds
        .keys()
        .map(|round| reviewed(terms, state, *round))
        .collect();
    page.table(headings, &rows, "No round was held.");
}

fn timeline(terms: &Terms, state: &State, stop: &Stop) -> Vec<[String; 4]> {
    let mut rows = Vec::new();
    for (round, stands) in &state.rounds {
        let mut add = |phase: &str, event: String, metric: Option<f64>| {
            rows.push([round.to_string(), phase.to_owned(), event, optional(metric)]);
        };
        let lanes = terms.lanes();
        let found = lanes.filter_map(|lane| best::of_lane(terms, state, *round, lane));
        let found = best::of(terms, found).map(|best| best.value);
        let coverage = Coverage::of_round(terms, state, *round);
        add("research", format!("lanes received: {coverage}"), found);
        if stands.poster {
            add("poster", "composed".to_owned(), None);
        }
        match stands.reviewed {
            Some(true) => {
                let [all, validated, ..] = review::tally(terms, state, *round, None);
                let event = format!("claims validated: {validated} of {all}");
                let reviewed = best_reviewed(terms, state, *round);
                add("review", event, reviewed.map(|best| best.value));
            }
            Some(false) => add("review", "missing".to_owned(), None),
            None => {}
        }
        let transfer = match (&stands.withheld, stands.reviewed) {
            (Some(withheld), _) => format!("findings withheld: {}", withheld.len()),
            (None, Some(_)) => "none: the conference ended before".to_owned(),
            (None, None) => continue,
        };
        add("transfer", transfer, None);
    }
    let last = ["-", "end", code(stop), "-"];
    rows.push(last.map(str::to_owned));
    rows
}

/// The best value of a round that a review validated, or its best score.
fn best_reviewed(terms: &Terms, state: &State, round: u32) -> Option<Best> {
    match terms.is_metric() {
        true => converge::best_of(terms, state, round),
        false => {
            let lanes = terms.lanes();
            let scores = lanes.filter_map(|lane| best::judged(terms, state, round, lane));
            best::of(terms, scores)
        }
    }
}

fn researcher(terms: &Terms, state: &State, records: &[Record], lane: Lane) -> [String; 6] {
    let rounds = || state.rounds.keys();
    let iterations: usize = rounds()
        .filter_map(|round| rows::packet(state, *round, lane))
        .map(crate::engine::packet::Packet::iterations)
        .sum();
    let found = rounds().filter_map(|round| best::judged(terms, state, *round, lane));
    let found = best::of(terms, found).map(|best| best.value);
    let own = records.iter().filter(|record| record.lane == lane);
    let kept = own
        .filter(|record| record.status == RowStatus::Kept)
        .count();
    let stuck = state
        .rounds
        .values()
        .filter_map(|round| round.stuck.get(&lane))
        .max();
    let focus = terms.focus.get(lane.number()).map_or("", String::as_str);
    [
        lane.to_string(),
        inert(focus),
        iterations.to_string(),
        optional(found),
        kept.to_string(),
        stuck.map_or_else(|| "-".to_owned(), |level| format!("L{level}")),
    ]
}

fn reviewed(terms: &Terms, state: &State, round: u32) -> [String; 5] {
    let [_, validated, challenged, overturned, needs_review] =
        review::tally(terms, state, round, None).map(|count| count.to_string());
    [
        round.to_string(),
        validated,
        challenged,
        overturned,
        needs_review,
    ]
}
