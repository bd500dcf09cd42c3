//! `conference run`: holds an approved conference to its end.

use std::cell::RefCell;
use std::time::Duration;

use super::super::invocation::Invocation;
use super::lanes::Lanes;
use super::opened::{Opened, Whole};
use super::{agents, approve, drawn, status};
use crate::args::RunArgs;
use crate::conference::agreed;
use crate::conference::children::{self, Local, Program, Recording};
use crate::conference::driver::{self, Drive};
use crate::conference::evaluator::Evaluator;
use crate::conference::gate::{Approval, Conditions};
use crate::conference::leftovers;
use crate::conference::plan::{Host, Plan, Strategy, Success};
use crate::conference::root::Root;
use crate::conference::rounds::charters;
use crate::conference::rounds::terms::Terms;
use crate::conference::seal::Sealer;
use crate::conference::standing::{Stage, Standing};
use crate::conference::surroundings;
use crate::engine::event::{Event, Stop, StopCode};
use crate::engine::host::command::{Command, PROBE, command_line};
use crate::engine::id::{Call, ConferenceId, Task};
use crate::engine::journal::{self, Journal};
use crate::engine::state::State;
use crate::error::{Code, Error, Result};
use crate::process::{Cancel, Shim, environment};

/// How long a seal waits for another lithermes in this home.
const SEAL: Duration = Duration::from_secs(1);

pub(super) fn run(invocation: &Invocation, args: &RunArgs) -> Result<u8> {
    let opened = Opened::of(invocation, &args.conditions)?;
    let found = capable(invocation, &opened)?;
    let whole = opened.whole()?;
    authorised(&opened)?;
    show(invocation, &opened, &whole);
    approve::decide(invocation, &opened, &whole, args.approve.as_deref())?;
    let conference = ConferenceId::of_approval(&whole.digest);
    let terms = agreed::terms(&whole.plan, conference, opened.conditions.host);
    let cancel = Cancel::new()?;
    let host = host(&opened, &whole, &terms, &cancel, found)?;
    let slots = args
        .slots
        .map_or_else(|| host.slots(&terms), |slots| slots as usize);
    let probed = host.probed();
    let journal = begin(invocation, &opened, &whole, &terms, slots, probed)?;
    let (stop, _) = hold(
        invocation,
        &opened,
        &whole,
        terms.clone(),
        host.as_ref(),
        slots,
        cancel,
        journal,
    )?;
    end(invocation, &opened.root, &terms)?;
    Ok(exit(&stop))
}

/// Who could do the work of children (conference.md A2); the Hermes that does, where one does.
fn capable(invocation: &Invocation, opened: &Opened) -> Result<Option<agents::Found>> {
    let unavailable = |what: String| {
        Err(Error::new(Code::BlockedMultiAgentUnavailable, what).hint(opened.command("check", &[])))
    };
    if std::env::var_os(environment::CHILD).is_some_and(|value| !value.is_empty()) {
        return unavailable("a child of a conference starts no children".to_owned());
    }
    let home = invocation.home()?;
    if agents::is_subagent(&home) {
        return unavailable("a child of a Hermes session starts no children".to_owned());
    }
    match opened.conditions.host {
        Host::Command | Host::Local | Host::Recorded => Ok(None),
        Host::Hermes => agents::find(&home).map(Some),
        host @ Host::Handoff => {
            let host = host.as_str();
            unavailable(format!(
                "this lithermes has no children on the host `{host}` yet"
            ))
        }
    }
}

fn authorised(opened: &Opened) -> Result<()> {
    let Some(grant) = &opened.asked.grant else {
        return Ok(());
    };
    let text = format!("this lithermes cannot check the grant {grant} yet");
    Err(Error::new(Code::BlockedBoundedAuthorityRequired, text))
}

fn show(invocation: &Invocation, opened: &Opened, whole: &Whole) {
    invocation
        .output
        .text(&drawn::conditions(&opened.conditions));
    let digest = format!("\napproval {}\n", whole.digest);
    invocation.output.text(&digest);
}

fn host(
    opened: &Opened,
    whole: &Whole,
    terms: &Terms,
    cancel: &Cancel,
    found: Option<agents::Found>,
) -> Result<Box<dyn children::Host>> {
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

/// Becomes the root, and confirms the gate where that was not done.
fn begin(
    invocation: &Invocation,
    opened: &Opened,
    whole: &Whole,
    terms: &Terms,
    slots: usize,
    probe: Vec<String>,
) -> Result<Journal> {
    let holder = format!("pid {} runs {}", std::process::id(), terms.conference);
    let (mut journal, aside) = Journal::open(opened.root.dir(), &holder)?;
    if let Some(name) = aside {
        let note = format!("a torn last line of the events was set aside as {name}");
        invocation.output.note(&note);
    }
    let state = journal.state();
    if state.stop.is_some() || !state.accounts.is_empty() {
        let text = "a run has begun here; a conference is begun once";
        return Err(
            Error::new(Code::BlockedStaleConferenceState, text).hint(opened.command("status", &[]))
        );
    }
    match &state.gate {
        Some(gate) if gate.conference != terms.conference => {
            let text = "the gate was confirmed for other conditions than those that stand here now";
            return Err(Error::new(Code::BlockedStaleConferenceState, text)
                .expected(gate.conference.to_string())
                .found(terms.conference.to_string()));
        }
        Some(_) => return Ok(journal),
        None => {}
    }
    leftovers::refuse(opened.root.dir())?;
    // An old request is none of this run's.
    journal.clear_cancel()?;
    let host = opened.conditions.host;
    journal.record(Event::GateConfirmed {
        conference_id: terms.conference.clone(),
        approval_digest: whole.digest.clone(),
        config_digest: whole.approval.config_digest.clone(),
        host: host.as_str().to_owned(),
        slots: u32::try_from(slots).unwrap_or(u32::MAX),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        probe,
        surroundings: surroundings::of(&whole.approval),
    })?;
    journal.record(Event::Started {
        researchers: whole.plan.count,
        mode: whole.plan.mode.as_str().to_owned(),
        goal: whole.plan.goal.clone(),
        config_summary: summary(&whole.plan),
    })?;
    Ok(journal)
}

fn summary(plan: &Plan) -> String {
    match &plan.success {
        Success::Metric {
            name,
            direction,
            target,
            ..
        } => format!(
            "{} {name}, target {} {}",
            direction.as_str(),
            target.comparator.as_str(),
            crate::conference::plan::shortest(target.value)
        ),
        Success::Criteria(_) => "scored by a reviewer".to_owned(),
    }
}

#[expect(clippy::too_many_arguments, reason = "each is a part of one whole")]
fn hold(
    invocation: &Invocation,
    opened: &Opened,
    whole: &Whole,
    terms: Terms,
    host: &dyn children::Host,
    slots: usize,
    cancel: Cancel,
    journal: Journal,
) -> Result<(Stop, State)> {
    let home = invocation.home()?;
    let mut place = invocation.place()?;
    // Children are waiting for their turn meanwhile, and a later seal makes up for it.
    place.patience = place.patience.min(SEAL);
    let mut sealer = Sealer::new(&place, &opened.root, terms.conference.clone());
    let lanes = RefCell::new(Lanes::new(&invocation.output, &terms));
    let stands = || {
        let now = Conditions::of(&opened.root, &opened.asked, Some(&home))?;
        unchanged(&whole.approval, now.approval.as_ref())
    };
    driver::drive(
        Drive {
            terms,
            host,
            evaluator: evaluator(opened, &whole.plan),
            evaluator_slots: whole.plan.settings.evaluator_slots as usize,
            slots,
            cancel,
            heard: &mut |line, _| lanes.borrow_mut().hear(line),
            sealed: &mut |seal| {
                if let Err(error) = sealer.seal(seal) {
                    let round = seal.round;
                    let text = format!("round {round} is not in the ledger yet: {error}");
                    lanes.borrow().warn(&text);
                }
            },
            stands: &stands,
            config_digest: whole.approval.config_digest.clone(),
            title: whole.plan.settings.title.clone(),
            evaluator_file: agreed::evaluator_file(&whole.plan),
        },
        journal,
    )
}

/// The evaluator and the guard, as they were approved.
fn evaluator(opened: &Opened, plan: &Plan) -> Option<Evaluator> {
    let argv = agreed::evaluator(plan)?;
    let root = opened.root.path();
    let guard = plan.settings.guard.as_ref();
    let Success::Metric {
        target, direction, ..
    } = &plan.success
    else {
        return None;
    };
    Some(Evaluator {
        argv: command_line(root, argv.words()),
        guard: guard.map(|guard| command_line(root, guard.words())),
        environment: environment::of_this_process(&plan.settings.pass_environment),
        time: plan.evaluator_timeout().max(Duration::from_millis(1)),
        noise_runs: plan.settings.noise_runs,
        direction: *direction,
        scale: target.scale,
        shim: Shim::default(),
    })
}

/// `BLOCKED_STALE_CONFERENCE_STATE`, naming what changed since the approval.
fn unchanged(approved: &Approval, now: Option<&Approval>) -> Result<()> {
    let Some(now) = now else {
        let text = "conference.md is no whole document any more; nothing is claimed";
        return Err(Error::new(Code::BlockedStaleConferenceState, text));
    };
    if approved.digest() == now.digest() {
        return Ok(());
    }
    let spelled = |approval| serde_json::to_value(approval).unwrap_or_default();
    let (before, after) = (spelled(approved), spelled(now));
    let keys = before.as_object().into_iter().flatten();
    let changed = keys.filter(|(key, value)| after.get(key.as_str()) != Some(value));
    let changed: Vec<&str> = changed.map(|(key, _)| key.as_str()).collect();
    let text = format!(
        "changed since the approval: {}; nothing is claimed",
        changed.join(", ")
    );
    Err(Error::new(Code::BlockedStaleConferenceState, text)
        .expected(approved.digest())
        .found(now.digest()))
}

/// The reading order, the stop code and what is uncertain; with `--json` the status document.
fn end(invocation: &Invocation, root: &Root, terms: &Terms) -> Result<()> {
    let record = journal::replay(root.dir())?;
    let standing = Standing {
        stage: Stage::of(&record, false),
        record: &record,
        terms: Some(terms),
        notes: Vec::new(),
    };
    invocation.output.text("\n");
    status::report(invocation, &standing);
    invocation.output.event(&standing.document());
    Ok(())
}

/// The exit status of a stop (decisions.md §5).
fn exit(stop: &Stop) -> u8 {
    match stop.stop_code {
        StopCode::Converged | StopCode::ConvergedPlateau => 0,
        StopCode::BudgetStop | StopCode::Stalled => 8,
        StopCode::Cancelled => Code::Interrupted.exit(),
        StopCode::BlockedDispatchReplayConflict => Code::BlockedStaleConferenceState.exit(),
        StopCode::BlockedNoValidPacket | StopCode::BlockedMultiAgentUnavailable => {
            Code::BlockedMultiAgentUnavailable.exit()
        }
    }
}
