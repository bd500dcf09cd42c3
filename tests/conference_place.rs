//! Where no conference may be held: among the skills of the home and in our own state, however the
//! folder is reached. Every verb that would write refuses, and `check` names it.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::conference_check::PLAN;
use crate::support::{Ran, Sandbox, differences};

const PACKET: &str = r#"{"dispatch_id":"c-000000000000.r1.A.1"}"#;

/// Every verb that would write, with the words behind the root.
const VERBS: [(&str, &[&str]); 8] = [
    ("approve", &["--digest", "00"]),
    ("run", &[]),
    ("run", &["--no-write"]),
    ("resume", &[]),
    ("next", &[]),
    ("receive", &["-"]),
    ("cancel", &[]),
    ("cancel", &["--json"]),
];

/// Makes a folder below the home and puts a whole conference there.
fn held_in(sandbox: &Sandbox, below: &str) -> PathBuf {
    let root = sandbox.home().join(below);
    fs_err::create_dir_all(&root).unwrap();
    fs_err::write(root.join("conference.md"), PLAN).unwrap();
    fs_err::write(root.join("pack.py"), "print(41)\n").unwrap();
    root
}

/// Runs a verb and proves that no byte of the disk changed.
#[track_caller]
fn harmless(sandbox: &Sandbox, verb: &str, root: &str, more: &[&str]) -> Ran {
    let before = sandbox.tree();
    let args = [&["conference", verb, root], more].concat();
    let ran = sandbox.run_with(&args, PACKET);
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    ran
}

/// `root` as it is given on the command line; it really is `found`, in the folder `closed` of the
/// home.
#[track_caller]
fn refused_everywhere(sandbox: &Sandbox, root: &Path, closed: &str, found: &str) {
    let given = root.to_str().unwrap();
    let expected = format!("a folder outside [SANDBOX]/home/{closed}");
    let found = format!("[SANDBOX]/{found}");
    for (verb, more) in VERBS {
        let ran = harmless(sandbox, verb, given, more).exits(3);
        if more.contains(&"--json") {
            let document = ran.json();
            assert_eq!(document["code"], "UNSAFE_PATH", "{verb}");
            assert_eq!(document["expected"], expected, "{verb}");
            assert_eq!(document["found"], found, "{verb}");
            continue;
        }
        let ran = ran.fails("UNSAFE_PATH");
        assert_eq!(ran.stdout, "", "{verb}");
        let wanted = format!(
            "error[UNSAFE_PATH]: the conference root lies where no conference may write; nothing was written\n  expected: {expected}\n  found: {found}\nhint: move the folder out of the Hermes home and run the same command again\n"
        );
        assert_eq!(ran.stderr, wanted, "{verb}");
    }
    let ran = harmless(sandbox, "check", given, &[]).exits(3);
    assert!(ran.stderr.starts_with("error[UNSAFE_PATH]: "), "{ran:?}");
    assert!(ran.stdout.contains("goal "), "{ran:?}");
    assert!(!ran.stdout.contains("approv"), "{ran:?}");
    let document = harmless(sandbox, "check", given, &["--json"])
        .exits(3)
        .json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["ready"], false);
    assert_eq!(document["approval_digest"], Value::Null);
    assert_eq!(document["error"]["code"], "UNSAFE_PATH");
    assert_eq!(document["error"]["expected"], expected);
}

#[test]
fn no_conference_is_held_among_skills_or_in_our_state() {
    for below in [
        "skills",
        "skills/pack",
        "skills/a/b/c",
        "lithermes",
        "lithermes/x",
    ] {
        let sandbox = Sandbox::new();
        let root = held_in(&sandbox, below);
        let closed = below.split('/').next().unwrap();
        refused_everywhere(&sandbox, &root, closed, &format!("home/{below}"));
    }
}

#[test]
fn a_link_opens_no_other_way() {
    let sandbox = Sandbox::new();
    let root = held_in(&sandbox, "skills/pack");
    let really = "home/skills/pack";
    let link = sandbox.work().join("looks-harmless");
    symlink(&root, &link).unwrap();
    refused_everywhere(&sandbox, &link, "skills", really);
    let above = sandbox.work().join("above");
    symlink(sandbox.home(), &above).unwrap();
    refused_everywhere(&sandbox, &above.join("skills/pack"), "skills", really);
    // The other way round: the home's folder is the link.
    let elsewhere = sandbox.root().join("elsewhere");
    fs_err::create_dir_all(&elsewhere).unwrap();
    fs_err::remove_dir_all(sandbox.home().join("skills")).unwrap();
    symlink(&elsewhere, sandbox.home().join("skills")).unwrap();
    held_in(&sandbox, "skills/pack");
    refused_everywhere(
        &sandbox,
        &elsewhere.join("pack"),
        "skills",
        "elsewhere/pack",
    );
}

#[test]
fn the_rest_of_the_home_and_names_alike_are_open() {
    for below in ["conferences/pack", "skills-of-mine", "a/skills"] {
        let sandbox = Sandbox::new();
        let root = held_in(&sandbox, below);
        let given = root.to_str().unwrap();
        let document = harmless(&sandbox, "check", given, &["--json"]).ok().json();
        assert_eq!(document["ok"], json!(true), "{below}");
        assert_eq!(document["error"], Value::Null, "{below}");
    }
}

/// One that has begun is not gone on with either, once it was moved there.
#[test]
fn a_conference_that_was_moved_there_is_left_as_it_is() {
    let sandbox = Sandbox::new();
    let text = PLAN.replace("Host:** local", "Host:** handoff");
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
    fs_err::write(sandbox.work().join("pack.py"), "print(41)\n").unwrap();
    let digest = sandbox.run(&["conference", "check", "--json"]).ok().json();
    let digest = digest["approval_digest"].as_str().unwrap().to_owned();
    sandbox
        .run(&["conference", "approve", "--digest", &digest])
        .ok();
    sandbox.run(&["conference", "next"]).ok();
    let root = sandbox.home().join("skills/moved");
    fs_err::rename(sandbox.work(), &root).unwrap();
    fs_err::create_dir(sandbox.work()).unwrap();
    let given = root.to_str().unwrap();
    for (verb, more) in VERBS {
        let ran = harmless(&sandbox, verb, given, more).exits(3);
        assert!(
            ran.stderr.starts_with("error[UNSAFE_PATH]: "),
            "{verb}: {ran:?}"
        );
        assert!(
            ran.stderr.contains("outside [SANDBOX]/home/skills\n"),
            "{verb}: {ran:?}"
        );
    }
    sandbox.run(&["conference", "status", given]).ok();
}
