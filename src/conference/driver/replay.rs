//! The root's own replay, before it calls a conference complete (conference.md A1).
//!
//! Promises: what is compared was read back from the disk.

use super::Drive;
use crate::conference::artifacts;
use crate::digest;
use crate::engine::event::Stop;
use crate::engine::journal::{self, Journal};
use crate::error::{Code, Error, Result};

/// Bytes of an artifact at most.
const ARTIFACT: u64 = 64 << 20;

/// Replays the events, and compares state, packets and artifacts with what is in memory. What it
/// found, in one line. `BLOCKED_STALE_CONFERENCE_STATE` where something differs.
pub(super) fn check(drive: &Drive<'_>, journal: &Journal, stop: &Stop) -> Result<String> {
    let record = journal::replay(journal.root())?;
    let (lines, head) = journal.head();
    if record.head.hex() != head || record.state != *journal.state() {
        return Err(differs(
            "conference_events.jsonl",
            &head,
            &record.head.hex(),
        ));
    }
    let edition = drive.edition(&record.state, Some(stop));
    for artifact in artifacts::render(&drive.terms, &record.state, &edition) {
        let rendered = digest::sha256_hex(&artifact.bytes);
        let recorded = record.state.artifacts.get(&artifact.path);
        if recorded != Some(&rendered) {
            let recorded = recorded.map_or("nothing", String::as_str);
            return Err(differs(&artifact.path, recorded, &rendered));
        }
    }
    for (path, recorded) in &record.state.artifacts {
        let there = journal.root().read(path, ARTIFACT)?;
        let there = there.map(|content| digest::sha256_hex(&content.bytes));
        if there.as_ref() != Some(recorded) {
            let found = there.unwrap_or_else(|| "nothing".to_owned());
            return Err(differs(path, recorded, &found));
        }
    }
    let (packets, artifacts) = (record.state.packets.len(), record.state.artifacts.len());
    Ok(format!(
        "replayed {lines} events, {packets} packets and {artifacts} artifacts: the same"
    ))
}

fn differs(path: &str, expected: &str, found: &str) -> Error {
    let text = format!("{path} is not what the events say");
    Error::new(Code::BlockedStaleConferenceState, text)
        .expected(expected)
        .found(found)
        .hint("look at what else writes into this folder; nothing is claimed")
}
