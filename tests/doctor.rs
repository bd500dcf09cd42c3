//! `doctor`: looks at everything, changes nothing, and says what to do.

use serde_json::{Value, json};

use crate::support::{Sandbox, create, differences, marked};

fn check<'a>(document: &'a Value, name: &str) -> &'a Value {
    let checks = document["checks"].as_array().unwrap();
    checks.iter().find(|check| check["check"] == name).unwrap()
}

#[test]
fn a_fresh_home_is_well_and_stays_untouched() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ran = sandbox.run(&["doctor"]).ok();
    assert_eq!(ran.stderr, "");
    assert!(
        ran.stdout.contains("[SANDBOX]/home (by HERMES_HOME)"),
        "{}",
        ran.stdout
    );
    let document = sandbox.run(&["doctor", "--json"]).ok().json();
    let bad = document["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["result"] == "error");
    assert_eq!(bad, None);
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn no_home_is_an_error_that_names_the_rule() {
    let sandbox = Sandbox::new();
    fs_err::remove_dir_all(sandbox.home()).unwrap();
    let ran = sandbox.run(&["doctor"]).exits(1).fails("NOT_FOUND");
    assert!(
        ran.stderr.contains("[SANDBOX]/home") && ran.stderr.contains("HERMES_HOME"),
        "{}",
        ran.stderr
    );
    assert!(!sandbox.home().exists());
}

#[test]
fn a_damaged_ledger_and_store_are_errors_7() {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create("one", "1\n")));
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    fs_err::write(
        sandbox.ledger(),
        ledger.replace("skill.apply", "skill.applx"),
    )
    .unwrap();
    let ran = sandbox.run(&["doctor", "--json"]);
    let document = ran.json();
    assert_eq!(
        check(&document, "ledger")["result"],
        "error",
        "{document:#}"
    );
    assert_eq!(ran.status, 7);
    fs_err::write(sandbox.ledger(), "{\"other\":\"product\"}\n").unwrap();
    let ran = sandbox.run(&["doctor", "--json"]).exits(7);
    let found = check(&ran.json(), "ledger").clone();
    assert!(
        found["message"].as_str().unwrap().contains("FOREIGN_STATE"),
        "{found:#}"
    );
    assert!(found["hint"].as_str().unwrap().contains("mv "), "{found:#}");
}

#[test]
fn a_torn_ledger_is_a_warning_with_the_repair() {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create("one", "1\n")));
    let mut ledger = fs_err::read(sandbox.ledger()).unwrap();
    ledger.extend(b"{\"torn");
    fs_err::write(sandbox.ledger(), ledger).unwrap();
    let document = sandbox.run(&["doctor", "--json"]).ok().json();
    let found = check(&document, "ledger");
    assert_eq!(found["result"], "warning");
    assert_eq!(found["hint"], "lithermes skill-loop verify --repair");
}

#[test]
fn an_agent_behind_the_call_is_told() {
    let mut sandbox = Sandbox::new();
    sandbox.set("HERMES_SESSION_ID", "20260101_101500_ab12cd");
    let document = sandbox.run(&["doctor", "--json"]).ok().json();
    assert_eq!(check(&document, "caller")["result"], "info");
}

#[test]
fn the_catalogue_names_each_owner_with_the_reason() {
    let sandbox = Sandbox::new();
    sandbox.skill("ours", "Body.\n");
    sandbox.skill("pinned", "Body.\n");
    let skills = sandbox.home().join("skills");
    fs_err::write(
        skills.join(".usage.json"),
        json!({"pinned": {"pinned": true}}).to_string(),
    )
    .unwrap();
    let outside = sandbox.root().join("linked");
    fs_err::create_dir(&outside).unwrap();
    fs_err::write(outside.join("SKILL.md"), marked("linked", "Body.\n")).unwrap();
    std::os::unix::fs::symlink(outside, skills.join("linked")).unwrap();
    let document = sandbox.run(&["doctor", "--json"]).ok().json();
    let owner = |path: &str| {
        let all = document["catalogue"].as_array().unwrap();
        let found = all.iter().find(|entry| entry["path"] == path);
        found.map(|entry| entry["owner"].as_str().unwrap().to_owned())
    };
    assert_eq!(owner("ours").as_deref(), Some("agent"), "{document:#}");
    assert_eq!(owner("pinned").as_deref(), Some("other"));
    assert_eq!(owner("linked").as_deref(), Some("other"));
}

#[test]
fn the_sticky_profile_of_the_host_is_followed() {
    let sandbox = Sandbox::new();
    let profile = sandbox.home().join("profiles/work");
    fs_err::create_dir_all(profile.join("skills")).unwrap();
    fs_err::write(sandbox.home().join("active_profile"), "work\n").unwrap();
    let document = sandbox.run(&["doctor", "--json"]).ok().json();
    assert_eq!(document["profile"], "work");
    let document = sandbox
        .run(&["doctor", "--json", "--profile", "default"])
        .ok()
        .json();
    assert_eq!(document["profile"], json!(null));
    let home = sandbox.home();
    let document = sandbox
        .run(&["doctor", "--json", "--hermes-home", home.to_str().unwrap()])
        .ok()
        .json();
    assert_eq!(document["profile"], json!(null));
    sandbox
        .run(&["doctor", "--profile", "gone"])
        .exits(1)
        .fails("NOT_FOUND");
    sandbox
        .run(&["doctor", "--profile", "../x"])
        .exits(2)
        .fails("USAGE");
}

#[test]
fn the_log_of_observations_is_looked_at_and_mended_by_the_next() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let told = || {
        let document = sandbox.run(&["doctor", "--json"]).ok().json();
        let found = check(&document, "observations");
        let text = found["message"].as_str().unwrap().to_owned();
        (found["result"].as_str().unwrap().to_owned(), text)
    };
    let ok = |text: &str| ("ok".to_owned(), text.to_owned());
    assert_eq!(told(), ok("none yet"));
    let args = crate::observe::flags("correction", Some("x"), "o");
    sandbox.sl(&args).ok();
    assert_eq!(told(), ok("1 recorded"));
    let log = sandbox.observer().join("observations.jsonl");
    fs_err::write(&log, format!("{}{{\"torn", sandbox.observed())).unwrap();
    fs_err::set_permissions(&log, std::fs::Permissions::from_mode(0o644)).unwrap();
    let text = "1 recorded; the last line is not finished, others than the owner may open the log";
    assert_eq!(told(), ("warning".to_owned(), text.to_owned()));
    sandbox.sl(&args).ok();
    assert_eq!(told(), ok("2 recorded"));
    let mode = fs_err::metadata(&log).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    fs_err::write(&log, "{}\n").unwrap();
    let damaged = (
        "warning".to_owned(),
        "0 recorded; 1 damaged line".to_owned(),
    );
    assert_eq!(told(), damaged);
}
