//! A conference's memory on disk: the events, and the packets that they name (conference.md A5,
//! A9.1).
//!
//! Promises: below the root no link is followed; one runner at a time; a line is there when it is
//! flushed, and the bytes that it names were flushed before it; what is read is hashed again, and
//! nothing is repaired by guessing.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::charter::{self, Charter};
use super::event::{Event, Line};
use super::id::Call;
use super::packet::{self, Packet};
use super::state::{Illegal, State};
use crate::clock;
use crate::digest;
use crate::disk::log::Appender;
use crate::disk::{Dir, Lock, durable};
use crate::error::{Code, Error, Result};

/// The events, below the root.
pub const EVENTS: &str = "conference_events.jsonl";
/// Charters and packets, each under its digest.
pub const PACKETS: &str = "packets";
/// Whoever holds it is the root.
pub const LOCK: &str = "conference.lock";
/// Somebody asks to stop.
pub const CANCEL: &str = "cancel.request";

/// A line longer than this is damage, not data.
const MAX_LINE: u64 = 4 << 20;
/// Files of [`PACKETS`] at most.
const FILES: usize = 1 << 17;
/// How long to wait for another runner: a look at the lock is over at once, a run is not.
const PATIENCE: Duration = Duration::from_millis(600);

/// What the events of a root say.
#[derive(Debug, Default)]
pub struct Record {
    /// The state that they make.
    pub state: State,
    /// Number and time of the last line.
    pub last: Option<(u64, Timestamp)>,
    /// SHA-256 of the complete lines, without those that repeat the one before them.
    pub head: digest::Running,
    /// Bytes behind the last line feed.
    pub torn: u64,
    /// Lines that repeat the one before them, byte for byte.
    pub repeated: u64,
    /// The file that is announced as the last thing.
    pub announced: Option<Announced>,
    /// The first line bears no sequence: a run without receipts, which is not replayed.
    pub legacy: bool,
}

/// A line of the events, before it is taken into the state.
#[derive(Debug)]
pub struct Heard<'a> {
    /// The line.
    pub line: &'a Line,
    /// SHA-256 of all complete lines up to this one.
    pub head: &'a digest::Running,
    /// What the lines before it make.
    pub before: &'a State,
}

/// A file that is announced as the last thing: whoever did may have ended before it was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// Below the root.
    pub path: String,
    /// What it may still be: what was recorded of it before, and `None` where it was not written
    /// yet. More than one where it was announced again before it was written.
    pub before: Vec<Option<String>>,
}

impl Announced {
    /// What is announced after a line, where `last` was before it. What comes in from outside is
    /// recorded by others than the one who announces, who goes on only once the file is there.
    fn after(line: &Line, state: &State, last: Option<Self>) -> Option<Self> {
        match &line.event {
            Event::ArtifactWritten { path, .. } => {
                let same = last.filter(|last| last.path == *path);
                let mut before = same.map_or_else(Vec::new, |last| last.before);
                before.push(state.artifacts.get(path).cloned());
                let path = path.clone();
                Some(Self { path, before })
            }
            Event::Accepted { .. }
            | Event::Rejected(_)
            | Event::Stale(_)
            | Event::Duplicate(_)
            | Event::Received(_)
            | Event::Failed(_)
            | Event::TimedOut(_)
            | Event::Cancelled(_)
            | Event::Settled(_)
            | Event::CancelRequested { .. }
            | Event::Resumed(_) => last,
            _ => None,
        }
    }
}

/// Replays the events of a root. `BLOCKED_STALE_CONFERENCE_STATE` for a line that is not legal
/// where it stands, and for a packet that is missing or is not what its name says.
pub fn replay(root: &Dir) -> Result<Record> {
    replay_aloud(root, &mut |_| {})?.map_err(illegal)
}

/// As [`replay`], and `hear` gets each line in its turn; the first that does not hold is the inner
/// error, and nothing behind it is read.
pub fn replay_aloud(
    root: &Dir,
    hear: &mut dyn FnMut(Heard<'_>),
) -> Result<Result<Record, Illegal>> {
    let mut record = Record::default();
    let Some(file) = root.open_file(EVENTS)? else {
        return Ok(Ok(record));
    };
    let packets = root.sub(PACKETS)?;
    let found = |digest: &str| read_packet(packets.as_ref()?, digest);
    let mut reader = BufReader::with_capacity(256 << 10, file);
    let (mut bytes, mut before) = (Vec::new(), Vec::new());
    loop {
        bytes.clear();
        std::io::Read::take(&mut reader, MAX_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.last() != Some(&b'\n') {
            if bytes.len() as u64 == MAX_LINE {
                return Ok(Err(too_long(record.state.lines + 1)));
            }
            record.torn = bytes.len() as u64;
            break;
        }
        if bytes == before {
            record.repeated += 1;
            continue;
        }
        record.head.add(&bytes);
        let number = record.state.lines + 1;
        let line = match parse(&bytes, number) {
            Ok(line) => line,
            Err(_) if number == 1 && is_legacy(&bytes) => {
                record.legacy = true;
                break;
            }
            Err(illegal) => return Ok(Err(illegal)),
        };
        hear(Heard {
            line: &line,
            head: &record.head,
            before: &record.state,
        });
        record.last = Some((line.seq, line.timestamp));
        let last = record.announced.take();
        record.announced = Announced::after(&line, &record.state, last);
        let state = std::mem::take(&mut record.state);
        record.state = match state.after(&line, &found) {
            Ok(state) => state,
            Err(illegal) => return Ok(Err(illegal)),
        };
        std::mem::swap(&mut bytes, &mut before);
    }
    Ok(Ok(record))
}

/// What is too long to be a line is no torn one either: whole lines may stand behind it.
fn too_long(line: u64) -> Illegal {
    let what = format!("it is longer than {MAX_LINE} bytes");
    Illegal { line, what }
}

fn parse(bytes: &[u8], number: u64) -> Result<Line, Illegal> {
    let illegal = |what: String| Illegal { line: number, what };
    let line: Line = serde_json::from_slice(bytes)
        .map_err(|error| illegal(format!("it is no event of a conference ({error})")))?;
    if !line.is_genuine() {
        let what = "it is not what its event_id was made from";
        return Err(illegal(what.to_owned()));
    }
    // What a reader passes over, such as a key that it does not know, is no part of the id.
    match spelled(&line).is_ok_and(|spelled| spelled == bytes) {
        true => Ok(line),
        false => Err(illegal("it is not spelled as it was written".to_owned())),
    }
}

fn spelled(line: &Line) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)
        .map_err(|error| Error::new(Code::Io, "an event cannot be spelled").caused_by(error))?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn is_legacy(bytes: &[u8]) -> bool {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    value.is_some_and(|value| value.get("event").is_some() && value.get("seq").is_none())
}

fn illegal(illegal: Illegal) -> Error {
    let Illegal { line, what } = illegal;
    let text = format!("line {line} of {EVENTS} does not hold: {what}");
    Error::new(Code::BlockedStaleConferenceState, text)
        .hint("restore the file from a backup; nothing was written")
}

/// The charters of the calls that are out, in their order.
pub fn open_charters(root: &Dir, state: &State) -> Result<Vec<Charter>> {
    let Some(packets) = root.sub(PACKETS)? else {
        return Ok(Vec::new());
    };
    let open = state.open_calls();
    open.map(|call| read_charter(&packets, state, call))
        .collect()
}

fn read_charter(packets: &Dir, state: &State, call: Call) -> Result<Charter> {
    let account = state.accounts.get(&call);
    let digest = account.map_or("", |account| account.charter.as_str());
    let name = format!("{digest}.json");
    let bytes = packets.read(&name, charter::MAX_BYTES as u64 * 2)?;
    let bytes = bytes.map(|content| content.bytes).unwrap_or_default();
    let genuine = digest::sha256_hex(&bytes) == digest;
    let charter = serde_json::from_slice(&bytes).ok().filter(|_| genuine);
    charter.ok_or_else(|| {
        let text = format!("{PACKETS}/{name}, the charter of {call}, is not what its name says");
        Error::new(Code::BlockedStaleConferenceState, text)
            .expected(digest)
            .found(digest::sha256_hex(&bytes))
    })
}

/// A packet whose bytes are what its name says.
fn read_packet(packets: &Dir, digest: &str) -> Option<Arc<Packet>> {
    let limit = packet::MAX_BYTES as u64 * 8;
    let bytes = packets.read(&format!("{digest}.json"), limit).ok()??.bytes;
    let genuine = digest::sha256_hex(&bytes) == digest;
    genuine.then(|| serde_json::from_slice(&bytes).ok().map(Arc::new))?
}

/// Asked before each write: whether it may still be done.
type Leave = Box<dyn Fn() -> Result<()>>;

/// The journal of whoever is the root.
pub struct Journal {
    root: Dir,
    packets: Dir,
    log: Appender,
    lock: Lock,
    state: State,
    last: Option<(u64, Timestamp)>,
    head: digest::Running,
    waiting: Vec<u8>,
    fresh: Vec<Line>,
    known: HashMap<String, Arc<Packet>>,
    /// Files of `packets/` whose names are not flushed yet.
    is_kept: bool,
    leave: Option<Leave>,
}

impl Journal {
    /// Becomes the root of a conference: takes its lock, sets a torn last line aside, and replays
    /// what is there. `LOCK_TIMEOUT` where somebody else is. Tells what it set aside.
    pub fn open(root: &Dir, holder: &str) -> Result<(Self, Option<String>)> {
        let lock = Lock::acquire(root, LOCK, PATIENCE, holder, &mut |_| {})?;
        let record = replay(root)?;
        if record.legacy {
            let text = format!("{EVENTS} is of a run without receipts");
            return Err(Error::new(Code::LegacyUnreceipted, text));
        }
        let (packets, _) = root.sub_or_create(PACKETS, 0o700)?;
        let mut log = Appender::open(root, EVENTS, 0o600)?;
        let aside = match record.torn {
            0 => None,
            torn => Some(log.set_aside(root, torn)?),
        };
        let journal = Self {
            root: root.again()?,
            packets,
            log,
            lock,
            state: record.state,
            last: record.last,
            head: record.head,
            waiting: Vec::new(),
            fresh: Vec::new(),
            known: HashMap::new(),
            is_kept: false,
            leave: None,
        };
        Ok((journal, aside))
    }

    /// From now on nothing is written where `leave` refuses.
    pub fn ask(&mut self, leave: Leave) {
        self.leave = Some(leave);
    }

    fn may_write(&self) -> Result<()> {
        self.leave.as_ref().map_or(Ok(()), |leave| leave())
    }

    /// What the events make, those included that wait to be flushed.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The charter of a call that was issued. `BLOCKED_STALE_CONFERENCE_STATE` where it is missing
    /// or is not what its name says.
    pub fn charter(&self, call: Call) -> Result<Charter> {
        read_charter(&self.packets, &self.state, call)
    }

    /// The root.
    pub fn root(&self) -> &Dir {
        &self.root
    }

    /// How many complete lines there are, and SHA-256 of them.
    pub fn head(&self) -> (u64, String) {
        (self.state.lines, self.head.hex())
    }

    /// Adds an event. It is durable after [`Journal::commit`], which comes before whatever it
    /// announces.
    pub fn record(&mut self, event: Event) -> Result<()> {
        let line = Line::following(self.last, event, clock::now());
        let known = |digest: &str| self.known.get(digest).cloned();
        let state = std::mem::take(&mut self.state);
        self.state = state.after(&line, &known).map_err(illegal)?;
        self.waiting.extend_from_slice(&spelled(&line)?);
        self.last = Some((line.seq, line.timestamp));
        self.fresh.push(line);
        Ok(())
    }

    /// Flushes what was recorded, and gives it.
    pub fn commit(&mut self) -> Result<Vec<Line>> {
        if std::mem::take(&mut self.is_kept) {
            self.packets.flush()?;
        }
        if !self.waiting.is_empty() {
            self.may_write()?;
            self.log.append(&self.waiting)?;
            self.head.add(&self.waiting);
            self.waiting.clear();
        }
        Ok(std::mem::take(&mut self.fresh))
    }

    /// Keeps bytes under their digest, and gives it. Their name is durable with the next commit.
    pub fn keep(&mut self, bytes: &[u8]) -> Result<String> {
        let digest = digest::sha256_hex(bytes);
        self.keep_as(&format!("{digest}.json"), bytes)?;
        Ok(digest)
    }

    /// Keeps a packet that is about to be accepted.
    pub fn keep_packet(&mut self, packet: Packet) -> Result<()> {
        let digest = self.keep(&packet.bytes())?;
        self.known.insert(digest, Arc::new(packet));
        Ok(())
    }

    /// Keeps the text of a refused packet, redacted by the caller, under the digest of what came.
    pub fn keep_refused(&mut self, raw_digest: &str, text: &str) -> Result<()> {
        self.keep_as(&format!("{raw_digest}.refused"), text.as_bytes())
    }

    fn keep_as(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        match self.packets.stat(name)? {
            // Whole under this name, or it would not have it.
            Some(_) => Ok(()),
            None => {
                self.may_write()?;
                let temp = format!("{name}.tmp");
                durable::put(&self.packets, name, &temp, bytes, 0o600)?;
                self.is_kept = true;
                Ok(())
            }
        }
    }

    /// Takes away what a process that was killed had not finished.
    pub fn sweep(&self) -> Result<()> {
        for entry in self.packets.entries(FILES)? {
            let name = entry.name.to_string_lossy();
            if name.ends_with(".tmp") {
                durable::remove(&self.packets, &name)?;
            }
        }
        Ok(())
    }

    /// Whether somebody left a request to stop.
    pub fn is_cancel_asked(&self) -> Result<bool> {
        Ok(self.root.stat(CANCEL)?.is_some())
    }

    /// Takes a request to stop away.
    pub fn clear_cancel(&self) -> Result<()> {
        durable::remove(&self.root, CANCEL).map(drop)
    }

    /// Lets go of the root.
    pub fn close(self) -> Result<()> {
        self.lock.release()
    }
}
