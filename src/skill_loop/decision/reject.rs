//! `reject`: a decision that keeps a reason and changes no skill.

use super::Done;
use super::snapshot::{self, Document};
use crate::error::{Code, Error, Result};
use crate::guard::secret::{self, Strength};
use crate::skill_loop::receipt::{Settled, State, kind};
use crate::skill_loop::standing;
use crate::skill_loop::workplace::Locked;

/// Characters of a reason.
const MAX_REASON: usize = 4_000;

/// Rejects a proposal. `INVALID_PROPOSAL` for a reason that bears a secret.
pub fn reject(locked: &Locked<'_>, id: &str, reason: Option<&str>) -> Result<Done> {
    check_reason(reason)?;
    if let Some(done) = undecidable(locked, id)? {
        return Ok(done);
    }
    let proposal = locked.place.queue().get(id)?;
    let document = proposal.document();
    let document = Document {
        bytes: &document,
        id,
    };
    record(locked, Some(&proposal.skill), document, reason)
}

/// Rejects a queue file whose content cannot be trusted: its bytes are kept, nothing in them is
/// believed.
pub fn reject_altered(locked: &Locked<'_>, id: &str, reason: Option<&str>) -> Result<Done> {
    check_reason(reason)?;
    if let Some(done) = undecidable(locked, id)? {
        return Ok(done);
    }
    let queue = locked.place.queue();
    let raw = queue.raw(id)?.ok_or_else(|| {
        Error::new(
            Code::NotFound,
            format!("no proposal {id} in {}", queue.path().display()),
        )
    })?;
    record(locked, None, Document { bytes: &raw, id }, reason)
}

fn record(
    locked: &Locked<'_>,
    skill: Option<&str>,
    document: Document<'_>,
    reason: Option<&str>,
) -> Result<Done> {
    let why = reason.unwrap_or("no reason was given");
    let kept = snapshot::keep_decision(locked, skill, document, "reject", why)?;
    let settled = Settled {
        proposal_id: document.id.to_owned(),
        skill: skill.map(str::to_owned),
        state: State::Rejected,
        opens: None,
        rolls_back: None,
        commit: Some(kept.commit.clone()),
        outcome: None,
        contested: Vec::new(),
        reason: reason.map(str::to_owned),
    };
    let line = locked.record(kind::REJECT, &settled)?;
    let branch = snapshot::branch_of(&settled);
    let moved = locked
        .store
        .advance(&locked.lock, &branch, kept.tip.as_ref(), &kept.commit);
    let queue = locked.place.queue();
    let refreshed = queue.refresh(&locked.lock, document.id, State::Rejected, &line.entry.id);
    let warnings = [moved, refreshed]
        .into_iter()
        .filter_map(Result::err)
        .map(|error| format!("{error}; the next command puts it right"))
        .collect();
    Ok(Done::Now {
        receipt: line.entry.id,
        warnings,
    })
}

fn undecidable(locked: &Locked<'_>, id: &str) -> Result<Option<Done>> {
    let standing = standing::of(Some(&locked.ledger), id)?;
    let receipt = standing.receipt.unwrap_or_default();
    match standing.state {
        State::Pending | State::Approved => Ok(None),
        State::Rejected => {
            let note = format!("{id} is already rejected, nothing was written");
            Ok(Some(Done::Already { receipt, note }))
        }
        State::Applied | State::RolledBack => {
            let state = standing.state.as_str();
            let text = format!("{id} is {state}; only a pending proposal can be rejected");
            let error = Error::new(Code::NotPending, text).expected("pending");
            let error = error.found(format!("{state} ({receipt})"));
            Err(match standing.state {
                State::Applied => error.hint(format!("lithermes skill-loop rollback {receipt}")),
                _ => error,
            })
        }
    }
}

fn check_reason(reason: Option<&str>) -> Result<()> {
    let Some(reason) = reason else { return Ok(()) };
    let length = reason.chars().count();
    if length > MAX_REASON {
        let text = format!("the reason has {length} characters, at most {MAX_REASON}");
        return Err(Error::new(Code::InvalidProposal, text));
    }
    let Some(finding) = secret::find(reason, Strength::Reject).into_iter().next() else {
        return Ok(());
    };
    let text = format!(
        "the reason bears a secret ({}); nothing was written",
        finding.class
    );
    Err(Error::new(Code::InvalidProposal, text).expected("a reason without credentials"))
}
