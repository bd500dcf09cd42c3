//! What of a conference is not any more what its approval, its events and the ledger say
//! (conference.md B 5.3).
//!
//! Promises: every key that differs is named with what was expected and what was found, as digests;
//! nothing is repaired by guessing. A file that was announced as the very last thing and is still
//! what it was before is no drift: its writer was ended in between.

use serde_json::Value;

use super::artifacts::{self, Edition};
use super::driver::{Left, Seal};
use super::gate::{Approval, Conditions};
use super::plan::{self, Document, FILE, Origin};
use super::rounds::terms::Terms;
use crate::digest;
use crate::disk::Dir;
use crate::engine::journal::{self, Announced, EVENTS, PACKETS};
use crate::engine::state::{Gate, State};
use crate::error::{Code, Error, Result};

/// Bytes of an artifact at most.
const ARTIFACT: u64 = 64 << 20;
/// Digits of a digest that are shown.
const DIGITS: usize = 12;
/// What stands for something that is not there.
const NOTHING: &str = "nothing";

/// A key that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What.
    pub key: String,
    /// What it was.
    pub expected: String,
    /// What it is.
    pub found: String,
}

impl Drift {
    fn new(key: impl Into<String>, expected: &str, found: Option<&str>) -> Self {
        Self {
            key: key.into(),
            expected: short(expected).to_owned(),
            found: short(found.unwrap_or(NOTHING)).to_owned(),
        }
    }
}

/// `BLOCKED_STALE_CONFERENCE_STATE` with every key; `Ok` where there is none.
pub fn refuse(drifts: &[Drift]) -> Result<()> {
    if drifts.is_empty() {
        return Ok(());
    }
    let keys: Vec<&str> = drifts.iter().map(|drift| drift.key.as_str()).collect();
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

/// The events, against the seals of the ledger: an edited history.
pub fn of_history(root: &Dir, seals: &[Seal]) -> Result<Vec<Drift>> {
    let counts: Vec<u64> = seals.iter().map(|seal| seal.lines).collect();
    let heads = journal::heads(root, &counts)?;
    let pairs = seals.iter().zip(heads);
    let edited = pairs.filter(|(seal, head)| head.as_ref() != Some(&seal.head));
    let drifts = edited.map(|(seal, head)| {
        let key = format!("{EVENTS} up to round {}", seal.round);
        Drift::new(key, &seal.head, head.as_deref())
    });
    Ok(drifts.collect())
}

/// Charters and artifacts, against the events; and a file that was announced and not written.
pub fn of_files(
    root: &Dir,
    state: &State,
    announced: Option<&Announced>,
) -> Result<(Vec<Drift>, Option<String>)> {
    let mut drifts = Vec::new();
    let mut unwritten = None;
    for account in state.accounts.values() {
        let name = format!("{}.json", account.charter);
        let packets = root.sub(PACKETS)?;
        let there = packets.map(|dir| found(&dir, &name)).transpose()?.flatten();
        if there.as_ref() != Some(&account.charter) {
            let key = format!("{PACKETS}/{name}");
            drifts.push(Drift::new(key, &account.charter, there.as_deref()));
        }
    }
    for (path, recorded) in &state.artifacts {
        let there = found(root, path)?;
        if there.as_ref() == Some(recorded) {
            continue;
        }
        let last = announced.filter(|one| one.path == *path);
        // Before its first splice conference.md is as a person left it.
        let is_before =
            |one: &Announced| one.before == there || (path == FILE && one.before.is_none());
        if last.is_some_and(is_before) {
            unwritten = Some(path.clone());
        } else if path != FILE {
            drifts.push(Drift::new(path, recorded, there.as_deref()));
        }
    }
    Ok((drifts, unwritten))
}

fn found(dir: &Dir, name: &str) -> Result<Option<String>> {
    let there = dir.read(name, ARTIFACT)?;
    Ok(there.map(|content| digest::sha256_hex(&content.bytes)))
}

/// Shared Knowledge, against the findings of the events: those of every round that ended, or as
/// many as were there before the last publishing was over.
pub fn of_knowledge(
    document: &Document,
    terms: &Terms,
    state: &State,
    left: &Left,
) -> Result<Vec<Drift>> {
    if !state.artifacts.contains_key(FILE) {
        return Ok(Vec::new());
    }
    let is = knowledge(document.clone())?;
    let mut expected = String::new();
    for round in left.rounds..=state.current_round() {
        let mut until = state.clone();
        let of_round = |id: crate::engine::id::ClaimId| id.call.task.round();
        until
            .knowledge
            .retain(|finding| of_round(finding.id).is_none_or(|at| at <= round));
        let text = artifacts::sections(terms, &until, &Edition::default()).knowledge;
        let Some(text) = document.with_knowledge(&text) else {
            continue;
        };
        expected = knowledge(Document::parse(text))?;
        if expected == is {
            return Ok(Vec::new());
        }
    }
    let key = format!("Shared Knowledge in {FILE}");
    Ok(vec![Drift::new(key, &expected, Some(&is))])
}

fn knowledge(document: Document) -> Result<String> {
    let bytes = document.text().as_bytes().to_vec();
    Ok(plan::read(bytes, Origin::New)?.knowledge_digest)
}

/// The beginning of a digest; anything else is left as it is.
fn short(text: &str) -> &str {
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.get(..DIGITS).filter(|_| is_digest).unwrap_or(text)
}
