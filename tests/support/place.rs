//! A place for children: what they may know, a mark by which every one of them is found in
//! `/proc`, and what has to hold when they are over.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lithermes::process::environment::of_this_process;
use lithermes::process::{Cancel, Descendants, Finished, Job, Shim, run};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// What a child may take beyond its deadline.
pub const SLACK: Duration = Duration::from_secs(2);
/// Long enough for anything that ends by itself.
pub const LONG: Duration = Duration::from_secs(60);
/// Short enough to be waited for.
pub const SHORT: Duration = Duration::from_millis(300);

const MARK: &str = "LITHERMES_TEST_MARK";

pub struct Place {
    folder: tempfile::TempDir,
    pub mark: String,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("lithermes-test-")
            .tempdir()
            .unwrap();
        fs_err::create_dir(folder.path().join("tmp")).unwrap();
        let mark = folder
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        Self { folder, mark }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A pipe with a name: whoever reads it waits for whoever writes to it.
    pub fn fifo(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        path
    }

    pub fn job(&self, argv: &[&str], time: Duration) -> Job {
        let argv = argv.iter().map(OsString::from).collect();
        let mut job = Job::new(argv, of_this_process(&[]), time);
        job.environment
            .insert(MARK.into(), self.mark.clone().into());
        job.environment
            .insert("TMPDIR".into(), self.path("tmp").into());
        job.environment
            .insert("HERE".into(), self.folder.path().into());
        job.shim = Shim::at(assert_cmd::cargo::cargo_bin!("lithermes"));
        job
    }

    /// A script; `$HERE` is the folder of the place.
    pub fn sh(&self, script: &str, time: Duration) -> Job {
        self.job(&["/bin/sh", "-c", script], time)
    }

    /// Runs it, and all that must hold of any child holds.
    #[track_caller]
    pub fn run(&self, job: &Job) -> Finished {
        self.run_until(job, &Cancel::new().unwrap())
    }

    #[track_caller]
    pub fn run_until(&self, job: &Job, cancel: &Cancel) -> Finished {
        let begun = Instant::now();
        let finished = run(job, cancel);
        let took = begun.elapsed();
        assert!(took < job.time + SLACK, "{took:?}: {finished:?}");
        assert_eq!(finished.descendants, Descendants::None, "{finished:?}");
        self.is_empty(&finished);
        finished
    }

    /// Nothing lives and no folder is left.
    #[track_caller]
    pub fn is_empty(&self, finished: &Finished) {
        assert_eq!(self.living(), Vec::<String>::new(), "{finished:?}");
        assert_eq!(finished.folder_left, None);
        let left: Vec<_> = fs_err::read_dir(self.path("tmp")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }

    /// Whoever bears the mark, with its command.
    pub fn living(&self) -> Vec<String> {
        let command = |pid: &i32| {
            let line = fs_err::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            format!(
                "{pid} {}",
                String::from_utf8_lossy(&line).replace('\0', " ")
            )
        };
        self.pids().iter().map(command).collect()
    }

    /// The same, held so that their end can be waited for.
    pub fn held(&self) -> Vec<OwnedFd> {
        let hold = |pid: i32| pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok();
        self.pids().into_iter().filter_map(hold).collect()
    }

    fn pids(&self) -> Vec<i32> {
        let entry = format!("{MARK}={}", self.mark);
        bearing(|one| one == entry.as_bytes())
    }
}

/// All of them are dead before this time is over.
#[track_caller]
pub fn die_within(held: &[OwnedFd], time: Duration) {
    let end = Instant::now() + time;
    for process in held {
        let left = Timespec::try_from(end.saturating_duration_since(Instant::now())).unwrap();
        let ready = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&left)).unwrap();
        assert_eq!(ready, 1, "somebody lives {time:?} later");
    }
}

/// Living processes of which an entry of the environment fits.
pub fn bearing(fits: impl Fn(&[u8]) -> bool) -> Vec<i32> {
    let bears = |pid: &i32| {
        let environment = fs_err::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(&fits)
    };
    let names = fs_err::read_dir("/proc").unwrap();
    names
        .filter_map(|one| one.ok()?.file_name().to_str()?.parse().ok())
        .filter(bears)
        .collect()
}
