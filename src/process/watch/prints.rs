//! What one child prints, as it comes.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::process::Job;
use crate::process::output::{Log, Whole};

/// Bytes that are read at a time.
const CHUNK: usize = 16 << 10;
/// Reads after the end: more than a pipe can hold.
const LAST_READS: usize = 128;

pub(super) struct Prints {
    /// `None` once it ended, or was too large.
    stdout: Option<File>,
    /// `None` once it ended.
    stderr: Option<File>,
    whole: Whole,
    log: Log,
}

impl Prints {
    pub(super) fn new(job: &Job, stdout: Option<File>, stderr: Option<File>) -> Self {
        Self {
            stdout,
            stderr,
            whole: Whole::new(job.stdout_limit),
            log: Log::new(job.log_limit),
        }
    }

    pub(super) fn stdout(&self) -> Option<BorrowedFd<'_>> {
        self.stdout.as_ref().map(File::as_fd)
    }

    pub(super) fn stderr(&self) -> Option<BorrowedFd<'_>> {
        self.stderr.as_ref().map(File::as_fd)
    }

    pub(super) fn are_too_large(&self) -> bool {
        self.whole.is_too_large()
    }

    /// One read; blocks where nothing can be read. What is too large is read no further.
    pub(super) fn read_stdout(&mut self) {
        let whole = &mut self.whole;
        read_some(&mut self.stdout, |bytes| whole.push(bytes));
        if self.whole.is_too_large() {
            self.stdout = None;
        }
    }

    /// One read; blocks where nothing can be read.
    pub(super) fn read_stderr(&mut self) {
        let log = &mut self.log;
        read_some(&mut self.stderr, |bytes| log.push(bytes));
    }

    /// Everybody is dead: what they printed is in the pipes, and a stranger who holds one open is
    /// not waited for.
    pub(super) fn read_the_rest(&mut self) {
        for _ in 0..LAST_READS {
            let stdout = self.stdout.as_ref().is_some_and(can_be_read);
            let stderr = self.stderr.as_ref().is_some_and(can_be_read);
            if stdout {
                self.read_stdout();
            }
            if stderr {
                self.read_stderr();
            }
            if !stdout && !stderr {
                return;
            }
        }
    }

    pub(super) fn into_parts(self) -> (Vec<u8>, Log) {
        (self.whole.into_bytes(), self.log)
    }
}

fn can_be_read(pipe: &File) -> bool {
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    matches!(poll(&mut fds, Some(&Timespec::default())), Ok(ready) if ready > 0)
}

/// At its end the pipe is closed.
fn read_some(pipe: &mut Option<File>, mut take: impl FnMut(&[u8])) {
    let Some(file) = pipe else { return };
    let mut buffer = [0; CHUNK];
    match file.read(&mut buffer) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Ok(0) | Err(_) => *pipe = None,
        Ok(count) => take(&buffer[..count]),
    }
}
