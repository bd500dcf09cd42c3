//! `pause_every`: between rounds a person says whether it goes on. And what the root reads for
//! children, in their charters.

use serde_json::Value;

use crate::conference_crash::{killed_in_flight, resume};
use crate::conference_run::{PLAN, approve, conference, count, events, on_command, status};
use crate::support::Sandbox;
use crate::support::held::{BELIEVES, Held};

const REQUIRED: &str = "BLOCKED_APPROVAL_REQUIRED";

/// Every lane goes its own way and none gets to the target.
const FAR: &str = r#"#!/bin/sh
charter=$(cat)
field() { printf '%s' "$charter" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
round=$(printf '%s' "$charter" | sed -n 's/.*"round":\([0-9]*\).*/\1/p')
more=''
if [ "$(field role)" = researcher ]; then more=',"candidates":[{"values":{"level":'$((40 - 4 * round))'}}]'; fi
printf '{"dispatch_id":"%s","role":"%s","status":"completed","claims":[],"uncertainties":[],"recommended_root_actions":[]%s}' \
    "$(field dispatch_id)" "$(field role)" "$more"
"#;

fn with(sandbox: &Sandbox, from: &str, to: &str) {
    let path = sandbox.work().join("conference.md");
    let text = fs_err::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs_err::write(path, text.replacen(from, to, 1)).unwrap();
}

fn pausing(host: &str, every: &str) -> Sandbox {
    assert!(PLAN.contains("- **Researcher timeout:** 1m\n"));
    let sandbox = on_command(FAR);
    with(&sandbox, "command", host);
    if host != "command" {
        with(&sandbox, "- **Command:** ./child.sh\n", "");
    }
    let more = format!("- **Researcher timeout:** 1m\n- **pause_every:** {every}\n");
    with(&sandbox, "- **Researcher timeout:** 1m\n", &more);
    approve(&sandbox);
    sandbox
}

#[test]
fn a_run_rests_between_rounds_until_a_person_resumes() {
    let sandbox = pausing("command", "every_round");
    let ran = conference(&sandbox, &["run"]).exits(6);
    assert!(
        ran.stderr.contains("lithermes conference resume"),
        "{}",
        ran.stderr
    );
    ran.fails(REQUIRED);
    let found = status(&sandbox);
    assert_eq!(
        (&found["state"], &found["round"], &found["phase"]),
        (&"INTERRUPTED".into(), &1.into(), &"between rounds".into())
    );
    assert_eq!(found["awaiting"], Value::Array(Vec::new()));
    assert_eq!(count(&sandbox, "round.started"), 1);
    conference(&sandbox, &["run"]).exits(4);
    assert_eq!(count(&sandbox, "round.started"), 1);
    // Two flat rounds are the end, so that nobody is asked after the second.
    conference(&sandbox, &["resume"]).exits(8);
    assert_eq!(count(&sandbox, "round.started"), 2);
    assert_eq!(count(&sandbox, "conference.resumed"), 1);
    conference(&sandbox, &["check", "--replay"]).ok();
}

/// The rounds after which a person is asked, from `run` to the end, where every round gets nearer
/// to the target and none reaches it. `stuck` is what a lane does instead.
fn asked(every: &str, stuck: &str) -> Vec<u64> {
    let child = format!("{BELIEVES}{stuck}\nat $((24 - 2 * round))");
    let held = Held::command_with(&child, |plan| {
        let timeout = "- **Researcher timeout:** 1m\n";
        assert!(plan.contains(timeout));
        plan.replace("rounds:** 2", "rounds:** 5")
            .replace(timeout, &format!("{timeout}- **pause_every:** {every}\n"))
    });
    let mut rounds = Vec::new();
    let mut ran = held.run();
    while ran.status == 6 && rounds.len() < 9 {
        ran.fails(REQUIRED);
        rounds.push(held.status()["round"].as_u64().unwrap());
        ran = held.conference(&["resume"]);
    }
    assert_eq!(ran.exits(8).stderr, "");
    assert_eq!(held.status()["stop"]["code"], "BUDGET_STOP");
    assert_eq!(held.count("round.started"), 5);
    assert_eq!(held.count("conference.resumed"), rounds.len());
    held.conference(&["check", "--replay"]).ok();
    rounds
}

#[test]
fn a_person_is_asked_after_every_second_round_where_that_was_approved() {
    assert_eq!(asked("every_2_rounds", ""), [2, 4]);
}

#[test]
fn a_person_is_asked_after_the_round_in_which_a_lane_got_stuck_and_after_no_other() {
    // Four tries without a gain in each of two rounds: the fifth is in the second.
    let stuck = r#"
four=$(for level in 37 38 39 40; do printf '{"values":{"level":%s}}\n' $level; done | paste -sd, -)
[ $lane = B ] && [ $round -le 2 ] && say ",\"candidates\":[$four]" && exit"#;
    assert_eq!(asked("pivot_only", stuck), [2]);
    assert_eq!(asked("pivot_only", ""), [0; 0]);
}

#[test]
fn what_rests_can_be_cancelled_and_nobody_is_asked_any_more() {
    let mut sandbox = pausing("command", "every_round");
    conference(&sandbox, &["run"]).exits(6).fails(REQUIRED);
    conference(&sandbox, &["cancel"]).ok();
    assert_eq!(status(&sandbox)["state"], "CANCELLED");
    let before = events(&sandbox).len();
    sandbox.set("HERMES_SESSION_ID", "s1");
    let ran = conference(&sandbox, &["resume"]).exits(130);
    assert_eq!(ran.stderr, "");
    assert_eq!(events(&sandbox).len(), before);
}

#[test]
fn going_on_in_the_midst_of_a_round_does_not_pass_its_end() {
    let sandbox = killed_in_flight("- **pause_every:** every_round\n");
    let ran = resume(&sandbox, &["--redispatch"]).exits(6);
    ran.fails(REQUIRED);
    assert_eq!(count(&sandbox, "round.started"), 1);
}

#[test]
fn an_agent_does_not_say_that_it_goes_on() {
    let mut sandbox = pausing("command", "every_round");
    conference(&sandbox, &["run"]).exits(6).fails(REQUIRED);
    let before = events(&sandbox).len();
    sandbox.set("HERMES_SESSION_ID", "s1");
    let ran = conference(&sandbox, &["resume"]).exits(3);
    ran.fails("FOREGROUND_REQUIRED");
    assert_eq!(events(&sandbox).len(), before);
}

#[test]
fn what_the_root_reads_stands_in_the_charters() {
    let sandbox = on_command(FAR);
    let key = format!("sk-{}", "a1B2".repeat(12));
    let notes = sandbox.work().join("notes");
    fs_err::create_dir(&notes).unwrap();
    fs_err::write(notes.join("a.txt"), format!("level 13 was good; {key}\n")).unwrap();
    fs_err::os::unix::fs::symlink("/etc/hostname", notes.join("out")).unwrap();
    let space = "## Search Space\n- **Allowed changes:** level\n- **Forbidden changes:** the rest\n- **Allowed read roots:** notes\n\n## Search Space Partitioning\n";
    with(&sandbox, "## Search Space Partitioning\n", space);
    approve(&sandbox);
    let ran = conference(&sandbox, &["run"]);
    assert!([0, 8].contains(&ran.status), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("not quoted: notes/out"),
        "{}",
        ran.stderr
    );
    let issued = events(&sandbox);
    let issued = issued
        .iter()
        .filter(|line| line["event"] == "dispatch.issued");
    let mut researchers = 0;
    for line in issued {
        let digest = line["payload"]["charter_digest"].as_str().unwrap();
        let path = sandbox.work().join(format!("packets/{digest}.json"));
        let text = fs_err::read_to_string(path).unwrap();
        assert!(!text.contains(&key));
        let charter: Value = serde_json::from_str(&text).unwrap();
        let read = charter["read_context"].as_array().unwrap();
        if charter["role"] != "researcher" {
            assert_eq!(read.len(), 0);
            continue;
        }
        researchers += 1;
        assert_eq!(read[0]["path"], "notes/a.txt");
        let said = read[0]["text"].as_str().unwrap();
        assert!(said.starts_with("level 13 was good"), "{said}");
        let bytes = fs_err::read(notes.join("a.txt")).unwrap();
        assert_eq!(read[0]["sha256"], lithermes::digest::sha256_hex(&bytes));
    }
    assert!(researchers > 1);
}

#[test]
fn a_session_rests_too() {
    let sandbox = pausing("handoff", "every_round");
    conference(&sandbox, &["next"]).ok();
    let mut rounds = 0;
    for _ in 0..20 {
        let next = conference(&sandbox, &["next", "--json"]);
        if next.status == 6 {
            next.fails(REQUIRED);
            rounds += 1;
            assert_eq!(count(&sandbox, "round.started"), rounds);
            conference(&sandbox, &["resume"]).ok();
            continue;
        }
        let next = next.ok().json();
        if !next["stop_code"].is_null() {
            break;
        }
        for charter in next["dispatch"].as_array().unwrap() {
            let (id, role) = (&charter["dispatch_id"], &charter["role"]);
            let more = match role.as_str() {
                Some("researcher") => r#","candidates":[{"values":{"level":20}}]"#,
                _ => "",
            };
            let packet = format!(
                r#"{{"dispatch_id":{id},"role":{role},"status":"completed","claims":[],"uncertainties":[],"recommended_root_actions":[]{more}}}"#
            );
            sandbox
                .run_with(&["conference", "receive", "-"], packet.as_bytes())
                .ok();
        }
    }
    // Two flat rounds are the end, so that nobody is asked after the second.
    assert_eq!(rounds, 1);
    assert_eq!(count(&sandbox, "round.started"), 2);
    assert_eq!(count(&sandbox, "conference.resumed"), 1);
}
