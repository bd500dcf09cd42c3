//! What a child handed back, taken into the journal (conference.md A8).
//!
//! Promises: the bytes are kept, flushed, before the event that names them; what is refused or
//! contradicts is kept redacted.

use crate::conference::rounds::receive::{self, Outcome};
use crate::digest;
use crate::engine::charter::Charter;
use crate::engine::event::Via;
use crate::engine::journal::Journal;
use crate::engine::packet;
use crate::error::Result;
use crate::guard::secret;

/// Takes the whole output of a child that `charter` went out for, and records what it came to.
pub fn take(journal: &mut Journal, charter: &Charter, bytes: &[u8], via: Via) -> Result<Outcome> {
    let taken = receive::output(journal.state(), charter, bytes, via);
    if matches!(taken.result, Outcome::Rejected(_) | Outcome::Conflict) {
        keep_aside(journal, bytes)?;
    }
    if let Some(packet) = taken.packet {
        journal.keep_packet(packet)?;
    }
    for event in taken.events {
        journal.record(event)?;
    }
    Ok(taken.result)
}

/// Keeps the text of what does not count under the digest of its bytes.
pub fn keep_aside(journal: &Journal, bytes: &[u8]) -> Result<()> {
    let kept = bytes.get(..packet::MAX_BYTES).unwrap_or(bytes);
    let text = String::from_utf8_lossy(kept);
    journal.keep_refused(&digest::sha256_hex(bytes), &secret::redact(&text))
}
