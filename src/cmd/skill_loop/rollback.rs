//! `skill-loop rollback`: takes a receipt back.

use serde_json::json;

use super::super::foreground;
use super::super::invocation::Invocation;
use super::report;
use crate::args::RollbackArgs;
use crate::error::{Code, Error, Result};
use crate::skill_loop::decision::{self, Done, Plan};
use crate::skill_loop::workplace::Workplace;
use crate::term::diff::Bounds;
use crate::term::prompt;

pub(super) fn run(invocation: &Invocation, args: &RollbackArgs) -> Result<u8> {
    if !args.dry_run {
        foreground::require(Some(&args.ledger_id))?;
    }
    let place = invocation.place()?;
    let id = select(&place, &args.ledger_id, args.dry_run)?;
    if args.dry_run {
        return dry_run(invocation, &place, &id);
    }
    // What a killed decision left is settled under the lock, and what somebody else decides
    // meanwhile may change the answer.
    let rest = place.rest()?;
    let planned = decision::plan_rollback(&place, &id);
    let settled = rest.is_some() && place.rest()? == rest;
    let done = match planned {
        Ok(Err(done)) if settled => done,
        Err(error) if settled => return Err(error),
        Ok(Ok(plan)) if prompt::can_ask() => {
            let seen = ask(invocation, &plan)?;
            decision::rollback(&invocation.lock(&place)?, &id, Some(&seen))?
        }
        _ => decision::rollback(&invocation.lock(&place)?, &id, None)?,
    };
    match &done {
        Done::Now { receipt, warnings } => {
            for warning in warnings {
                invocation.output.warn(warning);
            }
            invocation
                .output
                .text(&format!("Rolled back {id}.\nReceipt {receipt}"));
        }
        Done::Already { note, .. } => invocation.output.text(note),
    }
    invocation.output.document(&json!({
        "schema": "lithermes/rollback/v1",
        "dryRun": false,
        "results": [report::done(&id, None, &done)],
    }));
    Ok(0)
}

/// A whole ledger id, or on a terminal (and for a dry run) the start of one.
fn select(place: &Workplace, given: &str, reads_only: bool) -> Result<String> {
    let whole = given.len() == 14 && given.starts_with("l-");
    if whole {
        return Ok(given.to_owned());
    }
    let digits = given.strip_prefix("l-").unwrap_or(given);
    let nothing = || {
        let shown = crate::guard::text::line(given).into_owned();
        Error::new(Code::NotFound, format!("no ledger entry matches `{shown}`"))
            .hint("lithermes skill-loop log")
    };
    if digits.len() < 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(nothing());
    }
    let ledger = place.ledger()?.ok_or_else(nothing)?;
    let id = ledger.find(&format!("l-{digits}"))?.entry.id;
    if reads_only || prompt::can_ask() {
        return Ok(id);
    }
    let text = "outside a terminal a decision names the whole id of the receipt";
    Err(Error::new(Code::Usage, text)
        .expected("l- and 12 hex digits")
        .hint("lithermes skill-loop log"))
}

fn ask(invocation: &Invocation, plan: &Plan) -> Result<String> {
    invocation.output.text(&format!(
        "Roll back {} on skill {}:",
        plan.rolls_back.as_deref().unwrap_or_default(),
        plan.skill
    ));
    invocation
        .output
        .text(&report::plan(plan, Bounds::default()));
    let question = "Type `rollback` to write this, anything else changes nothing: ";
    if prompt::typed_word(question, "rollback")? {
        return Ok(plan.digest());
    }
    Err(Error::new(Code::Interrupted, "nothing was changed"))
}

fn dry_run(invocation: &Invocation, place: &Workplace, id: &str) -> Result<u8> {
    let result = match decision::plan_rollback(place, id)? {
        Ok(plan) => {
            invocation
                .output
                .text(&format!("Would roll back {id} on skill {}.", plan.skill));
            invocation
                .output
                .text(&report::plan(&plan, Bounds::default()));
            json!({
                "id": id, "skill": plan.skill, "outcome": "would-roll-back", "receipt": null,
                "planDigest": plan.digest(), "files": report::files(&plan),
                "note": null, "warnings": plan.warnings, "error": null,
            })
        }
        Err(done) => {
            if let Done::Already { note, .. } = &done {
                invocation.output.text(note);
            }
            report::done(id, None, &done)
        }
    };
    invocation.output.document(&json!({
        "schema": "lithermes/rollback/v1",
        "dryRun": true,
        "results": [result],
    }));
    Ok(0)
}
