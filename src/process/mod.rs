//! A child with deadline, own group, clean environment, empty folder and bounded output
//! (conference.md A2).
//!
//! Promises: [`run`] is back within two seconds of deadline or cancel, whatever the child does; it
//! says how the child ended, what it printed, and whether it is proven that nothing of it lives.
//! When the root dies, its children end too: each stands under a shim (`lithermes host-child`)
//! that sees the root go. Nothing sleeps or looks again and again, and no thread is left over.

mod cancel;
mod children;
pub mod environment;
mod family;
mod finished;
mod message;
mod output;
#[cfg_attr(target_os = "linux", path = "rescue_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "rescue_group.rs")]
mod rescue;
mod search;
pub mod shim;
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub use cancel::Cancel;
pub(crate) use children::parent_in;
pub use environment::Environment;
pub use finished::{Descendants, Ended, Finished, Status};
pub use output::Log;
pub use search::on_path;

/// Bytes of standard output that a child may print, unless its [`Job`] says otherwise.
pub const STDOUT: usize = 64 << 10;
/// Bytes of standard error that are kept.
pub const LOG: usize = 1 << 20;
/// Bytes of a file that is kept; a larger one is not.
pub const KEPT: usize = 8 << 10;

/// A year: what a child's time may be at most, so that adding it to the time cannot fail.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);
/// After the first request to end (`SIGTERM`) comes the last (`SIGKILL`).
const GRACE: Duration = Duration::from_millis(300);
/// How long the shim waits for what it killed.
const LAST: Duration = Duration::from_millis(600);
/// How long the root waits for the shim: more than that by what a busy machine takes, and so much
/// less than two seconds that it can still do the shim's work.
const PATIENCE: Duration = Duration::from_millis(1_450);

/// One child to run.
#[derive(Debug, Clone)]
pub struct Job {
    /// Program and arguments. A program without `/` is looked up in the child's `PATH`; another
    /// has to be absolute, for the child begins in an empty folder.
    pub argv: Vec<OsString>,
    /// Its whole environment; `LITHERMES_CHILD` is added.
    pub environment: Environment,
    /// What it reads, before the end of file.
    pub stdin: Vec<u8>,
    /// From the call of [`run`] to its deadline.
    pub time: Duration,
    /// Bytes of standard output; with one more it is ended.
    pub stdout_limit: usize,
    /// Bytes of standard error to keep; it may print more.
    pub log_limit: usize,
    /// The name of a file in its folder that is read before the folder goes away.
    pub keep: Option<OsString>,
    /// The program that stands above it.
    pub shim: Shim,
}

impl Job {
    /// With nothing to read and the usual limits.
    pub fn new(argv: Vec<OsString>, environment: Environment, time: Duration) -> Self {
        Self {
            argv,
            environment,
            stdin: Vec::new(),
            time,
            stdout_limit: STDOUT,
            log_limit: LOG,
            keep: None,
            shim: Shim::default(),
        }
    }
}

/// The lithermes whose `host-child` stands above a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shim(PathBuf);

impl Shim {
    /// This one.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self(program.into())
    }
}

/// The program that runs, also when its file was replaced meanwhile.
impl Default for Shim {
    fn default() -> Self {
        if cfg!(target_os = "linux") {
            return Self::at("/proc/self/exe");
        }
        // Where the system cannot tell, the search path is what is left.
        Self(std::env::current_exe().unwrap_or_else(|_| PathBuf::from("lithermes")))
    }
}

/// Runs one child to its end and blocks meanwhile. Any number may run at once, each in a thread of
/// the caller's.
pub fn run(job: &Job, cancel: &Cancel) -> Finished {
    if cancel.is_requested() {
        return Finished::without_a_start(Ended::Cancelled);
    }
    match watch::Watch::start(job) {
        Ok(watch) => watch.finish(cancel),
        Err(error) => Finished::without_a_start(Ended::NotStarted(error.to_string())),
    }
}
