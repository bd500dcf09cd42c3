//! Writing so that a power cut finds the old bytes or the new ones.
//!
//! Promises: bytes are flushed under a temporary name before they get their own; a failed write
//! leaves no temporary file behind.

use std::fs::File;
use std::io::{self, Read, Write as _};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::beneath::{Dir, failed, io_failed};
use super::step::{Step, before};
use crate::error::Result;

/// How much of a source is in memory at once.
const PIECE: usize = 64 << 10;

/// Writes `bytes` under the new name `temp`, with exactly `mode`, flushed. The name must be free.
/// The directory is not flushed: the caller's rename or link does that.
pub fn write_new(dir: &Dir, temp: &str, bytes: &[u8], mode: u32) -> Result<()> {
    write_new_with(dir, temp, mode, |file| {
        if bytes.is_empty() {
            return Ok(());
        }
        before(Step::Write, temp)?;
        file.write_all(bytes)
    })
}

fn write_new_with(
    dir: &Dir,
    temp: &str,
    mode: u32,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<()> {
    let path = dir.path_of(temp);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(dir.fd(), temp, flags, Mode::from_raw_mode(0o600))
        .map_err(|errno| failed("create", &path, errno))?;
    let written = fill(File::from(fd), temp, mode, write);
    written.map_err(|error| {
        let failure = io_failed("write", &path, &error);
        match remove(dir, temp) {
            Ok(_) => failure,
            Err(second) => failure.caused_by(format!("and {second}")),
        }
    })
}

fn fill(
    mut file: File,
    temp: &str,
    mode: u32,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    write(&mut file)?;
    rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
    before(Step::Flush, temp)?;
    rustix::fs::fsync(&file)?;
    Ok(())
}

/// Gives `name` the content `bytes`, whatever was there: temporary file, flush, rename, flush of
/// the directory. A temporary file of that name is a killed process's: callers hold the lock.
pub fn replace(dir: &Dir, name: &str, temp: &str, bytes: &[u8], mode: u32) -> Result<()> {
    put(dir, name, temp, bytes, mode)?;
    dir.flush()
}

/// As [`replace`], for many files at once: the caller flushes the directory behind the last.
pub fn put(dir: &Dir, name: &str, temp: &str, bytes: &[u8], mode: u32) -> Result<()> {
    clear(dir, temp)?;
    write_new(dir, temp, bytes, mode)?;
    rename(dir, temp, dir, name)
}

/// As [`replace`], with all that a source gives, piece by piece.
pub fn replace_from(
    dir: &Dir,
    name: &str,
    temp: &str,
    mut source: impl Read,
    mode: u32,
) -> Result<()> {
    clear(dir, temp)?;
    write_new_with(dir, temp, mode, |file| {
        let mut piece = vec![0; PIECE];
        loop {
            let count = source.read(&mut piece)?;
            if count == 0 {
                return Ok(());
            }
            before(Step::Write, temp)?;
            file.write_all(piece.get(..count).unwrap_or_default())?;
        }
    })?;
    rename(dir, temp, dir, name)?;
    dir.flush()
}

fn clear(dir: &Dir, temp: &str) -> Result<()> {
    if dir.stat(temp)?.is_some() {
        remove(dir, temp)?;
    }
    Ok(())
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
