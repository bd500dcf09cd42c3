//! The README's transcripts are run, one after the other, in one sandbox.
//! `LITHERMES_BLESS=1 cargo test --test main readme` writes what was printed.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use regex::Regex;

use crate::conference_check::PLAN;
use crate::support::Sandbox;

const CREATE: &str = include_str!("../templates/tour-create.json");
const PATCH: &str = include_str!("../templates/tour-patch.json");

#[test]
fn every_transcript_is_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs_err::read_to_string(&path).unwrap();
    let later = prepared();
    let opening = opening();
    let mut written = String::new();
    let mut ids = Ids::default();
    let mut block = None;
    let (mut first, mut fence) = (true, "");
    for line in readme.lines() {
        match (&mut block, line) {
            (None, "```console" | "```shell-session") => {
                fence = line;
                block = Some(Vec::new());
            }
            (Some(lines), "```") => {
                // The block under the first sentence shows a home that has the skill already.
                let sandbox = if std::mem::take(&mut first) {
                    &opening
                } else {
                    &later
                };
                written.push_str(&format!("{fence}\n"));
                written.push_str(&replay(sandbox, lines, &mut ids));
                block = None;
            }
            (Some(lines), line) => {
                lines.push(line.to_owned());
                continue;
            }
            (None, _) => {}
        }
        if block.is_none() {
            written.push_str(line);
            written.push('\n');
        }
    }
    if std::env::var_os("LITHERMES_BLESS").is_some() {
        fs_err::write(&path, &written).unwrap();
    }
    let hint = "LITHERMES_BLESS=1 cargo test --test main readme";
    assert!(
        readme == written,
        "README.md is not what the program prints: {hint}\n{written}"
    );
}

#[test]
fn the_first_sh_block_holds_exactly_the_two_commands() {
    let readme = include_str!("../README.md");
    let (_, rest) = readme.split_once("```sh\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    assert_eq!(
        block.lines().collect::<Vec<_>>(),
        ["cargo run --quiet -- tour", "cargo test"]
    );
}

fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    fs_err::write(sandbox.work().join("create.json"), CREATE).unwrap();
    fs_err::write(sandbox.work().join("patch.json"), PATCH).unwrap();
    fs_err::write(sandbox.work().join("conference.md"), PLAN).unwrap();
    fs_err::write(sandbox.work().join("pack.py"), "print(41)\n").unwrap();
    sandbox
}

fn opening() -> Sandbox {
    let sandbox = prepared();
    let id = sandbox.propose(&serde_json::from_str(CREATE).unwrap());
    sandbox.apply(&id);
    sandbox
}

/// Receipts and approvals hash the home's path, so their ids differ from run to run: those of the README stand
/// for those that were printed in their place.
#[derive(Default)]
struct Ids(HashMap<String, String>);

fn replay(sandbox: &Sandbox, lines: &[String], ids: &mut Ids) -> String {
    let mut out = String::new();
    let commands = lines.split(|line| line.starts_with("$ ")).skip(1);
    let typed = lines.iter().filter_map(|line| line.strip_prefix("$ "));
    for (command, expected) in typed.zip(commands) {
        let printed = shell(sandbox, &ids.actual(command));
        out.push_str(&format!("$ {command}\n"));
        out.push_str(&ids.spelled(&expected.join("\n"), &printed));
    }
    out
}

impl Ids {
    fn actual(&self, command: &str) -> String {
        self.0
            .iter()
            .fold(command.to_owned(), |text, (readme, real)| {
                text.replace(readme, real)
            })
    }

    /// What was printed, with the README's ids where it has some at the same place.
    fn spelled(&mut self, expected: &str, printed: &str) -> String {
        let id = Regex::new(r"\bl-[0-9a-f]{12}\b|\b[0-9a-f]{64}\b").unwrap();
        let old: Vec<&str> = id.find_iter(expected).map(|found| found.as_str()).collect();
        let new: Vec<&str> = id.find_iter(printed).map(|found| found.as_str()).collect();
        if old.len() == new.len() {
            self.0.extend(
                old.iter()
                    .zip(&new)
                    .map(|(a, b)| ((*a).to_owned(), (*b).to_owned())),
            );
        }
        let back = |text: String, (readme, real): (&String, &String)| text.replace(real, readme);
        self.0.iter().fold(printed.to_owned(), back)
    }
}

/// What a command line prints, both streams, with the paths that README shows.
pub fn shell(sandbox: &Sandbox, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_lithermes")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let out = Command::new("bash")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .current_dir(sandbox.work())
        .env_clear()
        .env("PATH", format!("{}:{path}", program.display()))
        .env("HOME", sandbox.root().join("user"))
        .env("HERMES_HOME", sandbox.home())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("LITHERMES_TEST_CLOCK", "2026-11-30T10:15:00Z")
        .env("LITHERMES_TEST_ACTOR", "you@yours")
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let root = sandbox.root().to_string_lossy().into_owned();
    let home = text.replace(&format!("{root}/home"), "/home/you/.hermes");
    home.replace(&format!("{root}/work"), "/home/you/project")
}
