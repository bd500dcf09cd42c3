//! A document of either notation as one kind of tree.

use serde_json::{Map, Number, Value};

use super::envelope::Notation;
use super::{MAX_BYTES, MAX_LEVELS, Reason, Refusal, yaml};
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
    // One level more than is allowed, so that depth is told from broken syntax.
    let limits = json::Limits {
        bytes: MAX_BYTES,
        depth: MAX_LEVELS + 1,
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
        return Err(Refusal::new(Reason::DuplicateKey, detail));
    }
    value(&reading.root, 1)
}

/// What a syntax error is: a second document, too many levels, a number that JSON does not have,
/// or just broken.
fn reason_of(text: &str, fault: &crate::error::Fault) -> Reason {
    let stream = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    let whole = stream.take_while(Result::is_ok).count();
    let deep = fault.message.contains("level");
    match whole {
        0 if deep => Reason::TooDeep,
        0 if fault.message.contains("NaN") || fault.message.contains("Infinity") => {
            Reason::NotFinite
        }
        0 => Reason::Malformed,
        1 => Reason::Surrounded,
        _ => Reason::SeveralDocuments,
    }
}

fn value(node: &json::Node, level: usize) -> Result<Value, Refusal> {
    let deep = || Refusal::new(Reason::TooDeep, format!("more than {MAX_LEVELS} levels"));
    Ok(match &node.value {
        json::Value::Null => Value::Null,
        json::Value::Bool(flag) => Value::Bool(*flag),
        json::Value::Number(text) => number(text)?,
        json::Value::String(text) => Value::String(text.clone()),
        json::Value::Array(_) | json::Value::Object(_) if level > MAX_LEVELS => return Err(deep()),
        json::Value::Array(items) => {
            let items = items.iter().map(|item| value(item, level + 1));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        json::Value::Object(members) => {
            let member =
                |member: &json::Member| Ok((member.key.clone(), value(&member.node, level + 1)?));
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
