//! What of a conference is not any more what was approved, condition by condition, and how that and
//! what a replay found is refused (conference.md B 5.3).
//!
//! Promises: every key that differs is named with what was expected and what was found; nothing is
//! repaired by guessing.

use serde_json::Value;

use super::gate::{Approval, Conditions};
use super::plan::FILE;
use super::replay::Difference;
use crate::digest;
use crate::engine::state::Gate;
use crate::error::{Code, Error, Result};

/// Digits of a digest that are shown.
const DIGITS: usize = 12;
/// What stands for something that is not there.
const NOTHING: &str = "nothing";

/// A key that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What.
    pub key: String,
    /// What about it, where the key does not say it.
    pub about: Option<String>,
    /// What it was.
    pub expected: String,
    /// What it is.
    pub found: String,
}

impl Drift {
    fn new(key: impl Into<String>, expected: &str, found: Option<&str>) -> Self {
        Self {
            key: key.into(),
            about: None,
            expected: short(expected).to_owned(),
            found: short(found.unwrap_or(NOTHING)).to_owned(),
        }
    }

    fn named(&self) -> String {
        let Self { key, about, .. } = self;
        let about = about.as_ref();
        about.map_or_else(|| key.clone(), |about| format!("{key} ({about})"))
    }
}

/// What a replay found: the file is the key, with its line where there is one.
pub fn of_differences<'a>(found: impl Iterator<Item = &'a Difference>) -> Vec<Drift> {
    let drift = |one: &Difference| {
        let line = one.line.map(|line| format!(" line {line}"));
        let key = format!("{}{}", one.file, line.unwrap_or_default());
        Drift {
            about: Some(one.what.clone()),
            ..Drift::new(key, &one.expected, Some(&one.found))
        }
    };
    found.map(drift).collect()
}

/// `BLOCKED_STALE_CONFERENCE_STATE` with every key; `Ok` where there is none.
pub fn refuse(drifts: &[Drift]) -> Result<()> {
    if drifts.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = drifts.iter().map(Drift::named).collect();
    let told = |value: fn(&Drift) -> &str| {
        let told = drifts.iter();
        let told = told.map(|drift| format!("{} {}", drift.key, value(drift)));
        told.collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "not what was approved and recorded: {}; nothing is claimed",
        keys.join(", ")
    );
    Err(Error::new(Code::BlockedStaleConferenceState, text)
        .expected(told(|drift| &drift.expected))
        .found(told(|drift| &drift.found))
        .hint("restore what was changed, or begin a new conference in another folder"))
}

/// What was approved, against the conditions as they stand now. `approved` is the approval as the
/// ledger keeps it, where it does.
pub fn of_conditions(gate: &Gate, approved: Option<&Value>, now: &Conditions) -> Vec<Drift> {
    let Some(approval) = &now.approval else {
        let found = now.reading.config_digest.as_deref();
        return vec![Drift::new(FILE, &gate.config_digest, found)];
    };
    of_approval(
        &gate.approval_digest,
        &gate.config_digest,
        approved,
        approval,
    )
}

/// The same, against an approval that was computed.
pub fn of_approval(
    digest: &str,
    config_digest: &str,
    approved: Option<&Value>,
    now: &Approval,
) -> Vec<Drift> {
    if now.digest() == digest {
        return Vec::new();
    }
    let spelled = serde_json::to_value(now).unwrap_or_default();
    let keys = approved.and_then(Value::as_object).into_iter().flatten();
    let changed = keys.filter_map(|(key, before)| {
        let after = spelled.get(key).unwrap_or(&Value::Null);
        (after != before).then(|| match key.as_str() {
            "config_digest" => Drift::new(FILE, &shown(before), Some(&shown(after))),
            _ => Drift::new(key.as_str(), &shown(before), Some(&shown(after))),
        })
    });
    let mut drifts: Vec<Drift> = changed.collect();
    if drifts.is_empty() && now.config_digest != config_digest {
        drifts.push(Drift::new(FILE, config_digest, Some(&now.config_digest)));
    }
    if drifts.is_empty() {
        drifts.push(Drift::new("approval", digest, Some(&now.digest())));
    }
    drifts
}

/// A path and a digest as they are, all else as its digest.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => digest::sha256_hex(&digest::canonical(other)),
    }
}

/// The beginning of a digest; anything else is left as it is.
fn short(text: &str) -> &str {
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.get(..DIGITS).filter(|_| is_digest).unwrap_or(text)
}
