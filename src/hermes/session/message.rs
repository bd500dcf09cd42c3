//! From a row to a message.

use jiff::Timestamp;
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::schema::Schema;
use super::{Call, Message};
use crate::count;

/// How the host marks content that is a list or an object.
const JSON_MARK: &str = "\0json:";
/// What is loaded of one message, at most: a picture in its content is no text, but has to be
/// read to find the text beside it.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// A column, null where its value is larger than `most` bytes. (Only then it is not loaded.)
pub(super) fn within(column: &str, most: usize) -> String {
    format!("CASE WHEN octet_length({column}) <= {most} THEN {column} END")
}

/// The size of a column whose value is larger than `most` bytes; null of any other.
fn beyond(column: &str, most: usize) -> String {
    format!("CASE WHEN octet_length({column}) > {most} THEN octet_length({column}) END")
}

/// Reads one message by its id; of what is too large to be loaded, the size.
pub(super) fn select(schema: &Schema, max_bytes: usize) -> String {
    let most = max_bytes.max(MOST_BYTES);
    let calls = schema.message("m", "tool_calls");
    format!(
        "SELECT m.id, m.role, {}, {}, {}, {}, {}, {} FROM messages AS m WHERE m.id = ?1",
        schema.message("m", "tool_name"),
        schema.message("m", "timestamp"),
        within("m.content", most),
        within(&calls, most),
        beyond("m.content", most),
        beyond(&calls, most),
    )
}

/// The message; what is too large to be loaded is named in its text.
pub(super) fn of_row(row: &Row<'_>) -> rusqlite::Result<Message> {
    let mut said = content(text(row, 4)?.unwrap_or_default());
    for (what, column) in [("text", 6), ("tool calls", 7)] {
        if let Some(bytes) = row.get::<_, Option<i64>>(column)? {
            let bytes = count::of(bytes, "byte", "bytes");
            said.push_str(&format!("[{what} of {bytes}: too large to be read]"));
        }
    }
    Ok(Message {
        id: row.get(0)?,
        role: text(row, 1)?.unwrap_or_default(),
        text: said,
        tool_name: text(row, 2)?.filter(|name| !name.is_empty()),
        calls: match text(row, 5)? {
            Some(json) => calls(&json).into_iter().map(Call::from).collect(),
            None => Vec::new(),
        },
        at: time(row, 3)?,
    })
}

/// A value as text, whatever type the writer gave it; `None` for null.
pub(super) fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    })
}

/// Seconds since 1970 as a time; `None` for what is none.
pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    let seconds = match row.get_ref(column)? {
        ValueRef::Real(seconds) => seconds,
        ValueRef::Integer(seconds) => return Ok(Timestamp::from_second(seconds).ok()),
        _ => return Ok(None),
    };
    // Out of range saturates, and is no time then.
    #[expect(clippy::cast_possible_truncation, reason = "saturation is wanted")]
    let micros = (seconds * 1e6) as i64;
    Ok(Timestamp::from_microsecond(micros).ok())
}

/// The text of a content: text parts a line each, an object as its JSON, anything else as it is.
pub(super) fn content(stored: String) -> String {
    let Some(json) = stored.strip_prefix(JSON_MARK) else {
        return stored;
    };
    match serde_json::from_str::<Vec<Part>>(json) {
        Ok(parts) => {
            let texts: Vec<String> = parts.into_iter().filter_map(Part::text).collect();
            texts.join("\n")
        }
        Err(_) => json.to_owned(),
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Text { text: String },
    Bare(String),
    Other(IgnoredAny),
}

impl Part {
    fn text(self) -> Option<String> {
        match self {
            Self::Text { text } | Self::Bare(text) => Some(text),
            Self::Other(IgnoredAny) => None,
        }
    }
}

/// A tool call as it is stored.
#[derive(Debug, Deserialize)]
pub(super) struct StoredCall {
    #[serde(default)]
    pub(super) id: Option<String>,
    pub(super) function: Function,
}

#[derive(Debug, Deserialize)]
pub(super) struct Function {
    pub(super) name: String,
    #[serde(default)]
    arguments: serde_json::Value,
}

impl StoredCall {
    /// The arguments as JSON; most models write a string of it, some an object.
    pub(super) fn arguments(&self) -> String {
        match &self.function.arguments {
            serde_json::Value::String(json) => json.clone(),
            serde_json::Value::Null => String::new(),
            other => other.to_string(),
        }
    }
}

impl From<StoredCall> for Call {
    fn from(stored: StoredCall) -> Self {
        Self {
            arguments: stored.arguments(),
            name: stored.function.name,
        }
    }
}

/// The calls of a stored list; what is no call is left out.
pub(super) fn calls(json: &str) -> Vec<StoredCall> {
    let values: Vec<serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    let call = |value| serde_json::from_value(value).ok();
    values.into_iter().filter_map(call).collect()
}
