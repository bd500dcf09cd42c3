//! Credentials in what a user hands over: found to refuse, and never repeated.

use super::fields::Field;
use crate::guard::json::{Faults, Node, Place, Value, pointer};
use crate::guard::secret::{self, Finding, Strength};
use crate::guard::text;

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

/// Notes every string in a value, keys included, that bears a credential.
pub(super) fn refuse(value: &Field<'_>, faults: &mut Faults) {
    let mut search = Search {
        root: value.pointer(),
        path: Vec::new(),
        faults,
    };
    search.node(value.node());
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

    fn text(&mut self, text: &str, place: Place) {
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
