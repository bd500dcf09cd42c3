//! One row of results as its file has it (conference.md B 2.1, B 2.2).
//!
//! Promises: a record takes exactly one line, whatever is in it, and reads back equal
//! ([`crate::conference::history`]).

use jiff::Timestamp;

use super::number::{NONE, optional, percent};
use crate::conference::rounds::judge;
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;
use crate::engine::packet::Verdict;
use crate::guard::text;

/// The columns of `conference_results.tsv`.
pub const CONFERENCE: [&str; 11] = [
    "round",
    "researcher",
    "iteration",
    "metric_value",
    "delta",
    "delta_pct",
    "status",
    "description",
    "evaluator_source",
    "peer_review_verdict",
    "timestamp",
];

/// The columns of `researcher_<ID>_results.tsv`.
pub const LANE: [&str; 8] = [
    "iteration",
    "metric_value",
    "delta",
    "delta_pct",
    "status",
    "description",
    "evaluator_source",
    "timestamp",
];

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// From 1.
    pub round: u32,
    /// Whose.
    pub lane: Lane,
    /// From 0, which is where the round began.
    pub iteration: u32,
    /// `None` where it could not be measured.
    pub value: Option<f64>,
    /// Against the row where the round began.
    pub delta: Option<f64>,
    /// The same in percent, with one decimal.
    pub percent: Option<f64>,
    /// What became of it.
    pub status: RowStatus,
    /// What was tried.
    pub description: String,
    /// Who says so.
    pub source: String,
    /// What a review said; never `needs_review`, which is no verdict on a row.
    pub verdict: Option<Verdict>,
    /// When it was recorded; `None` where a file tells no moment.
    pub at: Option<Timestamp>,
}

impl Record {
    /// Its line in the conference's file, without the line feed.
    pub fn conference_line(&self) -> String {
        let verdict = self
            .verdict
            .filter(|verdict| *verdict != Verdict::NeedsReview);
        let own = [
            self.round.to_string(),
            self.lane.to_string(),
            self.iteration.to_string(),
        ];
        let tail = [verdict.map_or(NONE, judge::spelled).to_owned(), self.time()];
        let cells: Vec<String> = own.into_iter().chain(self.middle()).chain(tail).collect();
        cells.join("\t")
    }

    /// Its line in its lane's file, without the line feed.
    pub fn lane_line(&self) -> String {
        let own = [self.iteration.to_string()];
        let cells: Vec<String> = own
            .into_iter()
            .chain(self.middle())
            .chain([self.time()])
            .collect();
        cells.join("\t")
    }

    fn middle(&self) -> [String; 6] {
        [
            optional(self.value),
            optional(self.delta),
            percent(self.percent),
            self.status.as_str().to_owned(),
            cell(&self.description),
            cell(&self.source),
        ]
    }

    fn time(&self) -> String {
        self.at.map_or_else(|| NONE.to_owned(), |at| at.to_string())
    }
}

/// A file of records: headings, then a line each.
pub(super) fn file(headings: &[&str], lines: impl Iterator<Item = String>) -> Vec<u8> {
    let mut text = headings.join("\t");
    for line in lines {
        text.push('\n');
        text.push_str(&line);
    }
    text.push('\n');
    text.into_bytes()
}

/// The text of one cell: a tab or a line break is one space, what hides text is made visible, and
/// what is left empty is [`NONE`].
pub fn cell(text: &str) -> String {
    let breaks = [
        '\t', '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
    ];
    let spaced = text.replace("\r\n", " ").replace(breaks, " ");
    match spaced.trim() {
        "" => NONE.to_owned(),
        trimmed => text::line(trimmed).into_owned(),
    }
}
