//! The world of a conference in memory: virtual time, children, measurements and mishaps around
//! the real `next`, `expire` and `receive`.
//!
//! Promises: no thread, no disk, no clock; the same schedule and the same order of arrival give
//! the same lines.

mod arrivals;
mod ending;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use lithermes::conference::rounds::next::{self, Measure, Step, Work};
use lithermes::conference::rounds::receive;
use lithermes::conference::rounds::terms::Terms;
use lithermes::digest;
use lithermes::engine::charter::Charter;
use lithermes::engine::event::Event;
use lithermes::engine::id::Call;
use lithermes::engine::state::{Evaluation, State};

use super::children;
use super::conditions;
use super::dice::Dice;
use super::fate::{self, Echo, Fate};
use super::schedule::Schedule;
use super::tape::{Broken, Tape};

/// So many steps are no conference any more.
const MOST_STEPS: u64 = 20_000;

/// A child that is out.
struct Out {
    charter: Charter,
    /// When its answer is there, in seconds of the world.
    at: u64,
    fate: Fate,
}

/// A packet that comes once more.
struct Again {
    charter: Charter,
    at: u64,
    bytes: Vec<u8>,
    echo: Echo,
}

/// What is left when a conference is over.
pub struct Held {
    /// The events, packets and charters.
    pub tape: Tape,
    /// Everything that was rendered at the end, sections included.
    pub written: Vec<(String, String)>,
    /// Digests of bytes that must not have been accepted.
    pub refusable: Vec<String>,
    /// What happened, for a summary.
    pub happened: BTreeMap<String, u64>,
}

/// See the module.
pub struct World<'a> {
    schedule: &'a Schedule,
    terms: Terms,
    tape: Tape,
    /// Chances that are about order and time alone.
    arrival: Dice,
    /// Seconds since the world began; and what its clock says more or less.
    passed: u64,
    askew: i64,
    looks: u64,
    out: BTreeMap<Call, Out>,
    again: Vec<Again>,
    refusable: Vec<String>,
    /// What was rendered of each round when it ended.
    pages: BTreeMap<String, Vec<u8>>,
    happened: BTreeMap<String, u64>,
}

/// The root died in the middle of something.
struct Crashed;

impl<'a> World<'a> {
    /// A world whose order of arrival is `order`.
    pub fn new(schedule: &'a Schedule, order: u64) -> Self {
        Self {
            schedule,
            terms: conditions::terms(schedule),
            tape: Tape::default(),
            arrival: Dice::apart(schedule.seed ^ order.wrapping_mul(0x9e37_79b9), "arrival"),
            passed: 0,
            askew: 0,
            looks: 0,
            out: BTreeMap::new(),
            again: Vec::new(),
            refusable: Vec::new(),
            pages: BTreeMap::new(),
            happened: BTreeMap::new(),
        }
    }

    /// Holds the conference to its end.
    pub fn hold(mut self) -> Result<Held, Box<(Broken, Tape)>> {
        match self.until_it_ends() {
            Ok(written) => Ok(Held {
                tape: self.tape,
                written,
                refusable: self.refusable,
                happened: self.happened,
            }),
            Err(broken) => Err(Box::new((broken, self.tape))),
        }
    }

    fn until_it_ends(&mut self) -> Result<Vec<(String, String)>, Broken> {
        // A root that dies here begins anew.
        while self.tape.live.gate.is_none() {
            drop(self.record_or_die(self.gate())?);
        }
        loop {
            self.looks += 1;
            if self.looks > MOST_STEPS {
                return Err("it does not end".to_owned());
            }
            self.look()?;
            let state = &self.tape.live;
            let open = state.open_calls().count();
            let room = usize::try_from(self.schedule.conditions.slots)
                .unwrap_or(1)
                .saturating_sub(open);
            match next::next(&self.terms, state, self.clock(), room) {
                Step::Record(events) => {
                    if events.is_empty() {
                        return Err("it wants to record nothing".to_owned());
                    }
                    self.record_all(events)?;
                }
                Step::Dispatch(charter) => self.dispatch(*charter)?,
                Step::Await(work) => self.wait(&work)?,
                Step::Finish(stop) => {
                    if self.finish(stop)?.is_ok() {
                        break;
                    }
                }
                Step::Over => return Err("it is over without an end".to_owned()),
                Step::Pause => return Err("nobody asked for a pause".to_owned()),
            }
        }
        self.afterwards()
    }

    fn gate(&self) -> Event {
        Event::GateConfirmed {
            conference_id: self.terms.conference.clone(),
            approval_digest: String::new(),
            config_digest: String::new(),
            host: self.terms.host.clone(),
            slots: u32::try_from(self.schedule.conditions.slots).unwrap_or(1),
            version: String::new(),
            probe: Vec::new(),
            surroundings: Default::default(),
        }
    }

    fn clock(&self) -> Timestamp {
        let seconds = i64::try_from(self.passed).unwrap_or(i64::MAX) + self.askew;
        let began: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        began
            .checked_add(SignedDuration::from_secs(seconds))
            .unwrap()
    }

    fn count(&mut self, what: &str) {
        *self.happened.entry(what.to_owned()).or_default() += 1;
    }

    /// The clock, and whoever asks to stop.
    fn look(&mut self) -> Result<(), Broken> {
        let temper = &self.schedule.temper;
        if self.arrival.below(1_000) < temper.clock_step {
            self.askew += self.arrival.pick(&[-500, -40, 40, 500, 5_000]);
            self.count("clock step");
        }
        let relayed = temper.relayed;
        let late = next::expire(&self.terms, &self.tape.live, self.clock(), relayed);
        for event in &late {
            if let Event::TimedOut(ended) = event {
                self.out.remove(&ended.dispatch_id.call);
            }
        }
        self.record_all(late)?;
        let due = temper.cancel_after.is_some_and(|looks| self.looks > looks);
        if due && !self.tape.live.cancelled {
            let by = "signal".to_owned();
            self.record_all(vec![Event::CancelRequested { by }])?;
            self.end_children()?;
        }
        Ok(())
    }

    /// What the root does to its children when somebody asks to stop.
    fn end_children(&mut self) -> Result<(), Broken> {
        for (call, out) in std::mem::take(&mut self.out) {
            let open = self
                .tape
                .live
                .accounts
                .get(&call)
                .is_some_and(|account| account.end.is_none());
            if !open {
                continue;
            }
            match (&out.fate, self.arrival.below(4)) {
                // It was faster.
                (Fate::Says { .. }, 0) => self.answered(call, out)?,
                _ => self.record_all(vec![receive::cancelled(
                    &self.terms.conference.dispatch(call),
                )])?,
            }
        }
        Ok(())
    }

    fn record_all(&mut self, events: Vec<Event>) -> Result<(), Broken> {
        for event in events {
            if self.record_or_die(event)?.is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Records one event; afterwards the root may die.
    fn record_or_die(&mut self, event: Event) -> Result<Result<(), Crashed>, Broken> {
        let name = serde_json::to_value(&event).ok();
        let name = name.and_then(|value| value["event"].as_str().map(str::to_owned));
        self.count(&name.unwrap_or_default());
        let ends_round = matches!(event, Event::RoundCompleted { .. });
        self.tape.record(event, self.clock())?;
        if ends_round {
            self.publish();
        }
        if self.arrival.below(1_000) >= self.schedule.temper.crash {
            return Ok(Ok(()));
        }
        self.crash()?;
        Ok(Err(Crashed))
    }

    /// The root died and is started again: children of processes are gone with it.
    fn crash(&mut self) -> Result<(), Broken> {
        self.count("crash");
        self.tape.reopen()?;
        self.passed += self.arrival.below(20);
        if self.schedule.temper.relayed {
            return Ok(());
        }
        self.out.clear();
        Ok(())
    }

    /// Ids whose child is gone are lost; in a session's hands they stay until their deadline.
    fn lost(&mut self) -> Result<bool, Broken> {
        if self.schedule.temper.relayed {
            return Ok(false);
        }
        let owed = |state: &State, call: &Call| state.packets.contains_key(call);
        let state = &self.tape.live;
        let gone = state
            .open_calls()
            .find(|call| !self.out.contains_key(call) && !owed(state, call));
        let Some(call) = gone else {
            return Ok(false);
        };
        let id = self.terms.conference.dispatch(call);
        self.record_all(vec![receive::failed(&id, receive::LOST)])?;
        Ok(true)
    }

    fn dispatch(&mut self, charter: Charter) -> Result<(), Broken> {
        let bytes = charter.bytes();
        let charter_digest = digest::sha256_hex(&bytes);
        self.tape.charters.insert(charter_digest.clone(), bytes);
        let issued = Event::Issued {
            dispatch_id: charter.dispatch_id.clone(),
            role: charter.role,
            round: charter.round,
            lane: charter.lane,
            attempt: charter.attempt,
            iteration_allowance: charter.iteration_allowance,
            charter_digest,
            host: self.terms.host.clone(),
            timeout_s: charter.timeout_s,
        };
        let call = charter.dispatch_id.call;
        let (fate, slow) = fate::of(self.schedule, &charter);
        let within = charter.timeout_s.saturating_sub(1).max(1);
        let at = self.passed
            + if slow {
                charter.timeout_s
            } else {
                self.arrival.between(1, within)
            };
        let crashed = self.record_or_die(issued)?.is_err();
        // Before its child was started, the root of a process died; a session has its charter.
        if !crashed || self.schedule.temper.relayed {
            self.out.insert(call, Out { charter, at, fate });
        }
        Ok(())
    }

    fn wait(&mut self, work: &Work) -> Result<(), Broken> {
        if self.lost()? {
            return Ok(());
        }
        let measure = !work.measure.is_empty() && (self.out.is_empty() || self.arrival.percent(50));
        if measure {
            let one = self.arrival.pick(&work.measure);
            return self.measure(&one);
        }
        self.one_more_time()?;
        let first = self
            .out
            .iter()
            .min_by_key(|(call, out)| (out.at, **call))
            .map(|(call, _)| *call);
        let Some(call) = first else {
            return self.let_time_pass();
        };
        if let Some(out) = self.out.remove(&call) {
            self.passed = self.passed.max(out.at);
            // What time made due comes before whatever arrives at that moment.
            let late = next::expire(
                &self.terms,
                &self.tape.live,
                self.clock(),
                self.schedule.temper.relayed,
            );
            self.record_all(late)?;
            self.answered(call, out)?;
        }
        Ok(())
    }

    /// Nobody will answer: until the deadline of an id nothing happens.
    fn let_time_pass(&mut self) -> Result<(), Broken> {
        let state = &self.tape.live;
        if !self.schedule.temper.relayed || state.open_calls().next().is_none() {
            return Err("nothing is out, and yet something is awaited".to_owned());
        }
        self.passed += 1 + self.arrival.below(30);
        Ok(())
    }

    fn measure(&mut self, one: &Measure) -> Result<(), Broken> {
        self.passed += self.arrival.below(4);
        let id = self.terms.conference.dispatch(one.call).to_string();
        let runs = children::measured(self.schedule, &id, one.index);
        let mut sorted = runs.clone().unwrap_or_default();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied();
        let evaluation = Evaluation {
            raw: runs.unwrap_or_default(),
            median,
            reason: median.is_none().then(|| "exit".to_owned()),
            digest: receive::digest_of(&one.candidate),
        };
        let exit = i32::from(median.is_none());
        let event = receive::measured(&self.terms, one.call, one.index, evaluation, exit);
        self.record_all(vec![event])
    }
}
