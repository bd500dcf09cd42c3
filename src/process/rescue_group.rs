//! The end of what lost its shim, where there is no `/proc`: the group, as far as it is known.

use rustix::process::{Pid, Signal, kill_process_group};

use super::message::Started;

/// Ends the child's group. Who left it is not found: that is why nothing is proven.
pub(super) fn end_all(_mark: &str, started: Option<&Started>) {
    if let Some(group) = started.and_then(|started| Pid::from_raw(started.pid)) {
        // It fails where the group is empty.
        kill_process_group(group, Signal::KILL).ok();
    }
}
