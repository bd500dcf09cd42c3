//! The line to one shim: it is started, listened to, hung up on, and buried.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, Signal, kill_process};

use crate::process::environment::{CHILD, is_refused};
use crate::process::message::{Message, Receipt};
use crate::process::{Job, KEPT, LONGEST, PATIENCE, rescue, shim};

/// Bytes that a shim may say: each of what it keeps may need six in JSON.
const MOST_SAID: usize = (6 * KEPT) + (16 << 10);

pub(super) struct Line {
    shim: Child,
    socket: UnixStream,
    /// What the child bears in its environment.
    mark: String,
    said: Vec<u8>,
    group: Option<i32>,
    folder: Option<PathBuf>,
}

/// What became of the shim.
pub(super) enum Answer {
    NotStarted(String),
    Ended(Receipt),
    Lost(String),
}

impl Line {
    /// Starts the shim; gives what the child prints, too.
    pub(super) fn open(job: &Job) -> io::Result<(Self, Option<File>, Option<File>)> {
        if job.argv.is_empty() {
            let kind = io::ErrorKind::InvalidInput;
            return Err(io::Error::new(kind, "no program was named"));
        }
        let mark = new_mark();
        let (mut socket, theirs) = UnixStream::pair()?;
        socket.set_write_timeout(Some(PATIENCE))?;
        let mut shim = command(job, &mark, theirs).spawn()?;
        if socket.write_all(&job.stdin).is_err() {
            // It did not take its work. Told to leave, it says nothing, and is found lost.
            socket.shutdown(Shutdown::Write).ok();
        }
        let stdout = shim
            .stdout
            .take()
            .map(|pipe| File::from(OwnedFd::from(pipe)));
        let stderr = shim
            .stderr
            .take()
            .map(|pipe| File::from(OwnedFd::from(pipe)));
        let line = Self {
            shim,
            socket,
            mark,
            said: Vec::new(),
            group: None,
            folder: None,
        };
        Ok((line, stdout, stderr))
    }

    /// What the shim said, once that is the last of it. Blocks where nothing can be read.
    pub(super) fn listen(&mut self) -> Option<Answer> {
        let mut buffer = [0; 4096];
        match self.socket.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return None,
            Ok(count) if count > 0 && self.said.len() < MOST_SAID => {
                self.said.extend_from_slice(&buffer[..count]);
            }
            _ => return Some(Answer::Lost("the process above it is gone".to_owned())),
        }
        while let Some(end) = self.said.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.said.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(Message::Folder(folder)) => self.folder = Some(folder.into()),
                Ok(Message::Started(pid)) => self.group = Some(pid),
                Ok(Message::NotStarted(why)) => return Some(Answer::NotStarted(why)),
                Ok(Message::Ended(receipt)) => return Some(Answer::Ended(receipt)),
                Err(error) => return Some(Answer::Lost(error.to_string())),
            }
        }
        None
    }

    pub(super) fn hang_up(&self) {
        // It fails only where the other end hung up before.
        self.socket.shutdown(Shutdown::Write).ok();
    }

    /// A child can stop the process above it; it goes on.
    pub(super) fn wake(&self) {
        // It fails where the shim is dead: its end of the socket says so.
        kill_process(Pid::from_child(&self.shim), Signal::CONT).ok();
    }

    /// It has said all, or will never: no child of ours stays behind as a zombie.
    pub(super) fn close(&mut self) {
        self.shim.kill().ok();
        self.shim.wait().ok();
    }

    /// Does what a lost shim can do no more; says why the folder is still there.
    pub(super) fn rescue(&self) -> Option<String> {
        rescue::end_all(&self.mark, self.group);
        let error = fs_err::remove_dir_all(self.folder.as_ref()?).err()?;
        (error.kind() != io::ErrorKind::NotFound).then(|| error.to_string())
    }
}

/// Can be read when the shim says something, or is gone.
impl AsFd for Line {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn command(job: &Job, mark: &str, socket: UnixStream) -> Command {
    let environment = job.environment.iter().filter(|(name, _)| !is_refused(name));
    let mut command = Command::new(&job.shim.0);
    command
        .arg0("lithermes")
        .arg(shim::NAME)
        .arg(format!("--stdin-bytes={}", job.stdin.len()))
        .arg(format!("--time-ms={}", job.time.min(LONGEST).as_millis()));
    if let Some(name) = &job.keep {
        command.arg("--keep").arg(name);
    }
    command
        .arg("--")
        .args(&job.argv)
        .env_clear()
        .envs(environment)
        .env(CHILD, mark)
        .current_dir("/")
        .stdin(OwnedFd::from(socket))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Another one for each child that this process starts.
fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}.{number}", std::process::id())
}
