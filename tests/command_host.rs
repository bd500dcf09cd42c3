//! The host `command`: any program reads a charter and prints a packet.

use std::os::unix::fs::PermissionsExt as _;

use lithermes::engine::charter::Charter;
use lithermes::engine::host::command::{Command, PROBE};
use lithermes::engine::packet;
use lithermes::process::{Cancel, Descendants, Ended, Finished};
use serde_json::json;

use crate::support::place::{LONG, Place};

fn charter(objective: &str) -> Charter {
    let value = json!({
        "schema": "lithermes/charter/v1", "conference_id": "c-3f9c0a1b2c3d",
        "dispatch_id": "c-3f9c0a1b2c3d.r1.A.1", "round": 1, "role": "researcher", "lane": "A",
        "attempt": 1, "objective": objective, "focus": "the whole", "signal": "NORMAL",
        "success": {"mode": "metric", "metric": "seconds", "direction": "minimize",
            "target": "< 0.5", "baseline": 2.4},
        "contrarian": false, "iteration_allowance": 5, "claims_allowed": 16,
        "parameters": [{"name": "level", "min": 1.0, "max": 22.0, "integer": true}],
        "knowledge": [], "claims": [], "read_context": [], "allowed_read_roots": [],
        "forbidden_actions": [], "delegation_allowed": false, "timeout_s": 60,
        "on_cancel": "nothing counts", "packet_schema": {},
    });
    serde_json::from_value(value).unwrap()
}

/// A script of the conference's folder.
fn script(place: &Place, name: &str, text: &str) {
    let path = place.path(name);
    fs_err::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn host(place: &Place, words: &[&str]) -> Command {
    let job = place.sh("", LONG);
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let mut host = Command::new(&place.path(""), &words, job.environment);
    host.shim = job.shim;
    host
}

#[track_caller]
fn run(place: &Place, host: &Command, charter: &Charter) -> Finished {
    let finished = host.run(charter, PROBE, &Cancel::new().unwrap());
    assert_eq!(finished.descendants, Descendants::None);
    place.is_empty(&finished);
    finished
}

#[test]
fn a_program_of_the_root_reads_the_charter_and_its_packet_counts() {
    let place = Place::new();
    let text = "cat >$HERE/seen; cat $1; echo thinking >&2";
    script(&place, "worker.sh", text);
    let packet = json!({
        "dispatch_id": "c-3f9c0a1b2c3d.r1.A.1", "role": "researcher", "status": "completed",
        "claims": [], "uncertainties": [], "recommended_root_actions": [],
        "candidates": [{"values": {"level": 7}}],
    });
    fs_err::write(place.path("packet.json"), packet.to_string()).unwrap();
    let charter = charter("Make it fast: é");
    let host = host(&place, &["./worker.sh", "packet.json"]);
    let finished = run(&place, &host, &charter);
    assert_eq!(finished.ended, Ended::Exited(0));
    assert_eq!(finished.log.text(), "thinking\n");
    let (read, _) = packet::read(&finished.stdout, &charter).unwrap();
    assert_eq!(read.candidates.len(), 1);
    let seen = fs_err::read(place.path("seen")).unwrap();
    assert_eq!(
        seen,
        charter.bytes(),
        "canonical JSON, and nothing after it"
    );
}

#[test]
fn a_packet_at_the_limit_is_whole_and_one_byte_more_is_known_to_be_too_large() {
    let place = Place::new();
    for (size, ended) in [
        (packet::MAX_BYTES, Ended::Exited(0)),
        (packet::MAX_BYTES + 1, Ended::TooLarge),
    ] {
        let line = format!("head -c {size} /dev/zero");
        let finished = run(
            &place,
            &host(&place, &["/bin/sh", "-c", &line]),
            &charter(""),
        );
        assert_eq!(finished.ended, ended);
        assert_eq!(finished.stdout.len(), size);
    }
}

#[test]
fn the_largest_charter_blocks_nobody_who_does_not_read_it() {
    let place = Place::new();
    let charter = charter(&"x".repeat(96 << 10));
    let finished = run(
        &place,
        &host(&place, &["/bin/sh", "-c", "echo deaf"]),
        &charter,
    );
    assert_eq!(finished.ended, Ended::Exited(0));
    assert_eq!(finished.stdout, b"deaf\n");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let place = Place::new();
    script(&place, "bare.sh", "echo found");
    for words in ["./none.sh", "none/none.sh", "bare.sh"] {
        let finished = run(&place, &host(&place, &[words]), &charter(""));
        assert_eq!(finished.ended.reason(), "not_started", "{words}");
    }
}
