//! Conferences on the host `hermes`, whose program is a script: from the free probe to the report.

use serde_json::{Value, json};

use crate::conference_run::{COST, PLAN, approve, conference, events, program};
use crate::curator;
use crate::support::{Ran, Sandbox, State, differences};

/// Answers as a good model would; `$1` is `-z`, `$2` the prompt. `$model` serves it.
const HERMES: &str = r#"
if [ "$1" = --version ]; then echo 'Hermes Agent v9.9.9 (test)'; exit 0; fi
[ "$1 $3 $4 $5 $6" = '-z -t context_engine --usage-file usage.json' ] || exit 9
charter=${2##*The charter:}
field() { printf '%s' "$charter" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
role=$(field role)
model=small
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
    model=large
    ;;
esac
printf '{"completed":true,"failed":false,"model":"%s","provider":"custom","input_tokens":7}' $model >usage.json
printf '{"dispatch_id":"%s","role":"%s","status":"completed","claims":[%s],"uncertainties":[],"recommended_root_actions":[]%s}' \
    "$(field dispatch_id)" "$role" "$claims" "$more"
"#;

/// No key is good enough for its provider.
const LOCKED: &str = r#"
if [ "$1" = --version ]; then echo 'Hermes Agent v9.9.9 (test)'; exit 0; fi
printf '{"completed":false,"failed":true,"model":null}' >usage.json
echo 'HTTP 401: no such key'
"#;

fn root(script: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    fs_err::write(sandbox.work().join("conference.md"), PLAN).unwrap();
    program(&sandbox, "cost.sh", COST);
    if !script.is_empty() {
        curator::hermes(&mut sandbox, "9.9.9", script);
    }
    sandbox
}

/// Approves what stands there, and holds it.
fn hold(sandbox: &Sandbox) -> Ran {
    approve(sandbox);
    conference(sandbox, &["run"])
}

fn payloads(sandbox: &Sandbox, event: &str) -> Vec<Value> {
    let all = events(sandbox).into_iter();
    let named = all.filter(|line| line["event"] == event);
    named.map(|line| line["payload"].clone()).collect()
}

#[test]
fn hermes_is_the_host_where_nobody_names_one_and_each_child_is_reported() {
    let sandbox = root(HERMES);
    let ran = hold(&sandbox).exits(0);
    assert!(ran.stdout.contains("\nCONVERGED\n"), "{}", ran.stdout);
    let gate = payloads(&sandbox, "gate.confirmed").remove(0);
    assert_eq!(gate["host"], "hermes");
    assert_eq!(gate["slots"], 3);
    let probe = gate["probe"].as_array().unwrap();
    let version = probe[0].as_str().unwrap();
    assert!(
        version.starts_with("Hermes Agent v9.9.9 (test) at /"),
        "{version}"
    );
    assert_eq!(probe[1], "toolsets: none");
    assert_eq!(probe[2], "config.yaml names no model: the host chooses");
    let issued = payloads(&sandbox, "dispatch.issued");
    assert_eq!(
        issued[0]["role"], "probe",
        "the paid probe is the first call"
    );
    assert_eq!(issued[0]["host"], "hermes");
    let reported = payloads(&sandbox, "host.reported");
    assert_eq!(reported.len(), issued.len());
    assert_eq!(reported[0]["model"], "small");
    assert_eq!(reported[0]["input_tokens"], 7);
    assert_eq!(reported[0].get("output_tokens"), None);
    let status = conference(&sandbox, &["status", "--json"]).ok().json();
    let child = |name: &str| {
        let all = status["children"].as_array().unwrap();
        all.iter().find(|one| one["dispatch_id"] == name).unwrap()
    };
    assert_eq!(child("r1.reviewer.1")["model"], "large");
    assert_eq!(child("r1.A.1")["provider"], "custom");
    let report = fs_err::read_to_string(sandbox.work().join("final_report.md")).unwrap();
    for line in [
        "The host changed its model at r1.reviewer.1: large of custom, before it small of custom.",
        "The host changed its model at synthesis.1: small of custom, before it large of custom.",
    ] {
        assert!(report.contains(line), "{report}");
    }
}

#[test]
fn a_failed_paid_probe_ends_it_and_nothing_else_goes_out() {
    let sandbox = root(LOCKED);
    let ran = hold(&sandbox).exits(6);
    assert!(
        ran.stdout.contains("  probe.1 failed: http_401\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("\nBLOCKED_MULTI_AGENT_UNAVAILABLE\n"),
        "{}",
        ran.stdout
    );
    let issued = payloads(&sandbox, "dispatch.issued");
    assert_eq!(issued.len(), 1);
    assert_eq!(issued[0]["role"], "probe");
    let stop = payloads(&sandbox, "conference.blocked").remove(0);
    assert_eq!(stop["stop_code"], "BLOCKED_MULTI_AGENT_UNAVAILABLE");
    assert_eq!(payloads(&sandbox, "host.reported"), [] as [Value; 0]);
    assert_eq!(payloads(&sandbox, "round.started"), [] as [Value; 0]);
}

/// Blocked, and nothing was made.
#[track_caller]
fn is_blocked(sandbox: &Sandbox, found: &str) {
    let before = sandbox.tree();
    let ran = conference(sandbox, &["run"]).exits(6);
    assert!(ran.stderr.contains(found), "{}", ran.stderr);
    ran.fails("BLOCKED_MULTI_AGENT_UNAVAILABLE");
    assert_eq!(differences(&before, &sandbox.tree()), [] as [String; 0]);
}

#[test]
fn without_a_hermes_that_starts_nothing_begins() {
    let mut sandbox = root("");
    sandbox.set("PATH", "/nonexistent");
    is_blocked(&sandbox, "there is no `hermes` on the search path");
    let sandbox = root("exit 3");
    is_blocked(&sandbox, "does not start: `--version` exits with 3");
}

#[test]
fn a_child_holds_no_conference() {
    let mut sandbox = root(HERMES);
    sandbox.set("LITHERMES_CHILD", "41.1");
    is_blocked(&sandbox, "a child of a conference starts no children");
    let mut sandbox = root(HERMES);
    State::new(&sandbox)
        .session("20260101_child", "subagent", 1)
        .session("20260101_person", "cli", 1);
    sandbox.set("HERMES_SESSION_ID", "20260101_child");
    is_blocked(&sandbox, "a child of a Hermes session starts no children");
    // A person's session is no child; what it lacks is the approval, which no agent gives.
    sandbox.set("HERMES_SESSION_ID", "20260101_person");
    conference(&sandbox, &["run"])
        .exits(3)
        .fails("FOREGROUND_REQUIRED");
}

#[test]
fn the_host_says_how_many_children_it_has_at_a_time() {
    let sandbox = root(HERMES);
    let config =
        "model:\n  default: small\n  provider: custom\ndelegation:\n  max_concurrent_children: 7\n";
    fs_err::write(sandbox.home().join("config.yaml"), config).unwrap();
    hold(&sandbox).exits(0);
    let gate = payloads(&sandbox, "gate.confirmed").remove(0);
    assert_eq!(gate["slots"], 7);
    assert_eq!(
        gate["probe"][2],
        "config.yaml: model small, provider custom"
    );
}

#[test]
fn only_the_toolsets_that_may_be_granted_pass_the_gate() {
    let sandbox = root(HERMES);
    for (toolsets, status) in [
        ("web, search", 0),
        ("file", 3),
        ("web, terminal", 3),
        ("skills", 3),
        ("memory", 3),
        ("delegation", 3),
        ("browser", 3),
        ("code_execution", 3),
        ("my-mcp-server", 3),
        ("all", 3),
    ] {
        let text = format!("{PLAN}- **Toolsets:** {toolsets}\n");
        fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
        let ran = conference(&sandbox, &["check"]).exits(status);
        assert_eq!(
            ran.stdout.contains("a child may have no other"),
            status != 0,
            "{}",
            ran.stdout
        );
    }
}

/// Whether there is a Hermes is told without starting it, and is no part of what is approved.
#[test]
fn check_says_which_hermes_is_there_and_starts_none() {
    let mut sandbox = root("touch \"$HERMES_HOME/started\"; exit 1");
    let mut digests = Vec::new();
    let mut look = |sandbox: &Sandbox, line: &str, document: Value| {
        let before = sandbox.tree();
        let ran = conference(sandbox, &["check"]).ok();
        assert_eq!(ran.stderr, "");
        let shown = format!("\n{line}\n");
        assert!(ran.stdout.contains(&shown), "{}", ran.stdout);
        assert!(
            ran.stdout
                .contains("\nNext: lithermes conference approve . --digest ")
        );
        let told = conference(sandbox, &["check", "--json"]).ok().json();
        assert_eq!(told["hermes"], document);
        digests.push(told["approval_digest"].clone());
        assert_eq!(differences(&before, &sandbox.tree()), [] as [String; 0]);
    };
    let path = "[SANDBOX]/user/hermes/bin/hermes";
    look(
        &sandbox,
        &format!("Hermes 9.9.9 at {path}"),
        json!({"found": true, "path": path, "version": "9.9.9", "hint": null}),
    );
    curator::hermes(&mut sandbox, "unknown", "exit 1");
    look(
        &sandbox,
        &format!("Hermes of unknown version at {path}"),
        json!({"found": true, "path": path, "version": null, "hint": null}),
    );
    sandbox.set("PATH", "/nonexistent");
    let hint = "install Hermes Agent, or name another host with --host";
    look(
        &sandbox,
        &format!("Hermes is not on PATH: {hint}"),
        json!({"found": false, "path": null, "version": null, "hint": hint}),
    );
    assert!(digests[0].is_string());
    digests.dedup();
    assert_eq!(digests.len(), 1, "{digests:?}");
    // Another host has no use for it.
    let told = conference(&sandbox, &["check", "--host", "handoff", "--json"])
        .ok()
        .json();
    assert_eq!(told["hermes"], Value::Null);
}
