//! Putting a prepared file into its place, so that nothing that somebody else wrote is lost.
//!
//! Promises: where the file system can exchange two names, what was displaced stays under the
//! temporary name until the caller removes it; where it can make a second name, a new file
//! never replaces one that appeared meanwhile.

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

use super::beneath::{Dir, failed};
use super::durable::{remove, rename};
use super::step::{Step, before};
use crate::error::Result;

/// What became of the file that had the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Displaced {
    /// It lies under the temporary name.
    Kept,
    /// The file system can only rename: it is gone.
    Lost,
}

/// Exchanges `temp` and `name` in `dir`.
pub fn swap(dir: &Dir, temp: &str, name: &str) -> Result<Displaced> {
    before(Step::Exchange, name)?;
    match rustix::fs::renameat_with(dir.fd(), temp, dir.fd(), name, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Displaced::Kept),
        Err(errno) if unsupported(errno) => {
            rename(dir, temp, dir, name)?;
            Ok(Displaced::Lost)
        }
        Err(errno) => Err(failed("exchange", &dir.path_of(name), errno)),
    }
}

/// Gives `temp` the free name `name` and takes `temp` away; `false` (and nothing done) where
/// something has the name.
pub fn place_new(dir: &Dir, temp: &str, name: &str) -> Result<bool> {
    before(Step::Link, name)?;
    match rustix::fs::linkat(dir.fd(), temp, dir.fd(), name, AtFlags::empty()) {
        Ok(()) => remove(dir, temp),
        Err(Errno::EXIST) => Ok(false),
        Err(errno) if unsupported(errno) || errno == Errno::PERM => {
            if dir.stat(name)?.is_some() {
                return Ok(false);
            }
            rename(dir, temp, dir, name)?;
            Ok(true)
        }
        Err(errno) => Err(failed("create", &dir.path_of(name), errno)),
    }
}

/// Takes the name `name` away; the file stays under `temp`.
pub fn take_away(dir: &Dir, name: &str, temp: &str) -> Result<()> {
    rename(dir, name, dir, temp)
}

/// The names that [`abilities`] uses: the only form that may stand beside a skill's files.
const SCRATCH: [&str; 3] = [
    ".lithermes-00000000000000a1.tmp",
    ".lithermes-00000000000000a2.tmp",
    ".lithermes-00000000000000a3.tmp",
];

/// What the file system of `dir` can do: exchange two names, give a second name, flush a
/// directory. Tries it on two scratch files, which are removed again.
pub fn abilities(dir: &Dir) -> Result<Abilities> {
    let tried = try_abilities(dir);
    for name in SCRATCH {
        if dir.stat(name)?.is_some() {
            remove(dir, name)?;
        }
    }
    tried
}

fn try_abilities(dir: &Dir) -> Result<Abilities> {
    let [one, two, three] = SCRATCH;
    for name in SCRATCH {
        if dir.stat(name)?.is_some() {
            remove(dir, name)?;
        }
    }
    super::durable::write_new(dir, one, b"1", 0o600)?;
    super::durable::write_new(dir, two, b"2", 0o600)?;
    before(Step::Exchange, two)?;
    let swapped = rustix::fs::renameat_with(dir.fd(), one, dir.fd(), two, RenameFlags::EXCHANGE);
    before(Step::Link, three)?;
    let linked = rustix::fs::linkat(dir.fd(), one, dir.fd(), three, AtFlags::empty());
    Ok(Abilities {
        exchange: swapped.is_ok(),
        link: linked.is_ok(),
        flush: dir.flush().is_ok(),
    })
}

/// See [`abilities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Two names can be exchanged in one step.
    pub exchange: bool,
    /// A file can have a second name.
    pub link: bool,
    /// A directory can be flushed.
    pub flush: bool,
}

fn unsupported(errno: Errno) -> bool {
    // XDEV: some overlay and bind mounts refuse an exchange although a rename works.
    [
        Errno::INVAL,
        Errno::NOSYS,
        Errno::OPNOTSUPP,
        Errno::NOTSUP,
        Errno::XDEV,
    ]
    .contains(&errno)
}
