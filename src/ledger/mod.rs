//! The append-only, hash-chained log of decisions (skill-loop.md §7). Knows no skill and no
//! conference: a body is a JSON object with names of its owner's choice.
//!
//! Promises: a line is written once, flushed, and never changed; each line vouches for the one
//! before it; what is damaged is named, never repaired by guessing.

mod backwards;
mod check;
mod entry;

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::clock;
use crate::digest;
use crate::disk::log::Appender;
use crate::disk::{Dir, Lock};
use crate::error::{Code, Error, Result};

pub use backwards::Backwards;
pub use check::{Checked, Damage};
pub use entry::{Draft, Entry, Line, SCHEMA};

/// The file's name below `H/lithermes/`.
pub const FILE: &str = "skill-loop-ledger.jsonl";
/// A line longer than this is damage, not data.
pub const MAX_LINE: usize = 4 << 20;
const NOBODY: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The ledger of one home.
#[derive(Debug)]
pub struct Ledger {
    dir: Dir,
}

impl Ledger {
    /// The ledger in `state`, which is `H/lithermes/`. Nothing is opened or made yet.
    pub fn new(state: &Dir) -> Result<Self> {
        Ok(Self {
            dir: state.again()?,
        })
    }

    /// Where it is, for messages.
    pub fn path(&self) -> PathBuf {
        self.dir.path_of(FILE)
    }

    /// The complete lines, last first. A torn last line is left out.
    pub fn backwards(&self) -> Result<Backwards> {
        Backwards::open(&self.dir, FILE)
    }

    /// The last complete line. `LEDGER_DAMAGED` where it does not hash to its own id.
    pub fn last(&self) -> Result<Option<Line>> {
        match self.backwards()?.next_line()? {
            Some(raw) => entry::parse(&raw, &self.path()).map(Some),
            None => Ok(None),
        }
    }

    /// The newest line that `wanted` accepts, looking only at lines that hold `needle`.
    pub fn newest(
        &self,
        needle: &str,
        mut wanted: impl FnMut(&Entry) -> bool,
    ) -> Result<Option<Line>> {
        let finder = memchr::memmem::Finder::new(needle.as_bytes());
        let mut lines = self.backwards()?;
        while let Some(raw) = lines.next_line()? {
            if finder.find(&raw).is_none() {
                continue;
            }
            let line = entry::parse(&raw, &self.path())?;
            if wanted(&line.entry) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The line with this id, or with the only id that begins so. `NOT_FOUND`, `AMBIGUOUS_ID`.
    pub fn find(&self, id: &str) -> Result<Line> {
        let exact = id.len() == 14;
        let needle = format!("\"id\":\"{id}");
        let finder = memchr::memmem::Finder::new(needle.as_bytes());
        let mut lines = self.backwards()?;
        let mut found: Vec<Line> = Vec::new();
        while let Some(raw) = lines.next_line()? {
            if finder.find(&raw).is_none() {
                continue;
            }
            let line = entry::parse(&raw, &self.path())?;
            if line.entry.id.starts_with(id) {
                found.push(line);
            }
            if exact && !found.is_empty() {
                break;
            }
        }
        if found.len() > 1 {
            let ids: Vec<&str> = found.iter().map(|line| line.entry.id.as_str()).collect();
            let text = format!(
                "more than one ledger entry begins with `{}`",
                id.escape_debug()
            );
            return Err(Error::new(Code::AmbiguousId, text).found(ids.join(", ")));
        }
        found.pop().ok_or_else(|| {
            let text = format!("no ledger entry matches `{}`", id.escape_debug());
            Error::new(Code::NotFound, text).hint("lithermes skill-loop log")
        })
    }

    /// Appends one line and flushes it. The lock is the caller's proof that nobody else does.
    pub fn append(&self, _lock: &Lock, draft: Draft) -> Result<Line> {
        let last = self.last()?;
        let mut log = Appender::open(&self.dir, FILE, 0o600)?;
        let now = clock::now();
        let (seq, prev, at) = match &last {
            Some(line) => (
                line.entry.seq + 1,
                line.digest.clone(),
                now.max(line.entry.at),
            ),
            None => (1, NOBODY.to_owned(), now),
        };
        let entry = Entry::new(draft, seq, prev, at);
        let mut bytes = digest::canonical(&entry);
        let digest = digest::sha256_hex(&bytes);
        bytes.push(b'\n');
        log.append(&bytes)?;
        Ok(Line { entry, digest })
    }

    /// How many bytes stand after the last line feed: a line that was not finished.
    pub fn torn(&self) -> Result<u64> {
        Ok(self.backwards()?.torn())
    }

    /// Moves a torn last line into a file beside the ledger and cuts it off. Its name, or `None`
    /// where the ledger ends with a line feed.
    pub fn set_torn_aside(&self, _lock: &Lock) -> Result<Option<String>> {
        let torn = self.torn()?;
        if torn == 0 {
            return Ok(None);
        }
        let mut log = Appender::open(&self.dir, FILE, 0o600)?;
        log.set_aside(&self.dir, torn).map(Some)
    }

    /// `FOREIGN_STATE` where the file is something else than our ledger; reads only its head.
    pub fn refuse_foreign(&self) -> Result<()> {
        check::refuse_foreign(&self.dir, FILE)
    }

    /// Reads every line from the first, checks chain, sequence and ids, and hands each entry to
    /// `visit`. Stops at the first line that does not hold.
    pub fn check(&self, visit: &mut dyn FnMut(&Line)) -> Result<Checked> {
        check::run(&self.dir, FILE, visit)
    }

    /// Reads lines from the end, newest first, until `visit` breaks or the first is read; `false`
    /// where one does not hold, or does not go on with the one before it. What lies before the line
    /// at which it broke off is [`Ledger::check`]'s to prove.
    pub fn check_end(&self, visit: &mut dyn FnMut(&Line) -> ControlFlow<()>) -> Result<bool> {
        let mut lines = self.backwards()?;
        check::end(&mut lines, &self.path(), visit)
    }
}

/// A ledger that does not hold, with the line (from 1, where it is known).
fn damaged(path: &std::path::Path, what: impl std::fmt::Display) -> Error {
    Error::new(
        Code::LedgerDamaged,
        format!("the ledger is damaged: {what}: {}", path.display()),
    )
    .hint("lithermes skill-loop verify")
    .hint("restore the file from a backup; nothing was written")
}

#[cfg(test)]
mod tests;
