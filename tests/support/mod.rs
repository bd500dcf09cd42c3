//! What every end-to-end test stands on: a sandbox with its own homes, a fixed clock, and a
//! picture of the disk before and after.

pub mod held;
mod paused;
pub mod place;
mod pty;
pub mod questions;
mod ran;
mod saved;
pub mod scenarios;
pub mod scenes;
mod state;
mod tree;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};

pub use paused::paused;
pub use pty::{PATIENCE, Terminal, Way};
pub use ran::Ran;
pub use saved::Saved;
pub use state::State;
pub use tree::{Tree, differences};

/// A throw-away home, Hermes home and workspace.
pub struct Sandbox {
    folder: tempfile::TempDir,
    environment: Vec<(String, String)>,
}

impl Sandbox {
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// In memory where the system has such a place: for tests that run the program a thousand
    /// times and pull no plug.
    pub fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        match memory.is_dir() {
            true => Self::below(memory),
            false => Self::new(),
        }
    }

    fn below(base: &Path) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("lithermes-test-")
            .tempdir_in(base)
            .unwrap();
        for name in ["user", "home", "work", "home/skills"] {
            fs_err::create_dir(folder.path().join(name)).unwrap();
        }
        Self {
            folder,
            environment: Vec::new(),
        }
    }

    /// One more environment variable for every command from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    pub fn skill_path(&self, name: &str) -> PathBuf {
        self.home().join("skills").join(name)
    }

    /// The text of a file below the folder of skills.
    #[track_caller]
    pub fn skill_text(&self, path: &str) -> String {
        fs_err::read_to_string(self.home().join("skills").join(path)).unwrap()
    }

    pub fn ledger(&self) -> PathBuf {
        self.home().join("lithermes/skill-loop-ledger.jsonl")
    }

    pub fn queue(&self) -> PathBuf {
        self.work().join(".hermes/lithermes/skill-proposals")
    }

    /// The folder of the observations.
    pub fn observer(&self) -> PathBuf {
        self.work().join(".hermes/lithermes/skill-observer")
    }

    /// The text of the observations.
    pub fn observed(&self) -> String {
        fs_err::read_to_string(self.observer().join("observations.jsonl")).unwrap_or_default()
    }

    pub fn store(&self) -> PathBuf {
        self.home().join("lithermes/skill-loop-blobs")
    }

    /// The program in this sandbox, with nothing of the caller's environment but `PATH`.
    pub fn command(&self) -> Command {
        Command::from_std(self.process(assert_cmd::cargo::cargo_bin!("lithermes")))
    }

    /// Any program in this sandbox.
    pub fn process(&self, program: impl AsRef<OsStr>) -> std::process::Command {
        let mut command = std::process::Command::new(program);
        command.current_dir(self.work()).env_clear();
        for name in ["PATH", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", self.root().join("user"))
            .env("HERMES_HOME", self.home())
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .env("COLUMNS", "100")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("LITHERMES_TEST_CLOCK", "2026-01-02T03:04:05Z")
            .env("LITHERMES_TEST_ACTOR", "tester@example");
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }

    /// Runs the program.
    #[must_use]
    pub fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Ran {
        self.ran(self.command().args(args))
    }

    /// Runs `lithermes skill-loop …`.
    #[must_use]
    pub fn sl<A: AsRef<OsStr>>(&self, args: &[A]) -> Ran {
        self.ran(self.command().arg("skill-loop").args(args))
    }

    /// Runs `lithermes skill-loop … --json` and gives the document, whatever the exit status.
    pub fn json<A: AsRef<OsStr>>(&self, args: &[A]) -> Value {
        self.ran(self.command().arg("skill-loop").args(args).arg("--json"))
            .json()
    }

    /// Runs the program with something on standard input.
    #[must_use]
    pub fn run_with<A: AsRef<OsStr>>(&self, args: &[A], stdin: impl Into<Vec<u8>>) -> Ran {
        self.ran(self.command().args(args).write_stdin(stdin))
    }

    #[must_use]
    pub fn ran(&self, command: &mut Command) -> Ran {
        Ran::new(command.output().unwrap(), self.root())
    }

    /// Refused: this status and code, not a word on stdout, no byte of the disk changed.
    #[track_caller]
    pub fn refuses<A: AsRef<OsStr>>(
        &self,
        args: &[A],
        stdin: &str,
        status: i32,
        code: &str,
    ) -> Ran {
        let before = self.tree();
        let mut command = self.command();
        let ran = self.ran(command.arg("skill-loop").args(args).write_stdin(stdin));
        let ran = ran.exits(status).fails(code);
        assert_eq!(ran.stdout, "");
        assert_eq!(differences(&before, &self.tree()), Vec::<String>::new());
        ran
    }

    /// `propose` refuses this document.
    #[track_caller]
    pub fn refuses_document(&self, document: &Value, status: i32, code: &str) -> Ran {
        self.refuses(&["propose", "-"], &document.to_string(), status, code)
    }

    /// The document of `list --all` for one id.
    #[track_caller]
    pub fn item(&self, id: &str) -> Value {
        let list = self.json(&["list", "--all"]);
        let all = list["proposals"].as_array().unwrap();
        let found = all.iter().find(|item| item["id"] == id);
        found.unwrap_or_else(|| panic!("{id} in {list:#}")).clone()
    }

    /// The names of its marks.
    #[track_caller]
    pub fn marks(&self, id: &str) -> Vec<String> {
        let item = self.item(id);
        let marks = item["marks"].as_array().unwrap().iter();
        marks
            .map(|mark| mark["mark"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The kinds of the ledger's lines, oldest first.
    pub fn kinds(&self) -> Vec<String> {
        let log = self.json(&["log"]);
        let entries = log["entries"].as_array().unwrap().iter().rev();
        entries
            .map(|entry| entry["kind"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Imports a document and gives the full ids, in its order.
    pub fn propose_all(&self, document: &Value) -> Vec<String> {
        let args = ["skill-loop", "propose", "-", "--json"];
        let answer = self.run_with(&args, document.to_string()).ok().json();
        let proposals = answer["proposals"].as_array().unwrap();
        proposals
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Imports one proposal and gives its full id.
    pub fn propose(&self, document: &Value) -> String {
        self.propose_all(document).remove(0)
    }

    /// Applies a proposal and gives the receipt.
    pub fn apply(&self, id: &str) -> String {
        let answer = self.sl(&["apply", id, "--json"]).ok().json();
        answer["results"][0]["receipt"].as_str().unwrap().to_owned()
    }

    /// Rolls a receipt back and gives the new receipt.
    pub fn rollback(&self, receipt: &str) -> String {
        let answer = self.sl(&["rollback", receipt, "--json"]).ok().json();
        answer["results"][0]["receipt"].as_str().unwrap().to_owned()
    }

    /// Makes an agent-owned skill by hand: marked, without a receipt.
    pub fn skill(&self, name: &str, body: &str) -> PathBuf {
        let folder = self.skill_path(name);
        fs_err::create_dir_all(&folder).unwrap();
        let path = folder.join("SKILL.md");
        fs_err::write(&path, marked(name, body)).unwrap();
        path
    }

    /// Everything below the sandbox.
    pub fn tree(&self) -> Tree {
        Tree::of(self.root())
    }

    /// Stock git on the store: standard output; panics where git fails.
    pub fn git(&self, args: &[&str]) -> String {
        let mut command = std::process::Command::new("git");
        command.arg("--git-dir").arg(self.store()).args(args);
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        let out = command.env_remove("GIT_DIR").output().unwrap();
        assert!(
            out.status.success(),
            "git {args:?}: {} {}{}",
            out.status,
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).unwrap()
    }

    /// `verify` holds and `git fsck --strict` is clean.
    pub fn holds(&self) {
        let answer = self.sl(&["verify", "--json"]).ok().json();
        assert_eq!(answer["ok"], json!(true), "{answer:#}");
        if self.store().exists() {
            assert_eq!(
                self.git(&["fsck", "--strict", "--full", "--no-dangling"]),
                ""
            );
        }
    }
}

/// Tells a thread that works beside a test that the test is over, also when it failed.
pub struct Ended<'a>(pub &'a std::sync::atomic::AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::SeqCst);
    }
}

/// A `SKILL.md` that bears the marker.
pub fn marked(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: A skill for tests.\nmetadata:\n  lithermesAgentGenerated: \"true\"\n---\n\n{body}"
    )
}

/// A proposal that creates a skill.
pub fn create(skill: &str, body: &str) -> Value {
    let content = format!("---\nname: {skill}\ndescription: A skill for tests.\n---\n\n{body}");
    json!({
        "schema": "lithermes/proposal/v1",
        "skill": skill,
        "signal": "coverage-gap",
        "rationale": "The same steps were taken three times.",
        "evidenceRefs": ["note:three sessions"],
        "create": {"files": [{"path": "SKILL.md", "content": content}]},
    })
}

/// A proposal that changes a `SKILL.md` in one place.
pub fn patch(skill: &str, old: &str, new: &str) -> Value {
    json!({
        "schema": "lithermes/proposal/v1",
        "skill": skill,
        "signal": "correction",
        "rationale": "The user corrected this.",
        "evidenceRefs": ["session:20260101_101500_ab12cd#41"],
        "patch": {"file": "SKILL.md", "oldString": old, "newString": new},
    })
}

/// A proposal that adds or replaces one file beneath a skill.
pub fn support_file(skill: &str, path: &str, content: &str) -> Value {
    let mut document = create(skill, "");
    document.as_object_mut().unwrap().remove("create");
    document["supportFile"] = json!({"path": path, "content": content});
    document
}

/// A token in the form of a real one, which no file of this repository holds.
pub fn secret() -> String {
    ["gh", "p_", "16C7e42F292c6912E7", "710c838347Ae178B4a"].concat()
}

/// No control character but line feeds, and nothing that reorders or hides text.
pub fn is_harmless(text: &str) -> bool {
    let hides = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .all(|c| c == '\n' || !(c.is_control() || hides(c)))
}
