//! A home and a workspace, and the program run in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lithermes::disk::{Dir, Lock};
use lithermes::ledger::{Draft, FILE, Ledger};
use serde_json::{Value, json};

use crate::documents;

/// A home and a workspace below one throw-away directory.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn with_skills(skills: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Self { folder };
        fs_err::create_dir(home.work()).unwrap();
        fs_err::create_dir_all(home.path().join("skills")).unwrap();
        for number in 0..skills {
            home.write_skill(number, &documents::skill(number));
        }
        home
    }

    /// A home whose ledger has lines of another room.
    pub(crate) fn with_ledger(lines: usize) -> Self {
        let home = Self::with_skills(1);
        home.fill_ledger(|ledger, lock| {
            for number in 0..lines {
                ledger.append(lock, draft(number)).unwrap();
            }
        });
        home
    }

    /// Lets `fill` write a new ledger where flushing costs nothing, and puts it into its place.
    pub(crate) fn fill_ledger(&self, fill: impl FnOnce(&Ledger, &Lock)) {
        let memory = Path::new("/dev/shm");
        let quick = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let quick = quick.unwrap();
        let (ledger, lock) = open(quick.path());
        fill(&ledger, &lock);
        fs_err::create_dir_all(self.state()).unwrap();
        fs_err::copy(quick.path().join(FILE), self.state().join(FILE)).unwrap();
    }

    pub(crate) fn ledger(&self) -> (Ledger, Lock) {
        open(&self.state())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join("lithermes")
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Writes a file into the workspace.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs_err::write(self.work().join(name), text).unwrap();
    }

    pub(crate) fn write_skill(&self, number: usize, text: &str) {
        let folder = self.path().join("skills").join(documents::name(number));
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::write(folder.join("SKILL.md"), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lithermes"));
        command
            .args(args)
            .current_dir(self.work())
            .env("HERMES_HOME", self.path())
            .env_remove("HERMES_SESSION_ID")
            .env_remove("LITHERMES_CHILD")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// How long the program takes, from its start to its end.
    pub(crate) fn time(&self, args: &[&str]) -> Duration {
        self.time_with(args, 0)
    }

    /// As [`Home::time`], for a run that is refused.
    pub(crate) fn time_with(&self, args: &[&str], expected: i32) -> Duration {
        let mut command = self.command(args);
        let start = Instant::now();
        let status = command.status().unwrap();
        let took = start.elapsed();
        assert_eq!(status.code(), Some(expected), "{args:?}");
        took
    }

    /// The most memory that the program had, in KiB, as the kernel counts it. Looked at until the
    /// program ends; `None` on a system that does not tell.
    pub(crate) fn peak_memory(&self, args: &[&str]) -> Option<u64> {
        let mut child = self.command(args).spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        let mut peak = None;
        while child.try_wait().unwrap().is_none() {
            let text = fs_err::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let number = line.and_then(|line| line.split_whitespace().next());
            peak = number.and_then(|number| number.parse().ok()).or(peak);
        }
        peak
    }

    /// Imports documents in arrays and gives the ids, in their order.
    pub(crate) fn propose(&self, documents: Vec<Value>) -> Vec<String> {
        let mut ids = Vec::new();
        for part in documents.chunks(1_000) {
            self.write("many.json", &json!(part).to_string());
            let answer = self.answer(&["skill-loop", "propose", "many.json", "--json"]);
            let proposals = answer["proposals"].as_array().unwrap();
            let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
            ids.extend(proposals.iter().map(id));
        }
        ids
    }

    /// Rolls the last apply back and makes its proposal pending again.
    pub(crate) fn take_back(&self, document: Value) {
        let log = self.answer(&["skill-loop", "log", "--limit", "1", "--json"]);
        let receipt = log["entries"][0]["id"].as_str().unwrap();
        self.time(&["skill-loop", "rollback", receipt]);
        self.propose(vec![document]);
    }

    fn answer(&self, args: &[&str]) -> Value {
        let out = self.command(args).stdout(Stdio::piped()).output().unwrap();
        serde_json::from_slice(&out.stdout).unwrap()
    }
}

fn open(state: &Path) -> (Ledger, Lock) {
    let dir = Dir::open_root(state).unwrap().unwrap();
    let lock = Lock::acquire(&dir, "bench-lock", Duration::ZERO, "bench", &mut |_| {}).unwrap();
    (Ledger::new(&dir).unwrap(), lock)
}

/// A line of another room, of usual length.
pub(crate) fn draft(number: usize) -> Draft {
    Draft {
        kind: "conference.round".to_owned(),
        actor: "bench@bench".to_owned(),
        argv: vec!["lithermes".to_owned()],
        body: serde_json::from_value(json!({"round": number, "note": "x".repeat(300)})).unwrap(),
    }
}
