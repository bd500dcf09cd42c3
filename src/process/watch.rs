//! The root's side of one child: it reads what the child prints, listens to the shim, and hangs up
//! when it has seen enough.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::environment::{CHILD, is_refused};
use super::finished::{Descendants, Ended, Finished, Status};
use super::message::{Cause, Message, Receipt, Started};
use super::output::{Log, Whole};
use super::{Cancel, Job, PATIENCE, rescue};

/// Bytes that are read at a time.
const CHUNK: usize = 16 << 10;
/// Reads after the end: more than a pipe can hold.
const LAST_READS: usize = 128;
/// Bytes that a shim may say.
const SAYS: usize = 16 << 10;
/// A year: what a deadline may be at most, so that adding it cannot fail.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

pub(super) struct Watch {
    begun: Instant,
    mark: String,
    shim: Child,
    control: UnixStream,
    stdout: Option<File>,
    stderr: Option<File>,
    whole: Whole,
    log: Log,
    said: Vec<u8>,
    started: Option<Started>,
    stop: Option<Stop>,
    deadline: Instant,
    until: Instant,
}

/// Why the root hung up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Cancelled,
    TooLarge,
}

/// What became of the shim.
enum Answer {
    NotStarted(String),
    Ended(Receipt),
    Lost(String),
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Stdout,
    Stderr,
    Cancel,
    Shim,
}

impl Watch {
    pub(super) fn start(job: &Job) -> io::Result<Self> {
        if job.argv.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "no program was named",
            ));
        }
        let begun = Instant::now();
        let deadline = begun + job.time.min(LONGEST);
        let mark = new_mark();
        let (mut control, theirs) = UnixStream::pair()?;
        let mut shim = command(job, &mark, theirs).spawn()?;
        control.set_write_timeout(Some(PATIENCE))?;
        if control.write_all(&job.stdin).is_err() {
            // It did not take its work: told to leave, it is found lost below.
            hang_up(&control);
        }
        Ok(Self {
            begun,
            mark,
            stdout: shim.stdout.take().map(file),
            stderr: shim.stderr.take().map(file),
            shim,
            control,
            whole: Whole::new(job.stdout_limit),
            log: Log::new(job.log_limit),
            said: Vec::new(),
            started: None,
            stop: None,
            deadline,
            until: deadline + PATIENCE,
        })
    }

    pub(super) fn finish(mut self, cancel: &Cancel) -> Finished {
        let answer = self.answer(cancel);
        self.bury_the_shim();
        let folder = match &answer {
            Answer::Lost(_) => self.rescue(),
            _ => None,
        };
        self.read_the_rest();
        self.report(answer, folder)
    }

    fn answer(&mut self, cancel: &Cancel) -> Answer {
        loop {
            let now = Instant::now();
            if now >= self.until {
                return Answer::Lost("the process above it did not answer".to_owned());
            }
            let alarm = match now < self.deadline {
                true => self.until.min(self.deadline),
                false => self.until,
            };
            let ready = match self.ready(cancel, alarm - now) {
                Ok(ready) => ready,
                Err(error) => return Answer::Lost(error.to_string()),
            };
            for source in ready {
                match source {
                    Source::Stdout => self.read_stdout(),
                    Source::Stderr => self.read_stderr(),
                    Source::Cancel => self.stop(Stop::Cancelled),
                    Source::Shim => {
                        if let Some(answer) = self.listen() {
                            return answer;
                        }
                    }
                }
            }
            if Instant::now() >= self.deadline {
                self.wake_the_shim();
            }
        }
    }

    /// Waits until something can be read, or this time is over.
    fn ready(&self, cancel: &Cancel, time: Duration) -> io::Result<Vec<Source>> {
        let waits = self.stop.is_none();
        let all = [
            (Source::Stdout, self.stdout.as_ref().map(File::as_fd)),
            (Source::Stderr, self.stderr.as_ref().map(File::as_fd)),
            (Source::Cancel, waits.then(|| cancel.as_fd())),
            (Source::Shim, Some(self.control.as_fd())),
        ];
        let open: Vec<(Source, BorrowedFd<'_>)> = all
            .into_iter()
            .filter_map(|(source, fd)| Some((source, fd?)))
            .collect();
        let mut fds: Vec<PollFd<'_>> = open
            .iter()
            .map(|(_, fd)| PollFd::from_borrowed_fd(*fd, PollFlags::IN))
            .collect();
        match poll(&mut fds, Some(&timespec(time))) {
            Err(Errno::INTR) => return Ok(Vec::new()),
            other => other?,
        };
        let ready = open
            .iter()
            .zip(&fds)
            .filter(|(_, fd)| !fd.revents().is_empty());
        Ok(ready.map(|((source, _), _)| *source).collect())
    }

    fn read_stdout(&mut self) {
        let whole = &mut self.whole;
        read_some(&mut self.stdout, |bytes| whole.push(bytes));
        if self.whole.is_too_large() {
            self.stdout = None;
            self.stop(Stop::TooLarge);
        }
    }

    fn read_stderr(&mut self) {
        let log = &mut self.log;
        read_some(&mut self.stderr, |bytes| log.push(bytes));
    }

    /// Hangs up: the shim ends everybody, and answers.
    fn stop(&mut self, why: Stop) {
        if self.stop.is_some() {
            return;
        }
        self.stop = Some(why);
        self.until = self.until.min(Instant::now() + PATIENCE);
        hang_up(&self.control);
        self.wake_the_shim();
    }

    /// A child can stop the process above it; it goes on.
    fn wake_the_shim(&self) {
        // It fails where the shim is dead: its end of the socket says so.
        kill_process(Pid::from_child(&self.shim), Signal::CONT).ok();
    }

    /// What the shim said, once that is the last of it.
    fn listen(&mut self) -> Option<Answer> {
        let mut buffer = [0; 4096];
        match self.control.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return None,
            Ok(count) if count > 0 && self.said.len() < SAYS => {
                self.said.extend_from_slice(&buffer[..count]);
            }
            _ => return Some(Answer::Lost("the process above it is gone".to_owned())),
        }
        while let Some(end) = self.said.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.said.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(Message::Started(started)) => self.started = Some(started),
                Ok(Message::NotStarted(why)) => return Some(Answer::NotStarted(why)),
                Ok(Message::Ended(receipt)) => return Some(Answer::Ended(receipt)),
                Err(error) => return Some(Answer::Lost(error.to_string())),
            }
        }
        None
    }

    /// It has said all, or will never: no child of ours stays behind as a zombie.
    fn bury_the_shim(&mut self) {
        self.shim.kill().ok();
        self.shim.wait().ok();
    }

    /// Does what the shim can do no more; says why the folder is still there.
    fn rescue(&self) -> Option<String> {
        rescue::end_all(&self.mark, self.started.as_ref());
        let folder = Path::new(&self.started.as_ref()?.folder);
        let error = fs_err::remove_dir_all(folder).err()?;
        (error.kind() != io::ErrorKind::NotFound).then(|| error.to_string())
    }

    /// Everybody is dead: what they printed is in the pipes, and a stranger who holds one open is
    /// not waited for.
    fn read_the_rest(&mut self) {
        for _ in 0..LAST_READS {
            let out = self.stdout.as_ref().is_some_and(can_be_read);
            let err = self.stderr.as_ref().is_some_and(can_be_read);
            if out {
                self.read_stdout();
            }
            if err {
                self.read_stderr();
            }
            if !out && !err {
                return;
            }
        }
    }

    fn report(self, answer: Answer, folder: Option<String>) -> Finished {
        let ended = self.ended(&answer);
        let blank = Finished::without_a_start(ended);
        let told = match answer {
            Answer::NotStarted(_) => blank,
            Answer::Lost(why) => Finished {
                descendants: Descendants::NotProvable(why),
                folder_left: folder,
                ..blank
            },
            Answer::Ended(receipt) => Finished {
                status: receipt.status,
                outlived: receipt.outlived,
                descendants: receipt
                    .doubt
                    .map_or(Descendants::None, Descendants::NotProvable),
                folder_left: receipt.folder_left,
                ..blank
            },
        };
        Finished {
            stdout: self.whole.into_bytes(),
            log: self.log,
            took: self.begun.elapsed(),
            ..told
        }
    }

    fn ended(&self, answer: &Answer) -> Ended {
        if self.whole.is_too_large() {
            return Ended::TooLarge;
        }
        match answer {
            Answer::NotStarted(why) => Ended::NotStarted(why.clone()),
            Answer::Ended(receipt) => match (receipt.cause, receipt.status) {
                (Cause::Exit, Some(Status::Exited(code))) => Ended::Exited(code),
                (Cause::Exit, Some(Status::Signalled(signal))) => Ended::Signalled(signal),
                (Cause::Exit, None) => Ended::Lost("nobody saw it end".to_owned()),
                (Cause::Deadline, _) => Ended::Deadline,
                (Cause::HungUp, _) => Ended::Cancelled,
            },
            Answer::Lost(_) if self.stop == Some(Stop::Cancelled) => Ended::Cancelled,
            Answer::Lost(_) if Instant::now() >= self.deadline => Ended::Deadline,
            Answer::Lost(why) => Ended::Lost(why.clone()),
        }
    }
}

fn command(job: &Job, mark: &str, control: UnixStream) -> Command {
    let mut command = Command::new(&job.shim.0);
    let number = |value: u128| OsString::from(value.to_string());
    command
        .arg0("lithermes")
        .arg("host-child")
        .arg("--stdin-bytes")
        .arg(number(job.stdin.len() as u128))
        .arg("--time-ms")
        .arg(number(job.time.min(LONGEST).as_millis()))
        .arg("--")
        .args(&job.argv)
        .env_clear()
        .envs(job.environment.iter().filter(|(name, _)| !is_refused(name)))
        .env(CHILD, mark)
        .current_dir("/")
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(control)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// One for each child that this process starts.
fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}.{number}", std::process::id())
}

fn hang_up(control: &UnixStream) {
    // It fails only where the other end hung up before.
    control.shutdown(Shutdown::Write).ok();
}

fn file(pipe: impl Into<std::os::fd::OwnedFd>) -> File {
    File::from(pipe.into())
}

fn can_be_read(pipe: &File) -> bool {
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    matches!(poll(&mut fds, Some(&Timespec::default())), Ok(ready) if ready > 0)
}

/// One read, which does not block: the pipe was said to be ready. At its end the pipe is closed.
fn read_some(pipe: &mut Option<File>, mut take: impl FnMut(&[u8])) {
    let Some(file) = pipe else { return };
    let mut buffer = [0; CHUNK];
    match file.read(&mut buffer) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Ok(0) | Err(_) => *pipe = None,
        Ok(count) => take(&buffer[..count]),
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec::try_from(time).unwrap_or_default()
}
