//! What the shared ledger and the store learn of a conference after each round and at its end
//! (conference.md A5), so that an edited history is found.
//!
//! Promises: a busy lock or a full disk fails no conference: what could not be recorded is tried
//! again with the next seal, and told where it stays so.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::approved;
use super::root::Root;
use crate::count;
use crate::engine::id::ConferenceId;
use crate::engine::journal::PACKETS;
use crate::engine::state::State;
use crate::error::Result;
use crate::ledger::{Damage, Ledger, Line};
use crate::skill_loop::workplace::{Locked, Workplace};
use crate::store::{File, Files, Message, ObjectId};

/// The kind of the ledger's line.
pub const KIND: &str = "conference.round";

/// Files of `packets/` at most.
const FILES: usize = 1 << 17;
/// Bytes of one of them at most.
const FILE_BYTES: u64 = 1 << 20;

/// How far the events of a conference are durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// The round that ended, or the last one.
    pub round: u32,
    /// Complete lines.
    pub lines: u64,
    /// SHA-256 of them.
    pub head: String,
}

/// Records seals, the pending ones first.
#[derive(Debug)]
pub struct Sealer<'a> {
    place: &'a Workplace,
    root: &'a Root,
    conference: ConferenceId,
    pending: Vec<Seal>,
    files: Files,
    known: BTreeSet<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    conference: &'a ConferenceId,
    root: String,
    round: u32,
    head: &'a str,
    lines: u64,
    commit: &'a ObjectId,
}

/// The seals of a conference in a ledger, oldest first, and where the ledger itself does not hold:
/// nothing behind that counts. Seals stand behind the approval, so that nothing before that is read
/// as long as all behind it holds.
pub fn recorded(ledger: &Ledger, conference: &str) -> Result<(Vec<Seal>, Option<Damage>)> {
    let mut found = Vec::new();
    let holds = ledger.check_end(&mut |line| {
        found.extend(of_line(line, conference));
        match approved::is_of(&line.entry, conference) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    if holds {
        found.reverse();
        return Ok((found, None));
    }
    proven(ledger, conference)
}

/// As [`recorded`], with the whole ledger proved.
pub fn proven(ledger: &Ledger, conference: &str) -> Result<(Vec<Seal>, Option<Damage>)> {
    let mut found = Vec::new();
    let checked = ledger.check(&mut |line| found.extend(of_line(line, conference)))?;
    Ok((found, checked.damage))
}

fn of_line(line: &Line, conference: &str) -> Option<Seal> {
    let entry = &line.entry;
    if entry.kind != KIND || entry.text("conference") != Some(conference) {
        return None;
    }
    let number = |field: &str| entry.body.get(field).and_then(Value::as_u64);
    Some(Seal {
        round: u32::try_from(number("round")?).unwrap_or(u32::MAX),
        lines: number("lines")?,
        head: entry.text("head").unwrap_or_default().to_owned(),
    })
}

/// Rounds that ended and are sealed.
pub fn sealed_rounds(state: &State, seals: &[Seal]) -> u32 {
    let ended = state.rounds.values().filter(|one| one.completed.is_some());
    let ended = u32::try_from(ended.count()).unwrap_or(u32::MAX);
    let sealed = seals.iter().map(|seal| seal.round).max().unwrap_or(0);
    sealed.min(ended)
}

impl<'a> Sealer<'a> {
    /// Of a conference in `root`; the home's lock is taken for moments only.
    pub fn new(place: &'a Workplace, root: &'a Root, conference: ConferenceId) -> Self {
        Self {
            place,
            root,
            conference,
            pending: Vec::new(),
            files: Files::new(),
            known: BTreeSet::new(),
        }
    }

    /// Records a seal, and those that wait. `Err` where they go on waiting.
    pub fn seal(&mut self, seal: &Seal) -> Result<()> {
        self.pending.push(seal.clone());
        let locked = self.place.lock(&mut |_| {})?;
        let commit = self.keep(&locked)?;
        let pending = std::mem::take(&mut self.pending);
        for (number, seal) in pending.iter().enumerate() {
            let body = Body {
                conference: &self.conference,
                root: self.root.path().to_string_lossy().into_owned(),
                round: seal.round,
                head: &seal.head,
                lines: seal.lines,
                commit: &commit,
            };
            if let Err(error) = locked.record(KIND, &body) {
                self.pending = pending.get(number..).unwrap_or_default().to_vec();
                return Err(error);
            }
        }
        Ok(())
    }

    /// One commit with the charters and packets so far.
    fn keep(&mut self, locked: &Locked<'_>) -> Result<ObjectId> {
        let mut batch = locked.store.batch();
        if let Some(packets) = self.root.dir().sub(PACKETS)? {
            for entry in packets.entries(FILES)? {
                let name = entry.name.to_string_lossy().into_owned();
                if !name.ends_with(".json") || self.known.contains(&name) {
                    continue;
                }
                let Some(content) = packets.read(&name, FILE_BYTES)? else {
                    continue;
                };
                let blob = batch.blob(&content.bytes)?;
                let executable = false;
                self.files
                    .insert(format!("{PACKETS}/{name}"), File { blob, executable });
            }
        }
        let branch = format!("conferences/{}", self.conference);
        let tip = locked.store.tip(&branch)?;
        let last = self.pending.last();
        let lines = last.map_or(0, |seal| seal.lines);
        let events = count::of(lines, "event", "events");
        let round = last.map_or(0, |seal| seal.round);
        let message = Message {
            text: format!("{}: round {round}, {events}\n", self.conference),
            seconds: crate::clock::now()
                .duration_since(Timestamp::UNIX_EPOCH)
                .as_secs(),
        };
        let commit = batch.commit(&self.files, tip.as_ref(), &message)?;
        batch.write(&locked.lock)?;
        locked
            .store
            .advance(&locked.lock, &branch, tip.as_ref(), &commit)?;
        let kept = self.files.keys();
        let names = kept.filter_map(|path| path.rsplit_once('/'));
        self.known.extend(names.map(|(_, name)| name.to_owned()));
        Ok(commit)
    }
}
