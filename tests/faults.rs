//! Disks that refuse, stores that are gone or somebody else's, and processes that are killed.

use serde_json::json;

use crate::support::{Sandbox, create, differences, marked, patch};

const NAME: &str = "release-notes";

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

/// At every fourth stop point of an apply the next command finds the old state or the new one, says
/// which, and does its own job.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn c1_c6_q7_killed_at_any_write_and_gone_on_by_the_next_command() {
    for stop in (1..).step_by(4) {
        let mut sandbox = Sandbox::new();
        let path = sandbox.skill(NAME, "one\n");
        let ids = sandbox.propose_all(&json!([patch(NAME, "one", "1"), create("other", "x\n")]));
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
        assert_eq!(sandbox.skill_text("other/SKILL.md"), marked("other", "x\n"));
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
