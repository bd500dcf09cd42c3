//! What the shim waits for, all at once: the root, deaths, requests to end, and a child that reads.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::ChildStdin;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe::register;

pub(super) struct Ears {
    /// The socket to the root; `None` once it hung up.
    root: Option<UnixStream>,
    /// Can be read after somebody asked this process to end.
    requests: UnixStream,
    /// Can be read after somebody died.
    deaths: UnixStream,
    /// What the child has still to read.
    stdin: Option<(ChildStdin, Vec<u8>)>,
}

impl Ears {
    pub(super) fn open(root: UnixStream) -> io::Result<Self> {
        Ok(Self {
            root: Some(root),
            requests: rings_on(&[SIGTERM, SIGINT, SIGHUP])?,
            deaths: rings_on(&[SIGCHLD])?,
            stdin: None,
        })
    }

    /// Gives the child its input as it reads it.
    pub(super) fn feed(&mut self, pipe: ChildStdin, input: Vec<u8>) {
        // A pipe that blocks would keep us from the rest; then the child reads nothing.
        if ioctl_fionbio(&pipe, true).is_ok() {
            self.stdin = Some((pipe, input));
            self.feed_some();
        }
    }

    /// Whether the root hung up, or somebody asked this process to end; once.
    pub(super) fn hear_the_end(&mut self) -> bool {
        let Some(root) = &self.root else {
            return false;
        };
        // The root says nothing more: whatever can be read is its end.
        let mut fds = [root, &self.requests].map(|one| PollFd::new(one, PollFlags::IN));
        let heard = matches!(poll(&mut fds, Some(&Timespec::default())), Ok(ready) if ready > 0);
        if heard {
            self.root = None;
        }
        heard
    }

    /// Waits for anything, or until then.
    pub(super) fn wait(&mut self, end: Instant) {
        let mut fds: Vec<(BorrowedFd<'_>, PollFlags)> = vec![(self.deaths.as_fd(), PollFlags::IN)];
        if let Some(root) = &self.root {
            fds.push((root.as_fd(), PollFlags::IN));
            fds.push((self.requests.as_fd(), PollFlags::IN));
        }
        if let Some((pipe, _)) = &self.stdin {
            fds.push((pipe.as_fd(), PollFlags::OUT));
        }
        let mut fds: Vec<PollFd<'_>> = fds
            .into_iter()
            .map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags))
            .collect();
        let left = end.saturating_duration_since(Instant::now());
        // An interrupted wait is over too early, and the caller looks and waits again.
        poll(
            &mut fds,
            Some(&Timespec::try_from(left).unwrap_or_default()),
        )
        .ok();
        while matches!(self.deaths.read(&mut [0; 64]), Ok(64)) {}
        self.feed_some();
    }

    /// Writes what fits. A child need not read: what it says counts, not what it heard.
    fn feed_some(&mut self) {
        while let Some((pipe, input)) = &mut self.stdin {
            match pipe.write(input) {
                Ok(count) if count > 0 && count < input.len() => drop(input.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => self.stdin = None,
            }
        }
    }
}

/// A socket that can be read after one of these signals.
fn rings_on(signals: &[i32]) -> io::Result<UnixStream> {
    let (bell, rope) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    for signal in signals {
        register(*signal, rope.try_clone()?)?;
    }
    Ok(bell)
}
