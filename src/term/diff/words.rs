//! What a diff of lines does not show by itself, said in words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use similar::DiffTag;

use super::lines::{self, Ending, Line};
use crate::count;
use crate::digest;
use crate::term::style::{FAINT, styled};

/// The byte-order mark of UTF-8.
const MARK: &str = "\u{feff}";
/// Digits of a digest that a person compares.
const DIGITS: usize = 12;

/// One indented line for each fact about the whole file.
pub(super) fn facts(
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    old: &[Line<'_>],
    new: &[Line<'_>],
) -> String {
    let mut facts = Vec::new();
    match (before, after) {
        (Some(_), Some(_)) => {
            facts.extend(changed_endings(old, new));
            facts.extend(changed_mark(old, new));
            facts.extend(changed_end(old, new));
        }
        (None, Some(bytes)) => {
            facts.extend(new_endings(new));
            facts.extend(has_mark(new).then(|| "starts with a byte-order mark".to_owned()));
            facts.extend(lacks_end(new).then(|| "no newline at the end".to_owned()));
            facts.extend(bytes.is_empty().then(|| "empty".to_owned()));
        }
        (_, None) => {}
    }
    let mut text = String::new();
    for fact in facts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {fact}");
    }
    text
}

/// Both sides of a file that is no text: encoding, sizes, digests.
pub(super) fn binary(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let encodings = pair(before.map(encoding), after.map(encoding));
    let size = |bytes: &[u8]| count::of(bytes.len(), "byte", "bytes");
    let sizes = pair(before.map(size), after.map(size));
    let short = |bytes: &[u8]| digest::sha256_hex(bytes).chars().take(DIGITS).collect();
    let digests: String = pair::<String>(before.map(short), after.map(short));
    let line = format!("binary ({encodings}), {sizes}, sha256 {digests}");
    format!("  {}\n", styled(FAINT, &line))
}

/// `old → new`, or the one there is, or the one that both are.
fn pair<T: std::fmt::Display + PartialEq>(old: Option<T>, new: Option<T>) -> String {
    match (old, new) {
        (Some(old), Some(new)) if old != new => format!("{old} → {new}"),
        (Some(one), _) | (None, Some(one)) => one.to_string(),
        (None, None) => String::new(),
    }
}

/// A guess, from the first bytes and from what is not in the rest.
fn encoding(bytes: &[u8]) -> &'static str {
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16",
        _ if memchr::memchr(0, bytes).is_some() => "NUL bytes",
        _ if is_utf8 => "UTF-8",
        _ if bytes.iter().all(|byte| is_latin1_text(*byte)) => "Latin-1?",
        _ => "unknown encoding",
    }
}

fn is_latin1_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e | 0xa0..)
}

/// `line endings CRLF → LF on 12 lines`, for each pair that occurs.
fn changed_endings(old: &[Line<'_>], new: &[Line<'_>]) -> Vec<String> {
    if endings(old) == endings(new) {
        return Vec::new();
    }
    let contents =
        |lines: &[Line<'_>]| lines.iter().map(|line| line.content().to_owned()).collect();
    let (old_contents, new_contents): (Vec<String>, Vec<String>) = (contents(old), contents(new));
    let operations = lines::compare(&old_contents, &new_contents);
    let mut changes = BTreeMap::new();
    for operation in &operations {
        // Lines that are rewritten one for one keep their place, so they count too.
        let (old_range, new_range) = (operation.old_range(), operation.new_range());
        if old_range.len() != new_range.len() {
            continue;
        }
        let pairs = old.get(old_range).into_iter().flatten();
        let pairs = pairs.zip(new.get(new_range).into_iter().flatten());
        for (old, new) in pairs {
            let change = (old.ending(), new.ending());
            if change.0 != change.1 && change.0 != Ending::None && change.1 != Ending::None {
                *changes.entry(change).or_insert(0) += 1;
            }
        }
    }
    let only = operations
        .iter()
        .all(|operation| operation.tag() == DiffTag::Equal);
    let only = if only && !changes.is_empty() {
        "only "
    } else {
        ""
    };
    let said = changes.into_iter().map(|((from, to), count)| {
        let (from, to, lines) = (from.name(), to.name(), count::of(count, "line", "lines"));
        format!("{only}line endings {from} → {to} on {lines}")
    });
    said.collect()
}

/// The endings of a new file, unless all are LF.
fn new_endings(lines: &[Line<'_>]) -> Option<String> {
    let endings = endings(lines);
    let mut named = endings.iter().map(|(ending, count)| {
        format!(
            "{} on {}",
            ending.name(),
            count::of(*count, "line", "lines")
        )
    });
    match endings.keys().collect::<Vec<_>>().as_slice() {
        [] | [Ending::Lf] => None,
        _ => {
            let all: Vec<String> = named.by_ref().collect();
            Some(format!("line endings {}", all.join(", ")))
        }
    }
}

/// How often each ending occurs.
pub(super) fn endings(lines: &[Line<'_>]) -> BTreeMap<Ending, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        if line.ending() != Ending::None {
            *counts.entry(line.ending()).or_insert(0) += 1;
        }
    }
    counts
}

fn changed_mark(old: &[Line<'_>], new: &[Line<'_>]) -> Option<String> {
    match (has_mark(old), has_mark(new)) {
        (false, true) => Some("byte-order mark added".to_owned()),
        (true, false) => Some("byte-order mark removed".to_owned()),
        _ => None,
    }
}

fn changed_end(old: &[Line<'_>], new: &[Line<'_>]) -> Option<String> {
    match (lacks_end(old), lacks_end(new)) {
        (false, true) => Some("newline at the end removed".to_owned()),
        (true, false) if !new.is_empty() => Some("newline at the end added".to_owned()),
        _ => None,
    }
}

fn has_mark(lines: &[Line<'_>]) -> bool {
    lines.first().is_some_and(|line| line.0.starts_with(MARK))
}

fn lacks_end(lines: &[Line<'_>]) -> bool {
    lines
        .last()
        .is_some_and(|line| line.ending() == Ending::None)
}
