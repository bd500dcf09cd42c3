//! What a run must withstand: a disk that is full, a root that moves or goes away, files of others,
//! requests to stop at any time, and nobody who listens.

use serde_json::{Value, json};

use crate::support::Saved;
use crate::support::held::{BELIEVES, HEAD, Held, PLAN, ended};

/// A conference of few steps.
fn small() -> Held {
    let plan = PLAN
        .replace("**Count:** 2", "**Count:** 1")
        .replace("round:** 4", "round:** 1")
        .replace("rounds:** 2", "rounds:** 1");
    let held = Held::with(&format!("{plan}- **Host:** local\n"));
    held.approve();
    held
}

fn claims_nothing(held: &Held, at: &str) {
    let status = held.status();
    assert_eq!(status["stop"]["code"], Value::Null, "{at}");
    assert_eq!(held.count("conference.completed"), 0, "{at}");
}

fn steps(held: &Held) -> usize {
    let told = tempfile::NamedTempFile::new().unwrap();
    let mut command = held.sandbox.command();
    command.env("LITHERMES_TEST_STEPS", told.path());
    held.sandbox
        .ran(command.args(["conference", "run"]))
        .exits(8);
    let told = fs_err::read_to_string(told.path()).unwrap();
    told.lines().count()
}

/// Runs with a seam at each step; what `held` says afterwards is what its events say.
fn at_every_step(seam: &str, mut check: impl FnMut(&Held, &crate::support::Ran, &str)) {
    let held = small();
    let saved = Saved::of(&held.sandbox);
    let count = steps(&held);
    assert!(count > 30, "{count}");
    // Every step of the first events and of the end, and some of those between.
    let tried = (1..=count).filter(|step| *step < 24 || count - step < 24 || step % 5 == 0);
    for step in tried {
        let at = format!("{seam} {step} of {count}");
        saved.restore(&held.sandbox);
        let mut command = held.sandbox.command();
        command.env(seam, step.to_string());
        let ran = held.sandbox.ran(command.args(["conference", "run"]));
        check(&held, &ran, &at);
        if held.is_begun() {
            let ran = held.conference(&["check", "--replay", "--json"]);
            assert_eq!(ran.status, 0, "{at}: {}", ran.stdout);
            held.conference(&["cancel"]).ok();
            let state = held.status()["state"].clone();
            assert!(state == "CANCELLED" || state == "COMPLETE", "{at}: {state}");
            let ran = held.conference(&["check", "--replay", "--json"]);
            assert_eq!(ran.status, 0, "{at}, cancelled: {}", ran.stdout);
        }
    }
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_disk_that_is_full_at_any_event_ends_the_run_and_nothing_is_claimed() {
    at_every_step("LITHERMES_TEST_FAIL", |held, ran, at| {
        match ran.status {
            1 => {
                assert!(ran.stderr.contains("error[IO_ERROR]"), "{at}: {ran:?}");
                assert!(!ran.stdout.contains("\nBUDGET_STOP\n"), "{at}: {ran:?}");
            }
            // Full only when nothing but the ledger's seal was left to write.
            8 => assert_eq!(held.count("conference.completed"), 1, "{at}"),
            _ => panic!("{at}: {ran:?}"),
        }
    });
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_run_that_is_killed_at_any_step_left_what_its_events_say() {
    at_every_step("LITHERMES_TEST_STOP", |_, ran, at| {
        assert!([-1, 8].contains(&ran.status), "{at}: {ran:?}");
    });
}

#[test]
fn a_file_that_may_grow_no_further_ends_the_run() {
    let held = Held::local();
    held.approve();
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' conference run",
        program.display()
    );
    let mut sh = held.sandbox.process("/bin/sh");
    let out = sh.args(["-c", &script]).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("error[IO_ERROR]"), "{said}");
    claims_nothing(&held, "EFBIG");
}

/// A file system without room, where this user may mount one.
#[test]
fn a_file_system_that_fills_up_ends_the_run() {
    let may = std::process::Command::new("unshare")
        .args(["-rm", "sh", "-c", "mount -t tmpfs none /mnt"])
        .output();
    if !may.is_ok_and(|ran| ran.status.success()) {
        return;
    }
    for pages in [6, 10, 18] {
        let held = Held::local();
        held.edit("conference.md", "<= 0", "<= -1");
        held.approve();
        let program = assert_cmd::cargo::cargo_bin!("lithermes");
        let script = format!(
            "cp -a . ../kept && mount -t tmpfs -o size={}k none . && cd ../work && cp -a ../kept/. . \
             || exit 99; '{}' conference run; status=$?; cp -a . ../kept; exit $status",
            pages * 4,
            program.display()
        );
        let mut unshare = held.sandbox.process("unshare");
        let out = unshare.args(["-rm", "sh", "-c", &script]).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{pages} pages: {said}");
        assert!(said.contains("error[IO_ERROR]"), "{pages} pages: {said}");
        assert!(
            said.contains("free some disk space"),
            "{pages} pages: {said}"
        );
        let kept = held.sandbox.root().join("kept");
        let events = fs_err::read_to_string(kept.join("conference_events.jsonl"));
        let events = events.unwrap_or_default();
        assert!(!events.contains("conference.completed"), "{pages} pages");
    }
}

#[test]
fn a_root_in_which_nothing_can_be_written_is_told_before_any_child() {
    for (name, is_dir) in [("packets", false), ("conference_events.jsonl", true)] {
        let held = Held::local();
        held.approve();
        match is_dir {
            true => fs_err::create_dir(held.path(name)).unwrap(),
            false => fs_err::write(held.path(name), "in the way").unwrap(),
        }
        let ran = held.conference(&["run"]);
        assert!([1, 3].contains(&ran.status), "{name}: {ran:?}");
        assert!(ran.stderr.contains(name), "{name}: {ran:?}");
        assert!(!ran.stdout.contains(" out, "), "{ran:?}");
    }
}

/// A child of the first round's review does this to the folder of the conference.
fn meddled(does: &str) -> (Held, crate::support::Ran) {
    let child =
        format!("[ $role = reviewer ] && [ $round = 1 ] && {{ {does}; }}\n{BELIEVES}\nat 20");
    let held = Held::command(&child);
    let root = held.sandbox.work();
    let text = format!("{HEAD}{}\n", child.replace("$ROOT", root.to_str().unwrap()));
    held.program("child.sh", &text);
    let ran = held.run();
    (held, ran)
}

#[test]
fn a_root_that_is_moved_away_is_no_success_and_nothing_is_made_where_it_was() {
    let (held, ran) = meddled("cp '$ROOT/child.sh' '$ROOT/../keep'; mv '$ROOT' '$ROOT.moved'");
    let moved = held.sandbox.root().join("work.moved");
    assert!([1, 4].contains(&ran.status), "{ran:?}");
    assert!(!held.sandbox.work().exists());
    let events = fs_err::read_to_string(moved.join("conference_events.jsonl")).unwrap();
    assert!(!events.contains("conference.completed"), "{ran:?}");
}

#[test]
fn a_root_that_is_deleted_is_no_success_and_is_not_made_again() {
    let (held, ran) = meddled("rm -rf '$ROOT'");
    assert!([1, 4].contains(&ran.status), "{ran:?}");
    assert!(ran.stderr.contains("error["), "{ran:?}");
    assert!(!ran.stdout.contains("BUDGET_STOP"), "{ran:?}");
    assert!(!held.sandbox.work().exists());
}

#[test]
fn what_the_root_keeps_in_the_file_is_spliced_again_and_the_rest_is_stale() {
    let more = "sed -i 's/^## Conference Log$/An own line.\\n\\n&/' '$ROOT/conference.md'";
    let (held, ran) = meddled(more);
    assert_eq!(ran.status, 8, "{ran:?}");
    let text = held.text("conference.md");
    assert!(text.contains("## Conference Log\n"), "{text}");
    held.conference(&["check", "--replay"]).ok();
    for changed in ["least cost", "Time budget:** 1h", "level: 1"] {
        let to = changed.replace("least", "most").replace('1', "2");
        let change = format!("sed -i 's/{changed}/{to}/' '$ROOT/conference.md'");
        let (held, ran) = meddled(&change.replace('*', "\\*"));
        ran.exits(4).fails("BLOCKED_STALE_CONFERENCE_STATE");
        assert!(
            held.text("conference.md").contains(&to),
            "it was not written over"
        );
        claims_nothing(&held, changed);
    }
}

#[test]
fn an_edit_of_what_the_root_keeps_does_not_stay() {
    let child = format!(
        "[ $role = synthesis ] && sed -i 's/| Round |.*/& mine/' '$ROOT/conference.md' && cp '$ROOT/conference.md' '$ROOT/edited'\n\
         case $role in synthesis) say; exit ;; esac\n{BELIEVES}\nat 20"
    );
    let held = Held::command(&child);
    let head = HEAD.replace("probe | synthesis)", "probe)");
    let root = held.sandbox.work();
    let child = child.replace("$ROOT", root.to_str().unwrap());
    held.program("child.sh", &format!("{head}{child}\n"));
    held.run().exits(8);
    assert!(held.text("edited").contains(" mine"));
    assert!(!held.text("conference.md").contains(" mine"));
    held.conference(&["check", "--replay"]).ok();
}

#[test]
fn files_of_another_run_are_named_and_nothing_is_begun() {
    for name in [
        "synthesis.md",
        "peer_review_round_9.md",
        "researcher_C_results.tsv",
    ] {
        let held = Held::local();
        held.approve();
        let row = "iteration\tmetric_value\tstatus\n0\t4\tbaseline\n";
        fs_err::write(held.path(name), row).unwrap();
        let ran = held.conference(&["run"]).exits(4);
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
        assert_eq!(held.events(), Vec::<Value>::new());
        assert_eq!(held.text(name), row);
    }
    // What is made beside a new file says nothing yet.
    let held = Held::local();
    let row = "iteration\tmetric_value\tstatus\n0\tTBD\tbaseline\n";
    fs_err::write(held.path("researcher_A_results.tsv"), row).unwrap();
    fs_err::write(held.path("conference_results.tsv"), "").unwrap();
    fs_err::write(held.path("notes.md"), "mine\n").unwrap();
    let ran = held.run();
    assert!([0, 8].contains(&ran.status), "{ran:?}");
    assert_eq!(held.text("notes.md"), "mine\n");
}

#[test]
fn cancel_from_elsewhere_ends_every_phase() {
    // Who of them works for ever; how many ids went out before.
    for (role, event, times) in [
        ("researcher", "dispatch.issued", 1),
        ("reviewer", "dispatch.issued", 3),
        ("synthesis", "dispatch.issued", 7),
        ("evaluator", "dispatch.received", 1),
    ] {
        let slow = format!("[ $role = {role} ] && exec sleep 1000\n");
        let held = Held::command("");
        let head = HEAD.replacen("case $role", &format!("{slow}case $role"), 1);
        held.program("child.sh", &format!("{head}{BELIEVES}\nat 20\n"));
        if role == "evaluator" {
            let evaluator = "#!/bin/sh\nread -r line\n\
                case $line in *level*) exec sleep 1000 ;; esac\necho 9\n";
            held.program("cost.sh", evaluator);
        }
        held.approve();
        let run = held.begun(event, times);
        held.conference(&["cancel"]).ok();
        let ran = ended(run);
        assert_eq!(ran.status, 130, "{role}: {ran:?}");
        let status = held.status();
        assert_eq!(status["state"], "CANCELLED", "{role}");
        assert_eq!(status["awaiting"], json!([]), "{role}");
        let issued = held.count("dispatch.issued");
        assert_eq!(held.count("budget.settled"), issued, "{role}");
        let of = |event: &str| held.count(&format!("dispatch.{event}"));
        assert_eq!(of("received") + of("cancelled"), issued, "{role}");
        assert!(!held.path("cancel.request").exists(), "{role}");
        held.conference(&["check", "--replay"]).ok();
    }
}

#[test]
fn nobody_who_reads_and_nothing_to_read_change_nothing() {
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    for (redirected, code) in [
        ("<&-", 8),
        (">&-", 8),
        ("2>&-", 8),
        ("<&- >&- 2>&-", 8),
        ("| head -n 1", 0),
        ("--json | head -n 1", 0),
    ] {
        let held = Held::local();
        let plan = held.text("conference.md").replace("<= 0", "<= -1");
        fs_err::write(held.path("conference.md"), plan).unwrap();
        held.approve();
        let script = format!("'{}' conference run {redirected}", program.display());
        let mut sh = held.sandbox.process("/bin/sh");
        let out = sh.args(["-c", &script]).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(code), "{redirected}: {said}");
        assert!(!said.contains("panicked"), "{redirected}: {said}");
        assert_eq!(held.status()["state"], "COMPLETE", "{redirected}");
        held.conference(&["check", "--replay"]).ok();
    }
}

#[test]
fn an_end_that_the_ledger_did_not_take_is_sealed_later() {
    let held = small();
    let lock = held.sandbox.ledger().with_file_name("lock");
    let lock = fs_err::File::open(lock).unwrap();
    lock.file().lock().unwrap();
    let ran = held.conference(&["run"]).exits(8);
    assert!(ran.stderr.contains("is not in the ledger yet"), "{ran:?}");
    lock.file().unlock().unwrap();
    let ended = held.text("conference_events.jsonl");
    let seals = || {
        let ledger = fs_err::read_to_string(held.sandbox.ledger()).unwrap();
        ledger.matches("conference.round").count()
    };
    assert_eq!(seals(), 0);
    for _ in 0..2 {
        held.conference(&["resume"]).exits(8);
        assert_eq!(held.text("conference_events.jsonl"), ended);
        assert_eq!(seals(), 1);
        held.conference(&["check", "--replay"]).ok();
    }
    held.sandbox.run(&["skill-loop", "verify"]).ok();
}

#[test]
fn a_request_to_stop_that_came_too_late_is_taken_away() {
    let held = small();
    held.conference(&["run"]).exits(8);
    let ended = held.text("conference_events.jsonl");
    fs_err::write(held.path("cancel.request"), "").unwrap();
    held.conference(&["resume"]).exits(8);
    assert_eq!(held.text("conference_events.jsonl"), ended);
    assert!(!held.path("cancel.request").exists());
    assert_eq!(held.status()["state"], "COMPLETE");
}
