//! A process as `ps` shows it, where there is no `/proc`.
//!
//! `ps` joins the words of a command with spaces, so a path with a space in it is seen as two
//! words: at worst a Hermes process is missed.

use std::process::{Command, Stdio};

use super::Process;

/// The process `pid`; `None` where it is gone or hidden.
pub(super) fn look(pid: u32) -> Option<Process> {
    let output = Command::new("/bin/ps")
        .args(["-ww", "-o", "ppid=,command=", "-p"])
        .arg(pid.to_string())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    read(&String::from_utf8_lossy(&output.stdout))
}

fn read(line: &str) -> Option<Process> {
    let mut words = line.split_whitespace();
    Some(Process {
        parent: words.next()?.parse().ok()?,
        argv: words.map(str::to_owned).collect(),
    })
}
