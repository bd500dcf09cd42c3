//! `conference run --no-write`: the same documents as a run, and nothing on the disk.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::conference_run::{approve, conference, digest, root};
use crate::support::Sandbox;

const MISSING: &str = "BLOCKED_WRITE_AUTHORITY_MISSING";

/// Every file below root and home, with its bytes.
fn disk(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![sandbox.work(), sandbox.home()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = fs_err::read_dir(folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.insert(path.display().to_string(), Vec::new());
                waiting.push(path);
            } else {
                let bytes = fs_err::read(&path).unwrap();
                found.insert(path.display().to_string(), bytes);
            }
        }
    }
    found
}

fn texts(answer: &Value) -> BTreeMap<String, String> {
    let listed = answer["artifacts"].as_array().unwrap().iter();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    listed
        .map(|one| (text(one, "path"), text(one, "text")))
        .collect()
}

#[test]
fn the_answer_holds_what_a_run_writes_and_the_disk_stays() {
    let sandbox = root("- **Host:** local");
    approve(&sandbox);
    let before = disk(&sandbox);
    let ran = conference(&sandbox, &["run", "--no-write", "--json"]).exits(6);
    assert!(ran.stderr.contains(MISSING), "{}", ran.stderr);
    let answer = ran.json();
    assert_eq!(disk(&sandbox), before);
    assert_eq!(answer["code"], MISSING);
    assert_eq!(answer["status"]["stop"]["code"], "CONVERGED");
    let texts = texts(&answer);
    conference(&sandbox, &["run"]).exits(0);
    let work = sandbox.work();
    let mut compared = 0;
    for entry in fs_err::read_dir(&work).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".tsv") || name == "conference.md" {
            let written = fs_err::read_to_string(&path).unwrap();
            assert_eq!(texts.get(&name), Some(&written), "{name}");
            compared += 1;
        }
    }
    assert!(compared >= 4, "{compared}");
    for name in ["synthesis.md", "final_report.md", "conference_events.jsonl"] {
        assert!(texts.contains_key(name), "{:?}", texts.keys());
    }
    let named = texts.keys().filter(|path| path.starts_with("packets/"));
    let named: Vec<_> = named.collect();
    assert!(named.len() > 5, "{named:?}");
    for path in named {
        assert!(work.join(path).exists(), "{path}");
    }
    assert!(!texts.contains_key("conference.lock"));
}

#[test]
fn the_folder_of_the_work_is_gone_afterwards() {
    let mut sandbox = root("- **Host:** local");
    approve(&sandbox);
    let folder = sandbox.root().join("temporary");
    fs_err::create_dir(&folder).unwrap();
    sandbox.set("TMPDIR", folder.to_str().unwrap());
    conference(&sandbox, &["run", "--no-write"])
        .exits(6)
        .fails(MISSING);
    assert_eq!(fs_err::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn an_agent_does_not_approve_by_naming_the_digest() {
    let mut sandbox = root("- **Host:** local");
    let digest = digest(&sandbox);
    sandbox.set("HERMES_SESSION_ID", "s1");
    let named = ["run", "--no-write", "--approve", &digest];
    conference(&sandbox, &named)
        .exits(3)
        .fails("FOREGROUND_REQUIRED");
}

#[test]
fn without_json_each_document_stands_under_its_name() {
    let sandbox = root("- **Host:** local");
    let before = disk(&sandbox);
    // Named here, the digest is an approval that nobody writes down.
    let digest = digest(&sandbox);
    let ran = conference(&sandbox, &["run", "--no-write", "--approve", &digest]).exits(6);
    assert!(
        ran.stdout.contains("\n=== synthesis.md\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("=== packets/"), "{}", ran.stdout);
    ran.fails(MISSING);
    assert_eq!(disk(&sandbox), before);
}

#[test]
fn what_nobody_approved_is_not_done_and_what_has_begun_not_again() {
    let sandbox = root("- **Host:** local");
    let before = disk(&sandbox);
    let ran = conference(&sandbox, &["run", "--no-write"]).exits(6);
    ran.fails("BLOCKED_APPROVAL_REQUIRED");
    let other = "0".repeat(64);
    let ran = conference(&sandbox, &["run", "--no-write", "--approve", &other]).exits(4);
    ran.fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert_eq!(disk(&sandbox), before);
    approve(&sandbox);
    conference(&sandbox, &["run"]).exits(0);
    let before = disk(&sandbox);
    let ran = conference(&sandbox, &["run", "--no-write"]).exits(4);
    assert!(ran.stderr.contains("begun once"), "{}", ran.stderr);
    ran.fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert_eq!(disk(&sandbox), before);
}
