//! A child and everything that came of it, as the shim above it sees them.
//!
//! On Linux the shim is their subreaper: whoever loses a parent becomes its direct child. So there
//! is a proof that nobody is left (the shim has no child), and a way to end everybody (end the
//! direct children until there are none). Only direct children are signalled, and only the shim
//! reaps them: no signal can hit a stranger who got a used number.

use std::collections::BTreeSet;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait,
};

use super::children;
use super::finished::Status;

/// The child, its group, and its descendants.
#[derive(Debug)]
pub(super) struct Family {
    leader: Pid,
    /// Whether everybody who loses a parent comes to us.
    gathers: bool,
    /// Whether the child itself was reaped.
    reaped: bool,
}

/// Who ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Death {
    /// The child itself.
    Leader(Option<Status>),
    /// Somebody else.
    Other,
    /// Everybody: no child is left.
    All,
}

impl Family {
    pub(super) fn of(leader: Pid, gathers: bool) -> Self {
        Self {
            leader,
            gathers,
            reaped: false,
        }
    }

    /// Whether nobody can get away from here.
    pub(super) fn gathers(&self) -> bool {
        self.gathers
    }

    /// Reaps one that is dead; `None` where everybody lives.
    pub(super) fn reap(&mut self) -> Option<Death> {
        loop {
            return match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.leader => {
                    self.reaped = true;
                    Some(Death::Leader(status_of(status)))
                }
                Ok(Some(_)) => Some(Death::Other),
                Ok(None) => None,
                Err(Errno::INTR) => continue,
                Err(_) => Some(Death::All),
            };
        }
    }

    /// Sends a signal to everybody who is not in `told` yet; says whether there was anybody.
    pub(super) fn signal(&self, signal: Signal, told: &mut BTreeSet<i32>) -> bool {
        let mut anybody = false;
        // Where the leader is gone, the number of its group may be a stranger's by now; whoever is
        // in it comes here one by one, or is out of reach in any other way.
        if !(self.reaped && self.gathers) && told.insert(self.leader.as_raw_pid()) {
            anybody = kill_process_group(self.leader, signal).is_ok();
        }
        if !self.gathers {
            return anybody;
        }
        for pid in children::of_this_process() {
            if told.insert(pid.as_raw_pid()) {
                // It fails where the child belongs to another user: it is missed at the end.
                anybody |= kill_process(pid, signal).is_ok();
            }
        }
        anybody
    }
}

fn status_of(status: WaitStatus) -> Option<Status> {
    let exited = status.exit_status().map(Status::Exited);
    exited.or_else(|| status.terminating_signal().map(Status::Signalled))
}

/// Makes this process the one to whom orphans come; says whether it is.
#[cfg(target_os = "linux")]
pub(super) fn gather() -> bool {
    use rustix::process::{getpid, set_child_subreaper};
    set_child_subreaper(Some(getpid())).is_ok()
}

/// Orphans go to the first process of the system, and nothing can be done about it.
#[cfg(not(target_os = "linux"))]
pub(super) fn gather() -> bool {
    false
}
