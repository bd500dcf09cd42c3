//! A child and everything that came of it, as the shim above it sees them.
//!
//! On Linux the shim is their subreaper: whoever loses a parent becomes its direct child. So there
//! is a proof that nobody is left (the shim has no child), and a way to end everybody (end the
//! direct children until there are none). Only direct children are ever signalled, and none is
//! reaped while that happens: no signal can hit a stranger who got a used number.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, kill_process, kill_process_group,
    wait, waitid,
};

use super::children;
use super::finished::Status;

/// The child, its group, and its descendants.
#[derive(Debug)]
pub(super) struct Family {
    leader: Pid,
    /// Whether everybody who loses a parent comes to us.
    gathers: bool,
    /// Whether the child itself was reaped. Held while signals are sent.
    reaped: Mutex<bool>,
}

/// Who ended.
#[derive(Debug)]
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
            reaped: Mutex::new(false),
        }
    }

    /// Waits for the next to end.
    pub(super) fn next_death(&self) -> Death {
        loop {
            // The dead keep their number until they are reaped below, under the lock.
            match waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                Err(Errno::INTR) => continue,
                Err(_) => return Death::All,
                Ok(_) => {}
            }
            let mut reaped = self.lock();
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.leader => {
                    *reaped = true;
                    return Death::Leader(status_of(status));
                }
                Ok(Some(_)) => return Death::Other,
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// Sends a signal to everybody who is not in `told` yet; says whether there was anybody.
    pub(super) fn signal(&self, signal: Signal, told: &mut BTreeSet<i32>) -> bool {
        let reaped = self.lock();
        let mut anybody = false;
        // A group whose leader is gone is left to those who gather its members one by one.
        if !(*reaped && self.gathers) && told.insert(self.leader.as_raw_pid()) {
            anybody = kill_process_group(self.leader, signal).is_ok();
        }
        for pid in self.direct_children() {
            if told.insert(pid.as_raw_pid()) {
                // It fails where it is dead already, or belongs to another user: then it is
                // missed at the end, and said.
                let sent = kill_process(pid, signal);
                anybody |= sent.is_ok();
            }
        }
        anybody
    }

    fn direct_children(&self) -> Vec<Pid> {
        match self.gathers {
            true => children::of_this_process(),
            false => Vec::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.reaped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn status_of(status: WaitStatus) -> Option<Status> {
    let exited = status.exit_status().map(Status::Exited);
    exited.or_else(|| status.terminating_signal().map(Status::Signalled))
}

/// Makes this process the one to whom orphans come; says whether it is.
pub(super) fn gather() -> bool {
    #[cfg(target_os = "linux")]
    {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        false
    }
}
