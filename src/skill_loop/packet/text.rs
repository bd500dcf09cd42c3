//! A file of a skill, verbatim: what a patch copies its `oldString` from.
//!
//! Promises: a line without a mark is a line of the file, byte for byte, so that any part of it
//! occurs there; what had to be redacted or made visible is marked. Only whole sections are cut.

use super::fence::Fence;
use crate::count;
use crate::guard::{secret, text};

/// What follows a line that is not shown as it is.
const MARK: &str = " <<< NOT PATCHABLE: ";

/// A text file, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verbatim {
    /// Runs of lines that stay or go as one, as they are shown.
    sections: Vec<String>,
    /// What has to be known about its line ends.
    endings: Vec<&'static str>,
}

impl Verbatim {
    /// Redacts the whole file first, then takes it apart. `is_markdown`: headings begin sections.
    pub(super) fn of(raw: &str, is_markdown: bool) -> Self {
        let safe = secret::redact(raw);
        let mut lines: Vec<&str> = safe.split('\n').collect();
        // What follows the last line feed is no line where it is empty.
        lines.pop_if(|last| last.is_empty());
        let starts = match is_markdown {
            true => section_starts(&lines),
            false => vec![0],
        };
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let sections = starts.iter().zip(ends).map(|(start, end)| {
            let lines = lines.get(*start..end).unwrap_or_default();
            lines.iter().map(|line| shown(line)).collect::<String>()
        });
        Self {
            sections: sections.filter(|section| !section.is_empty()).collect(),
            endings: endings(raw),
        }
    }

    /// What has to be known to copy from it.
    pub(super) fn notes(&self) -> &[&'static str] {
        &self.endings
    }

    /// Everything that is quoted, for the fence.
    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(String::as_str)
    }

    /// How many sections it has.
    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    /// Bytes when nothing is cut but sections of more than `ceiling` bytes.
    pub(super) fn most(&self, ceiling: usize) -> usize {
        let kept: Vec<bool> = self.quoted().map(|text| text.len() <= ceiling).collect();
        let size = |(keeps, run): (bool, &[String])| {
            let bytes: usize = run.iter().map(String::len).sum();
            match keeps {
                true => Fence::COST + bytes,
                false => cut_size((run.len(), bytes)),
            }
        };
        self.runs(&kept).into_iter().map(size).sum()
    }

    /// As many sections as `room` bytes hold, from the first, a section that is too large passed
    /// over; runs of cut ones are named where they stood. Tells how many there are. `None` where
    /// not even that fits.
    pub(super) fn fit(&self, fence: &Fence, room: usize) -> Option<(String, usize)> {
        let kept = self.choose(room)?;
        let drawn = self.runs(&kept).into_iter().map(|(keeps, run)| {
            let body = run.concat();
            match keeps {
                true => fence.quote(&body),
                false => cut(run.len(), body.len()),
            }
        });
        let shown = kept.iter().filter(|kept| **kept).count();
        Some((drawn.collect(), shown))
    }

    /// Sections in a row that stay, or that go.
    fn runs(&self, kept: &[bool]) -> Vec<(bool, &[String])> {
        let mut rest = self.sections.as_slice();
        let runs = kept.chunk_by(|one, next| one == next).map(|run| {
            let (run_of, after) = rest.split_at(run.len());
            rest = after;
            (run.first() == Some(&true), run_of)
        });
        runs.collect()
    }

    /// Which sections stay. At each step the rest counts as cut, so that the sum always fits.
    fn choose(&self, room: usize) -> Option<Vec<bool>> {
        let sizes: Vec<usize> = self.quoted().map(str::len).collect();
        let mut kept = vec![false; sizes.len()];
        // Bytes of the closed runs; the open run of cut sections; the rest.
        let (mut closed, mut open) = (0, (0, 0));
        let mut rest = (sizes.len(), sizes.iter().sum::<usize>());
        if cut_size(rest) > room {
            return None;
        }
        for (at, size) in sizes.iter().enumerate() {
            rest = (rest.0 - 1, rest.1 - size);
            let begins = at == 0 || !kept[at - 1];
            let cost = closed + cut_size(open) + if begins { Fence::COST } else { 0 } + size;
            // The rest goes on in the same fence, or is cut.
            if cost + cut_size(rest).min(rest.1) <= room {
                kept[at] = true;
                (closed, open) = (cost, (0, 0));
            } else {
                open = (open.0 + 1, open.1 + size);
            }
        }
        Some(kept)
    }
}

/// What says that sections are missing.
fn cut(sections: usize, bytes: usize) -> String {
    let sections = count::of(sections, "section", "sections");
    let bytes = count::of(bytes, "byte", "bytes");
    format!("[cut to fit: {sections}, {bytes}]\n")
}

fn cut_size((sections, bytes): (usize, usize)) -> usize {
    match sections {
        0 => 0,
        _ => cut(sections, bytes).len(),
    }
}

/// A line as it is shown. A carriage return before the line feed is told once for the whole file.
fn shown(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let visible = text::block(line);
    let hidden = visible != line;
    let redacted = line.contains(secret::MARK);
    match (redacted, hidden) {
        (false, false) => format!("{line}\n"),
        (true, _) => format!("{visible}{MARK}redacted\n"),
        (false, true) => format!("{visible}{MARK}invisible characters are shown as escapes\n"),
    }
}

fn endings(raw: &str) -> Vec<&'static str> {
    let feeds = raw.matches('\n').count();
    let pairs = raw.matches("\r\n").count();
    let mut notes = Vec::new();
    if pairs > 0 && pairs == feeds {
        notes.push(r"every line ends in \r\n: write it so where a string spans lines");
    } else if pairs > 0 {
        notes.push("line ends are mixed: let no string span lines");
    }
    if !raw.is_empty() && !raw.ends_with('\n') {
        notes.push("no line break after the last line");
    }
    notes
}

/// Where sections begin: at the first line, after a frontmatter, at headings outside of code.
fn section_starts(lines: &[&str]) -> Vec<usize> {
    let body = after_frontmatter(lines);
    let mut starts = vec![0];
    let mut code: Option<&str> = None;
    for (at, line) in lines.iter().enumerate().skip(body) {
        let line = line.trim_end();
        match (code, code_fence(line)) {
            (None, Some(fence)) => code = Some(fence),
            (Some(open), Some(fence)) if fence.starts_with(open) && line.trim_start() == fence => {
                code = None;
            }
            _ => {}
        }
        if at > 0 && (at == body || code.is_none() && is_heading(line)) {
            starts.push(at);
        }
    }
    starts
}

/// The number of lines up to the text behind a frontmatter; 0 where there is none.
fn after_frontmatter(lines: &[&str]) -> usize {
    let is_fence = |line: &&str| line.trim_end() == "---";
    let opens = lines
        .first()
        .map(|first| first.trim_start_matches('\u{feff}'));
    if !opens.is_some_and(|first| is_fence(&first)) {
        return 0;
    }
    let Some(closing) = lines.iter().skip(1).position(is_fence) else {
        return 0;
    };
    let rest = lines.iter().skip(closing + 2);
    closing + 2 + rest.take_while(|line| line.trim().is_empty()).count()
}

/// The run of backticks or tildes that a line of code begins or ends with.
fn code_fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    line.get(..length).filter(|fence| fence.len() >= 3)
}

fn is_heading(line: &str) -> bool {
    let after = line.trim_start_matches('#');
    let level = line.len() - after.len();
    (1..=6).contains(&level) && (after.is_empty() || after.starts_with([' ', '\t']))
}
