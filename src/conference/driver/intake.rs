//! What a child handed back, taken into the journal (conference.md A8).
//!
//! Promises: the bytes are kept, flushed, before the event that names them; what is refused or
//! contradicts is kept redacted.

use crate::conference::rounds::receive::{self, Outcome, Taken};
use crate::digest;
use crate::engine::charter::Charter;
use crate::engine::event::{Aside, Event, Via};
use crate::engine::id::{Call, DispatchId};
use crate::engine::journal::Journal;
use crate::engine::packet;
use crate::engine::state::State;
use crate::error::Result;
use crate::guard::secret;

/// Takes the whole output of a child that `charter` went out for, and records what it came to.
pub fn take(journal: &mut Journal, charter: &Charter, bytes: &[u8], via: Via) -> Result<Outcome> {
    let taken = receive::output(journal.state(), charter, bytes, via);
    record(journal, taken, bytes)
}

fn record(journal: &mut Journal, taken: Taken, bytes: &[u8]) -> Result<Outcome> {
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
pub fn keep_aside(journal: &mut Journal, bytes: &[u8]) -> Result<()> {
    let kept = bytes.get(..packet::MAX_BYTES).unwrap_or(bytes);
    let text = String::from_utf8_lossy(kept);
    journal.keep_refused(&digest::sha256_hex(bytes), &secret::redact(&text))
}

/// A packet that counts.
pub const ACCEPTED: &str = "accepted";
/// One that came before.
pub const DUPLICATE: &str = "duplicate";
/// One that came too late, or for nobody.
pub const STALE: &str = "stale";
/// One that breaks a rule.
pub const REJECTED: &str = "rejected";
/// Another one than came before under its id.
pub const CONFLICT: &str = "conflict";

/// What became of an output that a session handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Came {
    /// The id that it names.
    pub dispatch_id: Option<String>,
    /// One of the words above.
    pub result: &'static str,
    /// Why it does not count.
    pub reason: Option<String>,
    /// Whether the host's own records hold it, where they tell.
    pub corroborated: Option<bool>,
}

/// Takes an output whose charter is known only by the id that it names. `corroborated` is recorded
/// with it, and decides nothing.
pub fn one(
    journal: &mut Journal,
    bytes: &[u8],
    via: Via,
    corroborated: Option<bool>,
) -> Result<Came> {
    let named = match packet::addressed(bytes) {
        Ok(named) => named,
        Err(refusal) => return refuse(journal, bytes, refusal.reason.as_str()),
    };
    let call = known(journal.state(), &named);
    let Some(call) = call else {
        keep_aside(journal, bytes)?;
        let event = receive::unknown(&named, bytes);
        journal.record(event)?;
        return Ok(Came {
            dispatch_id: Some(receive::shown(&named)),
            result: STALE,
            reason: Some("unknown id".to_owned()),
            corroborated,
        });
    };
    let charter = journal.charter(call)?;
    let taken = receive::output(journal.state(), &charter, bytes, via);
    let outcome = record(journal, taken.beside_records(corroborated), bytes)?;
    for event in receive::owed(journal.state()) {
        journal.record(event)?;
    }
    let (result, reason) = match outcome {
        Outcome::Accepted => (ACCEPTED, None),
        Outcome::Duplicate => (DUPLICATE, None),
        Outcome::Stale(why) => (STALE, Some(why)),
        Outcome::Rejected(refusal) => (REJECTED, Some(refusal.to_string())),
        Outcome::Conflict => (CONFLICT, None),
    };
    Ok(Came {
        dispatch_id: Some(named),
        result,
        reason,
        corroborated,
    })
}

/// The call that went out under an id.
fn known(state: &State, named: &str) -> Option<Call> {
    let id: DispatchId = named.parse().ok()?;
    let is_ours = state.gate.as_ref()?.conference == id.conference;
    (is_ours && state.accounts.contains_key(&id.call)).then_some(id.call)
}

/// Refuses an output whatever it answers; the ids that are out stay so.
pub fn refuse(journal: &mut Journal, bytes: &[u8], reason: &str) -> Result<Came> {
    keep_aside(journal, bytes)?;
    let named = packet::addressed(bytes).ok().map(|id| receive::shown(&id));
    let has_ended = journal.state().stop.is_some();
    let aside = Aside {
        dispatch_id: named.clone().unwrap_or_else(|| "-".to_owned()),
        reason: reason.to_owned(),
        digest: Some(digest::sha256_hex(bytes)),
    };
    // After the end nothing is refused any more: it is too late.
    let (result, event) = match has_ended {
        true => (STALE, Event::Stale(aside)),
        false => (REJECTED, Event::Rejected(aside)),
    };
    journal.record(event)?;
    Ok(Came {
        dispatch_id: named,
        result,
        reason: Some(reason.to_owned()),
        corroborated: None,
    })
}
