//! The approval of a conference as a receipt (conference.md A3).
//!
//! Promises: the ledger alone says whether something is approved; what stands in `conference.md`
//! is for people.

use serde::Serialize;
use serde_json::Value;

use super::gate::Approval;
use super::plan::{self, FILE};
use super::root::Root;
use crate::disk::durable;
use crate::engine::id::ConferenceId;
use crate::error::{Code, Error, Result};
use crate::ledger::{Entry, Ledger, Line};
use crate::skill_loop::workplace::{Locked, Workplace};

/// The kind of the ledger's line.
pub const KIND: &str = "conference.approve";

#[derive(Serialize)]
struct Body {
    conference: ConferenceId,
    root: String,
    digest: String,
    config_digest: String,
    host: String,
    totals: Value,
    conditions: Value,
}

/// The receipt of an approval; `None` where nobody approved these conditions.
pub fn receipt(place: &Workplace, digest: &str) -> Result<Option<Line>> {
    place
        .ledger()?
        .map_or(Ok(None), |ledger| find(&ledger, digest))
}

fn find(ledger: &Ledger, digest: &str) -> Result<Option<Line>> {
    ledger.newest(digest, |entry| {
        entry.kind == KIND && entry.text("digest") == Some(digest)
    })
}

/// Whether it is the approval of this conference.
pub fn is_of(entry: &Entry, conference: &str) -> bool {
    entry.kind == KIND && entry.text("conference") == Some(conference)
}

/// Writes the receipt. Approving what is approved gives the receipt that is there.
pub fn approve(locked: &Locked<'_>, approval: &Approval) -> Result<Line> {
    let digest = approval.digest();
    if let Some(line) = find(&locked.ledger, &digest)? {
        return Ok(line);
    }
    let body = Body {
        conference: ConferenceId::of_approval(&digest),
        root: approval.root.clone(),
        digest,
        config_digest: approval.config_digest.clone(),
        host: approval.host.name.as_str().to_owned(),
        totals: serde_json::to_value(&approval.totals).unwrap_or_default(),
        conditions: serde_json::to_value(approval).unwrap_or_default(),
    };
    locked.record(KIND, &body)
}

/// Writes `confirmed` and the digest into the bytes of `conference.md` as they are now; nothing
/// where that stands there. `INVALID_CONFERENCE` where there is no place for it.
pub fn confirm(root: &Root, digest: &str) -> Result<()> {
    let content = root.dir().read(FILE, plan::FILE_BYTES as u64)?;
    let mode = content.map_or(0o644, |content| content.mode);
    let reading = root.read()?;
    let confirmed = format!("confirmed {digest}");
    if reading.confirmation.as_deref() == Some(confirmed.as_str()) {
        return Ok(());
    }
    let text = reading.document.with_confirmation(&confirmed);
    let text = text.ok_or_else(|| {
        let text = format!("{FILE} has no place for its confirmation");
        Error::new(Code::InvalidConference, text)
    })?;
    let temp = format!(".{FILE}.tmp");
    durable::replace(root.dir(), FILE, &temp, text.as_bytes(), mode)
}
