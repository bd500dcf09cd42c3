//! `conference run`: holds an approved conference to its end.

use super::super::invocation::Invocation;
use super::chair::{Chair, Team, refuse_child};
use super::opened::{Opened, Whole};
use super::{agents, approve, drawn};
use crate::args::RunArgs;
use crate::conference::children::{self, Local, Program, Recording};
use crate::conference::driver::Left;
use crate::conference::plan::{Host, Strategy};
use crate::conference::root::Root;
use crate::conference::rounds::charters;
use crate::conference::rounds::terms::Terms;
use crate::engine::host::command::{Command, PROBE};
use crate::engine::id::{Call, Task};
use crate::engine::state::State;
use crate::error::{Code, Error, Result};
use crate::process::{Cancel, environment};

pub(super) fn run(invocation: &Invocation, args: &RunArgs) -> Result<u8> {
    let opened = Opened::of(invocation, &args.conditions)?;
    let found = capable(invocation, &opened)?;
    let chair = Chair::of(invocation, opened)?;
    show(invocation, &chair);
    approve::decide(
        invocation,
        &chair.opened,
        &chair.whole,
        args.approve.as_deref(),
    )?;
    let cancel = Cancel::new()?;
    let host = host(&chair, &cancel, found)?;
    let slots = slots(args.slots, host.as_ref(), &chair.terms);
    let mut journal = chair.sit()?;
    refuse_begun(&chair, journal.state())?;
    chair.confirm(&mut journal, slots, host.probed())?;
    let team = Team {
        host: Some(host.as_ref()),
        slots,
        cancel,
        left: Left::default(),
    };
    chair.hold(team, journal)
}

/// A conference is begun once.
pub(super) fn refuse_begun(chair: &Chair<'_>, state: &State) -> Result<()> {
    let stale = |text| Error::new(Code::BlockedStaleConferenceState, text);
    if state.stop.is_some() {
        let text = "a run has ended here; a conference is begun once";
        return Err(stale(text).hint(chair.opened.command("status", &[])));
    }
    if !state.accounts.is_empty() {
        let text = "a run has begun here; a conference is begun once";
        return Err(stale(text).hint(chair.opened.command("resume", &[])));
    }
    match &state.gate {
        Some(gate) if gate.conference != chair.terms.conference => {
            let text = "the gate was confirmed for other conditions than those that stand here now";
            Err(stale(text)
                .expected(gate.conference.to_string())
                .found(chair.terms.conference.to_string()))
        }
        _ => Ok(()),
    }
}

/// Children at a time: as many as were asked for, else as the host reports.
pub(super) fn slots(asked: Option<u32>, host: &dyn children::Host, terms: &Terms) -> usize {
    asked.map_or_else(|| host.slots(terms), |slots| slots as usize)
}

/// Who could do the work of children (conference.md A2); the Hermes that does, where one does.
pub(super) fn capable(invocation: &Invocation, opened: &Opened) -> Result<Option<agents::Found>> {
    refuse_child(invocation, opened)?;
    match opened.conditions.host {
        Host::Command | Host::Local | Host::Recorded => Ok(None),
        Host::Hermes => agents::find(&invocation.home()?).map(Some),
        Host::Handoff => {
            let text = "on the host handoff a session holds the conference, with next and receive";
            Err(Error::new(Code::BlockedMultiAgentUnavailable, text)
                .hint(opened.command("next", &[])))
        }
    }
}

pub(super) fn show(invocation: &Invocation, chair: &Chair<'_>) {
    let conditions = drawn::conditions(&chair.opened.conditions);
    invocation.output.text(&conditions);
    let digest = format!("\napproval {}\n", chair.whole.digest);
    invocation.output.text(&digest);
}

pub(super) fn host(
    chair: &Chair<'_>,
    cancel: &Cancel,
    found: Option<agents::Found>,
) -> Result<Box<dyn children::Host>> {
    let (opened, whole, terms) = (&chair.opened, &chair.whole, &chair.terms);
    if let Some(found) = found {
        return Ok(Box::new(agents::host(found, whole)?));
    }
    Ok(match opened.conditions.host {
        Host::Command => Box::new(program(opened, whole, terms, cancel)?),
        Host::Recorded => {
            let other = opened
                .asked
                .recorded
                .as_deref()
                .unwrap_or(opened.root.path());
            Box::new(Recording::of(Root::open(other)?.dir())?)
        }
        Host::Local => Box::new(Local {
            config_digest: whole.approval.config_digest.clone(),
            is_assigned: whole.plan.strategy == Strategy::Assigned,
        }),
        Host::Hermes | Host::Handoff => {
            let text = "nobody was found who starts the children of this host";
            return Err(Error::new(Code::BlockedMultiAgentUnavailable, text));
        }
    })
}

/// The program of the host `command`, once it answered a probe charter.
fn program(opened: &Opened, whole: &Whole, terms: &Terms, cancel: &Cancel) -> Result<Program> {
    let words = opened.conditions.command.as_ref().map(|argv| argv.words());
    let passed = &whole.plan.settings.pass_environment;
    let program = Program(Command::new(
        opened.root.path(),
        words.unwrap_or_default(),
        environment::of_this_process(passed),
    ));
    let task = Call {
        task: Task::Probe,
        attempt: 1,
    };
    let charter = charters::charter(terms, &State::default(), task, PROBE.as_secs());
    program.probe(&charter, cancel).map_err(|why| {
        let text = format!("the program of the host `command` does not answer: {why}");
        Error::new(Code::BlockedMultiAgentUnavailable, text)
    })?;
    Ok(program)
}
