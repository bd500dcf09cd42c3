//! One line of the ledger: what it says, and how it proves itself.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::damaged;
use crate::digest;
use crate::error::Result;

/// The schema of a line.
pub const SCHEMA: &str = "lithermes/ledger/v1";

/// What an owner wants to be written; the ledger adds the rest.
#[derive(Debug, Clone)]
pub struct Draft {
    /// `skill.apply`, `conference.round`, …
    pub kind: String,
    /// Who: `user@host`.
    pub actor: String,
    /// What was typed, already redacted.
    pub argv: Vec<String>,
    /// The owner's fields; never one of the ledger's own names.
    pub body: Map<String, Value>,
}

/// A line of the ledger (skill-loop.md §7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// [`SCHEMA`].
    pub schema: String,
    /// 1, 2, 3, …
    pub seq: u64,
    /// `l-` and 12 hex of the SHA-256 of the canonical line without this field.
    pub id: String,
    /// SHA-256 of the previous line's bytes without its line feed; 64 zeros for the first.
    pub prev: String,
    /// Never earlier than the line before.
    pub at: Timestamp,
    /// `user@host`.
    pub actor: String,
    /// What was typed.
    pub argv: Vec<String>,
    /// Which lithermes wrote it.
    pub version: String,
    /// What happened.
    pub kind: String,
    /// The owner's fields.
    #[serde(flatten)]
    pub body: Map<String, Value>,
}

impl Entry {
    pub(super) fn new(draft: Draft, seq: u64, prev: String, at: Timestamp) -> Self {
        let mut entry = Self {
            schema: SCHEMA.to_owned(),
            seq,
            id: String::new(),
            prev,
            at,
            actor: draft.actor,
            argv: draft.argv,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kind: draft.kind,
            body: draft.body,
        };
        entry.id = entry.computed_id();
        entry
    }

    /// The id that the other fields give.
    fn computed_id(&self) -> String {
        let mut tree = serde_json::to_value(self).unwrap_or(Value::Null);
        if let Some(fields) = tree.as_object_mut() {
            fields.remove("id");
        }
        digest::id("l-", &tree, 12)
    }

    /// A text field of the body.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.body.get(field).and_then(Value::as_str)
    }
}

/// An entry as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub entry: Entry,
    /// SHA-256 of its bytes without the line feed: the next line's `prev`.
    pub digest: String,
}

/// Reads a line's bytes. `LEDGER_DAMAGED` where they are no entry or do not hash to their id.
pub(super) fn parse(raw: &[u8], path: &Path) -> Result<Line> {
    let entry: Entry = serde_json::from_slice(raw)
        .map_err(|error| damaged(path, format_args!("a line is no entry ({error})")))?;
    if id_of(raw, &entry.id).as_deref() != Some(&entry.id) || entry.schema != SCHEMA {
        let what = format!("line {} does not hash to its id {}", entry.seq, entry.id);
        return Err(damaged(path, what.escape_debug()));
    }
    let digest = digest::sha256_hex(raw);
    Ok(Line { entry, digest })
}

/// The id that a line's bytes give: their hash without the member that holds the id. Taking it
/// out of the bytes is the same as spelling the rest canonically, because we wrote them so, and
/// costs a tenth.
fn id_of(raw: &[u8], id: &str) -> Option<String> {
    let member = format!("\"id\":\"{id}\",");
    let at = memchr::memmem::find(raw, member.as_bytes())?;
    let mut hash = Sha256::new();
    hash.update(&raw[..at]);
    hash.update(&raw[at + member.len()..]);
    let digest = digest::hex(&hash.finalize());
    Some(format!("l-{}", &digest[..12]))
}
