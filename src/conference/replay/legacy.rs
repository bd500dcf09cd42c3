//! A run without receipts: its results against its events, and what the rules would have said.

use std::collections::BTreeMap;

use super::Difference;
use super::decisions::{Decided, decision};
use crate::conference::artifacts::number::decimal;
use crate::conference::artifacts::record::Record;
use crate::conference::history::convergence::{self, Decision, Order};
use crate::conference::history::events::{Iteration, Told};
use crate::conference::history::run::{Files, RESULTS};
use crate::conference::rounds::terms::Terms;
use crate::disk::Dir;
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;
use crate::engine::journal::EVENTS;
use crate::error::Result;

/// What such a run comes to.
#[derive(Debug, Default)]
pub struct Old {
    /// Its files.
    pub files: Files,
    /// Where they disagree.
    pub differences: Vec<Difference>,
    /// What the rules say after each round, as if nobody had stopped it before.
    pub rounds: Vec<Decided>,
}

/// Reads a root. Without `terms` no rule can be asked.
pub fn of_old(root: &Dir, terms: Option<&Terms>) -> Result<Old> {
    let files = Files::of(root)?;
    Ok(Old {
        differences: differences(&files),
        rounds: terms.map_or_else(Vec::new, |terms| rounds(terms, &files)),
        files,
    })
}

fn rounds(terms: &Terms, files: &Files) -> Vec<Decided> {
    let mut timeless = terms.clone();
    timeless.wall_clock_s = u64::MAX;
    let budget_first = convergence::replay(terms, files.run(), Order::BudgetFirst);
    let target_first = convergence::replay(terms, files.run(), Order::TargetFirst);
    let time_ignored = convergence::replay(&timeless, files.run(), Order::BudgetFirst);
    let others = target_first.into_iter().zip(time_ignored);
    let all = budget_first.into_iter().zip(others);
    all.map(|(one, (other, timeless))| decided(one, &other, &timeless))
        .collect()
}

fn decided(own: Decision, other: &Decision, timeless: &Decision) -> Decided {
    Decided {
        round: own.round,
        best: Some(own.best),
        mean: Some(own.mean),
        decision: decision(own.stop_code),
        stop_code: own.stop_code,
        target_met: own.target_met,
        plateau: own.plateau,
        stalled: own.stalled,
        budget_hit: own.budget_hit.into_iter().map(str::to_owned).collect(),
        target_first: other.stop_code,
        time_ignored: timeless.stop_code,
    }
}

type Place = (u32, Lane, u32);
type Outcome = (Option<f64>, RowStatus);

/// Value and status of each row, and lines that nobody can read. What a delta refers to is
/// everybody's own in such files.
fn differences(files: &Files) -> Vec<Difference> {
    let rows: BTreeMap<Place, Outcome> = files.records.iter().map(of_row).collect();
    let mut told: BTreeMap<Place, (usize, Outcome)> = BTreeMap::new();
    for (line, iteration) in files.iterations() {
        let (place, what) = of_event(iteration);
        told.insert(place, (line, what));
    }
    let unreadable = files
        .events
        .iter()
        .filter(|entry| entry.told == Told::Unreadable);
    let mut found: Vec<Difference> = unreadable.map(|entry| unread(entry.line)).collect();
    for (place, (line, expected)) in &told {
        let row = rows.get(place);
        if row != Some(expected) {
            found.push(Difference {
                file: EVENTS.to_owned(),
                line: Some(*line as u64),
                what: format!("{} against {RESULTS}", spelled_place(place)),
                expected: row.map_or_else(|| "no row".to_owned(), spelled),
                found: spelled(expected),
            });
        }
    }
    let alone = rows.iter().filter(|(place, _)| !told.contains_key(place));
    found.extend(alone.map(|(place, row)| Difference {
        file: RESULTS.to_owned(),
        line: None,
        what: format!("{} against {EVENTS}", spelled_place(place)),
        expected: "no event".to_owned(),
        found: spelled(row),
    }));
    found
}

fn unread(line: usize) -> Difference {
    Difference {
        file: EVENTS.to_owned(),
        line: Some(line as u64),
        what: "the line cannot be read".to_owned(),
        expected: "an event".to_owned(),
        found: "something else".to_owned(),
    }
}

fn of_row(row: &Record) -> (Place, Outcome) {
    let place = (row.round, row.lane, row.iteration);
    (place, (row.value, row.status))
}

fn of_event(event: &Iteration) -> (Place, Outcome) {
    let place = (event.round, event.lane, event.iteration);
    (place, (event.value, event.status))
}

fn spelled_place((round, lane, iteration): &Place) -> String {
    format!("round {round}, researcher {lane}, iteration {iteration}")
}

fn spelled((value, status): &Outcome) -> String {
    let value = value.map_or_else(|| "no value".to_owned(), decimal);
    format!("{value}, {}", status.as_str())
}
