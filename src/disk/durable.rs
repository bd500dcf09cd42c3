//! Writing so that a power cut finds the old bytes or the new ones.
//!
//! Promises: bytes are flushed under a temporary name before they get their own; a failed write
//! leaves no temporary file behind.

use std::io::Write as _;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::beneath::{Dir, failed, io_failed};
use super::step::{Step, before};
use crate::error::{Code, Error, Result};

/// Writes `bytes` under the new name `temp`, with exactly `mode`, flushed. The name must be free.
/// The directory is not flushed: the caller's rename or link does that.
pub fn write_new(dir: &Dir, temp: &str, bytes: &[u8], mode: u32) -> Result<()> {
    let path = dir.path_of(temp);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(dir.fd(), temp, flags, Mode::from_raw_mode(0o600))
        .map_err(|errno| failed("create", &path, errno))?;
    let written = fill(std::fs::File::from(fd), temp, bytes, mode);
    written.map_err(|error| {
        let failure = io_failed("write", &path, &error);
        match remove(dir, temp) {
            Ok(_) => failure,
            Err(second) => failure.caused_by(format!("and {second}")),
        }
    })
}

fn fill(mut file: std::fs::File, temp: &str, bytes: &[u8], mode: u32) -> std::io::Result<()> {
    if !bytes.is_empty() {
        before(Step::Write, temp)?;
        file.write_all(bytes)?;
    }
    rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
    before(Step::Flush, temp)?;
    rustix::fs::fsync(&file)?;
    Ok(())
}

/// Gives `name` the content `bytes`, whatever was there: temporary file, flush, rename, flush of
/// the directory. A temporary file of that name is a killed process's: callers hold the lock.
pub fn replace(dir: &Dir, name: &str, temp: &str, bytes: &[u8], mode: u32) -> Result<()> {
    if dir.stat(temp)?.is_some() {
        remove(dir, temp)?;
    }
    write_new(dir, temp, bytes, mode)?;
    rename(dir, temp, dir, name)?;
    dir.flush()
}

/// Renames without flushing either directory.
pub fn rename(from: &Dir, old: &str, to: &Dir, new: &str) -> Result<()> {
    before(Step::Rename, new)?;
    rustix::fs::renameat(from.fd(), old, to.fd(), new)
        .map_err(|errno| failed("rename to", &to.path_of(new), errno))
}

/// Removes a file; `false` where nothing was there.
pub fn remove(dir: &Dir, name: &str) -> Result<bool> {
    before(Step::Unlink, name)?;
    match rustix::fs::unlinkat(dir.fd(), name, AtFlags::empty()) {
        Ok(()) => Ok(true),
        Err(Errno::NOENT) => Ok(false),
        Err(errno) => Err(failed("remove", &dir.path_of(name), errno)),
    }
}

/// Removes an empty directory; `false` where it is missing or not empty.
pub fn remove_empty_dir(dir: &Dir, name: &str) -> Result<bool> {
    before(Step::Rmdir, name)?;
    match rustix::fs::unlinkat(dir.fd(), name, AtFlags::REMOVEDIR) {
        Ok(()) => Ok(true),
        Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        Err(errno) => Err(failed("remove the directory", &dir.path_of(name), errno)),
    }
}

/// A log that only grows. A line is there when its line feed is flushed.
#[derive(Debug)]
pub struct Appender {
    file: std::fs::File,
    name: String,
    path: std::path::PathBuf,
    length: u64,
}

impl Appender {
    /// Opens the log `name` for appending, making it with `mode` (and flushing the directory)
    /// where it is missing.
    pub fn open(dir: &Dir, name: &str, mode: u32) -> Result<Self> {
        let path = dir.path_of(name);
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(dir.fd(), name, flags, Mode::from_raw_mode(mode))
            .map_err(|errno| failed("open", &path, errno))?;
        let stat = rustix::fs::fstat(&fd).map_err(|errno| failed("look at", &path, errno))?;
        if rustix::fs::FileType::from_raw_mode(stat.st_mode) != rustix::fs::FileType::RegularFile {
            let text = format!("not a regular file: {}", path.display());
            return Err(Error::new(Code::UnsafePath, text));
        }
        let length = u64::try_from(stat.st_size).unwrap_or(0);
        // New, or made by somebody who was killed before this flush.
        if length == 0 {
            dir.flush()?;
        }
        Ok(Self {
            file: fd.into(),
            name: name.to_owned(),
            path,
            length,
        })
    }

    /// How long the log is, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends `bytes` and flushes. What failed is cut off again, so that nothing half written
    /// stays; where even that fails, the torn tail is the next reader's to set aside.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.write(bytes);
        if let Err(error) = written {
            let failure = io_failed("append to", &self.path, &error);
            return Err(match self.cut(self.length) {
                Ok(()) => failure,
                Err(second) => failure.caused_by(format!("and {second}")),
            });
        }
        self.length += bytes.len() as u64;
        Ok(())
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

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        before(Step::Write, &self.name)?;
        self.file.write_all(bytes)?;
        before(Step::Flush, &self.name)?;
        self.file.sync_data()
    }
}
