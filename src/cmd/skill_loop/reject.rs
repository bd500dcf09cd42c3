//! `skill-loop reject`: a decision that changes no skill.

use serde_json::json;

use super::super::foreground;
use super::super::invocation::Invocation;
use super::{report, select};
use crate::args::RejectArgs;
use crate::error::{Code, Result};
use crate::skill_loop::decision::{self, Done};
use crate::skill_loop::workplace::Workplace;

pub(super) fn run(invocation: &Invocation, args: &RejectArgs) -> Result<u8> {
    foreground::require(Some(&args.id))?;
    let place = invocation.place()?;
    let id = select::for_decision(&place.queue(), &args.id)?;
    let done = decide(invocation, &place, &id, args.reason.as_deref())?;
    let skill = place
        .queue()
        .load(&id)
        .ok()
        .flatten()
        .map(|proposal| proposal.skill);
    invocation.output.document(&json!({
        "schema": "lithermes/reject/v1",
        "results": [report::done(&id, skill.as_deref(), &done)],
    }));
    Ok(0)
}

/// Takes the lock, rejects one proposal and says so.
pub(super) fn decide(
    invocation: &Invocation,
    place: &Workplace,
    id: &str,
    reason: Option<&str>,
) -> Result<Done> {
    // Found out before the lock, so that a wrong id makes nothing.
    let altered = match place.queue().get(id) {
        Ok(_) => false,
        Err(error) if error.code() == Code::InvalidProposal => true,
        Err(error) => return Err(error),
    };
    let locked = invocation.lock(place)?;
    let done = if altered {
        decision::reject_altered(&locked, id, reason)?
    } else {
        decision::reject(&locked, id, reason)?
    };
    match &done {
        Done::Now { receipt, warnings } => {
            for warning in warnings {
                invocation.output.warn(warning);
            }
            let text = format!(
                "Rejected {}. No skill was changed.\nReceipt {receipt}",
                report::id(id)
            );
            invocation.output.text(&text);
        }
        Done::Already { note, .. } => invocation.output.text(note),
    }
    Ok(done)
}
