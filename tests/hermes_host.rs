//! The host `hermes`, on a program that fails in every way that the real one does.

use std::os::unix::fs::PermissionsExt as _;

use lithermes::engine::charter::Charter;
use lithermes::engine::host::hermes::{Failure, Hermes, Turn};
use lithermes::engine::packet;
use lithermes::process::Cancel;
use rusqlite::Connection;
use serde_json::json;

use crate::support::place::{LONG, Place, SHORT};

const ID: &str = "c-3f9c0a1b2c3d.r1.A.1";

fn charter() -> Charter {
    let value = json!({
        "schema": "lithermes/charter/v1", "conference_id": "c-3f9c0a1b2c3d",
        "dispatch_id": ID, "round": 1, "role": "researcher", "lane": "A",
        "attempt": 1, "objective": "Name it: é", "focus": "", "signal": "NORMAL",
        "success": {"mode": "qualitative", "criteria": "short"},
        "contrarian": false, "iteration_allowance": 2, "claims_allowed": 16, "parameters": [],
        "knowledge": [], "claims": [], "read_context": [], "allowed_read_roots": [],
        "forbidden_actions": [], "delegation_allowed": false, "timeout_s": 60,
        "on_cancel": "nothing counts", "packet_schema": {},
    });
    serde_json::from_value(value).unwrap()
}

fn answer() -> String {
    json!({
        "dispatch_id": ID, "role": "researcher", "status": "completed",
        "claims": [], "uncertainties": [], "recommended_root_actions": [],
    })
    .to_string()
}

const GOOD: &str = r#"{"completed": true, "failed": false, "api_calls": 1, "model": "small",
 "provider": "custom", "input_tokens": 700, "output_tokens": 20, "session_id": "s"}"#;

/// A turn of a `hermes` that prints this, leaves this usage file, and then does what the script says.
fn host(place: &Place, output: &str, usage: Option<&str>, script: &str) -> Hermes {
    fs_err::write(place.path("output"), output).unwrap();
    let mut text = "#!/bin/sh\ncat $HERE/output\n".to_owned();
    if let Some(usage) = usage {
        fs_err::write(place.path("usage"), usage).unwrap();
        text.push_str("cat $HERE/usage >usage.json\n");
    }
    text.push_str(script);
    let program = place.path("hermes");
    fs_err::write(&program, text).unwrap();
    fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let job = place.sh("", LONG);
    Hermes {
        program,
        home: place.path(""),
        toolsets: Vec::new(),
        environment: job.environment,
        shim: job.shim,
    }
}

/// One turn; nothing of it is left.
#[track_caller]
fn turn(place: &Place, hermes: &Hermes) -> Turn {
    let turn = hermes.run(&charter(), LONG, &Cancel::new().unwrap());
    place.is_empty(turn.finished.as_ref().unwrap());
    turn
}

#[track_caller]
fn fails(place: &Place, hermes: &Hermes, reason: &str) {
    let turn = turn(place, hermes);
    let failure = turn
        .answer
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert_eq!(failure.unwrap_err().to_string(), reason);
}

#[test]
fn a_good_turn_is_an_answer_and_its_report_is_kept() {
    let place = Place::new();
    let hermes = host(&place, &answer(), Some(GOOD), "echo 'a line' >&2\n");
    let turn = turn(&place, &hermes);
    let (packet, _) = packet::read(&turn.answer.unwrap(), &charter()).unwrap();
    assert_eq!(packet.dispatch_id.to_string(), ID);
    let report = turn.report.unwrap();
    assert_eq!(report.model.as_deref(), Some("small"));
    assert_eq!(report.provider.as_deref(), Some("custom"));
    assert_eq!(
        (report.input_tokens, report.output_tokens),
        (Some(700), Some(20))
    );
}

/// What real Hermes 0.19.0 prints and writes in each case, its exit status 0.
#[test]
fn what_is_called_success_is_not_believed() {
    let failed = r#"{"completed": false, "failed": true, "model": null, "provider": null}"#;
    let cut = r#"{"completed": false, "failed": false, "model": null, "provider": null}"#;
    let refusal =
        "\u{26a0}\u{fe0f}  The model declined to respond to this request (safety refusal)";
    let empty = "\u{26a0}\u{fe0f} No reply: the model returned empty content after retries";
    let limit = "\u{26a0}\u{fe0f} No reply: the maximum tool-iteration limit was reached";
    let whole = answer();
    let cases = [
        ("HTTP 401: no such key", Some(failed), "http_401"),
        (
            "API call failed after 3 retries: HTTP 500: x",
            Some(failed),
            "http_500",
        ),
        (
            "Context length exceeded (15 tokens).",
            Some(failed),
            "context_too_long",
        ),
        (refusal, Some(failed), "refused_by_model"),
        ("It went wrong.", Some(failed), "model_failed"),
        // A packet does not make a failed turn a good one.
        (whole.as_str(), Some(failed), "model_failed"),
        (whole.as_str(), Some(cut), "incomplete"),
        (whole.as_str(), Some("{}"), "model_failed"),
        (
            whole.as_str(),
            Some("{\"completed\": tr"),
            "no_usage_report",
        ),
        (whole.as_str(), None, "no_usage_report"),
        (empty, Some(GOOD), "empty_reply"),
        (limit, Some(cut), "iteration_limit"),
        ("", Some(GOOD), "no_output"),
        (" \n", Some(GOOD), "no_output"),
    ];
    for (output, usage, reason) in cases {
        let place = Place::new();
        fails(&place, &host(&place, output, usage, ""), reason);
    }
}

#[test]
fn later_releases_say_it_with_their_exit_status_too() {
    let failed = r#"{"completed": false, "failed": true, "failure": "HTTP 429: slow down"}"#;
    let whole = answer().replace("[]}", "[\"HTTP 401 is common\"]}");
    for (output, usage, reason) in [
        ("HTTP 401: no", Some(failed), "http_401"),
        ("", Some(failed), "http_429"),
        ("no more credits", None, "exit"),
        // Whatever was printed, and whatever a packet speaks of.
        (whole.as_str(), Some(GOOD), "exit"),
    ] {
        let place = Place::new();
        fails(&place, &host(&place, output, usage, "exit 1\n"), reason);
    }
}

#[test]
fn ends_of_the_process_keep_their_reasons() {
    let place = Place::new();
    fails(
        &place,
        &host(&place, "", Some(GOOD), "kill -9 $$\n"),
        "signal",
    );
    let mut nowhere = host(&place, "", None, "");
    nowhere.program = place.path("nowhere");
    fails(&place, &nowhere, "not_started");
    let slow = host(&place, &answer(), Some(GOOD), "exec sleep 600\n");
    let turn = slow.run(&charter(), SHORT, &Cancel::new().unwrap());
    assert_eq!(turn.answer, Err(Failure::TimedOut));
    place.is_empty(&turn.finished.unwrap());
    let cancel = Cancel::new().unwrap();
    cancel.request();
    let turn = slow.run(&charter(), LONG, &cancel);
    assert_eq!(turn.answer, Err(Failure::Cancelled));
}

#[test]
fn an_answer_with_a_living_grandchild_counts_and_the_grandchild_ends() {
    let place = Place::new();
    let hermes = host(&place, &answer(), Some(GOOD), "setsid sleep 600 &\n");
    let turn = turn(&place, &hermes);
    assert!(turn.answer.is_ok());
    assert!(turn.finished.unwrap().outlived);
}

#[test]
fn a_charter_that_is_too_large_starts_nothing() {
    let place = Place::new();
    let hermes = host(&place, &answer(), Some(GOOD), "touch $HERE/ran\n");
    let mut charter = charter();
    charter.focus = "x".repeat(96 << 10);
    let turn = hermes.run(&charter, LONG, &Cancel::new().unwrap());
    assert_eq!(turn.answer, Err(Failure::PromptTooLong));
    assert!(turn.finished.is_none());
    assert!(!place.path("ran").exists());
}

#[test]
fn a_child_begins_in_an_empty_folder_with_a_clean_environment() {
    let place = Place::new();
    let look = "pwd >$HERE/pwd; ls -A | grep -v usage.json >$HERE/files; env >$HERE/env; cat >$HERE/stdin\n";
    let mut hermes = host(&place, &answer(), Some(GOOD), look);
    hermes
        .environment
        .insert("HERMES_HOME".into(), "/elsewhere".into());
    hermes
        .environment
        .insert("HERMES_SESSION_ID".into(), "s".into());
    hermes
        .environment
        .insert("HERMES_YOLO_MODE".into(), "1".into());
    assert!(turn(&place, &hermes).answer.is_ok());
    let read = |name: &str| fs_err::read_to_string(place.path(name)).unwrap();
    assert!(read("pwd").contains("lithermes-child-"), "{}", read("pwd"));
    assert_eq!(
        (read("files"), read("stdin")),
        (String::new(), String::new())
    );
    let home = format!("HERMES_HOME={}\n", place.path("").display());
    assert!(read("env").contains(&home), "{}", read("env"));
    assert!(read("env").contains("LITHERMES_CHILD="));
    for never in ["HERMES_SESSION_ID", "HERMES_YOLO_MODE", "/elsewhere"] {
        assert!(!read("env").contains(never), "{never} in {}", read("env"));
    }
}

/// A turn with tools writes no usage file: its session says how it ended.
fn with_tools(place: &Place, output: &str, finish: Option<&str>, script: &str) -> Hermes {
    let database = Connection::open(place.path("state.db")).unwrap();
    let tables = "CREATE TABLE sessions (id, source, started_at, model, billing_provider);
        CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, content, finish_reason);
        INSERT INTO sessions VALUES ('20260101_1', 'tool', 1.0, 'large', 'custom');
        INSERT INTO messages (session_id, role, content) VALUES ('20260101_1', 'user', 'x');";
    database.execute_batch(tables).unwrap();
    if let Some(finish) = finish {
        let sql = "INSERT INTO messages (session_id, role, content, finish_reason) \
                   VALUES ('20260101_1', 'assistant', 'x', ?1)";
        database.execute(sql, [finish]).unwrap();
    }
    let named = format!("printf '\\nsession_id: 20260101_1\\n' >&2\n{script}");
    let mut hermes = host(place, output, None, &named);
    hermes.toolsets = vec!["search".to_owned(), "web".to_owned()];
    hermes
}

#[test]
fn a_turn_with_tools_is_believed_as_far_as_its_session_agrees() {
    let place = Place::new();
    let turn = turn(&place, &with_tools(&place, &answer(), Some("stop"), ""));
    assert!(turn.answer.is_ok(), "{turn:?}");
    let report = turn.report.unwrap();
    assert_eq!(report.model.as_deref(), Some("large"));
    assert_eq!(report.provider.as_deref(), Some("custom"));
    let limit = format!(
        "\u{26a0}\u{fe0f}  Reached maximum iterations (3). Requesting summary...\n{}\n",
        answer()
    );
    let after = format!(
        "{}\n\n\u{26a0}\u{fe0f} No reply: the maximum tool-iteration limit",
        answer()
    );
    let whole = answer();
    for (output, finish, script, reason) in [
        (whole.as_str(), Some("length"), "", "incomplete"),
        (whole.as_str(), None, "", "incomplete"),
        (limit.as_str(), Some("stop"), "", "iteration_limit"),
        (after.as_str(), Some("stop"), "", "iteration_limit"),
        ("", None, "", "empty_reply"),
        ("HTTP 401: no", None, "exit 1", "http_401"),
        (
            "",
            None,
            "echo 'Error: HTTP 404: no model' >&2; exit 1",
            "http_404",
        ),
        (whole.as_str(), Some("stop"), "exit 130", "exit"),
    ] {
        let place = Place::new();
        fails(&place, &with_tools(&place, output, finish, script), reason);
    }
}

#[test]
fn what_the_host_says_of_itself_before_an_answer_is_no_part_of_it() {
    let warning = "  \u{26a0} tirith security scanner enabled but not available";
    let mut said: serde_json::Value = serde_json::from_str(&answer()).unwrap();
    said["uncertainties"] = json!(["No reply: after Reached maximum iterations"]);
    let output = format!("{warning}\n{said}\n");
    let place = Place::new();
    let turn = turn(&place, &with_tools(&place, &output, Some("stop"), ""));
    let (packet, _) = packet::read(&turn.answer.unwrap(), &charter()).unwrap();
    assert_eq!(packet.uncertainties.len(), 1);
    for (after, reason) in [
        ("", "empty_reply"),
        ("\u{26a0}\u{fe0f} No reply: nothing came", "empty_reply"),
        (
            "\u{26a0}\u{fe0f}  Reached maximum iterations (3).\n{}",
            "iteration_limit",
        ),
    ] {
        let place = Place::new();
        let output = format!("{warning}\n{after}");
        fails(
            &place,
            &with_tools(&place, &output, Some("stop"), ""),
            reason,
        );
    }
}

#[test]
fn a_session_that_cannot_be_read_leaves_the_packet_to_be_judged() {
    let place = Place::new();
    let hermes = with_tools(&place, &answer(), Some("stop"), "");
    fs_err::write(place.path("state.db"), "no database").unwrap();
    let turn = turn(&place, &hermes);
    assert!(turn.answer.is_ok(), "{turn:?}");
    assert_eq!(turn.report, None);
}

#[test]
fn the_free_probe_tells_the_version_or_why_there_is_none() {
    let place = Place::new();
    let probe = |output: &str, script: &str| {
        let hermes = host(&place, output, None, script);
        hermes.version(&Cancel::new().unwrap())
    };
    let told = probe("\nHermes Agent v0.19.0 (2026.7.20)\nPython: 3\n", "");
    assert_eq!(told.as_deref(), Ok("Hermes Agent v0.19.0 (2026.7.20)"));
    assert_eq!(
        probe("", "exit 3\n").unwrap_err(),
        "`--version` exits with 3"
    );
    assert_eq!(probe("", "").unwrap_err(), "it does not tell its version");
}
