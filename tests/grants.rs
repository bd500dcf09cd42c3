//! Conferences in a worktree that has bounded work: when a grant is demanded, what it has to cover,
//! and that it is looked at again before each write.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::conference_run::{
    CHILD, COST, PLAN, conference, count, events, on_command, root, status,
};
use crate::support::{Ran, Sandbox};

const ID: &str = "work-0123456789abcdef";
const REQUIRED: &str = "BLOCKED_BOUNDED_AUTHORITY_REQUIRED";
const STALE: &str = "BLOCKED_STALE_CONFERENCE_STATE";

fn folder(sandbox: &Sandbox) -> PathBuf {
    let work = sandbox.work().canonicalize().unwrap();
    work.join(".hermes/lithermes/work").join(ID)
}

/// Work at a revision that grants these actions on the worktree.
fn state(sandbox: &Sandbox, revision: u64, actions: &[&str]) -> Value {
    let worktree = sandbox.work().canonicalize().unwrap();
    let grants = actions.iter().enumerate().map(|(at, action)| {
        json!({"id": format!("grant-{at:016x}"), "action": action, "root": worktree,
               "boundary_id": null, "consumed_at": null})
    });
    json!({"schema": 3, "work_id": ID, "worktree": worktree, "revision": revision,
           "status": "active", "authority": grants.collect::<Vec<_>>(),
           "active_session_id": "s", "activation_consumed": true})
}

/// Puts it where `prefix` says: into the work's own files where it is empty.
fn put(sandbox: &Sandbox, prefix: &str, state: &Value) {
    let folder = folder(sandbox);
    fs_err::create_dir_all(&folder).unwrap();
    let event =
        json!({"event": "progress_recorded", "revision": state["revision"], "state_after": state});
    fs_err::write(
        folder.join(format!("{prefix}state.json")),
        state.to_string(),
    )
    .unwrap();
    fs_err::write(
        folder.join(format!("{prefix}ledger.jsonl")),
        format!("{event}\n"),
    )
    .unwrap();
}

fn grant(revision: u64) -> String {
    format!("{ID}:{revision}")
}

fn under(sandbox: &Sandbox, verb: &str, grant: &str, more: &[&str]) -> Ran {
    conference(sandbox, &[&[verb, "--grant", grant], more].concat())
}

fn approve(sandbox: &Sandbox, grant: &str) {
    let check = under(sandbox, "check", grant, &["--json"]).ok().json();
    let digest = check["approval_digest"].as_str().unwrap().to_owned();
    under(sandbox, "approve", grant, &["--digest", &digest]).ok();
}

/// A child that lays the files with the prefix `next-` over the work's own before it answers `at`.
fn meddling(at: &str) -> String {
    let meddle = format!(
        "case $charter in *'\"role\":\"{at}\"'*)\n  cd $WORK && cp next-ledger.jsonl ledger.jsonl && cp next-state.json state.json;; esac\n"
    );
    CHILD.replacen("charter=$(cat)\n", &format!("charter=$(cat)\n{meddle}"), 1)
}

fn meddled(at: &str) -> Sandbox {
    let sandbox = on_command("");
    let child = meddling(at).replace("$WORK", &folder(&sandbox).to_string_lossy());
    crate::conference_run::program(&sandbox, "child.sh", &child);
    sandbox
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    let mut names: Vec<String> = fs_err::read_dir(folder(sandbox))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn active_work_demands_a_grant_of_every_verb_that_writes() {
    let sandbox = root("- **Host:** local");
    let digest = crate::conference_run::digest(&sandbox);
    put(&sandbox, "", &state(&sandbox, 3, &["write"]));
    let check = conference(&sandbox, &["check", "--json"]).ok().json();
    assert_eq!(check["authority"]["granted"], false);
    assert_eq!(check["authority"]["code"], REQUIRED);
    let told = conference(&sandbox, &["check"]).ok();
    assert!(told.stdout.contains("authority missing"), "{}", told.stdout);
    let before = fs_err::read(sandbox.work().join("conference.md")).unwrap();
    for args in [
        &["approve", "--digest", &digest][..],
        &["run", "--approve", &digest],
    ] {
        let ran = conference(&sandbox, args).exits(6);
        assert!(ran.stderr.contains(ID), "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
        ran.fails(REQUIRED);
    }
    assert!(!sandbox.ledger().exists());
    assert!(!sandbox.work().join("conference_events.jsonl").exists());
    let after = fs_err::read(sandbox.work().join("conference.md")).unwrap();
    assert_eq!(before, after);
    let mut paused = state(&sandbox, 4, &[]);
    paused["status"] = json!("paused");
    put(&sandbox, "", &paused);
    conference(&sandbox, &["approve", "--digest", &digest]).ok();
}

#[test]
fn a_grant_covers_writing_and_measuring_and_the_work_stays_as_it_is() {
    let sandbox = root("- **Host:** local");
    for (actions, code) in [
        (&["execute-check"][..], Some(REQUIRED)),
        (&["write"], Some(REQUIRED)),
        (&["write", "execute-build"], Some(REQUIRED)),
        (&["write", "execute-check"], None),
        (&["write", "execute-test"], None),
    ] {
        put(&sandbox, "", &state(&sandbox, 3, actions));
        let check = under(&sandbox, "check", &grant(3), &["--json"]).ok().json();
        let found = check["authority"]["code"].as_str();
        assert_eq!(found, code, "{actions:?} {check}");
    }
    let check = under(&sandbox, "check", &grant(2), &["--json"]).ok().json();
    assert_eq!(check["authority"]["code"], STALE);
    approve(&sandbox, &grant(3));
    let before = fs_err::read(folder(&sandbox).join("ledger.jsonl")).unwrap();
    under(&sandbox, "run", &grant(3), &[]).exits(0);
    assert_eq!(status(&sandbox)["stop"]["code"], "CONVERGED");
    assert_eq!(names(&sandbox), ["ledger.jsonl", "state.json"]);
    let after = fs_err::read(folder(&sandbox).join("ledger.jsonl")).unwrap();
    assert_eq!(before, after);
    let gate = &events(&sandbox)[0]["payload"]["surroundings"]["authority"];
    assert_eq!(gate.as_str().map(str::len), Some(64), "{gate}");
    conference(&sandbox, &["check", "--replay"]).ok();
}

#[test]
fn a_revision_that_goes_on_stops_the_run_and_resume_names_the_new_one() {
    let sandbox = meddled("reviewer");
    let actions = ["write", "execute-check"];
    put(&sandbox, "", &state(&sandbox, 3, &actions));
    put(&sandbox, "next-", &state(&sandbox, 4, &actions));
    approve(&sandbox, &grant(3));
    let ran = under(&sandbox, "run", &grant(3), &[]).exits(4);
    ran.fails(STALE);
    let stood = events(&sandbox).len();
    assert_eq!(count(&sandbox, "dispatch.received"), 2, "nothing after it");
    assert_eq!(status(&sandbox)["state"], "INTERRUPTED");
    conference(&sandbox, &["resume"]).exits(6).fails(REQUIRED);
    under(&sandbox, "resume", &grant(3), &[])
        .exits(4)
        .fails(STALE);
    assert_eq!(events(&sandbox).len(), stood);
    put(&sandbox, "next-", &state(&sandbox, 5, &["write"]));
    put(&sandbox, "", &state(&sandbox, 5, &["write"]));
    let narrowed = under(&sandbox, "resume", &grant(5), &["--redispatch"]).exits(6);
    narrowed.fails(REQUIRED);
    let wider = ["write", "execute-check", "execute-build"];
    put(&sandbox, "", &state(&sandbox, 6, &wider));
    let other = under(&sandbox, "resume", &grant(6), &["--redispatch"]).exits(4);
    other.fails(STALE);
    assert_eq!(events(&sandbox).len(), stood);
    put(&sandbox, "", &state(&sandbox, 7, &actions));
    put(&sandbox, "next-", &state(&sandbox, 7, &actions));
    under(&sandbox, "resume", &grant(7), &["--redispatch"]).exits(0);
    let all = events(&sandbox);
    let resumed = all
        .iter()
        .find(|line| line["event"] == "conference.resumed");
    let regranted = &resumed.unwrap()["payload"]["grant"];
    let expected = json!({"work_id": ID, "approved": 3, "now": 7});
    assert_eq!(regranted, &expected);
}

#[test]
fn other_grants_at_the_same_revision_stop_the_run_too() {
    let sandbox = meddled("reviewer");
    let actions = ["write", "execute-check"];
    put(&sandbox, "", &state(&sandbox, 3, &actions));
    let wider = ["write", "execute-check", "execute-build"];
    put(&sandbox, "next-", &state(&sandbox, 3, &wider));
    approve(&sandbox, &grant(3));
    under(&sandbox, "run", &grant(3), &[]).exits(4).fails(STALE);
    assert_eq!(count(&sandbox, "dispatch.received"), 2, "nothing after it");
}

/// Root, evaluator and guard in folders of their own, each under a grant of its own.
#[test]
fn measuring_is_granted_at_the_root_and_where_each_program_lies() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().canonicalize().unwrap();
    for (folder, name, text) in [("tools", "cost.sh", COST), ("guards", "guard.sh", ":\n")] {
        fs_err::create_dir(work.join(folder)).unwrap();
        fs_err::write(work.join(folder).join(name), text).unwrap();
    }
    fs_err::create_dir(work.join("research")).unwrap();
    let programs = "- **Evaluator:** /bin/sh ../tools/cost.sh";
    let plan = PLAN.replace("- **Evaluator:** ./cost.sh", programs);
    let plan = plan.replace(
        "## Pre-Flight Gate",
        "## Guard\n- **Guard:** sh ../guards/guard.sh\n\n## Pre-Flight Gate",
    );
    let plan = format!("{plan}- **Host:** local\n");
    fs_err::write(work.join("research/conference.md"), plan).unwrap();
    let code = |folders: &[&str]| {
        let mut state = state(&sandbox, 3, &["write"]);
        for folder in folders {
            let id = format!("grant-{folder}");
            let root = work.join(folder);
            let measure = json!({"id": id, "action": "execute-check", "root": root});
            state["authority"].as_array_mut().unwrap().push(measure);
        }
        put(&sandbox, "", &state);
        let check = under(&sandbox, "check", &grant(3), &["research", "--json"]);
        check.ok().json()["authority"]["code"].clone()
    };
    assert_eq!(code(&["research", "tools", "guards"]), json!(null));
    for missing in [
        &["tools", "guards"],
        &["research", "guards"],
        &["research", "tools"],
    ] {
        assert_eq!(code(missing), REQUIRED, "{missing:?}");
    }
}

#[test]
fn work_that_is_paused_meanwhile_ends_the_writing() {
    let sandbox = meddled("reviewer");
    let actions = ["write", "execute-check"];
    put(&sandbox, "", &state(&sandbox, 3, &actions));
    let mut paused = state(&sandbox, 4, &actions);
    paused["status"] = json!("paused");
    put(&sandbox, "next-", &paused);
    approve(&sandbox, &grant(3));
    let ran = under(&sandbox, "run", &grant(3), &[]).exits(6);
    ran.fails(REQUIRED);
    assert_eq!(count(&sandbox, "dispatch.received"), 2, "nothing after it");
}

#[test]
fn a_session_works_under_a_grant_too() {
    let sandbox = root("- **Host:** handoff");
    put(
        &sandbox,
        "",
        &state(&sandbox, 3, &["write", "execute-test"]),
    );
    approve(&sandbox, &grant(3));
    conference(&sandbox, &["next"]).exits(6).fails(REQUIRED);
    assert!(!sandbox.work().join("conference_events.jsonl").exists());
    let next = under(&sandbox, "next", &grant(3), &["--json"]).ok().json();
    assert_eq!(next["awaiting"].as_array().unwrap().len(), 2);
    let receive = ["conference", "receive", "-"];
    sandbox.run_with(&receive, b"{}").exits(6).fails(REQUIRED);
    let stood = events(&sandbox).len();
    let named = |grant: &str| {
        let args = [&receive[..], &["--grant", grant]].concat();
        sandbox.run_with(&args, b"{}")
    };
    named(&grant(4)).exits(4).fails(STALE);
    assert_eq!(events(&sandbox).len(), stood);
    named(&grant(3)).exits(3);
}

#[test]
fn what_is_not_written_needs_no_grant_of_writing() {
    let sandbox = root("- **Host:** local");
    put(&sandbox, "", &state(&sandbox, 3, &["execute-check"]));
    let digest = crate::conference_run::digest(&sandbox);
    let dry = |more: &[&str]| conference(&sandbox, &[&["run", "--no-write"], more].concat());
    let ran = dry(&["--approve", &digest]).exits(6);
    ran.fails("BLOCKED_WRITE_AUTHORITY_MISSING");
    let check = under(&sandbox, "check", &grant(3), &["--json"]).json();
    let digest = check["approval_digest"].as_str().unwrap();
    let ran = dry(&["--grant", &grant(3), "--approve", digest]).exits(6);
    ran.fails("BLOCKED_WRITE_AUTHORITY_MISSING");
    put(&sandbox, "", &state(&sandbox, 3, &["write"]));
    let ran = dry(&["--grant", &grant(3), "--approve", digest]).exits(6);
    ran.fails(REQUIRED);
}
