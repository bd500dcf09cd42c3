//! Where a proposal stands. The ledger decides; a queue file only keeps a copy.

use std::collections::HashMap;

use super::receipt::{self, Opening, Outcome, Settled, State, kind};
use crate::error::Result;
use crate::ledger::{Entry, Ledger, Line};

/// Where one proposal stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its state.
    pub state: State,
    /// The line that says so; `None` for a proposal that was never decided.
    pub receipt: Option<String>,
    /// The last recovery found an edit of somebody else.
    pub contested: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Self {
            state: State::Pending,
            receipt: None,
            contested: false,
        }
    }
}

impl Standing {
    fn settled(entry: &Entry, body: &Settled) -> Self {
        Self {
            state: body.state,
            receipt: Some(entry.id.clone()),
            contested: body.outcome == Some(Outcome::Contested),
        }
    }

    fn opened(entry: &Entry) -> Self {
        Self {
            state: State::Approved,
            receipt: Some(entry.id.clone()),
            contested: false,
        }
    }
}

/// The standing of one proposal, read from the end of the ledger.
pub fn of(ledger: Option<&Ledger>, proposal_id: &str) -> Result<Standing> {
    let Some(ledger) = ledger else {
        return Ok(Standing::default());
    };
    let wanted = |entry: &Entry| {
        entry.text("proposalId") == Some(proposal_id)
            && (receipt::settles(entry) || entry.kind == kind::APPROVE)
    };
    let Some(line) = ledger.newest(proposal_id, wanted)? else {
        return Ok(Standing::default());
    };
    standing_of(&line.entry)
}

fn standing_of(entry: &Entry) -> Result<Standing> {
    if entry.kind == kind::APPROVE {
        return Ok(Standing::opened(entry));
    }
    Ok(Standing::settled(entry, &receipt::settled(entry)?))
}

/// The standings of all proposals that were ever decided.
#[derive(Debug, Default)]
pub struct Standings {
    by_id: HashMap<String, Standing>,
}

impl Standings {
    /// Reads the whole ledger once.
    pub fn load(ledger: Option<&Ledger>) -> Result<Self> {
        let mut all = Self::default();
        let Some(ledger) = ledger else { return Ok(all) };
        let mut failure = None;
        let checked = ledger.check(&mut |line| {
            if let Err(error) = all.take(line) {
                failure.get_or_insert(error);
            }
        })?;
        if let Some(damage) = checked.damage {
            let text = format!("ledger line {} does not hold: {}", damage.line, damage.what);
            let code = crate::error::Code::LedgerDamaged;
            return Err(crate::error::Error::new(code, text).hint("lithermes skill-loop verify"));
        }
        failure.map_or(Ok(all), Err)
    }

    /// Where the proposal stands.
    pub fn of(&self, proposal_id: &str) -> Standing {
        self.by_id.get(proposal_id).cloned().unwrap_or_default()
    }

    fn take(&mut self, line: &Line) -> Result<()> {
        let entry = &line.entry;
        if !receipt::settles(entry) && entry.kind != kind::APPROVE {
            return Ok(());
        }
        if let Some(id) = entry.text("proposalId") {
            self.by_id.insert(id.to_owned(), standing_of(entry)?);
        }
        Ok(())
    }
}

/// The decision that began and did not end: the newest line of the skill loop, where it is an
/// opening one. (All writers hold the lock and recover first, so there is never another.)
pub fn unfinished(ledger: &Ledger) -> Result<Option<(Line, Opening)>> {
    let ours = |entry: &Entry| receipt::settles(entry) || entry.kind == kind::APPROVE;
    let Some(line) = ledger.newest("\"kind\":\"skill.", ours)? else {
        return Ok(None);
    };
    if line.entry.kind != kind::APPROVE {
        return Ok(None);
    }
    let opening = receipt::opening(&line.entry)?;
    Ok(Some((line, opening)))
}
