//! Fields: a label and a value on one line, in either of two spellings (conference.md B 1.1).
//!
//! Promises: a label counts only in the sections that it belongs to; every other line stays what
//! it is, prose.

use std::ops::Range;

use super::document::Part;
use super::key::Key;
use super::lines::{Kind, Line, indent, without_comments};

/// Longer than any label; what stands behind so many bytes is prose.
const LABEL_BYTES: usize = 48;

/// A field that stands in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) key: Key,
    /// The section that it stands in.
    pub(super) part: Part,
    pub(super) line: u32,
    /// Without quotation marks, code marks and comments.
    pub(super) value: String,
    /// Bytes of the value as it stands on its line.
    pub(super) range: Range<usize>,
}

/// A line that has the form of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Split<'a> {
    pub(super) label: &'a str,
    pub(super) value: &'a str,
    /// A list item, as against the bare `key: value`.
    pub(super) is_item: bool,
    is_bold: bool,
}

impl<'a> Split<'a> {
    /// Splits `- **Label:** value` or `label: value`; `None` for nested and other lines.
    pub(super) fn of(line: &Line<'a>) -> Option<Self> {
        if line.kind != Kind::Text || indent(line.text) > 1 {
            return None;
        }
        let text = line.text.trim();
        let item = text.strip_prefix(['-', '*', '+']);
        let item = item.filter(|rest| rest.starts_with([' ', '\t']));
        let rest = item.unwrap_or(text).trim_start();
        let bold = rest.strip_prefix("**").or_else(|| rest.strip_prefix("__"));
        let (label, value) = match bold {
            Some(open) => bold_label(open)?,
            None => up_to_colon(rest)?,
        };
        Some(Self {
            label: label.trim(),
            value: value.trim(),
            is_item: item.is_some(),
            is_bold: bold.is_some(),
        })
    }

    /// The field that a bold label names although it belongs into another section.
    pub(super) fn strayed(&self) -> Option<Key> {
        let is_meant = self.is_bold && self.is_item;
        Key::at_home(self.label).filter(|_| is_meant)
    }

    /// The field, its value cleaned.
    pub(super) fn field(&self, key: Key, part: Part, line: &Line<'_>) -> Field {
        // The value ends where the line's text ends.
        let end = line.start + line.text.trim_end().len();
        let bare = !self.is_item && !self.is_bold;
        Field {
            key,
            part,
            line: line.number,
            value: clean(self.value, bare),
            range: end - self.value.len()..end,
        }
    }
}

/// `Label:** value` and `Label**: value`.
fn bold_label(open: &str) -> Option<(&str, &str)> {
    let head = up_to(open, LABEL_BYTES);
    let end = head.find("**").or_else(|| head.find("__"))?;
    let (label, rest) = open.split_at(end);
    let rest = rest.get(2..)?;
    match label.strip_suffix(':') {
        Some(label) => Some((label, rest)),
        None => Some((label, rest.trim_start().strip_prefix(':')?)),
    }
}

fn up_to_colon(text: &str) -> Option<(&str, &str)> {
    let end = up_to(text, LABEL_BYTES).find(':')?;
    let (label, value) = (text.get(..end)?, text.get(end + 1..)?);
    // A URL is no field.
    (!label.is_empty() && !value.starts_with("//")).then_some((label, value))
}

/// At most so many bytes of the text, cut between characters.
fn up_to(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// A value without what is around it: comments, quotation or code marks; in the bare spelling
/// also a comment that `#` begins.
fn clean(value: &str, bare: bool) -> String {
    let value = without_comments(value);
    let value = match bare {
        true => before_hash(&value),
        false => &value,
    };
    unwrapped(value.trim()).to_owned()
}

/// A `#` after white space begins a comment, but not between quotation marks.
fn before_hash(value: &str) -> &str {
    let mut quote = None;
    let mut spaced = true;
    for (at, c) in value.char_indices() {
        match quote {
            Some(mark) if mark == c => quote = None,
            Some(_) => {}
            None if c == '#' && spaced => return value.get(..at).unwrap_or_default(),
            None if matches!(c, '"' | '\'') && spaced => quote = Some(c),
            None => {}
        }
        spaced = c.is_whitespace();
    }
    value
}

/// `"x"`, `'x'` and a code span, without their marks.
fn unwrapped(value: &str) -> &str {
    for mark in ['"', '\'', '`'] {
        let inner = value
            .strip_prefix(mark)
            .and_then(|rest| rest.strip_suffix(mark));
        match inner {
            Some(inner) if !inner.contains(mark) => return inner.trim(),
            _ => {}
        }
    }
    value
}

/// Whether a line goes on with the value of the text field above it.
pub(super) fn continues(key: Key, line: &Line<'_>) -> bool {
    key.is_text() && line.kind != Kind::Comment && indent(line.text) > 1 && !line.is_blank()
}
