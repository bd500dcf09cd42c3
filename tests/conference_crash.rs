//! `kill -9` of a run at every boundary of an event, and `resume`: nothing that has its end goes out
//! again, what was out is lost and charged, and where nothing was out the artifacts are those of a
//! run that nobody killed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::conference_run::{
    CHILD, COST, PLAN, approve, conference, count, events, program, status,
};
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
fn approved(more: &str) -> Sandbox {
    let sandbox = Sandbox::in_memory();
    let text = format!("{PLAN}- **Host:** command\n- **Command:** ./child.sh\n");
    let text = text.replace("- **Time budget:**", &format!("{more}- **Time budget:**"));
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
    program(&sandbox, "cost.sh", COST);
    program(&sandbox, "child.sh", &child());
    approve(&sandbox);
    sandbox
}

fn run(sandbox: &Sandbox, environment: &[(&str, &str)]) -> Ran {
    let mut command = sandbox.command();
    command.args(["conference", "run", "--slots", "1"]);
    command.envs(environment.iter().copied());
    sandbox.ran(&mut command)
}

fn resume(sandbox: &Sandbox, flags: &[&str]) -> Ran {
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
fn accounted(sandbox: &Sandbox) {
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

/// No process that was started in this sandbox lives.
fn nobody_lives(sandbox: &Sandbox) {
    let began = Instant::now();
    loop {
        let living = living(sandbox.root());
        if living.is_empty() {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{living:?}");
        std::thread::yield_now();
    }
}

fn living(root: &Path) -> Vec<String> {
    let name = root.to_string_lossy().into_owned();
    let mut found = Vec::new();
    for entry in fs_err::read_dir("/proc").unwrap() {
        let path = entry.unwrap().path();
        let Ok(environment) = std::fs::read(path.join("environ")) else {
            continue;
        };
        if String::from_utf8_lossy(&environment).contains(&name) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// The steps after which, or before which, an event is durable.
fn boundaries(sandbox: &Sandbox) -> Vec<u64> {
    let log = tempfile::NamedTempFile::new().unwrap();
    run(
        sandbox,
        &[("LITHERMES_TEST_STEPS", log.path().to_str().unwrap())],
    )
    .ok();
    let steps = fs_err::read_to_string(log.path()).unwrap();
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
        if lost.is_empty() {
            assert_eq!(artifacts(&sandbox), expected, "{stop}");
        }
        assert_eq!(status(&sandbox)["state"], "COMPLETE", "{stop}");
        nobody_lives(&sandbox);
    }
    assert!(lost_runs > 10, "{lost_runs}");
    sandbox.run(&["skill-loop", "verify"]).ok();
}
