//! `propose`: what an import writes, and when the same document comes again.

use serde_json::json;

use crate::support::{Sandbox, create, differences, is_harmless, marked, patch};

const NAME: &str = "release-notes";

#[test]
fn nothing_to_save_is_a_stated_no_op() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ran = sandbox
        .run_with(&["skill-loop", "propose", "-"], "Nothing to save.\n")
        .ok();
    assert_eq!(ran.stdout, "Nothing to save. Nothing was written.\n");
    assert_eq!(ran.stderr, "");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn an_import_writes_the_queue_and_our_folder_and_no_skill() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let new = differences(&before, &sandbox.tree());
    for path in &new {
        let ours = path.starts_with("+ home/lithermes") || path.starts_with("+ work/.hermes");
        assert!(ours, "{path}");
    }
    assert!(new.contains(&format!(
        "+ work/.hermes/lithermes/skill-proposals/{id}.json"
    )));
    let ignore = sandbox.work().join(".hermes/lithermes/.gitignore");
    assert_eq!(fs_err::read_to_string(ignore).unwrap(), "*\n");
    assert_eq!(
        sandbox
            .tree()
            .mode(&format!("work/.hermes/lithermes/skill-proposals/{id}.json")),
        0o600
    );
    assert_eq!(sandbox.tree().mode("home/lithermes"), 0o700);
    assert_eq!(
        sandbox.tree().mode("home/lithermes/skill-loop-blobs"),
        0o700
    );
    assert_eq!(sandbox.kinds(), Vec::<String>::new());
}

#[test]
fn the_marker_is_inserted_and_every_other_byte_stays() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.apply(&id);
    let written = fs_err::read_to_string(sandbox.skill_path(NAME).join("SKILL.md")).unwrap();
    assert_eq!(written, marked(NAME, "Body.\n"));
}

#[test]
fn one_object_an_array_a_wrapped_array_a_fence_and_a_byte_order_mark() {
    let one = create(NAME, "Body.\n").to_string();
    let documents = [
        one.clone(),
        format!("[{one}]"),
        format!("{{\"proposals\":[{one}]}}"),
        format!("```json\n{one}\n```\n"),
        format!("\u{feff}{one}"),
        format!("\n\t {one} \r\n"),
    ];
    let mut ids = Vec::new();
    for document in documents {
        let sandbox = Sandbox::new();
        let args = ["skill-loop", "propose", "-", "--json"];
        let answer = sandbox.run_with(&args, document).ok().json();
        ids.push(answer["proposals"][0]["id"].clone());
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn q6_identical_bytes_twice_are_one_proposal() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    let before = sandbox.tree();
    let args = ["skill-loop", "propose", "-"];
    let ran = sandbox.run_with(&args, document.to_string()).ok();
    assert!(
        ran.stdout.contains(&format!("{id}  already pending")),
        "{}",
        ran.stdout
    );
    // Who held the lock last is in it.
    assert_eq!(
        differences(&before, &sandbox.tree()),
        ["~ home/lithermes/lock"]
    );
    sandbox.apply(&id);
    // The base of the same document has moved, so it is another proposal, and refused: it is there.
    sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
}

#[test]
fn case_20_a_rejected_proposal_is_reopened_by_the_same_document() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    sandbox.sl(&["reject", &id]).ok();
    assert_eq!(sandbox.propose(&document), id);
    assert_eq!(sandbox.item(&id)["state"], "pending");
    sandbox.apply(&id);
    let kinds = [
        "skill.reject",
        "skill.reopen",
        "skill.approve",
        "skill.apply",
    ];
    assert_eq!(sandbox.kinds(), kinds);
    sandbox.holds();
}

#[test]
fn a_rolled_back_proposal_is_reopened_by_the_same_document() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    sandbox.rollback(&sandbox.apply(&id));
    assert_eq!(sandbox.propose(&document), id);
    assert_eq!(sandbox.item(&id)["state"], "pending");
    sandbox.apply(&id);
    sandbox.holds();
}

#[test]
fn an_array_is_checked_whole_before_the_first_write() {
    let sandbox = Sandbox::new();
    let mut bad = create("second", "Body.\n");
    bad["signal"] = json!("hunch");
    let ran = sandbox.refuses_document(
        &json!([create(NAME, "Body.\n"), bad]),
        3,
        "INVALID_PROPOSAL",
    );
    assert!(ran.stderr.contains("/1/signal"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("nothing was imported") || ran.stderr.contains("nothing was written"),
        "{}",
        ran.stderr
    );
}

#[test]
fn case_2_somebody_elses_skill_is_imported_as_blocked() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill_path("theirs");
    fs_err::create_dir_all(&path).unwrap();
    let text = "---\nname: theirs\ndescription: Mine.\n---\n\nBody.\n";
    fs_err::write(path.join("SKILL.md"), text).unwrap();
    let args = ["skill-loop", "propose", "-"];
    let ran = sandbox
        .run_with(&args, patch("theirs", "Body", "Text").to_string())
        .ok();
    assert!(ran.stderr.starts_with("warning: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("not an agent's"), "{}", ran.stderr);
}

#[test]
fn case_55_a_create_close_to_an_existing_skill_is_warned_about() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let args = ["skill-loop", "propose", "-"];
    let ran = sandbox
        .run_with(&args, create("release-note", "Body.\n").to_string())
        .ok();
    assert!(
        ran.stderr.contains("warning: ") && ran.stderr.contains("`release-notes`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn case_22_a_queue_that_cannot_be_written_is_a_failure() {
    let sandbox = Sandbox::new();
    fs_err::write(sandbox.work().join(".hermes"), "a file\n").unwrap();
    let args = ["skill-loop", "propose", "-", "--json"];
    let ran = sandbox.run_with(&args, create(NAME, "Body.\n").to_string());
    assert!(ran.status == 1 || ran.status == 3, "{}", ran.status);
    assert_eq!(ran.json()["schema"], "lithermes/error/v1");
    let list = sandbox.sl(&["list"]);
    assert!(!list.stdout.contains("p-"), "{}", list.stdout);
}

#[test]
fn q6_a_moved_base_gives_a_new_id_and_the_old_one_says_so() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\ntwo\n");
    let old = sandbox.propose(&patch(NAME, "one", "1"));
    fs_err::write(&path, marked(NAME, "one\ntwo\nthree\n")).unwrap();
    let new = sandbox.propose(&patch(NAME, "one", "1"));
    assert_ne!(old, new);
    let list = sandbox.item(&old);
    let marks = list["marks"].as_array().unwrap();
    let superseded = marks
        .iter()
        .find(|mark| mark["mark"] == "superseded")
        .unwrap();
    assert_eq!(superseded["proposals"], json!([new]));
    assert!(sandbox.marks(&old).contains(&"stale".to_owned()));
}

#[test]
fn a_file_that_is_not_there_is_not_found() {
    let sandbox = Sandbox::new();
    let ran = sandbox.refuses(&["propose", "gone\u{1b}[2J.json"], "", 1, "NOT_FOUND");
    assert!(is_harmless(&ran.stderr), "{:?}", ran.stderr);
}
