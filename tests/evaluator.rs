//! Measurements by real evaluators: each failure has its reason, and none is a stop.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use lithermes::conference::evaluator::{Evaluator, Measured};
use lithermes::engine::charter::Direction;
use lithermes::engine::packet::Candidate;
use lithermes::process::Cancel;
use serde_json::json;

use crate::support::place::{LONG, Place, SHORT, SLACK};

fn words(script: &str) -> Vec<OsString> {
    ["/bin/sh", "-c", script].map(OsString::from).to_vec()
}

fn evaluator(place: &Place, script: &str) -> Evaluator {
    let job = place.sh(script, LONG);
    Evaluator {
        argv: job.argv,
        guard: None,
        environment: job.environment,
        time: LONG,
        noise_runs: 1,
        direction: Direction::Maximize,
        scale: None,
        shim: job.shim,
    }
}

fn candidate() -> Candidate {
    let values = json!({"level": 7, "kind": "fast"});
    Candidate {
        values: serde_json::from_value(values).unwrap(),
    }
}

/// Measures, and nothing is left behind.
#[track_caller]
fn measure(place: &Place, evaluator: &Evaluator) -> Measured {
    let cancel = Cancel::new().unwrap();
    let measured = evaluator.measure(&candidate(), LONG, &cancel).unwrap();
    assert_eq!(measured.doubts, Vec::<String>::new());
    assert_eq!(place.living(), Vec::<String>::new());
    measured
}

#[test]
fn a_candidate_is_read_from_standard_input_and_its_digest_is_that_of_its_bytes() {
    let place = Place::new();
    let script = "cat >$HERE/seen; cat >>$HERE/seen; ls -A; echo 4.5; echo because >&2";
    let measured = measure(&place, &evaluator(&place, script));
    let seen = fs_err::read(place.path("seen")).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&seen),
        r#"{"kind":"fast","level":7}"#
    );
    assert_eq!(measured.evaluation.raw, [4.5]);
    assert_eq!(measured.evaluation.median, Some(4.5));
    assert_eq!(measured.evaluation.reason, None);
    assert_eq!(
        measured.evaluation.digest,
        lithermes::digest::sha256_hex(&seen)
    );
    assert_eq!((measured.exit, measured.log.as_str()), (0, "because\n"));
}

#[test]
fn every_failure_has_its_reason() {
    for (script, reason, exit) in [
        ("echo 1; exit 3", "exit", 3),
        ("echo 1; kill -KILL $$", "exit", 137),
        ("echo 1; exec sleep 100000", "timeout", 124),
        ("trap '' TERM; while :; do sleep 100; done", "timeout", 124),
        (":", "output", 0),
        ("echo fast", "output", 0),
        ("echo 1; echo 2", "output", 0),
        ("echo NaN", "output", 0),
        ("yes 1", "output", 0),
        ("echo '{\"pass\": false, \"score\": 3}'", "guard", 0),
    ] {
        let place = Place::new();
        let mut evaluator = evaluator(&place, script);
        if reason == "timeout" {
            evaluator.time = SHORT;
        }
        let measured = measure(&place, &evaluator);
        assert_eq!(
            measured.evaluation.reason.as_deref(),
            Some(reason),
            "{script}"
        );
        assert_eq!(
            (measured.exit, measured.evaluation.median),
            (exit, None),
            "{script}"
        );
        assert!(!measured.detail.is_empty(), "{script}");
    }
    let place = Place::new();
    let mut missing = evaluator(&place, ":");
    missing.argv = vec![OsString::from("/no/such/program")];
    let measured = measure(&place, &missing);
    assert_eq!(measured.evaluation.reason.as_deref(), Some("exit"));
    assert_eq!(measured.exit, 127);
}

/// Prints 5, 1, 9, … one a run.
const COUNTING: &str = "n=$(cat $HERE/runs 2>/dev/null); set -- $VALUES; \
    for value in $n; do shift; done; echo $n x >$HERE/runs; echo $1";

fn counting(place: &Place, values: &str) -> Evaluator {
    let mut evaluator = evaluator(place, COUNTING);
    evaluator.environment.insert("VALUES".into(), values.into());
    evaluator.noise_runs = 3;
    evaluator
}

#[test]
fn noise_runs_give_a_median_and_all_are_kept() {
    let place = Place::new();
    let measured = measure(&place, &counting(&place, "5 1 9"));
    assert_eq!(measured.evaluation.raw, [5.0, 1.0, 9.0]);
    assert_eq!(measured.evaluation.median, Some(5.0));
}

#[test]
fn the_first_run_that_fails_is_the_last() {
    let place = Place::new();
    let measured = measure(&place, &counting(&place, "5 none 9"));
    assert_eq!(measured.evaluation.raw, [5.0]);
    assert_eq!(measured.evaluation.median, None);
    assert_eq!(measured.evaluation.reason.as_deref(), Some("output"));
    let runs = fs_err::read_to_string(place.path("runs")).unwrap();
    assert_eq!(runs.matches('x').count(), 2);
}

#[test]
fn the_guard_comes_after_the_runs_and_reads_the_same() {
    let place = Place::new();
    let mut evaluator = counting(&place, "5 1 9");
    let guard = "cat >$HERE/guarded; cp $HERE/runs $HERE/runs-then; [ -z \"$FAIL\" ] || exit $FAIL";
    evaluator.guard = Some(words(guard));
    let measured = measure(&place, &evaluator);
    assert_eq!(measured.evaluation.median, Some(5.0));
    let seen = fs_err::read_to_string(place.path("guarded")).unwrap();
    assert_eq!(seen, r#"{"kind":"fast","level":7}"#);
    let then = fs_err::read_to_string(place.path("runs-then")).unwrap();
    assert_eq!(then.matches('x').count(), 3);

    fs_err::remove_file(place.path("runs")).unwrap();
    evaluator.environment.insert("FAIL".into(), "6".into());
    let measured = measure(&place, &evaluator);
    assert_eq!(measured.evaluation.reason.as_deref(), Some("guard"));
    assert_eq!((measured.exit, measured.evaluation.median), (6, None));
    assert_eq!(measured.evaluation.raw, [5.0, 1.0, 9.0]);
}

#[test]
fn a_guard_that_hangs_or_is_missing_is_a_guard_that_failed() {
    let place = Place::new();
    let mut evaluator = evaluator(&place, "echo 1");
    evaluator.time = Duration::from_secs(2);
    for (guard, exit) in [
        (words("exec sleep 100000"), 124),
        (vec![OsString::from("/no/such/guard")], 127),
    ] {
        evaluator.guard = Some(guard);
        let measured = measure(&place, &evaluator);
        assert_eq!(measured.evaluation.reason.as_deref(), Some("guard"));
        assert_eq!(measured.exit, exit);
    }
}

#[test]
fn the_wall_clock_is_a_limit_too() {
    let place = Place::new();
    let evaluator = evaluator(&place, "exec sleep 100000");
    let begun = Instant::now();
    let cancel = Cancel::new().unwrap();
    let measured = evaluator.measure(&candidate(), SHORT, &cancel).unwrap();
    assert_eq!(measured.evaluation.reason.as_deref(), Some("timeout"));
    assert!(begun.elapsed() < SHORT + SLACK);
}

#[test]
fn what_was_cancelled_was_not_measured() {
    let place = Place::new();
    let fifo = place.fifo("begun");
    let evaluator = evaluator(&place, "echo >$HERE/begun; exec sleep 100000");
    let cancel = Cancel::new().unwrap();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| evaluator.measure(&candidate(), LONG, &cancel));
        fs_err::read(&fifo).unwrap();
        cancel.request();
        assert_eq!(running.join().unwrap(), None);
    });
    assert_eq!(place.living(), Vec::<String>::new());
}
