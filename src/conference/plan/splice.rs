//! The three places of a `conference.md` that a conference may write (conference.md A6, B 1.5).
//!
//! Promises: only the bytes of that place change, and what stands elsewhere reads as before; a
//! text that would reach beyond its place is refused.

use std::ops::Range;

use super::document::{Document, Part, Section};
use super::key::Key;
use super::lines::Kind;
use super::sheet::Sheet;

impl Document {
    /// The text with this one under Shared Knowledge; markers in comments above it stay. `None`
    /// where it would not read back from there, or reach beyond its section.
    pub fn with_knowledge(&self, text: &str) -> Option<String> {
        self.with_section(Part::SharedKnowledge, text)
    }

    /// The text with this one under Conference Log; markers in comments above it stay. `None`
    /// where it would not read back from there, or reach beyond its section.
    pub fn with_log(&self, text: &str) -> Option<String> {
        self.with_section(Part::ConferenceLog, text)
    }

    /// The text with this final confirmation, in the field that is there, else in a new one.
    /// `None` where the value would not read back: it is not one line, or nothing.
    pub fn with_confirmation(&self, value: &str) -> Option<String> {
        let field = Sheet::of(self).field(Key::Confirmation).cloned();
        let item = format!("- **Final confirmation:** {value}\n");
        let new = match (field, self.section(Part::Gate)) {
            (Some(field), _) => {
                let before = self.text().get(..field.range.start)?;
                let gap = if before.ends_with([' ', '\t']) {
                    ""
                } else {
                    " "
                };
                self.spliced(field.range, &format!("{gap}{value}"))?
            }
            (None, Some(gate)) => {
                let end = self.content(gate).end;
                self.spliced(end..end, &item)?
            }
            (None, None) => {
                let place = self.place_before_mutable();
                self.with_block(place, &format!("## Pre-Flight Gate\n{item}"))?
            }
        };
        let changed = Self::parse(new);
        let read = Sheet::of(&changed).field(Key::Confirmation).cloned();
        let reads_back = read.is_some_and(|field| field.value == value && !value.is_empty());
        let holds = reads_back && self.agrees_but_for(&changed, Part::Gate);
        holds.then(|| changed.text().to_owned())
    }

    fn with_section(&self, part: Part, text: &str) -> Option<String> {
        let text = text.trim().replace("\r\n", "\n");
        let new = match self.section(part) {
            Some(section) => {
                let content = self.content(section);
                let rest = self.text().get(content.end..)?;
                let gap = if begins_blank(rest) { "" } else { "\n" };
                let body = if text.is_empty() { "" } else { "\n" };
                self.spliced(content, &format!("{body}{text}{body}{gap}"))?
            }
            None if part == Part::ConferenceLog => {
                let block = format!("---\n\n## Conference Log\n\n{text}\n");
                self.with_block(self.text().len(), &block)?
            }
            None => {
                let block = format!("## {}\n\n{text}\n", part.heading());
                self.with_block(self.place_before_mutable(), &block)?
            }
        };
        let changed = Self::parse(new);
        let times = |document: &Self| {
            let all = document.sections().iter();
            all.filter(|section| section.part == part).count()
        };
        let is_one = times(&changed) == times(self).max(1);
        let reads_back = changed.says(part)? == text;
        let holds = is_one && reads_back && self.agrees_but_for(&changed, part);
        holds.then(|| changed.text().to_owned())
    }

    /// What stands in a section, with line feeds.
    fn says(&self, part: Part) -> Option<String> {
        let content = self.content(self.section(part)?);
        let text = self.text().get(content)?;
        Some(text.trim().replace("\r\n", "\n"))
    }

    /// Bytes from behind the heading and the comments under it to the end of the last line of
    /// text; the rule before the next section is none of it.
    fn content(&self, section: &Section) -> Range<usize> {
        let mut start = section.body.start;
        let mut end = None;
        for line in self.lines(section) {
            if line.kind == Kind::Comment && end.is_none() {
                start = line.next;
            } else if !line.is_blank() && !line.is_rule() {
                end = Some(line.next);
            }
        }
        start..end.unwrap_or(start)
    }

    /// Before the sections that the root writes and the rule that precedes them; the end of the
    /// text where there is none.
    fn place_before_mutable(&self) -> usize {
        let all = self.sections();
        let Some(at) = all.iter().position(|section| section.part.is_mutable()) else {
            return self.text().len();
        };
        match at.checked_sub(1).and_then(|before| all.get(before)) {
            Some(before) => self.content(before).end,
            None => all.get(at).map_or(0, |section| section.start),
        }
    }

    /// The text with a block of lines between blank lines.
    fn with_block(&self, at: usize, block: &str) -> Option<String> {
        let (before, after) = self.text().split_at_checked(at)?;
        let is_apart = before.is_empty() || before.ends_with("\n\n") || before.ends_with("\n\r\n");
        let lead = if is_apart { "" } else { "\n" };
        let gap = if begins_blank(after) { "" } else { "\n" };
        self.spliced(at..at, &format!("{lead}{block}{gap}"))
    }

    /// The text with these bytes replaced by lines in the line ending of the document; a line
    /// that was not ended is ended first.
    fn spliced(&self, range: Range<usize>, new: &str) -> Option<String> {
        let text = self.text();
        let (before, after) = (text.get(..range.start)?, text.get(range.end..)?);
        let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let is_open = new.ends_with('\n') && !before.is_empty() && !before.ends_with('\n');
        let lead = if is_open { ending } else { "" };
        Some([before, lead, &new.replace('\n', ending), after].concat())
    }

    /// The same sections with the same text, but for this one.
    fn agrees_but_for(&self, other: &Self, part: Part) -> bool {
        let outline = |document: &Self| {
            let sections = document.sections().iter();
            let kept = sections.filter(|section| section.part != part);
            let texts = kept.map(|section| (section.name.clone(), document.prose(section)));
            (document.preamble(), texts.collect::<Vec<_>>())
        };
        outline(self) == outline(other)
    }
}

fn begins_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with(['\n', '\r'])
}
