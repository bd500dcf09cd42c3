//! `observations`: what was recorded, read back.

use serde_json::{Value, json};

use crate::observe::flags;
use crate::support::{Sandbox, is_harmless};

#[test]
fn a_credential_that_was_written_by_hand_is_not_shown() {
    let sandbox = Sandbox::new();
    let token = crate::support::secret();
    let line = json!({
        "signal": "repetition", "skill_id": token, "observed": format!("used {token}"),
        "proposal": token, "applied": false,
    });
    fs_err::create_dir_all(sandbox.observer()).unwrap();
    let log = sandbox.observer().join("observations.jsonl");
    fs_err::write(log, format!("{line}\n")).unwrap();
    for args in [&["observations"][..], &["observations", "--json"]] {
        let shown = sandbox.sl(args).ok().stdout;
        assert!(shown.contains("used [REDACTED_SECRET]"), "{shown}");
        assert!(!shown.contains(&token[..8]), "{shown}");
    }
}

#[test]
fn a_skill_is_found_by_its_name_and_by_its_path() {
    let sandbox = Sandbox::new();
    sandbox.sl(&flags("correction", Some("docs/x"), "o")).ok();
    for (skill, found) in [("x", 1), ("docs/x", 1), ("other/x", 0), ("docs", 0)] {
        let answer = sandbox.json(&["observations", "--skill", skill]);
        let count = answer["observations"].as_array().unwrap().len();
        assert_eq!(count, found, "{skill}");
    }
}

/// Records at three times, one of an older version among them.
fn recorded() -> Sandbox {
    let mut sandbox = Sandbox::new();
    let old = json!({
        "signal": "repetition", "skill_id": "notes", "observed": "again", "proposal": "SKILL.md",
        "applied": false,
    });
    fs_err::create_dir_all(sandbox.observer()).unwrap();
    fs_err::write(
        sandbox.observer().join("observations.jsonl"),
        format!("{old}\n"),
    )
    .unwrap();
    for (day, signal, skill) in [
        ("2026-01-02T00:00:00Z", "correction", Some("notes")),
        ("2026-01-03T12:00:00Z", "coverage-gap", None),
        ("2026-01-04T00:00:00Z", "correction", Some("style")),
    ] {
        sandbox.set("LITHERMES_TEST_CLOCK", day);
        sandbox
            .sl(&flags(signal, skill, &format!("seen on {day}")))
            .ok();
    }
    sandbox
}

fn times(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let before = sandbox.tree();
    let answer = sandbox
        .sl(&[&["observations", "--json"], args].concat())
        .ok()
        .json();
    assert_eq!(
        crate::support::differences(&before, &sandbox.tree()),
        Vec::<String>::new()
    );
    let found = answer["observations"].as_array().unwrap().iter();
    found.map(|one| one["at"].clone()).collect()
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn records_come_oldest_first_and_can_be_narrowed() {
    let sandbox = recorded();
    let [old, two, three, four] = [
        json!(null),
        json!("2026-01-02T00:00:00Z"),
        json!("2026-01-03T12:00:00Z"),
        json!("2026-01-04T00:00:00Z"),
    ];
    let all = [old.clone(), two.clone(), three.clone(), four.clone()];
    assert_eq!(times(&sandbox, &[]), all);
    assert_eq!(
        times(&sandbox, &["--signal", "correction"]),
        [two.clone(), four.clone()]
    );
    assert_eq!(times(&sandbox, &["--skill", "notes"]), [old, two.clone()]);
    assert_eq!(
        times(&sandbox, &["--since", "2026-01-03"]),
        [three.clone(), four.clone()]
    );
    assert_eq!(
        times(&sandbox, &["--since", "2026-01-03T13:00:00+01:00"]),
        [three, four.clone()]
    );
    let both = [
        "--skill",
        "notes",
        "--signal",
        "correction",
        "--since",
        "2025-12-31",
    ];
    assert_eq!(times(&sandbox, &both), [two]);
    assert_eq!(
        times(&sandbox, &["--since", "2030-01-01"]),
        [] as [Value; 0]
    );
    for time in ["yesterday", "", "2026-13-01", "1"] {
        let ran = sandbox.sl(&["observations", "--since", time]).exits(2);
        assert!(ran.stderr.contains("is no time"), "{ran:?}");
    }
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_record_is_shown_whole_and_its_time_where_it_has_one() {
    let sandbox = recorded();
    let shown = sandbox
        .sl(&["observations", "--skill", "notes"])
        .ok()
        .stdout;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 6, "{shown}");
    assert!(
        lines[0].ends_with("  at an unknown time  repetition    notes"),
        "{shown}"
    );
    assert_eq!(
        lines[1..3],
        ["    observed  again", "    proposal  SKILL.md"]
    );
    assert!(
        lines[3].ends_with("  2026-01-02T00:00:00Z  correction    notes"),
        "{shown}"
    );
}

#[test]
fn no_result_is_a_stated_result() {
    let sandbox = Sandbox::new();
    let ran = sandbox.sl(&["observations"]).ok();
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("Nothing was observed here yet.\n", "")
    );
    let answer = sandbox.json(&["observations"]);
    assert_eq!(answer["observations"], json!([]));
    assert!(!sandbox.work().join(".hermes").exists());
    sandbox.sl(&flags("coverage-gap", None, "o")).ok();
    let ran = sandbox.sl(&["observations", "--skill", "x"]).ok();
    assert_eq!(ran.stdout, "No observation fits.\n");
}

#[test]
fn damage_is_counted_and_said_and_moves_no_terminal() {
    let sandbox = Sandbox::new();
    let text = "line one\nline \u{1b}[31mtwo\u{202e}";
    sandbox.sl(&flags("correction", Some("x"), text)).ok();
    let line = sandbox.observed();
    let damaged = line.replace("line one", "line 1");
    let log = sandbox.observer().join("observations.jsonl");
    fs_err::write(&log, format!("{line}{damaged}\n{{\"torn")).unwrap();
    let answer = sandbox.json(&["observations"]);
    assert_eq!(
        (&answer["damaged"], &answer["torn"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(answer["observations"].as_array().unwrap().len(), 1);
    assert_eq!(answer["observations"][0]["observed"], text);
    let ran = sandbox.sl(&["observations", "--quiet"]).ok();
    assert!(
        ran.stderr
            .contains("warning: 2 damaged lines were passed over"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("not finished"), "{ran:?}");
    assert!(is_harmless(&ran.stdout), "{ran:?}");
    assert!(
        ran.stdout
            .contains("    observed  line one\n              line \\u{1b}[31mtwo"),
        "{ran:?}"
    );
}

#[test]
fn a_log_that_grew_beyond_the_bound_is_named() {
    let sandbox = Sandbox::in_memory();
    sandbox.sl(&flags("correction", Some("x"), "o")).ok();
    let log = sandbox.observer().join("observations.jsonl");
    let file = fs_err::OpenOptions::new().write(true).open(log).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let ran = sandbox.sl(&["observations"]).exits(1).fails("IO_ERROR");
    assert!(ran.stderr.contains("larger than"), "{ran:?}");
    assert!(
        ran.stderr.contains("hint: move the log elsewhere"),
        "{ran:?}"
    );
}

#[test]
fn what_could_not_be_read_back_is_not_recorded() {
    use std::os::unix::fs::FileExt as _;
    let sandbox = Sandbox::in_memory();
    sandbox.sl(&flags("correction", Some("x"), "o")).ok();
    let log = sandbox.observer().join("observations.jsonl");
    let file = fs_err::OpenOptions::new().write(true).open(&log).unwrap();
    file.file().write_all_at(b"\n", (64 << 20) - 1).unwrap();
    let args = flags("correction", Some("x"), "one too many");
    let ran = sandbox.sl(&args).exits(1).fails("IO_ERROR");
    assert!(ran.stderr.contains("; nothing was recorded"), "{ran:?}");
    assert!(
        ran.stderr.contains("hint: move the log elsewhere"),
        "{ran:?}"
    );
    assert_eq!(fs_err::metadata(&log).unwrap().len(), 64 << 20);
    sandbox.sl(&["observations"]).ok();
}

#[test]
fn damage_alone_is_not_called_nothing() {
    let sandbox = Sandbox::new();
    fs_err::create_dir_all(sandbox.observer()).unwrap();
    let log = sandbox.observer().join("observations.jsonl");
    for text in ["{}\n", "{\"torn"] {
        fs_err::write(&log, text).unwrap();
        let ran = sandbox.sl(&["observations"]).ok();
        assert_eq!(ran.stdout, "No whole observation is here.\n", "{text}");
        assert!(ran.stderr.starts_with("warning: "), "{ran:?}");
    }
}
