//! Our folder in a workspace, `W/.hermes/lithermes/`, and what lies directly in it.
//!
//! Promises: no link is followed; what had to be made is known, so that a failure can take exactly
//! that away again; git ignores all of it.

use std::path::{Path, PathBuf};

use crate::disk::log::Appender;
use crate::disk::{Dir, durable};
use crate::error::{Code, Error, Result};

/// From the workspace down.
const PARENTS: [&str; 2] = [".hermes", "lithermes"];
const IGNORE: &str = ".gitignore";
const MODE: u32 = 0o700;

/// Where the folder `name` is, for messages.
pub(super) fn path(workspace: &Path, name: &str) -> PathBuf {
    let ours = PARENTS
        .iter()
        .fold(workspace.to_owned(), |path, part| path.join(part));
    ours.join(name)
}

/// The folder `name`; `None` where it, or something above it, is missing.
pub(super) fn open(workspace: &Path, name: &str) -> Result<Option<Dir>> {
    match Dir::open_root(workspace)? {
        Some(root) => root.descend(&[&PARENTS[..], &[name]].concat().join("/")),
        None => Ok(None),
    }
}

/// A folder that is there, and what was made for it.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) dir: Dir,
    new: Vec<New>,
}

/// A directory that was missing.
#[derive(Debug)]
struct New {
    parent: Dir,
    name: String,
    identity: (u64, u64),
    /// Our `.gitignore` is in it.
    ignored: bool,
}

/// The folder `name`, made with what is missing above it. `NOT_FOUND` where the workspace is
/// gone. What fails takes away again what it made.
pub(super) fn make(workspace: &Path, name: &str) -> Result<Made> {
    let gone = || {
        let text = format!("no workspace at {}", workspace.display());
        Error::new(Code::NotFound, text)
    };
    let mut made = Made {
        dir: Dir::open_root(workspace)?.ok_or_else(gone)?,
        new: Vec::new(),
    };
    match made.fill(name) {
        Ok(()) => Ok(made),
        Err(error) => Err(made.undo(error)),
    }
}

impl Made {
    fn fill(&mut self, name: &str) -> Result<()> {
        let [hidden, ours] = PARENTS;
        self.enter(hidden)?;
        self.enter(ours)?;
        let folder = self.dir.again()?;
        self.enter(name)?;
        // Ours quote sessions: they are not for anybody's commit.
        if folder.stat(IGNORE)?.is_none_or(|stat| stat.size == 0) {
            // Said before it is made: what fails on the way leaves it behind.
            self.new
                .iter_mut()
                .filter(|new| new.name == ours)
                .for_each(|new| new.ignored = true);
        }
        let mut ignore = Appender::open(&folder, IGNORE, 0o600)?;
        if ignore.length() == 0 {
            ignore.append(b"*\n")?;
        }
        Ok(())
    }

    fn enter(&mut self, name: &str) -> Result<()> {
        let (next, made) = self.dir.sub_or_create(name, MODE)?;
        let parent = std::mem::replace(&mut self.dir, next);
        if made {
            self.new.push(New {
                identity: self.dir.identity()?,
                name: name.to_owned(),
                parent,
                ignored: false,
            });
        }
        Ok(())
    }

    /// Whether the innermost directory was missing before.
    pub(super) fn is_new(&self) -> bool {
        let own = self.dir.identity().ok();
        self.new.last().is_some_and(|new| Some(new.identity) == own)
    }

    /// After `error`: takes away the directories that were made here, as far as they are still the
    /// same and nobody put anything into them. Gives the error back, with what else went wrong.
    pub(super) fn undo(self, error: Error) -> Error {
        for new in self.new.into_iter().rev() {
            match new.undo() {
                Ok(true) => {}
                Ok(false) => return error,
                Err(second) => return error.caused_by(format!("and {second}")),
            }
        }
        error
    }
}

impl New {
    /// Whether it is gone.
    fn undo(&self) -> Result<bool> {
        let Some(dir) = self.parent.sub(&self.name)? else {
            return Ok(true);
        };
        if dir.identity()? != self.identity {
            return Ok(false);
        }
        let only_ours = dir
            .entries(2)
            .is_ok_and(|found| found.iter().all(|one| one.name == IGNORE));
        if self.ignored && only_ours {
            durable::remove(&dir, IGNORE)?;
        }
        durable::remove_empty_dir(&self.parent, &self.name)
    }
}
