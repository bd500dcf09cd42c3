//! Tab-separated lines below a line of headings.
//!
//! Promises: columns are found by their heading and never by their number.

use super::Note;

/// A file by columns.
pub(super) struct Sheet<'a> {
    headings: Vec<&'a str>,
    lines: Vec<(usize, Vec<&'a str>)>,
}

/// One line of it.
#[derive(Clone, Copy)]
pub(super) struct Line<'a, 'b> {
    /// From 1.
    pub(super) number: usize,
    headings: &'b [&'a str],
    cells: &'b [&'a str],
}

impl<'a> Sheet<'a> {
    /// Line ends with or without carriage return; blank lines are none.
    pub(super) fn read(text: &'a str) -> Result<Self, Note> {
        let lines = (1..).zip(text.split('\n'));
        let lines = lines.map(|(number, line)| (number, line.strip_suffix('\r').unwrap_or(line)));
        let mut lines = lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| (number, line.split('\t').collect::<Vec<_>>()));
        let (_, headings) = lines
            .next()
            .ok_or_else(|| Note::new(1, "the file is empty"))?;
        let headings = headings.into_iter().map(str::trim).collect();
        Ok(Self {
            headings,
            lines: lines.collect(),
        })
    }

    pub(super) fn has(&self, headings: &[&str]) -> bool {
        headings.iter().all(|heading| {
            self.headings
                .iter()
                .any(|own| own.eq_ignore_ascii_case(heading))
        })
    }

    pub(super) fn lines<'b>(&'b self) -> impl Iterator<Item = Line<'a, 'b>> {
        self.lines.iter().map(|(number, cells)| Line {
            number: *number,
            headings: &self.headings,
            cells,
        })
    }
}

impl<'a> Line<'a, '_> {
    /// What stands under a heading, trimmed; empty where nothing does.
    pub(super) fn cell(&self, heading: &str) -> &'a str {
        let column = self
            .headings
            .iter()
            .position(|own| own.eq_ignore_ascii_case(heading));
        let cell = column.and_then(|column| self.cells.get(column));
        cell.map_or("", |cell| cell.trim())
    }

    /// Whether it has a cell for each heading and no more.
    pub(super) fn is_whole(&self) -> bool {
        self.cells.len() == self.headings.len()
    }
}
