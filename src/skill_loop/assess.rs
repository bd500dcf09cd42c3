//! Can this proposal be applied now, and what would be written? One answer for `list`, `show`,
//! `apply --dry-run` and `apply` (skill-loop.md §3, checked again at apply).

use std::cell::OnceCell;

use super::decision::{Plan, PlannedFile, snapshot};
use super::outcome::{self, Current, Made};
use super::proposal::Change;
use super::queue::{Base, Proposal};
use super::receipt::{FileState, State};
use super::slot;
use super::workplace::Workplace;
use crate::disk::{Content, Dir};
use crate::error::{Code, Error, Fault, Result};
use crate::guard::name::SKILL_FILE;
use crate::guard::text;
use crate::hermes::skills::{Names, Owner, Owners};
use crate::store::Store;

/// What the host keeps about its skills, read once for any number of proposals.
#[derive(Debug)]
pub struct Assessor<'place> {
    place: &'place Workplace,
    owners: Owners,
    names: OnceCell<Names>,
    store: Option<Store>,
}

impl<'place> Assessor<'place> {
    /// Reads whose skills are whose.
    pub fn load(place: &'place Workplace) -> Result<Self> {
        Ok(Self {
            place,
            owners: Owners::load(&place.home_dir)?,
            names: OnceCell::new(),
            store: place.store()?,
        })
    }

    /// Whether the skill is there and marked, but the store knows no decision on it.
    pub fn is_without_receipt(&self, proposal: &Proposal) -> Result<bool> {
        let is_new = |base: &Base| base.path == SKILL_FILE && base.file.is_none();
        if proposal.base.iter().any(is_new) {
            return Ok(false);
        }
        match &self.store {
            Some(store) => Ok(store.tip(&snapshot::branch(&proposal.skill))?.is_none()),
            None => Ok(true),
        }
    }

    /// The directory of a skill, opened; `None` where it does not exist. `UNSAFE_PATH` for a link
    /// or a thing that is no directory.
    pub fn skill_dir(&self, skill: &str) -> Result<Option<Dir>> {
        self.owners.skill_dir(skill)
    }

    /// Whose the skill is in this directory, whose files a change touches are `current`.
    pub fn owner(
        &self,
        skill: &str,
        dir: Option<&Dir>,
        current: &Result<Current>,
    ) -> Result<Owner> {
        let Some(dir) = dir else {
            return Ok(Owner::Absent);
        };
        let read = current.as_ref().ok().and_then(|all| all.get(SKILL_FILE));
        match read {
            Some(Some(file)) => Ok(self.owners.owner_of_text(skill, dir, &file.bytes)),
            _ => self.owners.owner_of(skill, dir),
        }
    }

    /// What a new skill of this name would collide with. The names are read at the first call,
    /// because only a `create` needs them.
    pub fn collisions(&self, skill: &str) -> Result<Vec<String>> {
        let names = match self.names.get() {
            Some(names) => names,
            None => {
                let loaded = Names::load(&self.place.home_dir)?;
                self.names.get_or_init(|| loaded)
            }
        };
        Ok(names.collisions(skill))
    }

    /// Whether the proposal can be applied now, or the first reason why it cannot be: what
    /// [`Assessor::plan`] says, without the plan.
    pub fn check(&self, proposal: &Proposal) -> Result<()> {
        let (dir, current) = self.look(proposal)?;
        self.made(proposal, dir.as_ref(), &current).map(drop)
    }

    /// What applying the proposal would write, or the first reason why it cannot be. `state` is
    /// where the ledger says that it stands.
    pub fn plan(&self, proposal: &Proposal, state: State) -> Result<Plan> {
        let (dir, current) = self.look(proposal)?;
        let made = self.made(proposal, dir.as_ref(), &current)?;
        let files: Result<Vec<PlannedFile>> = made.into_iter().map(Made::planned).collect();
        let adds = current.values().any(Option::is_none);
        let directories = if adds {
            self.missing_directories(proposal)?
        } else {
            Vec::new()
        };
        Ok(Plan {
            directories,
            state_before: state,
            ..Plan::of_base(proposal, files?)
        })
    }

    /// The skill's directory and the files that are touched, where they are the agent's and what
    /// they were at import.
    fn look(&self, proposal: &Proposal) -> Result<(Option<Dir>, Current)> {
        proposal.check()?;
        self.same_home(proposal)?;
        let dir = self.skill_dir(&proposal.skill)?;
        let current = outcome::read(dir.as_ref(), &proposal.change);
        owned(
            proposal,
            self.owner(&proposal.skill, dir.as_ref(), &current)?,
        )?;
        let current = current?;
        compare(&proposal.base, &current).map_err(|error| way_on(error, proposal))?;
        Ok((dir, current))
    }

    fn made<'a>(
        &self,
        proposal: &Proposal,
        dir: Option<&Dir>,
        current: &'a Current,
    ) -> Result<Vec<Made<'a>>> {
        if matches!(proposal.change, Change::Create { .. }) {
            self.name_free(proposal)?;
        }
        let mut troubles = outcome::near_names(dir, current)?;
        let made = outcome::of(&proposal.skill, &proposal.change, current, true);
        let made = made.unwrap_or_else(|more| {
            troubles.extend(more);
            Vec::new()
        });
        if troubles.is_empty() {
            return Ok(made);
        }
        Err(outcome::refusal(&troubles, |trouble| Fault {
            pointer: trouble.field.clone(),
            line: 1,
            column: 1,
            message: trouble.message.clone(),
        }))
    }

    fn same_home(&self, proposal: &Proposal) -> Result<()> {
        let here = self.place.home_text();
        if proposal.home == here {
            return Ok(());
        }
        let made_for = text::line(&proposal.home).into_owned();
        Err(Error::new(
            Code::StaleBase,
            format!("the proposal was made for the home {made_for}, this is {here}"),
        )
        .expected(made_for.clone())
        .found(here)
        .hint(format!(
            "lithermes skill-loop show {} --hermes-home '{made_for}'",
            proposal.id
        ))
        .hint("propose the document again for this home"))
    }

    /// Something of this name came into being elsewhere since the import.
    fn name_free(&self, proposal: &Proposal) -> Result<()> {
        let taken = self.collisions(&proposal.skill)?;
        let Some(first) = taken.first() else {
            return Ok(());
        };
        let text = format!(
            "a new skill `{}` would collide with {first}",
            proposal.skill
        );
        Err(way_on(
            Error::new(Code::StaleBase, text)
                .expected("a free name")
                .found(taken.join(", ")),
            proposal,
        ))
    }

    /// Directories below the home that the change makes, parents first.
    fn missing_directories(&self, proposal: &Proposal) -> Result<Vec<String>> {
        let mut wanted = Vec::new();
        for path in proposal.change.paths() {
            let full = format!("skills/{}/{path}", proposal.skill);
            for (at, _) in full.match_indices('/') {
                let directory = full[..at].to_owned();
                if !wanted.contains(&directory) {
                    wanted.push(directory);
                }
            }
        }
        let mut missing = Vec::new();
        for directory in wanted {
            // The folder of all skills is the host's: made where missing, never taken away.
            if self.place.home_dir.descend(&directory)?.is_none() && directory != "skills" {
                missing.push(directory);
            }
        }
        Ok(missing)
    }
}

fn owned(proposal: &Proposal, owner: Owner) -> Result<()> {
    let Owner::Other(reason) = owner else {
        return Ok(());
    };
    let text = format!("skill `{}` is not an agent's: {reason}", proposal.skill);
    Err(Error::new(Code::TargetNotAgentOwned, text)
        .expected("metadata.lithermesAgentGenerated: \"true\" and no other owner")
        .found(reason)
        .hint("the proposal stays in the queue as a note; nothing was written"))
}

/// `STALE_BASE` for the first file that is not what it was at import: bytes, kind and mode.
pub fn compare(base: &[Base], current: &Current) -> Result<()> {
    for was in base {
        let now = current.get(&was.path).and_then(Option::as_ref);
        if !is_same(was.file.as_ref(), now) {
            let now = now
                .map(|file| FileState::of(&file.bytes, file.mode))
                .transpose()?;
            return Err(slot::stale(&was.path, was.file.as_ref(), now.as_ref()));
        }
    }
    Ok(())
}

fn is_same(was: Option<&FileState>, now: Option<&Content>) -> bool {
    match (was, now) {
        (None, None) => true,
        (Some(was), Some(now)) => was.is_of(&now.bytes, now.mode),
        _ => false,
    }
}

fn way_on(error: Error, proposal: &Proposal) -> Error {
    error
        .hint(format!(
            "lithermes skill-loop show {} shows what changed since",
            proposal.id
        ))
        .hint("propose the document again: it gets a new id on the files as they are now")
        .hint(format!("lithermes skill-loop reject {}", proposal.id))
}
