//! `curator`: reports what the host's curator has to do with our skills, and never acts.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{Sandbox, differences, is_harmless, secret};

/// Puts a `hermes` of this version on the sandbox's `PATH`, which does what the script says.
pub fn hermes(sandbox: &mut Sandbox, version: &str, script: &str) {
    let prefix = sandbox.root().join("user/hermes");
    let packages = prefix.join("lib/python3.11/site-packages");
    if packages.exists() {
        fs_err::remove_dir_all(&packages).unwrap();
    }
    fs_err::create_dir_all(&packages).unwrap();
    if version != "unknown" {
        fs_err::create_dir(packages.join(format!("hermes_agent-{version}.dist-info"))).unwrap();
    }
    fs_err::create_dir_all(prefix.join("bin")).unwrap();
    let program = prefix.join("bin/hermes");
    fs_err::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.set(
        "PATH",
        &format!("{}:/usr/bin:/bin", prefix.join("bin").display()),
    );
}

/// What the host keeps: a state, a skill that it manages, and one of ours that it archived.
pub fn host_files(sandbox: &Sandbox) {
    let skills = sandbox.home().join("skills");
    let state = json!({
        "paused": false, "run_count": 4, "last_run_at": "2026-01-01T00:00:00+00:00",
        "last_run_summary": "archived 1\nold \u{1b}[2J", "last_report_path": "/reports/1",
    });
    fs_err::write(skills.join(".curator_state"), state.to_string()).unwrap();
    let usage = json!({
        "marked": {"created_by": "agent", "state": "stale", "use_count": 2,
                   "last_used_at": "2026-01-01T10:00:00+00:00"},
        "other": {"created_by": null, "state": "active"},
    });
    fs_err::write(skills.join(".usage.json"), usage.to_string()).unwrap();
    let archived = skills.join(".archive/gone");
    fs_err::create_dir_all(&archived).unwrap();
    fs_err::write(
        archived.join("SKILL.md"),
        crate::support::marked("gone", "x\n"),
    )
    .unwrap();
}

fn without_hermes(sandbox: &mut Sandbox) {
    sandbox.set("PATH", "/nonexistent");
}

#[test]
fn an_empty_home_is_a_stated_result() {
    let mut sandbox = Sandbox::new();
    without_hermes(&mut sandbox);
    let before = sandbox.tree();
    let ran = sandbox.sl(&["curator"]).ok();
    assert_eq!(ran.stderr, "");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "Hermes is not on PATH",
            "Curator: on, 0 runs, last never",
            "No skill here is ours."
        ]
    );
    assert!(
        ran.stdout.contains("hermes curator adopt <name>\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("What that entails"), "{}", ran.stdout);
    assert_eq!(sandbox.json(&["curator"])["host"], json!(null));
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn our_skills_are_told_with_what_the_host_does_with_them() {
    let mut sandbox = Sandbox::new();
    hermes(&mut sandbox, "0.20.0", "touch \"$HERMES_HOME/canary\"");
    for name in ["marked", "other", "strange name"] {
        sandbox.skill(name, "x\n");
    }
    let by_hand = sandbox.home().join("skills/by-hand");
    fs_err::create_dir(&by_hand).unwrap();
    fs_err::write(
        by_hand.join("SKILL.md"),
        "---\nname: by-hand\ndescription: d\n---\nb\n",
    )
    .unwrap();
    host_files(&sandbox);
    let before = sandbox.tree();
    let answer = sandbox.json(&["curator"]);
    let skills = answer["skills"].as_array().unwrap();
    let told: Vec<[&Value; 4]> = skills
        .iter()
        .map(|one| {
            [
                &one["name"],
                &one["managed"],
                &one["state"],
                &one["handOff"],
            ]
        })
        .collect();
    let expected = [
        [json!("marked"), json!(true), json!("stale"), json!(null)],
        [
            json!("other"),
            json!(false),
            json!("active"),
            json!("hermes curator adopt other"),
        ],
        [
            json!("strange name"),
            json!(false),
            json!(null),
            json!(null),
        ],
    ];
    assert_eq!(
        told,
        expected
            .iter()
            .map(|one| one.each_ref())
            .collect::<Vec<_>>()
    );
    assert_eq!(answer["archived"], json!(["gone"]));
    assert_eq!(answer["state"]["runs"], 4);
    assert_eq!(answer["handOff"]["available"], true);
    assert_eq!(answer["doubts"], json!([]));
    let shown = sandbox.sl(&["curator"]).ok().stdout;
    assert!(is_harmless(&shown), "{shown}");
    for part in [
        "Hermes 0.20.0 at ",
        "Curator: on, 4 runs, last 2026-01-01T00:00:00Z\n    archived 1\n    old \\u{1b}[2J\n",
        "marked        yes      stale   2         2026-01-01T10:00:00Z\n",
        "Ours, and archived by the curator: gone\n",
        ":\n    hermes curator adopt other\nWhat",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    // Nothing was run, and nothing was written.
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn a_version_without_adopt_is_told_so() {
    let mut sandbox = Sandbox::new();
    for (version, adopts, line) in [
        (
            "0.19.0",
            json!(false),
            "Hermes 0.19.0 has no `adopt`: it came with 0.20.0.\n",
        ),
        ("0.21.4", json!(true), "adopt <name>\nWhat"),
        (
            "unknown",
            json!(null),
            "Hermes has `adopt` from 0.20.0 on.\n",
        ),
    ] {
        hermes(&mut sandbox, version, "exit 9");
        let answer = sandbox.json(&["curator"]);
        assert_eq!(answer["host"]["adopts"], adopts, "{version}");
        assert_eq!(answer["handOff"]["available"], adopts, "{version}");
        let shown = sandbox.sl(&["curator"]).ok().stdout;
        assert!(shown.contains(line), "{version}\n{shown}");
    }
}

#[test]
fn the_host_is_asked_only_when_it_is_to_be_and_its_status_proves_nothing() {
    let mut sandbox = Sandbox::new();
    let token = secret();
    let script = format!(
        "echo \"$@ of $HERMES_HOME, secret $LITHERMES_PROBE\"\n\
         printf 'red \\033[31m %s\\n' {token}\necho late >&2\nexit 3"
    );
    hermes(&mut sandbox, "0.19.0", &script);
    sandbox.set("LITHERMES_PROBE", "not passed on");
    let ran = sandbox.sl(&["curator", "--ask-host", "--json"]).ok();
    let asked = &ran.json()["asked"];
    assert_eq!(asked["status"], 3);
    assert_eq!(
        (&asked["timedOut"], &asked["cut"]),
        (&json!(false), &json!(false))
    );
    let said = asked["stdout"].as_str().unwrap();
    assert!(
        said.starts_with("curator status of [SANDBOX]/home, secret \n"),
        "{said}"
    );
    assert!(said.contains("[REDACTED_SECRET]"), "{said}");
    assert_eq!(asked["stderr"], "late\n");
    let shown = sandbox.sl(&["curator", "--ask-host"]).ok().stdout;
    assert!(
        is_harmless(&shown) && !shown.contains(&token[..8]),
        "{shown}"
    );
    assert!(
        shown.contains("$ hermes curator status (status 3, which proves nothing)\n"),
        "{shown}"
    );
    assert!(shown.contains("    red \\u{1b}[31m"), "{shown}");

    hermes(&mut sandbox, "0.19.0", "exec yes");
    let answer = sandbox.json(&["curator", "--ask-host"]);
    assert_eq!(answer["asked"]["cut"], true);
    assert_eq!(answer["asked"]["stdout"].as_str().unwrap().len(), 64 << 10);
}

#[test]
fn a_root_with_profiles_is_asked_about_itself() {
    let mut sandbox = Sandbox::new();
    hermes(&mut sandbox, "0.19.0", "echo \"$@\"");
    fs_err::write(sandbox.home().join("active_profile"), "work\n").unwrap();
    let home = sandbox.home();
    let exact = [
        "curator",
        "--ask-host",
        "--hermes-home",
        home.to_str().unwrap(),
    ];
    let answer = sandbox.json(&exact);
    assert_eq!(answer["asked"]["stdout"], "-p default curator status\n");
}

#[test]
fn without_a_host_there_is_nobody_to_ask() {
    let mut sandbox = Sandbox::new();
    without_hermes(&mut sandbox);
    sandbox.refuses(&["curator", "--ask-host"], "", 1, "NOT_FOUND");
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_claimed() {
    let mut sandbox = Sandbox::new();
    without_hermes(&mut sandbox);
    sandbox.skill("marked", "x\n");
    for file in [".curator_state", ".usage.json"] {
        fs_err::write(sandbox.home().join("skills").join(file), "{").unwrap();
    }
    let ran = sandbox.sl(&["curator"]).ok();
    let warned = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("warning: skills/."));
    assert_eq!(warned.count(), 2, "{ran:?}");
    assert!(
        ran.stdout
            .contains("Curator: on, its state cannot be read\n"),
        "{ran:?}"
    );
    assert!(
        ran.stdout
            .contains("Which skills are ours cannot be told.\n"),
        "{ran:?}"
    );
    let answer = sandbox.json(&["curator"]);
    assert_eq!(
        (&answer["state"], &answer["skills"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(answer["doubts"].as_array().unwrap().len(), 2);
}

#[test]
fn where_owners_cannot_be_told_no_skill_is_said_not_to_be_ours() {
    let mut sandbox = Sandbox::new();
    without_hermes(&mut sandbox);
    sandbox.skill("marked", "x\n");
    let hub = sandbox.home().join("skills/.hub");
    fs_err::create_dir(&hub).unwrap();
    fs_err::write(hub.join("lock.json"), "{").unwrap();
    let ran = sandbox.sl(&["curator"]).ok();
    let told = "Which skills are ours cannot be told.\n";
    assert!(ran.stdout.contains(told), "{ran:?}");
    assert!(!ran.stdout.contains("No skill here is ours"), "{ran:?}");
    let doubt = "skills/.hub/lock.json is no JSON (line 1)";
    assert_eq!(ran.stderr, format!("warning: {doubt}\n"));
    let answer = sandbox.json(&["curator"]);
    assert_eq!(
        (&answer["skills"], &answer["doubts"]),
        (&json!(null), &json!([doubt]))
    );
}

#[test]
fn nothing_of_the_host_is_shown_unscrubbed() {
    let mut sandbox = Sandbox::new();
    let token = secret();
    let state = json!({"last_run_summary": format!("used {token} twice")});
    fs_err::create_dir_all(sandbox.home().join("skills")).unwrap();
    fs_err::write(
        sandbox.home().join("skills/.curator_state"),
        state.to_string(),
    )
    .unwrap();
    // The limit of 64 KiB falls into the password, where its shape is no longer complete.
    let script = "i=0; while [ $i -lt 655 ]; do printf '%099d\\n' 0; i=$((i + 1)); done\n\
                  printf '%013d https://user:%s@host/\\n' 0 hunter2secretpw >&1\n\
                  printf '%0200d\\n' 0";
    hermes(&mut sandbox, "0.19.0", script);
    for args in [
        vec!["curator", "--ask-host"],
        vec!["curator", "--ask-host", "--json"],
    ] {
        let ran = sandbox.sl(&args).ok();
        assert!(!ran.stdout.contains(&token[..8]), "{}", ran.stdout);
        assert!(!ran.stdout.contains("hunter2"), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("[REDACTED_SECRET] twice"),
            "{}",
            ran.stdout
        );
    }
    let answer = sandbox.json(&["curator", "--ask-host"]);
    assert_eq!(answer["asked"]["cut"], true);
    assert_eq!(answer["asked"]["stdout"].as_str().unwrap().len(), 65_500);
}
