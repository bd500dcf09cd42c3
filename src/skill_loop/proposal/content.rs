//! What a text may hold: no credential, no redaction mark, not too much.

use super::fields::Field;
use crate::guard::json::{Faults, Node, Value, pointer};
use crate::guard::secret::{self, Finding, Strength};
use crate::guard::text;
use crate::hermes::frontmatter;

/// Characters of a `SKILL.md`: the host's limit.
const SKILL_FILE_CHARS: usize = 100_000;

/// Bytes of any file but `SKILL.md`.
const FILE_BYTES: usize = 1 << 20;

/// Characters of a value that a message quotes.
const QUOTED_CHARS: usize = 60;

/// A value of the user, fit to be quoted in a message: no credential, nothing hidden, not long.
pub(super) fn shown(value: &str) -> String {
    // Redacted before it is cut: half a credential is no longer recognised, but still leaks.
    let clean = secret::redact(value);
    let short: String = clean.chars().take(QUOTED_CHARS).collect();
    let more = if short.len() < clean.len() { "…" } else { "" };
    format!("`{}{more}`", text::line(&short))
}

/// A JSON pointer whose tokens hold no credential.
pub(super) fn without_secrets(whole: &str) -> String {
    let tokens = whole.split('/').skip(1);
    tokens.fold(String::new(), |base, token| {
        let key = token.replace("~1", "/").replace("~0", "~");
        pointer(&base, &secret::redact(&key))
    })
}

/// Notes every string of a proposal, keys included, that bears a credential.
pub(super) fn refuse_secrets(proposal: &Field<'_>, faults: &mut Faults) {
    let mut search = Search {
        root: proposal.pointer(),
        path: Vec::new(),
        faults,
    };
    search.node(proposal.node());
}

/// A walk that spells out its pointer only where it finds something.
struct Search<'a> {
    root: &'a str,
    path: Vec<String>,
    faults: &'a mut Faults,
}

impl Search<'_> {
    fn node(&mut self, node: &Node) {
        match &node.value {
            Value::String(text) => self.text(text, node.place),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push(index.to_string());
                    self.node(item);
                    self.path.pop();
                }
            }
            Value::Object(members) => {
                for member in members {
                    self.path.push(member.key.clone());
                    self.text(&member.key, member.place);
                    self.node(&member.node);
                    self.path.pop();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, text: &str, place: crate::guard::json::Place) {
        let findings = secret::find(text, Strength::Reject);
        if findings.is_empty() {
            return;
        }
        let (root, path) = (self.root, &self.path);
        let whole = || {
            path.iter()
                .fold(root.to_owned(), |base, token| pointer(&base, token))
        };
        self.faults.push(place, whole, credential(text, &findings));
    }
}

/// Names the classes, and the line where the text has several.
fn credential(text: &str, findings: &[Finding]) -> String {
    let mut classes: Vec<&str> = findings.iter().map(|finding| finding.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let first = findings.first().map_or(0, |finding| finding.range.start);
    let before = text.as_bytes().get(..first).unwrap_or_default();
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let place = if text.trim_end().contains('\n') {
        format!(" in line {line} of this text")
    } else {
        String::new()
    };
    let classes = classes.join(", ");
    format!("a credential ({classes}){place}, expected text without its value")
}

/// Notes redaction marks in a text that no earlier text can excuse.
pub(super) fn refuse_marks(field: &Field<'_>, text: &str, faults: &mut Faults) {
    let marks = secret::new_marks("", text);
    if !marks.is_empty() {
        let marks = marks.join("`, `");
        let message = format!("a redaction mark (`{marks}`), expected text without it");
        field.fault(faults, message);
    }
}

/// Notes what is wrong with the text of a whole `SKILL.md`.
pub(super) fn check_skill_file(
    field: &Field<'_>,
    text: &str,
    skill: Option<&str>,
    faults: &mut Faults,
) {
    let found = text.chars().count();
    let head = match text.char_indices().nth(SKILL_FILE_CHARS) {
        Some((end, _)) => {
            let message = format!(
                "expected at most {SKILL_FILE_CHARS} characters, found {found}: split it, detail \
                 goes into files beneath `references/`"
            );
            field.fault(faults, message);
            text.get(..end).unwrap_or(text)
        }
        None => text,
    };
    // Where the skill's name is itself at fault, the text is held to its own.
    let own = frontmatter::lenient(text).name.unwrap_or_default();
    for fault in frontmatter::check(head, skill.unwrap_or(&own)) {
        let message = secret::redact(&fault.message);
        field.fault(faults, format!("SKILL.md, line {}: {message}", fault.line));
    }
}

/// Notes a support file that is too long.
pub(super) fn check_support_file(field: &Field<'_>, text: &str, faults: &mut Faults) {
    let found = text.len();
    if found > FILE_BYTES {
        let message = format!("expected at most {FILE_BYTES} bytes, found {found}");
        field.fault(faults, message);
    }
}
