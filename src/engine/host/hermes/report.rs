//! What the host itself says about a turn: its usage file, or the session that it names.
//!
//! Promises: bounded, in one line each; what is not there is not guessed.

use std::path::Path;

use serde_json::{Map, Value};

use crate::guard::text;
use crate::hermes::session::Sessions;

/// Characters of a name that are kept.
const NAME: usize = 120;
/// Before the id of a session on standard error.
const SESSION: &str = "session_id: ";
/// Characters of an id at most.
const SESSION_ID: usize = 128;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The model.
    pub model: Option<String>,
    /// Who served it.
    pub provider: Option<String>,
    /// Tokens that it read.
    pub input_tokens: Option<u64>,
    /// Tokens that it wrote.
    pub output_tokens: Option<u64>,
    /// Whether the turn came to its end.
    pub is_complete: bool,
    /// Whether the turn is called failed.
    pub is_failed: bool,
    /// Why it failed, in the host's words.
    pub failure: String,
}

impl Report {
    /// What a usage file says; `None` where it is none.
    pub(super) fn of_usage(file: &str) -> Option<Self> {
        let said: Map<String, Value> = serde_json::from_str(file).ok()?;
        let name = |key: &str| said.get(key).and_then(Value::as_str).and_then(named);
        let count = |key: &str| said.get(key).and_then(Value::as_u64);
        let failure = said.get("failure").filter(|value| !value.is_null());
        Some(Self {
            model: name("model"),
            provider: name("provider"),
            input_tokens: count("input_tokens"),
            output_tokens: count("output_tokens"),
            is_complete: said.get("completed") == Some(&Value::Bool(true)),
            is_failed: said.get("failed") != Some(&Value::Bool(false)) || failure.is_some(),
            failure: failure.map(Value::to_string).unwrap_or_default(),
        })
    }

    /// What the session says that standard error names; `None` where there is none, or it cannot be
    /// read.
    pub(super) fn of_session(home: &Path, log: &str) -> Option<Self> {
        let id = log
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(SESSION));
        let id = id.map(str::trim).filter(|id| id.len() <= SESSION_ID)?;
        let ending = Sessions::open(home).ok()??.ending(id).ok()??;
        Some(Self {
            model: ending.model.as_deref().and_then(named),
            provider: ending.provider.as_deref().and_then(named),
            input_tokens: ending.input_tokens,
            output_tokens: ending.output_tokens,
            is_complete: ending.finish.as_deref() == Some("stop"),
            ..Self::default()
        })
    }
}

/// A name in one line; `None` for nothing.
fn named(text: &str) -> Option<String> {
    let short: String = text.trim().chars().take(NAME).collect();
    (!short.is_empty()).then(|| text::line(&short).into_owned())
}
