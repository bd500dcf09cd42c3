//! From fields to a draft, section by section, each value checked for itself. What several values
//! must agree on is checked in `rules`.

mod host;
mod lanes;
mod limits;
mod space;
mod stops;
mod success;

use super::document::Part;
use super::draft::Draft;
use super::fault::{Rule, Severity};
use super::key::Key;
use super::reader::Reader;
use super::settings::Mode;
use super::value::{placeholder, word};

/// Words of the goal that make a title.
const TITLE_WORDS: usize = 8;

/// Reads all fields; the faults stay with the reader.
pub(super) fn draft(reader: &mut Reader<'_>) -> Draft {
    let mut draft = Draft {
        goal: reader.need_text(Part::Goal, Rule::V1),
        mode: mode(reader),
        ..Draft::default()
    };
    success::read(reader, &mut draft);
    lanes::read(reader, &mut draft);
    limits::read(reader, &mut draft);
    space::read(reader, &mut draft);
    stops::read(reader, &mut draft);
    host::read(reader, &mut draft);
    let settings = &mut draft.settings;
    settings.current_approach = reader.may_text(Part::CurrentApproach);
    settings.context = reader.text(Part::Context);
    settings.cleanup = reader.text(Part::Cleanup);
    settings.taxonomy = taxonomy(reader, draft.mode);
    settings.title = title(reader, draft.goal.as_deref());
    scaffold(reader);
    draft
}

const MODES: [(&str, Mode); 5] = [
    ("metric", Mode::Metric),
    ("qualitative", Mode::Qualitative),
    ("debate", Mode::Debate),
    ("survey", Mode::Survey),
    ("tournament", Mode::Tournament),
];

/// A field of its section, else the section's first word.
fn mode(reader: &mut Reader<'_>) -> Mode {
    if reader.said(Key::Mode).is_some() {
        return reader.may(Key::Mode, first_word).unwrap_or_default();
    }
    let Some(text) = reader.may_text(Part::Mode) else {
        return Mode::default();
    };
    first_word(&text).unwrap_or_else(|why| {
        reader.fault_of(Rule::V1, Severity::Error, Part::Mode, why);
        Mode::default()
    })
}

fn first_word(text: &str) -> Result<Mode, String> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let marks = ['`', '*', '"', '\'', '.', ',', ';'];
    word::choose(first.trim_matches(marks), &MODES)
}

/// The first heading, else the first words of the goal.
fn title(reader: &mut Reader<'_>, goal: Option<&str>) -> String {
    let heading = reader.sheet.document.title().map(|(line, text)| {
        let named = text.strip_prefix("Conference:").unwrap_or(text);
        (line, named.trim().to_owned())
    });
    if let Some((line, text)) = heading.filter(|(_, text)| !text.is_empty()) {
        if !placeholder::in_value(&text) {
            return text;
        }
        let message = "is still a placeholder; the first words of the goal are taken";
        reader.tell(Rule::V4, Severity::Warning, "Title", line, message);
    }
    let words = goal.unwrap_or_default().split_whitespace();
    words.take(TITLE_WORDS).collect::<Vec<_>>().join(" ")
}

/// Some scaffolds say of themselves, under the title, that they are not filled in.
fn scaffold(reader: &mut Reader<'_>) {
    const STATUS: &str = "scaffold status: incomplete";
    let text = reader.sheet.document.text();
    let head = text.lines().take_while(|line| !line.starts_with("## "));
    let says = |line: &str| line.to_lowercase().contains(STATUS);
    let mut said = head.zip(1..).filter(|(line, _)| says(line));
    if let Some((_, line)) = said.next() {
        let message = "says that the file is incomplete";
        reader.tell(
            Rule::V4,
            Severity::Warning,
            "Scaffold status",
            line,
            message,
        );
    }
}

/// The items of the numbered or dashed list that are filled in.
fn taxonomy(reader: &mut Reader<'_>, mode: Mode) -> Vec<String> {
    let Some(text) = reader.text(Part::Taxonomy) else {
        return Vec::new();
    };
    let listed = text.lines().filter_map(list_item).map(str::to_owned);
    let (filled, left): (Vec<_>, Vec<_>) = listed.partition(|item| !placeholder::in_value(item));
    // A survey without any is told by V14.
    let is_told = mode == Mode::Survey && filled.is_empty();
    if !left.is_empty() && !is_told {
        let message = "still holds placeholders; they count for nothing";
        reader.fault_of(Rule::V4, Severity::Warning, Part::Taxonomy, message);
    }
    filled
}

fn list_item(line: &str) -> Option<&str> {
    let line = line.trim();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = match numbered.len() < line.len() {
        true => numbered.strip_prefix(['.', ')'])?,
        false => line.strip_prefix(['-', '*'])?,
    };
    let item = item.strip_prefix([' ', '\t'])?.trim();
    (!item.is_empty()).then_some(item)
}
