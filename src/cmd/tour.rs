//! `tour`: the whole product on throw-away directories, each real command printed before it runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::invocation::Invocation;
use crate::error::{Code, Error, Result};

const CREATE: &str = include_str!("../../templates/tour-create.json");
const PATCH: &str = include_str!("../../templates/tour-patch.json");

pub(super) fn run(invocation: &Invocation) -> Result<u8> {
    let folder = tempfile::Builder::new()
        .prefix("lithermes-tour-")
        .tempdir()?;
    let mut tour = Tour::new(invocation, folder.path())?;
    tour.walk()?;
    invocation
        .output
        .document(&json!({"schema": "lithermes/tour/v1", "steps": tour.steps}));
    Ok(0)
}

struct Tour<'a> {
    invocation: &'a Invocation,
    program: PathBuf,
    home: PathBuf,
    work: PathBuf,
    steps: Vec<Value>,
}

impl<'a> Tour<'a> {
    fn new(invocation: &'a Invocation, folder: &Path) -> Result<Self> {
        let program = std::env::current_exe()?;
        let (home, work) = (folder.join("home"), folder.join("work"));
        fs_err::create_dir(&home)?;
        fs_err::create_dir(&work)?;
        fs_err::write(work.join("create.json"), CREATE)?;
        fs_err::write(work.join("patch.json"), PATCH)?;
        Ok(Self {
            invocation,
            program,
            home,
            work,
            steps: Vec::new(),
        })
    }

    fn walk(&mut self) -> Result<()> {
        self.say("A throw-away Hermes home and a workspace; nothing of yours is touched.");
        self.show(&format!(
            "export HERMES_HOME={}; cd {}",
            self.home.display(),
            self.work.display()
        ));

        self.say("An agent handed over a new skill. It waits for a person.");
        self.ours(&["skill-loop", "propose", "create.json"], 0)?;
        self.ours(&["skill-loop", "list"], 0)?;
        let created = self.pending()?;
        self.ours(&["skill-loop", "show", &created], 0)?;
        self.say("The person applies it, and then a correction.");
        self.ours(&["skill-loop", "apply", &created], 0)?;
        self.ours(&["skill-loop", "propose", "patch.json"], 0)?;
        let patched = self.pending()?;
        self.ours(&["skill-loop", "show", &patched], 0)?;
        self.ours(&["skill-loop", "apply", &patched], 0)?;
        let receipt = self.newest_apply()?;

        let skill = self.home.join("skills/release-notes/SKILL.md");
        let applied = fs_err::read(&skill)?;
        self.say("Somebody edits the skill by hand. A rollback would lose that, so it is refused.");
        self.show("echo '4. Ask for a review.' >> $HERMES_HOME/skills/release-notes/SKILL.md");
        fs_err::write(
            &skill,
            [applied.as_slice(), b"4. Ask for a review.\n"].concat(),
        )?;
        self.ours(
            &["skill-loop", "rollback", &receipt],
            Code::RollbackCasMismatch.exit(),
        )?;
        self.say("The edit undone, the correction is taken back to the byte.");
        self.show("sed -i '$d' $HERMES_HOME/skills/release-notes/SKILL.md");
        fs_err::write(&skill, &applied)?;
        self.ours(&["skill-loop", "rollback", &receipt], 0)?;

        self.say("Every decision has a receipt, and all of it can be proved.");
        self.ours(&["skill-loop", "log"], 0)?;
        self.ours(&["skill-loop", "verify"], 0)?;
        self.git()
    }

    fn say(&self, text: &str) {
        self.invocation.output.text(&format!("\n# {text}"));
    }

    fn show(&self, command: &str) {
        self.invocation.output.text(&format!("\n$ {command}"));
    }

    /// Runs lithermes itself; both of its streams are shown.
    fn ours(&mut self, args: &[&str], expected: u8) -> Result<()> {
        self.show(&format!("lithermes {}", args.join(" ")));
        let out = self.capture(&self.program.clone(), args)?;
        self.invocation.output.text(&out.text);
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

    fn git(&mut self) -> Result<()> {
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
    fn pending(&self) -> Result<String> {
        let list = self.answer(&["skill-loop", "list", "--json"])?;
        text_at(&list, "/proposals/0/id")
    }

    fn newest_apply(&self) -> Result<String> {
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
