//! `conference check`: every fault with its line, the totals, and the digest that is approved.
//! It changes nothing.

use serde_json::{Value, json};

use crate::support::{Ran, Sandbox, differences};

pub const PLAN: &str = include_str!("support/conference.md");

/// A sandbox with this text as `work/conference.md`, and the evaluator that it names.
fn root(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    write(&sandbox, text);
    fs_err::write(sandbox.work().join("pack.py"), "print(41)\n").unwrap();
    sandbox
}

fn write(sandbox: &Sandbox, text: &str) {
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
}

/// Runs `check` and proves that no byte of the disk changed.
#[track_caller]
fn check(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let before = sandbox.tree();
    let ran = sandbox.run(&[&["conference", "check"], args].concat());
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    ran
}

#[track_caller]
fn document(sandbox: &Sandbox, args: &[&str]) -> Value {
    check(sandbox, &[args, &["--json"]].concat()).json()
}

#[test]
fn a_whole_file_shows_conditions_totals_and_the_command_that_approves() {
    let sandbox = root(PLAN);
    let ran = check(&sandbox, &[]).ok();
    assert_eq!(ran.stderr, "");
    let digest = document(&sandbox, &[])["approval_digest"]
        .as_str()
        .unwrap()
        .to_owned();
    let wanted = format!(
        "\
CONDITION     VALUE
title         Smaller archives
goal          Find the settings that pack a week of logs smallest within two seconds.
mode          metric
metric        megabytes, minimize, integer
target        < 40
baseline      measured first
evaluator     python3 pack.py, 1 run each
parameters    level, window
lanes         3, free, no critic
rounds        4, iterations of a lane in each: 5
time budget   2h
lane timeout  30m
stops         2 comparisons of rounds without a gain (more than 0)
host          local
poster        composed by the root
lost child    asks
pauses        none

TOTAL           AT MOST
iterations      60 in 4 rounds (ceiling 60, product 60)
calls           17: 0 probe, 12 research, 0 poster, 4 review, 1 synthesis
evaluator runs  73, up to 6m each

approval {digest}
Next: lithermes conference approve . --digest {digest}
"
    );
    assert_eq!(ran.stdout, wanted);
}

#[test]
fn the_document_is_that_of_the_specification() {
    let sandbox = root(PLAN);
    let document = document(&sandbox, &[]);
    let digest = |key: &str| {
        let text = document[key].as_str().unwrap().to_owned();
        assert!(
            text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()),
            "{key}"
        );
        text
    };
    assert_eq!(
        document,
        json!({
            "schema": "lithermes/conference-check/v1",
            "ok": true,
            "ready": true,
            "faults": [],
            "config_digest": digest("config_digest"),
            "knowledge_digest": digest("knowledge_digest"),
            "approval_digest": digest("approval_digest"),
            "count": 3,
            "iterations_per_round": 5,
            "max_rounds": 4,
            "ceiling": 60,
            "product": 60,
            "effective_rounds": 4,
            "calls": {"probe": 0, "research": 12, "poster": 0, "review": 4, "synthesis": 1, "total": 17},
            "evaluator_runs": 73,
            "target": {"metric": "megabytes", "comparator": "<", "value": 40.0, "scale": null, "unit": null},
        })
    );
}

#[test]
fn what_is_vague_is_named_and_is_no_error() {
    let text = PLAN
        .replace("- **Critic:** disabled\n", "")
        .replace("2h", "TBD");
    let sandbox = root(&text);
    let ran = check(&sandbox, &[]).ok();
    let end = "\
PLACE             KIND  RULE  FAULT
conference.md:20  gate  V1    Critic: is missing; it stands under `## Pre-Flight Gate`
conference.md:30  gate  V4    Time budget: is still a placeholder

Still vague: Critic, Time budget
";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    let document = document(&sandbox, &[]);
    assert_eq!(
        (&document["ok"], &document["ready"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(document["approval_digest"], Value::Null);
    assert!(document["config_digest"].is_string());
    assert_eq!(
        document["faults"][1],
        json!({"code": "V4", "severity": "gate", "field": "Time budget", "line": 30,
               "message": "is still a placeholder"})
    );
}

#[test]
fn errors_are_all_told_and_exit_3() {
    let text = PLAN
        .replace("minimize", "down")
        .replace("**Count:** 3", "**Count:** 0");
    let sandbox = root(&text);
    let ran = check(&sandbox, &[]).exits(3).fails("INVALID_CONFERENCE");
    assert_eq!(
        ran.stderr,
        "error[INVALID_CONFERENCE]: conference.md breaks 2 rules\n"
    );
    assert!(
        ran.stdout
            .contains("conference.md:12  error  V12   Direction: "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("conference.md:16  error  V3    Count: "),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("approve"), "{}", ran.stdout);
    let ran = check(&sandbox, &["--json"]).exits(3);
    let document = ran.json();
    assert_eq!(document["schema"], "lithermes/conference-check/v1");
    assert_eq!(document["ok"], false);
    assert_eq!(document["config_digest"], Value::Null);
    assert_eq!(document["calls"], Value::Null);
}

#[test]
fn where_no_conference_is_there_is_nothing_to_check() {
    let sandbox = Sandbox::new();
    let ran = check(&sandbox, &[]).exits(1).fails("NOT_INITIALISED");
    assert_eq!(ran.stdout, "");
    check(&sandbox, &["nowhere"])
        .exits(1)
        .fails("NOT_INITIALISED");
    let sandbox = root(PLAN);
    let ran = check(&sandbox, &["conference.md"])
        .exits(1)
        .fails("NOT_INITIALISED");
    assert!(ran.stderr.contains("name the folder"), "{}", ran.stderr);
}

#[test]
fn what_is_no_text_is_refused_and_a_link_is_not_followed() {
    let sandbox = root("# x\n\0\n");
    check(&sandbox, &[]).exits(3).fails("INVALID_CONFERENCE");
    fs_err::write(sandbox.work().join("conference.md"), vec![b'x'; 10 << 20]).unwrap();
    let ran = check(&sandbox, &["--json"])
        .exits(3)
        .fails("INVALID_CONFERENCE");
    assert_eq!(ran.json()["schema"], "lithermes/error/v1");
    fs_err::remove_file(sandbox.work().join("conference.md")).unwrap();
    let outside = sandbox.root().join("outside.md");
    fs_err::write(&outside, PLAN).unwrap();
    std::os::unix::fs::symlink(outside, sandbox.work().join("conference.md")).unwrap();
    check(&sandbox, &[]).exits(3).fails("UNSAFE_PATH");
}

#[test]
fn flags_win_over_the_file_and_are_part_of_what_is_approved() {
    let sandbox = root(PLAN);
    let first = document(&sandbox, &[])["approval_digest"].clone();
    let hermes = document(&sandbox, &["--host", "hermes"]);
    assert_eq!(hermes["calls"]["probe"], 1);
    assert_eq!(hermes["evaluator_runs"], 61);
    assert_ne!(hermes["approval_digest"], first);
    let args = [
        "--host",
        "command",
        "--host-command",
        "./lane 'a b'",
        "--grant",
        "work-1:2",
    ];
    let ran = check(&sandbox, &args).ok();
    assert!(
        ran.stdout.contains("host          command: ./lane 'a b'\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("warning  V1    Command: names a program"),
        "{}",
        ran.stdout
    );
    let next = "Next: lithermes conference approve . --host command --host-command './lane '\\''a b'\\''' --grant work-1:2 --digest ";
    assert!(ran.stdout.contains(next), "{}", ran.stdout);
    fs_err::write(sandbox.work().join("pack.py"), "print(42)\n").unwrap();
    assert_ne!(document(&sandbox, &[])["approval_digest"], first);
}

#[test]
fn flags_that_cannot_mean_anything_are_refused() {
    let sandbox = root(PLAN);
    for args in [
        &["--host", "docker"][..],
        &["--host-command", "./lane"],
        &["--host", "command", "--host-command", "'open"],
        &["--recorded", "."],
        &["--grant", "work"],
        &["--grant", "work:0"],
    ] {
        let ran = check(&sandbox, args).exits(2);
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}

#[test]
fn a_recorded_host_is_known_by_its_events() {
    let sandbox = root(PLAN);
    let other = sandbox.work().join("other");
    fs_err::create_dir(&other).unwrap();
    let args = ["--host", "recorded", "--recorded", "other"];
    check(&sandbox, &args).exits(1).fails("NOT_INITIALISED");
    fs_err::write(other.join("conference.md"), PLAN).unwrap();
    check(&sandbox, &args).exits(1).fails("NOT_FOUND");
    fs_err::write(other.join("conference_events.jsonl"), "{\"seq\":1}\n").unwrap();
    check(&sandbox, &args).ok();
    let ran = check(&sandbox, &["--host", "recorded"]).ok();
    assert!(
        ran.stdout.ends_with("Still vague: Host\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_old_run_is_read_as_one() {
    let text = PLAN.replace("round:** 5", "round:** 5 (round 1-2), 3 (round 3)");
    let sandbox = root(&text);
    check(&sandbox, &[]).exits(3);
    let events = sandbox.work().join("conference_events.jsonl");
    for (line, status) in [
        ("", 3),
        ("{\"seq\":1,\"event\":\"conference.started\"}\n", 3),
        ("not json\n", 3),
        ("{\"event\": \"conference.started\", \"payload\": {}}\n", 0),
    ] {
        fs_err::write(&events, line).unwrap();
        check(&sandbox, &[]).exits(status);
    }
    assert_eq!(document(&sandbox, &[])["iterations_per_round"], 5);
}

#[test]
fn without_a_home_the_file_is_checked_but_nothing_is_approved() {
    let sandbox = root(PLAN);
    fs_err::remove_dir_all(sandbox.home()).unwrap();
    let ran = check(&sandbox, &[]).ok();
    assert!(
        ran.stderr.starts_with("warning: nothing can be approved: "),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.contains("approval"), "{}", ran.stdout);
    let document = document(&sandbox, &[]);
    assert_eq!(document["approval_digest"], Value::Null);
    assert_eq!(document["ready"], true);
}

#[test]
fn a_confirmation_is_held_against_the_conditions() {
    let sandbox = root(PLAN);
    let digest = document(&sandbox, &[])["approval_digest"]
        .as_str()
        .unwrap()
        .to_owned();
    let confirmed = |value: &str| {
        let line = format!("disabled\n- **Final confirmation:** {value}");
        write(&sandbox, &PLAN.replace("disabled", &line));
        check(&sandbox, &[]).ok().stdout
    };
    let out = confirmed(&format!("confirmed {digest}"));
    assert!(
        out.ends_with("The file says that it is confirmed.\n"),
        "{out}"
    );
    let out = confirmed("confirmed 12ab");
    assert!(
        out.contains("conference.md:22  warning  V10   Final confirmation: "),
        "{out}"
    );
    assert!(
        out.contains("Next: lithermes conference approve . --digest "),
        "{out}"
    );
    assert!(confirmed("pending").contains("warning  V10"));
}

#[test]
fn hostile_text_moves_no_terminal_and_no_secret_is_repeated() {
    let secret = crate::support::secret();
    let text = PLAN
        .replace("Smaller archives", "\u{1b}[2J\u{202e}x")
        .replace("minimize", &format!("\u{1b}]52;c;{secret}\u{7}"));
    let sandbox = root(&text);
    let ran = check(&sandbox, &["--color", "never"]).exits(3);
    assert!(crate::support::is_harmless(&ran.stdout), "{:?}", ran.stdout);
    assert!(!ran.stdout.contains(&secret), "{}", ran.stdout);
    let ran = check(&sandbox, &["--json"]).exits(3);
    assert!(crate::support::is_harmless(&ran.stdout), "{:?}", ran.stdout);
    assert!(!ran.stdout.contains(&secret), "{}", ran.stdout);
}

/// What leaves no room in a charter is told before anybody approves it, at the longest text.
#[test]
fn a_text_for_which_no_charter_has_room_is_refused() {
    let long = |bytes: usize| "many words ".repeat(bytes / 11);
    let assigned = |text: String| {
        let focus = ["the small", &text, "the large"];
        let focus = ["A", "B", "C"].iter().zip(focus);
        let focus = focus.map(|(lane, text)| format!("\n\n### Researcher {lane} Focus\n{text}"));
        let focus: String = focus.collect();
        PLAN.replace("free", &format!("assigned{focus}"))
    };
    let scored = |text: String| {
        let plan = PLAN.replace("## Mode\nmetric", "## Mode\nqualitative");
        let plan = plan.replace("Host:** local", "Host:** handoff");
        let criteria = format!("## Success Criteria\n{text}\n\n## Researchers");
        plan.replace("## Researchers", &criteria)
    };
    for (plan, field) in [
        (PLAN.replace("Find the settings", &long(60_000)), "Goal"),
        (assigned(long(98_000)), "Researcher B Focus"),
        (scored(long(60_000)), "Success Criteria"),
    ] {
        let sandbox = root(&plan);
        let ran = check(&sandbox, &["--json"]).exits(3);
        let document = ran.json();
        let errors = document["faults"].as_array().unwrap().iter();
        let mut errors = errors.filter(|fault| fault["severity"] == "error");
        let fault = errors.next().unwrap();
        assert_eq!(
            (&fault["code"], &fault["field"]),
            (&json!("V3"), &json!(field))
        );
        let message = fault["message"].as_str().unwrap();
        assert!(message.contains(" have room"), "{message}");
        let at = fault["line"].as_u64().unwrap();
        let line = plan.lines().nth(usize::try_from(at).unwrap() - 1).unwrap();
        assert!(line.ends_with(field), "{line}");
        assert_eq!(errors.next(), None);
        assert_eq!(document["approval_digest"], Value::Null);
        let is_of_session = plan.contains("Host:** handoff");
        let verb = if is_of_session { "next" } else { "run" };
        sandbox
            .run(&["conference", verb])
            .exits(3)
            .fails("INVALID_CONFERENCE");
        assert!(!sandbox.work().join("conference_events.jsonl").exists());
    }
    for plan in [
        PLAN.replace("Find the settings", &long(40_000)),
        assigned(long(80_000)),
        scored(long(40_000)),
    ] {
        let sandbox = root(&plan);
        assert_eq!(document(&sandbox, &[])["ready"], true);
    }
}

/// Whoever writes such a heading believes that a lane has that focus.
#[test]
fn a_focus_that_no_lane_gets_is_named_with_its_line() {
    let text = PLAN.replace("**Count:** 3", "**Count:** 2").replace(
        "- **Strategy:** free",
        "- **Strategy:** free\n\n### Researcher A Focus\nLevels.\n\n### Researcher C Focus\nNo lane.",
    );
    let sandbox = root(&text);
    let ran = check(&sandbox, &[]).ok();
    let row =
        "\nconference.md:29  warning  V6    Researcher C Focus: is of a lane that there is not\n";
    assert!(ran.stdout.contains(row), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
    for (heading, fault) in [
        (
            "### Researcher AA Focus",
            "Researcher Focus: `### Researcher AA Focus` is read as the focus of no lane; one begins with `### Researcher A Focus`, of a lane from A to Z",
        ),
        (
            "## Researcher B Fokus",
            "Researcher Focus: `## Researcher B Fokus` is read as the focus of no lane; one begins with `### Researcher A Focus`, of a lane from A to Z",
        ),
        (
            "## Researcher A focus",
            "Researcher A Focus: the section stands twice; the first is at line 26",
        ),
    ] {
        let text = text.replace("### Researcher C Focus", heading);
        write(&sandbox, &text);
        let ran = check(&sandbox, &[]).exits(3).fails("INVALID_CONFERENCE");
        let row = format!("\nconference.md:29  error  V6    {fault}\n");
        assert!(ran.stdout.contains(&row), "{}", ran.stdout);
        let wanted = "error[INVALID_CONFERENCE]: conference.md breaks 1 rule\n";
        assert_eq!(ran.stderr, wanted);
        let ran = check(&sandbox, &["--json"]).exits(3);
        assert_eq!(ran.json()["faults"][0]["line"], 29, "{ran:?}");
        let before = sandbox.tree();
        let ran = sandbox.run(&["conference", "run"]).exits(3);
        let ran = ran.fails("INVALID_CONFERENCE");
        assert!(ran.stderr.contains("found: Researcher"), "{}", ran.stderr);
        assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    }
}
