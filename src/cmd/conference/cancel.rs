//! `conference cancel`: asks the run at work to stop, or stops what no run works on.

use serde_json::json;

use super::super::invocation::Invocation;
use crate::args::CancelArgs;
use crate::clock;
use crate::conference::driver::{self, Drive, Left};
use crate::conference::replay;
use crate::conference::root::Root;
use crate::conference::seal::{Seal, Sealer};
use crate::conference::subject::Subject;
use crate::conference::{approved, drift};
use crate::disk::{Lock, durable};
use crate::engine::journal::{self, CANCEL, Journal};
use crate::engine::state::Gate;
use crate::error::{Code, Error, Result};
use crate::process::Cancel;

pub(super) fn run(invocation: &Invocation, args: &CancelArgs) -> Result<u8> {
    let root = Root::open(&args.root)?;
    // A run can be stopped without the home in which it was approved.
    if let Ok(home) = invocation.home() {
        root.refuse_closed(&home)?;
    }
    let result = match Lock::holder(root.dir(), journal::LOCK)? {
        Some(holder) => {
            request(&root)?;
            invocation.output.text(&format!(
                "Asked the run at work to stop ({}).",
                holder.trim()
            ));
            "requested"
        }
        None => alone(invocation, &root)?,
    };
    invocation.output.document(&json!({
        "schema": "lithermes/conference-cancel/v1",
        "result": result,
    }));
    Ok(0)
}

fn request(root: &Root) -> Result<()> {
    let text = format!("{} {}\n", clock::now(), clock::actor());
    let temp = format!(".{CANCEL}.tmp");
    durable::replace(root.dir(), CANCEL, &temp, text.as_bytes(), 0o600)
}

/// Nobody is at work: the ids that are out belong to processes that are gone.
fn alone(invocation: &Invocation, root: &Root) -> Result<&'static str> {
    let holder = format!("pid {} cancels", std::process::id());
    let (mut journal, aside) = Journal::open(root.dir(), &holder)?;
    if let Some(name) = aside {
        let note = format!("a torn last line of the events was set aside as {name}");
        invocation.output.note(&note);
    }
    if journal.state().gate.is_none() {
        let text = "nothing was begun here, so nothing is to be cancelled";
        return Err(Error::new(Code::NotFound, text).hint("lithermes conference status"));
    }
    if journal.state().stop.is_some() {
        invocation
            .output
            .text("It has ended already. Nothing was changed.");
        return Ok("already");
    }
    driver::give_up(&mut journal)?;
    end(invocation, root, journal)?;
    invocation.output.text("Cancelled. Every id is accounted.");
    Ok("cancelled")
}

/// Ends it as a run does, with all that can be written; where the folder is not what the events say,
/// nothing in it is written over.
fn end(invocation: &Invocation, root: &Root, mut journal: Journal) -> Result<()> {
    let Some(gate) = journal.state().gate.clone() else {
        return journal.close();
    };
    match inspect(invocation, root, &journal, &gate) {
        Ok((subject, left)) => publish(invocation, root, journal, &gate, subject, left),
        Err(error) if error.code() == Code::BlockedStaleConferenceState => {
            invocation
                .output
                .warn(&format!("nothing was published: {error}"));
            driver::end_unpublished(&mut journal, &error.to_string())?;
            journal.clear_cancel()?;
            journal.close()
        }
        Err(error) => Err(error),
    }
}

/// What it is about, and what its last root left. `BLOCKED_STALE_CONFERENCE_STATE` where either is
/// not what the events say.
fn inspect(
    invocation: &Invocation,
    root: &Root,
    journal: &Journal,
    gate: &Gate,
) -> Result<(Subject, Left)> {
    let subject = Subject::of_gate(&root.read()?, gate).ok_or_else(|| {
        let text = "conference.md is not what was approved";
        Error::new(Code::BlockedStaleConferenceState, text)
    })?;
    let (sealed, damage) = match invocation.place() {
        Ok(place) => replay::sealed(&place, &gate.conference)?,
        Err(_) => (Vec::new(), None),
    };
    let replayed = replay::of(journal.root(), subject.against_recorded(&sealed))?;
    let differences = damage.iter().chain(&replayed.differences);
    drift::refuse(&drift::of_differences(differences))?;
    let left = Left::of(&replayed, &sealed);
    Ok((subject, left))
}

fn publish(
    invocation: &Invocation,
    root: &Root,
    journal: Journal,
    gate: &Gate,
    subject: Subject,
    left: Left,
) -> Result<()> {
    // Only the home in which it was approved hears of it.
    let place = invocation.place().ok();
    let is_known = |place: &_| approved::receipt(place, &gate.approval_digest);
    let place = match place {
        Some(place) if is_known(&place)?.is_some() => Some(place),
        _ => None,
    };
    let mut sealer = place
        .as_ref()
        .map(|place| Sealer::new(place, root, gate.conference.clone()));
    let sealed = &mut |seal: &Seal| {
        if let Some(Err(error)) = sealer.as_mut().map(|sealer| sealer.seal(seal)) {
            let text = format!("the end is not in the ledger yet: {error}");
            invocation.output.warn(&text);
        }
    };
    let drive = Drive {
        terms: subject.terms,
        host: None,
        evaluator: None,
        evaluator_slots: 1,
        slots: 1,
        cancel: Cancel::new()?,
        heard: &mut |_, _| {},
        sealed,
        // Nothing is claimed for which it would have to stand.
        stands: &|| Ok(()),
        config_digest: gate.config_digest.clone(),
        title: subject.title,
        evaluator_file: subject.evaluator,
        left,
        is_abandoned: true,
    };
    driver::drive(drive, journal).map(drop)
}
