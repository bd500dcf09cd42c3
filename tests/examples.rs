//! The conferences in `examples/`, held or at least measured with the programs that they tune.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::Sandbox;

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

#[test]
fn a_smaller_pack_is_found() {
    let sandbox = Sandbox::new();
    copied(&sandbox, "smaller-pack");
    repository(&sandbox);
    let usual = measured(&sandbox, "sh", "bytes.sh", "{}");
    let worst = r#"{"compression":0,"depth":1,"window":1}"#;
    assert!(measured(&sandbox, "sh", "bytes.sh", worst) > usual);
    let check = sandbox.run(&["conference", "check", "--json"]).ok().json();
    assert_eq!(check["ready"], true, "{check:#}");
    let digest = check["approval_digest"].as_str().unwrap();
    let ran = sandbox.run(&["conference", "run", "--approve", digest, "--json"]);
    assert!([0, 8].contains(&ran.status), "{}", ran.stderr);
    let status: serde_json::Value = ran
        .stdout
        .lines()
        .last()
        .map(serde_json::from_str)
        .unwrap()
        .unwrap();
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
    let check = sandbox.run(&["conference", "check", "--json"]).ok().json();
    assert_eq!(check["ready"], true, "{check:#}");
    assert_eq!(check["faults"], serde_json::json!([]));
}
