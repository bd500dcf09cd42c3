//! One test binary: one link instead of one a subject.

#![allow(
    unreachable_pub,
    missing_docs,
    reason = "a test binary has no outside, and its names say what they test"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

mod agreement;
mod answers;
mod apply;
mod bad_children;
mod command_host;
mod concurrency;
mod conference_cancel;
mod conference_check;
mod conference_crash;
mod conference_damage;
mod conference_disturbed;
mod conference_hermes;
mod conference_place;
mod conference_relay;
mod conference_replay;
mod conference_reviewed;
mod conference_run;
mod contents;
mod crash;
mod curator;
mod damage;
mod doctor;
mod documents;
mod evaluator;
mod examples;
mod exit_codes;
mod failing_disk;
mod faults;
mod generated;
mod grants;
mod hermes_host;
mod hostile;
mod house;
mod json;
mod lanes;
mod list;
mod log;
mod lost_lines;
mod model;
mod no_write;
mod observations;
mod observe;
mod observer_disk;
mod pauses;
mod picker;
mod process;
mod propose;
mod races;
mod readme;
mod reject;
mod review;
mod rollback;
mod screen;
mod shells;
mod show;
mod simulation;
mod stock_git;
mod strategies;
mod surroundings;
mod targets;
mod terminal;
mod tour;
mod verify;

/// A file that nobody lists here would never run.
#[test]
fn no_test_file_is_forgotten() {
    let listed = include_str!("main.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in fs_err::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".rs").filter(|stem| *stem != "main") else {
            continue;
        };
        assert!(
            listed.contains(&format!("\nmod {stem};")),
            "tests/{name} is not in tests/main.rs"
        );
    }
}
