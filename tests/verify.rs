//! `verify`: what it proves, and what it repairs only when asked.

use serde_json::json;

use crate::support::{Sandbox, Saved, create, differences, marked, patch};

const NAME: &str = "release-notes";

fn applied() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let receipt = sandbox.apply(&sandbox.propose(&create(NAME, "Body.\n")));
    (sandbox, receipt)
}

#[test]
fn nothing_and_a_clean_home_hold_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ran = sandbox.sl(&["verify"]).ok();
    assert_eq!(ran.stdout, "0 ledger lines and 0 objects hold.\n");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    let (sandbox, _) = applied();
    let before = sandbox.tree();
    let ran = sandbox.sl(&["verify"]).ok();
    assert!(ran.stdout.starts_with("2 ledger lines and "), "{ran:?}");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn every_object_that_a_receipt_names_is_missed() {
    let (sandbox, _) = applied();
    let objects: Vec<String> = sandbox
        .tree()
        .below("home/lithermes/skill-loop-blobs/objects")
        .paths();
    let mut missed = 0;
    for path in objects {
        let file = sandbox.root().join(path);
        if !file.is_file() {
            continue;
        }
        let bytes = fs_err::read(&file).unwrap();
        fs_err::remove_file(&file).unwrap();
        let ran = sandbox.sl(&["verify"]).exits(7);
        assert!(
            ran.stderr.contains("error[STORE_DAMAGED]"),
            "{}",
            ran.stderr
        );
        fs_err::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        sandbox.sl(&["verify"]).exits(7);
        fs_err::write(&file, &bytes).unwrap();
        missed += 1;
    }
    assert!(missed >= 3, "{missed}");
    sandbox.holds();
}

#[test]
fn a_missing_store_and_a_missing_branch_are_faults() {
    let (sandbox, _) = applied();
    let kept = sandbox.root().join("kept");
    fs_err::rename(sandbox.store(), &kept).unwrap();
    sandbox.sl(&["verify"]).exits(7).fails("STORE_DAMAGED");
    fs_err::rename(&kept, sandbox.store()).unwrap();
    sandbox.apply(&sandbox.propose(&create("other", "x\n")));
    sandbox.git(&["update-ref", "-d", "refs/heads/skills/release-notes"]);
    let ran = sandbox.sl(&["verify"]).exits(7).fails("STORE_DAMAGED");
    assert!(
        ran.stderr.contains("skills/release-notes"),
        "{}",
        ran.stderr
    );
}

/// As a kill between the closing line and the branch leaves it.
#[test]
fn the_branch_of_the_last_decision_may_be_behind_and_the_next_writer_moves_it() {
    let (sandbox, receipt) = applied();
    sandbox.rollback(&receipt);
    sandbox.holds();
    sandbox.git(&[
        "update-ref",
        "refs/heads/skills/release-notes",
        "skills/release-notes~1",
    ]);
    sandbox.holds();
    let behind = sandbox.git(&["rev-parse", "skills/release-notes"]);
    sandbox.propose(&create("other", "x\n"));
    let ahead = sandbox.git(&["rev-parse", "skills/release-notes"]);
    assert_ne!(ahead, behind);
    sandbox.holds();
}

#[test]
fn a_hand_edit_is_drift_and_no_fault() {
    let (sandbox, receipt) = applied();
    let path = sandbox.skill_path(NAME).join("SKILL.md");
    fs_err::write(&path, marked(NAME, "By hand.\n")).unwrap();
    let ran = sandbox.sl(&["verify"]).ok();
    assert!(
        ran.stdout
            .contains(&format!("Edited since receipt {receipt}: {NAME}/SKILL.md")),
        "{ran:?}"
    );
    let document = sandbox.json(&["verify"]);
    assert_eq!(
        (&document["ok"], &document["drift"][0]["path"]),
        (&json!(true), &json!("SKILL.md"))
    );
    fs_err::remove_file(&path).unwrap();
    assert_eq!(sandbox.json(&["verify"])["drift"][0]["found"], json!(null));
    // The next decision on the file takes the edit in as a commit of its own.
    fs_err::write(&path, marked(NAME, "By hand.\n")).unwrap();
    sandbox.apply(&sandbox.propose(&patch(NAME, "hand", "lithermes")));
    sandbox.holds();
    let branch = format!("skills/{NAME}");
    let history = sandbox.git(&["log", "-p", "--format=%s", &branch]);
    assert!(history.contains("+By hand."), "{history}");
}

#[test]
fn a_ledger_shortened_at_a_line_end_is_found_out() {
    let (sandbox, _) = applied();
    sandbox.propose(&create("other", "x\n"));
    let text = fs_err::read_to_string(sandbox.ledger()).unwrap();
    for keep in [0, 1] {
        let short: String = text
            .lines()
            .take(keep)
            .map(|line| format!("{line}\n"))
            .collect();
        fs_err::write(sandbox.ledger(), short).unwrap();
        let ran = sandbox.sl(&["verify"]);
        assert_eq!(ran.status, 7, "{keep}: {ran:?}");
    }
    fs_err::remove_file(sandbox.ledger()).unwrap();
    let ran = sandbox.sl(&["verify"]);
    assert_eq!(ran.status, 7, "the whole ledger is gone: {ran:?}");
}

#[test]
fn a_queue_copy_that_is_older_than_the_ledger_is_no_fault() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let file = sandbox.queue().join(format!("{id}.json"));
    let pending = fs_err::read(&file).unwrap();
    sandbox.apply(&id);
    fs_err::write(&file, pending).unwrap();
    assert_eq!(sandbox.item(&id)["state"], "applied");
    sandbox.holds();
}

#[test]
fn c5_a_foreign_lock_file_in_the_store_is_removed_by_the_repair() {
    let (sandbox, _) = applied();
    let lock = sandbox.store().join("refs/heads/skills/release-notes.lock");
    fs_err::write(&lock, "").unwrap();
    let id = sandbox.propose(&patch(NAME, "Body", "Text"));
    let ran = sandbox.sl(&["apply", &id, "--lock-timeout", "1"]);
    if ran.status != 0 {
        assert!(
            ran.stderr.contains("release-notes.lock") && ran.stderr.contains("verify --repair"),
            "{ran:?}"
        );
        let ran = sandbox.sl(&["verify", "--repair", "--json"]).ok();
        assert!(
            ran.json()["repaired"]
                .to_string()
                .contains("release-notes.lock"),
            "{ran:?}"
        );
        assert!(!lock.exists());
    }
    sandbox.sl(&["apply", &id]).ok();
    sandbox.holds();
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn an_interrupted_decision_is_told_and_only_the_repair_settles_it() {
    let mut sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\n");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    let saved = Saved::of(&sandbox);
    let stop = (1..100).find(|stop| {
        saved.restore(&sandbox);
        sandbox.set("LITHERMES_TEST_STOP", &stop.to_string());
        drop(sandbox.sl(&["apply", &id]));
        sandbox.set("LITHERMES_TEST_STOP", "0");
        sandbox.item(&id)["state"] == "interrupted"
    });
    assert!(stop.is_some());
    let before = sandbox.tree();
    let document = sandbox.sl(&["verify", "--json"]).ok().json();
    assert_eq!(document["interrupted"], json!([id]));
    assert_eq!(
        sandbox.json(&["list", "--state", "interrupted"])["proposals"][0]["id"],
        json!(id)
    );
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    let document = sandbox.sl(&["verify", "--repair", "--json"]).ok().json();
    assert_eq!(document["interrupted"], json!([]));
    assert!(
        document["repaired"].to_string().contains(&id),
        "{document:#}"
    );
    assert_ne!(sandbox.item(&id)["state"], "interrupted");
    let text = fs_err::read_to_string(path).unwrap();
    assert!(
        text == marked(NAME, "one\n") || text == marked(NAME, "1\n"),
        "{text}"
    );
    sandbox.holds();
}
