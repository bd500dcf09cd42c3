//! `conference_results.tsv`: every measurement with what a review said of it
//! (conference.md A8 "Rows", A10.9, B 2.1).

use std::collections::BTreeMap;

use super::record::{self, CONFERENCE, Record};
use super::{Edition, moments, number};
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::digest;
use crate::engine::charter::Success;
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;
use crate::engine::packet::{Packet, Verdict};
use crate::engine::state::State;

/// Who says a number that nobody measured.
const ITSELF: &str = "self-assessment";
/// Who says a score.
const REVIEWER: &str = "review-packet:independent";
/// Who says a baseline that stands in the conditions.
const GIVEN: &str = "manual";

/// The file.
pub(super) fn write(terms: &Terms, state: &State, edition: &Edition<'_>) -> Vec<u8> {
    let records = records(terms, state, edition);
    record::file(&CONFERENCE, records.iter().map(Record::conference_line))
}

/// Its rows, in order of round, lane and iteration.
pub fn records(terms: &Terms, state: &State, edition: &Edition<'_>) -> Vec<Record> {
    match terms.is_metric() {
        true => measured(terms, state, edition),
        false => scored(terms, state, REVIEWER, rows::score),
    }
}

/// The rows of the lanes' own files: in qualitative mode these hold what each lane says of itself.
pub(super) fn own_records(terms: &Terms, state: &State, edition: &Edition<'_>) -> Vec<Record> {
    match terms.is_metric() {
        true => measured(terms, state, edition),
        false => scored(terms, state, ITSELF, |state, round, lane| {
            rows::packet(state, round, lane)?.self_score
        }),
    }
}

fn measured(terms: &Terms, state: &State, edition: &Edition<'_>) -> Vec<Record> {
    let verdicts: BTreeMap<(u32, Lane, u32), Verdict> = state
        .rounds
        .keys()
        .flat_map(|round| {
            let of_round = rows::verdicts(state, *round).into_iter();
            of_round.map(|((lane, iteration), verdict)| ((*round, lane, iteration), verdict))
        })
        .collect();
    let record = |(key, row): (&(u32, Lane, u32), &crate::engine::state::Row)| {
        let (round, lane, iteration) = *key;
        let start = state.rows.get(&(round, lane, 0)).and_then(|row| row.value);
        let delta = row.delta.filter(|delta| delta.is_finite());
        Record {
            round,
            lane,
            iteration,
            value: row.value,
            delta,
            percent: delta
                .zip(start)
                .and_then(|(delta, start)| number::share(delta, start)),
            status: row.status,
            description: description(state, round, lane, iteration),
            source: source(terms, state, edition, (round, lane, iteration)),
            verdict: verdicts
                .get(key)
                .copied()
                .filter(|verdict| *verdict != Verdict::NeedsReview),
            at: Some(row.at),
        }
    };
    state.rows.iter().map(record).collect()
}

fn description(state: &State, round: u32, lane: Lane, iteration: u32) -> String {
    let text = match (iteration, rows::packet(state, round, lane)) {
        (0, _) if round == 1 => "baseline".to_owned(),
        (0, _) => format!("best of lane {lane} before round {round}"),
        (_, packet) => packet
            .and_then(|packet| tried(packet, iteration as usize - 1))
            .unwrap_or_default(),
    };
    record::cell(&text)
}

/// What an iteration tried: its hypothesis, else its candidate, else how it was measured.
pub(super) fn tried(packet: &Packet, index: usize) -> Option<String> {
    let hypothesis = packet.hypotheses.get(index);
    let candidate = packet.candidates.get(index);
    let measurement = packet.measurements.get(index);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
    hypothesis
        .map(|one| one.statement.clone())
        .filter(|statement| !statement.trim().is_empty())
        .or_else(|| text(digest::canonical(&candidate?.values)))
        .or_else(|| Some(measurement?.provenance.clone()))
}

/// Who says the value of a row. Where a lane's round begins it is whoever said its best so far.
fn source(terms: &Terms, state: &State, edition: &Edition<'_>, key: (u32, Lane, u32)) -> String {
    let (round, lane, iteration) = key;
    if iteration == 0 {
        let value = state.rows.get(&key).and_then(|row| row.value);
        let before = state.rows.iter().find(|((at, of, number), row)| {
            *at < round && *of == lane && *number > 0 && row.value == value
        });
        return match before {
            Some((origin, _)) if value.is_some() => source(terms, state, edition, *origin),
            _ => start_source(terms, edition),
        };
    }
    match terms.measures() {
        true => script(edition),
        false => ITSELF.to_owned(),
    }
}

fn start_source(terms: &Terms, edition: &Edition<'_>) -> String {
    match &terms.success {
        Success::Metric { baseline: None, .. } if terms.has_evaluator => script(edition),
        _ => GIVEN.to_owned(),
    }
}

fn script(edition: &Edition<'_>) -> String {
    record::cell(&format!(
        "script:{}",
        edition.evaluator.unwrap_or("evaluator")
    ))
}

/// One row a lane and round: kept when the score is higher than the lane's best so far.
fn scored(
    terms: &Terms,
    state: &State,
    source: &str,
    score: impl Fn(&State, u32, Lane) -> Option<u8>,
) -> Vec<Record> {
    let mut records = Vec::new();
    let mut before: BTreeMap<Lane, (f64, f64)> = BTreeMap::new();
    let closed = state.rounds.iter().filter(|(_, at)| at.reviewed.is_some());
    for round in closed.map(|(round, _)| *round) {
        for lane in terms.lanes() {
            let Some(packet) = rows::packet(state, round, lane) else {
                continue;
            };
            let value = score(state, round, lane).map(f64::from);
            let (best, last) = before.get(&lane).copied().unzip();
            let delta = value.zip(last).map(|(value, last)| value - last);
            if let Some(value) = value {
                let best = best.map_or(value, |best: f64| best.max(value));
                before.insert(lane, (best, value));
            }
            records.push(Record {
                round,
                lane,
                iteration: 1,
                value,
                delta,
                percent: delta
                    .zip(last)
                    .and_then(|(delta, last)| number::share(delta, last)),
                status: match (value, best) {
                    (None, _) => RowStatus::Failed,
                    (Some(value), Some(best)) if value <= best => RowStatus::Reverted,
                    (Some(_), _) => RowStatus::Kept,
                },
                description: record::cell(&tried(packet, 0).unwrap_or_default()),
                source: source.to_owned(),
                verdict: rows::verdicts(state, round)
                    .remove(&(lane, 1))
                    .filter(|verdict| *verdict != Verdict::NeedsReview),
                at: state
                    .rows
                    .get(&(round, lane, 1))
                    .map(|row| row.at)
                    .or_else(|| moments::of_review(state, round)),
            });
        }
    }
    records
}
