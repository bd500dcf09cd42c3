//! What happened, as it stands in `conference_events.jsonl` (conference.md A5, A8, B 2.5).
//!
//! Promises: one spelling for each; a line that is read and written again has the same bytes;
//! what an event says is enough, with the packets that it names, to make the state again.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::id::{ClaimId, ConferenceId, DispatchId, Lane, Role};
use super::packet::Verdict;
use crate::digest;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// 1, 2, 3 …
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// When: never before the line before it.
    pub timestamp: Timestamp,
    /// `e-` and 12 hex digits of the line's content.
    pub event_id: String,
}

impl Line {
    /// Whether its id is made from what it says.
    pub fn is_genuine(&self) -> bool {
        self.event_id == digest::id("e-", &(self.seq, &self.event, self.timestamp), 12)
    }

    /// The line that records `event` after `last`: its time is never before that one's.
    pub fn following(last: Option<(u64, Timestamp)>, event: Event, now: Timestamp) -> Self {
        let (seq, at) = last.unwrap_or((0, now));
        let (seq, timestamp) = (seq + 1, now.max(at));
        let event_id = digest::id("e-", &(seq, &event, timestamp), 12);
        Self {
            seq,
            event,
            timestamp,
            event_id,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", content = "payload")]
pub enum Event {
    /// A person approved these conditions; the wall clock begins.
    #[serde(rename = "gate.confirmed")]
    GateConfirmed {
        /// The conference's id.
        conference_id: ConferenceId,
        /// What was approved.
        approval_digest: String,
        /// The conditions as they stand in the document.
        config_digest: String,
        /// Which host does the work.
        host: String,
        /// Children at a time.
        slots: u32,
        /// Which lithermes.
        version: String,
        /// What the free probe of the host said.
        probe: Vec<String>,
        /// What stood around the conference, so that a change is found.
        #[serde(default, skip_serializing_if = "Surroundings::is_empty")]
        surroundings: Surroundings,
    },
    /// The conference began.
    #[serde(rename = "conference.started")]
    Started {
        /// How many lanes.
        researchers: u32,
        /// `metric` or `qualitative`.
        mode: String,
        /// The goal.
        goal: String,
        /// Metric, direction and target in one line.
        config_summary: String,
    },
    /// A state of the conference gave way to another.
    #[serde(rename = "transition")]
    Transition {
        /// The state before.
        prev: String,
        /// The state now.
        next: String,
        /// The round.
        round: u32,
        /// What was accounted in it.
        dispatch_ids: Vec<DispatchId>,
        /// Digest of what it rests on.
        evidence_digest: String,
        /// Why.
        reason: String,
    },
    /// A round began.
    #[serde(rename = "round.started")]
    RoundStarted {
        /// Which.
        round: u32,
        /// `A:ready`, …
        researcher_states: Vec<String>,
    },
    /// What an id may cost is set aside.
    #[serde(rename = "budget.reserved")]
    Reserved(Cost),
    /// A charter goes out; flushed before its child starts.
    #[serde(rename = "dispatch.issued")]
    Issued {
        /// What the packet must bear.
        dispatch_id: DispatchId,
        /// What the child is.
        role: Role,
        /// The round, where it has one.
        round: Option<u32>,
        /// The lane, where it has one.
        lane: Option<Lane>,
        /// Which try.
        attempt: u32,
        /// Iterations that it may report.
        iteration_allowance: u32,
        /// SHA-256 of the charter, a file in `packets/`.
        charter_digest: String,
        /// Which host runs it.
        host: String,
        /// Seconds until it is timed out.
        timeout_s: u64,
    },
    /// An end of an id: its packet was taken.
    #[serde(rename = "dispatch.received")]
    Received(Ended),
    /// An end of an id: it failed.
    #[serde(rename = "dispatch.failed")]
    Failed(Ended),
    /// An end of an id: its time was up.
    #[serde(rename = "dispatch.timed_out")]
    TimedOut(Ended),
    /// An end of an id: the conference was cancelled.
    #[serde(rename = "dispatch.cancelled")]
    Cancelled(Ended),
    /// What an id did cost; nothing, where it was set aside and never went out.
    #[serde(rename = "budget.settled")]
    Settled(Cost),
    /// Model and provider, as the host says.
    #[serde(rename = "host.reported")]
    HostReported {
        /// Of which child.
        dispatch_id: DispatchId,
        /// The model.
        model: Option<String>,
        /// The provider.
        provider: Option<String>,
        /// Tokens that it read, where the host counts them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input_tokens: Option<u64>,
        /// Tokens that it wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output_tokens: Option<u64>,
    },
    /// A packet was taken.
    #[serde(rename = "packet.accepted")]
    Accepted {
        /// Whose.
        dispatch_id: DispatchId,
        /// The lane, where it has one.
        lane: Option<Lane>,
        /// The role.
        role: Role,
        /// SHA-256 of its canonical bytes: its file in `packets/`.
        digest: String,
        /// SHA-256 of the bytes as they came.
        raw_digest: String,
        /// How it came.
        via: Via,
        /// Of one that was relayed: whether the host's own records hold it. Left out where they
        /// tell nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        corroborated: Option<bool>,
        /// What in it is worth a look.
        flags: Vec<String>,
    },
    /// A packet was refused.
    #[serde(rename = "packet.rejected")]
    Rejected(Aside),
    /// A packet came too late, or for nobody.
    #[serde(rename = "packet.stale")]
    Stale(Aside),
    /// A packet came again.
    #[serde(rename = "packet.duplicate")]
    Duplicate(Aside),
    /// The root measured a candidate.
    #[serde(rename = "evaluation.recorded")]
    Evaluated {
        /// Whose.
        dispatch_id: DispatchId,
        /// Which of its iterations, from 0.
        index: u32,
        /// What each run printed, in order.
        raw: Vec<f64>,
        /// The median; `null` where it failed.
        median: Option<f64>,
        /// The status of the run that failed, or 0.
        exit: i32,
        /// Why it failed: `exit`, `timeout`, `output`, `guard`.
        reason: Option<String>,
        /// SHA-256 of the candidate's canonical bytes.
        digest: String,
    },
    /// A row of the results.
    #[serde(rename = "researcher.iteration")]
    Iteration {
        /// The lane.
        researcher: Lane,
        /// The round.
        round: u32,
        /// From 0: the baseline.
        iteration: u32,
        /// `null` for a failed one.
        metric_value: Option<f64>,
        /// Against the row of iteration 0.
        delta: Option<f64>,
        /// What became of it.
        status: RowStatus,
    },
    /// A lane got stuck.
    #[serde(rename = "researcher.stuck")]
    Stuck {
        /// The lane.
        researcher: Lane,
        /// The round.
        round: u32,
        /// 2 or 3.
        stuck_level: u8,
    },
    /// The poster stands.
    #[serde(rename = "round.poster_session")]
    PosterSession {
        /// The round.
        round: u32,
        /// In one line.
        summary: String,
    },
    /// What the review and the root say of a claim.
    #[serde(rename = "verdict.recorded")]
    VerdictRecorded {
        /// The round.
        round: u32,
        /// The claim.
        claim: ClaimId,
        /// What it is worth.
        verdict: Verdict,
        /// `reviewer` or `root`.
        by: String,
        /// Why.
        reason: String,
    },
    /// The review stands.
    #[serde(rename = "round.peer_review")]
    PeerReview {
        /// The round.
        round: u32,
        /// How many hold.
        validated_count: u32,
        /// How many want evidence.
        challenged_count: u32,
        /// How many are wrong.
        overturned_count: u32,
        /// How many nobody could tell.
        needs_review_count: u32,
        /// Whether there was one at all.
        reviewed: bool,
    },
    /// Validated findings went over to all lanes.
    #[serde(rename = "knowledge.transferred")]
    Transferred {
        /// The round.
        round: u32,
        /// What went over.
        findings: Vec<Carried>,
        /// What did not, and why.
        withheld: Vec<Withheld>,
    },
    /// A file is about to be replaced.
    #[serde(rename = "artifact.written")]
    ArtifactWritten {
        /// Below the root.
        path: String,
        /// SHA-256 of its bytes.
        digest: String,
    },
    /// A round ended.
    #[serde(rename = "round.completed")]
    RoundCompleted {
        /// Which.
        round: u32,
        /// Best reviewed value so far.
        best_metric: Option<f64>,
        /// Whose.
        best_researcher: Option<Lane>,
        /// Whether the conference ends here with success.
        converged: bool,
        /// Whether every lane was received and the review taken.
        complete: bool,
    },
    /// A limit of time is behind us.
    #[serde(rename = "deadline.passed")]
    DeadlinePassed {
        /// `wall_clock`, or the id that was timed out.
        what: String,
    },
    /// Somebody asked to stop.
    #[serde(rename = "cancel.requested")]
    CancelRequested {
        /// `signal` or `file`.
        by: String,
    },
    /// Somebody goes on with a conference that was cut off: the receipt of that.
    #[serde(rename = "conference.resumed")]
    Resumed(Resumed),
    /// The rules call it done.
    #[serde(rename = "conference.converged")]
    Converged {
        /// The best reviewed value.
        final_best_metric: Option<f64>,
        /// Rounds that were held.
        round_count: u32,
        /// `target`, `metric_plateau` or `quality_plateau`.
        reason: String,
    },
    /// What is left behind: nothing, or what could not be proven.
    #[serde(rename = "cleanup.receipt")]
    Cleanup {
        /// Each id with its end.
        ids: Vec<String>,
        /// Processes that may live on.
        background_processes: Vec<String>,
        /// What nobody can prove.
        residual_uncertainty: Vec<String>,
    },
    /// The end: done.
    #[serde(rename = "conference.completed")]
    Completed(Stop),
    /// The end: somebody stopped it.
    #[serde(rename = "conference.cancelled")]
    ConferenceCancelled(Stop),
    /// The end: it cannot go on.
    #[serde(rename = "conference.blocked")]
    Blocked(Stop),
}

/// What stands around a conference and has to stay as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// The commit that HEAD names, where the root lies in a git repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The files that evaluator, guard and program of the host name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Standing>,
    /// SHA-256 of what bounded work granted, where the conference is a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<String>,
}

impl Surroundings {
    /// Nothing is known of them.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A file that a command of the conference names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// `evaluator`, `guard` or `command`.
    pub of: String,
    /// As the command names it.
    pub path: String,
    /// SHA-256 of what it holds.
    pub sha256: String,
}

/// What an id may cost, or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Which.
    pub dispatch_id: DispatchId,
    /// Iterations.
    pub iterations: u32,
    /// Calls of a child.
    pub calls: u32,
}

/// How an id ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Which.
    pub dispatch_id: DispatchId,
    /// Why, where it was no packet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The packet, where it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A packet that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// What it was sent for: an id, or text that is none.
    pub dispatch_id: String,
    /// Why it does not count.
    pub reason: String,
    /// SHA-256 of the bytes as they came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// Where a conference goes on that was cut off, and what a person decided about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// The phase that is open.
    pub recovery_point: String,
    /// The round that is open, or ended last.
    pub round: u32,
    /// Lanes whose child was lost in that round.
    pub reverted_researchers: Vec<Lane>,
    /// Each id with its end.
    pub ids: Vec<String>,
    /// Digests of the packets that count.
    pub accepted: Vec<String>,
    /// Digests of those that do not, where they are known.
    pub aside: Vec<String>,
    /// Iterations that the budget leaves.
    pub iterations_left: u64,
    /// What was decided.
    pub decision: Decision,
    /// About which ids.
    pub decided: Vec<DispatchId>,
    /// A file that was announced and not written before the end of its writer.
    pub unwritten: Option<String>,
    /// The bounded work that it goes on under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Regranted>,
}

/// Bounded work that went on to another revision, and grants the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regranted {
    /// Its id.
    pub work_id: String,
    /// The revision that was approved.
    pub approved: u64,
    /// The revision that it has now.
    pub now: u64,
}

/// What a person decides before a conference goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Nothing had to be decided.
    None,
    /// Go on without what was lost.
    GoOn,
    /// Send what was lost out again, under new ids.
    Redispatch,
    /// Of two packets under one id the first stands.
    KeepFirst,
}

/// How a packet came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// From a process that the root started.
    Process,
    /// From a hook of the host.
    Hook,
    /// From the session that relays it.
    Relayed,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowStatus {
    /// Where the lane began this round.
    Baseline,
    /// Strictly better than the lane's best so far.
    Kept,
    /// Not better.
    Reverted,
    /// It could not be measured.
    Failed,
}

impl RowStatus {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Kept => "kept",
            Self::Reverted => "reverted",
            Self::Failed => "failed",
        }
    }
}

/// A finding that went over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// The claim.
    pub id: ClaimId,
    /// What it says.
    pub text: String,
}

/// A claim that did not go over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withheld {
    /// The claim.
    pub id: ClaimId,
    /// Why: its verdict, or that it had none.
    pub reason: String,
}

/// How a conference ended. The code alone hides much, so the facts stand beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// The rule that ended it.
    pub stop_code: StopCode,
    /// Whether a reviewed value meets the target.
    pub target_met: bool,
    /// Whether two comparisons in a row brought nothing.
    pub plateau: bool,
    /// Whether all lanes were stuck.
    pub stalled: bool,
    /// Limits that were reached.
    pub budget_hit: Vec<String>,
    /// What the root's own replay said before it called this complete.
    pub check: String,
}

/// The rule that ended a conference (conference.md A6, Appendix B).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StopCode {
    /// The target is met, or the quality holds.
    Converged,
    /// It gets no better.
    ConvergedPlateau,
    /// A limit was reached.
    BudgetStop,
    /// All lanes are stuck.
    Stalled,
    /// Somebody stopped it.
    Cancelled,
    /// No lane sent anything valid.
    BlockedNoValidPacket,
    /// The host does not answer.
    BlockedMultiAgentUnavailable,
    /// Two packets under one id.
    BlockedDispatchReplayConflict,
}
