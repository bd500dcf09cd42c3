//! Stop points: one before each system call that changes a disk.
//!
//! In builds with `debug_assertions` a test can log them, end the process at the n-th as
//! `kill -9` would, stop it there until the test lets it go on, or let the n-th and all later ones
//! (or those from the n-th to the m-th) fail as a full disk would. A release build has none of this. `tests/crash` compares the log with a trace of the release binary.

use std::io;

/// The kinds of system call that change a disk.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Write,
    Flush,
    Rename,
    Exchange,
    Link,
    Unlink,
    Truncate,
    Mkdir,
    Rmdir,
}

/// Called immediately before the system call, with the name that it concerns.
#[cfg(not(debug_assertions))]
#[inline]
pub(crate) fn before(_step: Step, _name: &str) -> io::Result<()> {
    Ok(())
}

/// Called immediately before the system call, with the name that it concerns.
#[cfg(debug_assertions)]
pub(crate) fn before(step: Step, name: &str) -> io::Result<()> {
    seams::before(step, name)
}

#[cfg(debug_assertions)]
mod seams {
    use super::Step;
    use crate::clock::seam;
    use rustix::process::{Signal, getpid, kill_process};
    use std::io::{self, Write as _};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Plan {
        log: Option<String>,
        stop: Option<u64>,
        pause: Vec<u64>,
        fail: Option<(u64, u64)>,
    }

    static PLAN: LazyLock<Plan> = LazyLock::new(|| Plan {
        log: seam("LITHERMES_TEST_STEPS"),
        stop: seam("LITHERMES_TEST_STOP").and_then(|text| text.parse().ok()),
        pause: seam("LITHERMES_TEST_PAUSE")
            .map(|text| text.split(',').filter_map(|one| one.parse().ok()).collect())
            .unwrap_or_default(),
        fail: seam("LITHERMES_TEST_FAIL").and_then(|text| range(&text)),
    });
    /// `n`, or `n-m`.
    fn range(text: &str) -> Option<(u64, u64)> {
        match text.split_once('-') {
            None => Some((text.parse().ok()?, u64::MAX)),
            Some((first, last)) => Some((first.parse().ok()?, last.parse().ok()?)),
        }
    }

    static COUNT: AtomicU64 = AtomicU64::new(0);

    pub(super) fn before(step: Step, name: &str) -> io::Result<()> {
        let number = COUNT.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(path) = &PLAN.log {
            let mut log = fs_err::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)?;
            log.write_all(format!("{step:?} {name}\n").as_bytes())?;
        }
        if PLAN.stop == Some(number) {
            kill_process(getpid(), Signal::KILL)?;
        }
        if PLAN.pause.contains(&number) {
            kill_process(getpid(), Signal::STOP)?;
        }
        if PLAN
            .fail
            .is_some_and(|(first, last)| (first..=last).contains(&number))
        {
            return Err(rustix::io::Errno::NOSPC.into());
        }
        Ok(())
    }
}
