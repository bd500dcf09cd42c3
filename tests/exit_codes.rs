//! The exit statuses of decisions.md §5, each by the shortest way to it, and what a closed or full
//! standard output does to them.

use crate::conference_check::PLAN;
use crate::support::{Sandbox, create, patch, secret};

const NAME: &str = "release-notes";

#[test]
fn statuses_0_to_7() {
    let sandbox = Sandbox::new();
    sandbox.skill("marked", "one\n");
    let stale = sandbox.propose(&patch("marked", "one", "1"));
    fs_err::write(
        sandbox.skill_path("marked").join("SKILL.md"),
        crate::support::marked("marked", "2\n"),
    )
    .unwrap();
    let token = secret();
    let table: [(&[&str], i32); 26] = [
        (&["list"], 0),
        (&["list", "--exit-code"], 1),
        (&["show", "p-000000"], 1),
        (&["reject", "p-000000"], 1),
        (&["rollback", "l-000000000000"], 1),
        (&["propose", "nowhere.json"], 1),
        (&[], 2),
        (&["frobnicate"], 2),
        (&["list", "--frobnicate"], 2),
        (&["apply"], 2),
        (&["apply", &stale[..14]], 2),
        (&["list", "--hermes-home", "x", "--profile", "y"], 2),
        (&["propose", "/dev/null"], 3),
        (&["apply", &stale], 4),
        (&["apply", &stale, "--dry-run"], 4),
        (&["log"], 0),
        (&["verify"], 0),
        (&["review"], 0),
        (&["review", "--session", "latest"], 1),
        (&["review", "--skill", "nowhere"], 1),
        (&["review", "--max-bytes", "99"], 2),
        (&["observations"], 0),
        (&["observe", "--signal", "correction"], 2),
        (&["observe"], 3),
        (&["observe", "--evidence", &token], 6),
        (&["reject", &stale, "--reason", "stale"], 0),
    ];
    for (args, status) in table {
        let ran = sandbox.sl(args);
        assert_eq!(ran.status, status, "{args:?}: {ran:?}");
        let quiet = status == 0 || args.contains(&"--exit-code");
        assert_eq!(ran.stderr.is_empty(), quiet, "{args:?}: {ran:?}");
    }
    fs_err::write(sandbox.ledger(), "{\"schema\":\"other\"}\n").unwrap();
    assert_eq!(sandbox.sl(&["verify"]).status, 7);
    assert_eq!(sandbox.sl(&["list"]).status, 7);
}

#[test]
fn statuses_of_a_conference() {
    let sandbox = Sandbox::new();
    let file = sandbox.work().join("conference.md");
    let check = |text: Option<&str>, args: &[&str]| {
        if let Some(text) = text {
            fs_err::write(&file, text).unwrap();
        }
        let ran = sandbox.run(&[&["conference", "check"], args].concat());
        assert_eq!(ran.stderr.is_empty(), ran.status == 0, "{args:?}: {ran:?}");
        ran.status
    };
    assert_eq!(check(None, &[]), 1);
    assert_eq!(check(None, &["--grant", "x"]), 2);
    assert_eq!(check(Some(PLAN), &[]), 0);
    assert_eq!(check(Some(&PLAN.replace("2h", "")), &[]), 0);
    assert_eq!(check(Some(&PLAN.replace("2h", "2 hours")), &[]), 3);
    assert_eq!(check(Some("\0"), &[]), 3);
}

#[test]
fn help_and_version_are_answers() {
    let sandbox = Sandbox::new();
    for args in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["skill-loop", "--help"],
        &["skill-loop", "apply", "-h"],
        &["help", "doctor"],
        &["--json", "--version"],
    ] {
        let ran = sandbox.run(args).ok();
        assert!(
            !ran.stdout.is_empty() && ran.stderr.is_empty(),
            "{args:?}: {ran:?}"
        );
    }
    let ran = sandbox.run(&["skill-loop", "aply"]).exits(2);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("apply"),
        "{ran:?}"
    );
}

#[test]
fn the_error_of_a_usage_has_the_same_look() {
    let sandbox = Sandbox::new();
    let ran = sandbox.sl(&["list", "--state", "gone", "--json"]).exits(2);
    let document = ran.json();
    assert_eq!(document["code"], "USAGE");
    assert!(
        document["message"].as_str().unwrap().contains("gone"),
        "{document:#}"
    );
    // The whole sentence, not the first of its lines.
    let document = sandbox.sl(&["show", "--json"]).exits(2).json();
    let message = "the following required arguments were not provided: <ID>";
    assert_eq!(document["message"], message);
}

#[test]
fn g5_a_closed_pipe_is_quiet_and_the_decision_stands() {
    let sandbox = Sandbox::new();
    let documents: Vec<_> = (0..300)
        .map(|n| create(&format!("skill-{n}"), "Body.\n"))
        .collect();
    let ids = sandbox.propose_all(&serde_json::json!(documents));
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    let piped = |line: &str| {
        let line = line.replace("LITHERMES", &format!("'{}'", program.display()));
        let mut shell = sandbox.process("bash");
        let out = shell.args(["-c", &line]).output().unwrap();
        let stderr = String::from_utf8(out.stderr).unwrap();
        assert_eq!(stderr, "", "{line}");
        String::from_utf8(out.stdout).unwrap()
    };
    for args in [
        "list",
        "list --json",
        "show skill",
        "log",
        "review",
        "verify",
        "--help",
    ] {
        let args = args.replace("show skill", &format!("show {}", ids[0]));
        piped(&format!("LITHERMES skill-loop {args} | true"));
        piped(&format!(
            "LITHERMES skill-loop {args} | head -c 1 >/dev/null"
        ));
    }
    assert!(piped("LITHERMES skill-loop list | head -1").starts_with("ID "));
    piped(&format!("LITHERMES skill-loop apply {} | true", ids[0]));
    assert_eq!(sandbox.item(&ids[0])["state"], "applied");
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
}

#[test]
fn g5_a_full_standard_output_is_a_failure_and_the_decision_stands() {
    let sandbox = Sandbox::new();
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let full = || {
        fs_err::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
            .into_parts()
            .0
    };
    let observe = crate::observe::flags("coverage-gap", None, "again");
    let words = |args: &[&str]| args.iter().map(|&word| word.to_owned()).collect();
    for args in [
        words(&["list", "--all"]),
        words(&["apply", &id]),
        words(&["log", "--json"]),
        observe,
    ] {
        let mut process = sandbox.process(assert_cmd::cargo::cargo_bin!("lithermes"));
        process.arg("skill-loop").args(&args);
        let ended = process.stdout(full()).output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{args:?}");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(
            said.contains("error[IO_ERROR]: cannot write to standard output"),
            "{args:?}: {said}"
        );
        assert!(said.contains("look before you repeat it"), "{said}");
    }
    assert_eq!(sandbox.item(&id)["state"], "applied");
    assert_eq!(
        sandbox.json(&["observations"])["observations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

/// Test seams are for tests: `cargo test --release` proves that the binary has none.
#[cfg(not(debug_assertions))]
#[test]
fn a_release_build_ignores_every_test_seam() {
    let mut sandbox = Sandbox::new();
    let steps = sandbox.root().join("steps");
    sandbox.set("LITHERMES_TEST_STEPS", steps.to_str().unwrap());
    sandbox.set("LITHERMES_TEST_STOP", "1");
    sandbox.set("LITHERMES_TEST_FAIL", "1");
    sandbox.set("LITHERMES_TEST_CLOCK", "2001-02-03T04:05:06Z");
    sandbox.set("LITHERMES_TEST_ACTOR", "forged@nowhere");
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.apply(&id);
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert!(
        !ledger.contains("forged") && !ledger.contains("2001-"),
        "{ledger}"
    );
    assert!(!steps.exists());
    let program = fs_err::read(assert_cmd::cargo::cargo_bin!("lithermes")).unwrap();
    let needle = [&b"LITHERMES"[..], b"_TEST_"].concat();
    let found = program.windows(needle.len()).any(|window| window == needle);
    assert!(!found, "the binary knows the name of a seam");
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_debug_build_has_the_seams_that_the_tests_stand_on() {
    let mut sandbox = Sandbox::new();
    sandbox.set("LITHERMES_TEST_CLOCK", "2001-02-03T04:05:06Z");
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.apply(&id);
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    assert!(ledger.contains("2001-02-03T04:05:06Z"), "{ledger}");
}
