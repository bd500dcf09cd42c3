//! The private, content-addressed git repository (store.md §1). The only room that knows gix.
//! Knows no skill: a branch has a name, a commit has files.
//!
//! Promises: an object is flushed before it has its name, a branch moves only by compare-and-swap
//! with git's own lock files, and what is read is hashed again. Stock git can read, check, clone
//! and pack the repository at any time.

mod batch;
mod create;
mod head;
mod read;
mod refs;

use std::path::PathBuf;

use crate::disk::Dir;
use crate::error::{Code, Error, Result};

pub use batch::{Batch, File, Files, Message};
pub use head::head_around;

/// The repository's folder below `H/lithermes/`.
pub const FOLDER: &str = "skill-loop-blobs";
/// A branch has its own folder below this.
const HEADS: &str = "refs/heads";
/// An object larger than this was not written by us.
pub const MAX_OBJECT: u64 = 64 << 20;

/// The name of an object: 40 hex digits.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct ObjectId(String);

impl ObjectId {
    /// The hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name that `bytes` have as a blob, whether or not the store has them.
    pub fn of_blob(bytes: &[u8]) -> Result<Self> {
        batch::hash(gix::objs::Kind::Blob, bytes).map(|id| Self::from(&id))
    }

    fn to_git(&self) -> Result<gix::ObjectId> {
        gix::ObjectId::from_hex(self.0.as_bytes()).map_err(|_| {
            let text = format!("`{}` is no object name", self.0.escape_debug());
            Error::new(Code::StoreDamaged, text).expected("40 hex digits")
        })
    }
}

impl From<&gix::ObjectId> for ObjectId {
    fn from(id: &gix::ObjectId) -> Self {
        Self(id.to_string())
    }
}

impl std::fmt::Display for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The store of one home.
#[derive(Debug)]
pub struct Store {
    repository: gix::Repository,
    dir: Dir,
}

impl Store {
    /// Opens the store in `state`, which is `H/lithermes/`; `None` where there is none yet.
    /// `FOREIGN_STATE` for a folder that is no store of ours, `STORE_DAMAGED` for a broken one.
    pub fn open(state: &Dir) -> Result<Option<Self>> {
        let Some(dir) = state.sub(FOLDER)? else {
            return Ok(None);
        };
        create::refuse_foreign(&dir)?;
        let repository = repository(&dir)?;
        Ok(Some(Self { repository, dir }))
    }

    /// The repository without anything that was read of it so far.
    fn fresh(&self) -> Result<gix::Repository> {
        repository(&self.dir)
    }

    /// Where it is, for messages.
    pub fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    fn objects(&self) -> Result<Dir> {
        let missing = || {
            let text = format!(
                "the store has no objects folder: {}",
                self.dir.path().display()
            );
            Error::new(Code::StoreDamaged, text)
        };
        self.dir.sub("objects")?.ok_or_else(missing)
    }
}

fn repository(dir: &Dir) -> Result<gix::Repository> {
    let options = gix::open::Options::isolated().open_path_as_is(true);
    gix::open_opts(dir.path(), options).map_err(|error| {
        let text = format!("cannot open the store: {}", dir.path().display());
        Error::new(Code::StoreDamaged, text)
            .caused_by(format!("{error:#}"))
            .hint("lithermes doctor")
    })
}

fn damaged(what: impl Into<String>) -> Error {
    Error::new(Code::StoreDamaged, what)
        .hint("lithermes skill-loop verify")
        .hint("restore the store from a backup; nothing was written")
}

#[cfg(test)]
mod tests;
