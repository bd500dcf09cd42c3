//! What deltas of a file refer to, and rows that two files tell apart (conference.md B 2.4,
//! B 5.3). Mismatches are notes, never failures.

use std::collections::BTreeMap;

use super::events::Iteration;
use crate::conference::artifacts::number;
use crate::conference::artifacts::record::Record;
use crate::engine::charter::Direction;
use crate::engine::id::Lane;

/// How far a printed delta may be from its computed value.
const CLOSE: f64 = 1e-9;
/// How far a printed percentage may be, in percentage points.
const CLOSE_PERCENT: f64 = 0.1;

/// How many deltas fit which reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Basis {
    /// Deltas that say something.
    pub told: usize,
    /// Those that are against the row where the round began.
    pub round_start: usize,
    /// Those that are against the lane's best so far, over all rounds.
    pub best_so_far: usize,
    /// Percentages that are of the lane's best so far.
    pub percent_of_best: usize,
}

/// Compares the deltas of rows, in the order of their lanes' histories.
pub fn basis(records: &[Record], direction: Direction) -> Basis {
    let mut basis = Basis::default();
    let mut best: BTreeMap<Lane, f64> = BTreeMap::new();
    let mut start: BTreeMap<(Lane, u32), f64> = BTreeMap::new();
    for record in records {
        let Some(value) = record.value else {
            continue;
        };
        let start = *start.entry((record.lane, record.round)).or_insert(value);
        let before = best.get(&record.lane).copied();
        if let Some(delta) = record.delta {
            let against = |base: f64| (value - base - delta).abs() < CLOSE;
            basis.told += 1;
            basis.round_start += usize::from(against(start));
            basis.best_so_far += usize::from(before.is_some_and(against));
            let share = before.and_then(|best| number::share(delta, best));
            let fits = share.zip(record.percent);
            let fits =
                fits.is_some_and(|(share, told)| (share - told).abs() <= CLOSE_PERCENT + CLOSE);
            basis.percent_of_best += usize::from(fits);
        }
        if before.is_none_or(|best| direction.is_better(value, best)) {
            best.insert(record.lane, value);
        }
    }
    basis
}

/// Where results and events tell a row differently: round, lane, iteration, value, status or
/// delta. Empty where they agree.
pub fn differences(records: &[Record], events: &[Iteration]) -> Vec<String> {
    let of_records = records.iter().map(|row| {
        let key = (row.round, row.lane, row.iteration);
        (key, (row.value, row.status, row.delta))
    });
    let of_events = events.iter().map(|row| {
        let key = (row.round, row.lane, row.iteration);
        (key, (row.value, row.status, row.delta))
    });
    let (records, events): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (of_records.collect(), of_events.collect());
    let mut found = Vec::new();
    for (key, told) in &records {
        let (round, lane, iteration) = key;
        let what = match events.get(key) {
            None => "stands in the results and in no event",
            Some(other) if other != told => "differs between results and events",
            Some(_) => continue,
        };
        found.push(format!(
            "round {round}, researcher {lane}, iteration {iteration} {what}"
        ));
    }
    for (round, lane, iteration) in events.keys().filter(|key| !records.contains_key(key)) {
        found.push(format!(
            "round {round}, researcher {lane}, iteration {iteration} stands in an event and not \
             in the results"
        ));
    }
    found
}
