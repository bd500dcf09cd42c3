//! Measurements: the root runs the evaluator, and the guard after it (conference.md A4, A10.2,
//! B 4.4).
//!
//! Promises: no shell; a candidate is data on standard input; every run is kept as it was; what
//! fails is a failed iteration with its reason, and never a stop.

mod reading;

use std::ffi::OsString;
use std::time::{Duration, Instant};

use crate::conference::rounds::receive::digest_of;
use crate::digest;
use crate::engine::charter::Direction;
use crate::engine::packet::Candidate;
use crate::engine::state::Evaluation;
use crate::process::{self, Cancel, Descendants, Ended, Environment, Finished, Job, Shim};

/// Bytes that an evaluator or a guard may print.
const STDOUT: usize = 64 << 10;
/// Bytes of its log that are kept.
const LOG: usize = 64 << 10;

/// Who measures, as the gate approved it.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// The evaluator, as [`crate::engine::host::command::command_line`] gives it.
    pub argv: Vec<OsString>,
    /// The guard, in the same form.
    pub guard: Option<Vec<OsString>>,
    /// What both know of the environment.
    pub environment: Environment,
    /// How long one run may take.
    pub time: Duration,
    /// Runs of which the median counts; at least one is made.
    pub noise_runs: u32,
    /// Which way the metric is better.
    pub direction: Direction,
    /// The greatest value where the target names a scale (`> 8/10`).
    pub scale: Option<f64>,
    /// What stands above each run.
    pub shim: Shim,
}

/// What came of one candidate: the fields of `evaluation.recorded`, and what a person may ask for.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The runs, their median, and why there is none.
    pub evaluation: Evaluation,
    /// The status of the run that failed, or 0. A signal is 128 and its number; a run that was too
    /// late is 124, one that could not be started 127, one whose end nobody saw 125.
    pub exit: i32,
    /// Why it failed, for people; empty where it did not.
    pub detail: String,
    /// The log of the last run. Text from outside.
    pub log: String,
    /// What nobody can prove about the ends of these processes.
    pub doubts: Vec<String>,
}

/// The spellings of `reason`.
mod reason {
    pub(super) const EXIT: &str = "exit";
    pub(super) const TIMEOUT: &str = "timeout";
    pub(super) const OUTPUT: &str = "output";
    pub(super) const GUARD: &str = "guard";
}

/// Why there is no value.
struct Failure {
    reason: &'static str,
    exit: i32,
    detail: String,
}

/// What ends a measurement before it has a value.
enum Stopped {
    Failed(Failure),
    Cancelled,
}

impl Evaluator {
    /// Measures one candidate; blocks meanwhile. `left` is what is left of the wall clock. `None`
    /// where somebody asked to stop first: then nothing was measured and nothing is recorded.
    pub fn measure(
        &self,
        candidate: &Candidate,
        left: Duration,
        cancel: &Cancel,
    ) -> Option<Measured> {
        let mut session = Session {
            evaluator: self,
            stdin: digest::canonical(&candidate.values),
            end: Instant::now().checked_add(left),
            cancel,
            raw: Vec::new(),
            log: String::new(),
            doubts: Vec::new(),
        };
        let failure = match session.run() {
            Ok(()) => None,
            Err(Stopped::Failed(failure)) => Some(failure),
            Err(Stopped::Cancelled) => return None,
        };
        Some(session.measured(failure, digest_of(candidate)))
    }
}

struct Session<'a> {
    evaluator: &'a Evaluator,
    stdin: Vec<u8>,
    end: Option<Instant>,
    cancel: &'a Cancel,
    raw: Vec<f64>,
    log: String,
    doubts: Vec<String>,
}

impl Session<'_> {
    /// The first run that fails is the last.
    fn run(&mut self) -> Result<(), Stopped> {
        let evaluator = self.evaluator;
        for _ in 0..evaluator.noise_runs.max(1) {
            let finished = self.start(&evaluator.argv)?;
            if let Some(failure) = failure_of(&finished) {
                return Err(Stopped::Failed(failure));
            }
            let reading = reading::of(&finished.stdout, evaluator.direction, evaluator.scale);
            let reading = reading.map_err(|detail| failed(reason::OUTPUT, detail))?;
            self.raw.push(reading.value);
            if !reading.pass {
                let detail = "the evaluator says that the candidate does not pass".to_owned();
                return Err(failed(reason::GUARD, detail));
            }
        }
        let Some(guard) = &evaluator.guard else {
            return Ok(());
        };
        let finished = self.start(guard)?;
        match failure_of(&finished) {
            None => Ok(()),
            Some(failure) => Err(Stopped::Failed(Failure {
                reason: reason::GUARD,
                ..failure
            })),
        }
    }

    fn start(&mut self, argv: &[OsString]) -> Result<Finished, Stopped> {
        let evaluator = self.evaluator;
        let left = self
            .end
            .map(|end| end.saturating_duration_since(Instant::now()));
        let time = evaluator.time.min(left.unwrap_or(Duration::MAX));
        let mut job = Job::new(argv.to_vec(), evaluator.environment.clone(), time);
        job.stdin.clone_from(&self.stdin);
        job.stdout_limit = STDOUT;
        job.log_limit = LOG;
        job.shim = evaluator.shim.clone();
        let finished = process::run(&job, self.cancel);
        self.log = finished.log.text();
        if let Descendants::NotProvable(why) = &finished.descendants {
            self.doubts.push(why.clone());
        }
        self.doubts.extend(finished.folder_left.clone());
        match finished.ended {
            Ended::Cancelled => Err(Stopped::Cancelled),
            _ => Ok(finished),
        }
    }

    fn measured(self, failure: Option<Failure>, digest: String) -> Measured {
        let median = match failure {
            None => median(&self.raw),
            Some(_) => None,
        };
        let evaluation = Evaluation {
            median,
            raw: self.raw,
            reason: failure.as_ref().map(|failure| failure.reason.to_owned()),
            digest,
        };
        Measured {
            evaluation,
            exit: failure.as_ref().map_or(0, |failure| failure.exit),
            detail: failure.map(|failure| failure.detail).unwrap_or_default(),
            log: self.log,
            doubts: self.doubts,
        }
    }
}

fn failed(reason: &'static str, detail: String) -> Stopped {
    Stopped::Failed(Failure {
        reason,
        exit: 0,
        detail,
    })
}

fn failure_of(finished: &Finished) -> Option<Failure> {
    let (reason, exit, detail) = match &finished.ended {
        Ended::Exited(0) => return None,
        Ended::Exited(code) => (reason::EXIT, *code, format!("it ended with status {code}")),
        Ended::Signalled(signal) => (
            reason::EXIT,
            128 + signal,
            format!("signal {signal} ended it"),
        ),
        Ended::Deadline => (reason::TIMEOUT, 124, "its time was up".to_owned()),
        Ended::TooLarge => (
            reason::OUTPUT,
            0,
            format!("it printed more than {STDOUT} bytes"),
        ),
        Ended::NotStarted(why) => (reason::EXIT, 127, format!("it could not be started: {why}")),
        Ended::Lost(why) => (reason::EXIT, 125, why.clone()),
        Ended::Cancelled => (reason::EXIT, 130, "it was cancelled".to_owned()),
    };
    Some(Failure {
        reason,
        exit,
        detail,
    })
}

/// The middle one; between two, the middle of both.
fn median(raw: &[f64]) -> Option<f64> {
    let mut sorted = raw.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    match sorted.len() % 2 {
        1 => Some(upper),
        _ => Some(f64::midpoint(sorted[middle - 1], upper)),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        for (raw, middle) in [
            (vec![], None),
            (vec![3.0], Some(3.0)),
            (vec![9.0, 1.0], Some(5.0)),
            (vec![9.0, 1.0, 2.0], Some(2.0)),
            (vec![4.0, -1.0, 2.0, 1.0], Some(1.5)),
            (vec![f64::MAX, f64::MAX], Some(f64::MAX)),
        ] {
            assert_eq!(median(&raw), middle, "{raw:?}");
        }
    }
}
