//! Some hundred schedules, and those that once found a fault.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Outcome, run};

/// Seeds that found a fault of the engine, and which. They stand for these only as long as
/// `schedule.rs`, `children.rs` and `world.rs` draw in the same order.
const CORPUS: [(u64, &str); 15] = [
    (95, "a replacement took what lanes that still waited needed"),
    (86, "the deadline ended what had its packet"),
    (5, "rows were recorded twice after a crash"),
    (43, "verdicts were recorded twice after a crash"),
    (66, "a round began that the approved calls do not hold"),
    (74, "more calls of research than were approved"),
    (49, "a lost probe was sent out again"),
    (83, "a lost synthesis was sent out again"),
    (30, "what was set aside was never given back"),
    (
        471,
        "what was set aside was never given back, in a later round",
    ),
    (275, "a charter of more than 96 KiB"),
    (67, "the poster of the last round was not told so"),
    (1, "lanes were not told that time leaves no other round"),
    (68, "the report did not know a validated value"),
    (476, "a lane without a score counted as good"),
];

/// So many schedules, from seed 1 on.
const SCHEDULES: u64 = 200;

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
