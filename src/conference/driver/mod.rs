//! The program as the root of a conference: it asks the protocol what comes next and does it, with
//! real time, a real disk and real children (conference.md A1, A5, A6). Where a session does the
//! children's work, it does all that it can itself, and rests until it is called again.
//!
//! Promises: an event is flushed before what it announces; every id that goes out gets one end,
//! also when somebody asks to stop; where the disk refuses, the children are ended and the error
//! is told; success is claimed only after the root's own replay agreed.

mod drive;
mod finish;
pub mod intake;
mod measuring;
mod replay;
mod signals;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use self::measuring::Measuring;
use self::signals::Signals;
use crate::clock;
use crate::conference::children::{Answer, Desk, End, Question};
use crate::conference::evaluator::Measured;
use crate::conference::rounds::next::{self, Step, Work};
use crate::conference::rounds::receive;
use crate::engine::charter::Charter;
use crate::engine::event::{Event, Stop, Via};
use crate::engine::id::Call;
use crate::engine::journal::Journal;
use crate::engine::state::State;
use crate::error::{Code, Error, Result};

pub use drive::{Drive, Left};
pub use finish::{end_unpublished, give_up, lose};

/// How often the clock and a request to stop are looked at while nothing arrives.
const TICK: Duration = Duration::from_millis(200);

/// What comes in while the root waits.
enum Arrival {
    Ended(Call, Answer),
    Asked(Question),
    Measured((Call, u32), Option<Measured>),
    Signal,
}

/// A child that is out.
struct Out {
    charter: Charter,
    thread: JoinHandle<()>,
}

/// See [`Drive`].
struct Driver<'a> {
    drive: Drive<'a>,
    journal: Journal,
    to_root: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
    /// Children that are announced and not started.
    announced: Vec<Charter>,
    out: BTreeMap<Call, Out>,
    measuring: Measuring,
    /// What nobody can prove.
    doubts: Vec<String>,
    /// Rounds whose end was published.
    published: u32,
    /// A file that is announced and not as announced.
    unwritten: Option<String>,
}

/// Drives a conference whose gate is confirmed to its end, or to where a session or a person has to
/// go on: then there is no stop. On an error no success stands in the events, and no child is left.
pub fn drive(drive: Drive<'_>, journal: Journal) -> Result<(Option<Stop>, State)> {
    let (to_root, arrivals) = channel();
    // Who ends one call of a session does not end its conference.
    let signals = drive.host.map(|_| {
        let to_root = to_root.clone();
        // The other end is gone only where the conference is over.
        Signals::listen(move || drop(to_root.send(Arrival::Signal)))
    });
    let signals = signals.transpose()?;
    let mut driver = Driver {
        measuring: Measuring::new(drive.evaluator_slots),
        published: drive.left.rounds,
        unwritten: drive.left.unwritten.clone(),
        drive,
        journal,
        to_root,
        arrivals,
        announced: Vec::new(),
        out: BTreeMap::new(),
        doubts: Vec::new(),
    };
    let held = driver.hold();
    if held.is_err() {
        driver.abandon();
    }
    if let Some(signals) = signals {
        signals.close();
    }
    let state = driver.journal.state().clone();
    driver.journal.close()?;
    Ok((held?, state))
}

impl Driver<'_> {
    fn hold(&mut self) -> Result<Option<Stop>> {
        self.journal.sweep()?;
        if self.journal.state().stop.is_some() {
            return self.over().map(Some);
        }
        self.publish_rounds()?;
        loop {
            self.look()?;
            let state = self.journal.state();
            let room = self.drive.slots.saturating_sub(state.open_calls().count());
            match next::next(&self.drive.terms, state, clock::now(), room) {
                Step::Record(events) => self.record(events)?,
                Step::Dispatch(charter) => self.dispatch(*charter)?,
                Step::Await(work) => {
                    self.begin_work(work)?;
                    if self.rests()? {
                        return Ok(None);
                    }
                    self.wait()?;
                }
                Step::Pause => {
                    self.commit()?;
                    return Ok(None);
                }
                Step::Finish(stop) => return self.finish(stop).map(Some),
                Step::Over => return self.over().map(Some),
            }
        }
    }

    /// It had ended before: nothing is recorded any more.
    fn over(&mut self) -> Result<Stop> {
        // A request that came too late is none any more.
        if self.journal.is_cancel_asked()? {
            self.journal.clear_cancel()?;
        }
        if self.drive.left.lines < self.journal.state().lines {
            self.seal();
        }
        let stop = self.journal.state().stop.clone();
        stop.ok_or_else(|| {
            Error::new(
                Code::BlockedStaleConferenceState,
                "it is over without an end",
            )
        })
    }

    /// The clock, and a request to stop.
    fn look(&mut self) -> Result<()> {
        let is_session = self.drive.host.is_none();
        let terms = &self.drive.terms;
        let late = next::expire(terms, self.journal.state(), clock::now(), is_session);
        for event in late {
            self.journal.record(event)?;
        }
        if !self.journal.state().cancelled && self.journal.is_cancel_asked()? {
            self.stop("file")?;
        }
        if self.journal.state().cancelled || self.journal.state().out_of_time {
            self.measuring.refuse();
        }
        if is_session && self.journal.state().cancelled {
            finish::recall(&mut self.journal)?;
        }
        Ok(())
    }

    fn stop(&mut self, by: &str) -> Result<()> {
        if !self.journal.state().cancelled {
            let by = by.to_owned();
            self.journal.record(Event::CancelRequested { by })?;
            self.commit()?;
        }
        self.drive.cancel.request();
        Ok(())
    }

    fn record(&mut self, events: Vec<Event>) -> Result<()> {
        for event in events {
            self.journal.record(event)?;
        }
        self.publish_rounds()
    }

    /// Flushes what was recorded, and tells it; then the children go out that it announced.
    fn commit(&mut self) -> Result<()> {
        for line in self.journal.commit()? {
            (self.drive.heard)(&line, self.journal.state());
        }
        for charter in std::mem::take(&mut self.announced) {
            self.start(charter)?;
        }
        Ok(())
    }

    /// Announces a child. It starts once that is durable, with all that were announced meanwhile.
    fn dispatch(&mut self, charter: Charter) -> Result<()> {
        let charter_digest = self.journal.keep(&charter.bytes())?;
        self.journal.record(Event::Issued {
            dispatch_id: charter.dispatch_id.clone(),
            role: charter.role,
            round: charter.round,
            lane: charter.lane,
            attempt: charter.attempt,
            iteration_allowance: charter.iteration_allowance,
            charter_digest,
            host: self.drive.terms.host.clone(),
            timeout_s: charter.timeout_s,
        })?;
        self.announced.push(charter);
        Ok(())
    }

    fn start(&mut self, charter: Charter) -> Result<()> {
        let call = charter.dispatch_id.call;
        let state = self.journal.state();
        let Some(host) = self.drive.host else {
            return Ok(());
        };
        let child = host.child(&charter, &self.drive.terms, state);
        let ask = self.to_root.clone();
        let desk = Desk {
            call,
            time: Duration::from_secs(charter.timeout_s),
            cancel: self.drive.cancel.clone(),
            began: Instant::now(),
            // The root is gone only where the conference is over.
            ask: Box::new(move |question| drop(ask.send(Arrival::Asked(question)))),
        };
        let to_root = self.to_root.clone();
        let work = move || {
            let answer = child(&desk);
            drop(to_root.send(Arrival::Ended(call, answer)));
        };
        let name = charter.dispatch_id.call.to_string();
        let thread = std::thread::Builder::new().name(name).spawn(work)?;
        self.out.insert(call, Out { charter, thread });
        Ok(())
    }

    fn begin_work(&mut self, work: Work) -> Result<()> {
        self.commit()?;
        self.measuring.plan(work.measure);
        self.measure_next()
    }

    /// Whether nothing is left to do here until a session calls again.
    fn rests(&self) -> Result<bool> {
        if !self.out.is_empty() || !self.measuring.is_idle() {
            return Ok(false);
        }
        match self.drive.host {
            None => Ok(true),
            Some(_) => {
                let text = "nothing is out, and yet something is awaited";
                Err(Error::new(Code::BlockedStaleConferenceState, text))
            }
        }
    }

    fn wait(&mut self) -> Result<()> {
        match self.arrivals.recv_timeout(TICK) {
            Ok(arrival) => self.arrived(arrival),
            // This end holds a sender itself, so that the channel is never closed.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(()),
        }
    }

    fn measure_next(&mut self) -> Result<()> {
        let Some(evaluator) = &self.drive.evaluator else {
            return Ok(());
        };
        let state = self.journal.state();
        let left = next::time_left(&self.drive.terms, state, clock::now());
        let (to_root, cancel) = (&self.to_root, &self.drive.cancel);
        self.measuring.start(|key, candidate| {
            let (evaluator, candidate) = (evaluator.clone(), candidate.clone());
            let (to_root, cancel) = (to_root.clone(), cancel.clone());
            let work = move || {
                let measured = evaluator.measure(&candidate, left, &cancel);
                drop(to_root.send(Arrival::Measured(key, measured)));
            };
            std::thread::Builder::new().spawn(work)
        })?;
        Ok(())
    }

    fn arrived(&mut self, arrival: Arrival) -> Result<()> {
        match arrival {
            Arrival::Signal => self.stop("signal"),
            Arrival::Ended(call, answer) => self.ended(call, answer),
            Arrival::Asked(question) => {
                let state = self.journal.state();
                if !state.cancelled && !state.out_of_time {
                    self.measuring.ask(question);
                }
                Ok(())
            }
            Arrival::Measured(key, measured) => self.measured(key, measured),
        }
    }

    fn measured(&mut self, key: (Call, u32), measured: Option<Measured>) -> Result<()> {
        let reply = self.measuring.ended(key);
        let Some(measured) = measured else {
            return Ok(());
        };
        for doubt in measured.doubts {
            self.doubt(doubt);
        }
        let evaluation = measured.evaluation;
        let (call, index) = key;
        let event = receive::measured(
            &self.drive.terms,
            call,
            index,
            evaluation.clone(),
            measured.exit,
        );
        self.journal.record(event)?;
        if let Some(reply) = reply {
            self.commit()?;
            // A child that was ended meanwhile hears nothing any more.
            drop(reply.send(evaluation));
        }
        Ok(())
    }

    fn ended(&mut self, call: Call, answer: Answer) -> Result<()> {
        let Some(Out { charter, thread }) = self.out.remove(&call) else {
            return Ok(());
        };
        join(thread);
        for doubt in answer.doubts {
            self.doubt(format!("{call}: {doubt}"));
        }
        if let Some(reported) = answer.reported {
            self.journal.record(Event::HostReported {
                dispatch_id: charter.dispatch_id.clone(),
                model: reported.model,
                provider: reported.provider,
                input_tokens: reported.input_tokens,
                output_tokens: reported.output_tokens,
            })?;
        }
        let terms = &self.drive.terms;
        match answer.end {
            End::Output(bytes) => self.received(&charter, &bytes),
            End::Failed(reason) => {
                let event = receive::failed(&charter.dispatch_id, &reason);
                self.journal.record(event)
            }
            End::TimedOut => self.journal.record(receive::timed_out(terms, call)),
            End::Cancelled => {
                let event = receive::cancelled(&charter.dispatch_id);
                self.journal.record(event)
            }
        }
    }

    fn received(&mut self, charter: &Charter, bytes: &[u8]) -> Result<()> {
        intake::take(&mut self.journal, charter, bytes, Via::Process).map(drop)
    }

    fn doubt(&mut self, doubt: String) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Ends every child and every evaluation, and waits until they are gone.
    fn abandon(&mut self) {
        self.drive.cancel.request();
        self.measuring.refuse();
        self.measuring.abandon();
        // A lane that waits for an answer, or asks now, learns that nobody is there.
        let (_, gone) = channel();
        drop(std::mem::replace(&mut self.arrivals, gone));
        for out in std::mem::take(&mut self.out).into_values() {
            join(out.thread);
        }
    }
}

/// A thread of ours that panicked has sent nothing: its call stays open, and the run fails.
fn join(thread: JoinHandle<()>) {
    drop(thread.join());
}
