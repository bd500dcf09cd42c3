//! `kill -9` of the real program before every system call that changes the disk.

use crate::support::scenarios::{self as s, Prepare, Scenario};
use crate::support::{Sandbox, differences};

/// After each kill: reading commands work; the next writing one ends with the old files or the
/// new ones and clears up; the same command again ends as if nothing had happened.
fn survives(prepare: Prepare) {
    let scenario = Scenario::new(prepare);
    let old = scenario.skills();
    let steps = scenario.steps();
    let new = scenario.skills();
    assert!(steps.len() >= 3, "{steps:?}");
    for (index, step) in steps.iter().enumerate() {
        let number = index + 1;
        let place = format!("killed before step {number}, {step}");
        scenario.restore();
        let killed = scenario.run(Some(("LITHERMES_TEST_STOP", &number.to_string())));
        assert_eq!(killed.status, -1, "{place}");
        let sandbox = &scenario.sandbox;
        sandbox.sl(&["list", "--all", "--json"]).ok().json();
        // Half of the kills are met by a repair, half by the same command again.
        if number % 2 == 0 {
            let answer = sandbox.sl(&["verify", "--repair", "--json"]).ok().json();
            let now = scenario.skills();
            assert!(
                now == old || now == new,
                "{place}: {:?}",
                differences(&old, &now)
            );
            assert_eq!(
                answer["interrupted"].as_array().unwrap().len(),
                0,
                "{place}"
            );
        }
        let again = scenario.run(None);
        assert_eq!(again.status, 0, "{place}: {}", again.stderr);
        assert_eq!(
            differences(&new, &scenario.skills()),
            Vec::<String>::new(),
            "{place}"
        );
        // The next writer clears up, also where the decision itself was done.
        sandbox.sl(&["verify", "--repair"]).ok();
        sandbox.holds();
        let left: Vec<String> = sandbox
            .tree()
            .paths()
            .into_iter()
            .filter(|path| {
                path.ends_with(".tmp") || path.contains("quarantine-") || path.ends_with(".lock")
            })
            .collect();
        assert_eq!(left, Vec::<String>::new(), "{place}");
    }
}

#[test]
fn propose_survives_every_kill() {
    survives(s::propose);
}

#[test]
fn apply_of_a_create_survives_every_kill() {
    survives(s::apply_create);
}

#[test]
fn apply_of_several_edits_survives_every_kill() {
    survives(s::apply_patch);
}

#[test]
fn apply_of_a_support_file_survives_every_kill() {
    survives(s::apply_support_file);
}

#[test]
fn reject_survives_every_kill() {
    survives(s::reject);
}

#[test]
fn rollback_of_a_support_file_survives_every_kill() {
    survives(s::rollback_support_file);
}

#[test]
fn rollback_of_a_create_survives_every_kill() {
    survives(s::rollback_create);
}

#[test]
fn rollback_of_a_rollback_survives_every_kill() {
    survives(s::rollback_rollback);
}

#[test]
fn a_recovery_that_finishes_survives_every_kill() {
    survives(s::recovery_finishes);
}

#[test]
fn a_recovery_that_undoes_survives_every_kill() {
    survives(s::recovery_undoes);
}

#[test]
fn what_was_recovered_is_said_in_one_line_before_the_commands_own_job() {
    let sandbox = Sandbox::new();
    s::killed(&sandbox, "Exchange SKILL.md", 1);
    let list = sandbox.json(&["list"]);
    assert_eq!(list["proposals"][0]["state"], "interrupted", "{list:#}");
    let before = sandbox.tree();
    sandbox.holds();
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    let other = crate::support::create("other", "text\n");
    let ran = sandbox
        .run_with(&["skill-loop", "propose", "-"], other.to_string())
        .ok();
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("note: an interrupted apply of p-"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .contains("was finished: the files are the new ones"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("pending"), "{}", ran.stdout);
}

#[test]
fn an_edit_between_a_kill_and_the_recovery_is_contested_and_not_touched() {
    let sandbox = Sandbox::new();
    s::killed(&sandbox, "Exchange SKILL.md", 1);
    let path = sandbox.skill_path("demo").join("SKILL.md");
    fs_err::write(&path, "by hand\n").unwrap();
    let ran = sandbox.sl(&["verify", "--repair"]).ok();
    assert!(
        ran.stderr
            .contains("edited by hand since; they were not touched"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs_err::read_to_string(&path).unwrap(), "by hand\n");
    let list = sandbox.json(&["list"]);
    let marks = list["proposals"][0]["marks"].to_string();
    assert!(marks.contains("contested"), "{list:#}");
    let log = sandbox.json(&["log", "--kind", "skill.recover"]);
    let file = &log["entries"][0]["contested"][0];
    assert_eq!(file["path"], "SKILL.md");
    for side in ["before", "after", "found"] {
        assert_eq!(file[side]["sha256"].as_str().unwrap().len(), 64, "{log:#}");
    }
    sandbox.holds();
}

#[test]
fn recovery_needs_no_workspace() {
    let sandbox = Sandbox::new();
    s::killed(&sandbox, "Exchange SKILL.md", 1);
    fs_err::remove_dir_all(sandbox.work()).unwrap();
    fs_err::create_dir(sandbox.work()).unwrap();
    let ran = sandbox.sl(&["verify", "--repair"]).ok();
    assert!(ran.stderr.contains("was finished"), "{}", ran.stderr);
    let text = fs_err::read_to_string(sandbox.skill_path("demo").join("SKILL.md")).unwrap();
    assert!(text.contains("see templates/page.md"), "{text}");
    sandbox.holds();
}
