//! `researcher_<ID>_results.tsv` in the four shapes that bear this name (conference.md B 2.2):
//! with and without `evaluator_source`, in the layout of the conference's file, and a survey's.

use super::results;
use super::sheet::Sheet;
use super::{Note, Read, text};
use crate::conference::artifacts::record::Record;
use crate::engine::id::Lane;

/// Headings of a lane's measurements.
const MEASURED: [&str; 3] = ["iteration", "metric_value", "status"];
/// Headings of a survey.
const SURVEY: [&str; 3] = ["category", "title", "year"];

/// What such a file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneFile {
    /// Measurements. An iteration that does not go on begins a new round.
    Records(Read<Record>),
    /// Sources of a survey.
    Papers(Read<Paper>),
}

/// A source, as a survey's lane notes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// Which category of the taxonomy.
    pub category: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub authors: String,
    /// When it appeared, as it is written.
    pub year: String,
    /// Where it appeared.
    pub venue: String,
    /// What it is about.
    pub summary: String,
    /// What it found.
    pub key_findings: String,
    /// How well it covers its category, as it is written.
    pub coverage_score: String,
}

/// Reads a lane's file by its headings. `Err`: they are none of the four.
pub fn read(bytes: &[u8], lane: Lane) -> Result<LaneFile, Note> {
    let sheet = Sheet::read(text(bytes)?)?;
    if results::is_conference(&sheet) {
        return Ok(LaneFile::Records(results::rows(&sheet)));
    }
    if sheet.has(&MEASURED) {
        return Ok(LaneFile::Records(measured(&sheet, lane)));
    }
    if sheet.has(&SURVEY) {
        return Ok(LaneFile::Papers(papers(&sheet)));
    }
    Err(Note::new(1, "the headings are those of no lane's file"))
}

fn measured(sheet: &Sheet<'_>, lane: Lane) -> Read<Record> {
    let mut read = Read {
        items: Vec::new(),
        notes: Vec::new(),
    };
    let (mut round, mut last) = (1, None);
    for line in sheet.lines() {
        let iteration: Option<u32> = line.cell("iteration").parse().ok();
        // A row that is left out below still tells where a round begins.
        if iteration.is_some_and(|now| last.is_some_and(|last| now <= last)) {
            round += 1;
        }
        last = iteration.or(last);
        let record = results::record(line, round, lane, &mut read.notes);
        read.items.extend(record);
    }
    read
}

fn papers(sheet: &Sheet<'_>) -> Read<Paper> {
    let mut notes = Vec::new();
    let mut items = Vec::new();
    for line in sheet.lines() {
        let cell = |heading| line.cell(heading).to_owned();
        if cell("title").is_empty() {
            notes.push(Note::new(line.number, "no title; the row is left out"));
            continue;
        }
        items.push(Paper {
            category: cell("category"),
            title: cell("title"),
            authors: cell("authors"),
            year: cell("year"),
            venue: cell("venue"),
            summary: cell("summary"),
            key_findings: cell("key_findings"),
            coverage_score: cell("coverage_score"),
        });
    }
    Read { items, notes }
}
