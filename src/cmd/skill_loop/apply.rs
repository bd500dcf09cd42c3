//! `skill-loop apply`: the approval act.

use serde_json::{Value, json};

use super::super::foreground;
use super::super::invocation::Invocation;
use super::{picker, report, select};
use crate::args::ApplyArgs;
use crate::error::{Code, Error, Result};
use crate::skill_loop::assess::Assessor;
use crate::skill_loop::decision::{self, Done, Plan};
use crate::skill_loop::workplace::Workplace;
use crate::term::diff::Bounds;
use crate::term::output::error_document;
use crate::term::prompt;

pub(super) fn run(invocation: &Invocation, args: &ApplyArgs) -> Result<u8> {
    if !args.dry_run {
        foreground::require(args.ids.first().map(String::as_str))?;
    }
    let place = invocation.place()?;
    if args.ids.is_empty() {
        return picker::run(invocation, &place);
    }
    let ids = select(&place, args)?;
    refuse_shared_files(&place, &ids)?;
    if args.dry_run {
        return dry_run(invocation, &place, &ids, args.keep_going);
    }
    let turns = check_all(invocation, &place, &ids, args.keep_going)?;
    let mut results = Vec::new();
    let mut failure = None;
    for (id, turn) in ids.iter().zip(turns) {
        match take(invocation, &place, id, turn) {
            Ok((skill, done)) => results.push(report::done(id, Some(&skill), &done)),
            Err(error) => {
                results.push(failed(id, &error));
                if !args.keep_going || error.code() == Code::Interrupted {
                    failure = Some(error);
                    break;
                }
                invocation.output.failure_text(&error);
                failure.get_or_insert(error);
            }
        }
    }
    finish(invocation, args, &results, failure)
}

/// With one id an error is the whole answer; with several, the list of what was done is.
fn finish(
    invocation: &Invocation,
    args: &ApplyArgs,
    results: &[Value],
    failure: Option<Error>,
) -> Result<u8> {
    match failure {
        Some(error) if args.ids.len() == 1 => Err(error),
        Some(error) => {
            if !args.keep_going {
                invocation.output.failure_text(&error);
            }
            document(invocation, results, args.dry_run);
            Ok(error.code().exit())
        }
        None => {
            document(invocation, results, args.dry_run);
            Ok(0)
        }
    }
}

fn document(invocation: &Invocation, results: &[Value], dry_run: bool) {
    invocation.output.document(&json!({
        "schema": "lithermes/apply/v1",
        "dryRun": dry_run,
        "results": results,
    }));
}

fn failed(id: &str, error: &Error) -> Value {
    json!({
        "id": id, "skill": null, "outcome": "failed", "receipt": null,
        "planDigest": null, "files": null, "note": null, "warnings": [], "error": error_document(error),
    })
}

/// Whole ids, each once.
fn select(place: &Workplace, args: &ApplyArgs) -> Result<Vec<String>> {
    let queue = place.queue();
    let mut ids = Vec::new();
    for given in &args.ids {
        let id = if args.dry_run {
            queue.resolve(given)?
        } else {
            select::for_decision(&queue, given)?
        };
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Two proposals on one file: the first would make the second stale.
fn refuse_shared_files(place: &Workplace, ids: &[String]) -> Result<()> {
    let mut touched: Vec<(String, String, &str)> = Vec::new();
    for id in ids {
        let Some(proposal) = place.queue().load(id)? else {
            continue;
        };
        for path in proposal.change.paths() {
            let clash = touched
                .iter()
                .find(|(skill, file, _)| *skill == proposal.skill && *file == path);
            if let Some((_, _, other)) = clash {
                let text = format!(
                    "{other} and {id} change one file: `{}/{path}`",
                    proposal.skill
                );
                return Err(Error::new(Code::StaleBase, text)
                    .hint("apply one of them; the other is stale then")
                    .hint("nothing was changed"));
            }
            touched.push((proposal.skill.clone(), path.to_owned(), id));
        }
    }
    Ok(())
}

/// What the check before the first write found for one id.
enum Turn {
    /// Nothing to do.
    Already(Done),
    /// To be decided under the lock; the digest is the plan that a person saw.
    Decide(Option<String>),
    /// Refused before the lock was taken.
    Refused(Error),
}

/// All plans are checked before the first write. On a terminal each is shown, and its digest is
/// what the typed word approves.
fn check_all(
    invocation: &Invocation,
    place: &Workplace,
    ids: &[String],
    keep_going: bool,
) -> Result<Vec<Turn>> {
    // What a killed decision left is settled under the lock, and what somebody else decides
    // meanwhile may change every answer.
    let rest = place.rest()?;
    let assessor = Assessor::load(place)?;
    let mut turns = Vec::new();
    for id in ids {
        let planned = decision::plan_apply(place, &assessor, id);
        let settled = !matches!(planned, Ok(Ok(_))) && rest.is_some() && place.rest()? == rest;
        turns.push(match planned {
            Ok(Ok(plan)) if prompt::can_ask() => {
                let Some(seen) = ask(invocation, place, id, &plan)? else {
                    return Err(Error::new(Code::Interrupted, "nothing was changed"));
                };
                Turn::Decide(Some(seen))
            }
            Ok(Err(done)) if settled => Turn::Already(done),
            Err(error) if settled && (keep_going || ids.len() == 1) => Turn::Refused(error),
            Err(error) if settled => return Err(error.hint("no proposal was applied")),
            _ => Turn::Decide(None),
        });
    }
    Ok(turns)
}

fn take(
    invocation: &Invocation,
    place: &Workplace,
    id: &str,
    turn: Turn,
) -> Result<(String, Done)> {
    match turn {
        Turn::Decide(seen) => decide(invocation, place, id, seen.as_deref()),
        Turn::Refused(error) => Err(error),
        Turn::Already(done) => {
            let skill = place.queue().get(id)?.skill;
            tell(invocation, id, &skill, &done);
            Ok((skill, done))
        }
    }
}

/// Shows the plan and asks for the word; gives the digest that was approved, `None` for any other
/// answer.
pub(super) fn ask(
    invocation: &Invocation,
    place: &Workplace,
    id: &str,
    plan: &Plan,
) -> Result<Option<String>> {
    let proposal = place.queue().get(id)?;
    invocation.output.text(&report::head(&proposal));
    invocation
        .output
        .text(&report::plan(plan, Bounds::default()));
    if Assessor::load(place)?.is_without_receipt(&proposal)? {
        let question = format!(
            "Skill `{}` bears the marker, but no receipt of lithermes made it. Type `mine` to go on: ",
            proposal.skill
        );
        if !prompt::typed_word(&question, "mine")? {
            return Ok(None);
        }
    }
    let question = "Type `apply` to apply this, anything else changes nothing: ";
    let given = prompt::typed_word(question, "apply")?;
    Ok(given.then(|| plan.digest()))
}

/// Takes the lock, applies one proposal and says so.
pub(super) fn decide(
    invocation: &Invocation,
    place: &Workplace,
    id: &str,
    seen: Option<&str>,
) -> Result<(String, Done)> {
    let locked = invocation.lock(place)?;
    let skill = place.queue().get(id)?.skill;
    let done = decision::apply(&locked, id, seen)?;
    tell(invocation, id, &skill, &done);
    Ok((skill, done))
}

fn tell(invocation: &Invocation, id: &str, skill: &str, done: &Done) {
    match done {
        Done::Now { receipt, warnings } => {
            for warning in warnings {
                invocation.output.warn(warning);
            }
            invocation
                .output
                .text(&format!("Applied {} to skill {skill}.", report::id(id)));
            invocation.output.text(&format!("Receipt {receipt}"));
        }
        Done::Already { note, .. } => invocation.output.text(note),
    }
}

fn dry_run(
    invocation: &Invocation,
    place: &Workplace,
    ids: &[String],
    keep_going: bool,
) -> Result<u8> {
    let assessor = Assessor::load(place)?;
    let mut results = Vec::new();
    let mut failure: Option<Error> = None;
    for id in ids {
        match decision::plan_apply(place, &assessor, id) {
            Ok(Ok(plan)) => {
                let head = format!("Would apply {} to skill {}.", report::id(id), plan.skill);
                invocation.output.text(&head);
                invocation
                    .output
                    .text(&report::plan(&plan, Bounds::default()));
                results.push(json!({
                    "id": id, "skill": plan.skill, "outcome": "would-apply", "receipt": null,
                    "planDigest": plan.digest(), "files": report::files(&plan),
                    "note": null, "warnings": plan.warnings, "error": null,
                }));
            }
            Ok(Err(done)) => {
                if let Done::Already { note, .. } = &done {
                    invocation.output.text(note);
                }
                results.push(report::done(id, None, &done));
            }
            Err(error) => {
                results.push(failed(id, &error));
                let first = failure.is_none();
                if ids.len() > 1 {
                    invocation.output.failure_text(&error);
                }
                if first {
                    failure = Some(error);
                }
                if !keep_going {
                    break;
                }
            }
        }
    }
    match failure {
        Some(error) if ids.len() == 1 => Err(error),
        Some(error) => {
            document(invocation, &results, true);
            Ok(error.code().exit())
        }
        None => {
            document(invocation, &results, true);
            Ok(0)
        }
    }
}
