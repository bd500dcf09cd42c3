//! Whether a conference kept its promises, from what it left behind: the lines of its events, its
//! packets and charters, and what was rendered.
//!
//! Promises: no code of the engine is used, and none of its types; every number is computed again
//! by other arithmetic from the packets and the conditions alone.

mod book;
mod charters;
mod ends;
mod ids;
mod money;
mod pages;
mod papers;
mod phases;
mod rows;
mod stages;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::schedule::Conditions;
use book::Book;

/// What is looked at.
pub struct Evidence<'a> {
    /// What was approved.
    pub conditions: &'a Conditions,
    /// The lines of the events, as they lie on the disk.
    pub lines: &'a [String],
    /// Charters under their digest, and how many bytes each has.
    pub charters: BTreeMap<String, Value>,
    /// Packets under their digest.
    pub packets: BTreeMap<String, Value>,
    /// What was rendered: name and text.
    pub written: &'a [(String, String)],
    /// Digests of bytes that must not have been accepted.
    pub refusable: &'a [String],
    /// What stands in packets that must not count.
    pub poison: &'a str,
}

/// How many things held; or the first that did not.
pub fn check(evidence: &Evidence<'_>) -> Result<u64, String> {
    let mut book = Book::new(evidence);
    let mut ids = BTreeSet::new();
    for (number, text) in (1..).zip(evidence.lines) {
        let line: Value =
            serde_json::from_str(text).map_err(|error| format!("line {number}: {error}"))?;
        let told = envelope(&mut book, number, &line, &mut ids)
            .and_then(|()| phases::line(&mut book, &line));
        told.map_err(|why| format!("line {number}: {why}: {text}"))?;
    }
    ends::at_the_end(&mut book)?;
    pages::check(&mut book, evidence)?;
    papers::check(&mut book, evidence)?;
    Ok(book.held)
}

fn envelope(
    book: &mut Book<'_>,
    number: u64,
    line: &Value,
    ids: &mut BTreeSet<String>,
) -> Result<(), String> {
    book.hold(line["seq"].as_u64() == Some(number), || {
        "seq does not follow".to_owned()
    })?;
    let id = line["event_id"].as_str().unwrap_or_default().to_owned();
    let fits = id.len() == 14 && id.starts_with("e-");
    book.hold(fits && ids.insert(id), || {
        "event_id is none, or stands twice".to_owned()
    })?;
    let at = ids::seconds(line["timestamp"].as_str().unwrap_or_default());
    let at = at.ok_or("no timestamp")?;
    book.hold(at >= book.now, || "time went back".to_owned())?;
    book.now = at;
    let clean = !line.to_string().contains("NaN") && !line.to_string().contains("Infinity");
    book.hold(clean, || "a number that is none".to_owned())
}
