//! A conference in a sandbox, and what children of the host `command` are made of.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

use super::{Ran, Sandbox};

/// The conditions, with so many rounds, up to where the host is named.
macro_rules! plan {
    ($rounds:literal) => {
        concat!(
            "\
# Conference: The best level

## Goal
Find the level with the least cost.

## Mode
metric

## Success Metric
- **Metric:** cost
- **Target:** <= 0
- **Direction:** minimize
- **Evaluator:** ./cost.sh

## Researchers
- **Count:** 2
- **Iterations per round:** 4
- **Max rounds:** ",
            $rounds,
            "

## Pre-Flight Gate
- **Critic:** disabled
- **Final confirmation:** pending

## Search Space Partitioning
- **Strategy:** free

## Parameters
- level: 1 .. 40 integer

## Constraints
- **Time budget:** 1h
- **Researcher timeout:** 1m

## Host
"
        )
    };
}

pub const PLAN: &str = plan!("2");
/// The same with rounds to spare.
pub const LONG_PLAN: &str = plan!("5");

/// Level 13 costs nothing.
pub const COST: &str = r#"#!/bin/sh
read -r line
level=$(printf '%s' "$line" | sed -n 's/.*"level":\([0-9]*\).*/\1/p')
echo $(( (${level:-0} - 13) * (${level:-0} - 13) ))
"#;

/// What every child begins with: `$charter`, `field NAME`, `say MORE CLAIMS`, and answers for a
/// probe, a reviewer that believes everything, and a synthesizer. What follows is the researcher.
pub const HEAD: &str = r#"#!/bin/sh
charter=$(cat)
field() { printf '%s' "$charter" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
role=$(field role)
lane=$(field lane)
round=$(printf '%s' "$charter" | sed -n 's/.*"round":\([0-9]*\).*/\1/p')
say() {
    printf '{"dispatch_id":"%s","role":"%s","status":"completed","claims":[%s],"uncertainties":[],"recommended_root_actions":[]%s}' \
        "$(field dispatch_id)" "$role" "$2" "$1"
}
verdicts() {
    each='{"claim":"\1","verdict":"'$1'","reason":"because","evidence":"measured","confidence":"high"}'
    printf '%s' "$charter" | grep -o '"id":"r[^"]*"' | sed "s/\"id\":\"\(.*\)\"/$each/" | paste -sd, -
}
at() { say ',"candidates":[{"values":{"level":'"$1"'}}]' '{"claim":"this level is good","evidence":"a guess","confidence":"low","rows":[0]}'; }
case $role in
probe | synthesis) say ; exit ;;
esac
"#;

/// The reviewer that believes everything.
pub const BELIEVES: &str = r#"
case $role in
reviewer) say ',"verdicts":['"$(verdicts validated)"']' ; exit ;;
esac
"#;

pub struct Held {
    pub sandbox: Sandbox,
}

impl Held {
    /// On the host `local`.
    pub fn local() -> Self {
        Self::with(&format!("{PLAN}- **Host:** local\n"))
    }

    /// On the host `command`, whose child is [`HEAD`] and this.
    pub fn command(child: &str) -> Self {
        Self::command_with(child, |plan| plan)
    }

    /// The same with changed conditions.
    pub fn command_with(child: &str, change: impl Fn(String) -> String) -> Self {
        let plan = format!("{PLAN}- **Host:** command\n- **Command:** ./child.sh\n");
        let held = Self::with(&change(plan));
        held.program("child.sh", &format!("{HEAD}{child}\n"));
        held
    }

    pub fn with(plan: &str) -> Self {
        let held = Self {
            sandbox: Sandbox::new(),
        };
        fs_err::write(held.path("conference.md"), plan).unwrap();
        held.program("cost.sh", COST);
        held
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.sandbox.work().join(name)
    }

    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        fs_err::read_to_string(self.path(name)).unwrap()
    }

    /// Changes a file's text; it must change.
    #[track_caller]
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.text(name);
        let edited = text.replacen(from, to, 1);
        assert_ne!(text, edited, "{from} in {name}");
        fs_err::write(self.path(name), edited).unwrap();
    }

    pub fn program(&self, name: &str, text: &str) {
        program(&self.sandbox, name, text);
    }

    #[must_use]
    pub fn conference(&self, args: &[&str]) -> Ran {
        self.sandbox.run(&[&["conference"], args].concat())
    }

    pub fn digest(&self) -> String {
        let check = self.conference(&["check", "--json"]).json();
        check["approval_digest"].as_str().unwrap().to_owned()
    }

    pub fn approve(&self) {
        self.conference(&["approve", "--digest", &self.digest()])
            .ok();
    }

    /// Approves and runs.
    #[must_use]
    pub fn run(&self) -> Ran {
        self.approve();
        self.conference(&["run"])
    }

    #[track_caller]
    pub fn status(&self) -> Value {
        self.conference(&["status", "--json"]).ok().json()
    }

    pub fn events(&self) -> Vec<Value> {
        let text = fs_err::read_to_string(self.path("conference_events.jsonl"));
        let read = |line| serde_json::from_str(line).unwrap();
        let text = text.unwrap_or_default();
        // What is not finished counts for nothing.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(read).collect()
    }

    /// Whether any event stands there whole.
    pub fn is_begun(&self) -> bool {
        let text = fs_err::read_to_string(self.path("conference_events.jsonl"));
        text.is_ok_and(|text| text.contains('\n'))
    }

    pub fn count(&self, event: &str) -> usize {
        let all = self.events();
        all.iter().filter(|line| line["event"] == event).count()
    }

    /// A run in the background.
    pub fn spawned(&self) -> (Child, BufReader<ChildStdout>) {
        let program = assert_cmd::cargo::cargo_bin!("lithermes");
        let mut command = self.sandbox.process(program);
        let command = command.args(["conference", "run", "--json"]);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut run = command.stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(run.stdout.take().unwrap());
        (run, output)
    }

    /// The same, once an event of this kind was told `times`.
    #[track_caller]
    pub fn begun(&self, event: &str, times: usize) -> (Child, BufReader<ChildStdout>) {
        let (run, mut output) = self.spawned();
        let wanted = format!("\"event\":\"{event}\"");
        let mut line = String::new();
        let mut seen = 0;
        while seen < times {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "it ended early");
            seen += usize::from(line.contains(&wanted));
        }
        (run, output)
    }
}

/// A program in the workspace.
pub fn program(sandbox: &Sandbox, name: &str, text: &str) {
    let path = sandbox.work().join(name);
    fs_err::write(&path, text).unwrap();
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The rest of what a run says, and its exit status.
pub fn ended(run: (Child, BufReader<ChildStdout>)) -> Ran {
    let (run, mut output) = run;
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut output, &mut rest).unwrap();
    let mut ended = run.wait_with_output().unwrap();
    ended.stdout = rest;
    Ran::new(ended, std::path::Path::new("/nowhere-at-all"))
}
