//! What a child is for a moment before it becomes its program: it asks the system to be killed when
//! the shim dies, of whatever. Where shim and root are killed in one go, nobody else could do it.
//!
//! Promises: the program runs in this very process, or it does not run and why stands in its folder.
//! What the program itself starts is not on the leash.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

use crate::process::environment::CHILD;

/// The first argument of a lithermes that is about to become a child's program; then come the
/// number of the shim and the child's own words.
pub const NAME: &str = "host-child-leash";

/// Why there is no child, in its folder.
const FAILED: &str = ".lithermes-not-started";
/// Bytes of that at most.
const MOST: u64 = 4 << 10;

/// The command that starts a child's words on the leash.
pub(super) fn command(argv: &[OsString]) -> io::Result<Command> {
    let (program, args) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    if !cfg!(target_os = "linux") {
        let mut command = Command::new(program);
        command.args(args);
        return Ok(command);
    }
    let mut command = Command::new("/proc/self/exe");
    let shim = std::process::id().to_string();
    command.arg0("lithermes").arg(NAME).arg(shim).args(argv);
    Ok(command)
}

/// Becomes the program; back only where that failed.
pub fn run(words: &[OsString]) -> io::Error {
    if std::env::var_os(CHILD).is_none() {
        return io::Error::other("this is started by lithermes itself, for a child");
    }
    let error = tied(words);
    // Where even this cannot be written, the child ends without a word, as a failed one.
    fs_err::write(FAILED, error.to_string()).ok();
    error
}

fn tied(words: &[OsString]) -> io::Error {
    let [shim, program, args @ ..] = words else {
        return io::ErrorKind::InvalidInput.into();
    };
    match tie(shim) {
        Ok(()) => Command::new(program).args(args).exec(),
        Err(error) => error,
    }
}

#[cfg(target_os = "linux")]
fn tie(shim: &OsString) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let shim = shim.to_str().and_then(|shim| shim.parse().ok());
    // It may have died before the system was asked.
    match shim.and_then(Pid::from_raw) == getppid() {
        true => Ok(()),
        false => Err(io::Error::other("the process above it is gone")),
    }
}

#[cfg(not(target_os = "linux"))]
fn tie(_: &OsString) -> io::Result<()> {
    Ok(())
}

/// Why a child never became its program; `None` where it did. Asked when all of them are dead, for
/// a child may put anything there.
pub(super) fn failure(folder: &Path) -> Option<String> {
    let path = folder.join(FAILED);
    let is_file = fs_err::symlink_metadata(&path).is_ok_and(|found| found.is_file());
    let file = is_file.then(|| fs_err::File::open(path).ok())??;
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}
