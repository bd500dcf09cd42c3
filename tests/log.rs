//! `log`: the receipts, newest first, whatever else is going on.

use serde_json::{Value, json};

use crate::support::{Sandbox, create, differences, secret};

const NAME: &str = "release-notes";

fn decided() -> Sandbox {
    let sandbox = Sandbox::new();
    let ids = sandbox.propose_all(&json!([create(NAME, "1\n"), create("other", "2\n")]));
    let receipt = sandbox.apply(&ids[0]);
    sandbox.sl(&["reject", &ids[1], "--reason", "no"]).ok();
    sandbox.rollback(&receipt);
    sandbox
}

#[test]
fn nothing_was_ever_decided() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    assert_eq!(sandbox.sl(&["log"]).ok().stdout, "No receipt fits.\n");
    assert_eq!(sandbox.json(&["log"])["entries"], json!([]));
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn newest_first_and_every_filter() {
    let sandbox = decided();
    let kinds = |args: &[&str]| -> Vec<String> {
        let log = sandbox.json(&[&["log"], args].concat());
        let entries = log["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| entry["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = [
        "skill.rollback",
        "skill.approve",
        "skill.reject",
        "skill.apply",
        "skill.approve",
    ];
    assert_eq!(kinds(&[]), all);
    assert_eq!(kinds(&["--limit", "2"]), all[..2]);
    assert_eq!(kinds(&["--limit", "100"]), all);
    assert_eq!(kinds(&["--skill", "other"]), ["skill.reject"]);
    assert_eq!(kinds(&["--kind", "skill.approve"]).len(), 2);
    assert_eq!(kinds(&["--kind", "skill.approve", "--limit", "1"]).len(), 1);
    assert_eq!(kinds(&["--skill", "nobody"]), Vec::<String>::new());
    let text = sandbox.sl(&["log", "--skill", "other"]).ok().stdout;
    assert!(
        text.contains("reason: no")
            && text.contains("by tester@example: lithermes skill-loop reject p-"),
        "{text}"
    );
}

#[test]
fn each_line_names_the_digest_of_the_one_before() {
    use sha2::{Digest as _, Sha256};
    let sandbox = decided();
    let text = fs_err::read_to_string(sandbox.ledger()).unwrap();
    let mut prev = "0".repeat(64);
    for (index, line) in text.lines().enumerate() {
        let entry: Value = serde_json::from_str(line).unwrap();
        assert_eq!(entry["seq"], json!(index + 1));
        assert_eq!(entry["prev"], json!(prev));
        let digest = Sha256::digest(line.as_bytes());
        prev = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut without = entry.clone();
        without.as_object_mut().unwrap().remove("id");
        let digest = Sha256::digest(without.to_string().as_bytes());
        let id: String = digest
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(entry["id"], json!(format!("l-{id}")));
    }
}

#[test]
fn the_command_line_in_a_receipt_bears_no_secret() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let token = secret();
    let workspace = sandbox.root().join(&token);
    fs_err::rename(sandbox.work().join(".hermes"), sandbox.root().join("moved")).unwrap();
    fs_err::create_dir(&workspace).unwrap();
    fs_err::rename(sandbox.root().join("moved"), workspace.join(".hermes")).unwrap();
    sandbox
        .sl(&["reject", &id, "--workspace", workspace.to_str().unwrap()])
        .ok();
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert!(!ledger.contains(&token[4..]), "{ledger}");
}

#[test]
fn time_never_runs_backwards_in_the_ledger() {
    let mut sandbox = Sandbox::new();
    let ids = sandbox.propose_all(&json!([create("one", "1\n"), create("two", "2\n")]));
    sandbox.set("LITHERMES_TEST_CLOCK", "2026-06-01T00:00:00Z");
    sandbox.sl(&["reject", &ids[0]]).ok();
    sandbox.set("LITHERMES_TEST_CLOCK", "2026-05-01T00:00:00Z");
    sandbox.sl(&["reject", &ids[1]]).ok();
    let log = sandbox.json(&["log"]);
    assert_eq!(log["entries"][0]["at"], "2026-06-01T00:00:00Z");
    sandbox.holds();
}

/// The ledger is cut at every byte of its last record: the next record is whole, the torn tail is
/// kept aside, and no other line is lost.
#[test]
fn l1_case_66_a_torn_last_line_never_swallows_the_next_record() {
    let sandbox = Sandbox::new();
    let mut document = create("other", "2\n");
    document["rationale"] = json!("ünïcode");
    let ids = sandbox.propose_all(&json!([create("one", "1\n"), document]));
    sandbox.sl(&["reject", &ids[0], "--reason", "ünï"]).ok();
    sandbox.sl(&["reject", &ids[1], "--reason", "ünï"]).ok();
    let whole = fs_err::read(sandbox.ledger()).unwrap();
    let first = 1 + whole.iter().position(|byte| *byte == b'\n').unwrap();
    let cuts = (first..whole.len())
        .step_by(23)
        .chain(first + 1..first + 3)
        .chain([whole.len() - 1]);
    for cut in cuts {
        fs_err::write(sandbox.ledger(), &whole[..cut]).unwrap();
        let torn = cut - first;
        assert_eq!(
            sandbox.json(&["log"])["entries"].as_array().unwrap().len(),
            1,
            "{cut}"
        );
        // The queue's copy names the lost receipt only where nothing of it is left.
        let verify = sandbox.sl(&["verify", "--json"]);
        assert_eq!(verify.json()["torn"], json!(torn), "{cut}");
        for n in 0..2 {
            let document = create(&format!("after-{cut}-{n}"), "x\n");
            let id = sandbox.propose(&document);
            let ran = sandbox.sl(&["reject", &id]).ok();
            let told = ran
                .stderr
                .lines()
                .filter(|line| line.contains("torn"))
                .count();
            assert!(told <= 1, "{cut}: {ran:?}");
        }
        let ledger = fs_err::read(sandbox.ledger()).unwrap();
        assert!(
            ledger.starts_with(&whole[..first]) && ledger.ends_with(b"\n"),
            "{cut}"
        );
        assert_eq!(
            sandbox.json(&["log"])["entries"].as_array().unwrap().len(),
            3,
            "{cut}"
        );
        if torn > 0 {
            let aside = sandbox
                .tree()
                .below("home/lithermes")
                .paths()
                .into_iter()
                .find(|path| path.contains("torn"));
            let aside = sandbox.root().join(aside.unwrap());
            assert_eq!(fs_err::read(&aside).unwrap(), &whole[first..cut], "{cut}");
            fs_err::remove_file(aside).unwrap();
        }
    }
}

#[test]
fn l1_a_damaged_line_in_the_middle_is_an_error_with_its_number() {
    let sandbox = decided();
    let whole = fs_err::read_to_string(sandbox.ledger()).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let damage: [&dyn Fn(&str) -> String; 5] = [
        &|line| line.replace("tester", "forger"),
        &|line| line[..line.len() / 2].to_owned(),
        &|_| String::new(),
        &|_| "{}".to_owned(),
        &|line| format!("{line}\n{line}"),
    ];
    for damaged in damage {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            let line = if index == 2 {
                damaged(line)
            } else {
                (*line).to_owned()
            };
            text.push_str(&line);
            text.push('\n');
        }
        fs_err::write(sandbox.ledger(), &text).unwrap();
        let before = sandbox.tree();
        let ran = sandbox.sl(&["verify"]).exits(7).fails("LEDGER_DAMAGED");
        assert!(
            ran.stderr.contains("line 3") || ran.stderr.contains("line 4"),
            "{}",
            ran.stderr
        );
        let json = sandbox.sl(&["verify", "--json"]).exits(7).json();
        assert_eq!(json["ok"], json!(false));
        assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
        let repaired = sandbox.sl(&["verify", "--repair"]);
        assert_eq!(repaired.status, 7, "{repaired:?}");
        assert_eq!(fs_err::read_to_string(sandbox.ledger()).unwrap(), text);
    }
}
