//! What a review and the root say of claims, and what goes over to other lanes
//! (conference.md A4, A8, B 3.4, B 3.10).
//!
//! Promises: nothing goes over that a reviewer did not call validated; what the root measured
//! against a claim no reviewer lifts.

use super::rows;
use super::terms::Terms;
use crate::engine::event::{Carried, Event, Withheld};
use crate::engine::id::{Call, ClaimId, Lane, Task};
use crate::engine::packet::{Claim, Packet, Verdict};
use crate::engine::state::{Judged, State};

/// Every claim of a round's accepted packets, in order of lanes.
pub fn claims<'a>(
    terms: &Terms,
    state: &'a State,
    round: u32,
) -> impl Iterator<Item = (ClaimId, Lane, &'a Packet, &'a Claim)> {
    terms.lanes().flat_map(move |lane| {
        let packet = rows::packet(state, round, lane);
        packet.into_iter().flat_map(move |packet| {
            packet
                .claims_with_ids()
                .map(move |(id, claim)| (id, lane, packet, claim))
        })
    })
}

/// The review's packet, where one was taken.
fn review(state: &State, round: u32) -> Option<&Packet> {
    let (call, _) = state.last_call(Task::Review(round))?;
    state
        .packets
        .get(&call)
        .map(|accepted| accepted.packet.as_ref())
}

/// The verdicts of a round, those that stand already left out, and their counts, as events.
pub fn of_round(terms: &Terms, state: &State, round: u32) -> Vec<Event> {
    let review = review(state, round);
    let mut events = Vec::new();
    let mut counts = [0_u32; 4];
    for (id, _, packet, claim) in claims(terms, state, round) {
        let Some(judged) = judged(terms, state, review, id, packet, claim) else {
            continue;
        };
        counts[judged.verdict as usize] += 1;
        if state.verdicts.contains_key(&id) {
            continue;
        }
        events.push(Event::VerdictRecorded {
            round,
            claim: id,
            verdict: judged.verdict,
            by: judged.by,
            reason: judged.reason,
        });
    }
    let count = |verdict: Verdict| counts[verdict as usize];
    events.push(Event::PeerReview {
        round,
        validated_count: count(Verdict::Validated),
        challenged_count: count(Verdict::Challenged),
        overturned_count: count(Verdict::Overturned),
        needs_review_count: count(Verdict::NeedsReview),
        reviewed: review.is_some(),
    });
    events
}

fn judged(
    terms: &Terms,
    state: &State,
    review: Option<&Packet>,
    id: ClaimId,
    packet: &Packet,
    claim: &Claim,
) -> Option<Judged> {
    let given = review?
        .verdicts
        .iter()
        .find(|judgement| judgement.claim == id);
    let reviewed = given.map(|judgement| Judged {
        verdict: judgement.verdict,
        by: "reviewer".to_owned(),
        reason: judgement.reason.clone(),
    });
    let refuted = refuted(terms, state, packet, claim).map(|reason| Judged {
        verdict: Verdict::Challenged,
        by: "root".to_owned(),
        reason,
    });
    match (reviewed, refuted) {
        (Some(reviewed), Some(refuted)) if reviewed.verdict > refuted.verdict => Some(refuted),
        (reviewed, refuted) => reviewed.or(refuted),
    }
}

/// Why the root does not believe a claim: a row that it cites was not measured, or was claimed to
/// be something else than what was, by more than the threshold and three times the spread.
fn refuted(terms: &Terms, state: &State, packet: &Packet, claim: &Claim) -> Option<String> {
    if !terms.measures() {
        return None;
    }
    let threshold = terms.threshold(rows::baseline(terms, state));
    claim.rows.iter().find_map(|row| {
        let key = (packet.dispatch_id.call, u32::try_from(*row).ok()?);
        let Some(measured) = state.evaluations.get(&key) else {
            return Some(format!("row {row} was not measured"));
        };
        let Some(median) = measured.median else {
            return Some(format!("row {row} could not be measured"));
        };
        let claimed = packet.measurements.get(*row)?.number()?;
        let allowed = threshold.max(3.0 * measured.spread());
        let off = (claimed - median).abs();
        (off > allowed).then(|| format!("row {row}: claimed {claimed}, measured {median}"))
    })
}

/// What of a round goes over to all lanes, and what does not, as an event.
pub fn transfer(terms: &Terms, state: &State, round: u32) -> Event {
    let mut findings = Vec::new();
    let mut withheld = Vec::new();
    for (id, _, _, claim) in claims(terms, state, round) {
        let reason = match state.verdicts.get(&id) {
            Some(judged) if judged.verdict == Verdict::Validated => {
                findings.push(Carried {
                    id,
                    text: claim.claim.clone(),
                });
                continue;
            }
            Some(judged) => spelled(judged.verdict),
            None => "not reviewed",
        };
        withheld.push(Withheld {
            id,
            reason: reason.to_owned(),
        });
    }
    Event::Transferred {
        round,
        findings,
        withheld,
    }
}

/// The spelling of a verdict in documents.
pub fn spelled(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Overturned => "overturned",
        Verdict::Challenged => "challenged",
        Verdict::NeedsReview => "needs_review",
        Verdict::Validated => "validated",
    }
}

/// Whether every lane was received and the review taken.
pub fn is_complete(terms: &Terms, state: &State, round: u32) -> bool {
    let received = |lane| rows::packet(state, round, lane).is_some();
    terms.lanes().all(received) && review(state, round).is_some()
}

/// The call of a task's next try.
pub fn next_try(state: &State, task: Task) -> Call {
    let tried = state.last_call(task).map_or(0, |(call, _)| call.attempt);
    Call {
        task,
        attempt: tried + 1,
    }
}
