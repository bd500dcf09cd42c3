//! Whoever drives a conference: it is opened, confirmed, looked at, driven and reported in one way,
//! whether by `run`, `resume`, `next` or `receive`.

use std::cell::RefCell;
use std::time::Duration;

use serde_json::Value;

use super::super::invocation::Invocation;
use super::lanes::Lanes;
use super::opened::{Opened, Whole};
use super::{agents, approve, status};
use crate::conference::authority::{self, Authority, Wanted};
use crate::conference::children::Host;
use crate::conference::driver::{self, Drive, Left};
use crate::conference::gate::Conditions;
use crate::conference::replay;
use crate::conference::root::Root;
use crate::conference::rounds::pause;
use crate::conference::rounds::terms::Terms;
use crate::conference::seal::Sealer;
use crate::conference::standing::{Stage, Standing};
use crate::conference::subject::Subject;
use crate::conference::{agreed, approved, context, drift, leftovers, surroundings};
use crate::engine::charter::Read;
use crate::engine::event::{Event, Line, Regranted, Stop, StopCode, Surroundings};
use crate::engine::id::ConferenceId;
use crate::engine::journal::{self, Journal, Record};
use crate::engine::state::State;
use crate::error::{Code, Error, Result};
use crate::process::{Cancel, environment};

/// How long a seal waits for another lithermes in this home.
const SEAL: Duration = Duration::from_secs(1);

/// See the module.
pub(super) struct Chair<'a> {
    invocation: &'a Invocation,
    pub(super) opened: Opened,
    pub(super) whole: Whole,
    pub(super) terms: Terms,
    /// What it works under; `None` where nothing demands it.
    authority: Option<Authority>,
    /// Where it writes instead of the root.
    beside: Option<Root>,
}

/// With whom, and how many at a time.
pub(super) struct Team<'a> {
    /// `None`: the session that calls.
    pub(super) host: Option<&'a dyn Host>,
    pub(super) slots: usize,
    pub(super) cancel: Cancel,
    /// What an earlier root left.
    pub(super) left: Left,
}

/// `BLOCKED_MULTI_AGENT_UNAVAILABLE` for a call by a child.
pub(super) fn refuse_child(invocation: &Invocation, opened: &Opened) -> Result<()> {
    let unavailable = |text: &str| {
        Err(Error::new(Code::BlockedMultiAgentUnavailable, text).hint(opened.command("check", &[])))
    };
    if std::env::var_os(environment::CHILD).is_some_and(|value| !value.is_empty()) {
        return unavailable("a child of a conference starts no children");
    }
    match agents::is_subagent(&invocation.home()?) {
        true => unavailable("a child of a Hermes session starts no children"),
        false => Ok(()),
    }
}

impl<'a> Chair<'a> {
    /// Takes the conditions, of which nothing may be vague.
    pub(super) fn of(invocation: &'a Invocation, opened: Opened) -> Result<Self> {
        Self::under(invocation, opened, None)
    }

    /// The same, and what is written is written into this copy of the root; no receipts are.
    pub(super) fn beside(invocation: &'a Invocation, opened: Opened, copy: Root) -> Result<Self> {
        Self::under(invocation, opened, Some(copy))
    }

    fn under(invocation: &'a Invocation, opened: Opened, beside: Option<Root>) -> Result<Self> {
        let whole = opened.whole()?;
        let grant = opened.grant.as_ref();
        let wanted = match beside {
            Some(_) => Wanted::NoWrite,
            None => Wanted::All,
        };
        let authority = Authority::of(&whole.approval, grant, wanted)?;
        let conference = ConferenceId::of_approval(&whole.digest);
        let mut terms = agreed::terms(&whole.plan, conference, opened.conditions.host);
        terms.read_context = quoted(invocation, &opened, &whole)?;
        Ok(Self {
            invocation,
            opened,
            whole,
            terms,
            authority,
            beside,
        })
    }

    /// Where it writes.
    pub(super) fn desk(&self) -> &Root {
        self.beside.as_ref().unwrap_or(&self.opened.root)
    }

    /// Takes the conditions of a conference that has begun, as `state` says: they still have to be
    /// those that were approved.
    pub(super) fn of_begun(
        invocation: &'a Invocation,
        opened: Opened,
        state: &State,
    ) -> Result<Self> {
        if let Some(gate) = &state.gate {
            let receipt = approved::receipt(&invocation.place()?, &gate.approval_digest)?;
            let kept = receipt
                .as_ref()
                .and_then(|line| line.entry.body.get("conditions"));
            drift::refuse(&drift::of_conditions(gate, kept, &opened.conditions))?;
        }
        let chair = Self::of(invocation, opened)?;
        if let Some(gate) = &state.gate {
            let now = chair.authority.as_ref().map(Authority::digest);
            authority::require_same(gate.authority.as_deref(), now.as_deref())?;
        }
        approve::stands(invocation, &chair.opened, &chair.whole)?;
        Ok(chair)
    }

    /// Becomes the root.
    pub(super) fn sit(&self) -> Result<Journal> {
        let holder = format!("pid {} runs {}", std::process::id(), self.terms.conference);
        let (mut journal, aside) = Journal::open(self.desk().dir(), &holder)?;
        if let Some(name) = aside {
            let note = format!("a torn last line of the events was set aside as {name}");
            self.invocation.output.note(&note);
        }
        if let Some(authority) = self.authority.clone() {
            journal.ask(Box::new(move || authority.again()));
        }
        Ok(journal)
    }

    /// The bounded work, as the receipt of going on tells it.
    pub(super) fn regranted(&self) -> Option<Regranted> {
        let grant = self.authority.as_ref()?.grant();
        let approved = self.whole.approval.grant.as_ref()?;
        Some(Regranted {
            work_id: grant.work_id.clone(),
            approved: approved.revision,
            now: grant.revision,
        })
    }

    /// Confirms the gate where that was not done. `probe`: what the free probe of the host said.
    pub(super) fn confirm(
        &self,
        journal: &mut Journal,
        slots: usize,
        probe: Vec<String>,
    ) -> Result<()> {
        if journal.state().gate.is_none() {
            leftovers::refuse(self.opened.root.dir())?;
            // An old request is none of this run's.
            journal.clear_cancel()?;
            journal.record(Event::GateConfirmed {
                conference_id: self.terms.conference.clone(),
                approval_digest: self.whole.digest.clone(),
                config_digest: self.whole.approval.config_digest.clone(),
                host: self.terms.host.clone(),
                slots: u32::try_from(slots).unwrap_or(u32::MAX),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                probe,
                surroundings: self.surroundings(),
            })?;
        }
        self.start(journal)
    }

    /// Files are named from the root; those of a copy are not compared.
    fn surroundings(&self) -> Surroundings {
        let authority = self.authority.as_ref();
        match &self.beside {
            None => surroundings::of(&self.whole.approval, authority),
            Some(_) => Surroundings {
                authority: authority.map(Authority::digest),
                ..Surroundings::default()
            },
        }
    }

    /// The event that follows the gate's.
    pub(super) fn start(&self, journal: &mut Journal) -> Result<()> {
        let plan = &self.whole.plan;
        if journal.state().lines != 1 {
            return Ok(());
        }
        journal.record(Event::Started {
            researchers: plan.count,
            mode: plan.mode.as_str().to_owned(),
            goal: plan.goal.clone(),
            config_summary: agreed::summary(plan),
        })
    }

    /// Compares events, charters, artifacts and findings with each other and with the ledger.
    /// `BLOCKED_STALE_CONFERENCE_STATE` naming all that differs; what is left to do where nothing
    /// does.
    pub(super) fn inspect(&self, journal: &Journal) -> Result<Left> {
        let place = self.invocation.place()?;
        let (sealed, damage) = replay::sealed(&place, &self.terms.conference)?;
        let subject = self.subject();
        let replayed = replay::of(journal.root(), subject.against_recorded(&sealed))?;
        // Nothing of what stands around it is needed any more once it is over.
        let is_over = journal.state().stop.is_some();
        let around = replayed.around.iter().filter(|_| !is_over);
        let differences = damage.iter().chain(&replayed.differences).chain(around);
        drift::refuse(&drift::of_differences(differences))?;
        Ok(Left::of(&replayed, &sealed))
    }

    fn subject(&self) -> Subject {
        let conference = self.terms.conference.clone();
        Subject::of(&self.whole.plan, conference, self.opened.conditions.host)
    }

    /// `BLOCKED_DISPATCH_REPLAY_CONFLICT` until somebody decided.
    pub(super) fn refuse_conflict(&self, state: &State) -> Result<()> {
        match &state.conflict {
            Some(id) if state.stop.is_none() => Err(self.conflict(id)),
            _ => Ok(()),
        }
    }

    pub(super) fn conflict(&self, id: &str) -> Error {
        let text =
            format!("two packets came under {id}; the first stands, the second is kept aside");
        let keep = self.opened.command("resume", &["--keep-first"]);
        Error::new(Code::BlockedDispatchReplayConflict, text)
            .hint(self.opened.command("status", &[]))
            .hint(keep)
    }

    /// Drives as far as it goes, and lets nobody hear it.
    pub(super) fn drive(&self, team: Team<'_>, journal: Journal) -> Result<(Option<Stop>, State)> {
        let warn = |text: &str| self.invocation.output.warn(text);
        self.drive_aloud(team, journal, &mut |_, _| {}, &warn)
    }

    /// As [`Chair::drive`]; `heard` gets each event once it is durable.
    fn drive_aloud(
        &self,
        team: Team<'_>,
        journal: Journal,
        heard: &mut dyn FnMut(&Line, &State),
        warn: &dyn Fn(&str),
    ) -> Result<(Option<Stop>, State)> {
        let home = self.invocation.home()?;
        let mut place = self.invocation.place()?;
        // Children are waiting for their turn meanwhile, and a later seal makes up for it.
        place.patience = place.patience.min(SEAL);
        let (opened, plan) = (&self.opened, &self.whole.plan);
        let mut sealer = Sealer::new(&place, &opened.root, self.terms.conference.clone());
        let approval = &self.whole.approval;
        let approved = serde_json::to_value(approval).unwrap_or(Value::Null);
        let stands = || {
            opened.root.refuse_closed(&home)?;
            let now = Conditions::of(&opened.root, &opened.asked, Some(&home))?;
            let Some(now) = &now.approval else {
                let text = "conference.md is no whole document any more; nothing is claimed";
                return Err(Error::new(Code::BlockedStaleConferenceState, text));
            };
            let (digest, config) = (&self.whole.digest, &approval.config_digest);
            drift::refuse(&drift::of_approval(digest, config, Some(&approved), now))
        };
        driver::drive(
            Drive {
                terms: self.terms.clone(),
                host: team.host,
                evaluator: agreed::measures(plan, opened.root.path()),
                evaluator_slots: plan.settings.evaluator_slots as usize,
                slots: team.slots,
                cancel: team.cancel,
                heard,
                sealed: &mut |seal| {
                    if self.beside.is_some() {
                        return;
                    }
                    if let Err(error) = sealer.seal(seal) {
                        let round = seal.round;
                        let text = format!("round {round} is not in the ledger yet: {error}");
                        warn(&text);
                    }
                },
                stands: &stands,
                config_digest: approval.config_digest.clone(),
                title: plan.settings.title.clone(),
                evaluator_file: agreed::evaluator_file(plan),
                left: team.left,
                is_abandoned: false,
            },
            journal,
        )
    }

    /// As [`Chair::drive`], telling each event; then how it ended. The exit status.
    pub(super) fn hold(&self, team: Team<'_>, journal: Journal) -> Result<u8> {
        let output = &self.invocation.output;
        let lanes = RefCell::new(Lanes::new(output, &self.terms));
        let mut heard = |line: &Line, _: &State| lanes.borrow_mut().hear(line);
        let warn = |text: &str| lanes.borrow().warn(text);
        let (stop, state) = self.drive_aloud(team, journal, &mut heard, &warn)?;
        drop(lanes);
        output.text("\n");
        output.event(&self.report()?);
        if let Some(error) = self.paused(&state) {
            output.failure_text(&error);
            return Ok(error.code().exit());
        }
        Ok(stop.map_or(0, |stop| exit(&stop)))
    }

    /// `BLOCKED_APPROVAL_REQUIRED` where the conditions let a person say whether it goes on.
    pub(super) fn paused(&self, state: &State) -> Option<Error> {
        pause::is_paused(&self.terms, state).then(|| {
            let round = state.current_round();
            let text = format!("round {round} has ended, and a person says whether it goes on");
            Error::new(Code::BlockedApprovalRequired, text)
                .hint(self.opened.command("status", &[]))
                .hint(self.opened.command("resume", &[]))
        })
    }

    /// How it stands, as the one document of a command.
    pub(super) fn tell(&self) -> Result<()> {
        let document = self.report()?;
        self.invocation.output.document(&document);
        Ok(())
    }

    /// How it stands, untold.
    pub(super) fn status(&self) -> Result<Value> {
        let record = journal::replay(self.desk().dir())?;
        Ok(self.standing(&record).document())
    }

    fn standing<'r>(&'r self, record: &'r Record) -> Standing<'r> {
        Standing {
            stage: Stage::of(record, false),
            record,
            terms: Some(&self.terms),
            notes: Vec::new(),
        }
    }

    /// The reading order, the stop code and what is uncertain; gives the status document.
    pub(super) fn report(&self) -> Result<Value> {
        let record = journal::replay(self.opened.root.dir())?;
        let standing = self.standing(&record);
        status::report(self.invocation, &standing);
        Ok(standing.document())
    }
}

/// What researchers are told of files; what is left out is said.
fn quoted(invocation: &Invocation, opened: &Opened, whole: &Whole) -> Result<Vec<Read>> {
    let home = invocation.home()?;
    let quoted = context::read(&whole.plan.settings, opened.root.path(), &home)?;
    for one in &quoted.left_out {
        invocation.output.note(&format!("not quoted: {one}"));
    }
    Ok(quoted.files)
}

/// The exit status of a stop (decisions.md §5).
pub(super) fn exit(stop: &Stop) -> u8 {
    match stop.stop_code {
        StopCode::Converged | StopCode::ConvergedPlateau => 0,
        StopCode::BudgetStop | StopCode::Stalled => 8,
        StopCode::Cancelled => Code::Interrupted.exit(),
        StopCode::BlockedDispatchReplayConflict => Code::BlockedDispatchReplayConflict.exit(),
        StopCode::BlockedNoValidPacket | StopCode::BlockedMultiAgentUnavailable => {
            Code::BlockedMultiAgentUnavailable.exit()
        }
    }
}
