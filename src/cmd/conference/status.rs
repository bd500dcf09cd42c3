//! `conference status`: how far a conference is. Reads, and changes nothing.

use super::super::invocation::Invocation;
use super::told;
use crate::args::StatusArgs;
use crate::conference::agreed;
use crate::conference::old::Told;
use crate::conference::plan::{Host, shortest};
use crate::conference::relayed::Relayed;
use crate::conference::root::Root;
use crate::conference::rounds::terms::Terms;
use crate::conference::standing::{Stage, Standing, spelled};
use crate::count;
use crate::disk::Lock;
use crate::engine::journal::{self, Record};
use crate::error::Result;
use crate::guard::text;
use crate::term::table;

pub(super) fn run(invocation: &Invocation, args: &StatusArgs) -> Result<u8> {
    let root = Root::open(&args.root)?;
    let running = Lock::holder(root.dir(), journal::LOCK)?;
    let record = journal::replay(root.dir())?;
    let terms = terms(&root, &record)?;
    // A run at work has not finished its last line yet.
    let torn = if running.is_none() { record.torn } else { 0 };
    let mut notes: Vec<String> = told::passed_over(torn, record.repeated).collect();
    if terms.is_none() && record.state.gate.is_some() {
        notes.push("conference.md is not what it was any more".to_owned());
    }
    let lacking = Relayed::of(&record.state).uncorroborated;
    if lacking > 0 {
        notes.push(format!(
            "the host's own records lack {lacking} of the packets that a model relayed"
        ));
    }
    for note in &notes {
        invocation.output.warn(note);
    }
    let stage = Stage::of(&record, running.is_some());
    let standing = Standing {
        record: &record,
        stage,
        terms: terms.as_ref(),
        notes,
    };
    if stage == Stage::Legacy {
        return old(invocation, &root, standing);
    }
    report(invocation, &standing);
    invocation.output.document(&standing.document());
    Ok(0)
}

/// A run without receipts.
fn old(invocation: &Invocation, root: &Root, mut standing: Standing<'_>) -> Result<u8> {
    let told = Told::of(root)?;
    standing.notes.extend(told.notes());
    for note in &standing.notes {
        invocation.output.note(note);
    }
    let (round, most) = told.round();
    let most = most.map_or_else(String::new, |most| format!(" of at most {most}"));
    let (rows, events) = told.counts();
    let rows = count::of(rows, "row", "rows");
    let events = count::of(events, "event", "events");
    let mut table = vec![
        ("state", standing.stage.as_str().to_owned()),
        ("round", format!("{round}{most}")),
        ("holds", format!("{rows}, {events}, no receipts")),
    ];
    if let Some(best) = told.best() {
        let value = best.value.map(shortest).unwrap_or_default();
        let (lane, round, iteration) = (best.lane, best.round, best.iteration);
        let best = format!("{value} (lane {lane}, round {round}, iteration {iteration})");
        table.push(("best", best));
    }
    if let Some(met) = told.target_met() {
        let met = if met { "yes" } else { "no" };
        table.push(("target met", met.to_owned()));
    }
    let order = told.reading_order().into_iter();
    table.extend(order.map(|path| ("read", path)));
    table.push(("next", standing.next_action().to_owned()));
    let cells = table.into_iter();
    let cells: Vec<_> = cells
        .map(|(name, value)| vec![name.to_owned(), text::line(&value).into_owned()])
        .collect();
    let drawn = table::draw(&["CONFERENCE", ""], &cells, table::width());
    invocation.output.text(&drawn);
    let mut document = standing.document();
    told.tell(&mut document);
    invocation.output.document(&document);
    Ok(0)
}

/// The terms of a run, where the conditions can still be read.
fn terms(root: &Root, record: &Record) -> Result<Option<Terms>> {
    let Some(gate) = &record.state.gate else {
        return Ok(None);
    };
    let plan = root.read()?.plan;
    Ok(plan.map(|plan| {
        let mut terms = agreed::terms(&plan, gate.conference.clone(), Host::Local);
        terms.host.clone_from(&gate.host);
        terms
    }))
}

/// For a person: the stage, what is awaited, how it ended, what is uncertain, what to read.
pub(super) fn report(invocation: &Invocation, standing: &Standing<'_>) {
    let state = &standing.record.state;
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| {
        rows.push(vec![name.to_owned(), text::line(&value).into_owned()]);
    };
    row("state", standing.stage.as_str().to_owned());
    if let Some(gate) = &state.gate {
        row("conference", gate.conference.to_string());
        row("host", gate.host.clone());
        let most = standing.terms.map(|terms| terms.max_rounds);
        let most = most.map_or_else(String::new, |most| format!(" of at most {most}"));
        let round = state.current_round();
        row("round", format!("{round}{most}, {}", standing.phase()));
    }
    let awaited: Vec<String> = state.open_calls().map(|call| call.to_string()).collect();
    if !awaited.is_empty() {
        row("awaited", awaited.join(", "));
    }
    let document = standing.document();
    if let Some(best) = document["stop"]["best"].as_object() {
        let place = |name: &str| match &best[name] {
            serde_json::Value::String(word) => word.clone(),
            number => number.as_f64().map(shortest).unwrap_or_default(),
        };
        row(
            "best",
            format!(
                "{} (lane {}, round {}, iteration {})",
                place("value"),
                place("lane"),
                place("round"),
                place("iteration")
            ),
        );
    }
    if let Some(stop) = &state.stop {
        row("stop", spelled(stop.stop_code));
        let met = if stop.target_met { "yes" } else { "no" };
        row("target met", met.to_owned());
        if !stop.budget_hit.is_empty() {
            row("budget hit", stop.budget_hit.join(", "));
        }
        row("check", stop.check.clone());
    }
    if state.gate.is_some() {
        let budget = &state.budget;
        let used = [
            count::of(budget.iterations(), "iteration", "iterations"),
            count::of(budget.calls(), "call", "calls"),
            count::of(state.evaluations.len(), "evaluation", "evaluations"),
        ];
        row("used", used.join(", "));
    }
    let relayed = Relayed::of(state);
    if relayed.relayed > 0 {
        row("relayed", relayed.to_string());
    }
    for doubt in &state.uncertain {
        row("uncertain", doubt.clone());
    }
    for path in standing.reading_order() {
        row("read", path);
    }
    row("next", standing.next_action().to_owned());
    let drawn = table::draw(&["CONFERENCE", ""], &rows, table::width());
    invocation.output.text(&drawn);
}
