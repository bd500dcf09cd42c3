//! `skill-loop apply` without an id: goes through what is pending, on a terminal.
//!
//! Promises: no key destroys anything; decisions made are kept when somebody quits.

use super::super::invocation::Invocation;
use super::{apply, list, reject, report};
use crate::error::{Code, Error, Result};
use crate::skill_loop::assess::Assessor;
use crate::skill_loop::decision::Plan;
use crate::skill_loop::overview::{self, Item};
use crate::skill_loop::receipt::State;
use crate::skill_loop::workplace::Workplace;
use crate::term::diff::Bounds;
use crate::term::prompt;

const ACTIONS: [(char, &str); 5] = [
    ('s', "show the whole diff"),
    ('a', "apply (asks for a word)"),
    ('r', "reject (asks for a reason)"),
    ('k', "skip"),
    ('q', "quit, keeping what was decided"),
];

pub(super) fn run(invocation: &Invocation, place: &Workplace) -> Result<u8> {
    if !prompt::can_ask() || invocation.output.is_json() {
        return Err(Error::new(Code::Usage, "name the proposal to apply")
            .expected("an id, or a terminal for the picker")
            .hint("lithermes skill-loop list"));
    }
    let pending = |state: State, _: Option<&_>| matches!(state, State::Pending | State::Approved);
    let items = overview::load(place, &pending)?;
    let assessor = Assessor::load(place)?;
    if items.is_empty() {
        invocation.output.text("Nothing is pending.");
        return Ok(0);
    }
    let mut counts = Counts::default();
    let total = items.len();
    for (index, item) in items.iter().enumerate() {
        // Planned when its turn comes: a decision before it may have changed the file.
        let plan = item
            .proposal
            .clone()
            .and_then(|proposal| assessor.plan(&proposal, State::Pending));
        invocation
            .output
            .text(&summary(item, plan.as_ref().ok(), index + 1, total));
        match decide(invocation, place, item, &plan)? {
            Turn::Applied => counts.applied += 1,
            Turn::Rejected => counts.rejected += 1,
            Turn::Skipped => counts.skipped += 1,
            Turn::Quit => {
                counts.skipped += total - index;
                break;
            }
        }
    }
    invocation.output.text(&format!(
        "{} applied, {} rejected, {} left as they are.",
        counts.applied, counts.rejected, counts.skipped
    ));
    Ok(0)
}

#[derive(Default)]
struct Counts {
    applied: usize,
    rejected: usize,
    skipped: usize,
}

enum Turn {
    Applied,
    Rejected,
    Skipped,
    Quit,
}

fn summary(item: &Item, plan: Option<&Plan>, number: usize, total: usize) -> String {
    let mut text = format!("\n[{number}/{total}] ");
    match &item.proposal {
        Ok(proposal) => text.push_str(&report::head(proposal)),
        Err(error) => text.push_str(&format!("{}  {}\n", item.id, error.message())),
    }
    let remarks = list::remarks(item);
    if !remarks.is_empty() {
        text.push_str(&format!("  [{remarks}]\n"));
    }
    if let Some(plan) = plan {
        let paths: Vec<&str> = plan
            .files
            .iter()
            .map(|file| file.change.path.as_str())
            .collect();
        text.push_str(&format!(
            "  {}  {}\n",
            paths.join(", "),
            report::counts(plan)
        ));
    }
    text
}

fn decide(
    invocation: &Invocation,
    place: &Workplace,
    item: &Item,
    plan: &Result<Plan>,
) -> Result<Turn> {
    loop {
        let key = prompt::choose("What now?", &ACTIONS)?;
        match key {
            None | Some('q') => return Ok(Turn::Quit),
            Some('k') => return Ok(Turn::Skipped),
            Some('s') => match plan {
                Ok(plan) => invocation
                    .output
                    .text(&report::plan(plan, Bounds::default())),
                Err(error) => invocation.output.failure_text(error),
            },
            Some('a') => {
                if let Some(turn) = applied(invocation, place, item, plan)? {
                    return Ok(turn);
                }
            }
            Some('r') => {
                let Some(reason) = prompt::line("Reason (may be empty, Esc goes back): ")? else {
                    continue;
                };
                let reason = (!reason.is_empty()).then_some(reason.as_str());
                reject::decide(invocation, place, &item.id, reason)?;
                return Ok(Turn::Rejected);
            }
            Some(_) => {}
        }
    }
}

/// A refusal or another word than the one asked for goes back to the question.
fn applied(
    invocation: &Invocation,
    place: &Workplace,
    item: &Item,
    plan: &Result<Plan>,
) -> Result<Option<Turn>> {
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => {
            invocation.output.failure_text(error);
            return Ok(None);
        }
    };
    let done = apply::ask(invocation, place, &item.id, plan)
        .and_then(|seen| apply::decide(invocation, place, &item.id, Some(&seen)));
    match done {
        Ok(_) => Ok(Some(Turn::Applied)),
        Err(error)
            if error.code() == Code::Interrupted && error.message() == "nothing was changed" =>
        {
            Ok(None)
        }
        Err(error) if error.code() == Code::Interrupted => Err(error),
        Err(error) => {
            invocation.output.failure_text(&error);
            Ok(None)
        }
    }
}
