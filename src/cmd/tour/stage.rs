//! The stage of the tour: two throw-away directories, and commands that are run in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cmd::invocation::Invocation;
use crate::error::{Code, Error, Result};

/// A home and a workspace, and what was run in them.
pub(super) struct Stage<'a> {
    invocation: &'a Invocation,
    program: PathBuf,
    home: PathBuf,
    work: PathBuf,
    steps: Vec<Value>,
}

impl<'a> Stage<'a> {
    /// Makes both below `folder`, with files in the workspace.
    pub(super) fn new(
        invocation: &'a Invocation,
        folder: &Path,
        files: &[(&str, &str)],
    ) -> Result<Self> {
        let program = std::env::current_exe()?;
        let (home, work) = (folder.join("home"), folder.join("work"));
        fs_err::create_dir(&home)?;
        fs_err::create_dir(&work)?;
        for (name, text) in files {
            let file = work.join(name);
            fs_err::create_dir_all(file.parent().unwrap_or(&work))?;
            fs_err::write(file, text)?;
        }
        Ok(Self {
            invocation,
            program,
            home,
            work,
            steps: Vec::new(),
        })
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    pub(super) fn work(&self) -> &Path {
        &self.work
    }

    /// Each command with its exit status.
    pub(super) fn into_steps(self) -> Vec<Value> {
        self.steps
    }

    pub(super) fn say(&self, text: &str) {
        self.invocation.output.text(&format!("\n# {text}"));
    }

    pub(super) fn show(&self, command: &str) {
        self.invocation.output.text(&format!("\n$ {command}"));
    }

    /// Runs lithermes itself; both of its streams are shown.
    pub(super) fn ours(&mut self, args: &[&str], expected: u8) -> Result<()> {
        self.show(&format!("lithermes {}", quoted(args)));
        let out = self.capture(&self.program, args)?;
        self.invocation.output.text(&out.text);
        self.checked(args, &out, expected)
    }

    /// Runs lithermes itself and shows what it prints from the line `from` on.
    pub(super) fn ours_from(&mut self, args: &[&str], from: &str) -> Result<()> {
        self.show(&format!(
            "lithermes {} | sed -n '/^{from}/,$p'",
            quoted(args)
        ));
        let out = self.capture(&self.program, args)?;
        let shown = out
            .text
            .find(&format!("\n{from}"))
            .and_then(|at| out.text.get(at + 1..));
        self.invocation.output.text(shown.unwrap_or_default());
        self.checked(args, &out, 0)
    }

    fn checked(&mut self, args: &[&str], out: &Captured, expected: u8) -> Result<()> {
        self.steps
            .push(json!({"command": args, "exit": out.status}));
        if out.status == i32::from(expected) {
            return Ok(());
        }
        let text = format!(
            "`lithermes {}` did not do what the tour says",
            args.join(" ")
        );
        Err(Error::new(Code::Io, text)
            .expected(format!("exit status {expected}"))
            .found(format!("exit status {}", out.status))
            .caused_by(out.errors.trim_end()))
    }

    pub(super) fn git(&mut self) -> Result<()> {
        self.say("The history of a skill is a git branch, with the reason of each step.");
        let args = [
            "--git-dir",
            "lithermes/skill-loop-blobs",
            "log",
            "--format=%h %s",
            "skills/release-notes",
        ];
        self.show("cd $HERMES_HOME; git --git-dir lithermes/skill-loop-blobs log --format='%h %s' skills/release-notes");
        let out = match self
            .command(Path::new("git"))
            .current_dir(&self.home)
            .args(args)
            .output()
        {
            Ok(out) => out,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.say("(git is not installed here; lithermes itself does not need it)");
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        self.invocation
            .output
            .text(&String::from_utf8_lossy(&out.stdout));
        self.steps
            .push(json!({"command": args, "exit": out.status.code()}));
        if out.status.success() {
            return Ok(());
        }
        let text = "git could not read the store";
        Err(Error::new(Code::Io, text).caused_by(String::from_utf8_lossy(&out.stderr).trim_end()))
    }

    /// The one pending proposal.
    pub(super) fn pending(&self) -> Result<String> {
        let list = self.answer(&["skill-loop", "list", "--json"])?;
        text_at(&list, "/proposals/0/id")
    }

    pub(super) fn newest_apply(&self) -> Result<String> {
        let args = [
            "skill-loop",
            "log",
            "--kind",
            "skill.apply",
            "--limit",
            "1",
            "--json",
        ];
        let log = self.answer(&args)?;
        text_at(&log, "/entries/0/id")
    }

    /// What a person has to approve of the conference in this folder.
    pub(super) fn approval(&self, root: &str) -> Result<String> {
        let check = self.answer(&["conference", "check", root, "--json"])?;
        text_at(&check, "/approval_digest")
    }

    fn answer(&self, args: &[&str]) -> Result<Value> {
        let out = self.capture(&self.program, args)?;
        serde_json::from_str(&out.text).map_err(|error| {
            Error::new(
                Code::Io,
                format!("`lithermes {}` gave no JSON", args.join(" ")),
            )
            .caused_by(error)
        })
    }

    fn capture(&self, program: &Path, args: &[&str]) -> Result<Captured> {
        let out = self.command(program).args(args).output()?;
        let errors = String::from_utf8_lossy(&out.stderr).into_owned();
        let text = format!("{}{errors}", String::from_utf8_lossy(&out.stdout));
        Ok(Captured {
            status: out.status.code().unwrap_or(-1),
            text,
            errors,
        })
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.work)
            .stdin(Stdio::null())
            .env("HOME", &self.work)
            .env("HERMES_HOME", &self.home)
            .env("NO_COLOR", "1")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE");
        command
    }
}

struct Captured {
    status: i32,
    text: String,
    errors: String,
}

fn text_at(document: &Value, pointer: &str) -> Result<String> {
    let found = document
        .pointer(pointer)
        .and_then(Value::as_str)
        .map(str::to_owned);
    found.ok_or_else(|| Error::new(Code::Io, format!("the answer has nothing at {pointer}")))
}

/// As a shell would have to be given it.
fn quoted(args: &[&str]) -> String {
    let word = |word: &&str| match word.contains(' ') {
        true => format!("'{word}'"),
        false => (*word).to_owned(),
    };
    args.iter().map(word).collect::<Vec<_>>().join(" ")
}
