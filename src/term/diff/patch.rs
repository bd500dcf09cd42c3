//! The diff that programs read: what `git apply` and `patch` accept.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use similar::{DiffOp, DiffTag};

use super::lines::{self, Ends, Line};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// See [`super::unified`].
pub(super) fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    if before == after {
        return String::new();
    }
    let old_name = name("a", path, before.is_some());
    let new_name = name("b", path, after.is_some());
    let Some((old, new)) = super::texts(before, after) else {
        return format!("Binary files {old_name} and {new_name} differ\n");
    };
    let old = lines::split(old, Ends::Lf);
    let new = lines::split(new, Ends::Lf);
    let tab = |name: &str| if name.contains(' ') { "\t" } else { "" };
    let mut text = format!(
        "--- {old_name}{}\n+++ {new_name}{}\n",
        tab(&old_name),
        tab(&new_name)
    );
    for hunk in similar::group_diff_ops(lines::compare(&old, &new), CONTEXT) {
        write_hunk(&mut text, &hunk, &old, &new);
    }
    text
}

fn write_hunk(text: &mut String, hunk: &[DiffOp], old: &[Line<'_>], new: &[Line<'_>]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let old_span = span(first.old_range().start..last.old_range().end);
    let new_span = span(first.new_range().start..last.new_range().end);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "@@ -{old_span} +{new_span} @@");
    for operation in hunk {
        if operation.tag() == DiffTag::Equal {
            write_lines(text, ' ', old.get(operation.old_range()));
        } else {
            write_lines(text, '-', old.get(operation.old_range()));
            write_lines(text, '+', new.get(operation.new_range()));
        }
    }
}

fn write_lines(text: &mut String, sign: char, lines: Option<&[Line<'_>]>) {
    for line in lines.unwrap_or_default() {
        text.push(sign);
        text.push_str(line.0);
        if !line.0.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// `first,count`; no lines are said to lie after the line before them.
fn span(range: Range<usize>) -> String {
    let first = if range.is_empty() {
        range.start
    } else {
        range.start + 1
    };
    format!("{first},{}", range.len())
}

/// `a/path`, quoted as git does where it must be, or `/dev/null`.
fn name<'a>(side: &str, path: &str, exists: bool) -> Cow<'a, str> {
    if !exists {
        return Cow::Borrowed("/dev/null");
    }
    let is_plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    if path.chars().all(is_plain) {
        return Cow::Owned(format!("{side}/{path}"));
    }
    let mut quoted = format!("\"{side}/");
    for byte in path.bytes() {
        let _ = match byte {
            b'"' | b'\\' => write!(quoted, "\\{}", char::from(byte)),
            0x20..=0x7e => write!(quoted, "{}", char::from(byte)),
            other => write!(quoted, "\\{other:03o}"),
        };
    }
    quoted.push('"');
    Cow::Owned(quoted)
}
