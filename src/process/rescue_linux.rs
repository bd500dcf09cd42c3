//! The end of what lost its shim: whoever bears the child's mark is ended, as far as it is found.

use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::environment::CHILD;
use super::message::Started;

/// A family that grows faster than it is ended is left after this many looks.
const LOOKS: usize = 8;
/// How long one that was killed is waited for.
const WAIT: Duration = Duration::from_millis(25);

/// Ends what began with this mark in its environment. Who took it away is not found: that is why
/// nothing is proven.
pub(super) fn end_all(mark: &str, _started: Option<&Started>) {
    let entry = format!("{CHILD}={mark}");
    for _ in 0..LOOKS {
        let found = bearers(entry.as_bytes());
        if found.is_empty() {
            return;
        }
        for process in &found {
            // It fails where it is dead already.
            pidfd_send_signal(process, Signal::KILL).ok();
        }
        found.iter().for_each(wait_for);
    }
}

/// Each is held before it is looked at, so that no stranger with a used number is hit.
fn bearers(entry: &[u8]) -> Vec<OwnedFd> {
    let Ok(entries) = fs_err::read_dir("/proc") else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let holding = names.filter_map(|name| {
        let process = pidfd_open(Pid::from_raw(name.parse().ok()?)?, PidfdFlags::empty()).ok()?;
        let environment = fs_err::read(format!("/proc/{name}/environ")).ok()?;
        let bears = environment.split(|byte| *byte == 0).any(|one| one == entry);
        bears.then_some(process)
    });
    holding.collect()
}

fn wait_for(process: &OwnedFd) {
    let time = Timespec::try_from(WAIT).unwrap_or_default();
    // Whether it is dead shows in the next look.
    poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&time)).ok();
}
