//! `skill-loop log`: the receipts, newest first, without a lock.

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use crate::args::LogArgs;
use crate::error::Result;
use crate::guard::text;
use crate::ledger::Entry;

pub(super) fn run(invocation: &Invocation, args: &LogArgs) -> Result<u8> {
    let place = invocation.place()?;
    let mut entries: Vec<Entry> = Vec::new();
    if let Some(ledger) = place.ledger()? {
        let limit = args.limit.unwrap_or(u64::MAX);
        ledger.newest("\"kind\":\"", |entry| {
            if wanted(entry, args) {
                entries.push(entry.clone());
            }
            entries.len() as u64 >= limit
        })?;
    }
    if entries.is_empty() {
        invocation.output.text("No receipt fits.");
    }
    for entry in &entries {
        invocation.output.text(&drawn(entry));
    }
    let documents: Vec<Value> = entries.iter().map(|entry| json!(entry)).collect();
    invocation
        .output
        .document(&json!({"schema": "lithermes/log/v1", "entries": documents}));
    Ok(0)
}

fn wanted(entry: &Entry, args: &LogArgs) -> bool {
    let kind = args.kind.as_deref().is_none_or(|kind| entry.kind == kind);
    let skill = args
        .skill
        .as_deref()
        .is_none_or(|skill| entry.text("skill") == Some(skill));
    kind && skill
}

fn drawn(entry: &Entry) -> String {
    let mut line = format!(
        "{}  {}  {:<14}",
        entry.id,
        entry.at,
        text::line(&entry.kind)
    );
    for field in ["skill", "proposalId", "outcome", "opens", "rollsBack"] {
        if let Some(value) = entry.text(field) {
            line.push_str(&format!("  {field} {}", text::line(value)));
        }
    }
    line.push_str(&format!("\n    by {}", text::line(&entry.actor)));
    if !entry.argv.is_empty() {
        line.push_str(&format!(": {}", text::line(&entry.argv.join(" "))));
    }
    if let Some(reason) = entry.text("reason") {
        line.push_str(&format!("\n    reason: {}", text::line(reason)));
    }
    line
}
