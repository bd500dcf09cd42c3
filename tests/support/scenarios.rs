//! Commands that change the disk, each with what has to be there before, and a sandbox that can
//! be put back.

use std::path::Path;

use serde_json::{Value, json};

use super::{Sandbox, Tree, create, patch};

/// A command on a sandbox that is ready for it.
pub struct Scenario {
    pub sandbox: Sandbox,
    pub args: Vec<String>,
    pub stdin: String,
    kept: tempfile::TempDir,
}

/// Makes a sandbox ready and gives the command and its standard input.
pub type Prepare = fn(&Sandbox) -> (Vec<String>, String);

impl Scenario {
    pub fn new(prepare: Prepare) -> Self {
        let sandbox = Sandbox::new();
        let (args, stdin) = prepare(&sandbox);
        let kept = tempfile::tempdir().unwrap();
        copy(sandbox.root(), kept.path());
        Self {
            sandbox,
            args,
            stdin,
            kept,
        }
    }

    /// Puts the sandbox back, at the same path: queue files name it, and ids depend on it.
    pub fn restore(&self) {
        put_back(self.kept.path(), self.sandbox.root());
    }

    /// Runs the command, with one more variable in its environment.
    pub fn run(&self, seam: Option<(&str, &str)>) -> super::Ran {
        run(&self.sandbox, &self.args, &self.stdin, seam)
    }

    /// Runs the command once and gives the stop points that it passed.
    pub fn steps(&self) -> Vec<String> {
        steps(&self.sandbox, &self.args, &self.stdin)
    }

    /// The skills as they are.
    pub fn skills(&self) -> Tree {
        self.sandbox.tree().below("home/skills")
    }
}

fn run(sandbox: &Sandbox, args: &[String], stdin: &str, seam: Option<(&str, &str)>) -> super::Ran {
    let mut command = sandbox.command();
    command.args(args).write_stdin(stdin);
    if let Some((name, value)) = seam {
        command.env(name, value);
    }
    sandbox.ran(&mut command)
}

fn steps(sandbox: &Sandbox, args: &[String], stdin: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("steps");
    let seam = ("LITHERMES_TEST_STEPS", log.to_str().unwrap());
    assert_eq!(run(sandbox, args, stdin, Some(seam)).status, 0);
    let text = fs_err::read_to_string(&log).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn put_back(kept: &Path, root: &Path) {
    for entry in fs_err::read_dir(root).unwrap() {
        fs_err::remove_dir_all(entry.unwrap().path()).unwrap();
    }
    copy(kept, root);
}

fn copy(from: &Path, to: &Path) {
    for entry in fs_err::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs_err::create_dir(&target).unwrap();
            copy(&entry.path(), &target);
            let mode = fs_err::metadata(entry.path()).unwrap().permissions();
            fs_err::set_permissions(&target, mode).unwrap();
        } else {
            fs_err::copy(entry.path(), &target).unwrap();
        }
    }
}

const SKILL: &str = "demo";

fn verb(words: &[&str]) -> Vec<String> {
    ["skill-loop"]
        .iter()
        .chain(words)
        .map(|word| (*word).to_owned())
        .collect()
}

/// A skill of three files.
pub fn package() -> Value {
    let mut document = create(SKILL, "line one\nline two\nline three\n");
    let files = document["create"]["files"].as_array_mut().unwrap();
    files.push(json!({"path": "references/tone.md", "content": "Short.\n"}));
    files.push(json!({"path": "scripts/run.sh", "content": "#!/bin/sh\n", "executable": true}));
    document
}

/// A new support file and an edit of `SKILL.md` that mentions it.
pub fn support_file() -> Value {
    let mut document = patch(SKILL, "x", "y");
    document.as_object_mut().unwrap().remove("patch");
    document["supportFile"] = json!({
        "path": "templates/page.md",
        "content": "Page.\n",
        "pointer": {"oldString": "line two", "newString": "line two: see templates/page.md"},
    });
    document
}

fn made(sandbox: &Sandbox) -> String {
    sandbox.apply(&sandbox.propose(&package()))
}

pub fn propose(_: &Sandbox) -> (Vec<String>, String) {
    let document = json!([package(), create("other", "text\n")]);
    (verb(&["propose", "-"]), document.to_string())
}

pub fn apply_create(sandbox: &Sandbox) -> (Vec<String>, String) {
    (
        verb(&["apply", &sandbox.propose(&package())]),
        String::new(),
    )
}

pub fn apply_patch(sandbox: &Sandbox) -> (Vec<String>, String) {
    made(sandbox);
    let mut document = patch(SKILL, "x", "y");
    document["patch"] = json!({"file": "SKILL.md", "edits": [
        {"oldString": "line one", "newString": "LINE ONE"},
        {"oldString": "line three\n", "newString": ""},
    ]});
    (verb(&["apply", &sandbox.propose(&document)]), String::new())
}

pub fn apply_support_file(sandbox: &Sandbox) -> (Vec<String>, String) {
    made(sandbox);
    (
        verb(&["apply", &sandbox.propose(&support_file())]),
        String::new(),
    )
}

pub fn reject(sandbox: &Sandbox) -> (Vec<String>, String) {
    made(sandbox);
    let id = sandbox.propose(&support_file());
    (verb(&["reject", &id, "--reason", "not now"]), String::new())
}

pub fn rollback_support_file(sandbox: &Sandbox) -> (Vec<String>, String) {
    made(sandbox);
    let receipt = sandbox.apply(&sandbox.propose(&support_file()));
    (verb(&["rollback", &receipt]), String::new())
}

pub fn rollback_create(sandbox: &Sandbox) -> (Vec<String>, String) {
    (verb(&["rollback", &made(sandbox)]), String::new())
}

/// Kills an apply of a support file `after` stop points behind the first that is called `step`.
pub fn killed(sandbox: &Sandbox, step: &str, after: usize) -> (Vec<String>, String) {
    let (args, stdin) = apply_support_file(sandbox);
    let kept = tempfile::tempdir().unwrap();
    copy(sandbox.root(), kept.path());
    let steps = steps(sandbox, &args, &stdin);
    put_back(kept.path(), sandbox.root());
    let at = steps.iter().position(|line| line == step).unwrap() + 1 + after;
    let stop = at.to_string();
    let killed = run(sandbox, &args, &stdin, Some(("LITHERMES_TEST_STOP", &stop)));
    assert_eq!(killed.status, -1);
    (verb(&["verify", "--repair"]), String::new())
}
