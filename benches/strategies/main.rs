//! How often the embedded strategies find what is best, beside random search with the same budget:
//! `cargo bench --bench strategies`.
//!
//! Each cell counts conferences: those that found one of the best 1 %, one of the best 0.1 %, and
//! the best of all. `LITHERMES_BENCH_SEEDS` says how many conferences, 20 where it does not.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and one that cannot go on has failed"
)]

mod arena;

use arena::{Arena, Lanes};
use lithermes::engine::host::local::Strategy;

/// Shares of the points that may be asked.
const BUDGETS: [f64; 4] = [0.05, 0.02, 0.01, 0.005];
/// Shares of the best values; 0 is the best.
const SHARES: [f64; 3] = [0.01, 0.001, 0.0];

fn main() {
    // `cargo test --benches` only wants to know whether this builds.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let said = std::env::var("LITHERMES_BENCH_SEEDS").ok();
    let seeds = said.and_then(|seeds| seeds.parse().ok()).unwrap_or(20);
    let columns = columns();
    for arena in arena::all() {
        println!(
            "\n{}: {} points, {seeds} conferences",
            arena.name,
            arena.points()
        );
        print!("{:>16}", "asks");
        columns
            .iter()
            .for_each(|lanes| print!("{:>18}", lanes.name));
        println!();
        BUDGETS
            .iter()
            .for_each(|budget| row(&arena, &columns, *budget, seeds));
    }
}

fn columns() -> [Lanes; 7] {
    let three = Lanes::three();
    let contrarian = Lanes {
        name: "C contrarian",
        is_contrarian: true,
        ..three.clone()
    };
    let assigned = Lanes {
        name: "assigned",
        is_assigned: true,
        ..three.clone()
    };
    [
        Lanes::random(),
        Lanes::new("tpe", [Strategy::Tpe; 3]),
        Lanes::new("descent", [Strategy::Descent; 3]),
        Lanes::new("annealing", [Strategy::Annealing; 3]),
        three,
        contrarian,
        assigned,
    ]
}

fn row(arena: &Arena, columns: &[Lanes], budget: f64, seeds: u64) {
    print!("{:>6.1} % = {:>5}", budget * 100.0, arena.asks(budget));
    for lanes in columns {
        let found = arena.found(lanes, budget, &SHARES, seeds);
        print!(
            "{:>18}",
            format!("{} / {} / {}", found[0], found[1], found[2])
        );
    }
    println!();
}
