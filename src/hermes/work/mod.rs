//! Bounded work of the host, read only (conference.md B 7): which work a worktree has, and what it
//! grants.
//!
//! Promises: nothing is written, locked or repaired; a state that its ledger does not bear out
//! grants nothing; a path is granted as it really is, never as it is spelled.

mod cover;
mod record;
mod spelling;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use self::record::{Prints, State};
use crate::digest;
use crate::disk::{Dir, Kind};
use crate::error::{Code, Error, Result};

/// Where work lies, below a worktree.
const FOLDER: &str = ".hermes/lithermes/work";
/// Entries of that folder at most.
const ENTRIES: usize = 4096;
/// Characters of an id at most.
const ID: usize = 96;

/// What a grant may be for. One does not imply another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Change files.
    Write,
    /// Run a check or a test.
    Measure,
}

impl Action {
    /// The spellings of the host that authorise it.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::Write => &["write"],
            Self::Measure => &["execute-check", "execute-test"],
        }
    }
}

/// What somebody wants to do, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// What.
    pub action: Action,
    /// Where: an absolute path, which need not be there.
    pub target: PathBuf,
}

/// A demand that was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// The id of the grant.
    pub id: String,
    /// SHA-256 of the state that holds it.
    pub digest: String,
}

/// Work of a worktree, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    id: String,
    worktree: PathBuf,
    state: State,
    prints: Prints,
}

/// Whether a text can be an id of the host (B 7.1).
pub fn is_id(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    begins && text.len() <= ID && text.chars().all(is_letter)
}

/// The worktrees that hold this folder and have a place for work, the nearest first. `folder` is a
/// real path.
pub fn worktrees(folder: &Path) -> Vec<PathBuf> {
    let has_work = |above: &&Path| above.join(FOLDER).is_dir();
    let found = folder.ancestors().filter(has_work);
    found.map(Path::to_owned).collect()
}

/// The id of work around a folder that is active, or of which nobody can tell; `None` where there
/// is none. `folder` is a real path.
pub fn active(folder: &Path) -> Option<String> {
    let of = |worktree: PathBuf| match ids(&worktree) {
        Ok(ids) => ids.into_iter().find(|id| is_active(&worktree, id)),
        Err(_) => Some("unreadable".to_owned()),
    };
    worktrees(folder).into_iter().find_map(of)
}

fn is_active(worktree: &Path, id: &str) -> bool {
    match record::read(worktree, id) {
        Ok(Some((state, _))) => state.is_active(),
        Ok(None) => false,
        Err(_) => true,
    }
}

fn ids(worktree: &Path) -> Result<Vec<String>> {
    let Some(root) = Dir::open_root(worktree)? else {
        return Ok(Vec::new());
    };
    let Some(folder) = root.descend(FOLDER)? else {
        return Ok(Vec::new());
    };
    let names = folder.entries(ENTRIES)?.into_iter();
    let names = names.filter(|entry| entry.kind != Kind::File);
    let names = names.filter_map(|entry| entry.name.into_string().ok());
    Ok(names.filter(|name| is_id(name)).collect())
}

impl Work {
    /// Reads the work of this id in the nearest worktree that holds the folder and has it.
    /// `BLOCKED_BOUNDED_AUTHORITY_REQUIRED` where there is none, and where it does not hold.
    pub fn find(folder: &Path, id: &str) -> Result<Self> {
        if !is_id(id) {
            return Err(required(format!("`{id}` is no id of bounded work")));
        }
        let has = |worktree: &&PathBuf| worktree.join(FOLDER).join(id).exists();
        let worktree = worktrees(folder).iter().find(has).cloned();
        let none = || required(format!("no bounded work {id} is known around this folder"));
        let worktree = worktree.ok_or_else(none)?;
        let (state, prints) = record::read(&worktree, id)?.ok_or_else(none)?;
        Ok(Self {
            id: id.to_owned(),
            worktree,
            state,
            prints,
        })
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its revision.
    pub fn revision(&self) -> u64 {
        self.state.revision
    }

    /// The state file was behind its ledger, and the ledger was believed.
    pub fn is_recovered(&self) -> bool {
        self.state.recovered
    }

    /// SHA-256 of the worktree, the id and what is granted where: what has to stay while the
    /// revision goes on.
    pub fn authority(&self) -> String {
        let worktree = self.worktree.to_string_lossy();
        let set = (worktree, &self.id, self.state.authority_set());
        digest::sha256_hex(&digest::canonical(&set))
    }

    /// Whether all that is demanded is granted at this revision. `home` is the real path of the
    /// host's home, in which nothing is. `BLOCKED_BOUNDED_AUTHORITY_REQUIRED`, or
    /// `BLOCKED_STALE_CONFERENCE_STATE` for another revision.
    pub fn check(&self, revision: u64, demands: &[Demand], home: &Path) -> Result<Vec<Granted>> {
        let id = &self.id;
        self.state.require_bound(id)?;
        if self.state.revision != revision {
            let text = format!("the bounded work {id} has gone on to another revision");
            return Err(Error::new(Code::BlockedStaleConferenceState, text)
                .expected(format!("{id}:{revision}"))
                .found(format!("{id}:{}", self.state.revision))
                .hint("look at what it grants now, and name that revision"));
        }
        let granted = demands.iter().map(|demand| {
            let grant = cover::grant(&self.state, &self.worktree, home, demand)?;
            Ok(Granted {
                id: grant.id.clone(),
                digest: self.state.digest.clone(),
            })
        });
        granted.collect()
    }

    /// The same work as it is now; cheap where its files are as they were.
    pub fn again(&self) -> Result<Self> {
        if record::prints(&self.worktree, &self.id)?.as_ref() == Some(&self.prints) {
            return Ok(self.clone());
        }
        let now = record::read(&self.worktree, &self.id)?;
        let (state, prints) =
            now.ok_or_else(|| required(format!("the bounded work {} is gone", self.id)))?;
        Ok(Self {
            id: self.id.clone(),
            worktree: self.worktree.clone(),
            state,
            prints,
        })
    }
}

fn required(text: impl Into<String>) -> Error {
    Error::new(Code::BlockedBoundedAuthorityRequired, text)
}
