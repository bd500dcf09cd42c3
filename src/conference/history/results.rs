//! `conference_results.tsv` as real files have it (conference.md B 2.1, B 2.3).

use std::collections::BTreeSet;

use super::sheet::{Line, Sheet};
use super::{Note, Read, cells, shown, text};
use crate::conference::artifacts::record::Record;
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;

/// Headings without which it is another file. The first files had no `evaluator_source`.
const NEEDED: [&str; 5] = ["round", "researcher", "iteration", "metric_value", "status"];

/// Every row that can be read, and what was odd. `Err`: it is another file.
pub fn read(bytes: &[u8]) -> Result<Read<Record>, Note> {
    let sheet = Sheet::read(text(bytes)?)?;
    if !sheet.has(&NEEDED) {
        return Err(Note::new(
            1,
            "the headings are not those of conference results",
        ));
    }
    Ok(rows(&sheet))
}

pub(super) fn is_conference(sheet: &Sheet<'_>) -> bool {
    sheet.has(&NEEDED)
}

pub(super) fn rows(sheet: &Sheet<'_>) -> Read<Record> {
    let mut notes = Vec::new();
    let mut items: Vec<Record> = Vec::new();
    let mut seen: BTreeSet<(u32, Lane, u32)> = BTreeSet::new();
    for line in sheet.lines() {
        let round = line.cell("round").parse().ok().filter(|round| *round > 0);
        let lane = cells::lane(line.cell("researcher"));
        let (Some(round), Some(lane)) = (round, lane) else {
            notes.push(Note::new(
                line.number,
                "no round and researcher; the row is left out",
            ));
            continue;
        };
        let Some(record) = record(line, round, lane, &mut notes) else {
            continue;
        };
        match seen.insert((round, lane, record.iteration)) {
            true => items.push(record),
            false => notes.push(Note::new(
                line.number,
                "the row stands already; it is left out",
            )),
        }
    }
    Read { items, notes }
}

/// One row whose round and lane are known; `None` (with a note) where it cannot be read.
pub(super) fn record(
    line: Line<'_, '_>,
    round: u32,
    lane: Lane,
    notes: &mut Vec<Note>,
) -> Option<Record> {
    let number = line.number;
    let read = cells_of(line, round, lane);
    match read {
        Ok((record, odd)) => {
            notes.extend(odd.into_iter().map(|what| Note::new(number, what)));
            Some(record)
        }
        Err(what) => {
            notes.push(Note::new(number, format!("{what}; the row is left out")));
            None
        }
    }
}

fn cells_of(line: Line<'_, '_>, round: u32, lane: Lane) -> Result<(Record, Vec<String>), String> {
    let mut odd = Vec::new();
    if !line.is_whole() {
        odd.push("not as many cells as headings".to_owned());
    }
    let wrong = |what: &str, cell: &str| format!("{} is no {what}", shown(cell));
    let cell = line.cell("iteration");
    let iteration = cell.parse().map_err(|_| wrong("iteration", cell))?;
    let cell = line.cell("status");
    let (status, is_alias) = cells::status(cell).ok_or_else(|| wrong("status", cell))?;
    if is_alias {
        odd.push(format!("{} is read as {}", shown(cell), status.as_str()));
    }
    let value = value(line.cell("metric_value"), status)?;
    let cell = line.cell("delta");
    let delta = cells::change(cell).ok_or_else(|| wrong("delta", cell))?;
    let cell = line.cell("delta_pct");
    let percent = cells::change(cell).ok_or_else(|| wrong("percentage", cell))?;
    // Where a lane begins there is nothing to differ from, however a file spells that.
    let is_start = status == RowStatus::Baseline;
    let cell = line.cell("peer_review_verdict");
    let verdict = cells::verdict(cell).ok_or_else(|| wrong("verdict", cell))?;
    let cell = line.cell("timestamp");
    let at = cells::moment(cell);
    if at.is_none() && !matches!(cell, "" | "-") {
        odd.push(format!(
            "{} has no zone: nothing is ordered by it",
            shown(cell)
        ));
    }
    let record = Record {
        round,
        lane,
        iteration,
        value,
        delta: delta.filter(|delta| !(is_start && *delta == 0.0)),
        percent: percent.filter(|percent| !(is_start && *percent == 0.0)),
        status,
        description: line.cell("description").to_owned(),
        source: line.cell("evaluator_source").to_owned(),
        verdict,
        at,
    };
    Ok((record, odd))
}

fn value(cell: &str, status: RowStatus) -> Result<Option<f64>, String> {
    match (cells::number(cell), cell, status) {
        (Some(value), ..) => Ok(Some(value)),
        (None, "-", RowStatus::Failed | RowStatus::Baseline) => Ok(None),
        (None, cell, _) if cell.eq_ignore_ascii_case("tbd") => {
            Err("the value is still to be determined".to_owned())
        }
        (None, cell, _) => Err(format!("{} is no finite number", shown(cell))),
    }
}
