//! The conferences in `examples/`, held or at least measured with the programs that they tune.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use regex::Regex;

use crate::readme::shell;
use crate::support::Sandbox;

/// What README's machine made of `{"compression":0}` to `{"compression":9}` in [`repository`]. Where
/// git or zlib make something else of it, the search goes another way.
const SIZES: [f64; 10] = [
    19284.0, 5215.0, 5186.0, 5209.0, 5059.0, 5019.0, 5034.0, 5050.0, 5050.0, 5050.0,
];

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name)
}

/// Copies an example into the workspace.
fn copied(sandbox: &Sandbox, name: &str) {
    for entry in fs_err::read_dir(example(name)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name == "conference.md" || name.ends_with(".sh") {
            fs_err::copy(entry.path(), sandbox.work().join(&*name)).unwrap();
        }
    }
}

/// What an evaluator prints for these settings, in an empty folder.
fn measured(sandbox: &Sandbox, shell: &str, script: &str, settings: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let mut command = sandbox.process(shell);
    let command = command.arg(sandbox.work().join(script));
    let command = command.current_dir(folder.path());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(settings.as_bytes()).unwrap();
    drop(stdin);
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    String::from_utf8(out.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}

fn git(sandbox: &Sandbox, args: &[&str]) {
    let mut command = sandbox.process("git");
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    let date = "2026-11-30T10:15:00Z";
    let command = command
        .env("GIT_AUTHOR_DATE", date)
        .env("GIT_COMMITTER_DATE", date);
    let command = command.current_dir(sandbox.work()).args(identity);
    assert!(command.args(args).status().unwrap().success(), "{args:?}");
}

/// A repository whose one file changes a little in each commit.
fn repository(sandbox: &Sandbox) {
    git(sandbox, &["init", "-q"]);
    let lines = |commit: usize| -> String {
        let line = |n: usize| {
            format!(
                "line {n} as of {}\n",
                if n % 7 < commit { commit } else { n }
            )
        };
        (0..200).map(line).collect()
    };
    for commit in 0..8 {
        fs_err::write(sandbox.work().join("text"), lines(commit)).unwrap();
        git(sandbox, &["add", "text"]);
        git(sandbox, &["commit", "-q", "-m", "more"]);
    }
}

/// The command that README shows of an example, and what it printed.
fn shown(name: &str) -> (String, String) {
    let readme = include_str!("../README.md");
    let begin = format!("```text\n$ lithermes conference run {name} ");
    let at = readme.find(&begin).unwrap() + "```text\n$ ".len();
    let (block, _) = readme[at..].split_once("```").unwrap();
    let (command, printed) = block.split_once('\n').unwrap();
    (command.to_owned(), printed.to_owned())
}

/// Approves what lies in the workspace, and holds it as README does.
fn held(sandbox: &Sandbox, name: &str) -> String {
    let check = sandbox.run(&["conference", "check", "--json"]).ok().json();
    assert_eq!(check["ready"], true, "{check:#}");
    assert_eq!(check["faults"], serde_json::json!([]));
    let digest = check["approval_digest"].as_str().unwrap();
    sandbox
        .run(&["conference", "approve", "--digest", digest])
        .ok();
    shell(sandbox, &shown(name).0.replacen(name, ".", 1))
}

/// Writes what was printed into README.
fn bless(name: &str, printed: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs_err::read_to_string(&path).unwrap();
    let (command, before) = shown(name);
    let old = format!("$ {command}\n{before}```");
    let new = format!("$ {command}\n{printed}```");
    fs_err::write(&path, readme.replacen(&old, &new, 1)).unwrap();
}

/// What holds of every such run, whatever was measured.
#[track_caller]
fn is_such_a_run(printed: &str) {
    let form = "\
^((  r\\d\\.[A-C]\\.1#1 not validated by the (reviewer|root): .+\n)*\
[ ]{2}review: \\d validated, \\d challenged, \\d overturned\n\
round \\d ended, (best validated [\\d.]+|nothing validated)\n)+\
(best        [\\d.]+ \\(lane [A-C], round \\d, iteration \\d\\)\n)?\
stop        (CONVERGED_PLATEAU|STALLED|BUDGET_STOP)\n\
check       replayed \\d+ events, \\d+ charters and packets, \\d+ artifacts: the same\n\
used        \\d+ iterations, \\d+ calls, \\d+ evaluations\n$";
    assert!(Regex::new(form).unwrap().is_match(printed), "{printed}");
}

#[test]
fn a_smaller_pack_is_found() {
    let sandbox = Sandbox::new();
    copied(&sandbox, "smaller-pack");
    repository(&sandbox);
    let with = |settings: &str| measured(&sandbox, "sh", "bytes.sh", settings);
    let usual = with("{}");
    assert!(with(r#"{"compression":0,"depth":1,"window":1}"#) > usual);
    let sizes = (0..10).map(|level| with(&format!(r#"{{"compression":{level}}}"#)));
    let sizes: Vec<f64> = sizes.collect();
    let printed = held(&sandbox, "smaller-pack");
    is_such_a_run(&printed);
    if std::env::var_os("LITHERMES_BLESS").is_some() {
        bless("smaller-pack", &printed);
        assert_eq!(sizes, SIZES, "and these");
    } else if sizes == SIZES {
        let (_, expected) = shown("smaller-pack");
        let hint = "LITHERMES_BLESS=1 cargo test --test main examples";
        assert_eq!(printed, expected, "README shows another run: {hint}");
    }
    let status = sandbox.run(&["conference", "status", "--json"]).ok().json();
    assert_eq!(status["state"], "COMPLETE");
    let best = status["stop"]["best"]["value"].as_f64().unwrap();
    assert!(best <= usual, "{best} is more than {usual}");
}

#[test]
fn a_sort_is_timed() {
    let sandbox = Sandbox::new();
    copied(&sandbox, "faster-sort");
    let seconds = measured(&sandbox, "bash", "seconds.sh", "{}");
    assert!(seconds > 0.0, "{seconds}");
    let script = sandbox.work().join("seconds.sh");
    let text = fs_err::read_to_string(&script).unwrap();
    assert!(text.contains("n < 300000;"));
    fs_err::write(&script, text.replace("n < 300000;", "n < 3000;")).unwrap();
    is_such_a_run(&held(&sandbox, "faster-sort"));
    is_such_a_run(&shown("faster-sort").1);
}

/// Always the same time, but for the three runs of the very first candidate.
const LUCKY: &str = "\
echo . >>$(dirname \"$0\")/runs
case $(wc -l <$(dirname \"$0\")/runs) in 4 | 5 | 6) echo 0.4 ;; *) echo 0.5 ;; esac
";

#[test]
fn a_time_that_was_luck_is_overturned() {
    let sandbox = Sandbox::new();
    copied(&sandbox, "faster-sort");
    fs_err::write(sandbox.work().join("seconds.sh"), LUCKY).unwrap();
    let printed = held(&sandbox, "faster-sort");
    is_such_a_run(&printed);
    let lucky =
        "  r1.A.1#1 not validated by the reviewer: the median 0.5 differs from the claimed 0.4";
    assert!(printed.starts_with(lucky), "{printed}");
    let status = sandbox.run(&["conference", "status", "--json"]).ok().json();
    assert_eq!(status["findings"]["overturned"][0], "r1.A.1#1");
    let best = &status["stop"]["best"]["value"];
    assert_ne!(best, 0.4, "what was luck is no best");
    // README says so of the run that it shows.
    let (_, shown) = shown("faster-sort");
    let luck = " not validated by the reviewer: ";
    assert_eq!(shown.matches(luck).count(), 2, "{shown}");
}
