//! What the ledger vouches for: how the events began, at the end of each round (conference.md A9.2).

use std::collections::BTreeMap;

use super::Difference;
use crate::conference::seal;
use crate::engine::journal::{EVENTS, Heard};
use crate::error::Result;
use crate::ledger::Ledger;

/// A seal of a conference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The round that ended, or the last one.
    pub round: u32,
    /// So many lines of the events were there.
    pub lines: u64,
    /// SHA-256 of them.
    pub head: String,
}

/// The seals of a conference in a ledger, oldest first, and where the ledger itself does not hold.
pub fn sealed(ledger: &Ledger, conference: &str) -> Result<(Vec<Sealed>, Option<Difference>)> {
    let mut found = Vec::new();
    let checked = ledger.check(&mut |line| {
        let entry = &line.entry;
        if entry.kind != seal::KIND || entry.text("conference") != Some(conference) {
            return;
        }
        let number = |field: &str| entry.body.get(field).and_then(serde_json::Value::as_u64);
        let (Some(round), Some(lines)) = (number("round"), number("lines")) else {
            return;
        };
        found.push(Sealed {
            round: u32::try_from(round).unwrap_or(u32::MAX),
            lines,
            head: entry.text("head").unwrap_or_default().to_owned(),
        });
    })?;
    let damage = checked.damage.map(|damage| Difference {
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
    pub(super) fn wanted(sealed: &[Sealed]) -> Self {
        Self(sealed.iter().map(|seal| (seal.lines, None)).collect())
    }

    pub(super) fn hear(&mut self, heard: &Heard<'_>) {
        if let Some(head) = self.0.get_mut(&heard.line.seq) {
            *head = Some(heard.head.hex());
        }
    }

    /// `is_whole`: every line holds, so that a seal behind the last one is a difference of its own.
    pub(super) fn compare(&self, sealed: &[Sealed], is_whole: bool) -> Vec<Difference> {
        let differs = |seal: &Sealed| {
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
