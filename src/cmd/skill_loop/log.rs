//! `skill-loop log`: the receipts, newest first, without a lock.

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use super::report;
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
    let mut text = format!(
        "{}  {}  {:<14}",
        entry.id,
        entry.at,
        text::line(&entry.kind)
    );
    if let Some(skill) = entry.text("skill") {
        text.push_str(&format!("  skill {}", text::line(skill)));
    }
    let named = ["proposalId", "outcome", "opens", "rollsBack"].map(|field| {
        let value = entry.text(field)?;
        let short = (field == "proposalId").then(|| report::id(value));
        let shown = short.unwrap_or_else(|| value.to_owned());
        Some(format!("{field} {}", text::line(&shown)))
    });
    let named: Vec<String> = named.into_iter().flatten().collect();
    if !named.is_empty() {
        text.push_str(&format!("\n    {}", named.join("  ")));
    }
    text.push_str(&format!("\n    by {}", text::line(&entry.actor)));
    if !entry.argv.is_empty() {
        text.push_str(&format!(": {}", text::line(&entry.argv.join(" "))));
    }
    if let Some(reason) = entry.text("reason") {
        text.push_str(&format!("\n    reason: {}", text::line(reason)));
    }
    text
}
