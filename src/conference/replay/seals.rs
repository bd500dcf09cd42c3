//! What the ledger vouches for: how the events began, at the end of each round (conference.md A9.2).

use std::collections::BTreeMap;

use super::Difference;
use crate::conference::seal::{self, Seal};
use crate::engine::id::ConferenceId;
use crate::engine::journal::{EVENTS, Heard};
use crate::error::Result;
use crate::ledger::{Damage, Ledger};
use crate::skill_loop::workplace::Workplace;

/// The seals of a conference, oldest first, and where the ledger itself does not hold.
type Sealed = (Vec<Seal>, Option<Difference>);

/// What the ledger of a home says of a conference, back to its approval. None where there is no
/// ledger.
pub fn sealed(place: &Workplace, conference: &ConferenceId) -> Result<Sealed> {
    read(place, conference, seal::recorded)
}

/// As [`sealed`], with the whole ledger proved.
pub fn sealed_and_proven(place: &Workplace, conference: &ConferenceId) -> Result<Sealed> {
    read(place, conference, seal::proven)
}

fn read(
    place: &Workplace,
    conference: &ConferenceId,
    seals: impl Fn(&Ledger, &str) -> Result<(Vec<Seal>, Option<Damage>)>,
) -> Result<Sealed> {
    let Some(ledger) = place.ledger()? else {
        return Ok((Vec::new(), None));
    };
    let (found, damage) = seals(&ledger, &conference.to_string())?;
    let damage = damage.map(|damage| Difference {
        file: "ledger".to_owned(),
        line: Some(damage.line),
        what: "the ledger does not hold; no seal behind this line counts".to_owned(),
        expected: "a line that goes on with the chain".to_owned(),
        found: damage.what,
    });
    Ok((found, damage))
}

/// The heads of the events where seals are.
#[derive(Default)]
pub(super) struct Heads(BTreeMap<u64, Option<String>>);

impl Heads {
    pub(super) fn wanted(sealed: &[Seal]) -> Self {
        Self(sealed.iter().map(|seal| (seal.lines, None)).collect())
    }

    pub(super) fn hear(&mut self, heard: &Heard<'_>) {
        if let Some(head) = self.0.get_mut(&heard.line.seq) {
            *head = Some(heard.head.hex());
        }
    }

    /// `is_whole`: every line holds, so that a seal behind the last one is a difference of its own.
    pub(super) fn compare(&self, sealed: &[Seal], is_whole: bool) -> Vec<Difference> {
        let differs = |seal: &Seal| {
            let head = self.0.get(&seal.lines)?;
            let found = match head {
                Some(head) if *head == seal.head => return None,
                Some(head) => head.clone(),
                None if is_whole => "fewer lines".to_owned(),
                None => return None,
            };
            Some(Difference {
                file: EVENTS.to_owned(),
                line: Some(seal.lines),
                what: format!("what the ledger sealed after round {}", seal.round),
                expected: seal.head.clone(),
                found,
            })
        };
        sealed.iter().filter_map(differs).collect()
    }
}
