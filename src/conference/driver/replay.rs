//! The root's own replay, before it calls a conference complete (conference.md A1): the same that
//! `check --replay` does, and besides that what is on the disk is what this process has in mind.

use super::Drive;
use crate::conference::replay::{self, Against, Difference, Sealed};
use crate::engine::event::Stop;
use crate::engine::journal::{EVENTS, Journal};
use crate::error::{Code, Error, Result};

/// What was found, in one line. `BLOCKED_STALE_CONFERENCE_STATE` where something differs.
pub(super) fn check(drive: &Drive<'_>, journal: &Journal, stop: &Stop) -> Result<String> {
    let (lines, head) = journal.head();
    let sealed = [Sealed {
        round: journal.state().current_round(),
        lines,
        head: head.clone(),
    }];
    let against = Against {
        terms: Some(&drive.terms),
        title: &drive.title,
        evaluator: drive.evaluator_file.as_deref(),
        stop: Some(stop),
        sealed: &sealed,
    };
    let replayed = replay::of(journal.root(), against)?;
    if let Some(first) = replayed.differences.first() {
        return Err(differs(first, replayed.differences.len()));
    }
    let found = replayed.record.head.hex();
    if found != head || replayed.record.state != *journal.state() {
        let text = format!("{EVENTS} is not what this run wrote");
        return Err(stale(text, &head, &found));
    }
    let (packets, artifacts) = (replayed.packets, journal.state().artifacts.len());
    Ok(format!(
        "replayed {lines} events, {packets} charters and packets, {artifacts} artifacts: the same"
    ))
}

fn differs(first: &Difference, count: usize) -> Error {
    let line = first
        .line
        .map_or_else(String::new, |line| format!(" line {line}"));
    let more = match count {
        1 => String::new(),
        _ => format!(", and {} more", count - 1),
    };
    let text = format!(
        "{}{line} is not what the events say: {}{more}",
        first.file, first.what
    );
    stale(text, &first.expected, &first.found)
}

fn stale(text: String, expected: &str, found: &str) -> Error {
    Error::new(Code::BlockedStaleConferenceState, text)
        .expected(expected)
        .found(found)
        .hint("look at what else writes into this folder; nothing is claimed")
}
