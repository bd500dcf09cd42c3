//! `rollback`: exactly what a receipt changed goes back, or nothing does.

use serde_json::json;

use crate::support::{Sandbox, create, differences, marked, patch};

const NAME: &str = "release-notes";

#[test]
fn r1_undo_of_undo() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\ntwo\n");
    let read = || fs_err::read_to_string(&path).unwrap();
    let a = sandbox.apply(&sandbox.propose(&patch(NAME, "one", "1")));
    let b = sandbox.apply(&sandbox.propose(&patch(NAME, "two", "2")));
    let undo_b = sandbox.rollback(&b);
    assert_eq!(read(), marked(NAME, "1\ntwo\n"));
    let before = sandbox.tree();
    let again = sandbox.sl(&["rollback", &b]).ok();
    assert!(again.stdout.contains("already rolled back"), "{again:?}");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    let redo_b = sandbox.rollback(&undo_b);
    assert_eq!(read(), marked(NAME, "1\n2\n"));
    sandbox.rollback(&redo_b);
    sandbox.rollback(&a);
    assert_eq!(read(), marked(NAME, "one\ntwo\n"));
    let kinds = sandbox.kinds();
    assert_eq!(
        kinds.iter().filter(|kind| *kind == "skill.apply").count(),
        2
    );
    assert_eq!(
        kinds
            .iter()
            .filter(|kind| *kind == "skill.rollback")
            .count(),
        4
    );
    sandbox.holds();
}

#[test]
fn states_follow_the_rollbacks() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let first = sandbox.apply(&id);
    let undo = sandbox.rollback(&first);
    assert_eq!(sandbox.item(&id)["state"], "rolled-back");
    assert_eq!(sandbox.item(&id)["receipt"], json!(undo));
    assert!(!sandbox.skill_path(NAME).exists());
    let redo = sandbox.rollback(&undo);
    assert_eq!(sandbox.item(&id)["state"], "applied");
    assert_eq!(
        fs_err::read_to_string(sandbox.skill_path(NAME).join("SKILL.md")).unwrap(),
        marked(NAME, "Body.\n")
    );
    sandbox.rollback(&redo);
    assert!(!sandbox.skill_path(NAME).exists());
    sandbox.holds();
}

#[test]
fn r2_a_hand_edit_since_is_shown_and_never_destroyed() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\n");
    let receipt = sandbox.apply(&sandbox.propose(&patch(NAME, "one", "1")));
    fs_err::write(&path, marked(NAME, "1\nby hand\n")).unwrap();
    let ran = sandbox.refuses(&["rollback", &receipt], "", 4, "ROLLBACK_CAS_MISMATCH");
    assert!(ran.stderr.contains("+by hand"), "{}", ran.stderr);
    let ran = sandbox.refuses(
        &["rollback", &receipt, "--dry-run"],
        "",
        4,
        "ROLLBACK_CAS_MISMATCH",
    );
    assert!(ran.stderr.contains("SKILL.md"), "{}", ran.stderr);
    fs_err::write(&path, marked(NAME, "1\n")).unwrap();
    sandbox.rollback(&receipt);
    let branch = format!("skills/{NAME}");
    let history = sandbox.git(&["log", "-p", "--format=%s", &branch]);
    assert!(
        history.contains("+1\n") && history.contains("-1\n"),
        "{history}"
    );
}

#[test]
fn r2_what_a_rollback_replaces_stays_in_the_store() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.rollback(&sandbox.apply(&id));
    let branch = format!("skills/{NAME}");
    let before = sandbox.git(&["show", &format!("{branch}~1:skill/SKILL.md")]);
    assert_eq!(before, marked(NAME, "Body.\n"));
}

#[test]
fn a_later_apply_on_the_same_file_blocks_and_on_another_does_not() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\ntwo\n");
    let first = sandbox.apply(&sandbox.propose(&patch(NAME, "one", "1")));
    let mut document = create(NAME, "");
    document.as_object_mut().unwrap().remove("create");
    document["supportFile"] = json!({"path": "references/a.md", "content": "a\n"});
    sandbox.apply(&sandbox.propose(&document));
    sandbox.sl(&["rollback", &first, "--dry-run"]).ok();
    sandbox.apply(&sandbox.propose(&patch(NAME, "two", "2")));
    sandbox.refuses(&["rollback", &first], "", 4, "ROLLBACK_CAS_MISMATCH");
    assert_eq!(
        fs_err::read_to_string(path).unwrap(),
        marked(NAME, "1\n2\n")
    );
}

#[test]
fn case_49_every_file_of_a_decision_goes_back_with_its_mode_and_folder() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree().below("home/skills");
    let mut document = create(NAME, "Body.\n");
    let files = document["create"]["files"].as_array_mut().unwrap();
    files.push(json!({"path": "references/deep/a.md", "content": "a\n"}));
    files.push(json!({"path": "scripts/run.sh", "content": "#!/bin/sh\n", "executable": true}));
    let id = sandbox.propose(&document);
    let receipt = sandbox.apply(&id);
    let applied = sandbox.tree().below("home/skills");
    assert_eq!(
        applied.mode("home/skills/release-notes/scripts/run.sh"),
        0o755
    );
    let undo = sandbox.rollback(&receipt);
    assert_eq!(sandbox.tree().below("home/skills"), before);
    sandbox.rollback(&undo);
    assert_eq!(sandbox.tree().below("home/skills"), applied);
    sandbox.holds();
}

#[test]
fn a_created_skill_with_files_of_others_stays_and_leavings_go() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let receipt = sandbox.apply(&id);
    let folder = sandbox.skill_path(NAME);
    fs_err::create_dir(folder.join("references")).unwrap();
    fs_err::write(folder.join("references/mine.md"), "mine\n").unwrap();
    let ran = sandbox.refuses(&["rollback", &receipt], "", 4, "ROLLBACK_CAS_MISMATCH");
    assert!(ran.stderr.contains("references/mine.md"), "{}", ran.stderr);
    fs_err::remove_dir_all(folder.join("references")).unwrap();
    fs_err::create_dir(folder.join("__pycache__")).unwrap();
    fs_err::write(folder.join("__pycache__/x.pyc"), "x").unwrap();
    fs_err::write(folder.join(".DS_Store"), "x").unwrap();
    sandbox.rollback(&receipt);
    assert!(!folder.exists());
    sandbox.holds();
}

#[test]
fn a_mode_or_a_link_since_the_receipt_is_a_mismatch() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\n");
    let receipt = sandbox.apply(&sandbox.propose(&patch(NAME, "one", "1")));
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    sandbox.refuses(&["rollback", &receipt], "", 4, "ROLLBACK_CAS_MISMATCH");
    let aside = sandbox.root().join("aside");
    fs_err::rename(&path, &aside).unwrap();
    sandbox.refuses(&["rollback", &receipt], "", 4, "ROLLBACK_CAS_MISMATCH");
    std::os::unix::fs::symlink(&aside, &path).unwrap();
    let before = sandbox.tree();
    let ran = sandbox.sl(&["rollback", &receipt]);
    assert!(matches!(ran.status, 3 | 4), "{ran:?}");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn only_a_receipt_that_changed_files_can_be_rolled_back() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.sl(&["reject", &id]).ok();
    let log = sandbox.json(&["log"]);
    let rejected = log["entries"][0]["id"].as_str().unwrap().to_owned();
    sandbox.refuses(&["rollback", &rejected], "", 1, "NOT_FOUND");
    for id in ["l-000000000000", "l-xyz", "", "l-", "\u{1b}[2J", &id] {
        sandbox.refuses(&["rollback", id], "", 1, "NOT_FOUND");
    }
    sandbox.propose(&create(NAME, "Body.\n"));
    let receipt = sandbox.apply(&id);
    sandbox.refuses(&["rollback", &receipt[..9]], "", 2, "USAGE");
    sandbox.sl(&["rollback", &receipt[..9], "--dry-run"]).ok();
}

#[test]
fn the_opening_line_stands_for_its_receipt() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\n");
    sandbox.apply(&sandbox.propose(&patch(NAME, "one", "1")));
    let log = sandbox.json(&["log", "--kind", "skill.approve"]);
    sandbox.rollback(log["entries"][0]["id"].as_str().unwrap());
    assert_eq!(fs_err::read_to_string(path).unwrap(), marked(NAME, "one\n"));
}

#[test]
fn a_rollback_needs_no_workspace() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let receipt = sandbox.apply(&id);
    fs_err::remove_dir_all(sandbox.work().join(".hermes")).unwrap();
    sandbox.rollback(&receipt);
    assert!(!sandbox.skill_path(NAME).exists());
    sandbox.holds();
}

#[test]
fn case_51_without_the_bytes_of_before_nothing_is_taken_away() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let receipt = sandbox.apply(&sandbox.propose(&patch(NAME, "one", "1")));
    fs_err::rename(sandbox.store(), sandbox.root().join("gone")).unwrap();
    let skills = sandbox.tree().below("home/skills");
    let ran = sandbox.sl(&["rollback", &receipt]);
    assert_eq!(ran.status, 7, "{ran:?}");
    assert_eq!(sandbox.tree().below("home/skills"), skills);
    assert_eq!(sandbox.kinds().len(), 2);
}
