//! The one lock for whatever changes ledger, store or skills (store.md §1).
//!
//! Promises: the wait is bounded; the operating system lets go when the holder dies, however it
//! dies; who holds it can be read.

use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};

use super::beneath::{Dir, io_failed, stat_of};
use super::durable::remove;
use super::step::{Step, before};
use crate::error::{Code, Error, Result};

/// A held lock; dropping it lets go.
#[derive(Debug)]
pub struct Lock {
    file: std::fs::File,
    name: String,
    path: PathBuf,
}

/// How long a wait lasts before somebody is told that there is one.
const PATIENCE: Duration = Duration::from_millis(400);
/// The holder's line has a fixed length, so that a shorter one needs no truncation.
const LINE: usize = 512;

impl Lock {
    /// Takes the lock file `name` in `dir`, waiting at most `wait`. `holder` is one line that
    /// says who asks (pid, host, since, command); `waiting` is called once with the line of
    /// whoever holds it when the wait becomes noticeable.
    pub fn acquire(
        dir: &Dir,
        name: &str,
        wait: Duration,
        holder: &str,
        waiting: &mut dyn FnMut(&str),
    ) -> Result<Self> {
        let path = dir.path_of(name);
        let mut file = open(dir, name)?;
        let start = Instant::now();
        let mut told = false;
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) if is_named(&file, dir, name)? => break,
                // Its holder took it away: whoever comes now makes another.
                Ok(()) => file = open(dir, name)?,
                Err(std::fs::TryLockError::WouldBlock) => {}
                Err(std::fs::TryLockError::Error(error)) => {
                    return Err(io_failed("lock", &path, &error));
                }
            }
            if start.elapsed() >= wait {
                return Err(timed_out(&file, wait, &path));
            }
            if !told && start.elapsed() >= PATIENCE {
                told = true;
                waiting(&read_holder(&file));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        sign(&file, name, holder);
        Ok(Self {
            file,
            name: name.to_owned(),
            path,
        })
    }

    /// Takes the lock file itself away, and lets go: for a caller who takes its directory away.
    pub fn remove(self, dir: &Dir) -> Result<()> {
        if is_named(&self.file, dir, &self.name)? {
            remove(dir, &self.name)?;
        }
        self.release()
    }

    /// Who holds the lock file `name` in `dir`; `None` where nobody does. Makes nothing.
    pub fn holder(dir: &Dir, name: &str) -> Result<Option<String>> {
        let Some(file) = dir.open_file(name)? else {
            return Ok(None);
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(std::fs::TryLockError::WouldBlock) => Ok(Some(read_holder(&file))),
            Err(std::fs::TryLockError::Error(error)) => {
                Err(io_failed("look at the lock", &dir.path_of(name), &error))
            }
        }
    }

    /// Lets go, and tells where the system refuses; dropping does not tell.
    pub fn release(self) -> Result<()> {
        let released = self.file.unlock();
        released.map_err(|error| io_failed("unlock", &self.path, &error))
    }
}

fn open(dir: &Dir, name: &str) -> Result<std::fs::File> {
    let flags =
        OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(dir.fd(), name, flags, Mode::from_raw_mode(0o600))
        .map_err(|errno| dir.unopened(name, errno))?;
    Ok(std::fs::File::from(fd))
}

/// Whether the opened file is still the one under its name.
fn is_named(file: &std::fs::File, dir: &Dir, name: &str) -> Result<bool> {
    let opened = rustix::fs::fstat(file)
        .map_err(|errno| io_failed("look at", &dir.path_of(name), &errno.into()))?;
    let there = dir.stat(name)?;
    Ok(there.is_some_and(|there| there.identity == stat_of(&opened).identity))
}

/// Only information for whoever waits: a full disk must not stop somebody who has the lock, so
/// its failure is no failure of the command.
fn sign(file: &std::fs::File, name: &str, holder: &str) {
    let mut line: Vec<u8> = holder
        .bytes()
        .filter(|byte| !byte.is_ascii_control())
        .collect();
    line.truncate(LINE - 1);
    line.resize(LINE - 1, b' ');
    line.push(b'\n');
    let signed = before(Step::Write, name).and_then(|()| file.write_all_at(&line, 0));
    drop(signed);
}

fn read_holder(mut file: &std::fs::File) -> String {
    use std::io::Seek as _;
    let mut line = Vec::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(LINE as u64).read_to_end(&mut line));
    match read {
        Ok(_) => String::from_utf8_lossy(&line).trim().to_owned(),
        Err(error) => format!("unknown ({error})"),
    }
}

fn timed_out(file: &std::fs::File, wait: Duration, path: &std::path::Path) -> Error {
    let seconds = wait.as_secs_f32();
    Error::new(
        Code::LockTimeout,
        format!(
            "another process is at work; waited {seconds} s for {}",
            path.display()
        ),
    )
    .found(read_holder(file))
    .hint("wait for that process to end, then run the same command again; nothing was changed")
}

#[cfg(test)]
mod tests {
    use super::Lock;
    use crate::disk::Dir;
    use std::time::Duration;

    #[test]
    fn a_lock_that_was_taken_away_is_made_again_by_whoever_waited_for_it() {
        let held = tempfile::TempDir::new().unwrap();
        let dir = Dir::open_root(held.path()).unwrap().unwrap();
        let wait = Duration::from_secs(300);
        let first = Lock::acquire(&dir, "lock", wait, "first", &mut |_| {}).unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let dir = &dir;
            let second = scope.spawn(move || {
                let mut waiting = |_: &str| tell.send(()).unwrap();
                Lock::acquire(dir, "lock", wait, "second", &mut waiting).unwrap()
            });
            told.recv().unwrap();
            first.remove(dir).unwrap();
            let second = second.join().unwrap();
            assert!(super::is_named(&second.file, dir, "lock").unwrap());
        });
        assert!(dir.stat("lock").unwrap().is_some());
    }
}
