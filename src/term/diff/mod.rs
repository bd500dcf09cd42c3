//! A change to a file, drawn for a person: what is shown is what is written.
//!
//! Promises: line endings, the last newline, a byte-order mark, trailing spaces, mode and
//! control characters are drawn or said; huge and binary files are bounded in time and lines;
//! the same bytes always give the same diff (work is bounded by counting, never by a clock).

mod drawing;
mod lines;
mod patch;
#[cfg(test)]
mod tests;
mod words;

use std::fmt::Write as _;

use similar::{DiffOp, DiffTag};

use super::style::{ADDED, REMOVED, STRONG, styled};
use crate::guard;
use lines::Ends;

/// One file's side of a change; `None` for a side means that the file is absent there.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// Permission bits.
    pub mode: u32,
}

/// How much is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Changed lines shown at most; the rest is counted.
    pub lines: usize,
    /// Characters of one line shown at most.
    pub columns: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            lines: 200,
            columns: 500,
        }
    }
}

/// How many lines come and go; a line ends at LF, CRLF or CR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

impl Counts {
    fn of(operations: &[DiffOp]) -> Self {
        let changed = operations.iter().filter(|op| op.tag() != DiffTag::Equal);
        changed.fold(Self::default(), |counts, op| Self {
            added: counts.added + op.new_range().len(),
            removed: counts.removed + op.old_range().len(),
        })
    }
}

/// The diff with ANSI styles, headed by a line that names the file, what happens to it in words
/// (create, modify, delete, mode) and `+N −M`. Foreign text in it is made visible.
pub fn draw(
    path: &str,
    before: Option<Side<'_>>,
    after: Option<Side<'_>>,
    bounds: Bounds,
) -> String {
    let (old, new) = (before.map(|side| side.bytes), after.map(|side| side.bytes));
    let Some((old_text, new_text)) = texts(old, new) else {
        let mut drawn = headline(path, before, after, None);
        drawn.push_str(&words::binary(old, new));
        return drawn;
    };
    let old_lines = lines::split(old_text, Ends::Any);
    let new_lines = lines::split(new_text, Ends::Any);
    let operations = lines::compare(&old_lines, &new_lines);
    let mut drawn = headline(path, before, after, Some(Counts::of(&operations)));
    drawn.push_str(&words::facts(old, new, &old_lines, &new_lines));
    drawing::draw(&mut drawn, &old_lines, &new_lines, operations, bounds);
    drawn
}

/// A plain unified diff with `\ No newline at end of file` marks, for JSON; bytes that are no
/// text give `Binary files … differ`. Unbounded in lines, linear-ish in time. Lines end at LF
/// only, as `git apply` and `patch` have it. Empty when nothing changes.
pub fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    patch::unified(path, before, after)
}

/// Lines that come and go, without drawing; none for bytes that are no text.
pub fn counts(before: Option<&[u8]>, after: Option<&[u8]>) -> Counts {
    let Some((old, new)) = texts(before, after) else {
        return Counts::default();
    };
    let old = lines::split(old, Ends::Any);
    let new = lines::split(new, Ends::Any);
    Counts::of(&lines::compare(&old, &new))
}

/// Both sides as text, an absent one as empty; nothing when one is no text.
fn texts<'a>(before: Option<&'a [u8]>, after: Option<&'a [u8]>) -> Option<(&'a str, &'a str)> {
    let text = |bytes: Option<&'a [u8]>| {
        let text = std::str::from_utf8(bytes.unwrap_or_default()).ok()?;
        memchr::memchr(0, text.as_bytes()).is_none().then_some(text)
    };
    Some((text(before)?, text(after)?))
}

/// `modify SKILL.md  +4 −1  mode 0644 → 0755`
fn headline(
    path: &str,
    before: Option<Side<'_>>,
    after: Option<Side<'_>>,
    counts: Option<Counts>,
) -> String {
    let verb = match (before, after) {
        (None, None) => "absent",
        (None, Some(_)) => "create",
        (Some(_), None) => "delete",
        (Some(old), Some(new)) if old.bytes != new.bytes => "modify",
        (Some(old), Some(new)) if permissions(old) != permissions(new) => "mode",
        (Some(_), Some(_)) => "unchanged",
    };
    let path = guard::text::line(path);
    let mut line = format!("{verb} {}", styled(STRONG, &path));
    if let Some(Counts { added, removed }) = counts
        && matches!(verb, "create" | "modify" | "delete")
    {
        let added = styled(ADDED, &format!("+{added}"));
        let removed = styled(REMOVED, &format!("−{removed}"));
        // Writing to a string cannot fail; so below.
        let _ = write!(line, "  {added} {removed}");
    }
    let _ = match (before.map(permissions), after.map(permissions)) {
        (Some(old), Some(new)) if old != new => write!(line, "  mode {old:04o} → {new:04o}"),
        (None, Some(new)) => write!(line, "  mode {new:04o}"),
        _ => Ok(()),
    };
    line.push('\n');
    line
}

fn permissions(side: Side<'_>) -> u32 {
    side.mode & 0o7777
}
