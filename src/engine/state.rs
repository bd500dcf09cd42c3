//! What events make: accounts, budget, packets, measurements, verdicts (conference.md A1, A8).
//!
//! Promises: pure; the same lines give the same state at every prefix; a line that is not legal
//! where it stands is refused with what was expected.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::event::{
    Aside, Carried, Decision, Ended, Event, Line, Resumed, RowStatus, Stop, Via, Withheld,
};
use super::id::{Call, ClaimId, ConferenceId, DispatchId, Lane};
use super::packet::{Packet, Verdict};

/// Everything that the events of a conference say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Lines so far.
    pub lines: u64,
    /// When the last one was written.
    pub now: Option<Timestamp>,
    /// The confirmed gate.
    pub gate: Option<Gate>,
    /// The stage that it is in, once it left the first one ([`PLANNING`]).
    pub stage: Option<String>,
    /// The newest round after whose end somebody went on.
    pub passed: u32,
    /// Every id that was issued, once.
    pub accounts: BTreeMap<Call, Account>,
    /// Costs set aside and not settled, and costs settled.
    pub budget: Budget,
    /// The accepted packets.
    pub packets: BTreeMap<Call, Accepted>,
    /// What the root measured: by call and iteration from 0.
    pub evaluations: BTreeMap<(Call, u32), Evaluation>,
    /// The results, in order (round, lane, iteration).
    pub rows: BTreeMap<(u32, Lane, u32), Row>,
    /// What became of each claim that was judged.
    pub verdicts: BTreeMap<ClaimId, Judged>,
    /// Rounds that began.
    pub rounds: BTreeMap<u32, Round>,
    /// Findings that every lane gets.
    pub knowledge: Vec<Carried>,
    /// The files of the root, with the digest of their last bytes.
    pub artifacts: BTreeMap<String, String>,
    /// Somebody asked to stop.
    pub cancelled: bool,
    /// The wall clock ran out.
    pub out_of_time: bool,
    /// Model and provider of children, as the host said.
    pub reported: Vec<Reported>,
    /// Packets that did not count.
    pub asides: Vec<Aside>,
    /// The id under which two packets came, until somebody decides.
    pub conflict: Option<String>,
    /// What was decided about ids that were lost.
    pub decided: BTreeMap<Call, Decision>,
    /// It is told that the search converged.
    pub converged: bool,
    /// The cleanup receipt is written.
    pub cleaned: bool,
    /// What nobody can prove about what is left behind.
    pub uncertain: Vec<String>,
    /// The end.
    pub stop: Option<Stop>,
}

/// The confirmed gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// The conference.
    pub conference: ConferenceId,
    /// When the wall clock began.
    pub at: Timestamp,
    /// Which host does the work.
    pub host: String,
    /// What was approved.
    pub approval_digest: String,
    /// The conditions in the document.
    pub config_digest: String,
    /// SHA-256 of what bounded work granted.
    pub authority: Option<String>,
}

/// What a host says that a child was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The child.
    pub call: Call,
    /// The model.
    pub model: Option<String>,
    /// The provider.
    pub provider: Option<String>,
}

/// One id from its charter to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// When its charter went out.
    pub issued: Timestamp,
    /// When its time is up.
    pub deadline: Timestamp,
    /// Iterations that it may report.
    pub allowance: u32,
    /// SHA-256 of its charter.
    pub charter: String,
    /// Its one end.
    pub end: Option<End>,
}

/// How an id ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// With a packet.
    Received,
    /// Without one that counts, and why.
    Failed(String),
    /// Too late.
    TimedOut,
    /// Because the conference was cancelled.
    Cancelled,
}

impl End {
    /// The spelling in receipts.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Failed(_) => "failed",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What was set aside and what was spent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Budget {
    /// Set aside: iterations and calls, by id.
    pub reserved: BTreeMap<Call, (u32, u32)>,
    /// Spent, by id.
    pub settled: BTreeMap<Call, (u32, u32)>,
}

impl Budget {
    /// Iterations that are spent or set aside.
    pub fn iterations(&self) -> u64 {
        self.all()
            .map(|(iterations, _)| u64::from(iterations))
            .sum()
    }

    /// Calls that are spent or set aside.
    pub fn calls(&self) -> u64 {
        self.all().map(|(_, calls)| u64::from(calls)).sum()
    }

    fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        self.reserved.values().chain(self.settled.values()).copied()
    }
}

/// A packet that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    /// The packet.
    pub packet: Arc<Packet>,
    /// Its digest.
    pub digest: String,
    /// How it came.
    pub via: Via,
    /// Of one that was relayed: whether the host's own records hold it, where they tell.
    pub corroborated: Option<bool>,
    /// What in it is worth a look.
    pub flags: Vec<String>,
}

/// What the root measured of one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Each run.
    pub raw: Vec<f64>,
    /// The median; `None` where it failed.
    pub median: Option<f64>,
    /// Why it failed.
    pub reason: Option<String>,
    /// SHA-256 of the candidate.
    pub digest: String,
}

impl Evaluation {
    /// Greatest minus least of the runs.
    pub fn spread(&self) -> f64 {
        let greatest = self.raw.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = self.raw.iter().copied().fold(f64::INFINITY, f64::min);
        if self.raw.len() < 2 {
            0.0
        } else {
            greatest - least
        }
    }
}

/// A row of the results.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The value; `None` where it could not be measured.
    pub value: Option<f64>,
    /// Against the round's row 0 of the lane.
    pub delta: Option<f64>,
    /// What became of it.
    pub status: RowStatus,
    /// When it was recorded.
    pub at: Timestamp,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// `reviewer` or `root`.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// How far a round is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// The rows are written.
    pub measured: bool,
    /// The poster stands.
    pub poster: bool,
    /// The review stands; whether there was one.
    pub reviewed: Option<bool>,
    /// What did not go over; `None` before the transfer.
    pub withheld: Option<Vec<Withheld>>,
    /// It ended; whether it was complete.
    pub completed: Option<bool>,
    /// Lanes that got stuck, with their level.
    pub stuck: BTreeMap<Lane, u8>,
}

/// A line that is not legal where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal {
    /// Which line, from 1.
    pub line: u64,
    /// What was expected and what was found.
    pub what: String,
}

/// Where accepted packets are found by their digest.
pub type Packets<'a> = &'a dyn Fn(&str) -> Option<Arc<Packet>>;

impl State {
    /// The state after the next line. What is refused leaves no state behind.
    pub fn after(mut self, line: &Line, packets: Packets<'_>) -> Result<Self, Illegal> {
        let illegal = |what: String| Illegal {
            line: line.seq,
            what,
        };
        let expected = self.lines + 1;
        if line.seq != expected {
            return Err(Illegal {
                line: expected,
                what: format!("expected seq {expected}, found {}", line.seq),
            });
        }
        if self.now.is_some_and(|now| line.timestamp < now) {
            return Err(illegal(
                "its time is before that of the line before it".to_owned(),
            ));
        }
        self.lines = line.seq;
        self.now = Some(line.timestamp);
        self.event(&line.event, line.timestamp, packets)
            .map_err(illegal)?;
        Ok(self)
    }

    fn event(&mut self, event: &Event, at: Timestamp, packets: Packets<'_>) -> Result<(), String> {
        if self.stop.is_some() && !matches!(event, Event::Stale(_) | Event::Duplicate(_)) {
            return Err("the conference has ended".to_owned());
        }
        if self.gate.is_none() && !matches!(event, Event::GateConfirmed { .. }) {
            return Err("expected gate.confirmed first".to_owned());
        }
        match event {
            Event::GateConfirmed {
                conference_id,
                host,
                approval_digest,
                config_digest,
                surroundings,
                ..
            } => self.confirm(Gate {
                conference: conference_id.clone(),
                at,
                host: host.clone(),
                approval_digest: approval_digest.clone(),
                config_digest: config_digest.clone(),
                authority: surroundings.authority.clone(),
            }),
            Event::Reserved(cost) => {
                let call = self.own(&cost.dispatch_id)?;
                let spent = self.budget.settled.contains_key(&call);
                let new = !spent
                    && self
                        .budget
                        .reserved
                        .insert(call, (cost.iterations, cost.calls))
                        .is_none();
                demand(new, || format!("{call} was reserved before"))
            }
            Event::Issued {
                dispatch_id,
                iteration_allowance,
                charter_digest,
                timeout_s,
                ..
            } => {
                let call = self.own(dispatch_id)?;
                demand(self.budget.reserved.contains_key(&call), || {
                    format!("{call} has nothing reserved")
                })?;
                let span =
                    jiff::SignedDuration::from_secs(i64::try_from(*timeout_s).unwrap_or(i64::MAX));
                let account = Account {
                    issued: at,
                    deadline: at.checked_add(span).unwrap_or(Timestamp::MAX),
                    allowance: *iteration_allowance,
                    charter: charter_digest.clone(),
                    end: None,
                };
                let new = self.accounts.insert(call, account).is_none();
                demand(new, || format!("{call} was issued before"))
            }
            Event::Received(ended) => self.end(ended, End::Received),
            Event::Failed(ended) => {
                self.end(ended, End::Failed(ended.reason.clone().unwrap_or_default()))
            }
            Event::TimedOut(ended) => self.end(ended, End::TimedOut),
            Event::Cancelled(ended) => self.end(ended, End::Cancelled),
            Event::Settled(cost) => {
                let call = self.own(&cost.dispatch_id)?;
                let (iterations, calls) = self
                    .budget
                    .reserved
                    .remove(&call)
                    .ok_or_else(|| format!("{call} has nothing reserved"))?;
                demand(cost.iterations <= iterations && cost.calls <= calls, || {
                    format!("{call} cost more than was reserved")
                })?;
                let is_due = match self.accounts.get(&call) {
                    Some(account) => account.end.is_some(),
                    // It never went out: all of it is given back.
                    None => (cost.iterations, cost.calls) == (0, 0),
                };
                demand(is_due, || format!("{call} is settled before its end"))?;
                self.budget
                    .settled
                    .insert(call, (cost.iterations, cost.calls));
                Ok(())
            }
            Event::Accepted {
                dispatch_id,
                digest,
                via,
                corroborated,
                flags,
                ..
            } => {
                let call = self.open(dispatch_id)?;
                let packet = packets(digest).ok_or_else(|| {
                    format!("packets/{digest}.json is missing, or not what its name says")
                })?;
                let accepted = Accepted {
                    packet,
                    digest: digest.clone(),
                    via: *via,
                    corroborated: *corroborated,
                    flags: flags.clone(),
                };
                let new = self.packets.insert(call, accepted).is_none();
                demand(new, || format!("{call} has a packet already"))
            }
            Event::Evaluated {
                dispatch_id,
                index,
                raw,
                median,
                reason,
                digest,
                ..
            } => {
                let call = self.own(dispatch_id)?;
                let evaluation = Evaluation {
                    raw: raw.clone(),
                    median: *median,
                    reason: reason.clone(),
                    digest: digest.clone(),
                };
                let new = self
                    .evaluations
                    .insert((call, *index), evaluation)
                    .is_none();
                demand(new, || {
                    format!("iteration {index} of {call} was measured before")
                })
            }
            Event::Stale(aside) | Event::Duplicate(aside) | Event::Rejected(aside) => {
                if aside.reason == CONFLICT && self.stop.is_none() {
                    self.conflict = Some(aside.dispatch_id.clone());
                }
                self.asides.push(aside.clone());
                Ok(())
            }
            Event::Resumed(resumed) => self.resume(resumed),
            Event::CancelRequested { .. } => {
                self.cancelled = true;
                Ok(())
            }
            Event::DeadlinePassed { what } => {
                self.out_of_time |= what == WALL_CLOCK;
                Ok(())
            }
            Event::ArtifactWritten { path, digest } => {
                self.artifacts.insert(path.clone(), digest.clone());
                Ok(())
            }
            Event::Cleanup {
                residual_uncertainty,
                ..
            } => {
                let open = self.open_calls().next();
                demand(open.is_none(), || {
                    format!(
                        "{} is not accounted",
                        open.map_or_else(String::new, |call| call.to_string())
                    )
                })?;
                self.cleaned = true;
                self.uncertain.clone_from(residual_uncertainty);
                Ok(())
            }
            Event::Completed(stop) | Event::ConferenceCancelled(stop) | Event::Blocked(stop) => {
                demand(self.cleaned, || {
                    "expected cleanup.receipt before the end".to_owned()
                })?;
                self.stop = Some(stop.clone());
                Ok(())
            }
            Event::Transition { prev, next, .. } => {
                let stage = self.stage.as_deref().unwrap_or(PLANNING);
                demand(prev == stage, || format!("expected {stage}, found {prev}"))?;
                self.stage = Some(next.clone());
                Ok(())
            }
            Event::Converged { .. } => {
                self.converged = true;
                Ok(())
            }
            Event::Started { .. } => Ok(()),
            Event::HostReported {
                dispatch_id,
                model,
                provider,
                ..
            } => {
                let call = self.open(dispatch_id)?;
                let new = self.reported.iter().all(|one| one.call != call);
                self.reported.push(Reported {
                    call,
                    model: model.clone(),
                    provider: provider.clone(),
                });
                demand(new, || format!("{call} was reported before"))
            }
            of_round => self.round_event(of_round, at),
        }
    }

    fn confirm(&mut self, gate: Gate) -> Result<(), String> {
        demand(self.gate.is_none(), || {
            "the gate was confirmed before".to_owned()
        })?;
        self.gate = Some(gate);
        Ok(())
    }

    fn resume(&mut self, resumed: &Resumed) -> Result<(), String> {
        if resumed.decision == Decision::KeepFirst {
            demand(self.conflict.take().is_some(), || {
                "there were no two packets to decide between".to_owned()
            })?;
        }
        for id in &resumed.decided {
            let call = self.own(id)?;
            let ended = self
                .accounts
                .get(&call)
                .is_some_and(|one| one.end.is_some());
            demand(ended, || format!("{call} was decided about before its end"))?;
            self.decided.insert(call, resumed.decision);
        }
        let round = self.current_round();
        let ended = self.rounds.get(&round);
        if ended.is_some_and(|one| one.completed.is_some()) {
            self.passed = round;
        }
        Ok(())
    }

    fn round_event(&mut self, event: &Event, at: Timestamp) -> Result<(), String> {
        match event {
            Event::RoundStarted { round, .. } => {
                let before = self.rounds.len() as u32;
                demand(*round == before + 1, || {
                    format!("expected round {}, found {round}", before + 1)
                })?;
                let ended = self
                    .rounds
                    .get(&before)
                    .is_none_or(|last| last.completed.is_some());
                demand(ended, || format!("round {before} has not ended"))?;
                self.rounds.insert(*round, Round::default());
                Ok(())
            }
            Event::Iteration {
                researcher,
                round,
                iteration,
                metric_value,
                delta,
                status,
            } => {
                self.round(*round)?;
                let row = Row {
                    value: *metric_value,
                    delta: *delta,
                    status: *status,
                    at,
                };
                let new = self
                    .rows
                    .insert((*round, *researcher, *iteration), row)
                    .is_none();
                demand(new, || {
                    format!("row {round}/{researcher}/{iteration} stands already")
                })
            }
            Event::Stuck {
                researcher,
                round,
                stuck_level,
            } => {
                self.round(*round)?.stuck.insert(*researcher, *stuck_level);
                Ok(())
            }
            Event::PosterSession { round, .. } => {
                let round = self.round(*round)?;
                (round.measured, round.poster) = (true, true);
                Ok(())
            }
            Event::VerdictRecorded {
                round,
                claim,
                verdict,
                by,
                reason,
            } => {
                self.round(*round)?;
                let judged = Judged {
                    verdict: *verdict,
                    by: by.clone(),
                    reason: reason.clone(),
                };
                let new = self.verdicts.insert(*claim, judged).is_none();
                demand(new, || format!("{claim} was judged before"))
            }
            Event::PeerReview {
                round, reviewed, ..
            } => {
                self.round(*round)?.reviewed = Some(*reviewed);
                Ok(())
            }
            Event::Transferred {
                round,
                findings,
                withheld,
            } => {
                let validated = |id: &ClaimId| {
                    self.verdicts
                        .get(id)
                        .is_some_and(|judged| judged.verdict == Verdict::Validated)
                };
                let bad = findings.iter().find(|finding| !validated(&finding.id));
                demand(bad.is_none(), || {
                    "a finding that nobody validated".to_owned()
                })?;
                let known: BTreeSet<ClaimId> =
                    self.knowledge.iter().map(|finding| finding.id).collect();
                demand(
                    findings.iter().all(|finding| !known.contains(&finding.id)),
                    || "a finding that went over before".to_owned(),
                )?;
                self.knowledge.extend(findings.iter().cloned());
                self.round(*round)?.withheld = Some(withheld.clone());
                Ok(())
            }
            Event::RoundCompleted {
                round, complete, ..
            } => {
                self.round(*round)?.completed = Some(*complete);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn round(&mut self, number: u32) -> Result<&mut Round, String> {
        let open = self
            .rounds
            .get_mut(&number)
            .filter(|round| round.completed.is_none());
        open.ok_or_else(|| format!("round {number} is not open"))
    }

    fn end(&mut self, ended: &Ended, end: End) -> Result<(), String> {
        let call = self.open(&ended.dispatch_id)?;
        let has_packet = self.packets.contains_key(&call);
        demand(has_packet == (end == End::Received), || {
            format!("{call} ends as {} ", end.as_str())
        })?;
        if let Some(account) = self.accounts.get_mut(&call) {
            account.end = Some(end);
        }
        Ok(())
    }

    /// The call of an id of this conference.
    fn own(&self, id: &DispatchId) -> Result<Call, String> {
        let ours = self
            .gate
            .as_ref()
            .is_some_and(|gate| gate.conference == id.conference);
        demand(ours, || format!("{id} belongs to another conference"))?;
        Ok(id.call)
    }

    /// The call of an id that went out and has no end.
    fn open(&self, id: &DispatchId) -> Result<Call, String> {
        let call = self.own(id)?;
        let account = self
            .accounts
            .get(&call)
            .ok_or_else(|| format!("{call} was never issued"))?;
        demand(account.end.is_none(), || {
            format!("{call} has ended already")
        })?;
        Ok(call)
    }

    /// The calls that went out and have no end, in order.
    pub fn open_calls(&self) -> impl Iterator<Item = Call> {
        let open = self
            .accounts
            .iter()
            .filter(|(_, account)| account.end.is_none());
        open.map(|(call, _)| *call)
    }

    /// The last call of a task: the one that counts.
    pub fn last_call(&self, task: super::id::Task) -> Option<(Call, &Account)> {
        let tries = self.accounts.range(
            Call { task, attempt: 0 }..=Call {
                task,
                attempt: u32::MAX,
            },
        );
        tries.last().map(|(call, account)| (*call, account))
    }

    /// The number of the round that is being held, or was held last; 0 before the first.
    pub fn current_round(&self) -> u32 {
        self.rounds.keys().last().copied().unwrap_or(0)
    }
}

/// The stage before the gate is confirmed.
pub const PLANNING: &str = "PLANNING";

/// Why a packet does not count under whose id another came before.
pub const CONFLICT: &str = "conflict";

/// How `deadline.passed` calls the conference's own limit of time.
pub const WALL_CLOCK: &str = "wall_clock";

fn demand(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}
