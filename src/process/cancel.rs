//! A request to stop, from any thread to any number of waiting ones.
//!
//! Promises: once made it stands; it wakes whoever waits for a child, without polling.

use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Whether to stop. Clones are one and the same request.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Pair>);

/// Two ends of a socket: when the first is shut down, the second can be read, and stays so.
#[derive(Debug)]
struct Pair {
    ours: UnixStream,
    theirs: UnixStream,
}

impl Cancel {
    /// Nobody asked yet. Fails where the process may open no more files.
    pub fn new() -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok(Self(Arc::new(Pair { ours, theirs })))
    }

    /// Asks; asking again changes nothing.
    pub fn request(&self) {
        // It fails only where it was done before.
        self.0.ours.shutdown(Shutdown::Write).ok();
    }

    /// Whether somebody asked.
    pub fn is_requested(&self) -> bool {
        let mut fds = [PollFd::new(&self.0.theirs, PollFlags::IN)];
        let now = Timespec::default();
        matches!(poll(&mut fds, Some(&now)), Ok(ready) if ready > 0)
    }
}

/// Readable once somebody asked.
impl AsFd for Cancel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.theirs.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::Cancel;

    #[test]
    fn a_request_stands_for_every_clone() {
        let cancel = Cancel::new().unwrap();
        let other = cancel.clone();
        assert!(!cancel.is_requested() && !other.is_requested());
        other.request();
        other.request();
        assert!(cancel.is_requested() && other.is_requested());
    }
}
