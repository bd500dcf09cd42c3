//! Results: what each lane's iterations came to (conference.md A8, B 3.5).
//!
//! Promises: a value is the root's where the root measured it; a row is kept only when it is
//! strictly better than everything that its lane had before.

use std::collections::BTreeMap;

use super::terms::Terms;
use crate::engine::charter::Success;
use crate::engine::event::{Event, RowStatus};
use crate::engine::id::{Call, ClaimId, Lane, Task};
use crate::engine::packet::{Packet, Verdict};
use crate::engine::state::{Row, State};

/// Iterations without a gain, from which on a lane is stuck: levels 1, 2 and 3.
const STUCK: [u32; 3] = [3, 5, 7];

/// The level that is told.
const TOLD: u8 = 2;

/// What the root measures before the first round, where nobody gave a baseline.
pub const BASELINE: (Call, u32) = (
    Call {
        task: Task::Probe,
        attempt: 1,
    },
    0,
);

/// Where the search began.
pub fn baseline(terms: &Terms, state: &State) -> Option<f64> {
    match &terms.success {
        Success::Metric {
            baseline: Some(value),
            ..
        } => Some(*value),
        Success::Metric { .. } => state
            .evaluations
            .get(&BASELINE)
            .and_then(|found| found.median),
        Success::Qualitative { .. } => None,
    }
}

/// The best that a lane had before a round, the baseline included.
pub fn best_before(terms: &Terms, state: &State, lane: Lane, round: u32) -> Option<f64> {
    let own = state
        .rows
        .iter()
        .filter(|((at, of, _), _)| *of == lane && *at < round);
    let values = own.filter_map(|(_, row)| row.value);
    values.chain(baseline(terms, state)).reduce(|best, value| {
        if terms.direction().is_better(value, best) {
            value
        } else {
            best
        }
    })
}

/// The reviewer's score of a lane in a round.
pub fn score(state: &State, round: u32, lane: Lane) -> Option<u8> {
    let (call, _) = state.last_call(Task::Review(round))?;
    let given = &state.packets.get(&call)?.packet.scores;
    let of_lane = given.iter().find(|score| score.lane == lane);
    of_lane.map(|score| score.score)
}

/// The rows of a round in qualitative mode: one a lane, which only the review can give
/// (conference.md A10.9); what stands already is left out.
pub fn of_scores(terms: &Terms, state: &State, round: u32) -> Vec<Event> {
    let row = |(lane, score)| {
        let value = f64::from(score);
        let own = |row: &(&(u32, Lane, u32), &Row)| row.0.1 == lane && row.0.0 < round;
        let before = state
            .rows
            .iter()
            .filter(own)
            .filter_map(|(_, row)| row.value);
        let last = before.clone().next_back();
        let is_best = before.reduce(f64::max).is_none_or(|best| value > best);
        Event::Iteration {
            researcher: lane,
            round,
            iteration: 1,
            metric_value: Some(value),
            delta: last.map(|last| value - last),
            status: match is_best {
                true => RowStatus::Kept,
                false => RowStatus::Reverted,
            },
        }
    };
    let scored = |lane| {
        packet(state, round, lane)?;
        score(state, round, lane).map(|score| (lane, score))
    };
    let rows = terms.lanes().filter_map(scored).map(row);
    rows.filter(|row| !stands(state, row)).collect()
}

/// The rows of a round in metric mode, and who is stuck after it, as events; what stands already
/// is left out.
pub fn of_round(terms: &Terms, state: &State, round: u32) -> Vec<Event> {
    let mut events = Vec::new();
    for lane in terms.lanes() {
        let Some(packet) = packet(state, round, lane) else {
            continue;
        };
        let rows = of_lane(terms, state, round, lane, packet);
        let level = stuck_level(state, lane, round, &rows);
        events.extend(rows.into_iter().filter(|row| !stands(state, row)));
        let told = state.rounds.get(&round).map(|round| &round.stuck);
        if level >= TOLD && told.is_none_or(|told| !told.contains_key(&lane)) {
            events.push(Event::Stuck {
                researcher: lane,
                round,
                stuck_level: level,
            });
        }
    }
    events
}

/// Whether a row was recorded before a crash.
fn stands(state: &State, row: &Event) -> bool {
    match row {
        Event::Iteration {
            researcher,
            round,
            iteration,
            ..
        } => state.rows.contains_key(&(*round, *researcher, *iteration)),
        _ => false,
    }
}

/// The packet that counts of a lane in a round.
pub fn packet(state: &State, round: u32, lane: Lane) -> Option<&Packet> {
    let (call, _) = state.last_call(Task::Research(round, lane))?;
    state
        .packets
        .get(&call)
        .map(|accepted| accepted.packet.as_ref())
}

fn of_lane(terms: &Terms, state: &State, round: u32, lane: Lane, packet: &Packet) -> Vec<Event> {
    let start = best_before(terms, state, lane, round);
    let row = |iteration, metric_value: Option<f64>, status| Event::Iteration {
        researcher: lane,
        round,
        iteration,
        metric_value,
        delta: metric_value
            .zip(start)
            .filter(|_| iteration > 0)
            .map(|(value, start)| value - start),
        status,
    };
    let mut rows = vec![row(0, start, RowStatus::Baseline)];
    let mut best = start;
    for index in 0..packet.iterations() {
        let value = value(terms, state, packet, index);
        let status = match (value, best) {
            (None, _) => RowStatus::Failed,
            (Some(value), Some(best)) if !terms.direction().is_better(value, best) => {
                RowStatus::Reverted
            }
            (Some(_), _) => RowStatus::Kept,
        };
        if status == RowStatus::Kept {
            best = value;
        }
        rows.push(row(iteration_of(index), value, status));
    }
    rows
}

/// The iteration of an index of a packet's lists.
fn iteration_of(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// The value of an iteration: the root's, and the claimed one only where nobody measures. A lane
/// that says a number and offers no candidate has measured nothing.
pub fn value(terms: &Terms, state: &State, packet: &Packet, index: usize) -> Option<f64> {
    if terms.measures() {
        let key = (packet.dispatch_id.call, u32::try_from(index).ok()?);
        return state.evaluations.get(&key)?.median;
    }
    packet.measurements.get(index)?.number()
}

/// How stuck a lane is after `new` rows of this round: iterations without a gain count on from
/// round to round.
fn stuck_level(state: &State, lane: Lane, round: u32, new: &[Event]) -> u8 {
    let old = state
        .rows
        .iter()
        .filter(|((at, of, _), _)| *of == lane && *at < round)
        .map(|(_, row)| row.status);
    let new = new.iter().filter_map(|event| match event {
        Event::Iteration { status, .. } => Some(*status),
        _ => None,
    });
    let flat = old.chain(new).fold(0, |flat, status| match status {
        RowStatus::Baseline => flat,
        RowStatus::Kept => 0,
        RowStatus::Reverted | RowStatus::Failed => flat + 1,
    });
    let level = STUCK.iter().filter(|least| flat >= **least).count();
    u8::try_from(level).unwrap_or(3)
}

/// What a row is worth: the worst verdict of the claims that cite it; `None` where none does.
pub fn verdicts(state: &State, round: u32) -> BTreeMap<(Lane, u32), Verdict> {
    let mut found: BTreeMap<(Lane, u32), Verdict> = BTreeMap::new();
    let research = state
        .packets
        .iter()
        .filter_map(|(call, accepted)| match call.task {
            Task::Research(at, lane) if at == round => Some((lane, accepted)),
            _ => None,
        });
    for (lane, accepted) in research {
        for (id, claim) in accepted.packet.claims_with_ids() {
            let Some(judged) = state.verdicts.get(&id) else {
                continue;
            };
            for row in &claim.rows {
                let worst = found
                    .entry((lane, iteration_of(*row)))
                    .or_insert(judged.verdict);
                *worst = (*worst).min(judged.verdict);
            }
        }
    }
    found
}

/// The values of a round that a review validated, in order of lane and iteration.
pub fn reviewed(state: &State, round: u32) -> Vec<(Lane, u32, f64)> {
    let validated = verdicts(state, round)
        .into_iter()
        .filter(|(_, verdict)| *verdict == Verdict::Validated);
    let value = |(lane, iteration)| {
        let row = state.rows.get(&(round, lane, iteration))?;
        row.value.map(|value| (lane, iteration, value))
    };
    validated.filter_map(|(key, _)| value(key)).collect()
}

/// The value that a claim is about: that of the first row that it cites.
pub fn value_of_claim(state: &State, id: ClaimId) -> Option<f64> {
    let accepted = state.packets.get(&id.call)?;
    let index = usize::try_from(id.number).ok()?.checked_sub(1)?;
    let row = accepted.packet.claims.get(index)?.rows.first()?;
    let (round, lane) = (id.call.task.round()?, id.call.task.lane()?);
    state.rows.get(&(round, lane, iteration_of(*row)))?.value
}
