//! `apply`: the one way to a change, exactly as shown, or not at all.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{Sandbox, create, differences, marked, patch, support_file};

const NAME: &str = "release-notes";

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
fn a_receipt_of_a_long_call_names_some_of_its_words() {
    let sandbox = Sandbox::new();
    let documents: Vec<Value> = (0..40)
        .map(|n| create(&format!("skill-{n}"), "Body.\n"))
        .collect();
    let ids = sandbox.propose_all(&Value::Array(documents));
    let mut args = vec!["apply"];
    args.extend(ids.iter().map(String::as_str));
    sandbox.sl(&args).ok();
    let log = sandbox.json(&["log", "--limit", "1"]);
    let argv = log["entries"][0]["argv"].as_array().unwrap();
    assert_eq!(argv.len(), 33);
    assert_eq!(argv[3], json!(ids[0]));
    assert_eq!(argv[32], json!("… and 11 more"));
    sandbox.holds();
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
    let id = sandbox.propose(&support_file(NAME, "references/new.md", "new\n"));
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
    let folder = sandbox.propose(&support_file("folder", "references/a.md", "text\n"));
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
    let mut document = support_file(NAME, "scripts/run.sh", "#!/bin/sh\n");
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
    assert!(
        sandbox
            .skill_text("release-notes/SKILL.md")
            .ends_with("Run scripts/run.sh.\n")
    );
    sandbox.rollback(&receipt);
    assert_eq!(sandbox.tree().below("home/skills"), before);
}

#[test]
fn a_missing_folder_of_skills_is_made() {
    let sandbox = Sandbox::new();
    fs_err::remove_dir(sandbox.home().join("skills")).unwrap();
    sandbox.apply(&sandbox.propose(&create(NAME, "Body.\n")));
    assert_eq!(
        sandbox.skill_text("release-notes/SKILL.md"),
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
        .map(|word| support_file(NAME, &format!("references/{word}.md"), word))
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
