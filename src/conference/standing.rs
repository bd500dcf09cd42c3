//! How far a conference is, from its events alone (conference.md A8, Appendix B).
//!
//! Promises: pure; says what is known, and of what is partial that it is.

use serde_json::{Value, json};

use super::plan::Host;
use super::relayed::Relayed;
use super::rounds::converge;
use super::rounds::receive;
use super::rounds::terms::Terms;
use crate::engine::event::StopCode;
use crate::engine::id::{Call, Task};
use crate::engine::journal::Record;
use crate::engine::packet::Verdict;
use crate::engine::state::{Account, State};

/// What state a conference is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Nothing was sent out.
    Ready,
    /// A runner is at work.
    Running,
    /// No runner is there, and no end.
    Interrupted,
    /// It ended by its rules.
    Complete,
    /// Somebody stopped it.
    Cancelled,
    /// It could not go on.
    Blocked,
    /// A run without receipts.
    Legacy,
}

impl Stage {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "READY",
            Self::Running => "RUNNING",
            Self::Interrupted => "INTERRUPTED",
            Self::Complete => "COMPLETE",
            Self::Cancelled => "CANCELLED",
            Self::Blocked => "BLOCKED",
            Self::Legacy => "LEGACY",
        }
    }

    /// The stage that events show; `running`: somebody holds the root's lock.
    pub fn of(record: &Record, running: bool) -> Self {
        match (&record.state.stop, running) {
            _ if record.legacy => Self::Legacy,
            (Some(stop), _) => match stop.stop_code {
                StopCode::Cancelled => Self::Cancelled,
                StopCode::BlockedNoValidPacket
                | StopCode::BlockedMultiAgentUnavailable
                | StopCode::BlockedDispatchReplayConflict => Self::Blocked,
                _ => Self::Complete,
            },
            (None, true) => Self::Running,
            (None, false) if is_handed_off(&record.state) => Self::Running,
            (None, false) if record.state.accounts.is_empty() => Self::Ready,
            (None, false) => Self::Interrupted,
        }
    }
}

/// Which part of a round, or of the whole, is being done.
pub fn phase(state: &State) -> &'static str {
    if state.stop.is_some() {
        return "ended";
    }
    match state.rounds.values().last() {
        None if state.gate.is_none() => "planning",
        None => "opening",
        Some(round) if !round.measured => "research",
        Some(round) if round.reviewed.is_none() => "review",
        Some(round) if round.withheld.is_none() => "transfer",
        Some(_) if is_in_synthesis(state) => "synthesis",
        Some(_) => "between rounds",
    }
}

fn is_in_synthesis(state: &State) -> bool {
    let mut calls = state.accounts.keys();
    calls.any(|call| call.task == Task::Synthesis)
}

/// Whether a session does the children's work: between its calls nobody runs.
pub fn is_handed_off(state: &State) -> bool {
    let gate = state.gate.as_ref();
    gate.is_some_and(|gate| gate.host == Host::Handoff.as_str())
}

/// The spelling of a stop code in documents.
pub fn spelled(code: StopCode) -> String {
    let spelled = serde_json::to_value(code).ok();
    let spelled = spelled.and_then(|value| value.as_str().map(str::to_owned));
    spelled.unwrap_or_default()
}

/// Everything that `status` reports.
#[derive(Debug)]
pub struct Standing<'a> {
    /// What the events say.
    pub record: &'a Record,
    /// The stage.
    pub stage: Stage,
    /// What was approved, where the conditions can still be read.
    pub terms: Option<&'a Terms>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

impl Standing<'_> {
    /// Which part of a round, or of the whole, is being done.
    pub fn phase(&self) -> &'static str {
        phase(&self.record.state)
    }

    /// What to do next, in one sentence.
    pub fn next_action(&self) -> &'static str {
        match self.stage {
            Stage::Ready => "check the conditions, approve them and run",
            Stage::Running if is_handed_off(&self.record.state) => {
                "the session hands packets in with receive, and asks next"
            }
            Stage::Running => "wait, or cancel",
            Stage::Interrupted => "nothing is claimed: resume, or cancel",
            Stage::Complete => "read the outputs in their order",
            Stage::Cancelled => "nothing more; what was found until then is in the outputs",
            Stage::Blocked => "read why under stop, and begin a new conference in another folder",
            Stage::Legacy => "read it; it has no receipts and cannot be gone on with",
        }
    }

    /// The outputs in the order in which they are read.
    pub fn reading_order(&self) -> Vec<String> {
        let artifacts = &self.record.state.artifacts;
        let first = ["synthesis.md", "final_report.md"];
        let there = first.iter().filter(|path| artifacts.contains_key(**path));
        let mut order: Vec<String> = there.map(|path| (*path).to_owned()).collect();
        if self.record.state.lines > 0 {
            order.push(crate::engine::journal::EVENTS.to_owned());
        }
        order
    }

    /// `lithermes/conference-status/v1`.
    pub fn document(&self) -> Value {
        let state = &self.record.state;
        let relayed = Relayed::of(state);
        let awaiting: Vec<String> = state.open_calls().map(|call| call.to_string()).collect();
        json!({
            "schema": "lithermes/conference-status/v1",
            "conference_id": state.gate.as_ref().map(|gate| gate.conference.to_string()),
            "state": self.stage.as_str(),
            "round": state.current_round(),
            "max_rounds": self.terms.map(|terms| terms.max_rounds),
            "phase": self.phase(),
            "awaiting": awaiting,
            "rows": state.rows.len(),
            "events": state.lines,
            "stop": self.stop(),
            "conditions": self.conditions(),
            "capability": state.gate.as_ref().map(|gate| json!({"host": gate.host})),
            "packets": {
                "accepted": state.packets.len(),
                "relayed": relayed.relayed,
                "corroborated": relayed.corroborated,
                "uncorroborated": relayed.uncorroborated,
                "aside": state.asides,
                "conflict": state.conflict,
            },
            "receipts": receipts(state),
            "children": children(state),
            "findings": findings(state),
            "budget_used": {
                "iterations": state.budget.iterations(),
                "ceiling": self.terms.map(|terms| terms.ceiling),
                "calls": state.budget.calls(),
                "evaluations": state.evaluations.len(),
            },
            "outputs": state.artifacts.keys().collect::<Vec<_>>(),
            "open_questions": open_questions(state),
            "cleanup": {"done": state.cleaned, "residual_uncertainty": state.uncertain},
            "next_action": self.next_action(),
            "read": self.reading_order(),
            "notes": self.notes,
        })
    }

    fn stop(&self) -> Value {
        let state = &self.record.state;
        let best = self
            .terms
            .and_then(|terms| converge::facts(terms, state).best);
        let best = best.map(|best| {
            json!({
                "value": best.value,
                "lane": best.lane,
                "round": best.round,
                "iteration": best.iteration,
            })
        });
        let stop = state.stop.as_ref();
        json!({
            "code": stop.map(|stop| stop.stop_code),
            "target_met": stop.map(|stop| stop.target_met),
            "plateau": stop.map(|stop| stop.plateau),
            "stalled": stop.map(|stop| stop.stalled),
            "budget_hit": stop.map_or(&[][..], |stop| &stop.budget_hit),
            "best": best,
            "check": stop.map(|stop| &stop.check),
        })
    }

    fn conditions(&self) -> Value {
        self.terms.map_or(Value::Null, |terms| {
            json!({
                "goal": terms.goal,
                "mode": if terms.is_metric() { "metric" } else { "qualitative" },
                "lanes": terms.focus.len(),
                "iterations_per_round": terms.iterations_per_round,
                "max_rounds": terms.max_rounds,
                "ceiling": terms.ceiling,
                "host": terms.host,
            })
        })
    }
}

fn ended(account: &Account) -> String {
    let end = account.end.as_ref();
    end.map_or_else(|| "dispatched".to_owned(), receive::spelled)
}

/// Each child with its end, and what the host said that it was.
fn children(state: &State) -> Vec<Value> {
    let child = |(call, account): (&Call, &Account)| {
        let reported = state.reported.iter().find(|one| one.call == *call);
        json!({
            "dispatch_id": call,
            "state": ended(account),
            "model": reported.and_then(|one| one.model.as_deref()),
            "provider": reported.and_then(|one| one.provider.as_deref()),
        })
    };
    state.accounts.iter().map(child).collect()
}

fn receipts(state: &State) -> Value {
    let rounds = state.rounds.iter().map(|(round, receipts)| {
        json!({
            "round": round,
            "research": receipts.measured,
            "poster": receipts.poster,
            "review": receipts.reviewed,
            "transfer": receipts.withheld.is_some(),
            "completed": receipts.completed.is_some(),
            "complete": receipts.completed,
        })
    });
    rounds.collect()
}

fn findings(state: &State) -> Value {
    let of = |wanted: Verdict| -> Vec<String> {
        let judged = state.verdicts.iter();
        let found = judged.filter(|(_, judged)| judged.verdict == wanted);
        found.map(|(id, _)| id.to_string()).collect()
    };
    json!({
        "validated": of(Verdict::Validated),
        "challenged": of(Verdict::Challenged),
        "overturned": of(Verdict::Overturned),
        "needs_review": of(Verdict::NeedsReview),
    })
}

fn open_questions(state: &State) -> Vec<&String> {
    let packets = state.packets.values();
    let open = packets.flat_map(|accepted| {
        let packet = &accepted.packet;
        packet.open_questions.iter().chain(&packet.next_decisions)
    });
    open.take(64).collect()
}
