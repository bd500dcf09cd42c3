//! A session that holds a conference: `next` and `receive`. What it relays is checked like any other
//! packet; what it repeats, mixes up, invents or changes counts for nothing.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::conference_crash::artifacts;
use crate::conference_run::{CHILD, approve, conference, count, events, on_command, root, status};
use crate::support::{Ran, Sandbox, State, secret};

/// A conference on the host handoff, approved.
fn handed_off() -> Sandbox {
    let sandbox = root("- **Host:** handoff");
    approve(&sandbox);
    sandbox
}

fn next(sandbox: &Sandbox) -> Value {
    conference(sandbox, &["next", "--json"]).ok().json()
}

fn receive(sandbox: &Sandbox, packet: &[u8]) -> Ran {
    sandbox.run_with(&["conference", "receive", "-", "--json"], packet)
}

/// What a child of the host command answers to this charter.
fn answer(sandbox: &Sandbox, charter: &Value) -> Vec<u8> {
    let mut command = sandbox.process("/bin/sh");
    let command = command
        .args(["-c", CHILD])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(charter.to_string().as_bytes())
        .unwrap();
    child.wait_with_output().unwrap().stdout
}

/// The answers to what is out, by what follows the conference's id.
fn answers(sandbox: &Sandbox, next: &Value) -> BTreeMap<String, Vec<u8>> {
    let charters = next["dispatch"].as_array().unwrap().iter();
    let answers = charters.map(|charter| {
        let id = charter["dispatch_id"].as_str().unwrap();
        (
            id.split_once('.').unwrap().1.to_owned(),
            answer(sandbox, charter),
        )
    });
    answers.collect()
}

/// Holds a conference to its end as a session does.
fn hold(sandbox: &Sandbox) -> String {
    for _ in 0..40 {
        let next = next(sandbox);
        if let Some(code) = next["stop_code"].as_str() {
            return code.to_owned();
        }
        assert_ne!(next["awaiting"], json!([]));
        for (id, packet) in answers(sandbox, &next) {
            let taken = receive(sandbox, &packet).ok().json();
            assert_eq!(taken["result"], "accepted", "{id}: {taken}");
        }
    }
    panic!("it does not end");
}

#[test]
fn both_drivers_leave_the_same_artifacts() {
    let neutral = |sandbox: &Sandbox, digest: &str| {
        let digests = regex::Regex::new("`[0-9a-f]{12}`").unwrap();
        let relayed = regex::Regex::new("(?m)^.*Only relayed by a model.*$").unwrap();
        let host = regex::Regex::new(r"(?m)^(.*\*\*Host:\*\*).*$").unwrap();
        let neutral = |text: String| {
            let text = text.replace(digest, "D").replace(&digest[..12], "C");
            let text = digests.replace_all(&text, "`P`");
            let text = relayed.replace_all(&text, "R");
            host.replace_all(&text, "$1").into_owned()
        };
        let all = artifacts(sandbox).into_iter();
        all.map(|(name, text)| (name, neutral(text)))
            .collect::<BTreeMap<_, _>>()
    };
    let by_process = on_command(CHILD);
    approve(&by_process);
    conference(&by_process, &["run"]).ok();
    let digest = crate::conference_run::digest(&by_process);
    let expected = neutral(&by_process, &digest);

    let by_session = on_command(CHILD);
    let said = by_session
        .run(&["conference", "check", "--host", "handoff", "--json"])
        .json();
    let digest = said["approval_digest"].as_str().unwrap().to_owned();
    let approve = [
        "conference",
        "approve",
        "--host",
        "handoff",
        "--digest",
        &digest,
    ];
    by_session.run(&approve).ok();
    fs_err::write(by_session.work().join("conference.md"), {
        let text = fs_err::read_to_string(by_session.work().join("conference.md")).unwrap();
        text.replace("- **Host:** command\n- **Command:** ./child.sh\n", "")
    })
    .unwrap();
    // Without its host the document is another one: what was approved does not fit any more.
    let ran = by_session
        .run(&["conference", "next", "--host", "handoff"])
        .exits(6);
    ran.fails("BLOCKED_APPROVAL_REQUIRED");

    let by_session = on_command(CHILD);
    let said = by_session
        .run(&["conference", "check", "--host", "handoff", "--json"])
        .json();
    let digest = said["approval_digest"].as_str().unwrap().to_owned();
    let approve = [
        "conference",
        "approve",
        "--host",
        "handoff",
        "--digest",
        &digest,
    ];
    by_session.run(&approve).ok();
    let handoff = ["--host", "handoff"];
    loop {
        let args = [&["conference", "next", "--json"][..], &handoff].concat();
        let next = by_session.run(&args).ok().json();
        if next["stop_code"].is_string() {
            assert_eq!(next["stop_code"], "CONVERGED");
            break;
        }
        for packet in answers(&by_session, &next).into_values().rev() {
            let args = [&["conference", "receive", "-"][..], &handoff].concat();
            by_session.run_with(&args, packet).ok();
        }
    }
    assert_eq!(neutral(&by_session, &digest), expected);
    let report = &artifacts(&by_session)["final_report.md"];
    assert!(
        report.contains("**Only relayed by a model:** 4 of 4 packets"),
        "{report}"
    );
    assert!(report.contains("**Host:** handoff"), "{report}");
    by_session.run(&["skill-loop", "verify"]).ok();
}

#[test]
fn a_session_holds_a_conference_to_its_end() {
    let sandbox = handed_off();
    assert_eq!(hold(&sandbox), "CONVERGED");
    let status = status(&sandbox);
    assert_eq!(status["state"], "COMPLETE");
    assert_eq!(status["packets"]["relayed"], 4);
    assert_eq!(count(&sandbox, "conference.resumed"), 0);
    let sealed = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert_eq!(sealed.matches("\"kind\":\"conference.round\"").count(), 2);
    // Asked again it says the same, and writes nothing.
    let lines = events(&sandbox).len();
    assert_eq!(next(&sandbox)["stop_code"], "CONVERGED");
    assert_eq!(events(&sandbox).len(), lines);
    let sealed_again = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert_eq!(sealed, sealed_again);
}

#[test]
fn nobody_runs_and_nothing_goes_out_before_the_approval() {
    let sandbox = root("- **Host:** handoff");
    for verb in [&["next"][..], &["receive", "conference.md"]] {
        let ran = conference(&sandbox, verb)
            .exits(6)
            .fails("BLOCKED_APPROVAL_REQUIRED");
        assert!(
            ran.stderr
                .contains(&crate::conference_run::digest(&sandbox)),
            "{}",
            ran.stderr
        );
    }
    assert!(!sandbox.work().join("conference_events.jsonl").exists());
    approve(&sandbox);
    conference(&sandbox, &["receive", "conference.md"])
        .exits(1)
        .fails("NOT_FOUND");
    let ran = conference(&sandbox, &["run"])
        .exits(6)
        .fails("BLOCKED_MULTI_AGENT_UNAVAILABLE");
    assert!(
        ran.stderr.contains("lithermes conference next ."),
        "{}",
        ran.stderr
    );
    assert!(!sandbox.work().join("conference_events.jsonl").exists());
    let mut child = handed_off();
    child.set("LITHERMES_CHILD", "1");
    conference(&child, &["next"])
        .exits(6)
        .fails("BLOCKED_MULTI_AGENT_UNAVAILABLE");
    let other = root("- **Host:** local");
    approve(&other);
    conference(&other, &["next"])
        .exits(6)
        .fails("BLOCKED_MULTI_AGENT_UNAVAILABLE");
}

#[test]
fn the_tasks_are_what_the_host_takes() {
    let sandbox = handed_off();
    let ran = conference(&sandbox, &["next", "--tasks", "--slots", "1"]).ok();
    let arguments: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        arguments.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["tasks"]
    );
    let tasks = arguments["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0]["role"], "leaf");
    let goal = tasks[0]["goal"].as_str().unwrap();
    let (instructions, charter) = goal.split_once("\n{").unwrap();
    assert!(instructions.contains("one JSON object"), "{instructions}");
    let charter: Value = serde_json::from_str(&format!("{{{charter}")).unwrap();
    assert_eq!(charter["schema"], "lithermes/charter/v1");
    assert_eq!(charter["lane"], "A");
    // What is out already is not handed out twice, unless somebody lost it.
    let again = next(&sandbox);
    assert_eq!(again["dispatch"].as_array().unwrap().len(), 2);
    assert_eq!(again["delegate_task"]["tasks"].as_array().unwrap().len(), 1);
    let all = conference(&sandbox, &["next", "--tasks", "--again"]).ok();
    let all: Value = serde_json::from_str(&all.stdout).unwrap();
    assert_eq!(all["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(count(&sandbox, "dispatch.issued"), 2);
}

#[test]
fn repeated_reordered_and_invented_packets_change_nothing() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    let id = next(&sandbox)["awaiting"][0].as_str().unwrap().to_owned();
    // The later lane first, then the earlier one, then both again.
    for lane in ["r1.B.1", "r1.A.1"] {
        receive(&sandbox, &out[lane]).ok();
    }
    for lane in ["r1.A.1", "r1.B.1"] {
        let taken = receive(&sandbox, &out[lane]).exits(0).json();
        assert_eq!(taken["result"], "duplicate");
        let pretty: Value = serde_json::from_slice(&out[lane]).unwrap();
        let pretty = serde_json::to_vec_pretty(&pretty).unwrap();
        assert_eq!(
            receive(&sandbox, &pretty).ok().json()["result"],
            "duplicate"
        );
    }
    let text = String::from_utf8(out["r1.A.1"].clone()).unwrap();
    let conference_id = id.split_once('.').unwrap().0;
    for (invented, reason) in [
        (text.replace("r1.A.1", "r1.C.1"), "unknown id"),
        (text.replace("r1.A.1", "r2.A.1"), "unknown id"),
        (text.replace(conference_id, "c-000000000000"), "unknown id"),
        (text.replace(&id, "no id"), "unknown id"),
    ] {
        let taken = receive(&sandbox, invented.as_bytes()).exits(4).json();
        assert_eq!(taken["result"], "stale", "{invented}");
        assert_eq!(taken["reason"], reason);
    }
    assert_eq!(count(&sandbox, "packet.accepted"), 2);
    assert_eq!(count(&sandbox, "packet.duplicate"), 4);
    assert_eq!(count(&sandbox, "packet.stale"), 4);
    let all = events(&sandbox);
    let accepted = all
        .iter()
        .filter(|event| event["event"] == "packet.accepted");
    assert!(
        accepted
            .clone()
            .all(|event| event["payload"]["via"] == "relayed")
    );
    assert_eq!(hold(&sandbox), "CONVERGED");
    let late = receive(&sandbox, &out["r1.A.1"]).ok().json();
    assert_eq!(late["result"], "duplicate");
    assert_eq!(status(&sandbox)["state"], "COMPLETE");
}

#[test]
fn a_refused_packet_keeps_its_id_open_until_its_time_is_up() {
    let mut sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    let good = String::from_utf8(out["r1.A.1"].clone()).unwrap();
    let token = secret();
    for (bad, reason) in [
        ("I could not find anything.".to_owned(), "malformed"),
        (format!("Here it is:\n{good}"), "text_beside_the_document"),
        (format!("{good}\n{good}"), "several_documents"),
        (
            good.replace("\"level\":13", "\"level\":99"),
            "outside_parameters",
        ),
        (good.replace("a guess", &token), "secret"),
    ] {
        let taken = receive(&sandbox, bad.as_bytes()).exits(3).json();
        assert_eq!(taken["result"], "rejected", "{bad}");
        let said = taken["reason"].as_str().unwrap();
        assert!(said.starts_with(reason), "{reason}: {said}");
    }
    let awaited = next(&sandbox);
    assert_eq!(awaited["awaiting"].as_array().unwrap().len(), 2);
    for entry in fs_err::read_dir(sandbox.work().join("packets")).unwrap() {
        let text = fs_err::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains(&token));
    }
    receive(&sandbox, good.as_bytes()).ok();
    sandbox.set("LITHERMES_TEST_CLOCK", "2026-01-02T03:05:05Z");
    let late = receive(&sandbox, &out["r1.B.1"]).exits(4).json();
    assert_eq!(
        (&late["result"], &late["reason"]),
        (&json!("stale"), &json!("timed_out"))
    );
    assert_eq!(count(&sandbox, "dispatch.timed_out"), 1);
    assert_eq!(next(&sandbox)["dispatch"][0]["role"], "reviewer");
}

#[test]
fn another_packet_under_an_id_blocks_until_a_person_keeps_the_first() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    receive(&sandbox, &out["r1.A.1"]).ok();
    let other = String::from_utf8(out["r1.A.1"].clone())
        .unwrap()
        .replace("a guess", "a proof");
    let ran = sandbox.run_with(&["conference", "receive", "-"], other.clone());
    let ran = ran.exits(4).fails("BLOCKED_DISPATCH_REPLAY_CONFLICT");
    assert!(
        ran.stderr.contains("conference resume . --keep-first"),
        "{}",
        ran.stderr
    );
    for verb in ["next", "resume"] {
        conference(&sandbox, &[verb])
            .exits(4)
            .fails("BLOCKED_DISPATCH_REPLAY_CONFLICT");
    }
    let aside = sha256(other.as_bytes());
    let kept = sandbox.work().join(format!("packets/{aside}.refused"));
    assert!(fs_err::read_to_string(kept).unwrap().contains("a proof"));
    // Other ids are as open as they were.
    receive(&sandbox, &out["r1.B.1"]).ok();
    let resumed = conference(&sandbox, &["resume", "--keep-first", "--json"])
        .ok()
        .json();
    assert_eq!(resumed["packets"]["conflict"], Value::Null);
    let all = events(&sandbox);
    let receipt = all
        .iter()
        .find(|event| event["event"] == "conference.resumed")
        .unwrap();
    assert_eq!(receipt["payload"]["decision"], "keep_first");
    assert_eq!(receipt["payload"]["aside"], json!([aside]));
    assert_eq!(hold(&sandbox), "CONVERGED");
    conference(&sandbox, &["resume", "--keep-first"]).exits(0);
}

fn sha256(bytes: &[u8]) -> String {
    lithermes::digest::sha256_hex(bytes)
}

#[test]
fn what_the_host_says_of_several_children_is_taken_apart() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    let text = |lane: &str| String::from_utf8(out[lane].clone()).unwrap();
    let result = |summary: String| json!({"status": "completed", "summary": summary});
    // One child claims to be two.
    let forged = text("r1.B.1").replace("a guess", "a lie");
    let message =
        json!({"results": [result(forged), result(text("r1.B.1")), result("HTTP 401".to_owned())]});
    let taken = receive(&sandbox, message.to_string().as_bytes())
        .exits(3)
        .json();
    let reasons: Vec<&str> = taken["packets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["reason"].as_str().unwrap())
        .collect();
    assert_eq!(
        reasons,
        ["contested_identity", "contested_identity", "malformed"]
    );
    assert_eq!(count(&sandbox, "packet.accepted"), 0);
    let batch = format!(
        "[ASYNC DELEGATION BATCH COMPLETE — d-1]\nResults below.\n\n--- ✓ TASK 1/2: a goal  (status=completed, 2s) ---\n{}\n\n--- ✓ TASK 2/2: a goal  (status=completed) ---\n{}\nFull live transcript (complete tool/assistant trace): x.log",
        text("r1.A.1"),
        text("r1.B.1")
    );
    let taken = receive(&sandbox, batch.as_bytes()).ok().json();
    assert_eq!(taken["result"], "accepted");
    assert_eq!(taken["packets"].as_array().unwrap().len(), 2);
    assert_eq!(next(&sandbox)["dispatch"][0]["role"], "reviewer");
}

#[test]
fn a_session_that_was_cancelled_has_nothing_out() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    assert_eq!(status(&sandbox)["state"], "RUNNING");
    conference(&sandbox, &["cancel"]).ok();
    assert_eq!(count(&sandbox, "dispatch.cancelled"), 2);
    assert_eq!(next(&sandbox)["stop_code"], "CANCELLED");
    let late = receive(&sandbox, &out["r1.A.1"]).exits(4).json();
    assert_eq!(late["reason"], "cancelled");
    let nonsense = receive(&sandbox, b"nonsense").exits(4).json();
    assert_eq!(nonsense["result"], "stale");
    assert_eq!(status(&sandbox)["state"], "CANCELLED");
}

#[test]
fn a_hook_says_that_it_is_one() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    fs_err::write(sandbox.work().join("packet.json"), &out["r1.A.1"]).unwrap();
    conference(&sandbox, &["receive", ".", "packet.json", "--via", "hook"]).ok();
    let all = events(&sandbox);
    let accepted = all
        .iter()
        .find(|event| event["event"] == "packet.accepted")
        .unwrap();
    assert_eq!(accepted["payload"]["via"], "hook");
    assert_eq!(status(&sandbox)["packets"]["relayed"], 0);
}

/// What the event says of each accepted packet, in their order; `Null` where it says nothing.
fn corroborated(sandbox: &Sandbox) -> Vec<Value> {
    let all = events(sandbox).into_iter();
    let accepted = all.filter(|event| event["event"] == "packet.accepted");
    accepted
        .map(|event| event["payload"]["corroborated"].clone())
        .collect()
}

#[test]
fn the_hosts_own_records_bear_out_what_is_relayed_or_lack_it() {
    let mut sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    let text = |lane: &str| String::from_utf8(out[lane].clone()).unwrap();
    let state = State::new(&sandbox);
    state.session("parent", "cli", 1_767_323_044);
    let receive = |sandbox: &Sandbox, packet: &str, more: &[&str]| {
        let args = [&["conference", "receive", ".", "-"][..], more].concat();
        sandbox.run_with(&args, packet)
    };
    let of_parent = ["--session", "parent"];
    // The child's own text, with other white space around it.
    state.subagent("a", "parent", &format!("\n{}", text("r1.A.1").trim()));
    let ran = receive(&sandbox, &text("r1.A.1"), &of_parent).ok();
    let id = next(&sandbox)["awaiting"][0].as_str().unwrap().to_owned();
    let conference_id = id.split_once('.').unwrap().0;
    let held = "accepted (the host's own records hold it)";
    assert_eq!(ran.stdout, format!("{conference_id}.r1.A.1: {held}\n"));
    assert_eq!(ran.stderr, "");
    // One word is another one.
    state.subagent("b", "parent", &text("r1.B.1").replace("a guess", "a proof"));
    sandbox.set("HERMES_SESSION_ID", "parent");
    let ran = receive(&sandbox, &text("r1.B.1"), &[]).ok();
    assert_eq!(ran.stdout, format!("{id}: accepted\n"));
    let lacking = "no subagent of the session said this, by the host's own records";
    let warning = format!("warning: {id}: {lacking}; it is only relayed\n");
    assert_eq!(ran.stderr, warning);
    let again = receive(&sandbox, &text("r1.B.1"), &["--json"]).ok();
    let packet = &again.json()["packets"][0];
    assert_eq!(
        (&packet["result"], &packet["corroborated"]),
        (&json!("duplicate"), &json!(false))
    );
    assert_eq!(again.stderr, "");
    // The host knows nothing of that session's children.
    let out = answers(&sandbox, &next(&sandbox));
    let reviewer = String::from_utf8(out["r1.reviewer.1"].clone()).unwrap();
    let ran = receive(&sandbox, &reviewer, &["--session", "other", "--json"]).ok();
    assert_eq!(ran.json()["packets"][0]["corroborated"], Value::Null);
    let note = "note: the host has no record of what subagents of other said\n";
    assert_eq!(ran.stderr, note);
    assert_eq!(
        corroborated(&sandbox),
        [json!(true), json!(false), Value::Null]
    );

    sandbox.set("HERMES_SESSION_ID", "");
    assert_eq!(hold(&sandbox), "CONVERGED");
    let told = "4 of 4 packets; the host's own records hold 1 of them and lack 1";
    let report = &artifacts(&sandbox)["final_report.md"];
    assert!(
        report.contains(&format!("**Only relayed by a model:** {told}\n")),
        "{report}"
    );
    let ran = conference(&sandbox, &["status"]).ok();
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    let lacking = "the host's own records lack 1 of the packets that a model relayed";
    assert_eq!(ran.stderr, format!("warning: {lacking}\n"));
    let document = conference(&sandbox, &["status", "--json"]).ok().json();
    let packets = &document["packets"];
    let counts = ["relayed", "corroborated", "uncorroborated"].map(|name| &packets[name]);
    assert_eq!(counts, [4, 1, 1]);
    assert_eq!(document["notes"], json!([lacking]));
    conference(&sandbox, &["check", "--replay"]).ok();
}

#[test]
fn records_that_cannot_be_read_change_nothing() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    fs_err::write(sandbox.home().join("state.db"), "no database").unwrap();
    let receive = |lane: &str, via: &str| {
        let args = [
            "conference",
            "receive",
            ".",
            "-",
            "--session",
            "parent",
            "--via",
            via,
        ];
        sandbox.run_with(&args, out[lane].clone()).ok()
    };
    receive("r1.A.1", "relayed");
    fs_err::remove_file(sandbox.home().join("state.db")).unwrap();
    // What a hook hands over is the child's own text, and is not looked for.
    let state = State::new(&sandbox);
    state.subagent("b", "parent", "something else");
    assert_eq!(receive("r1.B.1", "hook").stderr, "");
    assert_eq!(corroborated(&sandbox), [Value::Null, Value::Null]);
    let lines = fs_err::read_to_string(sandbox.work().join("conference_events.jsonl")).unwrap();
    assert!(
        !lines.contains("corroborated"),
        "what is not known is left out"
    );
}

#[test]
fn what_comes_in_between_does_not_hide_that_a_file_was_not_written() {
    let sandbox = handed_off();
    let mut out = answers(&sandbox, &next(&sandbox));
    for lane in ["r1.A.1", "r1.B.1"] {
        receive(&sandbox, &out[lane]).ok();
    }
    out.extend(answers(&sandbox, &next(&sandbox)));
    receive(&sandbox, &out["r1.reviewer.1"]).ok();
    let saved = crate::support::Saved::of(&sandbox);
    let mut pending = 0;
    for stop in 1.. {
        saved.restore(&sandbox);
        let mut command = sandbox.command();
        command.args(["conference", "next"]);
        command.env("LITHERMES_TEST_STOP", stop.to_string());
        if sandbox.ran(&mut command).status != -1 {
            break;
        }
        let last = events(&sandbox).pop().unwrap();
        if last["event"] == "artifact.written" {
            pending += 1;
            receive(&sandbox, &out["r1.A.1"]).ok();
            assert_eq!(hold(&sandbox), "CONVERGED", "{stop}");
        }
    }
    assert!(pending > 3, "{pending}");
}

#[test]
fn a_call_that_was_killed_is_gone_on_with_by_the_next() {
    let sandbox = handed_off();
    let mut killed = 0;
    for stop in 1.. {
        let mut command = sandbox.command();
        command
            .args(["conference", "next"])
            .env("LITHERMES_TEST_STOP", (stop * 3).to_string());
        if sandbox.ran(&mut command).status != -1 {
            break;
        }
        killed += 1;
        let next = next(&sandbox);
        for packet in answers(&sandbox, &next).into_values() {
            receive(&sandbox, &packet).ok();
        }
    }
    assert!(killed > 2, "{killed}");
    assert_eq!(hold(&sandbox), "CONVERGED");
}

#[test]
fn a_receive_that_was_killed_is_done_again() {
    let sandbox = handed_off();
    let out = answers(&sandbox, &next(&sandbox));
    let saved = crate::support::Saved::of(&sandbox);
    let mut seen = [0, 0];
    for stop in 1.. {
        saved.restore(&sandbox);
        let mut command = sandbox.command();
        command
            .args(["conference", "receive", "-"])
            .write_stdin(out["r1.A.1"].clone());
        command.env("LITHERMES_TEST_STOP", stop.to_string());
        if sandbox.ran(&mut command).status != -1 {
            break;
        }
        let again = receive(&sandbox, &out["r1.A.1"]).ok().json();
        let duplicate = usize::from(again["result"] == "duplicate");
        seen[duplicate] += 1;
        receive(&sandbox, &out["r1.B.1"]).ok();
        assert_eq!(next(&sandbox)["dispatch"][0]["role"], "reviewer", "{stop}");
        assert_eq!(count(&sandbox, "packet.accepted"), 2, "{stop}");
        assert_eq!(count(&sandbox, "dispatch.received"), 2, "{stop}");
        assert_eq!(count(&sandbox, "budget.settled"), 2, "{stop}");
    }
    assert!(seen[0] > 3, "{seen:?}");
}
