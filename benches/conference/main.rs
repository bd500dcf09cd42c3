//! Figures of whole conferences: `cargo bench --bench conference`.
//!
//! A thousand children through `conference run`, from the charter to the durable receipt, beside the
//! same worker started bare and by a pool of Python's `subprocess`; then a long record read back.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and one that cannot go on has failed"
)]

mod bare;
mod held;
mod worker;

use std::time::{Duration, Instant};

use held::Held;

const CROWDS: [usize; 3] = [1, 8, 64];

fn main() {
    if std::env::args().nth(1).as_deref() == Some(worker::WORD) {
        worker::work();
        return;
    }
    // `cargo test --benches` only wants to know whether this builds.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{cores} cores; milliseconds a child, 1,000 children in 37 rounds");
    println!(
        "at once    bare  python  children  overhead  all of it  first 100  last 100  peak MB"
    );
    let held = CROWDS.map(children);
    if let Some(last) = held.last() {
        record(last);
    }
}

fn children(crowd: usize) -> Held {
    let held = Held::new();
    let charters = held.run(&["--slots", &crowd.to_string()]);
    let bare = bare::spawned(&held, crowd);
    let python = bare::python(&held, crowd).map_or("-".to_owned(), each);
    println!(
        "{crowd:7} {:>7} {python:>7} {:>9} {:>9} {:>10} {:>10} {:>9} {:>8}",
        each(bare),
        each(charters.busy),
        each(charters.busy.saturating_sub(bare)),
        each(charters.elapsed),
        milliseconds(charters.median(..100)),
        milliseconds(charters.median(900..)),
        charters
            .peak
            .map_or("-".to_owned(), |kilobytes| (kilobytes / 1024).to_string()),
    );
    held
}

/// Reads the whole record back.
fn record(held: &Held) {
    let lines = held.lines();
    let mut times: Vec<Duration> = (0..11)
        .map(|_| {
            let start = Instant::now();
            held.quietly(&["conference", "status", "--json"]);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let median = times[times.len() / 2];
    println!(
        "status of {lines} events: {} ms, {:.2} s for 100,000 (target 0.5)",
        milliseconds(median),
        median.as_secs_f64() * 100_000.0 / lines as f64
    );
}

/// Of a thousand.
fn each(all: Duration) -> String {
    milliseconds(all / held::CHILDREN)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1_000.0)
}
