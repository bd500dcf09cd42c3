//! What each child of a round conference is told (conference.md A2, A8).
//!
//! Promises: the same terms and the same state give the same bytes; never more than
//! [`charter::MAX_BYTES`]: evidence is cut first, and shared equally.

use super::budget;
use super::judge;
use super::rows;
use super::terms::Terms;
use crate::engine::charter::{self, Charter, Claimed, Finding, SCHEMA, Signal};
use crate::engine::id::{Call, ClaimId, Lane, Role, Task};
use crate::engine::packet::{MAX_CLAIMS, MAX_STRING, schema};
use crate::engine::state::State;

/// Findings of earlier rounds that a lane is told, the newest.
const KNOWLEDGE: usize = 24;
/// Bytes that a claim takes in a charter, its evidence left out, as a rule. Where characters need
/// more, it is cut shorter.
const CLAIM_BYTES: usize = 400;

/// Bytes of a charter that are kept for claims.
const CLAIMS_ROOM: usize = charter::MAX_BYTES / 2;
/// Bytes that are left for all else where there are claims.
pub const ROOM_BESIDE_CLAIMS: usize = charter::MAX_BYTES - CLAIMS_ROOM;

/// Characters that a claim keeps as long as anything else can be cut.
const LONG_CLAIM: usize = 160;

/// The charter of a call, with the seconds that it may take.
pub fn charter(terms: &Terms, state: &State, call: Call, timeout_s: u64) -> Charter {
    let role = call.task.role();
    let lane = call.task.lane();
    let researcher = role == Role::Researcher;
    let mut charter = Charter {
        schema: SCHEMA.to_owned(),
        conference_id: terms.conference.clone(),
        dispatch_id: terms.conference.dispatch(call),
        round: call.task.round(),
        role,
        lane,
        attempt: call.attempt,
        objective: objective(terms, role),
        focus: lane
            .and_then(|lane| terms.focus.get(lane.number()).cloned())
            .unwrap_or_default(),
        success: terms.success.clone(),
        signal: signal(terms, state, call.task, timeout_s),
        contrarian: terms.critic && lane.is_some() && lane == terms.lanes().last(),
        iteration_allowance: if researcher {
            terms.iterations_per_round
        } else {
            0
        },
        claims_allowed: claims_allowed(terms),
        parameters: if researcher {
            terms.parameters.clone()
        } else {
            Vec::new()
        },
        knowledge: knowledge(state),
        claims: claims(terms, state, call.task),
        read_context: if researcher {
            terms.read_context.clone()
        } else {
            Vec::new()
        },
        allowed_read_roots: terms.allowed_read_roots.clone(),
        forbidden_actions: terms.forbidden_actions.clone(),
        delegation_allowed: false,
        timeout_s,
        on_cancel: "the child is ended; what it has found until then does not count".to_owned(),
        packet_schema: schema::of(role),
    };
    fit(&mut charter);
    charter
}

fn objective(terms: &Terms, role: Role) -> String {
    let goal = &terms.goal;
    match role {
        Role::Probe => {
            "Answer with an empty completed packet: this only asks whether you can.".to_owned()
        }
        Role::Researcher => goal.clone(),
        Role::Poster => {
            format!("Compare what the lanes found, without choosing a winner. Goal: {goal}")
        }
        Role::Reviewer => {
            format!("Try to refute each claim. What is uncertain is challenged. Goal: {goal}")
        }
        Role::Synthesis => format!("Write down what the reviews leave standing. Goal: {goal}"),
    }
}

/// Whether another round can follow this one: by the budget, and by a wall clock that leaves less
/// than a lane's time (conference.md B 3.6).
fn signal(terms: &Terms, state: &State, task: Task, timeout_s: u64) -> Signal {
    let short = timeout_s < terms.lane_timeout_s;
    let last = |round| short || budget::is_last_round(terms, state, task, round);
    match task.round().is_none_or(last) {
        true => Signal::LastRound,
        false => Signal::Normal,
    }
}

/// So many that a synthesis can quote those of all lanes and rounds.
fn claims_allowed(terms: &Terms) -> u32 {
    let room = CLAIMS_ROOM / CLAIM_BYTES;
    let rounds = usize::try_from(terms.effective_rounds()).unwrap_or(usize::MAX);
    let packets = terms.focus.len().saturating_mul(rounds);
    let each = room / packets.max(1);
    u32::try_from(each.clamp(1, MAX_CLAIMS)).unwrap_or(1)
}

fn knowledge(state: &State) -> Vec<Finding> {
    let newest = state.knowledge.len().saturating_sub(KNOWLEDGE);
    let findings = state.knowledge.iter().skip(newest);
    findings
        .map(|carried| Finding {
            finding: carried.id,
            claim: carried.text.clone(),
            value: rows::value_of_claim(state, carried.id),
        })
        .collect()
}

/// What posters and reviewers judge is their round's; a synthesis sees every round's.
fn claims(terms: &Terms, state: &State, task: Task) -> Vec<Claimed> {
    let rounds = match task {
        Task::Poster(round) | Task::Review(round) => round..=round,
        Task::Synthesis => 1..=state.current_round(),
        Task::Probe | Task::Research(..) => return Vec::new(),
    };
    let quoted = |id: ClaimId, lane: Lane, claim: &crate::engine::packet::Claim| Claimed {
        id,
        lane,
        claim: claim.claim.clone(),
        evidence: claim.evidence.clone(),
        confidence: claim.confidence,
        value: rows::value_of_claim(state, id),
        verdict: state.verdicts.get(&id).map(|judged| judged.verdict),
    };
    let of_round = |round| {
        judge::claims(terms, state, round).map(|(id, lane, _, claim)| quoted(id, lane, claim))
    };
    rounds.flat_map(of_round).collect()
}

/// Shortens evidence and long claims, then leaves out the oldest knowledge, then shortens claims
/// more, until the charter fits. What is left after that would be the oldest claims.
fn fit(charter: &mut Charter) {
    if charter.bytes().len() <= charter::MAX_BYTES {
        return;
    }
    let mut room = MAX_STRING;
    while charter.bytes().len() > charter::MAX_BYTES && room > 40 {
        room /= 2;
        for claim in &mut charter.claims {
            cut(&mut claim.evidence, room);
            cut(&mut claim.claim, room.max(LONG_CLAIM));
        }
        for read in &mut charter.read_context {
            cut(&mut read.text, room * 16);
        }
    }
    while charter.bytes().len() > charter::MAX_BYTES && !charter.knowledge.is_empty() {
        charter.knowledge.remove(0);
    }
    let mut room = LONG_CLAIM;
    while charter.bytes().len() > charter::MAX_BYTES && room > 10 {
        room /= 2;
        for claim in &mut charter.claims {
            cut(&mut claim.evidence, 0);
            cut(&mut claim.claim, room);
        }
    }
    while charter.bytes().len() > charter::MAX_BYTES && !charter.claims.is_empty() {
        let some = charter.claims.len().div_ceil(16);
        charter.claims.drain(..some);
    }
}

fn cut(text: &mut String, most: usize) {
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push_str(" […]");
    }
}
