//! A whole run without receipts, read from its folder: results, events, and where they disagree.
//!
//! Promises: reads, and writes nothing; a file that is not there is a note, not a failure.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::convergence;
use super::events::{self, Entry, Iteration, Told};
use super::{Note, Read, results};
use crate::conference::artifacts::record::Record;
use crate::disk::Dir;
use crate::engine::journal::EVENTS;
use crate::error::Result;

/// The results of all lanes, below the root.
pub const RESULTS: &str = "conference_results.tsv";

/// A run as its files tell it.
#[derive(Debug, Default)]
pub struct Files {
    /// The rows of the results.
    pub records: Vec<Record>,
    /// The lines of the events.
    pub events: Vec<Entry>,
    /// When each round ended.
    pub ended: BTreeMap<u32, Timestamp>,
    /// What was odd, by file.
    pub notes: Vec<(&'static str, Note)>,
}

impl Files {
    /// Reads a root.
    pub fn of(root: &Dir) -> Result<Self> {
        let mut notes = Vec::new();
        let records = file(root, RESULTS, results::read, &mut notes)?;
        let events = file(root, EVENTS, events::read, &mut notes)?;
        Ok(Self::told(records, events, notes))
    }

    fn told(records: Vec<Record>, events: Vec<Entry>, notes: Vec<(&'static str, Note)>) -> Self {
        let ends = events.iter().filter_map(|entry| match entry.told {
            Told::RoundCompleted { round } => Some((round, entry.at?)),
            _ => None,
        });
        Self {
            ended: ends.collect(),
            records,
            events,
            notes,
        }
    }

    /// What the rules are asked about.
    pub fn run(&self) -> convergence::Run<'_> {
        convergence::Run {
            records: &self.records,
            began: self.events.first().and_then(|entry| entry.at),
            ended: &self.ended,
        }
    }

    /// The measurements that events tell, each with its line.
    pub fn iterations(&self) -> impl Iterator<Item = (usize, &Iteration)> {
        self.events.iter().filter_map(|entry| match &entry.told {
            Told::Iteration(iteration) => Some((entry.line, iteration)),
            _ => None,
        })
    }

    /// The last round that has a row.
    pub fn last_round(&self) -> u32 {
        let rounds = self.records.iter().map(|record| record.round);
        rounds.max().unwrap_or(0)
    }
}

fn file<T>(
    root: &Dir,
    name: &'static str,
    read: fn(&[u8]) -> Result<Read<T>, Note>,
    notes: &mut Vec<(&'static str, Note)>,
) -> Result<Vec<T>> {
    let Some(content) = root.read(name, super::MAX_BYTES as u64 + 1)? else {
        notes.push((name, Note::new(1, "the file is not there")));
        return Ok(Vec::new());
    };
    let read = read(&content.bytes).unwrap_or_else(|note| Read {
        items: Vec::new(),
        notes: vec![note],
    });
    notes.extend(read.notes.into_iter().map(|note| (name, note)));
    Ok(read.items)
}
