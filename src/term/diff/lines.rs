//! Text as lines, and the lines of two texts compared.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp};

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// LF, CRLF and CR: lines as a person sees them.
    Any,
    /// LF alone: lines as patches have them.
    Lf,
}

/// The ending of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    /// The last line, not ended.
    None,
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
    /// Carriage return.
    Cr,
}

impl Ending {
    /// Its name in a sentence.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lf => "LF",
            Self::CrLf => "CRLF",
            Self::Cr => "CR",
        }
    }

    /// Its sign where endings are drawn.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Lf => "␊",
            Self::CrLf => "␍␊",
            Self::Cr => "␍",
        }
    }
}

/// A line with its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Line<'a>(pub(super) &'a str);

impl<'a> Line<'a> {
    /// What stands before the ending.
    pub(super) fn content(self) -> &'a str {
        let end = self.0.len() - self.ending().sign().chars().count();
        self.0.get(..end).unwrap_or(self.0)
    }

    /// What ends it.
    pub(super) fn ending(self) -> Ending {
        match self.0.as_bytes() {
            [.., b'\r', b'\n'] => Ending::CrLf,
            [.., b'\n'] => Ending::Lf,
            [.., b'\r'] => Ending::Cr,
            _ => Ending::None,
        }
    }
}

/// The lines of `text`; together they are the text again.
pub(super) fn split(text: &str, ends: Ends) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_at(first_length(rest.as_bytes(), ends));
        lines.push(Line(line));
        rest = after;
    }
    lines
}

/// The length of the first line, its ending included.
fn first_length(text: &[u8], ends: Ends) -> usize {
    let end = match ends {
        Ends::Lf => memchr::memchr(b'\n', text),
        Ends::Any => memchr::memchr2(b'\n', b'\r', text),
    };
    match end {
        None => text.len(),
        Some(at) if text.get(at..at + 2) == Some(b"\r\n") => at + 2,
        Some(at) => at + 1,
    }
}

/// Lines of both sides together that are searched for the shortest way. Searching noise takes
/// time in proportion to them, about a second for three times as many; no file that a person
/// reads has a change so large.
const SEARCHED: usize = 150_000;

/// What turns the old lines into the new ones: a correct, not always a shortest way. The search
/// accepts a good split after an amount of work that depends on the input alone; between common
/// ends that lie further apart than is searched, everything counts as replaced.
pub(super) fn compare<T: Hash + Eq>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut numbers = HashMap::with_capacity(old.len());
    let mut number = |line| {
        let next = numbers.len();
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(&mut number).collect();
    let new: Vec<usize> = new.iter().map(&mut number).collect();
    if old.len() + new.len() <= SEARCHED {
        return similar::capture_diff_slices(Algorithm::Myers, &old, &new);
    }
    compare_huge(&old, &new)
}

/// Strips the common beginning and end, then searches what is left if that is not too much.
fn compare_huge(old: &[usize], new: &[usize]) -> Vec<DiffOp> {
    let prefix = common(old.iter(), new.iter());
    let old_rest = old.get(prefix..).unwrap_or_default();
    let new_rest = new.get(prefix..).unwrap_or_default();
    let suffix = common(old_rest.iter().rev(), new_rest.iter().rev());
    let (old_len, new_len) = (old_rest.len() - suffix, new_rest.len() - suffix);
    if old_len > 0 && new_len > 0 && old_len + new_len <= SEARCHED {
        return similar::capture_diff_slices(Algorithm::Myers, old, new);
    }
    let operations = [
        DiffOp::Equal {
            old_index: 0,
            new_index: 0,
            len: prefix,
        },
        DiffOp::Replace {
            old_index: prefix,
            old_len,
            new_index: prefix,
            new_len,
        },
        DiffOp::Equal {
            old_index: prefix + old_len,
            new_index: prefix + new_len,
            len: suffix,
        },
    ];
    let is_empty = |op: &DiffOp| op.old_range().is_empty() && op.new_range().is_empty();
    operations.into_iter().filter(|op| !is_empty(op)).collect()
}

fn common<'a>(
    one: impl Iterator<Item = &'a usize>,
    other: impl Iterator<Item = &'a usize>,
) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}
