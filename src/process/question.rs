//! A short question to another program, without a shim.
//!
//! Promises: it is waited for no longer than its time, and no more than so much of its output is
//! kept; it gets no input and only the environment that it is given; it leads a process group of
//! its own, and when it ends or its time is over, it and all of that group are killed.
//!
//! Not promised: what leaves the group is not found; the controlling terminal stays the same
//! (`/dev/tty`); and where lithermes itself is ended, by Ctrl-C too, the child goes on.

use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How long a stream may stay open after everything that should write to it is gone.
const GRACE: Duration = Duration::from_millis(500);

/// What of the caller's environment a child gets.
const INHERITED: [&str; 10] = [
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SHELL",
];

/// How long it may run, and how much it may say.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From its start to its end.
    pub time: Duration,
    /// Of each stream; what is beyond is not read.
    pub bytes: usize,
}

/// How a child ended.
#[derive(Debug)]
pub struct Ended {
    /// Its own status; `None` where a signal ended it.
    pub status: Option<i32>,
    /// It did not end in time and was killed.
    pub timed_out: bool,
    /// Its standard output.
    pub stdout: Stream,
    /// Its standard error.
    pub stderr: Stream,
}

/// What a child wrote to a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    /// The beginning of it.
    pub bytes: Vec<u8>,
    /// There was more.
    pub cut: bool,
}

/// A command with the few variables of the environment that any program needs, and no others.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// The program `name` as a shell would find it; relative entries of `PATH` do not count.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).filter(|dir| dir.is_absolute());
    candidates.map(|dir| dir.join(name)).find(|file| {
        let found = fs_err::metadata(file);
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

/// Runs a command in a process group of its own, without input, to its end or to the end of its
/// time. `Err` where it could not be started.
pub fn run(command: &mut Command, limits: Limits) -> io::Result<Ended> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).process_group(0).spawn()?;
    let stdout = listen(child.stdout.take(), limits.bytes);
    let stderr = listen(child.stderr.take(), limits.bytes);
    let group = Pid::from_child(&child);
    let in_time = wait(group, Instant::now() + limits.time);
    // Before it is reaped its number is nobody else's; ESRCH says that all are gone already.
    let _ = kill_process_group(group, Signal::KILL);
    if !matches!(in_time, Ok(true)) {
        // It may have joined another group, and the wait below has no end but its own.
        child.kill()?;
    }
    let status = child.wait()?;
    Ok(Ended {
        status: status.code(),
        timed_out: !in_time?,
        stdout: stdout.heard(),
        stderr: stderr.heard(),
    })
}

/// Whether it ended before the deadline. It is not reaped yet.
fn wait(pid: Pid, deadline: Instant) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut pause = Duration::from_millis(1);
    loop {
        if waitid(WaitId::Pid(pid), options)?.is_some() {
            return Ok(true);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A stream that a thread reads.
struct Listener {
    stream: Arc<Mutex<Stream>>,
    done: Receiver<()>,
}

fn listen(source: Option<impl Read + Send + 'static>, most: usize) -> Listener {
    let stream = Arc::new(Mutex::new(Stream::default()));
    let (tell, done) = channel();
    let shared = Arc::clone(&stream);
    std::thread::spawn(move || {
        if let Some(source) = source {
            read(source, most, &shared);
        }
        // Nobody listens any more where the grace is over.
        let _ = tell.send(());
    });
    Listener { stream, done }
}

/// Reads until the end or one byte more than is wanted. Then the stream is closed, and whoever
/// goes on writing is told so by the system.
fn read(mut source: impl Read, most: usize, into: &Mutex<Stream>) {
    let mut chunk = [0; 8192];
    loop {
        let count = match source.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let Ok(mut stream) = into.lock() else {
            return;
        };
        let room = most - stream.bytes.len();
        stream.bytes.extend(chunk.iter().take(count.min(room)));
        if count > room {
            stream.cut = true;
            return;
        }
    }
}

impl Listener {
    /// What there is, at the latest after the grace: a process that left its group may keep the
    /// stream open.
    fn heard(self) -> Stream {
        let _ = self.done.recv_timeout(GRACE);
        match self.stream.lock() {
            Ok(stream) => stream.clone(),
            Err(broken) => broken.into_inner().clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ended, Limits, command, run};
    use rustix::process::{Pid, getpgid, getppid, setpgid, test_kill_process};
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};

    fn sh(script: &str, limits: Limits) -> Ended {
        let mut command = command(Path::new("/bin/sh"));
        command.args(["-c", script]);
        run(&mut command, limits).unwrap()
    }

    const PLENTY: Limits = Limits {
        time: Duration::from_secs(60),
        bytes: 1000,
    };

    #[test]
    fn status_and_streams_are_told_apart() {
        let ended = sh("echo out; echo err >&2; exit 3", PLENTY);
        assert_eq!((ended.status, ended.timed_out), (Some(3), false));
        assert_eq!(ended.stdout.bytes, b"out\n");
        assert_eq!(ended.stderr.bytes, b"err\n");
        assert!(!ended.stdout.cut && !ended.stderr.cut);
        assert_eq!(sh("kill -TERM $$", PLENTY).status, None);
    }

    #[test]
    fn it_has_no_input_and_little_environment() {
        let ended = sh("cat; env | cut -d= -f1 | sort | tr '\\n' ' '", PLENTY);
        let text = String::from_utf8(ended.stdout.bytes).unwrap();
        for name in text.split_whitespace() {
            let shell = ["PWD", "OLDPWD", "SHLVL", "_"];
            assert!(
                super::INHERITED.contains(&name) || shell.contains(&name),
                "{text}"
            );
        }
    }

    #[test]
    fn a_flood_is_cut_and_ends() {
        let ended = sh("exec yes", PLENTY);
        assert_eq!((ended.stdout.bytes.len(), ended.stdout.cut), (1000, true));
        assert!(!ended.timed_out);
        let exact = sh("printf %01000d 7", PLENTY);
        assert_eq!((exact.stdout.bytes.len(), exact.stdout.cut), (1000, false));
    }

    #[test]
    fn what_does_not_end_is_ended_with_all_that_it_started() {
        let start = Instant::now();
        let limits = Limits {
            time: Duration::from_millis(300),
            ..PLENTY
        };
        let ended = sh(
            "trap '' TERM HUP; sleep 600 & echo $!; wait; sleep 600",
            limits,
        );
        assert!(ended.timed_out && ended.status.is_none());
        assert!(start.elapsed() < Duration::from_secs(60));
        is_gone(&ended);
    }

    #[test]
    fn what_it_left_behind_is_ended_too() {
        let ended = sh("sleep 600 & echo $!", PLENTY);
        assert_eq!((ended.status, ended.timed_out), (Some(0), false));
        is_gone(&ended);
    }

    #[test]
    fn what_joined_another_group_is_ended_as_well() {
        let mut command = command(&std::env::current_exe().unwrap());
        let child = "process::question::tests::the_child_that_joins_the_group_of_its_parent";
        command.args(["--exact", child, "--ignored", "--nocapture"]);
        let limits = Limits {
            time: Duration::from_secs(3),
            ..PLENTY
        };
        let start = Instant::now();
        let ended = run(&mut command, limits).unwrap();
        assert!(ended.timed_out && ended.status.is_none(), "{ended:?}");
        assert!(start.elapsed() < Duration::from_secs(60));
        let said = String::from_utf8(ended.stdout.bytes).unwrap();
        assert!(said.contains("it joined"), "{said}");
    }

    #[test]
    #[ignore = "the child of the test above"]
    fn the_child_that_joins_the_group_of_its_parent() {
        setpgid(None, Some(getpgid(getppid()).unwrap())).unwrap();
        println!("it joined");
        panic!("{}", Command::new("sleep").arg("600").exec());
    }

    /// The process whose number was printed: gone, or dead and waiting for whoever adopted it.
    fn is_gone(ended: &Ended) {
        let text = String::from_utf8(ended.stdout.bytes.clone()).unwrap();
        let pid = Pid::from_raw(text.trim().parse().unwrap()).unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while test_kill_process(pid).is_ok() {
            let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
            let stat = fs_err::read_to_string(stat).unwrap_or_default();
            if stat.contains(") Z ") {
                return;
            }
            assert!(Instant::now() < deadline, "{stat}");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        assert!(run(&mut command(Path::new("/nonexistent/program")), PLENTY).is_err());
        assert_eq!(super::on_path("no-such-program-anywhere"), None);
        assert!(super::on_path("sh").unwrap().ends_with("sh"));
    }
}
