//! A command that is stopped before chosen steps, so that something can happen meanwhile.

use std::process::Stdio;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::{Ran, Sandbox};

/// Runs `lithermes skill-loop …`, and `mischief` each time that it is stopped before one of
/// `steps`. `None` where it ended before the first.
pub fn paused(
    sandbox: &Sandbox,
    args: &[String],
    steps: &[u64],
    mut mischief: impl FnMut(usize),
) -> Option<Ran> {
    let list: Vec<String> = steps.iter().map(u64::to_string).collect();
    let mut command = sandbox.process(assert_cmd::cargo::cargo_bin!("lithermes"));
    command.arg("skill-loop").args(args);
    command.env("LITHERMES_TEST_PAUSE", list.join(","));
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    for (index, step) in steps.iter().enumerate() {
        let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
        if !status.stopped() {
            assert_eq!(index, 0, "it ended before step {step}");
            // Reaped already: there is nothing left to wait for.
            drop(child.wait());
            return None;
        }
        mischief(index);
        kill_process(pid, Signal::CONT).unwrap();
    }
    Some(Ran::new(child.wait_with_output().unwrap(), sandbox.root()))
}
