//! `review`: what a model is given, and that nothing is written for it.

use serde_json::{Value, json};

use lithermes::disk::{Dir, Lock};

use crate::support::{Ran, Sandbox, State, create, differences, marked, patch, secret};

const NAME: &str = "release-notes";
const SESSION: &str = "20260101_101500_ab12cd";
const CORRECTION: &str = "No: breaking changes first.";

/// A home with two skills of ours and one of the user's, and a session that consulted one.
fn consulted() -> (Sandbox, State) {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "## Order\n\n1. Fixes first.\n");
    sandbox.skill("other", "Other.\n");
    let theirs = sandbox.skill("theirs", "");
    fs_err::write(
        theirs,
        "---\nname: theirs\ndescription: By hand.\n---\n\nTheirs.\n",
    )
    .unwrap();
    let state = State::new(&sandbox);
    state.session(SESSION, "cli", 1);
    state.says(SESSION, "user", "Write them.");
    state.calls(SESSION, "skill_view", &json!({"name": NAME}));
    state.says(SESSION, "assistant", "Fixes first, then the rest.");
    state.says(SESSION, "user", CORRECTION);
    (sandbox, state)
}

/// Prints a packet; nothing on the disk changes.
#[track_caller]
fn review(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let before = sandbox.tree();
    let ran = sandbox.sl(&[&["review"], args].concat()).ok();
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    ran
}

#[track_caller]
fn document(sandbox: &Sandbox, args: &[&str]) -> Value {
    review(sandbox, &[args, &["--json"]].concat()).json()
}

/// What the child of a conference is told first.
pub fn prompt() -> String {
    let charter = json!({
        "schema": "lithermes/charter/v1", "conference_id": "c-0123456789ab",
        "dispatch_id": "c-0123456789ab.r1.A.1", "round": 1, "role": "researcher", "lane": "A",
        "attempt": 1, "objective": "fewer lookups", "focus": "",
        "success": {"mode": "qualitative", "criteria": "easy to say"}, "signal": "NORMAL",
        "contrarian": false, "iteration_allowance": 1, "claims_allowed": 1, "parameters": [],
        "knowledge": [], "claims": [], "read_context": [], "allowed_read_roots": [],
        "forbidden_actions": [], "delegation_allowed": false, "timeout_s": 60, "on_cancel": "",
        "packet_schema": {},
    });
    let charter = serde_json::from_value(charter).unwrap();
    lithermes::engine::host::hermes::prompt::of(&charter).unwrap()
}

#[test]
fn children_of_a_conference_are_passed_over_and_it_is_said() {
    let (sandbox, state) = consulted();
    for (child, at) in [("20260101_101501_000001", 2), ("20260101_101502_000002", 3)] {
        state.session(child, "cli", at);
        state.says(child, "user", &prompt());
        state.says(child, "assistant", "{}");
    }
    let ran = review(&sandbox, &["--session", "latest"]);
    assert!(ran.stdout.contains(CORRECTION), "{}", ran.stdout);
    let note = "note: newer sessions of conferences' children passed over: 2\n";
    assert_eq!(ran.stderr, note);
    let found = document(&sandbox, &["--session", "latest"]);
    assert_eq!(found["session"], SESSION);
    let ran = review(&sandbox, &["--session", "20260101_101502_000002"]);
    assert_eq!(ran.stderr, "", "who names one gets it");
    assert!(ran.stdout.contains("Answer the charter"), "{}", ran.stdout);
}

/// Records an observation and gives its id.
fn observe(sandbox: &Sandbox, skill: &str, observed: &str) -> String {
    let args = crate::observe::flags("correction", Some(skill), observed);
    let ran = sandbox.sl(&args).ok();
    ran.stdout.split([' ', ':']).nth(1).unwrap().to_owned()
}

#[test]
fn a_packet_holds_what_a_reviewer_needs_in_order() {
    let (sandbox, _state) = consulted();
    let id = observe(&sandbox, "other", "the other thing");
    let ran = review(&sandbox, &["--session", "latest"]);
    assert_eq!(ran.stderr, "");
    let mut rest = ran.stdout.as_str();
    for expected in [
        "# Review packet\n",
        "# What to do with this packet\n",
        "# The answer\n",
        "## Catalogue\n",
        "eligible | other | ",
        &format!("eligible | {NAME} | "),
        "not eligible (no ownership marker) | theirs | ",
        "## Text of skills\n",
        &format!("### {NAME}, file SKILL.md\n"),
        "\n1. Fixes first.\n",
        "### other, file SKILL.md\n",
        "## Observations\n",
        &format!("{id} correction other 2026-01-02T03:04:05Z\nobserved\n> the other thing\n"),
        "## Session\n",
        &format!("session:{SESSION}#NUMBER"),
        "#1 user 2026-01-02T03:04:05Z\n> Write them.\n",
        &format!("call skill_view\n> {{\"name\":\"{NAME}\"}}\n"),
        &format!("> {CORRECTION}\n"),
        "End of the packet.",
    ] {
        let at = rest.find(expected);
        let at = at.unwrap_or_else(|| panic!("{expected:?} is not in\n{rest}"));
        rest = &rest[at + expected.len()..];
    }
    assert!(!ran.stdout.contains("Theirs."), "{}", ran.stdout);
}

#[test]
fn the_document_holds_the_same_packet_and_says_what_was_cut() {
    let (sandbox, _state) = consulted();
    let whole = document(&sandbox, &["--session", SESSION]);
    let text = review(&sandbox, &["--session", SESSION]).stdout;
    assert_eq!(whole["packet"], text);
    assert_eq!(whole["bytes"], text.len());
    assert_eq!(whole["skills"], json!([NAME]));
    assert_eq!(whole["session"], SESSION);
    assert_eq!(whole["parts"]["messages"], json!({"shown": 4, "of": 4}));
    assert_eq!(whole["parts"]["catalogue"], json!({"shown": 3, "of": 3}));

    let max = (text.len() - 1).to_string();
    let cut = document(&sandbox, &["--session", SESSION, "--max-bytes", &max]);
    assert_eq!(cut["parts"]["messages"], json!({"shown": 3, "of": 4}));
    let packet = cut["packet"].as_str().unwrap();
    assert!(
        packet.len() < text.len() && packet.contains("[cut to fit: the 1 oldest of 4 messages]")
    );
}

#[test]
fn too_few_bytes_are_a_usage_error_that_names_the_least() {
    let (sandbox, _state) = consulted();
    let ran = sandbox.refuses(&["review", "--max-bytes", "100"], "", 2, "USAGE");
    let (_, rest) = ran.stderr.split_once("expected: at least ").unwrap();
    let least: u32 = rest.lines().next().unwrap().parse().unwrap();
    let text = review(&sandbox, &["--max-bytes", &least.to_string()]).stdout;
    assert!(text.len() <= least as usize && text.contains("# The answer"));
    sandbox.refuses(
        &["review", "--max-bytes", &(least - 1).to_string()],
        "",
        2,
        "USAGE",
    );
    assert_eq!(sandbox.sl(&["review", "--max-bytes", "16777217"]).status, 2);
    assert_eq!(sandbox.sl(&["review", "--max-bytes", "-1"]).status, 2);
}

#[test]
fn nothing_of_a_session_that_fits_nowhere_is_said_on_stderr() {
    let (sandbox, state) = consulted();
    state.says(SESSION, "user", &"word ".repeat(1_000));
    let ran = review(&sandbox, &["--session", "latest", "--max-bytes", "12000"]);
    assert!(
        ran.stderr
            .starts_with("warning: no message of the session fits; "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_session_or_a_skill_that_is_not_there_is_not_found() {
    let sandbox = Sandbox::new();
    for args in [
        ["--session", "latest"],
        ["--session", "x"],
        ["--skill", "x"],
    ] {
        let args = [&["review"], &args[..]].concat();
        sandbox.refuses(&args, "", 1, "NOT_FOUND");
    }
    let (sandbox, _state) = consulted();
    sandbox.refuses(&["review", "--session", "2026"], "", 1, "NOT_FOUND");
    fs_err::write(sandbox.home().join("state.db"), "no database").unwrap();
    sandbox.refuses(
        &["review", "--session", "latest"],
        "",
        1,
        "SESSIONS_UNREADABLE",
    );
    review(&sandbox, &[]);
}

#[test]
fn one_skill_narrows_the_packet_to_it() {
    let (sandbox, _state) = consulted();
    observe(&sandbox, "other", "the other thing");
    observe(&sandbox, NAME, "this thing");
    let packet = document(&sandbox, &["--skill", "other", "--session", "latest"]);
    assert_eq!(packet["skills"], json!(["other"]));
    let text = packet["packet"].as_str().unwrap();
    assert!(
        text.contains("> the other thing") && !text.contains("> this thing"),
        "{text}"
    );
    assert!(
        text.contains("[left out: 2 skills that nobody asked about]"),
        "{text}"
    );
    assert!(
        text.contains(CORRECTION) && !text.contains("1. Fixes first."),
        "{text}"
    );

    let ran = review(&sandbox, &["--skill", "theirs"]);
    assert!(
        ran.stderr
            .starts_with("warning: the skill is not eligible, its text is left out: no ownership"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.contains("Theirs."));
}

#[test]
fn an_observation_that_was_decided_on_is_left_out_and_one_that_waits_says_so() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\ntwo\nthree\n");
    let ids: Vec<String> = ["first", "second", "third"]
        .iter()
        .map(|what| observe(&sandbox, NAME, what))
        .collect();
    observe(&sandbox, NAME, "third");
    let cite = |id: &str, old: &str| {
        let mut document = patch(NAME, old, "new");
        document["evidenceRefs"] = json!([format!("observation:{id}")]);
        sandbox.propose(&document)
    };
    let pending = cite(&ids[1], "two");
    sandbox.apply(&cite(&ids[0], "one"));
    let packet = document(&sandbox, &[]);
    assert_eq!(
        packet["parts"]["observations"],
        json!({"shown": 2, "of": 2})
    );
    let text = packet["packet"].as_str().unwrap();
    assert!(
        text.contains("[left out: 1 that a decided proposal cites]") && !text.contains("> first"),
        "{text}"
    );
    assert!(
        text.contains(&format!(
            "{} correction {NAME} 2026-01-02T03:04:05Z pending proposal {}",
            ids[1],
            &pending[..14]
        )),
        "{text}"
    );
    assert!(
        text.contains(" 2026-01-02T03:04:05Z recorded 2 times\nobserved\n> third\n"),
        "{text}"
    );

    sandbox.sl(&["reject", &pending]).ok();
    let packet = document(&sandbox, &[]);
    assert_eq!(
        packet["parts"]["observations"],
        json!({"shown": 1, "of": 1})
    );
}

#[test]
fn a_damaged_line_of_the_log_is_counted() {
    let sandbox = Sandbox::new();
    observe(&sandbox, "gone", "seen");
    let log = sandbox.observer().join("observations.jsonl");
    let whole = fs_err::read_to_string(&log).unwrap();
    fs_err::write(&log, format!("{{}}\n{whole}{{\"torn")).unwrap();
    let ran = review(&sandbox, &[]);
    assert_eq!(
        ran.stderr,
        "warning: left out: 1 damaged line of the observation log\n"
    );
    assert!(
        ran.stdout.contains("> seen\n")
            && ran.stdout.contains("[left out: 1 damaged line of the log]")
    );
}

#[test]
fn secrets_and_the_users_home_are_taken_out_wherever_they_stand() {
    let (sandbox, state) = consulted();
    let secret = secret();
    let user = fs_err::canonicalize(sandbox.root().join("user")).unwrap();
    let user = user.to_str().unwrap();
    let text = format!("it is {secret} in {user}/notes");
    state.says(SESSION, "user", &text);
    state.calls(
        SESSION,
        "terminal",
        &json!({"command": format!("curl -H 'Authorization: Bearer {secret}'")}),
    );
    let folder = sandbox.skill_path(NAME);
    fs_err::write(
        folder.join("SKILL.md"),
        marked(NAME, &format!("{text}\n\u{202e}hidden\nplain\n")),
    )
    .unwrap();
    fs_err::create_dir(folder.join("references")).unwrap();
    fs_err::write(folder.join("references/a.md"), &text).unwrap();
    let packet = document(&sandbox, &["--session", "latest"]);
    let packet = packet["packet"].as_str().unwrap();
    for part in secret.as_bytes().windows(8) {
        assert!(
            !packet.contains(std::str::from_utf8(part).unwrap()),
            "{packet}"
        );
    }
    assert!(
        packet.contains("> it is [REDACTED_SECRET] in ~/notes\n"),
        "{packet}"
    );
    // Of a skill's text nothing is changed that is not marked.
    assert!(
        packet.contains(
            "it is [REDACTED_SECRET] in [SANDBOX]/user/notes <<< NOT PATCHABLE: redacted\n"
        ),
        "{packet}"
    );
    assert!(
        packet.contains("\\u{202e}hidden <<< NOT PATCHABLE: invisible"),
        "{packet}"
    );
    assert!(
        packet.contains("\nplain\n") && packet.contains("file references/a.md\n"),
        "{packet}"
    );
}

#[test]
fn a_patch_made_from_the_packet_applies() {
    let (sandbox, _state) = consulted();
    let packet = review(&sandbox, &["--session", "latest"]).stdout;
    let (_, text) = packet.split_once("## Order\n").unwrap();
    let line = text.lines().find(|line| line.starts_with("1. ")).unwrap();
    let id = sandbox.propose(&patch(
        NAME,
        &format!("{line}\n"),
        "1. Breaking changes first.\n",
    ));
    sandbox.apply(&id);
    assert!(
        sandbox
            .skill_text("release-notes/SKILL.md")
            .contains("## Order\n\n1. Breaking changes first.\n")
    );
    let again = review(&sandbox, &["--session", "latest"]).stdout;
    assert!(again.contains("\n1. Breaking changes first.\n") && !again.contains(line));
}

#[test]
fn no_link_is_followed_and_what_is_no_text_is_named() {
    let (sandbox, _state) = consulted();
    let folder = sandbox.skill_path(NAME);
    for name in ["references", "assets", "unknown"] {
        fs_err::create_dir(folder.join(name)).unwrap();
    }
    fs_err::write(sandbox.root().join("outside.md"), "Outside.\n").unwrap();
    std::os::unix::fs::symlink(
        sandbox.root().join("outside.md"),
        folder.join("references/link.md"),
    )
    .unwrap();
    std::os::unix::fs::symlink(sandbox.root(), folder.join("templates")).unwrap();
    fs_err::write(folder.join("references/big.md"), "b".repeat(400_000)).unwrap();
    fs_err::write(folder.join("assets/logo.png"), [0x89, b'P', 0xff]).unwrap();
    fs_err::write(folder.join("unknown/x.md"), "Unknown.\n").unwrap();
    let text = review(&sandbox, &["--session", "latest"]).stdout;
    assert!(!text.contains("Outside.") && !text.contains("link.md") && !text.contains("Unknown."));
    assert!(
        text.contains("file assets/logo.png\n\n3 bytes; sha256 ") && text.contains("; no text\n")
    );
    assert!(
        text.contains(
            "file references/big.md\n\n400000 bytes\n[cut to fit: all of it, 400000 bytes]\n"
        ),
        "{text}"
    );
}

#[test]
fn it_takes_no_lock_and_an_agent_may_call_it() {
    let (mut sandbox, _state) = consulted();
    sandbox.apply(&sandbox.propose(&create("new-one", "Body.\n")));
    let state = Dir::open_root(&sandbox.home().join("lithermes"))
        .unwrap()
        .unwrap();
    let lock = Lock::acquire(
        &state,
        "lock",
        std::time::Duration::ZERO,
        "a test",
        &mut |_| {},
    );
    let held = lock.unwrap();
    sandbox.set("LITHERMES_CHILD", "1");
    sandbox.set("HERMES_SESSION_ID", SESSION);
    review(&sandbox, &["--session", "latest", "--lock-timeout", "0"]);
    drop(held);
}

#[test]
fn an_empty_home_is_a_stated_result() {
    let sandbox = Sandbox::new();
    let text = review(&sandbox, &[]).stdout;
    for stated in [
        "There are no skills.",
        "There are none.",
        "No session was asked for.",
    ] {
        assert!(text.contains(stated), "{stated}: {text}");
    }
}

#[test]
fn what_lies_behind_a_link_says_nothing() {
    let (sandbox, _state) = consulted();
    let private = sandbox.root().join("private");
    fs_err::write(&private, "correct horse battery staple\n").unwrap();
    let folder = sandbox.skill_path("linked");
    fs_err::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&private, folder.join("SKILL.md")).unwrap();
    let ran = review(&sandbox, &[]);
    assert!(ran.stdout.contains("linked"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("battery"), "{}", ran.stdout);
}

#[test]
fn a_queue_file_that_is_none_keeps_no_packet_from_being_made() {
    let (sandbox, _state) = consulted();
    let id = observe(&sandbox, NAME, "again");
    sandbox.propose(&create("new-one", "Body.\n"));
    let none = sandbox.queue().join(format!("p-{}.json", "0".repeat(32)));
    std::os::unix::fs::symlink("/dev/null", none).unwrap();
    assert!(review(&sandbox, &[]).stdout.contains(&id));
}

#[test]
fn a_file_that_cannot_be_read_is_told_as_such() {
    let (sandbox, _state) = consulted();
    let folder = sandbox.skill_path(NAME).join("references");
    fs_err::create_dir(&folder).unwrap();
    fs_err::write(folder.join("good.md"), "Facts.\n").unwrap();
    fs_err::write(folder.join("odd.md"), b"\xff\xfe").unwrap();
    let packet = review(&sandbox, &["--session", "latest"]).stdout;
    assert!(
        packet.contains("Facts.") && packet.contains("odd.md"),
        "{packet}"
    );
}

#[test]
fn an_unknown_name_that_is_a_credential_is_not_repeated() {
    let (sandbox, _state) = consulted();
    let token = secret();
    for args in [
        ["review", "--skill", &token],
        ["review", "--session", &token],
    ] {
        let ran = sandbox.sl(&args).exits(1);
        assert!(!ran.stderr.contains(&token[..8]), "{}", ran.stderr);
    }
}
