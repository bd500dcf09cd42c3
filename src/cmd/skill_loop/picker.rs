//! `skill-loop apply` without an id: goes through what is pending, on a terminal.
//!
//! Promises: no key destroys anything; decisions made are kept when somebody quits.

use super::super::invocation::Invocation;
use super::{apply, list, reject, report};
use crate::count;
use crate::error::{Code, Error, Result};
use crate::skill_loop::decision::Plan;
use crate::skill_loop::overview::{self, Item};
use crate::skill_loop::receipt::State;
use crate::skill_loop::workplace::Workplace;
use crate::term::diff::Bounds;
use crate::term::prompt;

const ACTIONS: [(char, &str); 5] = [
    ('s', "show the diff"),
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
    if items.is_empty() {
        invocation.output.text("Nothing is pending.");
        return Ok(0);
    }
    let mut counts = Counts::default();
    let total = items.len();
    for (index, Item { id, .. }) in items.iter().enumerate() {
        match turn(invocation, place, id, &format!("[{}/{total}]", index + 1))? {
            Turn::Applied => counts.applied += 1,
            Turn::Rejected => counts.rejected += 1,
            Turn::Skipped => counts.skipped += 1,
            Turn::Quit => {
                counts.skipped += total - index;
                break;
            }
        }
    }
    let left = count::of(counts.skipped, "left as it is", "left as they are");
    invocation.output.text(&format!(
        "{} applied, {} rejected, {left}.",
        counts.applied, counts.rejected
    ));
    Ok(0)
}

/// Looks at the proposal again first: a decision on another, or somebody else, may have changed
/// what it would do.
fn turn(invocation: &Invocation, place: &Workplace, id: &str, number: &str) -> Result<Turn> {
    let (item, plan) = match overview::one(place, id) {
        Ok(found) => found,
        Err(error) => {
            invocation.output.failure_text(&error);
            return Ok(Turn::Skipped);
        }
    };
    invocation
        .output
        .text(&summary(&item, plan.as_ref(), number));
    if item.verdict.is_none() {
        let state = item.standing.state.as_str();
        invocation.output.text(&format!("  {state} meanwhile\n"));
        return Ok(Turn::Skipped);
    }
    decide(invocation, place, &item, plan.as_ref())
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

fn summary(item: &Item, plan: Option<&Plan>, number: &str) -> String {
    let mut text = format!("\n{number} ");
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
    plan: Option<&Plan>,
) -> Result<Turn> {
    loop {
        let key = prompt::choose("What now?", &ACTIONS)?;
        match key {
            None | Some('q') => return Ok(Turn::Quit),
            Some('k') => return Ok(Turn::Skipped),
            Some('s') => match plan {
                Some(plan) => invocation
                    .output
                    .text(&report::plan(plan, Bounds::default())),
                None => tell_why(invocation, item),
            },
            Some('a') => {
                if let Some(turn) = applied(invocation, place, item, plan)? {
                    return Ok(turn);
                }
            }
            Some('r') => {
                if let Some(turn) = rejected(invocation, place, item)? {
                    return Ok(turn);
                }
            }
            Some(_) => {}
        }
    }
}

/// What stands in the way of a proposal that has no plan.
fn tell_why(invocation: &Invocation, item: &Item) {
    if let Some(Err(error)) = &item.verdict {
        invocation.output.failure_text(error);
    }
}

/// Another word than the one asked for goes back to the question.
fn applied(
    invocation: &Invocation,
    place: &Workplace,
    item: &Item,
    plan: Option<&Plan>,
) -> Result<Option<Turn>> {
    let Some(plan) = plan else {
        tell_why(invocation, item);
        return Ok(None);
    };
    let done = apply::ask(invocation, place, &item.id, plan).and_then(|seen| {
        let decide = |seen: String| apply::decide(invocation, place, &item.id, Some(&seen));
        seen.map(decide).transpose()
    });
    let done = or_told(invocation, done)?;
    Ok(done.map(|_| Turn::Applied))
}

/// Esc in place of a reason goes back to the question.
fn rejected(invocation: &Invocation, place: &Workplace, item: &Item) -> Result<Option<Turn>> {
    let Some(reason) = prompt::line("Reason (may be empty, Esc goes back): ")? else {
        return Ok(None);
    };
    let reason = (!reason.is_empty()).then_some(reason.as_str());
    let done = reject::decide(invocation, place, &item.id, reason).map(Some);
    let done = or_told(invocation, done)?;
    Ok(done.map(|_| Turn::Rejected))
}

/// A refusal is shown and goes back to the question; Ctrl-C ends it all.
fn or_told<T>(invocation: &Invocation, done: Result<Option<T>>) -> Result<Option<T>> {
    match done {
        Err(error) if error.code() != Code::Interrupted => {
            invocation.output.failure_text(&error);
            Ok(None)
        }
        other => other,
    }
}
