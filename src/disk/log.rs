//! Logs that only grow.
//!
//! Promises: a line is there when its line feed is flushed; what failed is cut off again, and
//! where that fails too, the error says so.

use std::io::{Read, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags};

use super::beneath::{Dir, Stat, io_failed, stat_of};
use super::durable::replace_from;
use super::step::{Step, before};
use crate::digest;
use crate::error::{Code, Error, Result};

/// How much is read at once in search of the last line feed.
const CHUNK: u64 = 64 << 10;

/// What group and others may do.
pub const OTHERS: u32 = 0o077;

/// A log that is open for appending.
#[derive(Debug)]
pub struct Appender {
    file: std::fs::File,
    name: String,
    path: PathBuf,
    stat: Stat,
    length: u64,
}

/// Why a line was not appended.
#[derive(Debug)]
pub enum Unwritten {
    /// Nothing of it is there.
    Absent(Error),
    /// It could neither be completed nor cut off: it may be there, whole or in part.
    Unknown(Error),
}

impl From<Unwritten> for Error {
    fn from(unwritten: Unwritten) -> Self {
        match unwritten {
            Unwritten::Absent(error) | Unwritten::Unknown(error) => error,
        }
    }
}

impl Appender {
    /// Opens the log `name`, making it with `mode` (and flushing the directory) where it is
    /// missing. `UNSAFE_PATH` for a link or a thing that is no file.
    pub fn open(dir: &Dir, name: &str, mode: u32) -> Result<Self> {
        let path = dir.path_of(name);
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(dir.fd(), name, flags, Mode::from_raw_mode(mode))
            .map_err(|errno| dir.unopened(name, errno))?;
        let stat =
            rustix::fs::fstat(&fd).map_err(|errno| io_failed("look at", &path, &errno.into()))?;
        let stat = stat_of(&stat);
        if stat.kind != super::Kind::File {
            let text = format!("not a regular file: {}", path.display());
            return Err(Error::new(Code::UnsafePath, text));
        }
        // New, or made by somebody who was killed before this flush.
        if stat.size == 0 {
            dir.flush()?;
        }
        Ok(Self {
            file: fd.into(),
            name: name.to_owned(),
            path,
            stat,
            length: stat.size,
        })
    }

    /// Takes from everybody but the owner what they may do with it: the mode of an older log is
    /// whatever it was made with. Callers hold the lock.
    pub fn close_to_others(&self) -> Result<()> {
        if self.stat.mode & OTHERS == 0 {
            return Ok(());
        }
        let mode = Mode::from_raw_mode(self.stat.mode & !OTHERS);
        rustix::fs::fchmod(&self.file, mode)
            .map_err(|errno| io_failed("change the mode of", &self.path, &errno.into()))
    }

    /// How long the log is, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What was opened.
    pub fn stat(&self) -> &Stat {
        &self.stat
    }

    /// How many bytes stand after the last line feed: a line that was not finished.
    pub fn torn(&self) -> Result<u64> {
        let mut end = self.length;
        while end > 0 {
            let start = end.saturating_sub(CHUNK);
            let chunk = self.bytes(start, end)?;
            if let Some(at) = memchr::memrchr(b'\n', &chunk) {
                return Ok(self.length - (start + at as u64 + 1));
            }
            end = start;
        }
        Ok(self.length)
    }

    /// Moves the last `torn` bytes into a file beside the log, whose name this gives, and cuts
    /// them off.
    pub fn set_aside(&mut self, dir: &Dir, torn: u64) -> Result<String> {
        let whole = self.length.saturating_sub(torn);
        // The tail may be of any size: it is read twice, piece by piece.
        let wrap = |error| io_failed("read", &self.path, &error);
        let tail = || self.part(whole, torn).map_err(wrap);
        let digest = digest::sha256_hex_of(tail()?).map_err(wrap)?;
        let name = format!("{}.torn-{}", self.name, &digest[..12]);
        if dir.stat(&name)?.is_none() {
            replace_from(dir, &name, &format!("{name}.tmp"), tail()?, 0o600)?;
        }
        self.cut(whole)?;
        Ok(name)
    }

    /// Appends `bytes` and flushes. What failed is cut off again, so that nothing half written
    /// stays; where even that fails, the torn tail is the next writer's to set aside.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Unwritten> {
        let Err(error) = self.write(bytes) else {
            self.length += bytes.len() as u64;
            return Ok(());
        };
        let failure = io_failed("append to", &self.path, &error);
        match self.cut_back() {
            Ok(()) => Err(Unwritten::Absent(failure)),
            Err(second) => Err(Unwritten::Unknown(
                failure.caused_by(format!("and {second}")),
            )),
        }
    }

    /// Shortens the log to `length` bytes, flushed.
    pub fn cut(&mut self, length: u64) -> Result<()> {
        let wrap = |error: std::io::Error| io_failed("shorten", &self.path, &error);
        before(Step::Truncate, &self.name).map_err(wrap)?;
        self.file.set_len(length).map_err(wrap)?;
        before(Step::Flush, &self.name).map_err(wrap)?;
        self.file.sync_data().map_err(wrap)?;
        self.length = length;
        Ok(())
    }

    fn cut_back(&mut self) -> Result<()> {
        let wrap = |error: std::io::Error| io_failed("look at", &self.path, &error);
        // A disk that is full took nothing, and may not even take the shortening.
        if self.file.metadata().map_err(wrap)?.len() == self.length {
            return Ok(());
        }
        self.cut(self.length)
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        before(Step::Write, &self.name)?;
        self.file.write_all(bytes)?;
        before(Step::Flush, &self.name)?;
        self.file.sync_data()
    }

    fn part(&self, start: u64, length: u64) -> std::io::Result<impl Read> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        Ok(file.take(length))
    }

    fn bytes(&self, start: u64, end: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(0)];
        let read = self.file.read_exact_at(&mut bytes, start);
        read.map_err(|error| io_failed("read", &self.path, &error))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Appender, CHUNK};
    use crate::digest::sha256_hex;
    use crate::disk::Dir;

    #[test]
    fn a_tail_of_many_pieces_is_set_aside_whole() {
        let held = tempfile::TempDir::new().unwrap();
        let dir = Dir::open_root(held.path()).unwrap().unwrap();
        let tail: Vec<u8> = (0..3 * CHUNK + 7).map(|at| (at % 251) as u8 | 16).collect();
        let whole = b"a line\n".to_vec();
        fs_err::write(dir.path_of("log"), [whole.clone(), tail.clone()].concat()).unwrap();
        let mut log = Appender::open(&dir, "log", 0o600).unwrap();
        let torn = log.torn().unwrap();
        assert_eq!(torn, tail.len() as u64);
        let name = log.set_aside(&dir, torn).unwrap();
        assert_eq!(name, format!("log.torn-{}", &sha256_hex(&tail)[..12]));
        assert_eq!(fs_err::read(dir.path_of(&name)).unwrap(), tail);
        log.append(b"next\n").unwrap();
        let now = fs_err::read(dir.path_of("log")).unwrap();
        assert_eq!(now, [&whole[..], b"next\n"].concat());
    }
}
