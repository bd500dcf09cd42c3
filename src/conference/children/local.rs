//! The embedded host `local`: lanes that search, and a reviewer that measures again
//! (conference.md A4).
//!
//! Promises: what a lane asks follows from the conditions, its lane, its round and what was
//! measured before; a claim is the lane's best of the round and cites its row; the reviewer
//! believes nothing that does not come again.

use serde_json::{Value, json};

use super::{Answer, Child, Desk, End, Host};
use crate::conference::plan::shortest;
use crate::conference::rounds::terms::Terms;
use crate::conference::rounds::{converge, rows};
use crate::engine::charter::{Charter, Claimed, Direction, Success};
use crate::engine::host::local::{
    History, Point, Remeasured, Search, Seed, Strategy, Trial, judge, part,
};
use crate::engine::id::{ClaimId, Lane, Role};
use crate::engine::packet::{Candidate, Packet, Verdict};
use crate::engine::state::State;

/// The embedded host.
#[derive(Debug, Clone)]
pub struct Local {
    /// Where the random numbers come from.
    pub config_digest: String,
    /// Whether each lane has its own part of the space.
    pub is_assigned: bool,
}

impl Host for Local {
    fn child(&self, charter: &Charter, terms: &Terms, state: &State) -> Child {
        match (charter.role, charter.lane, charter.round) {
            (Role::Researcher, Some(lane), Some(round)) => {
                self.researcher(charter, terms, state, lane, round)
            }
            (Role::Reviewer, ..) => reviewer(charter, terms, state),
            (Role::Synthesis, ..) => answered(synthesis(charter)),
            (Role::Poster, ..) => answered(poster(charter)),
            _ => answered(packet(charter)),
        }
    }

    fn slots(&self, terms: &Terms) -> usize {
        terms.focus.len().max(1)
    }
}

fn answered(packet: Value) -> Child {
    Box::new(move |_| output(&packet))
}

fn output(packet: &Value) -> Answer {
    End::Output(packet.to_string().into_bytes()).into()
}

/// A packet that says nothing yet.
fn packet(charter: &Charter) -> Value {
    json!({
        "dispatch_id": charter.dispatch_id,
        "role": charter.role,
        "status": "completed",
        "claims": [],
        "uncertainties": [],
        "recommended_root_actions": [],
    })
}

impl Local {
    fn researcher(
        &self,
        charter: &Charter,
        terms: &Terms,
        state: &State,
        lane: Lane,
        round: u32,
    ) -> Child {
        let parameters = match self.is_assigned {
            true => part(&charter.parameters, lane.number(), terms.focus.len()),
            false => charter.parameters.clone(),
        };
        let search = Search::new(
            Strategy::of(lane),
            charter.contrarian,
            &parameters,
            terms.direction(),
            Seed::new(&self.config_digest, lane, round),
            &history(state, lane, round),
        );
        let search = match search {
            Ok(search) => search,
            Err(error) => {
                let reason = error.to_string();
                return Box::new(move |_| End::Failed(reason).into());
            }
        };
        let (charter, direction) = (charter.clone(), terms.direction());
        Box::new(move |desk: &Desk| research(search, &charter, direction, desk))
    }
}

/// Asks, has it measured, and tells the search, as often as the charter allows.
fn research(mut search: Search, charter: &Charter, direction: Direction, desk: &Desk) -> Answer {
    let mut tried: Vec<(Point, Option<f64>)> = Vec::new();
    for index in 0..charter.iteration_allowance {
        let Some(point) = search.ask() else {
            break;
        };
        let candidate = Candidate {
            values: point.clone(),
        };
        let Some(measured) = desk.measure(index, candidate) else {
            return desk.stopped();
        };
        search.tell(&point, measured.median);
        tried.push((point, measured.median));
    }
    output(&findings(charter, direction, &tried))
}

fn findings(charter: &Charter, direction: Direction, tried: &[(Point, Option<f64>)]) -> Value {
    let mut packet = packet(charter);
    let candidates = tried.iter().map(|(point, _)| json!({"values": point}));
    packet["candidates"] = candidates.collect();
    let Success::Metric { metric, .. } = &charter.success else {
        return packet;
    };
    let measured: Option<Vec<f64>> = tried.iter().map(|(_, value)| *value).collect();
    // Measurements stand at the place of their iteration, so a failed one leaves no room for any.
    if let Some(measured) = measured {
        let said = measured.iter().map(|value| {
            json!({"name": metric, "value": shortest(*value), "provenance": "the root's evaluator"})
        });
        packet["measurements"] = said.collect();
    }
    let values = tried.iter().enumerate();
    let values = values.filter_map(|(row, (point, value))| Some((row, point, (*value)?)));
    let best = values.reduce(|best, next| match direction.is_better(next.2, best.2) {
        true => next,
        false => best,
    });
    if let Some((row, point, value)) = best {
        let claim = format!("{} gives {metric} {}", written(point), shortest(value));
        let evidence = format!(
            "measured by the root as row {row}, the best of {}",
            tried.len()
        );
        packet["claims"] =
            json!([{"claim": claim, "evidence": evidence, "confidence": "medium", "rows": [row]}]);
    }
    packet
}

/// `level = 7, window = small`.
fn written(point: &Point) -> String {
    let one = |(name, value): (&String, &Value)| match value {
        Value::String(word) => format!("{name} = {word}"),
        other => format!("{name} = {other}"),
    };
    point.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What a lane begins a round with: its own trials, and what reviews validated of others.
fn history(state: &State, lane: Lane, round: u32) -> History {
    let own = (1..round).filter_map(|before| rows::packet(state, before, lane));
    let own = own.flat_map(|packet| {
        (0..).zip(&packet.candidates).map(|(index, candidate)| {
            let key = (packet.dispatch_id.call, index);
            Trial {
                point: candidate.values.clone(),
                value: state.evaluations.get(&key).and_then(|found| found.median),
            }
        })
    });
    let known = state.knowledge.iter().filter_map(|finding| {
        let of = finding.id.call.task.lane().filter(|of| *of != lane);
        let (candidate, _) = of.and_then(|_| cited(state, finding.id))?;
        Some(Trial {
            point: candidate.values.clone(),
            value: rows::value_of_claim(state, finding.id),
        })
    });
    History {
        own: own.collect(),
        known: known.collect(),
    }
}

/// The candidate of the first row that a claim cites, and that row.
fn cited(state: &State, id: ClaimId) -> Option<(&Candidate, u32)> {
    let packet: &Packet = &state.packets.get(&id.call)?.packet;
    let (_, claim) = packet.claims_with_ids().find(|(found, _)| *found == id)?;
    let row = *claim.rows.first()?;
    let candidate = packet.candidates.get(row)?;
    Some((candidate, u32::try_from(row).ok()?))
}

/// A claim to measure again.
struct Doubted {
    id: ClaimId,
    candidate: Candidate,
    measured: Remeasured,
}

fn reviewer(charter: &Charter, terms: &Terms, state: &State) -> Child {
    let doubted: Vec<Doubted> = charter
        .claims
        .iter()
        .filter_map(|claim| doubted(claim, terms, state))
        .collect();
    let packet = packet(charter);
    Box::new(move |desk: &Desk| review(packet, doubted, desk))
}

fn doubted(claim: &Claimed, terms: &Terms, state: &State) -> Option<Doubted> {
    let (candidate, row) = cited(state, claim.id)?;
    let measured = state.evaluations.get(&(claim.id.call, row))?;
    let packet = &state.packets.get(&claim.id.call)?.packet;
    let said = packet.measurements.get(usize::try_from(row).ok()?);
    let said = said.and_then(|measurement| measurement.number());
    let baseline = rows::baseline(terms, state);
    let best = converge::facts(terms, state).best.map(|best| best.value);
    Some(Doubted {
        id: claim.id,
        candidate: candidate.clone(),
        measured: Remeasured {
            direction: terms.direction(),
            claimed: said.or(measured.median)?,
            before: best.or(baseline),
            again: Vec::new(),
            spread: measured.spread(),
            threshold: terms.threshold(baseline),
        },
    })
}

fn review(mut packet: Value, doubted: Vec<Doubted>, desk: &Desk) -> Answer {
    let mut judgements = Vec::new();
    for (index, mut doubted) in (0..).zip(doubted) {
        let Some(again) = desk.measure(index, doubted.candidate) else {
            return desk.stopped();
        };
        doubted.measured.again = again.raw.into_iter().map(Some).collect();
        if again.median.is_none() {
            doubted.measured.again.push(None);
        }
        judgements.push(json!(judge(doubted.id, &doubted.measured)));
    }
    packet["verdicts"] = judgements.into();
    output(&packet)
}

fn synthesis(charter: &Charter) -> Value {
    let mut packet = packet(charter);
    let holds = |claim: &&Claimed| claim.verdict == Some(Verdict::Validated);
    let established: Vec<ClaimId> = charter
        .claims
        .iter()
        .filter(holds)
        .map(|one| one.id)
        .collect();
    let refuted = charter.claims.iter().filter(|claim| {
        matches!(
            claim.verdict,
            Some(Verdict::Challenged | Verdict::Overturned)
        )
    });
    packet["negative_results"] = refuted
        .map(|claim| Value::from(format!("{}: {}", claim.id, claim.claim)))
        .collect();
    packet["established"] = json!(established);
    packet
}

fn poster(charter: &Charter) -> Value {
    let mut packet = packet(charter);
    let mut summaries: Vec<Value> = Vec::new();
    let mut last = None;
    for claim in &charter.claims {
        // A lane has one claim in a round; a second of the same call would say it twice.
        if last.replace(claim.id.call) != Some(claim.id.call) {
            summaries.push(json!({"dispatch_id": claim.id.call, "summary": claim.claim}));
        }
    }
    packet["summaries"] = summaries.into();
    packet
}
