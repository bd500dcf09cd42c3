//! The end of what lost its shim: whoever bears the child's mark is ended, as far as it is found.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::environment::CHILD;

/// A family that grows faster than it is ended is left after this time.
const TIME: Duration = Duration::from_millis(300);
/// Looks without a find after which whoever shows no environment is believed to have none.
const QUIET_LOOKS: usize = 3;
/// How long one that was killed is waited for.
const WAIT: Duration = Duration::from_millis(25);

/// Ends what began with this mark in its environment. Who took it away is not found: that is why
/// nothing is proven.
pub(super) fn end_all(mark: &str, _group: Option<i32>) {
    let entry = format!("{CHILD}={mark}");
    let end = Instant::now() + TIME;
    let mut quiet = 0;
    while quiet < QUIET_LOOKS && Instant::now() < end {
        let found = look(entry.as_bytes());
        for process in &found.bearers {
            // It fails where it is dead already.
            pidfd_send_signal(process, Signal::KILL).ok();
        }
        found.bearers.iter().for_each(wait_for);
        match (found.bearers.is_empty(), found.undecided) {
            (true, false) => return,
            (true, true) => quiet += 1,
            (false, _) => quiet = 0,
        }
    }
}

#[derive(Default)]
struct Found {
    bearers: Vec<OwnedFd>,
    /// A process that is just becoming another program shows no environment.
    undecided: bool,
}

/// Each is held before it is looked at, so that no stranger with a used number is hit.
fn look(entry: &[u8]) -> Found {
    let mut found = Found::default();
    let Ok(entries) = fs_err::read_dir("/proc") else {
        return found;
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    for (pid, name) in names.filter_map(|name| Some((Pid::from_raw(name.parse().ok()?)?, name))) {
        let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else {
            continue;
        };
        match fs_err::read(format!("/proc/{name}/environ")) {
            Ok(environment) if environment.is_empty() => found.undecided = true,
            Ok(environment) if bears(&environment, entry) => found.bearers.push(process),
            // A stranger, or a dead one.
            Ok(_) | Err(_) => {}
        }
    }
    found
}

fn bears(environment: &[u8], entry: &[u8]) -> bool {
    environment.split(|byte| *byte == 0).any(|one| one == entry)
}

fn wait_for(process: &OwnedFd) {
    let time = Timespec::try_from(WAIT).unwrap_or_default();
    // Whether it is dead shows in the next look.
    poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&time)).ok();
}
