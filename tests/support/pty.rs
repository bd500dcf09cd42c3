//! The program on a terminal of its own, by `script` of util-linux; answers are typed when their
//! question is on the screen, so nothing waits for a clock.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::Sandbox;

/// A test that waits this long has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Texts to wait for, each with the keys to press when it is there.
pub type Way<'a> = &'a [(&'a str, &'a str)];

pub struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Receiver<Vec<u8>>,
    seen: Vec<u8>,
    /// Up to here the screen has been looked at.
    read: usize,
    /// Where the terminal's own name is.
    folder: tempfile::TempDir,
}

impl Terminal {
    /// Runs `lithermes` with these arguments; `None` where there is no `script`.
    pub fn start(sandbox: &Sandbox, args: &[&str]) -> Option<Self> {
        Self::start_line(sandbox, &Self::line(args))
    }

    /// The line of shell that runs `lithermes` with these arguments.
    pub fn line(args: &[&str]) -> String {
        let program = assert_cmd::cargo::cargo_bin!("lithermes");
        let words = args.iter().map(|word| format!(" '{word}'"));
        format!("'{}'{}", program.display(), words.collect::<String>())
    }

    /// Runs a line of shell on a terminal of 100 columns.
    pub fn start_line(sandbox: &Sandbox, line: &str) -> Option<Self> {
        Self::start_wide(sandbox, 100, line)
    }

    /// Runs a line of shell on a terminal of this many columns.
    pub fn start_wide(sandbox: &Sandbox, columns: usize, line: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("tty");
        let line = format!(
            "tty >'{}'; stty rows 40 cols {columns}; {line}",
            name.display()
        );
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
            folder,
        })
    }

    /// Somebody pulls at the corner of the window.
    pub fn resize(&mut self, rows: usize, columns: usize) -> &mut Self {
        let name = fs_err::read_to_string(self.folder.path().join("tty")).unwrap();
        let mut stty = Command::new("stty");
        stty.args(["-F", name.trim(), "rows", &rows.to_string()]);
        let status = stty.args(["cols", &columns.to_string()]).status().unwrap();
        assert!(status.success(), "{status}");
        self
    }

    /// Somebody closes the window.
    pub fn hang_up(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
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

    pub fn go(&mut self, way: Way<'_>) -> &mut Self {
        for (text, keys) in way {
            self.expect(text).press(keys);
        }
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
