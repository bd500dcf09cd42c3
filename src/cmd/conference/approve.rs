//! `conference approve`: a person approves what check shows.

use serde_json::json;

use super::super::foreground;
use super::super::invocation::Invocation;
use super::drawn;
use super::opened::{Opened, Whole};
use crate::args::ApproveArgs;
use crate::conference::approved;
use crate::conference::authority::{Authority, Wanted};
use crate::conference::plan::Host;
use crate::engine::id::ConferenceId;
use crate::error::{Code, Error, Result};
use crate::term::prompt;

/// What is typed below the totals.
const WORD: &str = "approve";

pub(super) fn run(invocation: &Invocation, args: &ApproveArgs) -> Result<u8> {
    let opened = Opened::of(invocation, &args.conditions)?;
    foreground::require_for_approval(opened.command("check", &[]))?;
    let whole = opened.whole()?;
    Authority::of(&whole.approval, opened.grant.as_ref(), Wanted::All)?;
    let done = decide(invocation, &opened, &whole, args.digest.as_deref())?;
    let text = match done.is_new {
        true => format!("Approved {}.\nReceipt {}", whole.digest, done.receipt),
        false => format!("Already approved.\nReceipt {}", done.receipt),
    };
    invocation.output.text(&text);
    let verb = match opened.conditions.host {
        Host::Handoff => "next",
        _ => "run",
    };
    let next = format!("Next: {}", opened.command(verb, &[]));
    invocation.output.text(&next);
    invocation.output.document(&json!({
        "schema": "lithermes/conference-approve/v1",
        "conference_id": ConferenceId::of_approval(&whole.digest),
        "approval_digest": whole.digest,
        "receipt": done.receipt,
        "already": !done.is_new,
    }));
    Ok(0)
}

/// An approval that stands.
pub(super) struct Done {
    pub(super) receipt: String,
    pub(super) is_new: bool,
}

/// Approves: what is approved stays so, `given` is the digest that a person names, and without it
/// a person is asked. `BLOCKED_APPROVAL_REQUIRED` where nobody can be.
pub(super) fn decide(
    invocation: &Invocation,
    opened: &Opened,
    whole: &Whole,
    given: Option<&str>,
) -> Result<Done> {
    let place = invocation.place()?;
    let found = approved::receipt(&place, &whole.digest)?;
    let is_new = found.is_none();
    if let Some(given) = given {
        same(opened, whole, given)?;
    }
    let line = match found {
        Some(line) => line,
        None => {
            foreground::require_for_approval(opened.command("check", &[]))?;
            if given.is_none() && !asked(invocation, opened, whole)? {
                return Err(required(opened, whole));
            }
            let locked = invocation.lock(&place)?;
            approved::approve(&locked, &whole.approval)?
        }
    };
    approved::confirm(&opened.root, &whole.digest)?;
    Ok(Done {
        receipt: line.entry.id,
        is_new,
    })
}

/// `BLOCKED_STALE_CONFERENCE_STATE` where a person named the digest of other conditions.
pub(super) fn same(opened: &Opened, whole: &Whole, given: &str) -> Result<()> {
    if given == whole.digest {
        return Ok(());
    }
    let text = "the conditions are not those of this digest; nothing was approved";
    Err(Error::new(Code::BlockedStaleConferenceState, text)
        .expected(&whole.digest)
        .found(given)
        .hint(opened.command("check", &[])))
}

/// `BLOCKED_APPROVAL_REQUIRED` where nobody approved these conditions; nobody is asked.
pub(super) fn stands(invocation: &Invocation, opened: &Opened, whole: &Whole) -> Result<()> {
    match approved::receipt(&invocation.place()?, &whole.digest)? {
        Some(_) => Ok(()),
        None => Err(required(opened, whole)),
    }
}

/// Shows everything and asks for the word.
fn asked(invocation: &Invocation, opened: &Opened, whole: &Whole) -> Result<bool> {
    if invocation.output.is_json() || !prompt::can_ask() {
        return Ok(false);
    }
    let shown = drawn::conditions(&opened.conditions);
    invocation.output.text(&shown);
    let digest = format!("\napproval {}", whole.digest);
    invocation.output.text(&digest);
    let question = format!("Type {WORD} to approve these conditions and totals");
    prompt::typed_word(&question, WORD)
}

fn required(opened: &Opened, whole: &Whole) -> Error {
    let text = format!("nobody approved these conditions: {}", whole.digest);
    Error::new(Code::BlockedApprovalRequired, text)
        .expected(&whole.digest)
        .hint(opened.command("check", &[]))
}
