//! Hostile surroundings: git's configuration and environment, stock git at work beside us, and
//! links that appear between a check and a write.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::scenarios::killed;
use crate::support::{Ended, Sandbox, create, patch};

#[test]
fn gits_configuration_and_environment_do_not_reach_the_store() {
    let mut sandbox = Sandbox::new();
    let hooks = sandbox.root().join("hooks");
    fs_err::create_dir(&hooks).unwrap();
    let trap = sandbox.root().join("hook-ran");
    for hook in ["reference-transaction", "post-commit", "pre-commit"] {
        let path = hooks.join(hook);
        fs_err::write(&path, format!("#!/bin/sh\ntouch {}\n", trap.display())).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs_err::set_permissions(path, mode).unwrap();
    }
    let config = format!(
        "[commit]\n\tgpgsign = true\n[user]\n\tuseConfigOnly = true\n[core]\n\thooksPath = {}\n\tautocrlf = true\n\teol = crlf\n",
        hooks.display()
    );
    let global = sandbox.root().join("gitconfig");
    fs_err::write(&global, &config).unwrap();
    fs_err::write(sandbox.root().join("user/.gitconfig"), config).unwrap();
    let elsewhere = sandbox.root().join("elsewhere");
    fs_err::create_dir(&elsewhere).unwrap();
    sandbox.set("GIT_CONFIG_GLOBAL", global.to_str().unwrap());
    for name in [
        "GIT_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
    ] {
        sandbox.set(name, elsewhere.to_str().unwrap());
    }
    sandbox.set("GIT_AUTHOR_NAME", "Somebody Else");
    let first = sandbox.apply(&sandbox.propose(&create("demo", "one\ntwo\r\n")));
    let path = sandbox.skill_path("demo").join("SKILL.md");
    let written = fs_err::read(&path).unwrap();
    assert!(written.ends_with(b"one\ntwo\r\n"), "{written:?}");
    let second = sandbox.apply(&sandbox.propose(&patch("demo", "one", "eins")));
    sandbox.rollback(&second);
    assert_eq!(fs_err::read(&path).unwrap(), written);
    sandbox.rollback(&first);
    assert!(!trap.exists() && fs_err::read_dir(&elsewhere).unwrap().next().is_none());
    let authors = sandbox.git(&["log", "--format=%an %ae", "skills/demo"]);
    assert!(
        authors
            .lines()
            .all(|line| line == "lithermes lithermes@localhost"),
        "{authors}"
    );
    sandbox.holds();
}

/// git (before 2.53) lists the objects first and reads the branches after, so what was made in
/// between is missing in its list. Missing on the disk it never is, and nothing else may be wrong.
fn fsck_beside_a_writer(sandbox: &Sandbox) {
    let mut git = sandbox.process("git");
    git.arg("--git-dir").arg(sandbox.store());
    git.args(["fsck", "--strict", "--full", "--no-dangling"]);
    let text = String::from_utf8(git.output().unwrap().stdout).unwrap();
    for line in text.lines() {
        let about_absence = ["missing ", "broken link from", "to "];
        let line = line.trim_start();
        assert!(
            about_absence.iter().any(|start| line.starts_with(start)),
            "{text}"
        );
        let object = line.rsplit(' ').next().unwrap();
        sandbox.git(&["cat-file", "-e", object]);
    }
}

#[test]
fn stock_git_checks_packs_and_clones_while_decisions_are_written() {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create("demo", "value 0\n")));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let git = scope.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::SeqCst) {
                round += 1;
                let clone = sandbox.root().join(format!("clone-{round}"));
                sandbox.git(&["log", "-p", "skills/demo"]);
                fsck_beside_a_writer(&sandbox);
                sandbox.git(&["gc", "-q"]);
                sandbox.git(&["repack", "-a", "-q"]);
                sandbox.git(&["prune-packed", "-q"]);
                sandbox.git(&["pack-refs", "--all"]);
                let store = sandbox.store();
                sandbox.git(&[
                    "clone",
                    "-q",
                    "--no-local",
                    store.to_str().unwrap(),
                    clone.to_str().unwrap(),
                ]);
            }
            round
        });
        let ended = Ended(&done);
        for number in 0..30 {
            let (old, new) = (
                format!("value {number}\n"),
                format!("value {}\n", number + 1),
            );
            let receipt = sandbox.apply(&sandbox.propose(&patch("demo", &old, &new)));
            if number % 3 == 0 {
                sandbox.rollback(&sandbox.rollback(&receipt));
            }
        }
        drop(ended);
        assert!(git.join().unwrap() > 0);
    });
    sandbox.holds();
    let history = sandbox.git(&["log", "--format=%s", "skills/demo"]);
    assert_eq!(history.lines().count(), 31 + 20, "{history}");
}

#[test]
fn a_link_that_appears_in_the_middle_of_a_decision_is_not_followed() {
    let sandbox = Sandbox::new();
    killed(&sandbox, "Link page.md", 0);
    let skill = sandbox.skill_path("demo");
    let outside = sandbox.root().join("outside");
    fs_err::rename(&skill, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &skill).unwrap();
    let before = crate::support::Tree::of(&outside);
    let ran = sandbox.sl(&["verify", "--repair"]).ok();
    assert!(
        ran.stderr.contains("they were not touched"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        crate::support::differences(&before, &crate::support::Tree::of(&outside)),
        Vec::<String>::new()
    );
    assert!(fs_err::symlink_metadata(&skill).unwrap().is_symlink());
}
