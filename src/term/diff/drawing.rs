//! Hunks for a person: two columns of line numbers, context, signs for what is invisible.

use std::fmt::Write as _;

use anstyle::Style;
use similar::{DiffOp, DiffTag};

use super::Bounds;
use super::Counts;
use super::lines::{Ending, Line};
use super::words;
use crate::count;
use crate::guard;
use crate::term::style::{ADDED, FAINT, REMOVED, styled};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// Draws all hunks that the bounds allow, then how much was left out.
pub(super) fn draw(
    into: &mut String,
    old: &[Line<'_>],
    new: &[Line<'_>],
    operations: Vec<DiffOp>,
    bounds: Bounds,
) {
    let Counts { added, removed } = Counts::of(&operations);
    let total = added + removed;
    let mut canvas = Canvas {
        into,
        old,
        new,
        columns: bounds.columns.max(1),
        left: bounds.lines,
        digits: old.len().max(new.len()).max(1).ilog10() as usize + 1,
        draws_endings: draws_endings(old, new),
    };
    for (index, hunk) in similar::group_diff_ops(operations, CONTEXT)
        .iter()
        .enumerate()
    {
        if canvas.left == 0 {
            break;
        }
        if index > 0 {
            canvas.gap();
        }
        canvas.hunk(hunk);
    }
    let shown = bounds.lines - canvas.left;
    if shown < total {
        let total = count::of(total, "changed line", "changed lines");
        let note = format!("showing {shown} of {total}");
        let _ = writeln!(into, "{}", styled(FAINT, &note));
    }
}

/// Endings are drawn when the sides differ in them or one side mixes them.
fn draws_endings(old: &[Line<'_>], new: &[Line<'_>]) -> bool {
    let kinds = |lines| words::endings(lines).into_keys().collect::<Vec<_>>();
    let (old, new) = (kinds(old), kinds(new));
    let differ = old != new && !old.is_empty() && !new.is_empty();
    differ || old.len() > 1 || new.len() > 1
}

/// Where hunks are drawn. Writing to a string cannot fail, so results of it are dropped.
struct Canvas<'a> {
    into: &'a mut String,
    old: &'a [Line<'a>],
    new: &'a [Line<'a>],
    columns: usize,
    /// Changed lines that may still be drawn.
    left: usize,
    digits: usize,
    draws_endings: bool,
}

impl Canvas<'_> {
    fn gap(&mut self) {
        let rule = "┈".repeat(2 * self.digits + 3);
        let _ = writeln!(self.into, "{}", styled(FAINT, &rule));
    }

    fn hunk(&mut self, hunk: &[DiffOp]) {
        for operation in hunk {
            if self.left == 0 {
                return;
            }
            if operation.tag() == DiffTag::Equal {
                self.context(operation);
            } else {
                self.change(operation);
            }
        }
    }

    fn context(&mut self, operation: &DiffOp) {
        let lines = self.old.get(operation.old_range()).unwrap_or_default();
        let numbers = operation.old_range().zip(operation.new_range());
        for (line, (old, new)) in lines.iter().zip(numbers) {
            let text = self.text(*line, 0, false);
            self.line(Some(old), Some(new), ' ', Style::new(), &text);
            self.missing_end(*line);
        }
    }

    /// Lines that go, then those that come. Where not all may be drawn, both get their share.
    fn change(&mut self, operation: &DiffOp) {
        let old = self.old.get(operation.old_range()).unwrap_or_default();
        let new = self.new.get(operation.new_range()).unwrap_or_default();
        let removed = old.len().min(
            self.left
                .saturating_sub(new.len())
                .max(self.left.div_ceil(2)),
        );
        let added = new.len().min(self.left - removed);
        self.left -= removed + added;
        for (index, line) in old.iter().take(removed).enumerate() {
            let from = self.first_shown(old, new, index);
            self.changed_line(Some(operation.old_range().start + index), None, *line, from);
        }
        self.left_out(old.len() - removed, '-');
        for (index, line) in new.iter().take(added).enumerate() {
            let from = self.first_shown(new, old, index);
            self.changed_line(None, Some(operation.new_range().start + index), *line, from);
        }
        self.left_out(new.len() - added, '+');
    }

    /// The byte from which a changed line is drawn: its beginning, or, where lines replace each
    /// other one for one and differ only further on than is shown, a bit before the difference.
    fn first_shown(&self, lines: &[Line<'_>], others: &[Line<'_>], index: usize) -> usize {
        let (Some(line), Some(other)) = (lines.get(index), others.get(index)) else {
            return 0;
        };
        if lines.len() != others.len() {
            return 0;
        }
        let (line, other) = (line.content(), other.content());
        let same = line.chars().zip(other.chars()).take_while(|(a, b)| a == b);
        let (same_chars, same_bytes) = same.fold((0, 0), |(chars, bytes), (character, _)| {
            (chars + 1, bytes + character.len_utf8())
        });
        if same_chars < self.columns {
            return 0;
        }
        let lead = line.get(..same_bytes).unwrap_or_default();
        let lead = lead.char_indices().rev().take(self.columns / 4).last();
        lead.map_or(same_bytes, |(at, _)| at)
    }

    fn changed_line(
        &mut self,
        old: Option<usize>,
        new: Option<usize>,
        line: Line<'_>,
        from: usize,
    ) {
        let (sign, style) = if old.is_some() {
            ('-', REMOVED)
        } else {
            ('+', ADDED)
        };
        let text = self.text(line, from, true);
        self.line(old, new, sign, style, &text);
        self.missing_end(line);
    }

    fn line(
        &mut self,
        old: Option<usize>,
        new: Option<usize>,
        sign: char,
        style: Style,
        text: &str,
    ) {
        let digits = self.digits;
        let number = |index: Option<usize>| match index {
            Some(index) => format!("{:>digits$}", index + 1),
            None => " ".repeat(digits),
        };
        let numbers = styled(FAINT, &format!("{} {}", number(old), number(new)));
        let _ = writeln!(self.into, "{numbers}  {style}{sign}{text}{style:#}");
    }

    /// The line made visible: cut, trailing white space of changed lines as signs, its ending
    /// where endings are drawn.
    fn text(&self, line: Line<'_>, from: usize, is_changed: bool) -> String {
        let content = line.content();
        let rest = content.get(from..).unwrap_or(content);
        let end = rest.char_indices().nth(self.columns).map(|(at, _)| at);
        let shown = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
        let mut text = String::new();
        if from > 0 {
            text.push('…');
        }
        let trimmed = shown.trim_end_matches([' ', '\t']);
        if is_changed && end.is_none() {
            text.push_str(&guard::text::block(trimmed));
            let trailing = shown.get(trimmed.len()..).unwrap_or_default();
            text.extend(trailing.chars().map(|c| if c == ' ' { '␠' } else { '␉' }));
        } else {
            text.push_str(&guard::text::block(shown));
        }
        if let Some(end) = end {
            let more = rest.get(end..).unwrap_or_default().chars().count();
            let more = count::of(more, "more character", "more characters");
            let _ = write!(text, "… ({more})");
        }
        if self.draws_endings {
            text.push_str(line.ending().sign());
        }
        text
    }

    fn missing_end(&mut self, line: Line<'_>) {
        if line.ending() == Ending::None {
            self.remark("\\ no newline at the end");
        }
    }

    fn left_out(&mut self, count: usize, sign: char) {
        if count > 0 {
            self.remark(&format!("{sign} … {count} more"));
        }
    }

    fn remark(&mut self, text: &str) {
        let indent = " ".repeat(2 * self.digits + 3);
        let _ = writeln!(self.into, "{indent}{}", styled(FAINT, text));
    }
}
