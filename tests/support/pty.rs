//! The program on a terminal of its own, by `script` of util-linux; answers are typed when their
//! question is on the screen, so nothing waits for a clock.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::Sandbox;

/// A test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Receiver<Vec<u8>>,
    seen: Vec<u8>,
    /// Up to here the screen has been looked at.
    read: usize,
}

impl Terminal {
    /// Runs `lithermes` with these arguments; `None` where there is no `script`.
    pub fn start(sandbox: &Sandbox, args: &[&str]) -> Option<Self> {
        let program = assert_cmd::cargo::cargo_bin!("lithermes");
        let words = args.iter().map(|word| format!(" '{word}'"));
        let line = format!("'{}'{}", program.display(), words.collect::<String>());
        Self::start_line(sandbox, &line)
    }

    /// Runs a line of shell on a terminal of 100 columns.
    pub fn start_line(sandbox: &Sandbox, line: &str) -> Option<Self> {
        let line = format!("stty rows 40 cols 100; {line}");
        let mut command = sandbox.process("script");
        command.args(["-qec", &line, "/dev/null"]);
        command.env("SHELL", "/bin/sh").env_remove("COLUMNS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = match command.stderr(Stdio::inherit()).spawn() {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => panic!("script: {error}"),
        };
        let mut output = child.stdout.take().unwrap();
        let (sender, screen) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Some(Self {
            keys: child.stdin.take().unwrap(),
            child,
            screen,
            seen: Vec::new(),
            read: 0,
        })
    }

    /// Waits until this is on the screen, after what was waited for last.
    #[track_caller]
    pub fn expect(&mut self, text: &str) -> &mut Self {
        loop {
            let new = &self.seen[self.read..];
            let found = new
                .windows(text.len())
                .position(|window| window == text.as_bytes());
            if let Some(at) = found {
                self.read += at + text.len();
                return self;
            }
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!(
                    "`{text}` never came:\n{}",
                    String::from_utf8_lossy(&self.seen)
                ),
            }
        }
    }

    pub fn press(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    /// The exit status and all that was on the screen.
    #[track_caller]
    pub fn end(mut self) -> (i32, String) {
        loop {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let screen = String::from_utf8_lossy(&self.seen).into_owned();
                    self.child.kill().unwrap();
                    panic!("the program does not end:\n{screen}");
                }
            }
        }
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        (status, String::from_utf8(self.seen).unwrap())
    }
}
