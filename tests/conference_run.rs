//! Conferences from the approval to the end: on real children, a real disk and a real clock.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

pub use crate::support::held::{COST, LONG_PLAN as PLAN, program};
use crate::support::{Ran, Sandbox};

/// Lane A knows it, lane B does not; the reviewer believes both.
pub const CHILD: &str = r#"#!/bin/sh
charter=$(cat)
field() { printf '%s' "$charter" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
role=$(field role)
case $role in
researcher)
    level=20
    if [ "$(field lane)" = A ]; then level=13; fi
    more=',"candidates":[{"values":{"level":'$level'}}]'
    claims='{"claim":"this level is good","evidence":"a guess","confidence":"low","rows":[0]}'
    ;;
reviewer)
    each='{"claim":"\1","verdict":"validated","reason":"it came again","evidence":"measured","confidence":"high"}'
    verdicts=$(printf '%s' "$charter" | grep -o '"id":"r[^"]*"' | sed "s/\"id\":\"\(.*\)\"/$each/" | paste -sd, -)
    more=',"verdicts":['$verdicts']'
    ;;
esac
printf '{"dispatch_id":"%s","role":"%s","status":"completed","claims":[%s],"uncertainties":[],"recommended_root_actions":[]%s}' \
    "$(field dispatch_id)" "$role" "$claims" "$more"
"#;

/// Answers the probe, and works for ever.
pub const SLOW: &str = r#"#!/bin/sh
charter=$(cat)
case $charter in
*'"role":"researcher"'*) sleep 600 ;;
esac
id=$(printf '%s' "$charter" | sed -n 's/.*"dispatch_id":"\([^"]*\)".*/\1/p')
printf '{"dispatch_id":"%s","role":"probe","status":"completed","claims":[],"uncertainties":[],"recommended_root_actions":[]}' "$id"
"#;

pub fn root(host: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let text = format!("{PLAN}{host}\n");
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
    program(&sandbox, "cost.sh", COST);
    sandbox
}

pub fn on_command(child: &str) -> Sandbox {
    let sandbox = root("- **Host:** command\n- **Command:** ./child.sh");
    program(&sandbox, "child.sh", child);
    sandbox
}

#[must_use]
pub fn conference(sandbox: &Sandbox, args: &[&str]) -> Ran {
    sandbox.run(&[&["conference"], args].concat())
}

pub fn digest(sandbox: &Sandbox) -> String {
    let check = conference(sandbox, &["check", "--json"]).json();
    check["approval_digest"].as_str().unwrap().to_owned()
}

pub fn approve(sandbox: &Sandbox) {
    let digest = digest(sandbox);
    conference(sandbox, &["approve", "--digest", &digest]).ok();
}

pub fn status(sandbox: &Sandbox) -> Value {
    conference(sandbox, &["status", "--json"]).ok().json()
}

pub fn events(sandbox: &Sandbox) -> Vec<Value> {
    let text = fs_err::read_to_string(sandbox.work().join("conference_events.jsonl")).unwrap();
    let read = |line| serde_json::from_str(line).unwrap();
    text.lines().map(read).collect()
}

pub fn count(sandbox: &Sandbox, event: &str) -> usize {
    let all = events(sandbox);
    all.iter().filter(|line| line["event"] == event).count()
}

/// A run in the background that has sent a first researcher out.
fn begun(sandbox: &Sandbox) -> (Child, BufReader<ChildStdout>) {
    let mut command = sandbox.process(assert_cmd::cargo::cargo_bin!("lithermes"));
    let command = command.args(["conference", "run", "--json"]);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut run = command.spawn().unwrap();
    let mut output = BufReader::new(run.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("dispatch.issued") {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "it ended early");
    }
    (run, output)
}

#[test]
fn local_lanes_converge_and_everything_is_said() {
    let sandbox = root("- **Host:** local");
    approve(&sandbox);
    let ran = conference(&sandbox, &["run"]).exits(0);
    assert!(ran.stdout.contains("\nCONVERGED\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("read        synthesis.md\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stderr, "");
    let status = status(&sandbox);
    assert_eq!(status["state"], "COMPLETE");
    assert_eq!(status["stop"]["code"], "CONVERGED");
    assert_eq!(status["stop"]["target_met"], true);
    assert_eq!(status["stop"]["best"]["value"], 0.0);
    assert_eq!(status["awaiting"], serde_json::json!([]));
    let issued = count(&sandbox, "dispatch.issued");
    assert_eq!(count(&sandbox, "budget.reserved"), issued);
    assert_eq!(count(&sandbox, "budget.settled"), issued);
    assert_eq!(count(&sandbox, "dispatch.received"), issued);
    let last = events(&sandbox).pop().unwrap();
    assert_eq!(last["event"], "conference.completed");
    let rounds = status["round"].as_u64().unwrap();
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert_eq!(ledger.matches("\"kind\":\"conference.approve\"").count(), 1);
    let sealed = ledger.matches("\"kind\":\"conference.round\"").count() as u64;
    assert_eq!(sealed, rounds + 1);
    sandbox.run(&["skill-loop", "verify"]).ok();
    let text = fs_err::read_to_string(sandbox.work().join("conference.md")).unwrap();
    assert!(text.contains("## Shared Knowledge\n"), "{text}");
    // What was approved is still what stands here, and a conference is begun once.
    let again = conference(&sandbox, &["run"]).exits(4);
    again.fails("BLOCKED_STALE_CONFERENCE_STATE");
}

#[test]
fn two_runs_leave_the_same_artifacts() {
    let artifacts = || {
        let sandbox = root("- **Host:** local");
        approve(&sandbox);
        conference(&sandbox, &["run"]).ok();
        let mut found = Vec::new();
        for entry in fs_err::read_dir(sandbox.work()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".md") || name.ends_with(".tsv") {
                found.push((name, fs_err::read_to_string(&path).unwrap()));
            }
        }
        found.sort();
        // The folder is a part of what is approved; its digest differs.
        let approved = digest(&sandbox);
        let neutral = |text: String| text.replace(&approved, "D").replace(&approved[..12], "C");
        let found = found.into_iter().map(|(name, text)| (name, neutral(text)));
        // Packets bear the conference's id, so that their digests differ too.
        let cited = regex::Regex::new("`[0-9a-f]{12}`").unwrap();
        let found = found.map(|(name, text)| (name, cited.replace_all(&text, "`P`").into_owned()));
        found.collect::<Vec<_>>()
    };
    let first = artifacts();
    assert!(first.len() > 8, "{first:?}");
    assert_eq!(first, artifacts());
}

#[test]
fn a_program_does_the_work_of_children() {
    let sandbox = on_command(CHILD);
    let digest = digest(&sandbox);
    let ran = conference(&sandbox, &["run", "--approve", &digest, "--json"]).exits(0);
    let split = ran.stdout.lines().collect::<Vec<_>>();
    let last: Value = serde_json::from_str(split.last().unwrap()).unwrap();
    assert_eq!(last["schema"], "lithermes/conference-status/v1");
    assert_eq!(last["stop"]["code"], "CONVERGED");
    assert_eq!(last["stop"]["best"]["lane"], "A");
    let lines = split.len() - 1;
    assert_eq!(lines, events(&sandbox).len());
    for (line, event) in split.iter().zip(events(&sandbox)) {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap(), event);
    }
}

#[test]
fn a_program_that_does_not_answer_stops_before_anything_is_made() {
    let sandbox = on_command("#!/bin/sh\ncat > /dev/null\necho I cannot\n");
    approve(&sandbox);
    let ran = conference(&sandbox, &["run"]).exits(6);
    ran.fails("BLOCKED_MULTI_AGENT_UNAVAILABLE");
    assert!(!sandbox.work().join("conference_events.jsonl").exists());
}

#[test]
fn what_nobody_approved_does_not_run() {
    let mut sandbox = root("- **Host:** local");
    let ran = conference(&sandbox, &["run"]).exits(6);
    ran.fails("BLOCKED_APPROVAL_REQUIRED");
    let wrong = "0".repeat(64);
    let ran = conference(&sandbox, &["approve", "--digest", &wrong]).exits(4);
    ran.fails("BLOCKED_STALE_CONFERENCE_STATE");
    let digest = digest(&sandbox);
    sandbox.set("LITHERMES_CHILD", "1");
    let ran = conference(&sandbox, &["approve", "--digest", &digest]).exits(3);
    ran.fails("FOREGROUND_REQUIRED");
    let ran = conference(&sandbox, &["run", "--approve", &digest]).exits(6);
    ran.fails("BLOCKED_MULTI_AGENT_UNAVAILABLE");
    assert!(!sandbox.work().join("conference_events.jsonl").exists());
    assert!(!sandbox.ledger().exists());
}

#[test]
fn approving_twice_is_one_receipt() {
    let sandbox = root("- **Host:** local");
    approve(&sandbox);
    approve(&sandbox);
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert_eq!(ledger.lines().count(), 1);
    let text = fs_err::read_to_string(sandbox.work().join("conference.md")).unwrap();
    let confirmed = format!("- **Final confirmation:** confirmed {}\n", digest(&sandbox));
    assert!(text.contains(&confirmed), "{text}");
}

#[test]
fn a_request_to_cancel_ends_children_and_accounts_for_them() {
    let sandbox = on_command(SLOW);
    approve(&sandbox);
    let (mut run, mut output) = begun(&sandbox);
    assert_eq!(status(&sandbox)["state"], "RUNNING");
    let ran = conference(&sandbox, &["run"]).exits(5);
    ran.fails("LOCK_TIMEOUT");
    let ran = conference(&sandbox, &["cancel", "--json"]).ok();
    assert_eq!(ran.json()["result"], "requested");
    std::io::copy(&mut output, &mut std::io::sink()).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let status = status(&sandbox);
    assert_eq!(status["state"], "CANCELLED");
    assert_eq!(status["stop"]["target_met"], false);
    let issued = count(&sandbox, "dispatch.issued");
    assert_eq!(count(&sandbox, "dispatch.cancelled"), issued);
    assert_eq!(count(&sandbox, "budget.settled"), issued);
    assert!(!sandbox.work().join("cancel.request").exists());
    let all = events(&sandbox);
    assert!(
        all.iter()
            .all(|line| line["payload"]["role"] != "synthesis")
    );
    let report = fs_err::read_to_string(sandbox.work().join("final_report.md")).unwrap();
    assert!(report.contains("**stop_code:** CANCELLED"), "{report}");
}

#[test]
fn a_run_that_was_killed_claims_nothing() {
    let sandbox = on_command(SLOW);
    approve(&sandbox);
    let (mut run, output) = begun(&sandbox);
    run.kill().unwrap();
    run.wait().unwrap();
    drop(output);
    let status_now = status(&sandbox);
    assert_eq!(status_now["state"], "INTERRUPTED");
    assert_eq!(status_now["stop"]["code"], Value::Null);
    assert_ne!(status_now["awaiting"], serde_json::json!([]));
    let ran = conference(&sandbox, &["run"]).exits(4);
    let ran = ran.fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert!(ran.stderr.contains("conference resume ."), "{}", ran.stderr);
    let ran = conference(&sandbox, &["cancel", "--json"]).ok();
    assert_eq!(ran.json()["result"], "cancelled");
    let status_now = status(&sandbox);
    assert_eq!(status_now["state"], "CANCELLED");
    assert_eq!(status_now["children"][0]["state"], "failed: lost");
}

#[test]
fn what_was_changed_meanwhile_is_no_success() {
    let sandbox = on_command(CHILD);
    approve(&sandbox);
    // The reviewer's own child changes what was approved.
    let meddler = CHILD.replace(
        "reviewer)",
        &format!(
            "reviewer)\n    sed -i 's/least cost/most cost/' '{}'",
            sandbox.work().join("conference.md").display()
        ),
    );
    program(&sandbox, "child.sh", &meddler);
    let digest = digest(&sandbox);
    let ran = conference(&sandbox, &["run", "--approve", &digest]).exits(4);
    ran.fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert_eq!(status(&sandbox)["stop"]["code"], Value::Null);
    assert_eq!(count(&sandbox, "conference.completed"), 0);
}
