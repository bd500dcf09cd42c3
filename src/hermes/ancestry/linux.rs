//! A process as `/proc` shows it.

use std::io::Read as _;

use super::Process;
use crate::process::parent_in;

/// Enough for the words before the prompt of `hermes -z`, which can be 128 KiB.
const MOST_BYTES: u64 = 16 * 1024;

/// The process `pid`; `None` where it is gone or hidden.
pub(super) fn look(pid: u32) -> Option<Process> {
    let stat = read(&format!("/proc/{pid}/stat"))?;
    let line = read(&format!("/proc/{pid}/cmdline"))?;
    let words = line.split_terminator('\0').map(str::to_owned);
    Some(Process {
        parent: parent_in(&stat)?,
        argv: words.collect(),
    })
}

fn read(path: &str) -> Option<String> {
    let file = fs_err::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
