//! Some hundred schedules, and those that once found a fault.

use super::{Outcome, run};

/// Seeds of schedules that each found a fault of the engine once.
const CORPUS: [u64; 0] = [];

/// So many schedules, from seed 1 on.
const SCHEDULES: u64 = 400;

#[test]
fn every_schedule_keeps_every_promise() {
    let mut all = Outcome::default();
    for seed in 1..=SCHEDULES {
        all.add(&run(seed).unwrap_or_else(|why| panic!("{why}")));
    }
    println!(
        "{SCHEDULES} schedules, {} lines, {} checks: {:#?}",
        all.lines, all.checks, all.happened
    );
}

#[test]
fn what_once_broke_holds() {
    for seed in CORPUS {
        run(seed).unwrap_or_else(|why| panic!("{why}"));
    }
}
