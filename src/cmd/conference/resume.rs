//! `conference resume`: goes on with a conference whose run was cut off.

use super::super::foreground;
use super::super::invocation::Invocation;
use super::chair::{self, Chair, Team};
use super::opened::Opened;
use super::run::{capable, host as host_of, slots};
use crate::args::ResumeArgs;
use crate::clock;
use crate::conference::driver::{self, Left};
use crate::conference::resumed;
use crate::conference::rounds::{lost, next};
use crate::conference::standing;
use crate::engine::event::Decision;
use crate::engine::id::Call;
use crate::engine::journal::Journal;
use crate::error::{Code, Error, Result};
use crate::process::Cancel;

pub(super) fn run(invocation: &Invocation, args: &ResumeArgs) -> Result<u8> {
    let (opened, record) = Opened::begun(invocation, &args.conditions)?;
    if record.state.gate.is_none() {
        let text = "nothing was begun here: no gate is confirmed";
        return Err(
            Error::new(Code::BlockedApprovalRequired, text).hint(opened.command("run", &[]))
        );
    }
    chair::refuse_child(invocation, &opened)?;
    let chair = Chair::of_begun(invocation, opened, &record.state)?;
    let is_over = record.state.stop.is_some();
    if chair.paused(&record.state).is_some() {
        foreground::require_for_approval(chair.opened.command("status", &[]))?;
    }
    let is_session = standing::is_handed_off(&record.state);
    let cancel = Cancel::new()?;
    let host = match is_over || is_session {
        true => None,
        false => {
            let found = capable(invocation, &chair.opened)?;
            Some(host_of(&chair, &cancel, found)?)
        }
    };
    let mut journal = chair.sit()?;
    let left = chair.inspect(&journal)?;
    if !is_over {
        chair.start(&mut journal)?;
        decide(&chair, args, &mut journal, &left)?;
    }
    if is_session && !is_over {
        return hand_over(&chair, journal);
    }
    let host = host.as_deref();
    let slots = host.map_or(1, |host| slots(args.slots, host, &chair.terms));
    let team = Team {
        host,
        slots,
        cancel,
        left,
    };
    chair.hold(team, journal)
}

/// What was out is lost with its runner; what has to be decided is, or the choices are told.
fn decide(chair: &Chair<'_>, args: &ResumeArgs, journal: &mut Journal, left: &Left) -> Result<()> {
    if !standing::is_handed_off(journal.state()) {
        driver::lose(journal)?;
    }
    for event in next::expire(&chair.terms, journal.state(), clock::now(), false) {
        journal.record(event)?;
    }
    let undecided = lost::undecided(&chair.terms, journal.state());
    let decision = match choice(chair, args, journal, &undecided) {
        Ok(decision) => decision,
        Err(error) => {
            journal.commit()?;
            return Err(error);
        }
    };
    let is_session = standing::is_handed_off(journal.state());
    let is_paused = chair.paused(journal.state()).is_some();
    if is_session && !is_paused && decision == Decision::None {
        return Ok(());
    }
    let about: &[Call] = match decision {
        Decision::GoOn | Decision::Redispatch => &undecided,
        Decision::None | Decision::KeepFirst => &[],
    };
    let unwritten = left.unwritten.clone();
    let event = resumed::receipt(
        &chair.terms,
        journal.state(),
        decision,
        about,
        unwritten,
        chair.regranted(),
    );
    journal.record(event)
}

fn choice(
    chair: &Chair<'_>,
    args: &ResumeArgs,
    journal: &Journal,
    undecided: &[Call],
) -> Result<Decision> {
    let state = journal.state();
    if args.keep_first && state.conflict.is_none() {
        let text = "--keep-first: no two packets came under one id";
        return Err(Error::new(Code::Usage, text));
    }
    if args.keep_first {
        return Ok(Decision::KeepFirst);
    }
    chair.refuse_conflict(state)?;
    if undecided.is_empty() {
        return Ok(Decision::None);
    }
    let affordable = lost::are_affordable(&chair.terms, state, undecided);
    match (args.redispatch, args.go_on) {
        (true, _) if affordable => Ok(Decision::Redispatch),
        (false, true) => Ok(Decision::GoOn),
        _ => Err(choices(chair, undecided, affordable)),
    }
}

/// The two choices, or the one that the budget leaves.
fn choices(chair: &Chair<'_>, lost: &[Call], affordable: bool) -> Error {
    let names: Vec<String> = lost.iter().map(ToString::to_string).collect();
    let names = names.join(", ");
    let text = match affordable {
        true => format!(
            "lost with their runner: {names}; go on without them, or send them out again, which is charged again"
        ),
        false => format!("lost with their runner: {names}; the budget holds no other try"),
    };
    let command = |flag| chair.opened.command("resume", &[flag]);
    let error = Error::new(Code::BlockedLostChild, text).hint(command("--go-on"));
    match affordable {
        true => error.hint(command("--redispatch")),
        false => error,
    }
}

/// A session goes on with `next`.
fn hand_over(chair: &Chair<'_>, mut journal: Journal) -> Result<u8> {
    journal.commit()?;
    journal.close()?;
    chair.tell()?;
    Ok(0)
}
