//! What a template leaves for a person to fill in (conference.md B 1.4).

use super::super::lines::{Kind, Lines};

/// Values that say that there is none yet, alone or followed by more of the sort.
const UNDECIDED: [&str; 4] = ["tbd", "todo", "pending", "ask user before run"];

/// So does this one, but only alone: `unknown token rate` is the name of a metric.
const UNKNOWN: &str = "unknown";

/// Whether a value of one field is a placeholder: braces, an instruction in italics, `TBD`.
pub(crate) fn in_value(value: &str) -> bool {
    says_nothing(value) || has_braces(value)
}

/// As [`in_value`], for commands: in them braces are ordinary unless they are all there is.
pub(crate) fn in_command(value: &str) -> bool {
    let inner = value.strip_prefix('{').and_then(|v| v.strip_suffix('}'));
    says_nothing(value) || inner.is_some_and(is_instruction)
}

/// Whether a text holds a placeholder: braces anywhere but in code, a line in italics, or
/// nothing but `TBD`.
pub(crate) fn in_text(text: &str) -> bool {
    let lone = text.trim().to_ascii_lowercase();
    let mut lines = Lines::new(text, 0, 1).filter(|line| line.kind == Kind::Text);
    let is_undecided = lone == UNKNOWN || UNDECIDED.contains(&&*lone);
    is_undecided || lines.any(|line| is_italic(line.text) || has_braces(line.text))
}

fn says_nothing(value: &str) -> bool {
    let lower = value.trim().to_ascii_lowercase();
    let begins = |word: &&str| {
        let rest = lower.strip_prefix(*word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    lower == UNKNOWN || is_italic(value) || UNDECIDED.iter().any(begins)
}

/// `_A whole line in italics._`
fn is_italic(line: &str) -> bool {
    let line = line.trim().trim_start_matches("- ");
    let inner = line.strip_prefix('_').and_then(|l| l.strip_suffix('_'));
    inner.is_some_and(|inner| inner.contains(' ') && !inner.starts_with('_'))
}

/// `{what belongs here}` outside code spans, in one line; no JSON, no formula, no variable.
fn has_braces(text: &str) -> bool {
    let outside_code = text.split('`').step_by(2);
    outside_code.into_iter().any(|text| {
        let mut open = None;
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            match (c, open) {
                ('{', _) => open = Some(at + 1).filter(|_| !joins_a_brace(before)),
                ('}', Some(from)) if text.get(from..at).is_some_and(is_instruction) => {
                    return true;
                }
                ('}', _) => open = None,
                _ => {}
            }
            before = c;
        }
        false
    })
}

/// `$` of `${HOME}`, `\` and `_` of formulas, the letter of `f{x}`.
fn joins_a_brace(before: char) -> bool {
    before.is_alphanumeric() || matches!(before, '$' | '\\' | '_' | '^' | '}' | '{')
}

fn is_instruction(inner: &str) -> bool {
    let inner = inner.trim();
    let is_json = inner.starts_with(['"', '\'', '{', '[']) || inner.contains("\":");
    !is_json && inner.chars().any(char::is_alphabetic)
}
