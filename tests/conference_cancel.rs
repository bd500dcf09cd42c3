//! `conference cancel` with nobody at work: what a killed run left is ended as a run ends, with its
//! report and its receipt, and holds against its own events.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::conference_crash::{
    accounted, approved, artifacts, nobody_lives, resume, run, steps, unfinished,
};
use crate::conference_run::{conference, count, events, program, status};
use crate::support::{Sandbox, Saved};

const REPORT: &str = "final_report.md";

/// A run, and the steps at which it can be killed while it writes files of this name.
fn rehearsed(is_of: impl Fn(&str) -> bool) -> (Sandbox, Saved, Vec<usize>) {
    let sandbox = approved("");
    let saved = Saved::of(&sandbox);
    let steps = steps(&sandbox);
    let numbered = steps.lines().enumerate();
    let of_file = numbered.filter(|(_, step)| is_of(step));
    let stops = of_file.map(|(number, _)| number + 1).collect();
    (sandbox, saved, stops)
}

fn killed_at(sandbox: &Sandbox, saved: &Saved, stop: usize) {
    saved.restore(sandbox);
    let ran = run(sandbox, &[("LITHERMES_TEST_STOP", &stop.to_string())]);
    assert_eq!(ran.status, -1, "{stop}: {ran:?}");
    nobody_lives(sandbox);
}

fn report(sandbox: &Sandbox) -> String {
    fs_err::read_to_string(sandbox.work().join(REPORT)).unwrap()
}

/// The differences that a replay finds.
fn differences(sandbox: &Sandbox) -> Value {
    let ran = conference(sandbox, &["check", "--replay", "--json"]);
    ran.json()["replay"]["differences"].clone()
}

/// It ended as a run that was asked to stop.
#[track_caller]
fn ended_whole(sandbox: &Sandbox, about: &str) {
    assert_eq!(status(sandbox)["state"], "CANCELLED", "{about}");
    let all = events(sandbox);
    let last: Vec<&Value> = all.iter().rev().take(2).map(|one| &one["event"]).collect();
    let wanted = ["conference.cancelled", "cleanup.receipt"];
    assert_eq!(last, wanted, "{about}");
    let check = all[all.len() - 1]["payload"]["check"].as_str().unwrap();
    assert!(check.starts_with("replayed "), "{about}: {check}");
    let text = report(sandbox);
    assert!(text.contains("**stop_code:** CANCELLED"), "{about}: {text}");
    assert_eq!(differences(sandbox), json!([]), "{about}");
    accounted(sandbox);
    assert_eq!(unfinished(sandbox), Vec::<String>::new(), "{about}");
    // It is over, and says so.
    resume(sandbox, &[]).exits(130);
    assert_eq!(events(sandbox).len(), all.len(), "{about}");
}

fn is_publishing(step: &str) -> bool {
    step.contains(".tsv") || step.contains(".md")
}

#[test]
fn a_run_that_was_killed_while_it_published_is_cancelled_whole() {
    let (sandbox, saved, stops) = rehearsed(is_publishing);
    assert!(stops.len() > 30, "{stops:?}");
    let mut unwritten = 0;
    for stop in stops {
        killed_at(&sandbox, &saved, stop);
        if count(&sandbox, "conference.completed") > 0 {
            continue;
        }
        assert_eq!(differences(&sandbox), json!([]), "{stop}");
        let before = artifacts(&sandbox);
        conference(&sandbox, &["cancel"]).ok();
        unwritten += usize::from(before != artifacts(&sandbox));
        ended_whole(&sandbox, &stop.to_string());
    }
    assert!(unwritten > 20, "{unwritten}");
    sandbox.run(&["skill-loop", "verify"]).ok();
}

#[test]
fn a_report_of_another_end_does_not_stay() {
    let (sandbox, saved, stops) = rehearsed(|step| step.contains(REPORT));
    let last = stops.last().copied().unwrap();
    for later in [1, 3, 6] {
        killed_at(&sandbox, &saved, last + later);
        assert!(report(&sandbox).contains("**stop_code:** CONVERGED"));
        conference(&sandbox, &["cancel"]).ok();
        ended_whole(&sandbox, &later.to_string());
    }
}

#[test]
fn a_cancelling_that_was_killed_itself_is_cancelled_whole() {
    let (sandbox, saved, stops) = rehearsed(is_publishing);
    for stop in stops.iter().step_by(9) {
        killed_at(&sandbox, &saved, *stop);
        let left = Saved::of(&sandbox);
        let log = tempfile::NamedTempFile::new().unwrap();
        let cancel = |name: &str, value: &str| {
            let mut command = sandbox.command();
            command.args(["conference", "cancel"]).env(name, value);
            sandbox.ran(&mut command)
        };
        cancel("LITHERMES_TEST_STEPS", log.path().to_str().unwrap()).ok();
        let steps = fs_err::read_to_string(log.path()).unwrap().lines().count();
        for again in (1..=steps).step_by(5) {
            left.restore(&sandbox);
            let ran = cancel("LITHERMES_TEST_STOP", &again.to_string());
            assert_eq!(ran.status, -1, "{stop} {again}: {ran:?}");
            conference(&sandbox, &["cancel"]).ok();
            ended_whole(&sandbox, &format!("{stop} {again}"));
        }
    }
}

#[test]
fn that_it_converged_is_told_once() {
    let (sandbox, saved, stops) = rehearsed(|step| step.contains(REPORT));
    for stop in stops {
        killed_at(&sandbox, &saved, stop);
        assert_eq!(count(&sandbox, "conference.converged"), 1, "{stop}");
        resume(&sandbox, &[]).ok();
        assert_eq!(count(&sandbox, "conference.converged"), 1, "{stop}");
        assert_eq!(differences(&sandbox), json!([]), "{stop}");
    }
}

/// A run that was killed before its last step.
fn left_behind() -> Sandbox {
    let (sandbox, saved, stops) = rehearsed(|step| step.contains(REPORT));
    killed_at(&sandbox, &saved, stops[0]);
    sandbox
}

fn edit(path: PathBuf, from: &str, to: &str) {
    let text = fs_err::read_to_string(&path).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(text, changed, "{}", path.display());
    fs_err::write(path, changed).unwrap();
}

#[test]
fn what_somebody_changed_is_not_written_over() {
    for (file, from, to) in [
        ("conference_results.tsv", "\tbaseline\t", "\tkept\t"),
        ("conference.md", "least cost", "most cost"),
    ] {
        let sandbox = left_behind();
        edit(sandbox.work().join(file), from, to);
        let before = artifacts(&sandbox);
        let ran = conference(&sandbox, &["cancel"]).ok();
        assert!(ran.stderr.contains("nothing was published"), "{ran:?}");
        assert!(ran.stderr.contains(file), "{ran:?}");
        assert_eq!(artifacts(&sandbox), before);
        let stop = events(&sandbox).pop().unwrap();
        assert_eq!(stop["event"], "conference.cancelled");
        let check = stop["payload"]["check"].as_str().unwrap().to_owned();
        assert!(check.starts_with("not replayed: "), "{check}");
        assert!(check.contains(file), "{check}");
        let found = differences(&sandbox);
        assert!(found.to_string().contains(file), "{found}");
        accounted(&sandbox);
    }
}

#[test]
fn what_differs_around_it_does_not_keep_it_open() {
    let sandbox = left_behind();
    program(&sandbox, "cost.sh", "#!/bin/sh\necho 1\n");
    resume(&sandbox, &[])
        .exits(4)
        .fails("BLOCKED_STALE_CONFERENCE_STATE");
    conference(&sandbox, &["cancel"]).ok();
    assert!(report(&sandbox).contains("**stop_code:** CANCELLED"));
    let stop = events(&sandbox).pop().unwrap();
    let check = stop["payload"]["check"].as_str().unwrap().to_owned();
    assert!(check.starts_with("not replayed: "), "{check}");
    assert!(check.contains("cost.sh"), "{check}");
    let found = differences(&sandbox);
    assert_eq!(found.as_array().unwrap().len(), 1, "{found:#}");
    assert!(found[0]["file"].as_str().unwrap().ends_with("cost.sh"));
}

#[test]
fn a_repository_that_moved_on_is_told_before_anything_more_is_spent() {
    let sandbox = approved("");
    let git = |args: &[&str]| {
        let mut git = sandbox.process("git");
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        assert!(git.args(who).args(args).output().unwrap().status.success());
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "one"]);
    let saved = Saved::of(&sandbox);
    let steps = steps(&sandbox);
    let issued = steps.lines().position(|step| step.contains(".tsv"));
    killed_at(&sandbox, &saved, issued.unwrap());
    let before = events(&sandbox).len();
    git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    let ran = resume(&sandbox, &[])
        .exits(4)
        .fails("BLOCKED_STALE_CONFERENCE_STATE");
    let told = "repository (HEAD of the repository)";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert_eq!(events(&sandbox).len(), before);
    git(&["reset", "-q", "--hard", "HEAD^"]);
    resume(&sandbox, &[]).ok();
    // Once it is over it needs the repository no more.
    git(&["commit", "-q", "--allow-empty", "-m", "three"]);
    resume(&sandbox, &[]).ok();
}

/// The lines of the events up to the one that ends a review.
fn up_to_review(text: &str) -> Option<String> {
    let at = text.find("\"event\":\"round.peer_review\"")?;
    let end = at + text[at..].find('\n')? + 1;
    Some(text[..end].to_owned())
}

/// A review was taken, and nothing of it went over: no page says that anything did.
#[test]
fn what_did_not_go_over_before_the_end_is_not_said_to() {
    let (sandbox, saved, writes) = rehearsed(|step| step == "Write conference_events.jsonl");
    let name = sandbox.work().join("conference_events.jsonl");
    // Review and transfer are written in one go, of which a crash may leave the beginning.
    let cut = writes.iter().find_map(|stop| {
        killed_at(&sandbox, &saved, *stop);
        let text = fs_err::read_to_string(&name).unwrap_or_default();
        up_to_review(&text)
    });
    fs_err::write(&name, cut.unwrap()).unwrap();
    let last = events(&sandbox).pop().unwrap();
    assert_eq!(last["event"], "round.peer_review");
    assert!(
        last["payload"]["validated_count"].as_u64() > Some(0),
        "{last}"
    );
    let ran = conference(&sandbox, &["cancel"]).ok();
    assert_eq!(ran.stdout, "Cancelled. Every id is accounted.\n");
    assert_eq!(ran.stderr, "");
    ended_whole(&sandbox, "between review and transfer");
    assert_eq!(count(&sandbox, "knowledge.transferred"), 0);
    let read = |name: &str| fs_err::read_to_string(sandbox.work().join(name)).unwrap();
    let review = read("peer_review_round_1.md");
    assert!(!review.contains("goes over"), "{review}");
    let none = "\nNothing of this round went over to other lanes: the conference ended before.\n";
    assert!(review.contains(none), "{review}");
    let synthesis = read("synthesis.md");
    let none = "\n- Round 1: nothing went over; the conference ended before.\n";
    assert!(synthesis.contains(none), "{synthesis}");
    let none = "| 1 | transfer | none: the conference ended before | - |";
    assert!(report(&sandbox).contains(none), "{}", report(&sandbox));
    let knowledge = read("conference.md");
    assert!(!knowledge.contains("Validated Findings"), "{knowledge}");
}
