//! Stock git on the store before and after lithermes writes.

use std::process::Command;

use crate::support::{Sandbox, create, patch};

const SKILL: &str = "release-notes";

fn git(sandbox: &Sandbox, args: &[&str]) -> (bool, String) {
    let mut command: Command = sandbox.process("git");
    command.arg("--git-dir").arg(sandbox.store()).args(args);
    let out = command.output().unwrap();
    let text =
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    (out.status.success(), text)
}

fn packs(sandbox: &Sandbox) {
    for args in [
        &["gc", "-q"][..],
        &["repack", "-a", "-q"],
        &["prune-packed", "-q"],
        &["pack-refs", "--all"],
    ] {
        let (fine, text) = git(sandbox, args);
        assert!(fine, "{args:?}: {text}");
    }
}

/// Applies and rolls back; gives how many decisions there are.
fn decide(sandbox: &Sandbox, rounds: usize) -> usize {
    for round in 0..rounds {
        let new = format!("Round {round}.");
        let id = sandbox.propose(&patch(SKILL, "Text.", &new));
        let receipt = sandbox.apply(&id);
        sandbox.rollback(&receipt);
    }
    rounds * 2
}

#[test]
fn the_history_of_a_skill_is_read_packed_and_cloned_by_git() {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create(SKILL, "Text.\n")));
    let mut decisions = 1;
    for _ in 0..3 {
        packs(&sandbox);
        sandbox.holds();
        decisions += decide(&sandbox, 2);
        sandbox.holds();
    }
    let log = sandbox.git(&["log", "--format=%s", "skills/release-notes"]);
    assert_eq!(log.lines().count(), decisions, "{log}");
    let patches = sandbox.git(&["log", "-p", "skills/release-notes"]);
    for text in ["+Round 1.", "-Text.", "The user corrected this."] {
        assert!(patches.contains(text), "{text}: {patches}");
    }
    let clone = sandbox.root().join("user/clone");
    let (fine, text) = git(
        &sandbox,
        &[
            "clone",
            "-q",
            "--no-local",
            "-b",
            "skills/release-notes",
            sandbox.store().to_str().unwrap(),
            clone.to_str().unwrap(),
        ],
    );
    assert!(fine, "{text}");
    let cloned = fs_err::read_to_string(clone.join("skill/SKILL.md")).unwrap();
    let here = fs_err::read_to_string(sandbox.skill_path(SKILL).join("SKILL.md")).unwrap();
    assert_eq!(cloned, here);
}
