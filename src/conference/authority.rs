//! Whether the bounded work of the worktree lets a conference write and measure (conference.md A3,
//! B 4.4, B 7.5).
//!
//! Promises: only looks; what was granted is looked at again before each write of the root.

use std::path::{Path, PathBuf};

use super::gate::{Approval, Grant};
use crate::error::{Code, Error, Result};
use crate::hermes::work::{self, Action, Demand, Granted, Work};

/// What a caller works under, as it was granted.
#[derive(Debug, Clone)]
pub struct Authority {
    work: Work,
    grant: Grant,
    demands: Vec<Demand>,
    home: PathBuf,
    granted: Vec<Granted>,
}

/// What is wanted of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Measure, and write below the root.
    All,
    /// Measure, and write nothing.
    NoWrite,
}

impl Authority {
    /// What `grant` grants for the approved conditions; `None` where none was named and none is
    /// demanded. `BLOCKED_BOUNDED_AUTHORITY_REQUIRED` where one is missing or does not cover what
    /// is done, `BLOCKED_STALE_CONFERENCE_STATE` for another revision.
    pub fn of(approval: &Approval, grant: Option<&Grant>, wanted: Wanted) -> Result<Option<Self>> {
        let root = Path::new(&approval.root);
        let Some(grant) = grant else {
            return match work::active(root).filter(|_| wanted == Wanted::All) {
                Some(id) => Err(unnamed(&id)),
                None => Ok(None),
            };
        };
        let work = Work::find(root, &grant.work_id)?;
        let home = PathBuf::from(&approval.home);
        let demands = demands(approval, root, wanted);
        let granted = work.check(grant.revision, &demands, &home)?;
        Ok(Some(Self {
            work,
            grant: grant.clone(),
            demands,
            home,
            granted,
        }))
    }

    /// What it is under.
    pub fn grant(&self) -> &Grant {
        &self.grant
    }

    /// The ids of the grants, each once.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.granted.iter().map(|one| one.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The state file of the work was behind its ledger.
    pub fn is_recovered(&self) -> bool {
        self.work.is_recovered()
    }

    /// SHA-256 of what may be done where, for the record.
    pub fn digest(&self) -> String {
        self.work.authority()
    }

    /// Whether all of it is still granted, at the same revision.
    pub fn again(&self) -> Result<()> {
        let now = self.work.again()?;
        if now == self.work {
            return Ok(());
        }
        now.check(self.grant.revision, &self.demands, &self.home)?;
        require_same(Some(&self.digest()), Some(&now.authority()))
    }
}

/// `BLOCKED_STALE_CONFERENCE_STATE` where what may be done is not what was recorded.
pub fn require_same(recorded: Option<&str>, now: Option<&str>) -> Result<()> {
    if recorded == now {
        return Ok(());
    }
    let text = "the bounded work grants other things than when the conference began";
    let shown = |digest: Option<&str>| digest.unwrap_or("nothing").to_owned();
    Err(Error::new(Code::BlockedStaleConferenceState, text)
        .expected(shown(recorded))
        .found(shown(now)))
}

fn unnamed(id: &str) -> Error {
    let text = format!("the worktree has active bounded work, {id}, and no grant of it was named");
    Error::new(Code::BlockedBoundedAuthorityRequired, text).expected("--grant WORK_ID:REVISION")
}

/// To write below the root; to measure there, and where the programs lie that the conditions name
/// from there.
fn demands(approval: &Approval, root: &Path, wanted: Wanted) -> Vec<Demand> {
    let demand = |action, target| Demand { action, target };
    let mut demands = Vec::new();
    if wanted == Wanted::All {
        demands.push(demand(Action::Write, root.to_owned()));
    }
    let programs = [&approval.evaluator, &approval.guard].into_iter().flatten();
    for program in programs {
        demands.push(demand(Action::Measure, root.to_owned()));
        let files = program.named_files().map(|(path, _)| Path::new(path));
        let files = files.filter(|path| path.is_relative());
        demands.extend(files.map(|path| demand(Action::Measure, really(root, path))));
    }
    demands
}

/// Where the file really is.
fn really(root: &Path, path: &Path) -> PathBuf {
    let joined = root.join(path);
    fs_err::canonicalize(&joined).unwrap_or(joined)
}
