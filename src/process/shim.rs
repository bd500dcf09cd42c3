//! What stands above a child: `lithermes host-child` (conference.md A2).
//!
//! Promises: when the child ends, its time is up, or the root hangs up (it may have died, of
//! whatever), everybody who came of the child is asked to end, then made to; the folder is removed;
//! and only then the root is told how it was.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tempfile::TempDir;

use super::family::{Death, Family, gather};
use super::finished::Status;
use super::message::{Cause, Message, Receipt, Started};
use super::{GRACE, LAST};
use crate::error::{Code, Error, Result};

/// Before a child's folder's own letters.
const FOLDER: &str = "lithermes-child-";
/// Enough for threads that only wait.
const STACK: usize = 128 << 10;

/// What the root asks for.
#[derive(Debug)]
pub struct Order<'a> {
    /// Program and arguments of the child.
    pub argv: &'a [OsString],
    /// How much of what stands in the socket the child reads.
    pub stdin_bytes: u64,
    /// From now to the deadline.
    pub time: Duration,
}

/// Watches one child to its end. Standard input is the socket to the root; environment, standard
/// output and standard error are the child's. Fails where nobody started this on purpose.
pub fn watch(order: &Order<'_>) -> Result<()> {
    let deadline = Instant::now().checked_add(order.time);
    let root = socket()?;
    // No terminal of a person's: a child that asks for a password fails instead of waiting.
    // It can fail only where this leads a group, and then a person started it.
    rustix::process::setsid().ok();
    let Some(input) = received(&root, order.stdin_bytes) else {
        return Ok(()); // The root went away before there was a child.
    };
    let message = match Watch::start(order.argv, input, &root) {
        Ok(watch) => Message::Ended(watch.end(deadline)),
        Err(error) => Message::NotStarted(error.to_string()),
    };
    tell(&root, &message);
    Ok(())
}

fn socket() -> Result<UnixStream> {
    let root = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    match root.peer_addr() {
        Ok(_) => Ok(root),
        Err(_) => Err(Error::new(
            Code::Usage,
            "`host-child` is started by lithermes itself, on a socket",
        )),
    }
}

fn received(root: &UnixStream, bytes: u64) -> Option<Vec<u8>> {
    let mut input = Vec::new();
    let count = root.take(bytes).read_to_end(&mut input).ok()?;
    (count as u64 == bytes).then_some(input)
}

fn tell(mut root: &UnixStream, message: &Message) {
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    // A root that died has nobody to be told.
    root.write_all(&line).ok();
}

/// What the shim waits for.
enum News {
    Death(Death),
    HungUp,
}

struct Watch {
    family: Arc<Family>,
    folder: TempDir,
    gathers: bool,
    news: Receiver<News>,
    status: Option<Status>,
}

impl Watch {
    /// Threads first: once there is a child, nothing may fail.
    fn start(argv: &[OsString], input: Vec<u8>, root: &UnixStream) -> io::Result<Self> {
        let (program, args) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let (sender, news) = sync_channel(16);
        let (families, family) = sync_channel(1);
        let (pipes, pipe) = sync_channel(1);
        spawn("root", listen(root.try_clone()?, sender.clone()))?;
        spawn("deaths", count_deaths(family, sender))?;
        spawn("stdin", feed(pipe, input))?;
        let gathers = gather();
        let folder = tempfile::Builder::new().prefix(FOLDER).tempdir()?;

        let mut child = Command::new(program)
            .args(args)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let leader = Pid::from_child(&child);
        let family = Arc::new(Family::of(leader, gathers));
        let started = Started {
            pid: leader.as_raw_pid(),
            folder: folder.path().as_os_str().to_owned(),
        };
        tell(root, &Message::Started(started));
        hand_over(&families, Arc::clone(&family));
        if let Some(stdin) = child.stdin.take() {
            hand_over(&pipes, stdin);
        }
        Ok(Self {
            family,
            folder,
            gathers,
            news,
            status: None,
        })
    }

    fn end(mut self, deadline: Option<Instant>) -> Receipt {
        let cause = self.cause(deadline);
        let mut told = BTreeSet::new();
        let family = Arc::clone(&self.family);
        let mut outlived = false;
        let gone = self.wait_for_all(GRACE, || {
            outlived |= family.signal(Signal::TERM, &mut told);
        }) || self.wait_for_all(LAST, || {
            family.signal(Signal::KILL, &mut BTreeSet::new());
        });
        if !self.gathers {
            // Those who lost a parent went elsewhere; what is in the group can still be reached.
            family.signal(Signal::KILL, &mut BTreeSet::new());
        }
        Receipt {
            cause,
            status: self.status,
            outlived: outlived && cause == Cause::Exit,
            doubt: doubt(self.gathers, gone),
            folder_left: removed(self.folder),
        }
    }

    /// Waits for what ends the watch.
    fn cause(&mut self, deadline: Option<Instant>) -> Cause {
        loop {
            match self.next(deadline) {
                None => return Cause::Deadline,
                Some(News::HungUp) => return Cause::HungUp,
                Some(News::Death(Death::Leader(_) | Death::All)) => return Cause::Exit,
                Some(News::Death(Death::Other)) => {}
            }
        }
    }

    /// Does `act` now and after each death; whether nobody was left in time.
    fn wait_for_all(&mut self, time: Duration, mut act: impl FnMut()) -> bool {
        let end = Instant::now().checked_add(time);
        loop {
            act();
            match self.next(end) {
                Some(News::Death(Death::All)) => return true,
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// The next news; `None` when the time is up.
    fn next(&mut self, end: Option<Instant>) -> Option<News> {
        let news = match end {
            Some(end) => self
                .news
                .recv_timeout(end.saturating_duration_since(Instant::now()))
                .ok()?,
            None => self.news.recv().ok()?,
        };
        if let News::Death(Death::Leader(status)) = &news {
            self.status = *status;
        }
        Some(news)
    }
}

fn doubt(gathers: bool, gone: bool) -> Option<String> {
    match (gathers, gone) {
        (true, true) => None,
        (true, false) => Some("a process was killed and did not end".to_owned()),
        (false, _) => Some("this system does not tell who left the group".to_owned()),
    }
}

fn removed(folder: TempDir) -> Option<String> {
    let path = folder.path().to_owned();
    let error = folder.close().err()?;
    Some(format!("{}: {error}", path.display()))
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = Builder::new()
        .name(name.to_owned())
        .stack_size(STACK)
        .spawn(work)?;
    drop(thread);
    Ok(())
}

/// The other end is a thread that waits for exactly this.
fn hand_over<T>(sender: &SyncSender<T>, value: T) {
    sender.send(value).ok();
}

fn listen(mut root: UnixStream, news: SyncSender<News>) -> impl FnOnce() + Send {
    move || {
        // The root says nothing more: whatever ends this read, it is over.
        root.read_exact(&mut [0]).ok();
        hand_over(&news, News::HungUp);
    }
}

fn count_deaths(family: Receiver<Arc<Family>>, news: SyncSender<News>) -> impl FnOnce() + Send {
    move || {
        let Ok(family) = family.recv() else { return };
        loop {
            let death = family.next_death();
            let last = matches!(death, Death::All);
            if news.send(News::Death(death)).is_err() || last {
                return;
            }
        }
    }
}

fn feed(pipe: Receiver<ChildStdin>, input: Vec<u8>) -> impl FnOnce() + Send {
    move || {
        let Ok(mut stdin) = pipe.recv() else { return };
        // A child need not read. What it says counts, not what it heard.
        stdin.write_all(&input).ok();
    }
}
