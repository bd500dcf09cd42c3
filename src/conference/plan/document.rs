//! `conference.md` as a text with sections: places are kept, bytes are never changed
//! (conference.md B 1.1).
//!
//! Promises: any text is a document; every byte belongs to one section or to what stands before
//! the first; what is not understood is kept.

use std::ops::Range;

use super::lines::{Kind, Line, Lines, without_comments};
use super::missed::{Meant, Missed, meant};

/// What a section is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// `## Goal`
    Goal,
    /// `## Mode`
    Mode,
    /// `## Success Metric`
    SuccessMetric,
    /// `## Success Criteria`
    SuccessCriteria,
    /// `## Researchers`
    Researchers,
    /// `## Pre-Flight Gate`
    Gate,
    /// `## Search Space`
    SearchSpace,
    /// `## Search Space Partitioning`
    Partitioning,
    /// `### Researcher A Focus`, of that lane
    Focus(char),
    /// `## Parameters`
    Parameters,
    /// `## Guard`
    Guard,
    /// `## Noise Handling`
    Noise,
    /// `## Convergence`
    Convergence,
    /// `## Constraints`
    Constraints,
    /// `## Host`
    Host,
    /// `## Current Approach`
    CurrentApproach,
    /// `## Taxonomy Categories`
    Taxonomy,
    /// `## Context & References`
    Context,
    /// `## Cleanup`
    Cleanup,
    /// `## Shared Knowledge`, which the root writes
    SharedKnowledge,
    /// `## Conference Log`, which the root writes
    ConferenceLog,
    /// Any other; kept as it is.
    Other,
}

const PARTS: [(&str, Part); 22] = [
    ("goal", Part::Goal),
    ("mode", Part::Mode),
    ("success metric", Part::SuccessMetric),
    ("success criteria", Part::SuccessCriteria),
    ("researchers", Part::Researchers),
    ("pre flight gate", Part::Gate),
    ("preflight gate", Part::Gate),
    ("search space", Part::SearchSpace),
    ("search space partitioning", Part::Partitioning),
    ("parameters", Part::Parameters),
    ("guard", Part::Guard),
    ("noise handling", Part::Noise),
    ("convergence", Part::Convergence),
    ("constraints", Part::Constraints),
    ("host", Part::Host),
    ("current approach", Part::CurrentApproach),
    ("taxonomy categories", Part::Taxonomy),
    ("context and references", Part::Context),
    ("context", Part::Context),
    ("cleanup", Part::Cleanup),
    ("shared knowledge", Part::SharedKnowledge),
    ("conference log", Part::ConferenceLog),
];

impl Part {
    fn of(heading: &str) -> Self {
        let name = folded(heading);
        let known = PARTS.iter().find(|(text, _)| *text == name);
        known.map_or_else(|| lane(&name).map_or(Self::Other, Self::Focus), |p| p.1)
    }

    /// The root writes it while a conference runs.
    pub fn is_mutable(self) -> bool {
        matches!(self, Self::SharedKnowledge | Self::ConferenceLog)
    }

    /// Its heading, for messages.
    pub fn heading(self) -> String {
        match self {
            Self::Gate => "Pre-Flight Gate".to_owned(),
            Self::Context => "Context & References".to_owned(),
            Self::Focus(lane) => format!("Researcher {lane} Focus"),
            Self::Other => "another section".to_owned(),
            known => PARTS
                .iter()
                .find(|(_, part)| *part == known)
                .map_or_else(String::new, |(name, _)| title_case(name)),
        }
    }
}

/// The lane of `researcher a focus …`.
fn lane(name: &str) -> Option<char> {
    let rest = name.strip_prefix("researcher ")?;
    let lane = rest.chars().next().filter(char::is_ascii_lowercase)?;
    let behind = rest.get(1..)?.strip_prefix(" focus")?;
    let ends = behind.is_empty() || behind.starts_with([' ', ':', '(']);
    ends.then(|| lane.to_ascii_uppercase())
}

fn title_case(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A heading or label as it is compared: lower case, `_`, `-` and `&` read as words, single
/// spaces, no marks of emphasis, no colon at its end.
pub(super) fn folded(text: &str) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '`' | ':'));
    let mut name = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-')) {
        if word.is_empty() {
            continue;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        match word {
            "&" => name.push_str("and"),
            _ => name.extend(word.chars().flat_map(char::to_lowercase)),
        }
    }
    name.replace('\u{2019}', "'")
}

/// A section: a heading and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is for.
    pub part: Part,
    /// Its heading as it is compared.
    pub name: String,
    /// The line of its heading, from 1.
    pub line: u32,
    /// The byte at which its heading begins.
    pub start: usize,
    /// Bytes of what follows the heading, up to the next one.
    pub body: Range<usize>,
}

/// A whole `conference.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    text: String,
    title: Option<(u32, String)>,
    head: Range<usize>,
    sections: Vec<Section>,
    missed: Vec<Missed>,
}

impl Document {
    /// Finds the sections of a text.
    pub fn parse(text: String) -> Self {
        let mut title = None;
        let mut head = 0..text.len();
        let mut sections: Vec<Section> = Vec::new();
        let mut missed = Vec::new();
        for line in Lines::new(&text, 0, 1) {
            let Some((level, heading)) = Self::heading_of(&line) else {
                continue;
            };
            if level == 1 && title.is_none() && sections.is_empty() {
                title = Some((line.number, heading.to_owned()));
                head.start = line.next;
                continue;
            }
            let part = Part::of(heading);
            let current = sections.last();
            let begins = begins_section(level, part, current);
            if let Some(meant) = misses(level, part, begins, current, heading) {
                let heading = heading.to_owned();
                let line = line.number;
                missed.push(Missed {
                    line,
                    level,
                    heading,
                    meant,
                });
            }
            if !begins {
                continue;
            }
            match sections.last_mut() {
                Some(last) => last.body.end = line.start,
                None => head.end = line.start,
            }
            sections.push(Section {
                part,
                name: folded(heading),
                line: line.number,
                start: line.start,
                body: line.next..text.len(),
            });
        }
        Self {
            text,
            title,
            head,
            sections,
            missed,
        }
    }

    /// The level and text of a heading; a byte-order mark before the first is none of it.
    fn heading_of<'a>(line: &Line<'a>) -> Option<(usize, &'a str)> {
        let text = match line.number {
            1 => line.text.trim_start_matches('\u{feff}'),
            _ => line.text,
        };
        Line { text, ..*line }.heading()
    }

    /// All of it, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and text of the first heading, where it is one of level 1.
    pub(super) fn title(&self) -> Option<(u32, &str)> {
        self.title.as_ref().map(|(line, text)| (*line, &**text))
    }

    /// What stands between the title and the first section.
    pub(super) fn preamble(&self) -> String {
        let text = self.text.get(self.head.clone()).unwrap_or_default();
        prose(Lines::new(text, self.head.start, 1))
    }

    /// The sections in their order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The headings that mean a focus and begin none.
    pub(super) fn missed(&self) -> &[Missed] {
        &self.missed
    }

    /// The first section for this part.
    pub fn section(&self, part: Part) -> Option<&Section> {
        self.sections.iter().find(|section| section.part == part)
    }

    /// The lines of a section.
    pub(super) fn lines(&self, section: &Section) -> Lines<'_> {
        let text = self.text.get(section.body.clone()).unwrap_or_default();
        Lines::new(text, section.body.start, section.line.saturating_add(1))
    }

    /// The text of a section: without comments, without the rule before the next section, line
    /// endings and blank lines as one would type them.
    pub fn prose(&self, section: &Section) -> String {
        prose(self.lines(section))
    }
}

fn begins_section(level: usize, part: Part, current: Option<&Section>) -> bool {
    let inside = current.map(|section| section.part);
    match level {
        1 | 2 => true,
        // The root groups its findings under headings of its own.
        3 if inside.is_some_and(Part::is_mutable) => false,
        3 => matches!(part, Part::Focus(_)) || matches!(inside, Some(Part::Focus(_))),
        _ => false,
    }
}

/// Whether a heading means a focus that nothing reads. What the root writes is about researchers
/// too.
fn misses(
    level: usize,
    part: Part,
    begins: bool,
    current: Option<&Section>,
    heading: &str,
) -> Option<Meant> {
    let is_roots = level > 2 && current.is_some_and(|section| section.part.is_mutable());
    let may_be = match part {
        Part::Focus(_) => !begins,
        Part::Other => true,
        _ => false,
    };
    meant(&folded(heading)).filter(|_| may_be && !is_roots)
}

/// See [`Document::prose`].
pub(super) fn prose<'a>(lines: impl Iterator<Item = Line<'a>>) -> String {
    let mut text = String::new();
    let mut kept = 0;
    let mut blank = false;
    for line in lines.filter(|line| line.kind != Kind::Comment) {
        let clean = match line.kind {
            Kind::Code => line.text.to_owned(),
            _ => without_comments(line.text),
        };
        let clean = clean.trim_end();
        if clean.is_empty() {
            blank = !text.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            text.push('\n');
        }
        text.push_str(clean);
        text.push('\n');
        if !line.is_rule() {
            kept = text.len();
        }
    }
    // Rules at the end separate the section from the next one.
    text.truncate(kept);
    text.truncate(text.trim_end().len());
    text
}
