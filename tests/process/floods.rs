//! Children that print without end.

use lithermes::process::{Ended, LOG, STDOUT};

use crate::support::place::{LONG, Place};

#[test]
fn output_at_the_limit_counts_and_one_byte_more_does_not() {
    let place = Place::new();
    for (size, ended) in [
        (STDOUT, Ended::Exited(0)),
        (STDOUT + 1, Ended::TooLarge),
        (STDOUT * 3, Ended::TooLarge),
    ] {
        let finished = place.run(&place.sh(&format!("head -c {size} /dev/zero"), LONG));
        assert_eq!(finished.ended, ended, "{size}");
        assert_eq!(finished.stdout.len(), size.min(STDOUT + 1), "{size}");
    }
}

#[test]
fn a_flood_of_output_is_ended_at_once() {
    let place = Place::new();
    for script in [
        "exec cat /dev/zero",
        "trap '' PIPE TERM; while :; do echo more; done",
        "exec sh -c 'yes & exec cat /dev/zero'",
    ] {
        let finished = place.run(&place.sh(script, LONG));
        assert_eq!(finished.ended, Ended::TooLarge, "{script}");
        assert_eq!(finished.ended.reason(), "output");
        assert_eq!(finished.stdout.len(), STDOUT + 1);
    }
}

#[test]
fn a_flood_of_the_log_is_cut_and_the_answer_counts() {
    let place = Place::new();
    let script = "echo first >&2; head -c 50000000 /dev/zero >&2; echo last >&2; echo answer";
    let finished = place.run(&place.sh(script, LONG));
    assert_eq!(finished.ended, Ended::Exited(0));
    assert_eq!(finished.stdout, b"answer\n");
    assert_eq!(finished.log.left_out(), 50_000_000 + 11 - LOG as u64);
    let text = finished.log.text();
    assert!(text.starts_with("first\n") && text.ends_with("last\n"));
    assert!(text.len() < LOG + 100);
}
