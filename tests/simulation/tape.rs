//! The events of a simulated conference: each line is spelled, read back and replayed the moment
//! it is recorded.
//!
//! Promises: the state of the lines as they were read back equals the live one after every line.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use lithermes::digest;
use lithermes::engine::event::{Event, Line};
use lithermes::engine::packet::Packet;
use lithermes::engine::state::State;
use serde_json::Value;

/// Why a schedule cannot go on.
pub type Broken = String;

/// Lines, packets and charters, and the state that they make.
#[derive(Default)]
pub struct Tape {
    /// The lines as they would lie on a disk.
    pub lines: Vec<String>,
    /// Accepted packets: bytes under their digest.
    pub packets: BTreeMap<String, Vec<u8>>,
    /// Charters that went out: bytes under their digest.
    pub charters: BTreeMap<String, Vec<u8>>,
    /// As the root has it.
    pub live: State,
    /// As the lines have it when they are read back.
    replayed: State,
    last: Option<(u64, Timestamp)>,
}

impl Tape {
    /// Records an event.
    pub fn record(&mut self, event: Event, now: Timestamp) -> Result<(), Broken> {
        let line = Line::following(self.last, event, now);
        self.last = Some((line.seq, line.timestamp));
        let text = serde_json::to_string(&line).map_err(|error| error.to_string())?;
        let back: Line = serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
        if !back.is_genuine() || serde_json::to_string(&back).ok().as_ref() != Some(&text) {
            return Err(format!("not the same when read back: {text}"));
        }
        let found = |digest: &str| read(&self.packets, digest);
        let live = std::mem::take(&mut self.live);
        self.live = live
            .after(&line, &found)
            .map_err(|why| format!("refused line {}: {}: {text}", why.line, why.what))?;
        let replayed = std::mem::take(&mut self.replayed);
        self.replayed = replayed
            .after(&back, &found)
            .map_err(|why| format!("replay refused: {}", why.what))?;
        self.lines.push(text);
        match self.live == self.replayed {
            true => Ok(()),
            false => Err(format!(
                "the replay of {} lines is not the live state",
                self.lines.len()
            )),
        }
    }

    /// The root died: what it knows is what the lines say, read from the first.
    pub fn reopen(&mut self) -> Result<(), Broken> {
        let mut state = State::default();
        for text in &self.lines {
            let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
            let found = |digest: &str| read(&self.packets, digest);
            state = state.after(&line, &found).map_err(|why| why.what)?;
        }
        if state != self.live {
            return Err("the replay from the first line is not the live state".to_owned());
        }
        self.live = state;
        Ok(())
    }

    /// Keeps a packet's bytes under their digest.
    pub fn keep(&mut self, packet: &Packet) {
        self.packets.insert(packet.digest(), packet.bytes());
    }

    /// A kept document, as JSON.
    pub fn documents(kept: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Value> {
        let read = |(name, bytes): (&String, &Vec<u8>)| {
            let value = serde_json::from_slice(bytes).unwrap_or(Value::Null);
            (name.clone(), value)
        };
        kept.iter().map(read).collect()
    }
}

/// A packet as the journal reads it: from bytes that are what their name says.
fn read(packets: &BTreeMap<String, Vec<u8>>, name: &str) -> Option<Arc<Packet>> {
    let bytes = packets.get(name)?;
    let genuine = digest::sha256_hex(bytes) == name;
    genuine.then(|| serde_json::from_slice(bytes).ok().map(Arc::new))?
}
