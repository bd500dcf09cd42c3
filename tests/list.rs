//! `list`: what is pending and what stands in its way, before somebody tries.

use serde_json::{Value, json};

use crate::support::{Sandbox, create, differences, patch};

const NAME: &str = "release-notes";

#[test]
fn an_empty_queue_is_an_answer_and_makes_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ran = sandbox.sl(&["list"]).ok();
    assert_eq!((&*ran.stdout, &*ran.stderr), ("Nothing is pending.\n", ""));
    let ran = sandbox.sl(&["list", "--all", "--skill", NAME]).ok();
    assert_eq!(ran.stdout, "No proposal fits.\n");
    assert_eq!(sandbox.json(&["list"])["proposals"], json!([]));
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn q3_exit_status_while_something_is_pending() {
    let sandbox = Sandbox::new();
    sandbox.sl(&["list", "--exit-code"]).ok();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.sl(&["list"]).ok();
    let ran = sandbox.sl(&["list", "--exit-code"]).exits(1);
    assert!(ran.stdout.contains(&id) && ran.stderr.is_empty(), "{ran:?}");
    sandbox.apply(&id);
    sandbox.sl(&["list", "--exit-code"]).ok();
    sandbox.sl(&["list", "--exit-code", "--all"]).ok();
}

#[test]
fn q2_a_filter_that_matches_nothing_is_an_error() {
    let sandbox = Sandbox::new();
    let ids = sandbox.propose_all(&json!([create("one", "1\n"), create("two", "2\n")]));
    for verb in ["show", "apply", "reject"] {
        for given in [
            "p-doesnotexist",
            "p-00000000",
            "p-0123456789abcdef0123456789abcdef",
            "",
            "p-",
        ] {
            let ran = sandbox.refuses(&[verb, given], "", 1, "NOT_FOUND");
            let sentence = format!("no proposal matches `{given}`");
            assert!(ran.stderr.contains(&sentence), "{verb}: {}", ran.stderr);
            assert!(
                ids.iter().all(|id| ran.stderr.contains(id)),
                "{verb}: {}",
                ran.stderr
            );
        }
    }
    let ran = sandbox.refuses(&["rollback", "l-0123456789ab"], "", 1, "NOT_FOUND");
    assert!(
        ran.stderr.contains("`l-0123456789ab`") || ran.stderr.contains("l-0123456789ab"),
        "{}",
        ran.stderr
    );
}

#[test]
fn q2_every_id_that_list_prints_is_taken_by_every_other_command() {
    let sandbox = Sandbox::new();
    sandbox.propose_all(&json!([create("one", "1\n"), create("two", "2\n")]));
    let text = sandbox.sl(&["list"]).ok().stdout;
    let printed: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(printed.len(), 2, "{text}");
    for id in &printed {
        sandbox.sl(&["show", id]).ok();
        sandbox.sl(&["apply", id, "--dry-run"]).ok();
    }
    sandbox.sl(&["apply", printed[0]]).ok();
    sandbox.sl(&["reject", printed[1]]).ok();
    let text = sandbox.sl(&["log"]).ok().stdout;
    let receipt = text
        .lines()
        .find(|line| line.contains("skill.apply"))
        .unwrap();
    sandbox
        .sl(&["rollback", receipt.split(' ').next().unwrap()])
        .ok();
}

#[test]
fn filters_by_state_and_skill() {
    let sandbox = Sandbox::new();
    let names = ["applied", "rejected", "undone", "open"];
    let documents: Vec<Value> = names.iter().map(|name| create(name, "x\n")).collect();
    let ids = sandbox.propose_all(&json!(documents));
    sandbox.apply(&ids[0]);
    sandbox.sl(&["reject", &ids[1]]).ok();
    sandbox.rollback(&sandbox.apply(&ids[2]));
    let listed = |args: &[&str]| -> Vec<String> {
        let list = sandbox.json(args);
        let all = list["proposals"].as_array().unwrap().iter();
        all.map(|item| item["skill"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(listed(&["list"]), ["open"]);
    assert_eq!(listed(&["list", "--state", "applied"]), ["applied"]);
    assert_eq!(listed(&["list", "--state", "rejected"]), ["rejected"]);
    assert_eq!(listed(&["list", "--state", "rolled-back"]), ["undone"]);
    assert_eq!(
        listed(&["list", "--state", "interrupted"]),
        Vec::<String>::new()
    );
    assert_eq!(
        listed(&["list", "--state", "applied", "--state", "pending"]).len(),
        2
    );
    assert_eq!(listed(&["list", "--all"]).len(), 4);
    assert_eq!(listed(&["list", "--all", "--skill", "undone"]), ["undone"]);
    assert_eq!(listed(&["list", "--skill", "undone"]), Vec::<String>::new());
}

#[test]
fn case_12_of_forty_on_one_anchor_one_is_applied_and_39_are_stale() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "anchor\n");
    let documents: Vec<Value> = (0..40)
        .map(|n| patch(NAME, "anchor", &format!("text {n}")))
        .collect();
    let ids = sandbox.propose_all(&json!(documents));
    let list = sandbox.json(&["list"]);
    for item in list["proposals"].as_array().unwrap() {
        let marks = item["marks"].as_array().unwrap();
        let conflicts = marks
            .iter()
            .find(|mark| mark["mark"] == "conflicts")
            .unwrap();
        assert_eq!(conflicts["proposals"].as_array().unwrap().len(), 39);
    }
    sandbox.apply(&ids[7]);
    let list = sandbox.json(&["list"]);
    let left = list["proposals"].as_array().unwrap();
    assert_eq!(left.len(), 39);
    for item in left {
        assert_eq!(item["verdict"]["code"], "STALE_BASE");
        let stale = item["marks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|mark| mark["mark"] == "stale");
        assert_eq!(stale.unwrap()["proposals"], json!([ids[7]]), "{item:#}");
    }
    let text = sandbox.sl(&["list"]).ok().stdout;
    assert_eq!(
        text.matches(&format!("stale: {} was applied", ids[7]))
            .count(),
        39,
        "{text}"
    );
}

#[test]
fn q6_two_proposals_on_one_base() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let older = sandbox.propose(&patch(NAME, "one", "1"));
    let newer = sandbox.propose(&patch(NAME, "one", "uno"));
    assert!(sandbox.marks(&older).contains(&"conflicts".to_owned()));
    sandbox.sl(&["reject", &newer]).ok();
    assert_eq!(sandbox.item(&older)["state"], "pending");
    let item = sandbox.item(&older);
    let marks = item["marks"].as_array().unwrap();
    let sibling = marks
        .iter()
        .find(|mark| mark["mark"] == "older-sibling-of-rejected")
        .unwrap();
    assert_eq!(sibling["proposals"], json!([newer]));
    assert!(!sandbox.marks(&older).contains(&"conflicts".to_owned()));
}

#[test]
fn an_altered_queue_file_is_shown_and_can_be_rejected() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let path = sandbox.queue().join(format!("{id}.json"));
    let text = fs_err::read_to_string(&path).unwrap();
    for forged in [
        text.replace("Body.", "Evil."),
        text[..40].to_owned(),
        String::new(),
        "[]".to_owned(),
    ] {
        fs_err::write(&path, forged).unwrap();
        assert_eq!(sandbox.marks(&id), ["altered"]);
        let ran = sandbox.sl(&["list"]).ok();
        assert!(
            ran.stdout.contains(&id) && ran.stdout.contains("altered after import"),
            "{}",
            ran.stdout
        );
        sandbox.refuses(&["apply", &id], "", 3, "INVALID_PROPOSAL");
    }
    sandbox.sl(&["reject", &id]).ok();
    assert_eq!(sandbox.item(&id)["state"], "rejected");
    sandbox.holds();
}

#[test]
fn other_files_in_the_queue_are_nobodys_proposals() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    for name in [
        "notes.txt",
        "p-1.json",
        "p-ABCDEF0123456789ABCDEF0123456789.json",
        ".json",
    ] {
        fs_err::write(sandbox.queue().join(name), "{}").unwrap();
    }
    fs_err::create_dir(
        sandbox
            .queue()
            .join("p-00000000000000000000000000000000.json"),
    )
    .unwrap();
    let list = sandbox.json(&["list"]);
    let good: Vec<&Value> = list["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["skill"] == NAME)
        .collect();
    assert_eq!(good.len(), 1, "{list:#}");
    assert_eq!(good[0]["id"], json!(id));
}

#[test]
fn case_2_what_can_never_be_applied_is_blocked_with_the_reason() {
    let sandbox = Sandbox::new();
    let skills = sandbox.home().join("skills");
    for name in ["bundled", "hub", "pinned", "unmarked"] {
        sandbox.skill(name, "Body.\n");
    }
    let plain = "---\nname: unmarked\ndescription: x\n---\n\nBody.\n";
    fs_err::write(sandbox.skill_path("unmarked").join("SKILL.md"), plain).unwrap();
    fs_err::write(
        skills.join(".bundled_manifest"),
        "bundled:0123456789abcdef0123456789abcdef\n",
    )
    .unwrap();
    fs_err::create_dir(skills.join(".hub")).unwrap();
    let lock = json!({"version": 1, "installed": {"hub": {"install_path": "hub"}}});
    fs_err::write(skills.join(".hub/lock.json"), lock.to_string()).unwrap();
    fs_err::write(
        skills.join(".usage.json"),
        json!({"pinned": {"pinned": true}}).to_string(),
    )
    .unwrap();
    for name in ["bundled", "hub", "pinned", "unmarked"] {
        let id = sandbox.propose(&patch(name, "Body", "Text"));
        assert!(sandbox.marks(&id).contains(&"blocked".to_owned()), "{name}");
        assert_eq!(
            sandbox.item(&id)["verdict"]["code"],
            "TARGET_NOT_AGENT_OWNED",
            "{name}"
        );
        sandbox.refuses(&["apply", &id], "", 3, "TARGET_NOT_AGENT_OWNED");
        sandbox.refuses(
            &["apply", &id, "--dry-run"],
            "",
            3,
            "TARGET_NOT_AGENT_OWNED",
        );
    }
}

#[test]
fn a_marked_skill_without_a_receipt_of_ours_is_told() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let id = sandbox.propose(&patch(NAME, "Body", "Text"));
    assert_eq!(sandbox.marks(&id), ["marker-without-receipt"]);
    sandbox.apply(&id);
    let next = sandbox.propose(&patch(NAME, "Text", "More"));
    assert_eq!(sandbox.marks(&next), Vec::<String>::new());
}

#[test]
fn s2_case_47_another_home_names_both() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let other = sandbox.root().join("other");
    fs_err::create_dir_all(other.join("skills")).unwrap();
    let other = other.to_str().unwrap();
    let list = sandbox.json(&["list", "--hermes-home", other]);
    assert_eq!(list["proposals"][0]["verdict"]["code"], "STALE_BASE");
    let ran = sandbox.refuses(&["apply", &id, "--hermes-home", other], "", 4, "STALE_BASE");
    for home in ["[SANDBOX]/home", "[SANDBOX]/other"] {
        assert!(ran.stderr.contains(home), "{}", ran.stderr);
    }
}

#[test]
fn the_workspace_is_named_found_or_here() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    fs_err::create_dir(sandbox.work().join(".git")).unwrap();
    fs_err::create_dir_all(sandbox.work().join("deep/er")).unwrap();
    let mut command = sandbox.command();
    let ran = sandbox.ran(
        command
            .current_dir(sandbox.work().join("deep/er"))
            .args(["skill-loop", "list"]),
    );
    assert!(ran.ok().stdout.contains(&id));
    let work = sandbox.work();
    let mut command = sandbox.command();
    command
        .current_dir("/")
        .args(["skill-loop", "list", "--workspace"])
        .arg(&work);
    assert!(sandbox.ran(&mut command).ok().stdout.contains(&id));
    let ran = sandbox.sl(&["list", "--workspace", "/nonexistent-workspace"]);
    assert_ne!(ran.status, 101, "{}", ran.stderr);
    assert!(!ran.stdout.contains(&id));
}
