//! `reject`: a decision with a receipt that changes no skill.

use serde_json::json;

use crate::support::{Sandbox, create, differences, patch, secret};

const NAME: &str = "release-notes";

#[test]
fn a_rejection_keeps_its_reason_and_changes_no_skill() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    let skills = sandbox.tree().below("home/skills");
    let ran = sandbox
        .sl(&["reject", &id, "--reason", "only once: ünïcode"])
        .ok();
    assert!(
        ran.stdout
            .starts_with(&format!("Rejected {id}. No skill was changed.\nReceipt l-")),
        "{ran:?}"
    );
    assert_eq!(ran.stderr, "");
    assert_eq!(sandbox.tree().below("home/skills"), skills);
    let log = sandbox.json(&["log"]);
    let entry = &log["entries"][0];
    assert_eq!(
        (&entry["kind"], &entry["reason"]),
        (&json!("skill.reject"), &json!("only once: ünïcode"))
    );
    assert_eq!(entry["proposalId"], json!(id));
    let commit = entry["commit"].as_str().unwrap();
    let kept = sandbox.git(&["show", &format!("{commit}:proposal.json")]);
    assert!(kept.contains("The user corrected this."), "{kept}");
    assert!(
        sandbox
            .git(&["log", "-1", "--format=%B", commit])
            .contains("only once: ünïcode")
    );
    sandbox.holds();
}

#[test]
fn rejecting_again_is_done_already() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.sl(&["reject", &id]).ok();
    let kinds = sandbox.kinds();
    let ran = sandbox.sl(&["reject", &id, "--reason", "again"]).ok();
    assert!(ran.stdout.contains("already rejected"), "{ran:?}");
    assert_eq!(sandbox.kinds(), kinds);
}

#[test]
fn a_decided_proposal_is_not_decided_the_other_way() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let receipt = sandbox.apply(&id);
    let ran = sandbox.sl(&["reject", &id]).exits(4).fails("NOT_PENDING");
    assert!(
        ran.stderr.contains(&format!("rollback {receipt}")),
        "{}",
        ran.stderr
    );
    sandbox.rollback(&receipt);
    let other = sandbox.propose(&create("other", "Body.\n"));
    sandbox.sl(&["reject", &other]).ok();
    sandbox.refuses(&["apply", &other], "", 4, "NOT_PENDING");
    sandbox.refuses(&["apply", &id], "", 4, "NOT_PENDING");
    sandbox.holds();
}

#[test]
fn a_secret_in_a_reason_is_refused_and_never_repeated() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let token = secret();
    let before = sandbox.tree().without("home/lithermes/lock");
    let ran = sandbox
        .sl(&["reject", &id, "--reason", &format!("see {token}")])
        .exits(3)
        .fails("INVALID_PROPOSAL");
    assert!(
        !ran.stderr.contains(&token[4..]) && ran.stdout.is_empty(),
        "{ran:?}"
    );
    assert_eq!(
        differences(&before, &sandbox.tree().without("home/lithermes/lock")),
        Vec::<String>::new()
    );
    assert_eq!(sandbox.item(&id)["state"], "pending");
}

#[test]
fn what_cannot_be_applied_can_be_rejected() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\n");
    let stale = sandbox.propose(&patch(NAME, "one", "1"));
    fs_err::write(path, "by hand\n").unwrap();
    let taken = sandbox.propose(&create("taken", "Body.\n"));
    sandbox.skill("taken", "in the way\n");
    for id in [&stale, &taken] {
        sandbox.sl(&["reject", id]).ok();
        assert_eq!(sandbox.item(id)["state"], "rejected");
    }
    sandbox.holds();
}

#[test]
fn the_ledger_decides_also_where_the_workspace_is_gone() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    sandbox.sl(&["reject", &id]).ok();
    fs_err::remove_dir_all(sandbox.work().join(".hermes")).unwrap();
    sandbox.holds();
    assert_eq!(sandbox.propose(&document), id);
    assert_eq!(sandbox.kinds(), ["skill.reject", "skill.reopen"]);
}

#[test]
fn one_proposal_in_two_workspaces_has_one_state() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let second = sandbox.root().join("second");
    fs_err::create_dir(&second).unwrap();
    let second = second.to_str().unwrap();
    let args = ["skill-loop", "propose", "-", "--workspace", second];
    sandbox
        .run_with(&args, create(NAME, "Body.\n").to_string())
        .ok();
    sandbox.sl(&["reject", &id]).ok();
    let list = sandbox.json(&["list", "--all", "--workspace", second]);
    assert_eq!(list["proposals"][0]["state"], "rejected");
    sandbox.refuses(&["apply", &id, "--workspace", second], "", 4, "NOT_PENDING");
}
