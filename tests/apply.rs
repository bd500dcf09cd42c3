//! `apply`: the one way to a change, exactly as shown, or not at all.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{Sandbox, create, differences, marked, patch};

const NAME: &str = "release-notes";

fn support(skill: &str, path: &str, content: &str) -> Value {
    let mut document = create(skill, "");
    document.as_object_mut().unwrap().remove("create");
    document["supportFile"] = json!({"path": path, "content": content});
    document
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    fs_err::read_to_string(sandbox.home().join("skills").join(path)).unwrap()
}

#[test]
fn case_1_observing_and_proposing_change_no_skill_and_applying_leaves_a_receipt() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let skills = sandbox.tree().below("home/skills");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    sandbox.sl(&["show", &id]).ok();
    sandbox.sl(&["apply", &id, "--dry-run"]).ok();
    sandbox.sl(&["verify"]).ok();
    assert_eq!(sandbox.tree().below("home/skills"), skills);
    let ran = sandbox.sl(&["apply", &id]).ok();
    assert!(
        ran.stdout
            .starts_with(&format!("Applied {id} to skill {NAME}.\nReceipt l-")),
        "{ran:?}"
    );
    assert_eq!(ran.stderr, "");
    assert_eq!(
        differences(&skills, &sandbox.tree().below("home/skills")),
        ["~ home/skills/release-notes/SKILL.md"]
    );
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
    let queued: Value = serde_json::from_str(
        &fs_err::read_to_string(sandbox.queue().join(format!("{id}.json"))).unwrap(),
    )
    .unwrap();
    assert_eq!(queued["status"], "applied");
    assert!(
        ran.stdout
            .contains(queued["ledgerEntryId"].as_str().unwrap()),
        "{queued:#}"
    );
    sandbox.holds();
}

#[test]
fn a_receipt_says_who_when_what_and_from_what_to_what() {
    let mut sandbox = Sandbox::new();
    sandbox.set("LITHERMES_TEST_CLOCK", "2026-05-06T07:08:09Z");
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let receipt = sandbox.apply(&id);
    let log = sandbox.json(&["log"]);
    let (apply, approve) = (&log["entries"][0], &log["entries"][1]);
    assert_eq!(apply["id"], json!(receipt));
    assert_eq!(apply["opens"], approve["id"]);
    assert_eq!((&apply["seq"], &approve["seq"]), (&json!(2), &json!(1)));
    assert_eq!(approve["prev"], json!("0".repeat(64)));
    for entry in [apply, approve] {
        assert_eq!(entry["schema"], "lithermes/ledger/v1");
        assert_eq!(entry["proposalId"], json!(id));
        assert_eq!(entry["at"], "2026-05-06T07:08:09Z");
        assert_eq!(entry["actor"], "tester@example");
        assert_eq!(
            entry["argv"],
            json!(["lithermes", "skill-loop", "apply", id, "--json"])
        );
        assert_eq!(entry["version"], env!("CARGO_PKG_VERSION"));
    }
    let file = &approve["files"][0];
    assert_eq!(
        (&file["path"], &file["before"]),
        (&json!("SKILL.md"), &Value::Null)
    );
    assert_eq!(file["after"]["size"], json!(marked(NAME, "Body.\n").len()));
    let at = sandbox.tree();
    assert_eq!(at.mode("home/lithermes/skill-loop-ledger.jsonl"), 0o600);
}

#[test]
fn applying_again_is_done_already_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.apply(&id);
    let before = sandbox.tree();
    let ran = sandbox.sl(&["apply", &id]).ok();
    assert!(ran.stdout.contains("already applied"), "{ran:?}");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    // S1: a file that was removed by hand since is not made again.
    fs_err::remove_dir_all(sandbox.skill_path(NAME)).unwrap();
    sandbox.sl(&["apply", &id]).ok();
    assert!(!sandbox.skill_path(NAME).exists());
}

#[test]
fn case_8_without_an_id_and_without_a_terminal_it_is_a_usage_error() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.refuses(&["apply"], "", 2, "USAGE");
    sandbox.refuses(&["apply"], "apply\n", 2, "USAGE");
    sandbox.refuses(&["apply", &id[..14]], "", 2, "USAGE");
    sandbox.refuses(&["apply", &id[..8]], "apply\n", 2, "USAGE");
    sandbox.refuses(&["reject", &id[..14]], "", 2, "USAGE");
}

#[test]
fn q5_a_decision_that_an_agent_asks_for_is_refused_before_any_write_or_lock() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let second = sandbox.propose(&create("second", "Body.\n"));
    let receipt = sandbox.apply(&second);
    let (hermes, child) = ("HERMES_SESSION_ID", "LITHERMES_CHILD");
    let before = sandbox.tree();
    for name in [hermes, child] {
        sandbox.set(hermes, "");
        sandbox.set(child, "");
        sandbox.set(name, "1");
        for args in [
            vec!["apply", &id],
            vec!["apply"],
            vec!["apply", &id, "--keep-going"],
            vec!["apply", &id, "--quiet"],
            vec!["reject", &id, "--reason", "x"],
            vec!["rollback", &receipt],
            vec!["verify", "--repair"],
        ] {
            let ran = sandbox.refuses(&args, "apply\n", 3, "FOREGROUND_REQUIRED");
            let hints: Vec<&str> = ran
                .stderr
                .lines()
                .filter(|line| line.starts_with("hint: "))
                .collect();
            assert!(
                hints.contains(&"hint: lithermes skill-loop list"),
                "{}",
                ran.stderr
            );
            for hint in hints {
                let reads = ["list", "show", "log"]
                    .iter()
                    .any(|verb| hint.starts_with(&format!("hint: lithermes skill-loop {verb}")));
                assert!(reads, "{hint}");
            }
            for way_round in [
                "--yes", "--force", "unset", "env -u", "env ", "tty", "script",
            ] {
                assert!(!ran.stderr.contains(way_round), "{}", ran.stderr);
            }
            let named = ran.stderr.contains(hermes) || ran.stderr.contains(child);
            assert!(
                !named,
                "the refusal names the variable to unset: {}",
                ran.stderr
            );
        }
        for args in [
            vec!["list"],
            vec!["show", &id],
            vec!["apply", &id, "--dry-run"],
            vec!["log"],
            vec!["verify"],
        ] {
            sandbox.sl(&args).ok();
        }
    }
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn s6_case_27_a_hand_edit_since_the_import_is_stale_and_never_overwritten() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one two three\n");
    let id = sandbox.propose(&patch(NAME, "one two three", "1 2 3"));
    let was = sandbox.item(&id)["files"].clone();
    assert_eq!(was, json!(["SKILL.md"]));
    let edits: [&dyn Fn(); 4] = [
        &|| fs_err::write(&path, marked(NAME, "one zwei three\n")).unwrap(),
        &|| fs_err::write(&path, marked(NAME, "one two three\nmore\n")).unwrap(),
        &|| {
            fs_err::write(&path, marked(NAME, "one two three\n")).unwrap();
            fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        },
        &|| fs_err::remove_dir_all(sandbox.skill_path(NAME)).unwrap(),
    ];
    for edit in edits {
        edit();
        let ran = sandbox.refuses(&["apply", &id], "apply\n", 4, "STALE_BASE");
        assert!(ran.stderr.contains("SKILL.md"), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("  expected: ") && ran.stderr.contains("  found: "),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains(&format!("show {id}")), "{}", ran.stderr);
    }
}

#[test]
fn s1_absent_is_a_base_too() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let id = sandbox.propose(&support(NAME, "references/new.md", "new\n"));
    let folder = sandbox.skill_path(NAME).join("references");
    fs_err::create_dir(&folder).unwrap();
    fs_err::write(folder.join("new.md"), "by hand\n").unwrap();
    let ran = sandbox.refuses(&["apply", &id], "", 4, "STALE_BASE");
    assert!(ran.stderr.contains("  expected: absent"), "{}", ran.stderr);
    let create_id = sandbox.propose(&create("fresh", "Body.\n"));
    sandbox.skill("fresh", "by hand\n");
    sandbox.refuses(&["apply", &create_id], "", 4, "STALE_BASE");
}

#[test]
fn a_name_that_was_taken_since_the_import_is_stale() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create("fresh", "Body.\n"));
    let elsewhere = sandbox.skill_path("group/elsewhere");
    fs_err::create_dir_all(&elsewhere).unwrap();
    fs_err::write(elsewhere.join("SKILL.md"), marked("fresh", "x\n")).unwrap();
    sandbox.refuses(&["apply", &id], "", 4, "STALE_BASE");
}

#[test]
fn p1_c3_a_link_that_appeared_since_the_import_is_not_followed() {
    let sandbox = Sandbox::new();
    let outside = sandbox.root().join("outside");
    fs_err::create_dir(&outside).unwrap();
    sandbox.skill("moved", "one\n");
    sandbox.skill("file", "one\n");
    sandbox.skill("folder", "one\n");
    let moved = sandbox.propose(&patch("moved", "one", "1"));
    let file = sandbox.propose(&patch("file", "one", "1"));
    let folder = sandbox.propose(&support("folder", "references/a.md", "text\n"));
    let fresh = sandbox.propose(&create("fresh", "Body.\n"));
    let link =
        |to: &std::path::Path, at: &std::path::Path| std::os::unix::fs::symlink(to, at).unwrap();
    fs_err::rename(sandbox.skill_path("moved"), outside.join("moved")).unwrap();
    link(&outside.join("moved"), &sandbox.skill_path("moved"));
    let path = sandbox.skill_path("file").join("SKILL.md");
    fs_err::rename(&path, outside.join("SKILL.md")).unwrap();
    link(&outside.join("SKILL.md"), &path);
    link(&outside, &sandbox.skill_path("folder").join("references"));
    link(&outside, &sandbox.skill_path("fresh"));
    for id in [moved, file, folder, fresh] {
        let ran = sandbox.refuses(&["apply", &id], "", 3, "UNSAFE_PATH");
        assert!(ran.stderr.contains("link"), "{}", ran.stderr);
    }
}

#[test]
fn c2_modes_are_kept_by_apply_and_rollback() {
    for mode in [0o755, 0o600, 0o644, 0o444, 0o640] {
        let sandbox = Sandbox::new();
        let path = sandbox.skill(NAME, "one\n");
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let before = sandbox.tree().below("home/skills");
        let id = sandbox.propose(&patch(NAME, "one", "1"));
        let receipt = sandbox.apply(&id);
        assert_eq!(
            sandbox.tree().mode("home/skills/release-notes/SKILL.md"),
            mode,
            "{mode:o}"
        );
        sandbox.rollback(&receipt);
        assert_eq!(sandbox.tree().below("home/skills"), before, "{mode:o}");
    }
}

#[test]
fn an_executable_script_is_made_executable_and_taken_away() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let before = sandbox.tree().below("home/skills");
    let mut document = support(NAME, "scripts/run.sh", "#!/bin/sh\n");
    document["supportFile"]["executable"] = json!(true);
    document["supportFile"]["pointer"] =
        json!({"oldString": "Body.", "newString": "Run scripts/run.sh."});
    let receipt = sandbox.apply(&sandbox.propose(&document));
    assert_eq!(
        sandbox
            .tree()
            .mode("home/skills/release-notes/scripts/run.sh"),
        0o755
    );
    assert!(text(&sandbox, "release-notes/SKILL.md").ends_with("Run scripts/run.sh.\n"));
    sandbox.rollback(&receipt);
    assert_eq!(sandbox.tree().below("home/skills"), before);
}

#[test]
fn a_missing_folder_of_skills_is_made() {
    let sandbox = Sandbox::new();
    fs_err::remove_dir(sandbox.home().join("skills")).unwrap();
    sandbox.apply(&sandbox.propose(&create(NAME, "Body.\n")));
    assert_eq!(
        text(&sandbox, "release-notes/SKILL.md"),
        marked(NAME, "Body.\n")
    );
}

#[test]
fn several_ids_are_checked_first_and_decided_one_by_one() {
    let sandbox = Sandbox::new();
    let ids = sandbox.propose_all(&json!([
        create("one", "1\n"),
        create("two", "2\n"),
        create("three", "3\n")
    ]));
    sandbox.skill("two", "in the way\n");
    let all = ["apply", &ids[0], &ids[1], &ids[2]];
    let ran = sandbox.refuses(&all, "", 4, "STALE_BASE");
    assert!(
        ran.stderr.contains("no proposal was applied"),
        "{}",
        ran.stderr
    );
    let ran = sandbox
        .sl(&[&all[..], &["--keep-going", "--json"]].concat())
        .exits(4);
    let results = ran.json()["results"].clone();
    let outcomes: Vec<&Value> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["outcome"])
        .collect();
    assert_eq!(outcomes, ["done", "failed", "done"], "{results:#}");
    assert_eq!(results[1]["error"]["code"], "STALE_BASE");
    assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
    assert_eq!(sandbox.kinds().len(), 4);
    sandbox.holds();
}

#[test]
fn two_ids_on_one_file_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\ntwo\n");
    let ids = sandbox.propose_all(&json!([patch(NAME, "one", "1"), patch(NAME, "two", "2")]));
    for more in [&[][..], &["--keep-going"], &["--dry-run"]] {
        let args = [&["apply", &ids[0], &ids[1]], more].concat();
        let ran = sandbox.refuses(&args, "", 4, "STALE_BASE");
        assert!(
            ran.stderr.contains(&ids[0]) && ran.stderr.contains(&ids[1]),
            "{}",
            ran.stderr
        );
    }
    sandbox.sl(&["apply", &ids[0], &ids[0]]).ok();
    assert_eq!(sandbox.kinds().len(), 2);
}

#[test]
fn a_dry_run_says_what_would_be_and_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    let before = sandbox.tree();
    let ran = sandbox.sl(&["apply", &id, "--dry-run"]).ok();
    assert!(
        ran.stdout
            .starts_with(&format!("Would apply {id} to skill {NAME}.")),
        "{}",
        ran.stdout
    );
    let document = sandbox.json(&["apply", &id, "--dry-run"]);
    assert_eq!(document["results"][0]["outcome"], "would-apply");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn case_5_of_five_proposals_two_are_applied_and_one_is_taken_back() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\ntwo\n");
    let documents: Vec<Value> = ["a", "b", "c"]
        .iter()
        .map(|word| support(NAME, &format!("references/{word}.md"), word))
        .collect();
    let ids = sandbox.propose_all(&json!([
        patch(NAME, "one", "1"),
        patch(NAME, "two", "2"),
        documents[0],
        documents[1],
        documents[2]
    ]));
    sandbox.apply(&ids[2]);
    let between = sandbox.tree().below("home/skills");
    let receipt = sandbox.apply(&ids[0]);
    assert!(fs_err::read_to_string(&path).unwrap().contains("1\ntwo\n"));
    sandbox.rollback(&receipt);
    assert_eq!(sandbox.tree().below("home/skills"), between);
    assert_eq!(
        sandbox.json(&["list"])["proposals"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    sandbox.holds();
}

#[test]
fn s3_of_twenty_at_once_on_one_base_one_wins() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "anchor\n");
    let documents: Vec<Value> = (0..20)
        .map(|n| patch(NAME, "anchor", &format!("text {n}")))
        .collect();
    let ids = sandbox.propose_all(&json!(documents));
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let runs: Vec<_> = ids
            .iter()
            .map(|id| scope.spawn(|| sandbox.sl(&["apply", id, "--lock-timeout", "60"]).status))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [&[0][..], &[4; 19]].concat());
    let winner = codes.iter().position(|code| *code == 0).unwrap();
    assert_eq!(
        fs_err::read_to_string(path).unwrap(),
        marked(NAME, &format!("text {winner}\n"))
    );
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
    sandbox.holds();
}

#[test]
fn case_15_two_at_once_on_one_id_apply_it_once() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let outcomes: Vec<Value> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| sandbox.json(&["apply", &id, "--lock-timeout", "60"])))
            .collect();
        runs.into_iter()
            .map(|run| run.join().unwrap()["results"][0]["outcome"].clone())
            .collect()
    });
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == "done")
            .count(),
        1,
        "{outcomes:?}"
    );
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == "already")
            .count(),
        5,
        "{outcomes:?}"
    );
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
}

#[test]
fn case_54_concurrent_writers_of_different_files_lose_nothing() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let documents: Vec<Value> = (0..12)
        .map(|n| support(NAME, &format!("references/{n}.md"), &format!("{n}\n")))
        .collect();
    let ids = sandbox.propose_all(&json!(documents));
    let sandbox = &sandbox;
    std::thread::scope(|scope| {
        for half in ids.chunks(6) {
            scope.spawn(move || {
                for id in half {
                    sandbox.sl(&["apply", id, "--lock-timeout", "60"]).ok();
                }
            });
        }
    });
    for n in 0..12 {
        assert_eq!(
            text(sandbox, &format!("release-notes/references/{n}.md")),
            format!("{n}\n")
        );
    }
    assert_eq!(sandbox.kinds().len(), 24);
    sandbox.holds();
}

#[test]
fn c5_a_held_lock_is_busy_and_names_its_holder() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let file = fs_err::OpenOptions::new()
        .read(true)
        .write(true)
        .open(sandbox.home().join("lithermes/lock"))
        .unwrap();
    let file = file.into_parts().0;
    file.lock().unwrap();
    let ran = sandbox
        .sl(&["apply", &id, "--lock-timeout", "0"])
        .exits(5)
        .fails("LOCK_TIMEOUT");
    assert!(!sandbox.skill_path(NAME).exists(), "{}", ran.stderr);
    for verb in [["show", &id[..]], ["apply", &id]] {
        let more: &[&str] = if verb[0] == "apply" {
            &["--dry-run"]
        } else {
            &[]
        };
        sandbox.sl(&[&verb[..], more].concat()).ok();
    }
    for args in [["list"], ["log"], ["verify"]] {
        sandbox.sl(&args).ok();
    }
    file.unlock().unwrap();
    sandbox.sl(&["apply", &id, "--lock-timeout", "0"]).ok();
}

/// Every write fails: nothing is changed, nothing is left, the proposal stays.
#[test]
fn c1_case_48_a_disk_that_takes_no_write() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\n");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    let skills = sandbox.tree().below("home/skills");
    let line = format!(
        "trap '' XFSZ; ulimit -f 0; exec '{}' skill-loop apply {id}",
        assert_cmd::cargo::cargo_bin!("lithermes").display()
    );
    let mut shell = sandbox.process("sh");
    let out = shell.args(["-c", &line]).output().unwrap();
    assert_eq!(
        out.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    assert!(out.stdout.is_empty());
    assert_eq!(sandbox.tree().below("home/skills"), skills);
    assert_eq!(sandbox.item(&id)["state"], "pending");
    sandbox.apply(&id);
    assert_eq!(fs_err::read_to_string(path).unwrap(), marked(NAME, "1\n"));
    sandbox.holds();
}

#[test]
fn case_51_without_a_store_nothing_is_written() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let first = sandbox.propose(&patch(NAME, "one", "1"));
    fs_err::remove_dir_all(sandbox.store()).unwrap();
    fs_err::write(sandbox.store(), "a file\n").unwrap();
    let skills = sandbox.tree().below("home/skills");
    let ran = sandbox.sl(&["apply", &first]);
    assert!(matches!(ran.status, 1 | 3 | 7), "{ran:?}");
    assert!(ran.stderr.contains("skill-loop-blobs"), "{ran:?}");
    assert_eq!(sandbox.tree().below("home/skills"), skills);
    assert!(!sandbox.ledger().exists());
    fs_err::remove_file(sandbox.store()).unwrap();
    assert_eq!(sandbox.item(&first)["state"], "pending");
}

#[test]
fn s7_a_foreign_ledger_or_store_is_never_appended_to() {
    for (path, text) in [
        (
            "skill-loop-ledger.jsonl",
            "{\"kind\":\"apply\",\"skill\":\"x\"}\n",
        ),
        ("skill-loop-blobs/ab/cdef", "blob"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.skill(NAME, "one\n");
        let file = sandbox.home().join("lithermes").join(path);
        fs_err::create_dir_all(file.parent().unwrap()).unwrap();
        fs_err::write(&file, text).unwrap();
        let ran = sandbox.refuses_document(&patch(NAME, "one", "1"), 7, "FOREIGN_STATE");
        assert!(ran.stderr.contains("lithermes"), "{}", ran.stderr);
        assert_eq!(fs_err::read_to_string(file).unwrap(), text);
    }
}

#[cfg(debug_assertions)]
mod interrupted {
    use super::*;

    /// At every fourth stop point of an apply the next command finds the old state or the new one, says
    /// which, and does its own job.
    #[test]
    fn c1_c6_q7_killed_at_any_write_and_gone_on_by_the_next_command() {
        for stop in (1..).step_by(4) {
            let mut sandbox = Sandbox::new();
            let path = sandbox.skill(NAME, "one\n");
            let ids =
                sandbox.propose_all(&json!([patch(NAME, "one", "1"), create("other", "x\n")]));
            sandbox.set("LITHERMES_TEST_STOP", &stop.to_string());
            let killed = sandbox.sl(&["apply", &ids[0]]);
            sandbox.set("LITHERMES_TEST_STOP", "0");
            if killed.status == 0 {
                assert!(stop > 10, "{stop} steps only");
                break;
            }
            assert_eq!(killed.status, -1, "{killed:?}");
            let now = fs_err::read_to_string(&path).unwrap();
            assert!(
                now == marked(NAME, "one\n") || now == marked(NAME, "1\n"),
                "{stop}: {now}"
            );
            let item = sandbox.item(&ids[0]);
            let settled = item["state"] != "interrupted";
            sandbox.sl(&["show", &ids[0]]).ok();
            let before = sandbox.tree();
            sandbox.sl(&["verify"]).ok();
            assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
            let ran = sandbox.sl(&["apply", &ids[1]]).ok();
            assert!(settled || ran.stderr.contains("note: "), "{stop}: {ran:?}");
            assert_eq!(text(&sandbox, "other/SKILL.md"), marked("other", "x\n"));
            let state = sandbox.item(&ids[0])["state"].clone();
            let now = fs_err::read_to_string(&path).unwrap();
            let expected = if state == "applied" { "1\n" } else { "one\n" };
            assert_eq!(now, marked(NAME, expected), "{stop}: {state}");
            sandbox.holds();
            sandbox.sl(&["apply", &ids[0]]).ok();
            assert_eq!(
                fs_err::read_to_string(&path).unwrap(),
                marked(NAME, "1\n"),
                "{stop}"
            );
            let left = sandbox
                .tree()
                .paths()
                .into_iter()
                .find(|path| path.ends_with(".tmp"));
            assert_eq!(left, None, "{stop}");
        }
    }
}
