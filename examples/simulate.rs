//! Holds many simulated conferences on all cores, and stops at the first that breaks a promise.
//!
//! `cargo run --release --example simulate -- --schedules 1000000 --seed 1 [--seconds 180]`
//! With `--survey` it goes on after a failure, and tells each in one line.
#![allow(missing_docs, unreachable_pub, reason = "an example has no outside")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "an example prints, and one that cannot go on has failed"
)]

#[path = "../tests/simulation/mod.rs"]
mod simulation;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use simulation::{Outcome, run};

/// Schedules between two looks at the clock.
const BATCH: u64 = 64;

struct Asked {
    schedules: u64,
    seed: u64,
    seconds: u64,
    survey: bool,
}

fn main() -> ExitCode {
    let Some(asked) = asked(std::env::args().skip(1)) else {
        println!("usage: simulate [--schedules N] [--seed N] [--seconds N] [--survey]");
        return ExitCode::from(2);
    };
    let began = Instant::now();
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let (all, first) = (Mutex::new((0_u64, Outcome::default())), Mutex::new(None));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        while !failed.load(Ordering::Relaxed)
            && began.elapsed() < Duration::from_secs(asked.seconds)
        {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let end = (start + BATCH).min(asked.schedules);
            let mut some = Outcome::default();
            for number in start..end {
                match run(asked.seed.wrapping_add(number)) {
                    Ok(outcome) => some.add(&outcome),
                    Err(why) if asked.survey => {
                        println!("{}", why.lines().next().unwrap_or_default());
                    }
                    Err(why) => {
                        failed.store(true, Ordering::Relaxed);
                        first.lock().unwrap().get_or_insert(why);
                        return;
                    }
                }
            }
            if start >= end {
                return;
            }
            let mut all = all.lock().unwrap();
            all.0 += end - start;
            all.1.add(&some);
            if all.0 % (BATCH * 256) == 0 {
                println!(
                    "{} schedules in {:.0} s",
                    all.0,
                    began.elapsed().as_secs_f64()
                );
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let (count, outcome) = all.into_inner().unwrap();
    summary(count, &outcome, began.elapsed());
    match first.into_inner().unwrap() {
        Some(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}

fn asked(mut words: impl Iterator<Item = String>) -> Option<Asked> {
    let mut asked = Asked {
        schedules: 10_000,
        seed: 1,
        seconds: u64::MAX,
        survey: false,
    };
    while let Some(word) = words.next() {
        if word == "--survey" {
            asked.survey = true;
            continue;
        }
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--schedules" => asked.schedules = number,
            "--seed" => asked.seed = number,
            "--seconds" => asked.seconds = number,
            _ => return None,
        }
    }
    Some(asked)
}

fn summary(count: u64, outcome: &Outcome, took: Duration) {
    for (what, times) in &outcome.happened {
        println!("{times:>12}  {what}");
    }
    let seconds = took.as_secs_f64();
    println!(
        "{count} schedules in {seconds:.1} s ({:.0} a second), {} lines, {} checks",
        count as f64 / seconds,
        outcome.lines,
        outcome.checks
    );
}
