//! `skill-loop log`: the receipts, newest first, without a lock.

use serde::ser::{Error as _, Serialize, SerializeSeq as _, Serializer};
use serde_json::json;

use super::super::invocation::Invocation;
use super::report;
use crate::args::LogArgs;
use crate::error::Result;
use crate::guard::text;
use crate::ledger::{Entry, Ledger};

/// Reads twice, and keeps nothing: first what there is, so that damage is told before anything
/// is printed, and then to print it.
pub(super) fn run(invocation: &Invocation, args: &LogArgs) -> Result<u8> {
    let place = invocation.place()?;
    let ledger = place.ledger()?;
    let found = Found::read(ledger.as_ref(), args)?;
    if found.count == 0 {
        invocation.output.text("No receipt fits.");
    }
    if invocation.output.is_json() {
        invocation.output.document(&Document {
            entries: found,
            schema: "lithermes/log/v1",
        });
    } else {
        found.visit(|entry| {
            invocation.output.text(&drawn(entry));
            true
        })?;
    }
    Ok(0)
}

#[derive(serde::Serialize)]
struct Document<'a> {
    entries: Found<'a>,
    schema: &'a str,
}

/// Which receipts fit: so many, from this one on towards the first.
struct Found<'a> {
    ledger: Option<&'a Ledger>,
    args: &'a LogArgs,
    newest: u64,
    count: u64,
}

impl<'a> Found<'a> {
    fn read(ledger: Option<&'a Ledger>, args: &'a LogArgs) -> Result<Self> {
        let mut found = Self {
            ledger,
            args,
            newest: u64::MAX,
            count: args.limit.unwrap_or(u64::MAX),
        };
        let (mut newest, mut count) = (0, 0);
        found.visit(|entry| {
            newest = newest.max(entry.seq);
            count += 1;
            true
        })?;
        (found.newest, found.count) = (newest, count);
        Ok(found)
    }

    /// Hands each to `take`, newest first, as long as that says so. What somebody appended since
    /// it was counted is left out.
    fn visit(&self, mut take: impl FnMut(&Entry) -> bool) -> Result<()> {
        let (Some(ledger), mut left) = (self.ledger, self.count) else {
            return Ok(());
        };
        if left == 0 {
            return Ok(());
        }
        ledger.newest("\"kind\":\"", |entry| {
            if entry.seq > self.newest || !wanted(entry, self.args) {
                return false;
            }
            left -= 1;
            !take(entry) || left == 0
        })?;
        Ok(())
    }
}

impl Serialize for Found<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut entries = serializer.serialize_seq(None)?;
        let mut written = Ok(());
        let read = self.visit(|entry| {
            written = entries.serialize_element(&json!(entry));
            written.is_ok()
        });
        written?;
        read.map_err(S::Error::custom)?;
        entries.end()
    }
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Map, json};

    use super::Found;
    use crate::args::LogArgs;
    use crate::disk::{Dir, Lock};
    use crate::ledger::{Draft, Ledger};

    #[test]
    fn what_is_appended_between_the_readings_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Dir::open_root(folder.path()).unwrap().unwrap();
        let lock = Lock::acquire(&dir, "lock", Duration::ZERO, "test", &mut |_| {}).unwrap();
        let ledger = Ledger::new(&dir).unwrap();
        let append = |kind: &str| {
            let draft = Draft {
                kind: kind.to_owned(),
                actor: "a@b".to_owned(),
                argv: vec![],
                body: Map::new(),
            };
            ledger.append(&lock, draft).unwrap();
        };
        ["k1", "k2", "k3"].into_iter().for_each(append);
        let args = LogArgs {
            skill: None,
            kind: None,
            limit: Some(2),
        };
        let found = Found::read(Some(&ledger), &args).unwrap();
        append("k4");
        let kinds: Vec<_> = json!(found).as_array().unwrap().clone();
        let kinds: Vec<_> = kinds.iter().map(|entry| entry["kind"].clone()).collect();
        assert_eq!(kinds, ["k3", "k2"]);
    }
}
