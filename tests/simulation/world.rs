//! The world of a conference in memory: virtual time, children, measurements and mishaps around
//! the real `next`, `expire` and `receive`.
//!
//! Promises: no thread, no disk, no clock; the same schedule and the same order of arrival give
//! the same lines.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use lithermes::conference::artifacts::{self, Artifact, Edition};
use lithermes::conference::rounds::converge;
use lithermes::conference::rounds::next::{self, Measure, Step, Work};
use lithermes::conference::rounds::receive::{self, Outcome};
use lithermes::conference::rounds::terms::Terms;
use lithermes::digest;
use lithermes::engine::charter::Charter;
use lithermes::engine::event::{Event, Stop, StopCode, Via};
use lithermes::engine::id::Call;
use lithermes::engine::state::{Evaluation, State};

use super::children;
use super::conditions::{self, CONFERENCE};
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
    /// Key-shaped strings that children sent.
    pub secrets: Vec<String>,
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
            happened: BTreeMap::new(),
        }
    }

    /// Holds the conference to its end.
    pub fn hold(mut self) -> Result<Held, (Broken, Tape)> {
        match self.to_the_end() {
            Ok(written) => Ok(Held {
                tape: self.tape,
                written,
                refusable: self.refusable,
                secrets: Vec::new(),
                happened: self.happened,
            }),
            Err(broken) => Err((broken, self.tape)),
        }
    }

    fn to_the_end(&mut self) -> Result<Vec<(String, String)>, Broken> {
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
                _ => self.record_all(vec![receive::cancelled(&self.terms, call)])?,
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
        self.tape.record(event, self.clock())?;
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

    fn answered(&mut self, call: Call, out: Out) -> Result<(), Broken> {
        let Out { charter, fate, .. } = out;
        match fate {
            Fate::Says { bytes, sound } => self.said(&charter, &bytes, sound),
            Fate::TooSlow if self.schedule.temper.relayed => Ok(()),
            Fate::Fails(_) | Fate::Lost if self.schedule.temper.relayed => Ok(()),
            Fate::TooSlow => self.record_all(vec![receive::timed_out(&self.terms, call)]),
            Fate::Fails(reason) => {
                self.record_all(vec![receive::failed(&charter.dispatch_id, reason)])
            }
            Fate::Lost => {
                self.record_all(vec![receive::failed(&charter.dispatch_id, receive::LOST)])
            }
        }
    }

    fn via(&self) -> Via {
        if self.schedule.temper.relayed {
            Via::Relayed
        } else {
            Via::Process
        }
    }

    fn said(&mut self, charter: &Charter, bytes: &[u8], sound: bool) -> Result<(), Broken> {
        let call = charter.dispatch_id.call;
        let was_open = self
            .tape
            .live
            .accounts
            .get(&call)
            .is_some_and(|account| account.end.is_none());
        let taken = receive::output(&self.tape.live, charter, bytes, self.via());
        let expected = match (&taken.result, was_open, sound) {
            (Outcome::Accepted, true, true) | (Outcome::Rejected(_), true, false) => true,
            (Outcome::Stale(_), false, _) => true,
            _ => false,
        };
        if let Outcome::Rejected(refusal) = &taken.result {
            self.count(&format!("refused: {}", refusal.reason.as_str()));
        }
        if !expected {
            let text = String::from_utf8_lossy(bytes);
            let text: String = text.chars().take(600).collect();
            return Err(format!(
                "{call} (open: {was_open}, sound: {sound}) came to {:?}: {text}",
                taken.result
            ));
        }
        if !(sound && was_open) {
            self.refusable.push(digest::sha256_hex(bytes));
        }
        if let Some(packet) = &taken.packet {
            self.tape.keep(packet);
        }
        let accepted = taken.packet.is_some();
        self.record_all(taken.events)?;
        if accepted && self.arrival.percent(self.schedule.temper.echo) {
            let (echo, bytes) = fate::echo(self.schedule, charter, bytes);
            let at = self.passed + self.arrival.below(40);
            let charter = charter.clone();
            self.again.push(Again {
                charter,
                at,
                bytes,
                echo,
            });
        }
        if !accepted && !sound && self.schedule.temper.relayed && self.arrival.percent(50) {
            self.try_again(charter);
        }
        Ok(())
    }

    /// A refused packet left its id open: the session hands in another.
    fn try_again(&mut self, charter: &Charter) {
        let fate = fate::second(self.schedule, charter);
        let at = self.passed + self.arrival.between(1, 30);
        let charter = charter.clone();
        self.out
            .insert(charter.dispatch_id.call, Out { charter, at, fate });
    }

    /// Packets that come once more, when their time has come.
    fn one_more_time(&mut self) -> Result<(), Broken> {
        let due = self.again.iter().position(|again| again.at <= self.passed);
        let Some(at) = due else {
            return Ok(());
        };
        let again = self.again.swap_remove(at);
        self.repeated(&again)
    }

    /// What comes twice changes nothing but what stands aside.
    fn repeated(&mut self, again: &Again) -> Result<(), Broken> {
        let open = self
            .tape
            .live
            .accounts
            .get(&again.charter.dispatch_id.call)
            .is_some_and(|account| account.end.is_none());
        if open
            && !self
                .tape
                .live
                .packets
                .contains_key(&again.charter.dispatch_id.call)
        {
            return Ok(());
        }
        let taken = receive::output(&self.tape.live, &again.charter, &again.bytes, self.via());
        let fits = match (again.echo, &taken.result) {
            (Echo::Same, Outcome::Duplicate)
            | (Echo::Other, Outcome::Conflict)
            | (Echo::Broken, Outcome::Stale(_)) => true,
            _ => false,
        };
        if !fits || taken.packet.is_some() {
            return Err(format!(
                "{:?} of {} came to {:?}",
                again.echo, again.charter.dispatch_id.call, taken.result
            ));
        }
        if again.echo != Echo::Same {
            self.refusable.push(digest::sha256_hex(&again.bytes));
        }
        let before = settled(&self.tape.live);
        for event in taken.events {
            self.count(&format!("echo {:?}", again.echo));
            self.tape.record(event, self.clock())?;
        }
        match before == settled(&self.tape.live) {
            true => Ok(()),
            false => Err("a packet that came again changed the state".to_owned()),
        }
    }

    /// As the driver ends a conference.
    fn finish(&mut self, mut stop: Stop) -> Result<Result<(), Crashed>, Broken> {
        if let Some(call) = self.tape.live.open_calls().next() {
            return Err(format!("it would end although {call} is open"));
        }
        let mut events = Vec::new();
        if !self
            .tape
            .lines
            .iter()
            .any(|line| line.contains("\"conference.converged\""))
        {
            events.extend(self.converged(&stop));
        }
        for Artifact { path, bytes } in self.render(&stop) {
            let digest = digest::sha256_hex(&bytes);
            events.push(Event::ArtifactWritten { path, digest });
        }
        let state = &self.tape.live;
        let ids = state.accounts.iter().map(|(call, account)| {
            let end = account.end.as_ref().map_or("open", |end| end.as_str());
            format!("{call} {end}")
        });
        events.push(Event::Cleanup {
            ids: ids.collect(),
            background_processes: Vec::new(),
            residual_uncertainty: Vec::new(),
        });
        stop.check = "simulated".to_owned();
        events.push(match stop.stop_code {
            StopCode::Cancelled => Event::ConferenceCancelled(stop),
            StopCode::BlockedNoValidPacket
            | StopCode::BlockedMultiAgentUnavailable
            | StopCode::BlockedDispatchReplayConflict => Event::Blocked(stop),
            _ => Event::Completed(stop),
        });
        for event in events {
            if self.record_or_die(event)?.is_err() && self.tape.live.stop.is_none() {
                return Ok(Err(Crashed));
            }
        }
        Ok(Ok(()))
    }

    fn converged(&self, stop: &Stop) -> Option<Event> {
        let reason = match stop.stop_code {
            StopCode::Converged if self.terms.is_metric() => "target",
            StopCode::Converged => "quality_plateau",
            StopCode::ConvergedPlateau => "metric_plateau",
            _ => return None,
        };
        let state = &self.tape.live;
        let best = converge::facts(&self.terms, state).best;
        Some(Event::Converged {
            final_best_metric: best.map(|best| best.value),
            round_count: state.current_round(),
            reason: reason.to_owned(),
        })
    }

    fn render(&self, stop: &Stop) -> Vec<Artifact> {
        artifacts::render(&self.terms, &self.tape.live, &self.edition(Some(stop)))
    }

    fn edition<'b>(&self, stop: Option<&'b Stop>) -> Edition<'b> {
        Edition {
            title: "A simulated one",
            evaluator: Some("score.py"),
            reported: &[],
            stop,
        }
    }

    /// After the end only what comes too late comes, and what is rendered stays the same.
    fn afterwards(&mut self) -> Result<Vec<(String, String)>, Broken> {
        let Some(stop) = self.tape.live.stop.clone() else {
            return Err("it ended without a stop".to_owned());
        };
        let before = self.render(&stop);
        for again in std::mem::take(&mut self.again) {
            self.repeated(&again)?;
        }
        let stranger = receive::unknown(&format!("{CONFERENCE}.r9.Q.1"), b"{}");
        self.tape.record(stranger, self.clock())?;
        self.tape.reopen()?;
        if next::next(&self.terms, &self.tape.live, self.clock(), 1) != Step::Over {
            return Err("something comes after the end".to_owned());
        }
        if !next::expire(&self.terms, &self.tape.live, self.clock(), true).is_empty() {
            return Err("something expires after the end".to_owned());
        }
        if self.render(&stop) != before {
            return Err("rendered again it has other bytes".to_owned());
        }
        for artifact in &before {
            let recorded = self.tape.live.artifacts.get(&artifact.path);
            if recorded != Some(&digest::sha256_hex(&artifact.bytes)) {
                return Err(format!(
                    "{} is not what was written before the end",
                    artifact.path
                ));
            }
        }
        let sections =
            artifacts::sections(&self.terms, &self.tape.live, &self.edition(Some(&stop)));
        let text = |artifact: Artifact| {
            (
                artifact.path,
                String::from_utf8_lossy(&artifact.bytes).into_owned(),
            )
        };
        let mut written: Vec<(String, String)> = before.into_iter().map(text).collect();
        written.push(("Shared Knowledge".to_owned(), sections.knowledge));
        written.push(("Conference Log".to_owned(), sections.log));
        Ok(written)
    }
}

/// A state without what may come aside.
fn settled(state: &State) -> State {
    State {
        asides: Vec::new(),
        lines: 0,
        now: None,
        ..state.clone()
    }
}
