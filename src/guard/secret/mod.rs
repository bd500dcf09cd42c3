//! Credential shapes: found to refuse, found to redact (conference.md §8).
//!
//! Promises: linear time; a finding names class and place, never the value; redaction leaves
//! nothing of a value behind and is idempotent.

use std::borrow::Cow;
use std::ops::Range;

mod bare;
mod harmless;
mod marks;
mod pair;
#[cfg(test)]
pub(crate) mod samples;
mod token;
mod uri;

pub use marks::new_marks;

/// How sure a finding has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Refuse a document: only shapes that ordinary prose does not have.
    Reject,
    /// Redact for reading: every class.
    Redact,
}

/// A credential-shaped piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The class's name, for messages (`GitHub token`).
    pub class: &'static str,
    /// Byte range of the value.
    pub range: Range<usize>,
}

/// What replaces a value.
pub const MARK: &str = "[REDACTED_SECRET]";

/// Every credential-shaped piece of `text`, by place, without overlaps. Where classes overlap the
/// finding covers all of them and bears the name of the first in the order of the passes: token
/// shapes, key and value, user-info of a URI. Hidden characters inside a credential hide nothing.
pub fn find(text: &str, strength: Strength) -> Vec<Finding> {
    let mut passes = scan(text, strength);
    if let Some(bare) = bare::Bare::of(text) {
        passes.extend(
            scan(&bare.text, strength)
                .into_iter()
                .map(|finding| Finding {
                    range: bare.whole(&finding.range),
                    ..finding
                }),
        );
    }
    merge(passes)
}

/// What each pass finds, in the order of the passes. What is refused is redacted, by construction:
/// a value that holds another key has two ends, and each strength sees only one of them.
fn scan(text: &str, strength: Strength) -> Vec<Finding> {
    let mut passes = Vec::new();
    token::scan(text, strength, &mut passes);
    pair::scan(text, strength, &mut passes);
    uri::scan(text, strength, &mut passes);
    if strength == Strength::Redact {
        passes.extend(scan(text, Strength::Reject));
    }
    passes
}

/// Rounds of redaction, at most. One is enough for all but pathological text, where a mark makes
/// a new shape with what stood beside the value (`//[REDACTED_SECRET]-@`).
const ROUNDS: usize = 4;

/// `text` with every finding of strength *redact* replaced by [`MARK`].
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut safe = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        let findings = find(&safe, Strength::Redact);
        if findings.is_empty() {
            break;
        }
        safe = Cow::Owned(cover(&safe, &findings));
    }
    safe
}

fn cover(text: &str, findings: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for finding in findings {
        out.push_str(slice(text, from..finding.range.start));
        out.push_str(MARK);
        from = finding.range.end;
    }
    out.push_str(slice(text, from..text.len()));
    out
}

/// Joins findings that overlap or touch, which arrive in the order of the passes.
fn merge(found: Vec<Finding>) -> Vec<Finding> {
    let mut ranked: Vec<(usize, Finding)> = found.into_iter().enumerate().collect();
    ranked.sort_by_key(|(rank, finding)| (finding.range.start, *rank));
    let mut merged: Vec<(usize, Finding)> = Vec::with_capacity(ranked.len());
    for (rank, finding) in ranked {
        match merged.last_mut() {
            Some((first, last)) if finding.range.start <= last.range.end => {
                last.range.end = last.range.end.max(finding.range.end);
                if rank < *first {
                    (*first, last.class) = (rank, finding.class);
                }
            }
            _ => merged.push((rank, finding)),
        }
    }
    merged.into_iter().map(|(_, finding)| finding).collect()
}

/// A part of `text`. All scanners cut at ASCII bytes or at borders of characters; the empty
/// string stands for a cut that is neither, so that no input can panic.
fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// The byte before `at`.
fn before(bytes: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1)
        .and_then(|index| bytes.get(index))
        .copied()
}

/// The first place from `from` on whose byte is not `wanted`.
fn skip(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .position(|byte| !wanted(*byte))
        .unwrap_or(rest.len())
}

/// A quotation mark with the backslashes before it, as nested JSON has them: `"`, `\"`, `\\\"`.
struct Quote<'a>(&'a [u8]);

impl<'a> Quote<'a> {
    /// The quotation mark that begins at `at`, and the place after it.
    fn open(bytes: &'a [u8], at: usize) -> Option<(Self, usize)> {
        let mark = skip(bytes, at, |byte| byte == b'\\');
        matches!(bytes.get(mark), Some(b'"' | b'\'' | b'`'))
            .then(|| (Self(bytes.get(at..=mark).unwrap_or_default()), mark + 1))
    }

    /// The quotation mark that ends right before `at`.
    fn ending(bytes: &'a [u8], at: usize) -> Option<Self> {
        let mark = at.checked_sub(1)?;
        matches!(bytes.get(mark), Some(b'"' | b'\'' | b'`')).then(|| {
            let head = bytes.get(..mark).unwrap_or_default();
            let slashes = head
                .iter()
                .rev()
                .take(16)
                .take_while(|byte| **byte == b'\\')
                .count();
            Self(bytes.get(mark - slashes..=mark).unwrap_or_default())
        })
    }

    /// Where the text that begins at `from` is closed: before the same mark behind the same
    /// number of backslashes, or at the end of the line.
    fn close(&self, bytes: &[u8], from: usize) -> usize {
        let mark = self.0.last().copied().unwrap_or(b'"');
        let mut slashes = 0;
        for (offset, byte) in bytes.get(from..).unwrap_or_default().iter().enumerate() {
            let at = from + offset;
            match *byte {
                b'\\' => slashes += 1,
                b'\n' => return at,
                byte if byte == mark && slashes < self.0.len() => return at - slashes,
                _ => slashes = 0,
            }
        }
        bytes.len()
    }
}

#[cfg(test)]
mod tests;
