//! The host itself is asked, once and only on request.

use std::ffi::OsString;
use std::time::Duration;

use crate::error::{Code, Error, Result};
use crate::guard::secret;
use crate::hermes::program::Program;
use crate::process::{self, Cancel, Ended, Job, environment};
use crate::skill_loop::workplace::Workplace;

/// What it is asked.
pub(super) const QUESTION: [&str; 2] = ["curator", "status"];
/// What the host may want to know, beside what every child knows.
const PASSED: [&str; 4] = ["USER", "LOGNAME", "TZ", "SHELL"];
/// How long the host may take.
pub(super) const TIME: Duration = Duration::from_secs(30);
/// Of each stream.
const BYTES: usize = 64 << 10;

/// What the host answered.
pub(super) struct Asked {
    /// Its exit status; `None` where it was stopped.
    pub(super) status: Option<i32>,
    /// Its time was up.
    pub(super) timed_out: bool,
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
}

/// What it wrote, fit to be shown.
pub(super) struct Stream {
    pub(super) text: String,
    /// There was more.
    pub(super) cut: bool,
}

/// Asks the host about exactly this home. A home that has other profiles is told to be the one.
pub(super) fn ask(place: &Workplace, host: &Program) -> Result<Asked> {
    let mut argv = vec![host.path.clone().into_os_string()];
    if place.home_dir.stat("active_profile")?.is_some() {
        argv.extend(["-p", "default"].map(OsString::from));
    }
    argv.extend(QUESTION.map(OsString::from));
    let mut environment = environment::of_this_process(&PASSED.map(str::to_owned));
    environment.insert("HERMES_HOME".into(), place.home.path.clone().into());
    environment.insert("NO_COLOR".into(), "1".into());
    environment.insert("TERM".into(), "dumb".into());
    let mut job = Job::new(argv, environment, TIME);
    (job.stdout_limit, job.log_limit) = (BYTES, 2 * BYTES);

    let finished = process::run(&job, &Cancel::new()?);
    let (status, timed_out) = match finished.ended {
        Ended::Exited(status) => (Some(status), false),
        Ended::Deadline => (None, true),
        Ended::Signalled(_) | Ended::TooLarge | Ended::Cancelled => (None, false),
        Ended::NotStarted(why) | Ended::Lost(why) => {
            let text = format!("cannot run {}", host.path.display());
            return Err(Error::new(Code::Io, text).caused_by(why));
        }
    };
    let (stderr, more) = finished.log.beginning();
    Ok(Asked {
        status,
        timed_out,
        stdout: stream(&finished.stdout, finished.stdout.len() > BYTES),
        stderr: stream(stderr, more),
    })
}

/// Half a credential is recognised no more, so what was cut ends with its last whole line.
fn stream(said: &[u8], cut: bool) -> Stream {
    let whole = match cut {
        true => memchr::memrchr(b'\n', said).map_or(0, |end| end + 1),
        false => said.len(),
    };
    let said = String::from_utf8_lossy(said.get(..whole).unwrap_or_default());
    Stream {
        text: secret::redact(&said).into_owned(),
        cut,
    }
}
