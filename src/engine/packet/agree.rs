//! Whether a packet keeps to its charter: role, allowance, parameters, what it refers to.

use std::collections::BTreeSet;

use super::{Candidate, MAX_CLAIMS, MAX_ITERATIONS, Packet, Reason, Refusal, Status};
use crate::count;
use crate::engine::charter::{Charter, Success};
use crate::engine::id::{ClaimId, Role};

type Checked = Result<(), Refusal>;

pub(super) fn with(packet: &Packet, charter: &Charter) -> Checked {
    if packet.delegation_allowed == Some(true) {
        return Err(Refusal::new(
            Reason::ClaimsDelegation,
            "`delegation_allowed` is true",
        ));
    }
    of_its_role(packet, charter)?;
    amounts(packet, charter)?;
    rows(packet)?;
    measurements(packet, charter)?;
    packet
        .candidates
        .iter()
        .enumerate()
        .try_for_each(|(index, candidate)| parameters(candidate, charter, index))?;
    references(packet, charter)?;
    scores(packet)
}

/// Keys that only one role has.
fn of_its_role(packet: &Packet, charter: &Charter) -> Checked {
    let keys: [(&str, Role, bool); 17] = [
        ("hypotheses", Role::Researcher, packet.hypotheses.is_empty()),
        (
            "measurements",
            Role::Researcher,
            packet.measurements.is_empty(),
        ),
        ("candidates", Role::Researcher, packet.candidates.is_empty()),
        ("self_score", Role::Researcher, packet.self_score.is_none()),
        (
            "stuck_level",
            Role::Researcher,
            packet.stuck_level.is_none(),
        ),
        ("verdicts", Role::Reviewer, packet.verdicts.is_empty()),
        ("scores", Role::Reviewer, packet.scores.is_empty()),
        ("summaries", Role::Poster, packet.summaries.is_empty()),
        ("agreements", Role::Poster, packet.agreements.is_empty()),
        ("conflicts", Role::Poster, packet.conflicts.is_empty()),
        (
            "missing_evidence",
            Role::Poster,
            packet.missing_evidence.is_empty(),
        ),
        (
            "open_questions",
            Role::Poster,
            packet.open_questions.is_empty(),
        ),
        (
            "established",
            Role::Synthesis,
            packet.established.is_empty(),
        ),
        ("promising", Role::Synthesis, packet.promising.is_empty()),
        (
            "contradictions",
            Role::Synthesis,
            packet.contradictions.is_empty(),
        ),
        (
            "negative_results",
            Role::Synthesis,
            packet.negative_results.is_empty(),
        ),
        (
            "next_decisions",
            Role::Synthesis,
            packet.next_decisions.is_empty(),
        ),
    ];
    let strange = keys
        .iter()
        .find(|(_, role, empty)| *role != charter.role && !empty);
    match strange {
        Some((key, ..)) => {
            let role = charter.role.as_str();
            Err(Refusal::new(
                Reason::WrongShape,
                format!("a {role} has no `{key}`"),
            ))
        }
        None if packet.status == Status::Blocked && !packet.claims.is_empty() => Err(Refusal::new(
            Reason::WrongShape,
            "a blocked packet has no claims",
        )),
        None => Ok(()),
    }
}

fn amounts(packet: &Packet, charter: &Charter) -> Checked {
    let claims = packet.claims.len();
    let allowed = MAX_CLAIMS.min(charter.claims_allowed as usize);
    if claims > allowed {
        let claims = count::of(claims, "claim", "claims");
        let detail = format!("{claims}, at most {allowed}");
        return Err(Refusal::new(Reason::TooManyClaims, detail));
    }
    let iterations = packet.iterations();
    let allowed = MAX_ITERATIONS.min(charter.iteration_allowance as usize);
    if iterations > allowed {
        let iterations = count::of(iterations, "iteration", "iterations");
        let detail = format!("{iterations}, at most {allowed}");
        return Err(Refusal::new(Reason::OverAllowance, detail));
    }
    Ok(())
}

/// A claim rests on iterations that the packet reports.
fn rows(packet: &Packet) -> Checked {
    let there = packet.measurements.len().max(packet.candidates.len());
    let cited = packet.claims.iter().flat_map(|claim| &claim.rows);
    match cited.max() {
        Some(row) if *row >= there => {
            let detail = format!("a claim cites row {row} of {there}");
            Err(Refusal::new(Reason::UnknownReference, detail))
        }
        _ => Ok(()),
    }
}

fn measurements(packet: &Packet, charter: &Charter) -> Checked {
    for (index, measurement) in packet.measurements.iter().enumerate() {
        let refuse = |what: String| {
            let detail = format!("/measurements/{index}: {what}");
            Err(Refusal::new(Reason::WrongMeasurement, detail))
        };
        if let Success::Metric { metric, .. } = &charter.success
            && measurement.name != *metric
        {
            return refuse(format!("the metric is `{metric}`"));
        }
        if measurement.number().is_none() {
            return refuse("the value is no finite number".to_owned());
        }
    }
    Ok(())
}

/// Free text and code are no candidates: each value lies in Parameters (conference.md A4).
fn parameters(candidate: &Candidate, charter: &Charter, index: usize) -> Checked {
    let refuse = |what: String| {
        let detail = format!("/candidates/{index}: {what}");
        Err(Refusal::new(Reason::OutsideParameters, detail))
    };
    if candidate.values.is_empty() {
        return refuse("it sets nothing".to_owned());
    }
    for (name, value) in &candidate.values {
        let Some(parameter) = charter.parameters.iter().find(|one| one.name == *name) else {
            return refuse("a name that Parameters does not have".to_owned());
        };
        if !parameter.domain.allows(value) {
            return refuse(format!("`{name}` lies outside its range"));
        }
    }
    Ok(())
}

/// Verdicts, summaries and findings are about what the charter quotes.
fn references(packet: &Packet, charter: &Charter) -> Checked {
    let quoted: BTreeSet<ClaimId> = charter.claims.iter().map(|claim| claim.id).collect();
    let judged = packet.verdicts.iter().map(|judgement| judgement.claim);
    let mut seen = BTreeSet::new();
    for claim in judged {
        if !quoted.contains(&claim) {
            let detail = format!("a verdict on {claim}, which the charter does not quote");
            return Err(Refusal::new(Reason::UnknownReference, detail));
        }
        if !seen.insert(claim) {
            let detail = format!("two verdicts on {claim}");
            return Err(Refusal::new(Reason::WrongShape, detail));
        }
    }
    if let Some(claim) = packet
        .established
        .iter()
        .find(|claim| !quoted.contains(claim))
    {
        let detail = format!("{claim} is called established; the charter does not quote it");
        return Err(Refusal::new(Reason::UnknownReference, detail));
    }
    let known: BTreeSet<_> = charter.claims.iter().map(|claim| claim.id.call).collect();
    let summed = packet.summaries.iter().map(|summary| summary.dispatch_id);
    match summed.into_iter().find(|call| !known.contains(call)) {
        Some(call) => {
            let detail = format!("a summary of {call}, which the charter does not quote");
            Err(Refusal::new(Reason::UnknownReference, detail))
        }
        None => Ok(()),
    }
}

fn scores(packet: &Packet) -> Checked {
    let own = packet.self_score.into_iter();
    let given = packet.scores.iter().map(|score| score.score);
    if let Some(score) = own.chain(given).find(|score| !(1..=10).contains(score)) {
        let detail = format!("{score} is no score from 1 to 10");
        return Err(Refusal::new(Reason::WrongShape, detail));
    }
    if let Some(level) = packet.stuck_level.filter(|level| *level > 3) {
        return Err(Refusal::new(
            Reason::WrongShape,
            format!("{level} is no level from 0 to 3"),
        ));
    }
    let mut lanes = BTreeSet::new();
    match packet.scores.iter().find(|score| !lanes.insert(score.lane)) {
        Some(score) => Err(Refusal::new(
            Reason::WrongShape,
            format!("two scores of lane {}", score.lane),
        )),
        None => Ok(()),
    }
}
