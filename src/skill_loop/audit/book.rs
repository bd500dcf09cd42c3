//! What one reading of the ledger collects for the proof.

use std::collections::{HashMap, HashSet};

use crate::error::{Code, Error, Result};
use crate::ledger::{Entry, Line};
use crate::skill_loop::decision::snapshot;
use crate::skill_loop::receipt::{self, FileState, Op, Opening, Settled, kind};
use crate::store::ObjectId;

/// A decision whose opening line was read.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) id: String,
    pub(super) opening: Opening,
}

/// What a first reading of the ledger collects.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) open: Option<Open>,
    /// What each skill's file was left as, by the last closing line.
    pub(super) left: HashMap<(String, String), (Option<FileState>, String)>,
    /// Each branch's commits as the ledger names them, in order.
    pub(super) branches: HashMap<String, Vec<ObjectId>>,
    pub(super) decisions: Vec<Decision>,
    pub(super) ids: HashSet<String>,
    pub(super) faults: Vec<Error>,
}

/// What a line names in the store.
#[derive(Debug)]
pub(super) struct Decision {
    pub(super) id: String,
    pub(super) commit: ObjectId,
    pub(super) files: Vec<receipt::FileChange>,
    /// Its commit is a branch's: the decision is closed.
    pub(super) closed: bool,
}

impl Book {
    pub(super) fn take(&mut self, line: &Line) {
        let entry = &line.entry;
        self.ids.insert(entry.id.clone());
        let taken = match entry.kind.as_str() {
            kind::APPROVE => self.opened(entry),
            _ if receipt::settles(entry) => self.settled(entry),
            _ => Ok(()),
        };
        if let Err(error) = taken {
            self.faults.push(error);
        }
    }

    /// The last decision's branch may still be behind: the next writer moves it.
    pub(super) fn is_just_closed(&self, commit: &ObjectId) -> bool {
        let last = self.decisions.last();
        self.open.is_none() && last.is_some_and(|last| last.closed && last.commit == *commit)
    }

    fn opened(&mut self, entry: &Entry) -> Result<()> {
        let opening = receipt::opening(entry)?;
        if let Some(open) = self.open.take() {
            return Err(unpaired(entry, &format!("{} was never closed", open.id)));
        }
        self.decisions.push(Decision {
            id: entry.id.clone(),
            commit: opening.commit.clone(),
            files: opening.files.clone(),
            closed: false,
        });
        self.open = Some(Open {
            id: entry.id.clone(),
            opening,
        });
        Ok(())
    }

    fn settled(&mut self, entry: &Entry) -> Result<()> {
        let settled = receipt::settled(entry)?;
        let Some(opens) = &settled.opens else {
            return self.decided(entry, settled);
        };
        let Some(open) = self.open.take().filter(|open| open.id == *opens) else {
            return Err(unpaired(entry, &format!("{opens} is not open")));
        };
        let expected = match open.opening.op {
            Op::Apply => kind::APPLY,
            Op::Rollback => kind::ROLLBACK,
        };
        if entry.kind != expected && entry.kind != kind::RECOVER {
            return Err(unpaired(entry, &format!("{opens} is closed by {expected}")));
        }
        if entry.kind == kind::RECOVER {
            return Ok(());
        }
        if let Some(last) = self.decisions.last_mut() {
            last.closed = true;
        }
        for change in open.opening.files {
            let key = (open.opening.skill.clone(), change.path);
            self.left.insert(key, (change.after, entry.id.clone()));
        }
        let branch = snapshot::branch(&open.opening.skill);
        self.branches
            .entry(branch)
            .or_default()
            .extend(settled.commit);
        Ok(())
    }

    fn decided(&mut self, entry: &Entry, settled: Settled) -> Result<()> {
        let branch = snapshot::branch_of(&settled);
        if let Some(commit) = settled.commit {
            self.branches
                .entry(branch)
                .or_default()
                .push(commit.clone());
            let id = entry.id.clone();
            self.decisions.push(Decision {
                id,
                commit,
                files: Vec::new(),
                closed: true,
            });
        }
        Ok(())
    }
}

fn unpaired(entry: &Entry, why: &str) -> Error {
    let text = format!(
        "ledger entry {} ({}) does not fit: {why}",
        entry.id, entry.kind
    );
    Error::new(Code::LedgerDamaged, text)
}
