//! What comes in from outside, as events: packets, ends of children, measurements
//! (conference.md A6, A8).
//!
//! Promises: an id gets one end; what comes twice, too late or for nobody is recorded apart and
//! changes nothing.

use std::collections::BTreeMap;

use super::terms::Terms;
use crate::digest;
use crate::engine::charter::Charter;
use crate::engine::event::{Aside, Cost, Ended, Event, Via};
use crate::engine::id::{Call, DispatchId, Task};
use crate::engine::packet::{self, Candidate, Packet, Refusal, Status};
use crate::engine::state::{self, End, Evaluation, State};
use crate::guard::secret;

/// Why a child ended whose process is gone.
pub const LOST: &str = "lost";

/// What a packet came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// What to record, in this order.
    pub events: Vec<Event>,
    /// The packet whose bytes are to be kept before.
    pub packet: Option<Packet>,
    /// What became of it.
    pub result: Outcome,
}

/// What became of a packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It counts.
    Accepted,
    /// It came before, with the same content.
    Duplicate,
    /// It came too late, or for nobody; why.
    Stale(String),
    /// It breaks a rule.
    Rejected(Refusal),
    /// Another packet came before under the same id.
    Conflict,
}

impl Taken {
    /// The same, with what the host's own records say of it.
    pub fn beside_records(mut self, says: Option<bool>) -> Self {
        for event in &mut self.events {
            if let Event::Accepted { corroborated, .. } = event {
                *corroborated = says;
            }
        }
        self
    }
}

/// Takes a child's whole output for a call that `charter` went out for. `by_process`: a refusal
/// is the id's end, because the child that could try again is gone.
pub fn output(state: &State, charter: &Charter, bytes: &[u8], via: Via) -> Taken {
    let id = &charter.dispatch_id;
    let raw_digest = digest::sha256_hex(bytes);
    let read = packet::read(bytes, charter);
    let open = state
        .accounts
        .get(&id.call)
        .is_some_and(|account| account.end.is_none());
    if !open || state.packets.contains_key(&id.call) {
        return too_late(state, id, read.ok().map(|(packet, _)| packet), raw_digest);
    }
    match read {
        Ok((packet, _)) if packet.status == Status::Failed => {
            let events = vec![failed(id, "reported_failed")];
            Taken {
                events,
                packet: None,
                result: Outcome::Accepted,
            }
        }
        Ok((packet, flags)) => {
            let digest = packet.digest();
            let flags = flags
                .iter()
                .map(|flag| format!("{}: {}", flag.pointer, flag.what))
                .collect();
            let accepted = Event::Accepted {
                dispatch_id: id.clone(),
                lane: charter.lane,
                role: charter.role,
                digest,
                raw_digest,
                via,
                corroborated: None,
                flags,
            };
            Taken {
                events: vec![accepted],
                packet: Some(packet),
                result: Outcome::Accepted,
            }
        }
        Err(refusal) => {
            let mut events = vec![Event::Rejected(aside(
                id,
                refusal.reason.as_str(),
                Some(raw_digest),
            ))];
            if via == Via::Process {
                events.push(failed(id, refusal.reason.as_str()));
            }
            Taken {
                events,
                packet: None,
                result: Outcome::Rejected(refusal),
            }
        }
    }
}

fn too_late(state: &State, id: &DispatchId, packet: Option<Packet>, raw: String) -> Taken {
    let taken = |event, result| Taken {
        events: vec![event],
        packet: None,
        result,
    };
    let known = state.packets.get(&id.call);
    match (known, packet) {
        (Some(known), Some(packet)) if known.digest == packet.digest() => taken(
            Event::Duplicate(aside(id, "same packet", Some(raw))),
            Outcome::Duplicate,
        ),
        (Some(_), Some(_)) => taken(
            Event::Stale(aside(id, state::CONFLICT, Some(raw))),
            Outcome::Conflict,
        ),
        _ => {
            let why = match state
                .accounts
                .get(&id.call)
                .and_then(|account| account.end.as_ref())
            {
                Some(end) => end.as_str(),
                None => "never issued",
            };
            taken(
                Event::Stale(aside(id, why, Some(raw))),
                Outcome::Stale(why.to_owned()),
            )
        }
    }
}

/// A packet for an id that this conference never issued.
pub fn unknown(given: &str, bytes: &[u8]) -> Event {
    Event::Stale(Aside {
        dispatch_id: shown(given),
        reason: "unknown id".to_owned(),
        digest: Some(digest::sha256_hex(bytes)),
    })
}

/// What somebody calls an id, as it may be repeated.
pub fn shown(given: &str) -> String {
    secret::redact(given).chars().take(120).collect()
}

fn aside(id: &DispatchId, reason: &str, digest: Option<String>) -> Aside {
    Aside {
        dispatch_id: id.to_string(),
        reason: reason.to_owned(),
        digest,
    }
}

/// A child ended without a packet that counts.
pub fn failed(id: &DispatchId, reason: &str) -> Event {
    Event::Failed(Ended {
        dispatch_id: id.clone(),
        reason: Some(reason.to_owned()),
        digest: None,
    })
}

/// A child's time was up.
pub fn timed_out(terms: &Terms, call: Call) -> Event {
    let dispatch_id = terms.conference.dispatch(call);
    Event::TimedOut(Ended {
        dispatch_id,
        reason: Some("timeout".to_owned()),
        digest: None,
    })
}

/// A child was ended because the conference was cancelled.
pub fn cancelled(id: &DispatchId) -> Event {
    Event::Cancelled(Ended {
        dispatch_id: id.clone(),
        reason: Some("cancelled".to_owned()),
        digest: None,
    })
}

/// The root measured a candidate; `exit` is the status of the run that failed, or 0.
pub fn measured(terms: &Terms, call: Call, index: u32, evaluation: Evaluation, exit: i32) -> Event {
    let Evaluation {
        raw,
        median,
        reason,
        digest,
    } = evaluation;
    Event::Evaluated {
        dispatch_id: terms.conference.dispatch(call),
        index,
        raw,
        median,
        exit,
        reason,
        digest,
    }
}

/// What names a candidate in its measurement.
pub fn digest_of(candidate: &Candidate) -> String {
    let values: &BTreeMap<_, _> = &candidate.values;
    digest::sha256_hex(&digest::canonical(values))
}

/// What follows from what is recorded and was not recorded yet: a crash came between. An
/// accepted packet ends its id, and an id that has its end is settled. What was set aside for a
/// call that can go out no more is given back.
pub fn owed(state: &State) -> Vec<Event> {
    let Some(gate) = &state.gate else {
        return Vec::new();
    };
    let id = |call: Call| gate.conference.dispatch(call);
    let mut events = Vec::new();
    for (call, account) in &state.accounts {
        match (&account.end, state.packets.get(call)) {
            (None, Some(accepted)) => {
                let digest = Some(accepted.digest.clone());
                events.push(Event::Received(Ended {
                    dispatch_id: id(*call),
                    reason: None,
                    digest,
                }));
                events.push(Event::Settled(cost(state, *call, id(*call))));
            }
            (Some(_), _) if state.budget.reserved.contains_key(call) => {
                events.push(Event::Settled(cost(state, *call, id(*call))));
            }
            _ => {}
        }
    }
    let unused = state.budget.reserved.keys().filter(|call| {
        let over = state.cancelled || (state.out_of_time && call.task != Task::Synthesis);
        over && !state.accounts.contains_key(call)
    });
    events.extend(unused.map(|call| {
        Event::Settled(Cost {
            dispatch_id: id(*call),
            iterations: 0,
            calls: 0,
        })
    }));
    events
}

/// What an id cost: the iterations that its packet reports, and all of its allowance where there
/// is none, because nobody can prove that less was used.
fn cost(state: &State, call: Call, dispatch_id: DispatchId) -> Cost {
    let (reserved, calls) = state
        .budget
        .reserved
        .get(&call)
        .copied()
        .unwrap_or_default();
    let reported = state
        .packets
        .get(&call)
        .map(|accepted| accepted.packet.iterations());
    let iterations = reported.map_or(reserved, |count| u32::try_from(count).unwrap_or(reserved));
    Cost {
        dispatch_id,
        iterations: iterations.min(reserved),
        calls,
    }
}

/// The end of an id, in words.
pub fn spelled(end: &End) -> String {
    match end {
        End::Failed(reason) => format!("failed: {reason}"),
        other => other.as_str().to_owned(),
    }
}
