//! A conference that is not any more what was approved and recorded: `resume` names every key with
//! what was expected and what was found, and repairs nothing by guessing.

use std::path::PathBuf;

use serde_json::Value;

use crate::conference_run::{
    CHILD, COST, PLAN, approve, conference, events, on_command, program, root, status,
};
use crate::support::held::Held;
use crate::support::{Ran, Sandbox, Saved, Tree, differences};

const EVENTS: &str = "conference_events.jsonl";
const SEALED: &str = "(what the ledger sealed after round 1)";

/// An approved conference of which a run was killed after its first round, with nothing out.
fn cut_off() -> Sandbox {
    let sandbox = Sandbox::in_memory();
    let text = format!("{PLAN}- **Host:** command\n- **Command:** ./child.sh\n");
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
    program(&sandbox, "cost.sh", COST);
    program(&sandbox, "child.sh", &CHILD.replace("level=13", "level=14"));
    approve(&sandbox);
    let saved = Saved::of(&sandbox);
    let log = tempfile::NamedTempFile::new().unwrap();
    let run = |name: &str, value: &str| {
        let mut command = sandbox.command();
        command
            .args(["conference", "run", "--slots", "1"])
            .env(name, value);
        sandbox.ran(&mut command).status
    };
    run("LITHERMES_TEST_STEPS", log.path().to_str().unwrap());
    saved.restore(&sandbox);
    let steps = fs_err::read_to_string(log.path()).unwrap();
    let seal = steps
        .lines()
        .position(|step| step == "Flush skill-loop-ledger.jsonl")
        .unwrap();
    // The step after the seal of the first round is flushed.
    assert_eq!(run("LITHERMES_TEST_STOP", &(seal + 2).to_string()), -1);
    let ended = events(&sandbox)
        .iter()
        .any(|event| event["event"] == "round.completed");
    assert!(ended);
    sandbox
}

/// Refused as stale with this key, and not a byte is written but the lock's.
#[track_caller]
fn stale(sandbox: &Sandbox, key: &str) -> Ran {
    let before = Tree::of(sandbox.root());
    let ran = conference(sandbox, &["resume"])
        .exits(4)
        .fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert!(ran.stderr.contains(key), "{key}: {}", ran.stderr);
    let changed = differences(&before, &Tree::of(sandbox.root()));
    let changed: Vec<&String> = changed
        .iter()
        .filter(|path| !path.contains("conference.lock"))
        .collect();
    assert!(changed.is_empty(), "{key}: {changed:?}");
    ran
}

fn edit(path: PathBuf, change: impl FnOnce(String) -> String) {
    let text = fs_err::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "{}", path.display());
    fs_err::write(path, changed).unwrap();
}

#[test]
fn whatever_differs_is_named() {
    let sandbox = cut_off();
    let saved = Saved::of(&sandbox);
    let work = sandbox.work();
    let file = |name: &str| work.join(name);
    type Change<'a> = Box<dyn Fn() + 'a>;
    let one = |name: &'static str, old: &'static str, new: &'static str| -> Change<'_> {
        Box::new(move || edit(file(name), |text| text.replacen(old, new, 1)))
    };
    let packet = |kind: &str| {
        let all = events(&sandbox);
        let event = all.iter().find(|event| event["event"] == kind).unwrap();
        let payload = &event["payload"];
        let digest = payload.get("digest").or(payload.get("charter_digest"));
        digest.and_then(Value::as_str).unwrap().to_owned()
    };
    let (accepted, charter) = (packet("packet.accepted"), packet("dispatch.issued"));
    let swapped = format!("packets/{accepted}.json is missing, or not what its name says");
    let charter_file = format!("packets/{charter}.json");
    let of = |digest: &str| work.join(format!("packets/{digest}.json"));
    let cases: Vec<(&str, Change<'_>)> = vec![
        (
            "conference.md",
            one("conference.md", "least cost", "most cost"),
        ),
        (
            "conference.md",
            one("conference.md", "**Count:** 2", "**Count:** 3"),
        ),
        (
            "totals",
            one("conference.md", "**Max rounds:** 5", "**Max rounds:** 4"),
        ),
        (
            "conference.md",
            one("conference.md", "minimize", "sideways"),
        ),
        (
            "conference.md (Shared Knowledge)",
            one("conference.md", "**r1.A.1", "**r9.A.1"),
        ),
        ("evaluator", one("cost.sh", "13", "12")),
        ("host", one("child.sh", "guess", "proof")),
        (
            "conference_results.tsv",
            one("conference_results.tsv", "\t1\t", "\t2\t"),
        ),
        (
            "researcher_A_results.tsv",
            Box::new(|| fs_err::remove_file(file("researcher_A_results.tsv")).unwrap()),
        ),
        (
            "peer_review_round_1.md",
            one("peer_review_round_1.md", "Round", "round"),
        ),
        (
            &swapped,
            Box::new(|| {
                fs_err::copy(of(&charter), of(&accepted)).unwrap();
            }),
        ),
        (
            &swapped,
            Box::new(|| fs_err::remove_file(of(&accepted)).unwrap()),
        ),
        (
            &charter_file,
            Box::new(|| {
                fs_err::copy(of(&accepted), of(&charter)).unwrap();
            }),
        ),
    ];
    for (key, change) in cases {
        saved.restore(&sandbox);
        change();
        stale(&sandbox, key);
    }
    saved.restore(&sandbox);
    edit(file("cost.sh"), |text| text.replace("13", "12"));
    edit(file("conference_results.tsv"), |text| {
        text.replace("\t1\t", "\t2\t")
    });
    let told = stale(&sandbox, "evaluator").stderr;
    assert!(told.contains("  expected: evaluator "), "{told}");
    // And nothing was wrong with it before.
    saved.restore(&sandbox);
    conference(&sandbox, &["resume"]).exits(0);
    assert_eq!(status(&sandbox)["state"], "COMPLETE");
}

#[test]
fn a_line_that_was_touched_is_named() {
    let sandbox = cut_off();
    let saved = Saved::of(&sandbox);
    let path = sandbox.work().join(EVENTS);
    let text = fs_err::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let write = |lines: &[&str]| {
        saved.restore(&sandbox);
        fs_err::write(&path, lines.concat()).unwrap();
    };
    for at in (1..lines.len() - 1).step_by(5) {
        let mut missing = lines.clone();
        missing.remove(at);
        write(&missing);
        stale(&sandbox, &format!("line {} of {EVENTS}", at + 1));

        let mut reordered = lines.clone();
        reordered.swap(at, at + 1);
        write(&reordered);
        stale(&sandbox, &format!("line {} of {EVENTS}", at + 1));

        let mut again = lines.clone();
        again.insert(at + 2, lines[at]);
        write(&again);
        stale(&sandbox, &format!("line {} of {EVENTS}", at + 3));

        let flipped = lines[at].replacen("\"seq\":", "\"seq\":1", 1);
        let mut flip = lines.clone();
        flip[at] = &flipped;
        write(&flip);
        stale(&sandbox, &format!("line {} of {EVENTS}", at + 1));
    }
    // A byte anywhere in a line.
    let at = lines.len() / 2;
    for byte in (0..lines[at].len() - 1).step_by(7) {
        let mut bytes = lines[at].as_bytes().to_vec();
        bytes[byte] ^= 1;
        let flipped = String::from_utf8(bytes).unwrap();
        if flipped.contains('\n') && !flipped.ends_with('\n') {
            continue;
        }
        let mut flip = lines.clone();
        flip[at] = &flipped;
        write(&flip);
        stale(&sandbox, &format!("line {} of {EVENTS}", at + 1));
    }
}

#[test]
fn a_line_that_is_too_long_hides_nothing_behind_it() {
    let sandbox = cut_off();
    let path = sandbox.work().join(EVENTS);
    let text = fs_err::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for length in [(4 << 20) - 1, 4 << 20, 9 << 20] {
        let long = "x".repeat(length) + "\n";
        for at in [0, lines.len() / 2, lines.len()] {
            let mut with = lines.clone();
            with.insert(at, &long);
            let written = with.concat();
            fs_err::write(&path, &written).unwrap();
            stale(&sandbox, &format!("line {} of {EVENTS}", at + 1));
            assert_eq!(fs_err::read_to_string(&path).unwrap(), written);
        }
    }
}

#[test]
fn the_same_line_directly_again_is_passed_over() {
    let sandbox = cut_off();
    let path = sandbox.work().join(EVENTS);
    let text = fs_err::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.insert(4, lines[3]);
    fs_err::write(&path, lines.concat()).unwrap();
    let ran = conference(&sandbox, &["status"]).ok();
    assert!(ran.stderr.contains("1 line that repeats"), "{}", ran.stderr);
    conference(&sandbox, &["resume"]).exits(0);
}

#[test]
fn a_history_that_was_written_anew_is_found_in_the_ledger() {
    let sandbox = cut_off();
    let path = sandbox.work().join(EVENTS);
    let text = fs_err::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Whole lines are gone behind which nothing stands: only the seal knows.
    let issued = lines
        .iter()
        .position(|line| line.contains("dispatch.issued"))
        .unwrap();
    fs_err::write(&path, lines[..issued].concat()).unwrap();
    for entry in fs_err::read_dir(sandbox.work()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|name| name == "tsv") {
            fs_err::remove_file(path).unwrap();
        }
    }
    let told = stale(&sandbox, SEALED).stderr;
    assert!(told.contains("fewer lines"), "{told}");
}

#[test]
fn a_root_that_was_moved_is_another_conference() {
    let sandbox = cut_off();
    let moved = sandbox.root().join("moved");
    fs_err::rename(sandbox.work(), &moved).unwrap();
    fs_err::create_dir(sandbox.work()).unwrap();
    let ran = conference(&sandbox, &["resume", moved.to_str().unwrap()]).exits(4);
    let ran = ran.fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert!(
        ran.stderr.contains("expected: root [SANDBOX]/work"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("found: root [SANDBOX]/moved"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_never_began_is_not_resumed() {
    let sandbox = root("- **Host:** local");
    approve(&sandbox);
    conference(&sandbox, &["resume"])
        .exits(6)
        .fails("BLOCKED_APPROVAL_REQUIRED");
    assert!(!sandbox.work().join(EVENTS).exists());
    assert!(!sandbox.work().join("conference.lock").exists());
    let legacy = "{\"event\": \"round.1.completed\", \"payload\": {}}\n";
    fs_err::write(sandbox.work().join(EVENTS), legacy).unwrap();
    let before = sandbox.tree();
    conference(&sandbox, &["resume"])
        .exits(6)
        .fails("LEGACY_UNRECEIPTED");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn what_has_ended_is_told_and_left_alone() {
    let sandbox = on_command(CHILD);
    approve(&sandbox);
    conference(&sandbox, &["run"]).ok();
    let before = events(&sandbox).len();
    let ran = conference(&sandbox, &["resume", "--json"]).exits(0);
    assert_eq!(ran.json()["state"], "COMPLETE");
    assert_eq!(events(&sandbox).len(), before);
    // Also where its child is gone, which nobody needs any more; but it was approved.
    fs_err::remove_file(sandbox.work().join("child.sh")).unwrap();
    stale(&sandbox, "host");
}

#[test]
fn a_forged_history_that_holds_in_itself_is_found_by_its_seal() {
    use lithermes::engine::event::Line;
    let sandbox = cut_off();
    let path = sandbox.work().join(EVENTS);
    let text = fs_err::read_to_string(&path).unwrap();
    let mut last = None;
    let mut forged = String::new();
    for line in text.lines() {
        let mut event = serde_json::from_str::<Line>(line).unwrap().event;
        if let lithermes::engine::event::Event::VerdictRecorded { reason, .. } = &mut event {
            reason.push_str(", surely");
        }
        let line = Line::following(last, event, "2026-01-02T03:04:05Z".parse().unwrap());
        last = Some((line.seq, line.timestamp));
        forged.push_str(&serde_json::to_string(&line).unwrap());
        forged.push('\n');
    }
    assert_ne!(forged, text);
    fs_err::write(&path, forged).unwrap();
    // By itself it holds.
    conference(&sandbox, &["status"]).ok();
    stale(&sandbox, SEALED);
}

/// Between the calls of a session the ledger is read back to the approval, which everything that it
/// says of the conference stands behind; what lies before is for `skill-loop verify`.
#[test]
fn a_session_reads_the_ledger_back_to_the_approval() {
    let held = Held::with(&format!("{PLAN}- **Host:** handoff\n"));
    held.approve();
    held.edit("conference.md", "**Count:** 2", "**Count:** 3");
    held.approve();
    held.conference(&["next"]).ok();
    fs_err::create_dir(held.path("other")).unwrap();
    let text = held.text("conference.md").replace("## Host", "## Host\n");
    fs_err::write(held.path("other/conference.md"), text).unwrap();
    let check = held.conference(&["check", "other", "--json"]).json();
    let digest = check["approval_digest"].as_str().unwrap();
    held.conference(&["approve", "other", "--digest", digest])
        .ok();
    let ledger = held.sandbox.ledger();
    let whole = fs_err::read_to_string(&ledger).unwrap();
    assert_eq!(whole.lines().count(), 3, "{whole}");
    let edited = |number: usize| {
        let lines = whole.split_inclusive('\n').enumerate();
        let edit = |(at, line): (usize, &str)| match at + 1 == number {
            true => line.replace("tester@", "somebody@"),
            false => line.to_owned(),
        };
        fs_err::write(&ledger, lines.map(edit).collect::<String>()).unwrap();
    };
    let receive = || {
        let args = ["conference", "receive", "-"];
        held.sandbox.run_with(&args, "I looked everywhere.")
    };
    edited(1);
    let ran = receive().exits(3);
    assert_eq!(ran.stdout, "no id: rejected (malformed)\n");
    assert_eq!(ran.stderr, "");
    held.sandbox.run(&["skill-loop", "verify"]).exits(7);
    edited(3);
    // The lock's file names who asked last.
    let tree = || held.sandbox.tree().without("work/conference.lock");
    let before = tree();
    let ran = receive().exits(4).fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("ledger line 3 "), "{}", ran.stderr);
    assert_eq!(differences(&before, &tree()), Vec::<String>::new());
    fs_err::write(&ledger, &whole).unwrap();
    receive().exits(3);
}
