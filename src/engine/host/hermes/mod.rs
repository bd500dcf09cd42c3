//! The host `hermes`: one real Hermes process for each charter (conference.md A2, hermes-host.md §6).
//!
//! Promises: no shell; the home that was approved, whichever profile is active in it; a prompt that
//! cannot be handed over starts nothing; what the host calls success is an answer only where its own
//! records agree.

mod argv;
mod believed;
mod failure;
pub mod prompt;
mod report;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::engine::charter::Charter;
use crate::engine::packet;
use crate::process::{self, Cancel, Ended, Environment, Finished, Job, Shim};

pub use failure::Failure;
pub use report::Report;

/// How long the free probe before the gate may take.
pub const PROBE: Duration = Duration::from_secs(10);

/// What a turn may print at most: a packet, and what the host adds to it.
const STDOUT: usize = packet::MAX_BYTES;

/// Hermes, as children of a conference are started.
#[derive(Debug, Clone)]
pub struct Hermes {
    /// The program.
    pub program: PathBuf,
    /// The home of every child: a real path.
    pub home: PathBuf,
    /// Toolsets of a child: `web`, `search`, or none.
    pub toolsets: Vec<String>,
    /// What it knows of the environment, its home left out.
    pub environment: Environment,
    /// What stands above it.
    pub shim: Shim,
}

/// What a turn came to.
#[derive(Debug)]
pub struct Turn {
    /// Its answer, or why there is none.
    pub answer: Result<Vec<u8>, Failure>,
    /// What the host says about it; `None` where it says nothing.
    pub report: Option<Report>,
    /// The process, where there was one.
    pub finished: Option<Finished>,
}

impl Hermes {
    /// One turn on one charter; blocks until it is over. `time` is the lane's timeout or what is
    /// left of the wall clock, whichever is less.
    pub fn run(&self, charter: &Charter, time: Duration, cancel: &Cancel) -> Turn {
        let Some(prompt) = prompt::of(charter) else {
            return Turn {
                answer: Err(Failure::PromptTooLong),
                report: None,
                finished: None,
            };
        };
        let mut job = self.job(self.argv(prompt, charter.iteration_allowance), time);
        job.stdout_limit = STDOUT;
        job.keep = self.toolsets.is_empty().then(|| argv::USAGE.into());
        let mut finished = process::run(&job, cancel);
        let report = self.report(&finished);
        let answer = believed::answer(&finished, report.as_ref(), self.toolsets.is_empty());
        let answer = answer.map(|()| std::mem::take(&mut finished.stdout));
        let answer = answer.map(believed::without_notices);
        Turn {
            answer,
            report,
            finished: Some(finished),
        }
    }

    /// What the program says of itself, without a model and for nothing: its first line
    /// (`Hermes Agent v0.19.0 …`), or why it says none.
    pub fn version(&self, cancel: &Cancel) -> Result<String, String> {
        let words = [self.program.clone().into(), "--version".into()];
        let finished = process::run(&self.job(words.to_vec(), PROBE), cancel);
        let text = String::from_utf8_lossy(&finished.stdout).into_owned();
        let first = text.lines().map(str::trim).find(|line| !line.is_empty());
        match (&finished.ended, first) {
            (Ended::Exited(0), Some(line)) => Ok(line.chars().take(80).collect()),
            (Ended::Exited(0), None) => Err("it does not tell its version".to_owned()),
            (Ended::Exited(code), _) => Err(format!("`--version` exits with {code}")),
            (Ended::NotStarted(why), _) => Err(why.clone()),
            (Ended::Deadline, _) => Err(format!("no answer within {} s", PROBE.as_secs())),
            (other, _) => Err(other.reason().to_owned()),
        }
    }

    fn job(&self, argv: Vec<OsString>, time: Duration) -> Job {
        let mut environment = self.environment.clone();
        environment.insert("HERMES_HOME".into(), self.home.clone().into_os_string());
        let mut job = Job::new(argv, environment, time);
        job.shim = self.shim.clone();
        job
    }

    /// Without tools the usage file says it; a turn with tools writes none, and its session does.
    fn report(&self, finished: &Finished) -> Option<Report> {
        match self.toolsets.is_empty() {
            true => Report::of_usage(finished.kept.as_deref()?),
            false => Report::of_session(&self.home, &finished.log.text()),
        }
    }
}
