//! Artifacts three ways: as the events make them, as they were recorded, and as they are there.

use super::{Against, Difference, NOT_REPLAYED};
use crate::conference::artifacts::{self, Artifact, Edition};
use crate::conference::plan::FILE;
use crate::digest;
use crate::disk::Dir;
use crate::engine::event::{Event, Stop};
use crate::engine::journal::{Announced, Heard, Record};
use crate::engine::state::State;
use crate::error::Result;

/// Bytes of an artifact at most.
const BYTES: u64 = 64 << 20;
/// Written only once it is known how it ended.
const REPORT: &str = "final_report.md";
/// Letters of a line that are shown.
const SHOWN: usize = 160;

/// What was written last. The root writes all artifacts in one go, from one state.
#[derive(Default)]
pub(super) struct Written {
    /// The state that they were made from.
    from: Option<State>,
    /// No other line stands behind the last one.
    is_open: bool,
}

impl Written {
    pub(super) fn hear(&mut self, heard: &Heard<'_>) {
        let is_one = matches!(heard.line.event, Event::ArtifactWritten { .. });
        if is_one && !self.is_open {
            self.from = Some(heard.before.clone());
        }
        self.is_open = is_one;
    }
}

/// What came of the comparison.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) differences: Vec<Difference>,
    /// Of `conference.md`, where a person writes too.
    pub(super) document: Option<Difference>,
    /// What was announced as the last thing, and is what it was before.
    pub(super) unwritten: Option<String>,
}

/// Compares them; what cannot be rendered is compared as it was recorded.
pub(super) fn compare(
    root: &Dir,
    record: &Record,
    written: &Written,
    against: Against<'_>,
) -> Result<Compared> {
    let state = &record.state;
    let rendered = rendered(record, written, against);
    let mut compared = Compared::default();
    for artifact in &rendered {
        let expected = digest::sha256_hex(&artifact.bytes);
        let found = state.artifacts.get(&artifact.path);
        if found != Some(&expected) {
            let what = "what was recorded of it, against what the events make".to_owned();
            let found = found.cloned();
            let one = differs(&artifact.path, what, expected, found);
            compared.differences.push(one);
        }
    }
    for (path, recorded) in &state.artifacts {
        let there = root.read(path, BYTES)?.map(|content| content.bytes);
        let found = there.as_deref().map(digest::sha256_hex);
        if found.as_ref() == Some(recorded) {
            continue;
        }
        let announced = record.announced.as_ref();
        if announced.is_some_and(|one| is_under_way(one, path, found.as_ref())) {
            compared.unwritten = Some(path.clone());
            continue;
        }
        let made = rendered.iter().find(|artifact| artifact.path == *path);
        let made = made.filter(|artifact| digest::sha256_hex(&artifact.bytes) == *recorded);
        let one = match (made, &there) {
            (Some(made), Some(there)) => first_line(made, there),
            _ => differs(path, "the file".to_owned(), recorded.clone(), found),
        };
        match path == FILE {
            true => compared.document = Some(one),
            false => compared.differences.push(one),
        }
    }
    Ok(compared)
}

fn rendered(record: &Record, written: &Written, against: Against<'_>) -> Vec<Artifact> {
    let state = &record.state;
    let has_report = state.artifacts.contains_key(REPORT);
    let from = match (against.stop.or(state.stop.as_ref()), &written.from) {
        (Some(stop), _) if against.stop.is_some() || is_vouched_for(stop) => {
            Some((state, Some(stop)))
        }
        // A crash came before the go was over, or in the end, which nobody knows yet.
        (Some(_), _) => None,
        (None, _) if record.announced.is_some() || has_report => None,
        (None, from) => from.as_ref().map(|from| (from, None)),
    };
    let (true, Some(terms), Some((from, stop))) = (against.renders, against.terms, from) else {
        return Vec::new();
    };
    let edition = Edition {
        title: against.title,
        evaluator: against.evaluator,
        reported: &from.reported,
        stop,
    };
    artifacts::render(terms, from, &edition)
}

fn is_vouched_for(stop: &Stop) -> bool {
    !stop.check.starts_with(NOT_REPLAYED)
}

/// The line stands before the file: a crash between the two left what was there before.
fn is_under_way(announced: &Announced, path: &str, found: Option<&String>) -> bool {
    // Before its first splice conference.md is as a person left it.
    let may_be =
        |before: &Option<String>| before.as_ref() == found || (path == FILE && before.is_none());
    announced.path == path && announced.before.iter().any(may_be)
}

fn differs(path: &str, what: String, expected: String, found: Option<String>) -> Difference {
    Difference {
        file: path.to_owned(),
        line: None,
        what,
        expected,
        found: found.unwrap_or_else(|| "nothing".to_owned()),
    }
}

/// The first line that is another than the events make it.
fn first_line(made: &Artifact, there: &[u8]) -> Difference {
    let made_text = String::from_utf8_lossy(&made.bytes);
    let there_text = String::from_utf8_lossy(there);
    let (mut expected, mut found) = (made_text.split('\n'), there_text.split('\n'));
    let mut number = 0;
    loop {
        number += 1;
        let (one, other) = (expected.next(), found.next());
        if one != other || one.is_none() {
            return Difference {
                file: made.path.clone(),
                line: Some(number),
                what: "the first line that differs".to_owned(),
                expected: shown(one),
                found: shown(other),
            };
        }
    }
}

fn shown(line: Option<&str>) -> String {
    line.map_or_else(
        || "no line".to_owned(),
        |line| line.chars().take(SHOWN).collect(),
    )
}
