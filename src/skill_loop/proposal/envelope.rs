//! What may stand around proposals: a byte-order mark, one Markdown fence, an array.
//!
//! A fence is overwritten with spaces instead of being cut out, so that every place that is
//! reported later is a place in the file that the user has.

use std::borrow::Cow;

use super::{DOCUMENT_BYTES, NOTHING_TO_SAVE};
use crate::error::Fault;
use crate::guard::json::{Faults, Value};
use crate::skill_loop::fields::Field;

const FENCE: &str = "```";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A document without its wrapping.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Envelope<'a> {
    /// The stated result that there is nothing.
    NothingToSave,
    /// What is to be read as JSON.
    Json(Cow<'a, [u8]>),
}

/// Takes the wrapping off. What is no wrapping is left for the JSON reader to refuse.
pub(super) fn open(bytes: &[u8]) -> Result<Envelope<'_>, Fault> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let trimmed = bytes.trim_ascii();
    if trimmed.is_empty() {
        let message = format!("the document is empty, expected a proposal or `{NOTHING_TO_SAVE}`");
        return Err(fault(1, message));
    }
    if trimmed == NOTHING_TO_SAVE.as_bytes() {
        return Ok(Envelope::NothingToSave);
    }
    // The limit comes first: a fence costs a copy.
    if !trimmed.starts_with(FENCE.as_bytes()) || bytes.len() > DOCUMENT_BYTES {
        return Ok(Envelope::Json(Cow::Borrowed(bytes)));
    }
    unfenced(bytes).map(|json| Envelope::Json(Cow::Owned(json)))
}

/// A copy of `bytes` in which the lines of the fence are blank.
fn unfenced(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let is_text = |line: &&[u8]| !line.trim_ascii().is_empty();
    let first = lines.iter().position(is_text).unwrap_or_default();
    let last = lines.iter().rposition(is_text).unwrap_or_default();
    let fence = |index: usize| {
        lines
            .get(index)
            .copied()
            .unwrap_or_default()
            .trim_ascii_end()
    };
    if !matches!(fence(first), b"```" | b"```json") {
        let message = "expected the fence \"```\" or \"```json\" alone on its line";
        return Err(fault(first + 1, message.to_owned()));
    }
    if last == first || fence(last) != FENCE.as_bytes() {
        let message = "expected the closing fence \"```\" as the last line";
        return Err(fault(last + 1, message.to_owned()));
    }
    for index in [first, last] {
        if let Some(line) = lines.get_mut(index) {
            // The line feed is all that a blanked line has to keep.
            *line = if line.ends_with(b"\n") { b"\n" } else { b"" };
        }
    }
    Ok(lines.concat())
}

fn fault(line: usize, message: String) -> Fault {
    Fault {
        pointer: String::new(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: 1,
        message,
    }
}

/// The proposals of a document, whichever of the three forms it has.
pub(super) fn proposals<'n>(root: &Field<'n>, faults: &mut Faults) -> Vec<Field<'n>> {
    match &root.node().value {
        Value::Array(_) => list(root, faults),
        Value::Object(members) if members.iter().any(|member| member.key == "proposals") => {
            let form = root.object(&["proposals"], faults);
            let field = form.and_then(|form| form.required("proposals", faults));
            field.map(|field| list(&field, faults)).unwrap_or_default()
        }
        _ => vec![root.clone()],
    }
}

fn list<'n>(field: &Field<'n>, faults: &mut Faults) -> Vec<Field<'n>> {
    let items = field.items(faults).unwrap_or_default();
    if items.is_empty() && matches!(field.node().value, Value::Array(_)) {
        let message = format!("expected a proposal, or the text `{NOTHING_TO_SAVE}` instead");
        field.fault(faults, message);
    }
    items
}
