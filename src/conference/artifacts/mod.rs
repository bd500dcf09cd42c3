//! What a conference writes into its root, one file an artifact (conference.md A1, B 2).
//!
//! Promises: pure; every artifact is a function of accepted packets, measurements and the ends of
//! ids, ordered by round, phase, lane and iteration and never by arrival; rendered again, also
//! after the conference has ended, it has the same bytes. What is partial says so.

mod best;
mod coverage;
pub mod inert;
mod knowledge;
mod lane;
mod limitations;
mod log;
mod moments;
mod names;
pub mod number;
mod page;
mod poster;
pub mod record;
mod report;
pub mod results;
mod review;
mod synthesis;
#[cfg(test)]
mod tests;

use crate::engine::event::{Stop, StopCode};
use crate::engine::id::{Call, Task};
use crate::engine::state::{Accepted, State};

pub use crate::engine::state::Reported;

use super::rounds::terms::Terms;

pub use names::is_artifact;

/// A file below the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Its name.
    pub path: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// What artifacts say beside terms and state.
#[derive(Debug, Clone, Copy, Default)]
pub struct Edition<'a> {
    /// The title of the conference.
    pub title: &'a str,
    /// The evaluator's file, as `evaluator_source` names it.
    pub evaluator: Option<&'a str>,
    /// Model and provider of children, as the host reported them (`host.reported`).
    pub reported: &'a [Reported],
    /// How it ended, once that is known; its `check` stands in no artifact.
    pub stop: Option<&'a Stop>,
}

/// The bytes of the two sections of `conference.md` that the root keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sections {
    /// Below `## Shared Knowledge`: validated findings, numbered across rounds; empty where there
    /// is none.
    pub knowledge: String,
    /// Below `## Conference Log`: a table. For display; nothing is computed from it.
    pub log: String,
}

/// Every artifact that the state allows: results once a round began, the poster and the review of
/// a round once they stand, synthesis and final report once it is known how it ended.
pub fn render(terms: &Terms, state: &State, edition: &Edition<'_>) -> Vec<Artifact> {
    let mut artifacts = Vec::new();
    let mut add = |path: String, bytes| artifacts.push(Artifact { path, bytes });
    if !state.rounds.is_empty() {
        let results = results::write(terms, state, edition);
        add("conference_results.tsv".to_owned(), results);
        for Artifact { path, bytes } in lane::write(terms, state, edition) {
            add(path, bytes);
        }
    }
    for (round, stands) in &state.rounds {
        if stands.poster {
            let text = poster::write(terms, state, *round);
            add(
                format!("poster_session_round_{round}.md"),
                text.into_bytes(),
            );
        }
        if stands.reviewed.is_some() {
            let text = review::write(terms, state, *round);
            add(format!("peer_review_round_{round}.md"), text.into_bytes());
        }
    }
    if let Some(stop) = edition.stop {
        if !state.rounds.is_empty() {
            let text = synthesis::write(terms, state, edition, stop);
            add("synthesis.md".to_owned(), text.into_bytes());
        }
        let text = report::write(terms, state, edition, stop);
        add("final_report.md".to_owned(), text.into_bytes());
    }
    artifacts
}

/// The two sections, as far as the conference is.
pub fn sections(terms: &Terms, state: &State, edition: &Edition<'_>) -> Sections {
    Sections {
        knowledge: knowledge::write(terms, state),
        log: log::write(terms, state, edition.stop),
    }
}

/// A stop code as it is spelled everywhere.
pub fn stop_code(code: StopCode) -> &'static str {
    match code {
        StopCode::Converged => "CONVERGED",
        StopCode::ConvergedPlateau => "CONVERGED_PLATEAU",
        StopCode::BudgetStop => "BUDGET_STOP",
        StopCode::Stalled => "STALLED",
        StopCode::Cancelled => "CANCELLED",
        StopCode::BlockedNoValidPacket => "BLOCKED_NO_VALID_PACKET",
        StopCode::BlockedMultiAgentUnavailable => "BLOCKED_MULTI_AGENT_UNAVAILABLE",
        StopCode::BlockedDispatchReplayConflict => "BLOCKED_DISPATCH_REPLAY_CONFLICT",
    }
}

/// The packet that counts of a task.
fn accepted(state: &State, task: Task) -> Option<(Call, &Accepted)> {
    let (call, _) = state.last_call(task)?;
    Some((call, state.packets.get(&call)?))
}

/// Calls in the order of artifacts: the probe, then by round, phase and lane, then the synthesis.
fn place(call: &Call) -> (u32, Call) {
    let outside = match call.task {
        Task::Probe => 0,
        _ => u32::MAX,
    };
    (call.task.round().unwrap_or(outside), *call)
}

/// Which host did the work.
fn host(terms: &Terms, state: &State) -> String {
    let confirmed = state.gate.as_ref().map(|gate| gate.host.as_str());
    inert::inert(confirmed.unwrap_or(&terms.host))
}
