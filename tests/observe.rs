//! `observe`: the record, the answer, and that nothing else changed.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Sandbox, State, differences, secret};

const SKILL: &str = "release-notes";

/// A record by flags.
pub fn flags(signal: &str, skill: Option<&str>, observed: &str) -> Vec<String> {
    let mut args = vec!["observe", "--signal", signal, "--observed", observed];
    args.extend(["--proposal", "SKILL.md, Steps: sort them"]);
    args.extend(skill.iter().flat_map(|skill| ["--skill", skill]));
    args.iter().map(|&word| word.to_owned()).collect()
}

fn correction() -> Vec<String> {
    flags("correction", Some(SKILL), "no: breaking changes first")
}

fn more(mut args: Vec<String>, words: &[&str]) -> Vec<String> {
    args.extend(words.iter().map(|&word| word.to_owned()));
    args
}

fn changed(sandbox: &Sandbox, before: &crate::support::Tree) -> Vec<String> {
    differences(before, &sandbox.tree())
}

#[test]
fn a_record_is_one_line_in_the_workspace_and_nothing_else() {
    let sandbox = Sandbox::new();
    sandbox.skill(SKILL, "Steps.\n");
    let before = sandbox.tree();
    let ran = sandbox.sl(&correction()).ok();
    assert_eq!(ran.stderr, "");
    let folder = "work/.hermes";
    let expected = [
        folder.to_owned(),
        format!("{folder}/lithermes"),
        format!("{folder}/lithermes/.gitignore"),
        format!("{folder}/lithermes/skill-observer"),
        format!("{folder}/lithermes/skill-observer/lock"),
        format!("{folder}/lithermes/skill-observer/observations.jsonl"),
    ];
    assert_eq!(
        changed(&sandbox, &before),
        expected.map(|path| format!("+ {path}"))
    );
    let tree = sandbox.tree();
    for (path, mode) in expected_modes() {
        assert_eq!(tree.mode(path), mode, "{path}");
    }
    let line = sandbox.observed();
    let record: Value = serde_json::from_str(&line).unwrap();
    let id = record["id"].as_str().unwrap();
    let expected = format!(
        "{{\"applied\":false,\"at\":\"2026-01-02T03:04:05Z\",\"id\":\"{id}\",\
         \"observed\":\"no: breaking changes first\",\
         \"proposal\":\"SKILL.md, Steps: sort them\",\"schema\":\"lithermes/observation/v1\",\
         \"signal\":\"correction\",\"skill_id\":\"release-notes\"}}\n"
    );
    assert_eq!(line, expected);
    assert!(ran.stdout.starts_with(&format!("Recorded {id}: correction of release-notes, once, attribution unverified\nUnchanged: release-notes ")), "{}", ran.stdout);

    // The same again is one more line.
    sandbox.sl(&correction()).ok();
    assert_eq!(sandbox.observed(), line.repeat(2));
}

fn expected_modes() -> [(&'static str, u32); 3] {
    [
        ("work/.hermes/lithermes/skill-observer", 0o700),
        (
            "work/.hermes/lithermes/skill-observer/observations.jsonl",
            0o600,
        ),
        ("work/.hermes/lithermes/.gitignore", 0o600),
    ]
}

#[test]
fn standard_input_says_the_same_as_flags() {
    let sandbox = Sandbox::new();
    let by_flags = sandbox.sl(&more(correction(), &["--json"])).ok().json();
    let document = json!({
        "signal": "correction", "skill_id": SKILL,
        "observed": "no: breaking changes first", "proposal": "SKILL.md, Steps: sort them",
    });
    let args = ["skill-loop", "observe", "--json"];
    let by_stdin = sandbox.run_with(&args, document.to_string()).ok().json();
    assert_eq!(by_flags, by_stdin);
    let long_name = [
        "observe",
        "--signal",
        "correction",
        "--skill-id",
        SKILL,
        "--json",
    ];
    let texts = [
        "--observed",
        "no: breaking changes first",
        "--proposal",
        "SKILL.md, Steps: sort them",
    ];
    let by_other_name = sandbox.sl(&[&long_name[..], &texts].concat()).ok().json();
    assert_eq!(by_flags, by_other_name);
}

#[test]
fn what_is_said_beside_the_record_is_answered_and_not_stored() {
    let sandbox = Sandbox::new();
    let words = [
        "--active-skill",
        "zeta",
        "--active-skill",
        SKILL,
        "--evidence",
        "turn 41",
        "--occurrences",
        "3",
        "--json",
    ];
    let ran = sandbox.sl(&more(correction(), &words)).ok();
    let answer = ran.json();
    assert_eq!(answer["activeSkills"], json!(["zeta", SKILL]));
    assert_eq!(answer["evidence"], "turn 41");
    assert_eq!(
        (&answer["occurrences"], &answer["strength"]),
        (&json!(3), &json!("pattern"))
    );
    assert_eq!(answer["attribution"], "unverified");
    assert_eq!(ran.stderr, "");
    let stored: Value = serde_json::from_str(&sandbox.observed()).unwrap();
    assert_eq!(stored, answer["observation"]);
    assert_eq!(stored.as_object().unwrap().len(), 8);
    let other = sandbox
        .sl(&more(correction(), &["--active-skill", "zeta"]))
        .ok();
    assert!(
        other.stderr.contains("not among the active skills"),
        "{other:?}"
    );
    for occurrences in ["0", "-1", "many"] {
        let args = more(correction(), &["--occurrences", occurrences]);
        assert_eq!(sandbox.sl(&args).status, 2, "{occurrences}");
    }
}

#[test]
fn a_session_confirms_or_denies_that_the_skill_was_active() {
    let sandbox = Sandbox::new();
    sandbox.skill(SKILL, "Steps.\n");
    let state = State::new(&sandbox);
    state
        .session("old", "cli", 1)
        .session("new", "cli", 2)
        .session("child", "subagent", 3);
    let message = state.calls("old", "skill_view", &json!({"name": SKILL}));
    state.says("new", "user", "hello");
    state.says("child", "user", "hello");
    let home = sandbox.tree().below("home");
    for (session, id, attribution, message) in [
        ("old", "old", "consulted", json!(message)),
        ("latest", "new", "not-consulted", json!(null)),
        ("child", "child", "not-consulted", json!(null)),
    ] {
        let ran = sandbox
            .sl(&more(correction(), &["--session", session, "--json"]))
            .ok();
        let answer = ran.json();
        assert_eq!(answer["attribution"], attribution, "{session}");
        assert_eq!(answer["session"]["id"], id, "{session}");
        assert_eq!(answer["session"]["message"], message, "{session}");
        let denied = ran.stderr.contains("was not consulted in that session");
        assert_eq!(denied, attribution == "not-consulted", "{ran:?}");
    }
    let gap = flags("coverage-gap", None, "by hand again");
    let answer = sandbox
        .sl(&more(gap, &["--session", "old", "--json"]))
        .ok()
        .json();
    assert_eq!(answer["attribution"], "no-skill");
    assert_eq!(answer["unchanged"], json!(null));
    assert_eq!(
        differences(&home, &sandbox.tree().below("home")),
        Vec::<String>::new()
    );
    let recorded = sandbox.observed();
    for session in ["nobody", "", "Latest"] {
        let args = more(correction(), &["--session", session]);
        sandbox.sl(&args).exits(1).fails("NOT_FOUND");
    }
    assert_eq!(sandbox.observed(), recorded);
}

#[test]
fn the_latest_session_is_none_of_a_conferences_children() {
    let sandbox = Sandbox::new();
    let state = State::new(&sandbox);
    state.session("child", "cli", 2);
    state.says("child", "user", &crate::review::prompt());
    let asks = more(correction(), &["--session", "latest"]);
    let ran = sandbox.refuses(&asks, "", 1, "NOT_FOUND");
    assert!(ran.stderr.contains("but 1 that are passed over"), "{ran:?}");
    state.session("person", "cli", 1);
    state.says("person", "user", "hello");
    let asks = more(asks, &["--json"]);
    let ran = sandbox.sl(&asks).ok();
    assert_eq!(ran.json()["session"]["id"], "person", "{ran:?}");
    assert!(ran.stderr.contains("children passed over: 1"), "{ran:?}");
}

#[test]
fn without_sessions_nothing_is_recorded_that_asks_for_one() {
    let sandbox = Sandbox::new();
    let asks = more(correction(), &["--session", "latest"]);
    let refused = |code: &str| {
        let ran = sandbox.refuses(&asks, "", 1, code);
        let first = ran.stderr.lines().next().unwrap();
        assert!(first.ends_with("; nothing was recorded"), "{ran:?}");
    };
    refused("NOT_FOUND");
    State::new(&sandbox);
    refused("NOT_FOUND");
    fs_err::write(sandbox.home().join("state.db"), "no database at all").unwrap();
    refused("SESSIONS_UNREADABLE");
}

#[test]
fn whatever_fails_before_the_record_says_that_there_is_none() {
    let sandbox = Sandbox::new();
    fs_err::remove_dir_all(sandbox.home()).unwrap();
    let ran = sandbox.refuses(&correction(), "", 1, "NOT_FOUND");
    assert!(ran.stderr.contains("; nothing was recorded"), "{ran:?}");
}

#[test]
fn a_refusal_makes_nothing() {
    let sandbox = Sandbox::new();
    let no_args: Vec<String> = vec!["observe".to_owned()];
    for stdin in [
        "",
        "{}",
        "[]",
        "Nothing to save.",
        "{\"signal\":\"technique\"}",
    ] {
        sandbox.refuses(&no_args, stdin, 3, "INVALID_OBSERVATION");
    }
    let long = "x".repeat(2001);
    let ran = sandbox.refuses(
        &flags("correction", Some(SKILL), &long),
        "",
        3,
        "INVALID_OBSERVATION",
    );
    assert!(
        ran.stderr
            .contains("at /observed: expected at most 2000 characters, found 2001"),
        "{ran:?}"
    );
    for args in [
        &[
            "observe",
            "--signal",
            "technique",
            "--observed",
            "o",
            "--proposal",
            "p",
        ][..],
        &[
            "observe",
            "--signal",
            "correction",
            "--observed",
            "o",
            "--proposal",
            "p",
        ],
        &["observe", "--signal", "coverage-gap", "--observed", "o"],
        &["observe", "--observed", "o"],
        &["observe", "--skill", "x"],
        &["observe", "--frobnicate"],
    ] {
        let before = sandbox.tree();
        sandbox.sl(args).exits(2);
        assert_eq!(changed(&sandbox, &before), Vec::<String>::new());
    }
}

#[test]
fn a_credential_is_refused_and_not_repeated_anywhere() {
    let sandbox = Sandbox::new();
    let token = secret();
    let text = format!("it pushed with {token} twice");
    let calls = [
        flags("correction", Some(SKILL), &text),
        flags("correction", Some(&token), "o"),
        more(correction(), &["--evidence", &text]),
        more(correction(), &["--active-skill", &token]),
        more(correction(), &["--session", &token]),
    ];
    for args in &calls {
        let ran = sandbox.refuses(args, "", 6, "BLOCKED_OBSERVER_SECRET");
        assert!(!ran.stderr.contains(&token[..6]), "{ran:?}");
        let ran = sandbox.sl(&more(args.clone(), &["--json"])).exits(6);
        assert!(!format!("{ran:?}").contains(&token[..6]), "{ran:?}");
    }
    let document = json!({"signal": "coverage-gap", "observed": text, "proposal": "p", &token: 1});
    let ran = sandbox.refuses(
        &["observe"],
        &document.to_string(),
        6,
        "BLOCKED_OBSERVER_SECRET",
    );
    assert!(!ran.stderr.contains(&token[..6]), "{ran:?}");
    assert!(!sandbox.observer().exists());
}

#[test]
fn an_agent_may_observe() {
    let mut sandbox = Sandbox::new();
    sandbox.set("HERMES_SESSION_ID", "20260102_030405_abcdef");
    sandbox.set("LITHERMES_CHILD", "1");
    sandbox.sl(&correction()).ok();
    assert_eq!(sandbox.observed().lines().count(), 1);
}

#[test]
fn the_proof_is_about_the_whole_skill_wherever_it_lies() {
    let sandbox = Sandbox::new();
    let proof = |skill: &str| {
        let args = more(flags("correction", Some(skill), "o"), &["--json"]);
        let answer = sandbox.sl(&args).ok().json();
        let unchanged = &answer["unchanged"];
        assert_eq!(unchanged["same"], true);
        assert_eq!(unchanged["before"], unchanged["after"]);
        unchanged["before"].clone()
    };
    assert_eq!(proof(SKILL), json!(null));
    let file = sandbox.skill(SKILL, "Steps.\n");
    let first = proof(SKILL);
    assert_eq!(first.as_str().unwrap().len(), 64);
    assert_eq!(proof(SKILL), first);
    for path in ["references/a.md", "odd/b", ".hidden"] {
        let path = file.parent().unwrap().join(path);
        let last = proof(SKILL);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, "x").unwrap();
        assert_ne!(proof(SKILL), last, "{}", path.display());
    }
    let nested = sandbox.home().join("skills/docs/style");
    fs_err::create_dir_all(&nested).unwrap();
    fs_err::write(
        nested.join("SKILL.md"),
        "---\nname: house-style\ndescription: d\n---\nb\n",
    )
    .unwrap();
    for name in ["style", "house-style", "docs/style"] {
        assert_eq!(proof(name), proof("style"), "{name}");
        assert!(proof(name).is_string(), "{name}");
    }
    // Behind a link there is nothing that could be proved, and nothing to refuse.
    std::os::unix::fs::symlink(&nested, sandbox.home().join("skills/linked")).unwrap();
    for name in ["linked", "..", "plugin:x", "a/b/c"] {
        assert_eq!(proof(name), json!(null), "{name}");
    }
}

fn link(target: &Path, at: &Path) {
    fs_err::create_dir_all(at.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, at).unwrap();
}

#[test]
fn no_link_on_the_way_is_followed_and_what_was_made_is_taken_away() {
    for part in [
        ".hermes",
        ".hermes/lithermes",
        ".hermes/lithermes/skill-observer",
    ] {
        let sandbox = Sandbox::new();
        let elsewhere = sandbox.root().join("user/elsewhere");
        fs_err::create_dir(&elsewhere).unwrap();
        link(&elsewhere, &sandbox.work().join(part));
        sandbox.refuses(&correction(), "", 3, "UNSAFE_PATH");
        sandbox.refuses(&["observations"], "", 3, "UNSAFE_PATH");
    }
    // A thing in the way of the second folder: the first was made for nothing.
    let sandbox = Sandbox::new();
    fs_err::create_dir_all(sandbox.work().join(".hermes/lithermes")).unwrap();
    fs_err::write(sandbox.observer(), "a file").unwrap();
    sandbox.refuses(&correction(), "", 3, "UNSAFE_PATH");
}

type Put = fn(&Path, &Path);

#[test]
fn nothing_but_a_plain_file_with_one_name_is_a_log_or_a_lock() {
    let make: [(&str, Put); 4] = [
        ("link", |path, victim| {
            std::os::unix::fs::symlink(victim, path).unwrap();
        }),
        ("directory", |path, _| fs_err::create_dir(path).unwrap()),
        ("pipe", |path, _| {
            let made = std::process::Command::new("mkfifo")
                .arg(path)
                .status()
                .unwrap();
            assert!(made.success());
        }),
        ("second name", |path, victim| {
            fs_err::hard_link(victim, path).unwrap();
        }),
    ];
    for name in ["observations.jsonl", "lock"] {
        for (what, make) in make {
            // A lock's content is nobody's, and its names are all the same lock.
            if (name, what) == ("lock", "pipe") || (name, what) == ("lock", "second name") {
                continue;
            }
            let sandbox = Sandbox::new();
            let victim = sandbox.root().join("user/victim");
            fs_err::write(&victim, "Not yours.\n").unwrap();
            fs_err::create_dir_all(sandbox.observer()).unwrap();
            make(&sandbox.observer().join(name), &victim);
            let ran = sandbox.sl(&correction()).exits(3).fails("UNSAFE_PATH");
            assert_eq!(
                fs_err::read_to_string(&victim).unwrap(),
                "Not yours.\n",
                "{what}: {ran:?}"
            );
        }
    }
}

#[test]
fn a_torn_line_is_set_aside_once_and_a_damaged_one_stays() {
    let sandbox = Sandbox::new();
    sandbox.sl(&correction()).ok();
    let line = sandbox.observed();
    let log = sandbox.observer().join("observations.jsonl");
    let tail = "{\"observed\":\"caf\u{e9}";
    let torn = &tail.as_bytes()[..tail.len() - 1];
    let damaged = "damaged \u{1b}[2J\n";
    fs_err::write(&log, [line.as_bytes(), damaged.as_bytes(), torn].concat()).unwrap();
    let ran = sandbox.sl(&more(correction(), &["--json"])).ok();
    let name = ran.json()["setAside"].as_str().unwrap().to_owned();
    assert!(name.starts_with("observations.jsonl.torn-"), "{name}");
    assert_eq!(
        ran.stderr,
        format!("note: a torn last line was set aside as {name}\n")
    );
    assert_eq!(fs_err::read(sandbox.observer().join(&name)).unwrap(), torn);
    assert_eq!(sandbox.observed(), format!("{line}{damaged}{line}"));
    let ran = sandbox.sl(&more(correction(), &["--json"])).ok();
    assert_eq!(ran.json()["setAside"], json!(null));
    assert_eq!(sandbox.observed(), format!("{line}{damaged}{line}{line}"));
}

#[test]
fn a_workspace_whose_hidden_folder_is_the_home_works() {
    let sandbox = Sandbox::new();
    let home = sandbox.root().join("user/.hermes");
    fs_err::create_dir(&home).unwrap();
    let mut command = sandbox.command();
    command
        .current_dir(sandbox.root().join("user"))
        .env_remove("HERMES_HOME");
    command.arg("skill-loop").args(correction());
    sandbox.ran(&mut command).ok();
    let log = home.join("lithermes/skill-observer/observations.jsonl");
    assert_eq!(fs_err::read_to_string(log).unwrap().lines().count(), 1);
}

#[test]
fn a_held_lock_is_waited_for_and_then_named() {
    let sandbox = Sandbox::new();
    sandbox.sl(&correction()).ok();
    let recorded = sandbox.observed();
    let lock = fs_err::File::open(sandbox.observer().join("lock")).unwrap();
    lock.file().lock().unwrap();
    let ran = sandbox.sl(&more(correction(), &["--lock-timeout", "0"]));
    let ran = ran.exits(5).fails("LOCK_TIMEOUT");
    assert!(
        ran.stderr.contains("lithermes skill-loop observe"),
        "{ran:?}"
    );
    assert!(
        !ran.stderr.contains("breaking changes"),
        "the lock tells what was observed: {ran:?}"
    );
    assert_eq!(sandbox.observed(), recorded);
    // Readers ask for no lock.
    sandbox.sl(&["observations"]).ok();
}

#[test]
fn a_skill_that_is_not_read_whole_is_not_called_unchanged() {
    let sandbox = Sandbox::new();
    let skill = sandbox.skill(SKILL, "Steps.\n");
    let large = fs_err::File::create(skill.with_file_name("large.bin")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    let ran = sandbox.sl(&correction()).ok();
    let told = format!("\nNot compared in full: {SKILL}\n");
    assert!(ran.stdout.contains(&told), "{ran:?}");
    assert!(!ran.stdout.contains("Unchanged"), "{ran:?}");
    let warned = format!("warning: {SKILL} was not compared in full");
    assert!(ran.stderr.starts_with(&warned), "{ran:?}");
    let answer = sandbox.sl(&more(correction(), &["--json"])).ok().json();
    assert_eq!(answer["unchanged"], json!(null));
}

#[test]
fn a_credential_in_the_wrong_place_is_not_repeated() {
    let sandbox = Sandbox::new();
    let token = secret();
    let before = sandbox.tree();
    for words in [
        vec!["observe", "--signal", &token],
        vec!["observe", "--occurrences", &token],
        vec!["observe", &token],
        vec!["observations", "--since", &token],
        vec!["list", "--state", &token],
    ] {
        for json in [&[][..], &["--json"]] {
            let ran = sandbox.sl(&[&words[..], json].concat()).exits(2);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!said.contains(&token[..8]), "{words:?}: {said}");
        }
    }
    assert_eq!(changed(&sandbox, &before), Vec::<String>::new());
}
