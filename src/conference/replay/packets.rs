//! The files that events name by their digests: charters and accepted packets.

use crate::digest;
use crate::disk::Dir;
use crate::engine::event::{Event, Line};
use crate::engine::journal::PACKETS;
use crate::error::Result;

use super::Difference;

/// Bytes of such a file at most.
const BYTES: u64 = 1 << 20;

/// What the events name, with the line that does.
#[derive(Default)]
pub(super) struct Named(Vec<(u64, &'static str, String)>);

impl Named {
    pub(super) fn hear(&mut self, line: &Line) {
        let named = match &line.event {
            Event::Issued { charter_digest, .. } => ("the charter", charter_digest),
            Event::Accepted { digest, .. } => ("the packet", digest),
            _ => return,
        };
        self.0.push((line.seq, named.0, named.1.clone()));
    }

    /// How many are what their names say, and those that are not.
    pub(super) fn compare(&self, root: &Dir) -> Result<(usize, Vec<Difference>)> {
        let packets = root.sub(PACKETS)?;
        let mut differences = Vec::new();
        for (line, what, expected) in &self.0 {
            let name = format!("{expected}.json");
            let there = match &packets {
                Some(packets) => packets.read(&name, BYTES)?,
                None => None,
            };
            let found = there.map(|content| digest::sha256_hex(&content.bytes));
            if found.as_ref() != Some(expected) {
                differences.push(Difference {
                    file: format!("{PACKETS}/{name}"),
                    line: None,
                    what: format!("{what} that line {line} of the events names"),
                    expected: expected.clone(),
                    found: found.unwrap_or_else(|| "nothing".to_owned()),
                });
            }
        }
        Ok((self.0.len() - differences.len(), differences))
    }
}
