//! A conference root: the folder of `conference.md` (conference.md A8).
//!
//! Promises: reading makes nothing; below the root no link is followed.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::plan::{self, FILE, FILE_BYTES, Origin, Reading};
use crate::digest;
use crate::disk::Dir;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::skill_loop::workplace::STATE;

/// Where the host looks for skills: a Markdown file anywhere below takes part in that.
const SKILLS: &str = "skills";

/// The events of a run.
const EVENTS: &str = "conference_events.jsonl";

/// Bytes of the first event that are looked at.
const EVENT_BYTES: u64 = 64 << 10;

/// A folder that holds a `conference.md`.
#[derive(Debug)]
pub struct Root {
    dir: Dir,
    path: PathBuf,
}

impl Root {
    /// Opens a folder. `NOT_INITIALISED` where there is none, or no `conference.md` in it.
    pub fn open(path: &Path) -> Result<Self> {
        let missing = || {
            let shown = text::line(&path.to_string_lossy()).into_owned();
            let text = format!("no {FILE} in `{shown}`: it is no conference root");
            let error = Error::new(Code::NotInitialised, text);
            match path.is_file() {
                true => error.hint(format!("name the folder that holds {FILE}")),
                false => error,
            }
        };
        if path.is_file() {
            return Err(missing());
        }
        let dir = Dir::open_root(path)?.ok_or_else(missing)?;
        dir.stat(FILE)?.ok_or_else(missing)?;
        let path = fs_err::canonicalize(path)?;
        Ok(Self { dir, path })
    }

    /// The folder, held open.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The real path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `UNSAFE_PATH` where it is, or lies below, a folder of the home that no conference writes to:
    /// its skills and our own state. Folders are compared by what they are, not by their names.
    pub fn refuse_closed(&self, home: &Path) -> Result<()> {
        let identity = |path: &Path| {
            let found = fs_err::metadata(path).ok()?;
            Some((found.dev(), found.ino()))
        };
        for name in [SKILLS, STATE] {
            let closed = home.join(name);
            let Some(wanted) = identity(&closed) else {
                continue;
            };
            let mut above = self.path.ancestors();
            if above.any(|path| identity(path) == Some(wanted)) {
                return Err(self.lies_in(&closed));
            }
        }
        Ok(())
    }

    fn lies_in(&self, closed: &Path) -> Error {
        let shown = |path: &Path| text::line(&path.to_string_lossy()).into_owned();
        let text = "the conference root lies where no conference may write; nothing was written";
        Error::new(Code::UnsafePath, text)
            .expected(format!("a folder outside {}", shown(closed)))
            .found(shown(&self.path))
            .hint("move the folder out of the Hermes home and run the same command again")
    }

    /// Reads `conference.md`. `INVALID_CONFERENCE` where the file is too large or no text.
    pub fn read(&self) -> Result<Reading> {
        let size = self.dir.stat(FILE)?.map_or(0, |stat| stat.size);
        if size > FILE_BYTES as u64 {
            let text = format!("{FILE} has {size} bytes, more than {FILE_BYTES}");
            return Err(Error::new(Code::InvalidConference, text));
        }
        let content = self.dir.read(FILE, FILE_BYTES as u64)?;
        let bytes = content.map(|content| content.bytes).unwrap_or_default();
        plan::read(bytes, self.origin()?)
    }

    /// The digest of the events of an earlier run. `NOT_FOUND` where there are none.
    pub fn recording(&self) -> Result<String> {
        let Some(mut events) = self.dir.open_file(EVENTS)? else {
            let shown = text::line(&self.path.to_string_lossy()).into_owned();
            let text = format!("no {EVENTS} in `{shown}`: nothing was recorded there");
            return Err(Error::new(Code::NotFound, text));
        };
        digest::sha256_hex_of(&mut events).map_err(Into::into)
    }

    /// A run whose events bear no sequence has no receipts.
    fn origin(&self) -> Result<Origin> {
        let Some(events) = self.dir.open_file(EVENTS)? else {
            return Ok(Origin::New);
        };
        let mut head = Vec::new();
        events.take(EVENT_BYTES).read_to_end(&mut head)?;
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let event: Option<serde_json::Value> = serde_json::from_slice(first).ok();
        Ok(match event {
            Some(serde_json::Value::Object(event)) if !event.contains_key("seq") => Origin::Legacy,
            _ => Origin::New,
        })
    }
}
