//! Artifacts three ways: as the events make them, as they were recorded, and as they are there.

use super::{Against, Difference, NOT_REPLAYED};
use crate::conference::artifacts::{self, Artifact, Edition};
use crate::digest;
use crate::disk::Dir;
use crate::engine::event::Event;
use crate::engine::journal::Heard;
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
    /// The last one: its path, and what was recorded of it before.
    last: Option<(String, Option<String>)>,
    /// No other line stands behind it.
    is_open: bool,
}

impl Written {
    pub(super) fn hear(&mut self, heard: &Heard<'_>) {
        let Event::ArtifactWritten { path, .. } = &heard.line.event else {
            self.is_open = false;
            return;
        };
        if !self.is_open {
            self.from = Some(heard.before.clone());
        }
        let before = heard.before.artifacts.get(path).cloned();
        self.last = Some((path.clone(), before));
        self.is_open = true;
    }

    /// Whether the go may not be over and its last file not be there yet: a crash came, and then
    /// nothing, or somebody who only accounted for what was out.
    fn may_be_cut_off(&self, state: &State) -> bool {
        let stop = state.stop.as_ref();
        self.is_open || stop.is_some_and(|stop| stop.check.starts_with(NOT_REPLAYED))
    }
}

/// Compares them; what cannot be rendered is compared as it was recorded.
pub(super) fn compare(
    root: &Dir,
    state: &State,
    written: &Written,
    against: Against<'_>,
) -> Result<Vec<Difference>> {
    let rendered = rendered(state, written, against);
    let mut differences = Vec::new();
    for artifact in &rendered {
        let expected = digest::sha256_hex(&artifact.bytes);
        let found = state.artifacts.get(&artifact.path);
        if found != Some(&expected) {
            let what = "what was recorded of it, against what the events make".to_owned();
            let found = found.cloned();
            differences.push(differs(&artifact.path, what, expected, found));
        }
    }
    for (path, recorded) in &state.artifacts {
        let there = root.read(path, BYTES)?.map(|content| content.bytes);
        let found = there.as_deref().map(digest::sha256_hex);
        if found.as_ref() == Some(recorded) || is_under_way(written, state, path, found.as_ref()) {
            continue;
        }
        let made = rendered.iter().find(|artifact| artifact.path == *path);
        let made = made.filter(|artifact| digest::sha256_hex(&artifact.bytes) == *recorded);
        differences.push(match (made, &there) {
            (Some(made), Some(there)) => first_line(made, there),
            _ => differs(path, "the file".to_owned(), recorded.clone(), found),
        });
    }
    Ok(differences)
}

fn rendered(state: &State, written: &Written, against: Against<'_>) -> Vec<Artifact> {
    // Who cancels where no runner is writes no report.
    let stop = state
        .stop
        .as_ref()
        .filter(|_| state.artifacts.contains_key(REPORT));
    let stop = stop.or(against.stop);
    let from = match (stop, &written.from) {
        _ if written.may_be_cut_off(state) && against.stop.is_none() => None,
        (Some(_), _) => Some(state),
        (None, from) => from.as_ref(),
    };
    let (Some(terms), Some(from)) = (against.terms, from) else {
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

/// The line stands before the file: a crash between the two left what was there before.
fn is_under_way(written: &Written, state: &State, path: &str, found: Option<&String>) -> bool {
    let last = written
        .last
        .as_ref()
        .filter(|_| written.may_be_cut_off(state));
    // What was there before the first one, nobody recorded.
    last.is_some_and(|(last, before)| {
        last == path && (before.is_none() || before.as_ref() == found)
    })
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
