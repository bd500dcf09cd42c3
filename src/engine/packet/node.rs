//! A document of either notation as one kind of tree.

use serde::de::IgnoredAny;
use serde_json::{Map, Number, Value};

use super::envelope::Notation;
use super::{MAX_BYTES, MAX_LEVELS, Reason, Refusal, yaml};
use crate::error::Fault;
use crate::guard::json;

/// Reads the document. Duplicate keys, too many levels and numbers that are none are refused
/// here, because a tree cannot show them any more.
pub(super) fn read(text: &str, notation: Notation) -> Result<Value, Refusal> {
    match notation {
        Notation::Json => from_json(text),
        Notation::Yaml => yaml::read(text),
    }
}

fn from_json(text: &str) -> Result<Value, Refusal> {
    let found = levels(text);
    if found > MAX_LEVELS {
        let detail = format!("{found} levels, at most {MAX_LEVELS}");
        return Err(Refusal::new(Reason::TooDeep, detail));
    }
    let limits = json::Limits {
        bytes: MAX_BYTES,
        depth: MAX_LEVELS,
    };
    let reading = json::read(text.as_bytes(), limits).map_err(|fault| {
        let place = format!(
            "line {}, column {}: {}",
            fault.line, fault.column, fault.message
        );
        Refusal::new(reason_of(text, &fault), place)
    })?;
    if let Some(fault) = reading.faults.first() {
        let detail = format!("{}: {}", fault.pointer, fault.message);
        // The other fault that leaves a tree is half of a character.
        let reason = match serde_json::from_str::<Value>(text) {
            Ok(_) => Reason::DuplicateKey,
            Err(_) => Reason::Malformed,
        };
        return Err(Refusal::new(reason, detail));
    }
    value(&reading.root)
}

/// What a syntax error is: a second document, something beside the first, a number that JSON does
/// not have, or just broken.
fn reason_of(text: &str, fault: &Fault) -> Reason {
    let stream = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match stream.take_while(Result::is_ok).count() {
        0 if is_no_number(rest_at(text, fault)) => Reason::NotFinite,
        0 => Reason::Malformed,
        1 => Reason::Surrounded,
        _ => Reason::SeveralDocuments,
    }
}

/// The text from the place of a fault on.
fn rest_at<'a>(text: &'a str, fault: &Fault) -> &'a str {
    let line = text
        .split_inclusive('\n')
        .nth(fault.line as usize - 1)
        .unwrap_or("");
    let column = line.char_indices().nth(fault.column as usize - 1);
    column.and_then(|(at, _)| line.get(at..)).unwrap_or("")
}

fn is_no_number(rest: &str) -> bool {
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    ["NaN", "Infinity"]
        .iter()
        .any(|word| rest.starts_with(word))
}

/// How deep brackets and braces are nested, those in strings left out.
fn levels(text: &str) -> usize {
    let (mut level, mut most) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                level += 1;
                most = most.max(level);
            }
            b']' | b'}' if !quoted => level = level.saturating_sub(1),
            _ => {}
        }
    }
    most
}

fn value(node: &json::Node) -> Result<Value, Refusal> {
    Ok(match &node.value {
        json::Value::Null => Value::Null,
        json::Value::Bool(flag) => Value::Bool(*flag),
        json::Value::Number(text) => number(text)?,
        json::Value::String(text) => Value::String(text.clone()),
        json::Value::Array(items) => {
            Value::Array(items.iter().map(value).collect::<Result<_, _>>()?)
        }
        json::Value::Object(members) => {
            let member = |member: &json::Member| Ok((member.key.clone(), value(&member.node)?));
            let members: Result<Map<_, _>, Refusal> = members.iter().map(member).collect();
            Value::Object(members?)
        }
    })
}

/// A number as JSON spells it; `1e999` is none.
pub(super) fn number(text: &str) -> Result<Value, Refusal> {
    let none = || Refusal::new(Reason::NotFinite, format!("`{text}` is no finite number"));
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Value::Number(whole.into()));
    }
    let number: f64 = text.parse().map_err(|_| none())?;
    Number::from_f64(number).map(Value::Number).ok_or_else(none)
}
