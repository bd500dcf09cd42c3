//! A conference in a throw-away folder, held by the program.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::ops::RangeBounds;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::worker;

/// Calls of the conference of many children.
pub(crate) const CHILDREN: u32 = 1_000;

/// The folder.
pub(crate) struct Held {
    folder: tempfile::TempDir,
}

/// When each child had its receipt.
pub(crate) struct Charters {
    /// While a child was out.
    pub(crate) busy: Duration,
    /// From the start to the end.
    pub(crate) elapsed: Duration,
    /// From a charter to its receipt, in the order of the receipts.
    each: Vec<Duration>,
    /// KiB.
    pub(crate) peak: Option<u64>,
}

impl Charters {
    pub(crate) fn median(
        &self,
        part: impl RangeBounds<usize> + std::slice::SliceIndex<[Duration], Output = [Duration]>,
    ) -> Duration {
        let mut part = self.each.get(part).unwrap_or_default().to_vec();
        part.sort_unstable();
        part.get(part.len() / 2).copied().unwrap_or_default()
    }
}

impl Held {
    pub(crate) fn new() -> Self {
        let held = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs_err::create_dir(held.root()).unwrap();
        fs_err::create_dir(held.folder.path().join("home")).unwrap();
        let text = include_str!("children.md").replace("WORKER", &Self::worker().join(" "));
        fs_err::write(held.root().join("conference.md"), text).unwrap();
        held
    }

    /// The words that start a worker.
    pub(crate) fn worker() -> [String; 2] {
        let program = std::env::current_exe().unwrap();
        [
            program.to_str().unwrap().to_owned(),
            worker::WORD.to_owned(),
        ]
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.root()).stdin(Stdio::null());
        command
            .env("HOME", self.folder.path())
            .env("HERMES_HOME", self.folder.path().join("home"));
        command
    }

    pub(crate) fn quietly(&self, args: &[&str]) -> Vec<u8> {
        let out = self
            .command(env!("CARGO_BIN_EXE_lithermes"))
            .args(args)
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        out.stdout
    }

    /// Holds it to its end, listening to its events.
    pub(crate) fn run(&self, more: &[&str]) -> Charters {
        let check: Value =
            serde_json::from_slice(&self.quietly(&["conference", "check", "--json"])).unwrap();
        let digest = check["approval_digest"].as_str().unwrap();
        let mut command = self.command(env!("CARGO_BIN_EXE_lithermes"));
        command
            .args(["conference", "run", "--json", "--approve", digest])
            .args(more);
        let start = Instant::now();
        let mut run = command.stdout(Stdio::piped()).spawn().unwrap();
        let status = format!("/proc/{}/status", run.id());
        let (mut out, mut each, mut peak) = (BTreeMap::new(), Vec::new(), None);
        let (mut busy, mut began) = (Duration::ZERO, None);
        for line in BufReader::new(run.stdout.take().unwrap()).lines() {
            let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let id = line["payload"]["dispatch_id"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            match line["event"].as_str() {
                Some("dispatch.issued") => {
                    began.get_or_insert_with(Instant::now);
                    out.insert(id, Instant::now());
                }
                Some("dispatch.received") => {
                    each.extend(out.remove(&id).map(|began: Instant| began.elapsed()));
                    let over = began.take_if(|_| out.is_empty());
                    busy += over.map_or(Duration::ZERO, |began| began.elapsed());
                }
                Some("round.completed") => peak = most_memory(&status).or(peak),
                _ => {}
            }
        }
        run.wait().unwrap();
        Charters {
            busy,
            elapsed: start.elapsed(),
            each,
            peak,
        }
    }

    pub(crate) fn lines(&self) -> usize {
        let text = fs_err::read(self.root().join("conference_events.jsonl")).unwrap();
        text.iter().filter(|byte| **byte == b'\n').count()
    }

    /// The charters that went out.
    pub(crate) fn charters(&self) -> Vec<PathBuf> {
        let entries = fs_err::read_dir(self.root().join("packets")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let is_charter = |path: &PathBuf| {
            fs_err::read_to_string(path)
                .unwrap()
                .contains("lithermes/charter/v1")
        };
        paths.filter(is_charter).collect()
    }
}

/// The most memory that a process had, in KiB; `None` where the system does not tell.
fn most_memory(status: &str) -> Option<u64> {
    let text = fs_err::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
