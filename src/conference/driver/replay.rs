//! The root's own replay, before it calls a conference complete (conference.md A1): the same that
//! `check --replay` does, and besides that what is on the disk is what this process has in mind.

use super::Drive;
use crate::conference::drift;
use crate::conference::replay::{self, Against};
use crate::conference::seal::Seal;
use crate::count;
use crate::engine::event::Stop;
use crate::engine::journal::{EVENTS, Journal};
use crate::error::{Code, Error, Result};

/// What was found, in one line. `BLOCKED_STALE_CONFERENCE_STATE` where something differs.
pub(super) fn check(drive: &Drive<'_>, journal: &Journal, stop: &Stop) -> Result<String> {
    let (lines, head) = journal.head();
    let sealed = [Seal {
        round: journal.state().current_round(),
        lines,
        head: head.clone(),
    }];
    let against = Against {
        renders: true,
        terms: Some(&drive.terms),
        title: &drive.title,
        evaluator: drive.evaluator_file.as_deref(),
        stop: Some(stop),
        sealed: &sealed,
    };
    let replayed = replay::of(journal.root(), against)?;
    drift::refuse(&drift::of_differences(replayed.all()))?;
    let found = replayed.record.head.hex();
    if found != head || replayed.record.state != *journal.state() {
        let text = format!("{EVENTS} is not what this run wrote");
        return Err(stale(text, &head, &found));
    }
    let events = count::of(lines, "event", "events");
    let packets = count::of(
        replayed.packets,
        "charter or packet",
        "charters and packets",
    );
    let artifacts = count::of(journal.state().artifacts.len(), "artifact", "artifacts");
    Ok(format!(
        "replayed {events}, {packets}, {artifacts}: the same"
    ))
}

fn stale(text: String, expected: &str, found: &str) -> Error {
    Error::new(Code::BlockedStaleConferenceState, text)
        .expected(expected)
        .found(found)
        .hint("look at what else writes into this folder; nothing is claimed")
}
