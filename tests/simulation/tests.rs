//! Some hundred schedules, and those that once found a fault.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Outcome, run};

/// Seeds that found a fault of the engine, and which. They stand for these only as long as
/// `schedule.rs`, `children.rs` and `world.rs` draw in the same order.
const CORPUS: [(u64, &str); 16] = [
    (1, "a replacement took what lanes that still waited needed"),
    (65, "the deadline ended what had its packet"),
    (88, "rows were recorded twice after a crash"),
    (28, "verdicts were recorded twice after a crash"),
    (66, "more rounds than were approved"),
    (90, "more calls of research than were approved"),
    (49, "a lost probe was sent out again"),
    (147, "a lost poster was sent out again without end"),
    (305, "a lost reviewer was sent out again without end"),
    (52, "what was set aside was never given back"),
    (62, "the last replacement was set aside and never sent"),
    (214, "a clock that went back gave more time"),
    (94, "a charter of more than 96 KiB"),
    (16, "the reviewer of the last round was not told so"),
    (4, "lanes were not told that time leaves no other round"),
    (68, "the report did not know the value that met the target"),
];

/// So many schedules, from seed 1 on.
const SCHEDULES: u64 = 240;

#[test]
fn every_schedule_keeps_every_promise() {
    let (next, all) = (AtomicU64::new(1), Mutex::new(Outcome::default()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > SCHEDULES {
                return;
            }
            let outcome = run(seed).unwrap_or_else(|why| panic!("{why}"));
            all.lock().unwrap().add(&outcome);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let all = all.into_inner().unwrap();
    println!(
        "{SCHEDULES} schedules, {} lines, {} checks: {:#?}",
        all.lines, all.checks, all.happened
    );
    // A world in which nothing happens would prove nothing.
    let rare = [
        "crash",
        "clock step",
        "deadline.passed",
        "stop CONVERGED",
        "stop CONVERGED_PLATEAU",
        "stop STALLED",
        "stop BUDGET_STOP",
        "stop CANCELLED",
        "stop BLOCKED_NO_VALID_PACKET",
        "stop BLOCKED_MULTI_AGENT_UNAVAILABLE",
        "researcher.stuck",
        "echo Other",
        "refused: secret",
        "held in another order",
    ];
    for what in rare {
        assert!(all.happened.contains_key(what), "nothing came to: {what}");
    }
}

#[test]
fn what_once_broke_holds() {
    for (seed, what) in CORPUS {
        run(seed).unwrap_or_else(|why| panic!("again, {what}: {why}"));
    }
}

#[test]
fn a_seed_gives_the_same_conference_again() {
    for seed in [3, 20, 66] {
        let [first, again] = [(); 2].map(|()| run(seed).unwrap_or_else(|why| panic!("{why}")));
        assert_eq!(
            (first.lines, first.checks, first.happened),
            (again.lines, again.checks, again.happened)
        );
    }
}
