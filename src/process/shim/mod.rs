//! What stands above a child: `lithermes host-child` (conference.md A2).
//!
//! Promises: when the child ends, its time is up, or the root hangs up (it may have died, of
//! whatever), everybody who came of the child is asked to end, then made to; the folder is removed;
//! and only then the root is told how it was.

mod ears;
mod kept;
pub mod leash;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tempfile::TempDir;

use self::ears::Ears;
use super::family::{Death, Family, gather};
use super::finished::Status;
use super::message::{Cause, Message, Receipt};
use super::{GRACE, LAST, LONGEST};
use crate::error::{Code, Error, Result};

/// The first argument of a lithermes that stands above a child.
pub const NAME: &str = "host-child";

/// Before a child's folder's own letters.
const FOLDER: &str = "lithermes-child-";

/// What the root asks for.
#[derive(Debug)]
pub struct Order<'a> {
    /// Program and arguments of the child.
    pub argv: &'a [OsString],
    /// How much of what stands in the socket the child reads.
    pub stdin_bytes: u64,
    /// From now to the deadline.
    pub time: Duration,
    /// The file of its folder whose text is handed over.
    pub keep: Option<&'a OsStr>,
}

/// Watches one child to its end. Standard input is the socket to the root; environment, standard
/// output and standard error are the child's. Fails where nobody started this on purpose.
pub fn watch(order: &Order<'_>) -> Result<()> {
    let deadline = Instant::now() + order.time.min(LONGEST);
    let root = socket()?;
    // No terminal of a person's: a child that asks for a password fails instead of waiting.
    // It can fail only where this leads a group, and then a person started it.
    rustix::process::setsid().ok();
    let Some(input) = received(&root, order.stdin_bytes) else {
        return Ok(()); // The root went away before there was a child.
    };
    let message = match Watch::start(order.argv, input, &root) {
        Ok(watch) => watch.end(deadline, order.keep),
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

struct Watch {
    family: Family,
    folder: TempDir,
    ears: Ears,
    status: Option<Status>,
}

/// What ends a wait.
enum News {
    Death(Death),
    HungUp,
    TimeUp,
}

impl Watch {
    /// All that can fail comes before there is a child.
    fn start(argv: &[OsString], input: Vec<u8>, root: &UnixStream) -> io::Result<Self> {
        let mut command = leash::command(argv)?;
        let mut ears = Ears::open(root.try_clone()?)?;
        let gathers = gather();
        let folder = tempfile::Builder::new().prefix(FOLDER).tempdir()?;
        tell(root, &Message::Folder(folder.path().into()));
        let mut child = command
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let leader = Pid::from_child(&child);
        tell(root, &Message::Started(leader.as_raw_pid()));
        if let Some(stdin) = child.stdin.take() {
            ears.feed(stdin, input);
        }
        Ok(Self {
            family: Family::of(leader, gathers),
            folder,
            ears,
            status: None,
        })
    }

    fn end(mut self, deadline: Instant, keep: Option<&OsStr>) -> Message {
        let cause = self.cause(deadline);
        let mut told = BTreeSet::new();
        let mut outlived = false;
        let gone = self.all_end_within(GRACE, |family| {
            outlived |= family.signal(Signal::TERM, &mut told);
        }) || self.all_end_within(LAST, |family| {
            family.signal(Signal::KILL, &mut BTreeSet::new());
        });
        if !self.family.gathers() {
            // Those who lost a parent went elsewhere; what is in the group can still be reached.
            self.family.signal(Signal::KILL, &mut BTreeSet::new());
        }
        let doubt = doubt(self.family.gathers(), gone);
        let is_alone = doubt.is_none();
        if let Some(why) = leash::failure(self.folder.path()).filter(|_| is_alone) {
            return Message::NotStarted(why);
        }
        Message::Ended(Receipt {
            cause,
            status: self.status,
            outlived: outlived && cause == Cause::Exit,
            doubt,
            kept: keep.and_then(|name| kept::text(&self.folder.path().join(name))),
            folder_left: removed(self.folder),
        })
    }

    /// Waits for what ends the watch.
    fn cause(&mut self, deadline: Instant) -> Cause {
        loop {
            match self.next(deadline) {
                News::TimeUp => return Cause::Deadline,
                News::HungUp => return Cause::HungUp,
                News::Death(Death::Leader(_) | Death::All) => return Cause::Exit,
                News::Death(Death::Other) => {}
            }
        }
    }

    /// Does `act` now and after each death; whether nobody was left in time.
    fn all_end_within(&mut self, time: Duration, mut act: impl FnMut(&Family)) -> bool {
        let end = Instant::now() + time;
        loop {
            act(&self.family);
            match self.next(end) {
                News::Death(Death::All) => return true,
                News::TimeUp => return false,
                News::Death(_) | News::HungUp => {}
            }
        }
    }

    /// The next news. Time and root come first: a family may die and grow without end.
    fn next(&mut self, end: Instant) -> News {
        loop {
            if Instant::now() >= end {
                return News::TimeUp;
            }
            if self.ears.hear_the_end() {
                return News::HungUp;
            }
            match self.family.reap() {
                None => self.ears.wait(end),
                Some(death) => {
                    if let Death::Leader(status) = death {
                        self.status = status;
                    }
                    return News::Death(death);
                }
            }
        }
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
