//! Reading the observations of a workspace back.

use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;

use super::log::{FILE, FOLDER, path};
use super::{Draft, Observation, SCHEMA, SIGNALS, Signal};
use crate::disk::log::OTHERS;
use crate::disk::{Dir, Kind};
use crate::error::{Code, Error, Result};
use crate::skill_loop::folder;

/// Bytes of a log: some ten thousands of long observations.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// A line that is longer is damage: both texts escaped, and room for the rest.
const LONGEST_LINE: usize = 64 << 10;

/// What a log holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// What could be read, oldest first.
    pub observations: Vec<Observation>,
    /// Lines that are no observation, or were altered after they were written.
    pub damaged: usize,
    /// The last line was not finished; it is not there yet.
    pub torn: bool,
    /// Others than the owner may read the log, or write to it.
    pub exposed: bool,
}

/// The observations of a workspace; none where nothing was recorded. Takes no lock: a line that
/// is being written is torn for that moment.
///
/// `UNSAFE_PATH` for a link on the way; `IO_ERROR` for a log above 64 MiB.
pub fn read(workspace: &Path) -> Result<Reading> {
    let Some(dir) = folder::open(workspace, FOLDER)? else {
        return Ok(Reading::default());
    };
    match dir.read(FILE, MOST_BYTES) {
        Ok(None) => Ok(Reading::default()),
        Ok(Some(content)) => Ok(Reading {
            exposed: content.mode & OTHERS != 0,
            ..of_bytes(&content.bytes)
        }),
        Err(_) if is_too_large(&dir) => Err(too_large(workspace)),
        Err(error) => Err(error),
    }
}

fn is_too_large(dir: &Dir) -> bool {
    let log = dir.stat(FILE).ok().flatten();
    log.is_some_and(|log| log.kind == Kind::File && log.size > MOST_BYTES)
}

/// What is not read is not written either.
pub(super) fn too_large(workspace: &Path) -> Error {
    let path = path(workspace);
    let text = format!("a log larger than {MOST_BYTES} bytes: {}", path.display());
    Error::new(Code::Io, text).hint("move the log elsewhere: the next observe begins a new one")
}

/// The observations in the bytes of a log.
pub(super) fn of_bytes(bytes: &[u8]) -> Reading {
    let whole = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    let (lines, torn) = bytes.split_at(whole);
    let mut reading = Reading {
        torn: !torn.is_empty(),
        ..Reading::default()
    };
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        match observation(line) {
            Some(observation) => reading.observations.push(observation),
            None => reading.damaged += 1,
        }
    }
    reading
}

/// A line; older versions wrote five fields and neither schema, id nor time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    schema: Option<String>,
    id: Option<String>,
    at: Option<Timestamp>,
    signal: Signal,
    skill_id: Option<String>,
    observed: String,
    proposal: String,
    applied: bool,
}

fn observation(line: &[u8]) -> Option<Observation> {
    if line.len() > LONGEST_LINE {
        return None;
    }
    let stored: Stored = serde_json::from_slice(line).ok()?;
    if stored.applied || !SIGNALS.contains(&stored.signal) {
        return None;
    }
    let draft = Draft {
        signal: stored.signal,
        skill_id: stored.skill_id.filter(|name| !name.is_empty()),
        observed: stored.observed,
        proposal: stored.proposal,
    };
    match (stored.schema, stored.id, stored.at) {
        (None, None, None) => Some(Observation::new(draft, Timestamp::UNIX_EPOCH)),
        (Some(schema), Some(id), Some(at)) => {
            let observation = Observation::new(draft, at);
            (schema == SCHEMA && id == observation.id).then_some(observation)
        }
        _ => None,
    }
}
