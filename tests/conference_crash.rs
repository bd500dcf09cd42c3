//! `kill -9` of a run at every boundary of an event, and `resume`: nothing that has its end goes out
//! again, what was out is lost and charged, and where nothing was out the artifacts are those of a
//! run that nobody killed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::conference_run::{
    CHILD, COST, PLAN, approve, conference, count, events, program, status,
};
use crate::support::place::bearing;
use crate::support::{Ran, Sandbox, Saved};

const EVENTS: &str = "conference_events.jsonl";

/// As in other tests, but what lane A finds is only good enough in the second round.
fn child() -> String {
    let first = "if [ \"$(field lane)\" = A ]; then level=13; fi";
    let later = "case $charter in *'\"lane\":\"A\"'*'\"round\":2'*) level=13 ;; *'\"lane\":\"A\"'*) level=14 ;; esac";
    assert!(CHILD.contains(first));
    CHILD.replace(first, later)
}

/// An approved conference in memory.
pub fn approved(more: &str) -> Sandbox {
    let sandbox = Sandbox::in_memory();
    let text = format!("{PLAN}- **Host:** command\n- **Command:** ./child.sh\n");
    let text = text.replace("- **Time budget:**", &format!("{more}- **Time budget:**"));
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
    program(&sandbox, "cost.sh", COST);
    program(&sandbox, "child.sh", &child());
    approve(&sandbox);
    sandbox
}

pub fn run(sandbox: &Sandbox, environment: &[(&str, &str)]) -> Ran {
    let mut command = sandbox.command();
    command.args(["conference", "run", "--slots", "1"]);
    command.envs(environment.iter().copied());
    sandbox.ran(&mut command)
}

pub fn resume(sandbox: &Sandbox, flags: &[&str]) -> Ran {
    conference(sandbox, &[&["resume", "--slots", "1"], flags].concat())
}

/// What a run leaves that a person reads.
pub fn artifacts(sandbox: &Sandbox) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs_err::read_dir(sandbox.work()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".md") || name.ends_with(".tsv") {
            found.insert(name, fs_err::read_to_string(&path).unwrap());
        }
    }
    found
}

/// The whole events, whatever stands behind them.
fn whole(sandbox: &Sandbox) -> Vec<Value> {
    let text = fs_err::read_to_string(sandbox.work().join(EVENTS)).unwrap_or_default();
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    whole
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The ids of the events of one kind.
fn ids(events: &[Value], kind: &str) -> Vec<String> {
    let of_kind = events.iter().filter(|event| event["event"] == kind);
    let ids = of_kind.map(|event| event["payload"]["dispatch_id"].as_str().unwrap().to_owned());
    ids.collect()
}

/// Ids that went out and have neither packet nor end.
fn in_flight(events: &[Value]) -> BTreeSet<String> {
    let mut open: BTreeSet<String> = ids(events, "dispatch.issued").into_iter().collect();
    for kind in ["packet.accepted", "dispatch.failed", "dispatch.timed_out"] {
        for id in ids(events, kind) {
            open.remove(&id);
        }
    }
    open
}

/// Every id went out once and has one end and one settlement.
pub fn accounted(sandbox: &Sandbox) {
    let all = events(sandbox);
    let issued = ids(&all, "dispatch.issued");
    let once: BTreeSet<&String> = issued.iter().collect();
    assert_eq!(once.len(), issued.len(), "{issued:?}");
    let mut ends = Vec::new();
    for kind in ["received", "failed", "timed_out", "cancelled"] {
        ends.extend(ids(&all, &format!("dispatch.{kind}")));
    }
    ends.sort();
    let mut sorted = issued.clone();
    sorted.sort();
    assert_eq!(ends, sorted);
    let mut settled = ids(&all, "budget.settled");
    settled.sort();
    assert_eq!(settled, sorted);
}

/// Files that a killed process had not finished.
pub fn unfinished(sandbox: &Sandbox) -> Vec<String> {
    let names = |folder: std::path::PathBuf| {
        let entries = fs_err::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap())
    };
    let all = names(sandbox.work()).chain(names(sandbox.work().join("packets")));
    all.filter(|name| name.ends_with(".tmp")).collect()
}

/// No process that was started in this sandbox lives.
pub fn nobody_lives(sandbox: &Sandbox) {
    let began = Instant::now();
    let name = sandbox.root().to_string_lossy();
    loop {
        let living = bearing(|one| String::from_utf8_lossy(one).contains(&*name));
        if living.is_empty() {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{living:?}");
        std::thread::yield_now();
    }
}

/// The steps of a run that nobody kills.
pub fn steps(sandbox: &Sandbox) -> String {
    let log = tempfile::NamedTempFile::new().unwrap();
    let ran = run(
        sandbox,
        &[("LITHERMES_TEST_STEPS", log.path().to_str().unwrap())],
    );
    assert!([0, 6, 8].contains(&ran.status), "{ran:?}");
    fs_err::read_to_string(log.path()).unwrap()
}

/// The steps after which, or before which, an event is durable.
fn boundaries(sandbox: &Sandbox) -> Vec<u64> {
    let steps = steps(sandbox);
    let mut stops = BTreeSet::new();
    for (number, step) in (1..).zip(steps.lines()) {
        if step == format!("Write {EVENTS}") {
            stops.insert(number);
        }
        if step == format!("Flush {EVENTS}") {
            stops.extend([number, number + 1]);
        }
    }
    let last = steps.lines().count() as u64;
    stops.into_iter().filter(|stop| *stop <= last).collect()
}

#[test]
fn a_run_that_is_killed_at_any_event_is_gone_on_with() {
    let sandbox = approved("");
    let saved = Saved::of(&sandbox);
    let stops = boundaries(&sandbox);
    assert!(stops.len() > 60, "{stops:?}");
    let expected = artifacts(&sandbox);
    assert_eq!(status(&sandbox)["round"], 2);
    let mut lost_runs = 0;
    for stop in stops {
        saved.restore(&sandbox);
        let killed = run(&sandbox, &[("LITHERMES_TEST_STOP", &stop.to_string())]);
        assert_eq!(killed.status, -1, "{stop}: {killed:?}");
        nobody_lives(&sandbox);
        let before = whole(&sandbox);
        if before.is_empty() {
            resume(&sandbox, &[])
                .exits(6)
                .fails("BLOCKED_APPROVAL_REQUIRED");
            continue;
        }
        let lost = in_flight(&before);
        if !lost.is_empty() {
            lost_runs += 1;
            let asked = resume(&sandbox, &[]).exits(6).fails("BLOCKED_LOST_CHILD");
            assert!(
                asked.stderr.contains("conference resume . --go-on"),
                "{asked:?}"
            );
            assert!(
                asked.stderr.contains("conference resume . --redispatch"),
                "{asked:?}"
            );
            resume(&sandbox, &[]).exits(6).fails("BLOCKED_LOST_CHILD");
        }
        let flags: &[&str] = if lost.is_empty() {
            &[]
        } else {
            &["--redispatch"]
        };
        let resumed = resume(&sandbox, flags);
        assert_eq!(resumed.status, 0, "{stop}: {resumed:?}");
        accounted(&sandbox);
        let all = events(&sandbox);
        assert_eq!(all[..before.len()], before, "{stop}: the history is kept");
        for id in &lost {
            let end = all.iter().find(|event| {
                event["event"] == "dispatch.failed" && event["payload"]["dispatch_id"] == **id
            });
            assert_eq!(end.unwrap()["payload"]["reason"], "lost", "{stop}");
        }
        let had_ended = before
            .iter()
            .any(|event| event["event"] == "conference.completed");
        let resumed = count(&sandbox, "conference.resumed");
        assert_eq!(resumed, usize::from(!had_ended), "{stop}");
        assert_eq!(count(&sandbox, "conference.converged"), 1, "{stop}");
        assert_eq!(count(&sandbox, "cleanup.receipt"), 1, "{stop}");
        if lost.is_empty() {
            assert_eq!(artifacts(&sandbox), expected, "{stop}");
        }
        assert_eq!(status(&sandbox)["state"], "COMPLETE", "{stop}");
        assert_eq!(unfinished(&sandbox), Vec::<String>::new(), "{stop}");
        nobody_lives(&sandbox);
    }
    assert!(lost_runs > 10, "{lost_runs}");
    sandbox.run(&["skill-loop", "verify"]).ok();
}

/// A sandbox whose run was killed while lane A of the first round was out.
pub fn killed_in_flight(more: &str) -> Sandbox {
    let sandbox = approved(more);
    let saved = Saved::of(&sandbox);
    let steps = steps(&sandbox);
    let flush = format!("Flush {EVENTS}");
    let flushed = (1..).zip(steps.lines()).filter(|(_, step)| *step == flush);
    for (number, _) in flushed {
        saved.restore(&sandbox);
        let stop = (number + 1_u64).to_string();
        assert_eq!(run(&sandbox, &[("LITHERMES_TEST_STOP", &stop)]).status, -1);
        let open = in_flight(&whole(&sandbox));
        if open.iter().any(|id| id.contains(".r1.A.")) {
            return sandbox;
        }
    }
    panic!("lane A was never out");
}

#[test]
fn a_lost_lane_is_left_out_where_a_person_says_so() {
    let sandbox = killed_in_flight("");
    let saved = Saved::of(&sandbox);
    let resumed = resume(&sandbox, &["--go-on", "--json"]).exits(0);
    assert!(resumed.stdout.contains("\"conference.resumed\""));
    accounted(&sandbox);
    let all = events(&sandbox);
    let receipt = all
        .iter()
        .find(|event| event["event"] == "conference.resumed")
        .unwrap();
    let payload = &receipt["payload"];
    assert_eq!(payload["decision"], "go_on");
    assert_eq!(payload["recovery_point"], "research");
    assert_eq!(payload["reverted_researchers"], serde_json::json!(["A"]));
    assert_eq!(payload["ids"][0], "r1.A.1 failed: lost");
    assert_eq!(payload["iterations_left"], 36);
    let again = ids(&all, "dispatch.issued");
    assert!(!again.iter().any(|id| id.ends_with(".r1.A.2")), "{again:?}");
    let settled = all
        .iter()
        .find(|event| event["event"] == "budget.settled")
        .unwrap();
    assert_eq!(settled["payload"]["iterations"], 4);
    let report = fs_err::read_to_string(sandbox.work().join("final_report.md")).unwrap();
    assert!(
        report.contains("researcher A is missing (failed: lost)"),
        "{report}"
    );

    saved.restore(&sandbox);
    resume(&sandbox, &["--redispatch"]).exits(0);
    let again = ids(&events(&sandbox), "dispatch.issued");
    assert!(again.iter().any(|id| id.ends_with(".r1.A.2")), "{again:?}");
    resume(&sandbox, &["--redispatch", "--go-on"]).exits(2);
}

#[test]
fn a_lost_lane_is_sent_out_again_where_the_conditions_say_so() {
    let sandbox = killed_in_flight("- **On lost child:** redispatch\n");
    resume(&sandbox, &[]).exits(0);
    accounted(&sandbox);
    let again = ids(&events(&sandbox), "dispatch.issued");
    assert!(again.iter().any(|id| id.ends_with(".r1.A.2")), "{again:?}");
}

#[test]
fn the_budget_that_was_approved_holds_for_what_was_lost() {
    let sandbox =
        killed_in_flight("- **On lost child:** redispatch\n- **Max total iterations:** 8\n");
    let asked = resume(&sandbox, &[]).exits(6).fails("BLOCKED_LOST_CHILD");
    assert!(!asked.stderr.contains("--redispatch"), "{}", asked.stderr);
    resume(&sandbox, &["--redispatch"])
        .exits(6)
        .fails("BLOCKED_LOST_CHILD");
    resume(&sandbox, &["--go-on"]).exits(8);
    accounted(&sandbox);
}

#[test]
fn after_the_wall_clock_only_the_synthesis_goes_out() {
    let mut sandbox = killed_in_flight("");
    let before = ids(&whole(&sandbox), "dispatch.issued").len();
    sandbox.set("LITHERMES_TEST_CLOCK", "2026-01-02T05:04:05Z");
    resume(&sandbox, &[]).exits(8);
    accounted(&sandbox);
    let issued = ids(&events(&sandbox), "dispatch.issued");
    let new: Vec<&str> = issued[before..]
        .iter()
        .map(|id| id.split_once('.').unwrap().1)
        .collect();
    assert_eq!(new, ["synthesis.1"]);
    let status = status(&sandbox);
    assert_eq!(status["stop"]["code"], "BUDGET_STOP");
    assert_eq!(status["stop"]["budget_hit"], serde_json::json!(["time"]));
}

#[test]
fn time_that_is_up_after_the_rounds_changes_no_end() {
    let mut sandbox = approved("");
    let saved = Saved::of(&sandbox);
    let stops = boundaries(&sandbox);
    let expected = artifacts(&sandbox);
    let mut kept = 0;
    for stop in stops.iter().rev().take(24) {
        saved.restore(&sandbox);
        sandbox.set("LITHERMES_TEST_CLOCK", "2026-01-02T03:04:05Z");
        run(&sandbox, &[("LITHERMES_TEST_STOP", &stop.to_string())]);
        let before = whole(&sandbox);
        let is_after = |event: &Value| event["payload"]["next"] == "SYNTHESIZING";
        if !before.iter().any(is_after) {
            continue;
        }
        sandbox.set("LITHERMES_TEST_CLOCK", "2026-01-02T05:04:05Z");
        resume(&sandbox, &["--go-on"]).exits(0);
        accounted(&sandbox);
        let stop_code = status(&sandbox)["stop"]["code"].clone();
        assert_eq!(stop_code, "CONVERGED", "{stop}");
        assert_eq!(count(&sandbox, "conference.converged"), 1, "{stop}");
        assert_eq!(count(&sandbox, "cleanup.receipt"), 1, "{stop}");
        if in_flight(&before).is_empty() {
            assert_eq!(artifacts(&sandbox), expected, "{stop}");
            kept += 1;
        }
    }
    assert!(kept > 6, "{kept}");
}

#[test]
fn a_run_that_a_full_disk_ended_is_gone_on_with() {
    let sandbox = approved("");
    let saved = Saved::of(&sandbox);
    let stops = boundaries(&sandbox);
    let expected = artifacts(&sandbox);
    let mut alike = 0;
    for stop in stops.iter().step_by(9) {
        saved.restore(&sandbox);
        let failed = run(&sandbox, &[("LITHERMES_TEST_FAIL", &stop.to_string())]);
        assert_ne!(failed.status, 0, "{stop}");
        nobody_lives(&sandbox);
        let before = whole(&sandbox);
        if before.is_empty() {
            continue;
        }
        let lost = in_flight(&before);
        let flags: &[&str] = if lost.is_empty() {
            &[]
        } else {
            &["--redispatch"]
        };
        resume(&sandbox, flags).exits(0);
        accounted(&sandbox);
        if lost.is_empty() {
            assert_eq!(artifacts(&sandbox), expected, "{stop}");
            alike += 1;
        }
    }
    assert!(alike > 1);
}

#[test]
fn a_torn_last_line_is_set_aside_at_every_byte() {
    let sandbox = approved("");
    let saved = Saved::of(&sandbox);
    let steps = steps(&sandbox);
    let expected = artifacts(&sandbox);
    // The end is durable, and not sealed yet.
    let flush = format!("Flush {EVENTS}");
    let flushed = steps.lines().collect::<Vec<_>>();
    let flushed = flushed.iter().rposition(|step| *step == flush).unwrap() + 1;
    saved.restore(&sandbox);
    let stop = (flushed + 1).to_string();
    assert_eq!(run(&sandbox, &[("LITHERMES_TEST_STOP", &stop)]).status, -1);
    let whole = fs_err::read(sandbox.work().join(EVENTS)).unwrap();
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .unwrap()
        + 1;
    let saved = Saved::of(&sandbox);
    for length in last + 1..whole.len() {
        saved.restore(&sandbox);
        fs_err::write(sandbox.work().join(EVENTS), &whole[..length]).unwrap();
        // Who only reads warns, and changes nothing.
        if length % 64 == 0 {
            let ran = conference(&sandbox, &["status"]).ok();
            assert!(ran.stderr.contains("bytes of a line"), "{}", ran.stderr);
            assert_eq!(
                fs_err::read(sandbox.work().join(EVENTS)).unwrap(),
                whole[..length]
            );
        }
        let resumed = resume(&sandbox, &[]);
        assert_eq!(resumed.status, 0, "{length}: {resumed:?}");
        assert!(resumed.stderr.contains("torn last line"), "{resumed:?}");
        let torn: Vec<String> = fs_err::read_dir(sandbox.work())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("conference_events.jsonl.torn-"))
            .collect();
        assert_eq!(torn.len(), 1, "{torn:?}");
        let kept = fs_err::read(sandbox.work().join(&torn[0])).unwrap();
        assert_eq!(kept, whole[last..length]);
        assert_eq!(artifacts(&sandbox), expected);
        accounted(&sandbox);
        assert_eq!(count(&sandbox, "conference.completed"), 1);
    }
}
