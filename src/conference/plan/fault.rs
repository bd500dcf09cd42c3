//! Broken rules of a `conference.md` (conference.md B 1.6), each with its place.

use std::fmt;

use serde::Serialize;

use crate::guard::secret;

/// Which rule. The spelling is part of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Rule {
    /// A section or field is missing, or says a word that is none of those known.
    V1,
    /// The definition of success is incomplete.
    V2,
    /// A number or a duration that cannot be one, or is out of bounds; a text that is too long.
    V3,
    /// A placeholder was left.
    V4,
    /// Two places that must agree do not.
    V5,
    /// Lanes and focus sections do not fit.
    V6,
    /// The ceiling is not what count, iterations and rounds make.
    V7,
    /// The ceiling is too low for one round.
    V8,
    /// The rounds do not fit into the time budget.
    V9,
    /// Not confirmed, or the critic is undecided.
    V10,
    /// A number of iterations that is more than one number.
    V11,
    /// The target cannot be read, or contradicts the direction.
    V12,
    /// What a debate needs.
    V13,
    /// What a survey needs.
    V14,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What follows from a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It is there and wrong.
    Error,
    /// It has no safe default and is not said yet: nothing is dispatched before it is.
    Gate,
    /// Worth a look; nothing is stopped.
    Warning,
}

impl Severity {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Gate => "gate",
            Self::Warning => "warning",
        }
    }
}

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The rule.
    pub code: Rule,
    /// What follows.
    pub severity: Severity,
    /// The field or section, as the specification spells it.
    pub field: String,
    /// Line in `conference.md`, from 1: of the field, else of the section that should hold it,
    /// else 1.
    pub line: u32,
    /// What is wrong and what is right. Never the value of a secret.
    pub message: String,
}

impl Fault {
    pub(super) fn new(
        code: Rule,
        severity: Severity,
        field: impl Into<String>,
        line: u32,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            field: field.into(),
            line,
            message: message.into(),
        }
    }

    /// The order in which faults are told.
    pub(super) fn place(&self) -> (u32, Rule, &str) {
        (self.line, self.code, &self.field)
    }
}

/// The longest piece of a value that a message repeats, in characters.
const QUOTED_CHARS: usize = 60;

/// A value as messages repeat it: one line, cut, without credentials.
pub(super) fn quoted(value: &str) -> String {
    let safe = secret::redact(value);
    let line: String = safe.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(QUOTED_CHARS).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    format!("`{shown}`")
}
