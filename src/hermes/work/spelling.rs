//! The spelling of a state that its digest is made of: keys sorted, no spaces, ASCII alone
//! (conference.md B 7.4).
//!
//! Promises: the host's bytes for all that its states may hold; what they may not hold, such as a
//! fraction, has no spelling.

use crate::digest;
use crate::guard::json::{Node, Value};

/// SHA-256 of the spelling; `None` where there is none.
pub(super) fn digest(node: &Node) -> Option<String> {
    let mut spelled = String::new();
    spell(&node.value, &mut spelled)?;
    Some(digest::sha256_hex(spelled.as_bytes()))
}

fn spell(value: &Value, to: &mut String) -> Option<()> {
    match value {
        Value::Null => to.push_str("null"),
        Value::Bool(true) => to.push_str("true"),
        Value::Bool(false) => to.push_str("false"),
        Value::Number(text) => to.push_str(integer(text)?),
        Value::String(text) => quote(text, to),
        Value::Array(nodes) => {
            to.push('[');
            for (at, node) in nodes.iter().enumerate() {
                separate(at, to);
                spell(&node.value, to)?;
            }
            to.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|one, other| one.key.cmp(&other.key));
            to.push('{');
            for (at, member) in members.into_iter().enumerate() {
                separate(at, to);
                quote(&member.key, to);
                to.push(':');
                spell(&member.node.value, to)?;
            }
            to.push('}');
        }
    }
    Some(())
}

fn separate(at: usize, to: &mut String) {
    if at > 0 {
        to.push(',');
    }
}

fn integer(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole && text != "-0").then_some(text)
}

fn quote(text: &str, to: &mut String) {
    to.push('"');
    for c in text.chars() {
        match c {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\n' => to.push_str("\\n"),
            '\r' => to.push_str("\\r"),
            '\t' => to.push_str("\\t"),
            '\u{8}' => to.push_str("\\b"),
            '\u{c}' => to.push_str("\\f"),
            ' '..='~' => to.push(c),
            _ => escape(c, to),
        }
    }
    to.push('"');
}

/// Above the first plane as a pair.
fn escape(c: char, to: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        to.push_str(&format!("\\u{unit:04x}"));
    }
}
