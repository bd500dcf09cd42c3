//! What the shared ledger and the store learn of a conference after each round and at its end
//! (conference.md A5), so that an edited history is found.
//!
//! Promises: a busy lock or a full disk fails no conference: what could not be recorded is tried
//! again with the next seal, and told where it stays so.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::driver::Seal;
use super::root::Root;
use crate::engine::id::ConferenceId;
use crate::engine::journal::PACKETS;
use crate::error::Result;
use crate::skill_loop::workplace::{Locked, Workplace};
use crate::store::{File, Files, Message, ObjectId};

/// The kind of the ledger's line.
pub const KIND: &str = "conference.round";

/// Files of `packets/` at most.
const FILES: usize = 1 << 17;
/// Bytes of one of them at most.
const FILE_BYTES: u64 = 1 << 20;

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

/// The seals of a conference in the ledger, newest first.
pub fn recorded(place: &Workplace, conference: &ConferenceId) -> Result<Vec<Seal>> {
    let mut seals = Vec::new();
    let Some(ledger) = place.ledger()? else {
        return Ok(seals);
    };
    let name = conference.to_string();
    ledger.newest(&name, |entry| {
        if entry.kind == KIND && entry.text("conference") == Some(name.as_str()) {
            let number = |field: &str| entry.body.get(field).and_then(Value::as_u64);
            seals.push(Seal {
                round: number("round")
                    .and_then(|round| round.try_into().ok())
                    .unwrap_or(0),
                lines: number("lines").unwrap_or(0),
                head: entry.text("head").unwrap_or_default().to_owned(),
            });
        }
        // All of them are wanted.
        false
    })?;
    Ok(seals)
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
        let round = last.map_or(0, |seal| seal.round);
        let message = Message {
            text: format!("{}: round {round}, {lines} events\n", self.conference),
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
