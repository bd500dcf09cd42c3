//! The observations of the workspace, and what became of the proposals that cite them.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::skill_loop::observation::{self, Observation};
use crate::skill_loop::packet::Noted;
use crate::skill_loop::receipt::State;
use crate::skill_loop::standing::Standings;
use crate::skill_loop::workplace::Workplace;

/// The observations of the workspace that no decided proposal cites, newest first.
pub(super) struct Observed {
    pub(super) observations: Vec<Noted>,
    pub(super) decided: usize,
    pub(super) damaged: usize,
}

/// Those about skills that are wanted.
pub(super) fn read(place: &Workplace, wanted: impl Fn(Option<&str>) -> bool) -> Result<Observed> {
    let reading = observation::read(&place.workspace.path)?;
    let mut all = reading.observations;
    all.retain(|one| wanted(one.skill_id.as_deref()));
    // The log is in the order of time already, but for a clock that was set back. What was
    // recorded again is one observation.
    all.reverse();
    all.sort_by_key(|one| std::cmp::Reverse(one.at));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    all.retain(|one| {
        let times = times.entry(one.id.clone()).or_default();
        *times += 1;
        *times == 1
    });
    let cited = match all.is_empty() {
        true => BTreeMap::new(),
        false => cited(place)?,
    };
    let before = all.len();
    all.retain(|one| !cited.get(&one.id).is_some_and(|cited| cited.decided));
    Ok(Observed {
        decided: before - all.len(),
        damaged: reading.damaged,
        observations: all
            .into_iter()
            .map(|one| Noted {
                times: times.get(&one.id).copied().unwrap_or(1),
                ..noted(one, &cited)
            })
            .collect(),
    })
}

fn noted(one: Observation, cited: &BTreeMap<String, Cited>) -> Noted {
    let pending = cited.get(&one.id).map(|cited| cited.pending.clone());
    Noted {
        id: one.id,
        at: one.at.to_string(),
        signal: one.signal.as_str().to_owned(),
        skill: one.skill_id,
        observed: one.observed,
        proposal: one.proposal,
        times: 1,
        pending: pending.unwrap_or_default(),
    }
}

/// What became of the proposals that cite an observation.
#[derive(Default)]
struct Cited {
    decided: bool,
    pending: Vec<String>,
}

/// Observations that proposals of the queue cite. A queue file that is altered, or none at all,
/// proves nothing.
fn cited(place: &Workplace) -> Result<BTreeMap<String, Cited>> {
    const PREFIX: &str = "observation:";
    let queue = place.queue();
    let mut citing = Vec::new();
    for id in queue.ids()? {
        // Most proposals cite none, and reading one whole costs more than looking for the word.
        let Ok(Some(raw)) = queue.raw(&id) else {
            continue;
        };
        if memchr::memmem::find(&raw, PREFIX.as_bytes()).is_some()
            && let Ok(Some(proposal)) = queue.load(&id)
        {
            citing.push(proposal);
        }
    }
    let mut cited: BTreeMap<String, Cited> = BTreeMap::new();
    if citing.is_empty() {
        return Ok(cited);
    }
    let standings = Standings::load(place.ledger()?.as_ref())?;
    for proposal in citing {
        let state = standings.of(&proposal.id).state;
        let references = proposal.evidence_refs.iter();
        for id in references.filter_map(|reference| reference.strip_prefix(PREFIX)) {
            let cited = cited.entry(id.to_owned()).or_default();
            match state {
                State::Applied | State::Rejected | State::RolledBack => cited.decided = true,
                State::Pending | State::Approved => {
                    cited.pending.push(proposal.short_id().to_owned());
                }
            }
        }
    }
    Ok(cited)
}
