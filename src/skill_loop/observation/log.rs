//! Appending one observation: folder, lock, line, proof, each step undone when it fails.

use std::path::{Path, PathBuf};

use super::Observation;
use super::reading::{MOST_BYTES, too_large};
use crate::digest;
use crate::disk::log::{Appender, Unwritten};
use crate::disk::{Dir, Kind, Lock, durable};
use crate::error::{Code, Error, Result};
use crate::skill_loop::folder::{self, Made};
use crate::skill_loop::workplace::Workplace;

/// In our folder of the workspace.
pub(super) const FOLDER: &str = "skill-observer";
/// The log in it.
pub(super) const FILE: &str = "observations.jsonl";
const LOCK: &str = "lock";

/// Where the observations of a workspace are.
pub fn path(workspace: &Path) -> PathBuf {
    folder::path(workspace, FOLDER).join(FILE)
}

/// Appends an observation, durably. `waiting` hears who holds the log's lock when the wait becomes
/// noticeable. Gives the name under which a torn last line was set aside, where there was one.
///
/// Any error but these two means that nothing was recorded:
/// `OBSERVER_RECORD_STATE_UNKNOWN` where a line could neither be completed nor taken back, and
/// `OBSERVER_RECORD_COMMITTED_CLEANUP_FAILED` where it is recorded and what came after failed.
pub fn append(
    place: &Workplace,
    observation: &Observation,
    waiting: &mut dyn FnMut(&str),
) -> Result<Option<String>> {
    let workspace = &place.workspace.path;
    let made = folder::make(workspace, FOLDER)?;
    let holder = place.holder("lithermes skill-loop observe");
    let locked = Lock::acquire(&made.dir, LOCK, place.patience, &holder, waiting);
    let lock = match locked {
        Ok(lock) => lock,
        Err(error) => return Err(made.undo(error)),
    };
    let torn = match record(workspace, &made.dir, observation) {
        Ok(torn) => torn,
        Err(error) if error.code() == Code::ObserverRecordStateUnknown => return Err(error),
        Err(error) => return Err(take_back(made, lock, error)),
    };
    // From here on the line is there for good.
    lock.release()
        .map_err(|error| committed(observation, error))?;
    Ok(torn)
}

/// What went wrong after the line was there for good.
pub fn committed(observation: &Observation, error: Error) -> Error {
    let text = format!("{} is recorded, but what came after failed", observation.id);
    error
        .behind(Code::ObserverRecordCommittedCleanupFailed, text)
        .hint("lithermes skill-loop observations   # it is there: do not record it again")
}

/// After `error`, where nothing was recorded: takes log and lock away again if their folder was
/// made here, and then the folder. Under the lock an empty log is nobody's.
fn take_back(made: Made, lock: Lock, error: Error) -> Error {
    if !made.is_new() {
        return error;
    }
    let emptied = || -> Result<bool> {
        match made.dir.stat(FILE)? {
            None => {}
            Some(log) if log.kind == Kind::File && log.size == 0 => {
                durable::remove(&made.dir, FILE)?;
            }
            Some(_) => return Ok(false),
        }
        lock.remove(&made.dir)?;
        Ok(true)
    };
    match emptied() {
        Ok(true) => made.undo(error),
        Ok(false) => error,
        Err(second) => error.caused_by(format!("and {second}")),
    }
}

fn record(workspace: &Path, dir: &Dir, observation: &Observation) -> Result<Option<String>> {
    let mut log = Appender::open(dir, FILE, 0o600)?;
    check_place(workspace, dir, &log)?;
    log.close_to_others()?;
    let torn = match log.torn()? {
        0 => None,
        torn => Some(log.set_aside(dir, torn)?),
    };
    let mut line = digest::canonical(observation);
    line.push(b'\n');
    let before = log.length();
    if before + line.len() as u64 > MOST_BYTES {
        return Err(too_large(workspace));
    }
    match log.append(&line) {
        Ok(()) => {}
        Err(Unwritten::Absent(error)) => return Err(error),
        Err(Unwritten::Unknown(error)) => return Err(unknown(observation, error)),
    }
    let Err(moved) = check_place(workspace, dir, &log) else {
        return Ok(torn);
    };
    match log.cut(before) {
        Ok(()) => Err(moved),
        Err(second) => Err(unknown(
            observation,
            moved.caused_by(format!("and {second}")),
        )),
    }
}

/// `UNSAFE_PATH` where the opened log is no longer what its path leads to, or has a second name.
fn check_place(workspace: &Path, dir: &Dir, log: &Appender) -> Result<()> {
    let refused = |what: &str| {
        let text = format!("{what}: {}", path(workspace).display());
        Error::new(Code::UnsafePath, text)
    };
    let replaced = || refused("the log was replaced meanwhile");
    let again = folder::open(workspace, FOLDER)?.ok_or_else(replaced)?;
    if again.identity()? != dir.identity()? {
        return Err(replaced());
    }
    let stat = again.stat(FILE)?.ok_or_else(replaced)?;
    if stat.identity != log.stat().identity {
        return Err(replaced());
    }
    match stat.links {
        1 => Ok(()),
        count => Err(refused(&format!("the log has {count} names"))),
    }
}

fn unknown(observation: &Observation, error: Error) -> Error {
    let text = format!("whether {} is recorded is not known", observation.id);
    error
        .behind(Code::ObserverRecordStateUnknown, text)
        .hint("lithermes skill-loop observations   # look before you record it again")
}
