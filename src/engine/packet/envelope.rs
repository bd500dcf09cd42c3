//! The document in a child's whole output: bare, or in exactly one Markdown fence.

use serde_json::Value;

use super::{MAX_BYTES, Reason, Refusal, node};

/// What a fence begins with.
const FENCE: &str = "```";

/// Which notation a document is to be read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Json,
    Yaml,
}

/// The document in a child's whole output.
pub(super) fn read(output: &[u8]) -> Result<Value, Refusal> {
    let (text, notation) = open(output)?;
    node::read(text, notation).map_err(|refusal| {
        let is_prose = refusal.reason == Reason::Malformed && notation == Notation::Yaml;
        match is_prose && holds_document(text) {
            true => Refusal::new(Reason::Surrounded, "something stands before the document"),
            false => refusal,
        }
    })
}

/// Whether a text that is no document looks like one with something before it.
fn holds_document(text: &str) -> bool {
    let begins = |line: &str| line.starts_with('{') || line.starts_with(FENCE);
    text.lines().any(begins)
}

/// The document's text and its notation.
fn open(output: &[u8]) -> Result<(&str, Notation), Refusal> {
    if output.len() > MAX_BYTES {
        let detail = format!("{} bytes, at most {MAX_BYTES}", output.len());
        return Err(Refusal::new(Reason::Oversized, detail));
    }
    let text = std::str::from_utf8(output)
        .map_err(|_| Refusal::new(Reason::Malformed, "the output is no UTF-8"))?;
    let text = text.trim();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.is_empty() {
        return Err(Refusal::new(Reason::Malformed, "the output is empty"));
    }
    let inner = match fenced(text)? {
        Some((inner, Some(notation))) => return Ok((inner, notation)),
        Some((inner, None)) => inner,
        None => text,
    };
    let notation = match inner.starts_with(['{', '[']) {
        true => Notation::Json,
        false => Notation::Yaml,
    };
    Ok((inner, notation))
}

/// What stands in a fence that holds all of the text.
fn fenced(text: &str) -> Result<Option<(&str, Option<Notation>)>, Refusal> {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    if ticks < FENCE.len() {
        return Ok(None);
    }
    let beside = || {
        Refusal::new(
            Reason::Surrounded,
            "something stands beside the fenced document",
        )
    };
    let (fence, rest) = text.split_at(ticks);
    let (info, rest) = rest.split_once('\n').ok_or_else(beside)?;
    let notation = match info.trim().to_ascii_lowercase().as_str() {
        "" => None,
        "json" => Some(Notation::Json),
        "yaml" | "yml" => Some(Notation::Yaml),
        _ => {
            let detail = "the fence is marked neither `json` nor `yaml`";
            return Err(Refusal::new(Reason::Malformed, detail));
        }
    };
    let inner = rest.strip_suffix(fence).ok_or_else(beside)?;
    if !(inner.is_empty() || inner.ends_with('\n')) {
        return Err(beside());
    }
    if inner.lines().any(|line| line.trim() == fence) {
        return Err(Refusal::new(
            Reason::SeveralDocuments,
            "more than one fence",
        ));
    }
    Ok(Some((inner.trim(), notation)))
}
