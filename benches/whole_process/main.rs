//! Figures of whole processes, side by side with Hermes: `cargo bench`.
//!
//! `LITHERMES_BENCH_HERMES` names the `hermes` to compare with, else the one that `.ci/run` put
//! below `target/` is taken; without any the ratios are left out. In each round every row runs
//! once, and Hermes once, so that whatever else the machine does hits all alike.
//! `LITHERMES_BENCH_ROUNDS` says how many rounds.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and one that cannot go on has failed"
)]

mod documents;
mod home;
mod packed;
mod session;
mod table;

use std::time::Instant;

use serde_json::json;

use home::{Home, draft};
use lithermes::guard::secret::redact;
use table::{Limit, Table};

/// Skills, and pending proposals, of the homes that are compared.
const SIZES: [usize; 3] = [10, 1_000, 10_000];
/// Lines of the long ledger.
const LINES: usize = 100_000;

fn main() {
    // `cargo test --benches` only wants to know whether this builds.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let homes = SIZES.map(|size| {
        let home = Home::with_skills(size);
        let ids = home.propose((0..size).map(documents::patch).collect());
        (size, home, ids)
    });
    let anchor = missing_anchor();
    let long = Home::with_ledger(LINES);
    let (ledger, lock) = long.ledger();
    let recent = ledger.last().unwrap().unwrap().entry.id;
    let packed = packed::home(LINES / 2);
    let told = session::home(1_000, 10_000);
    let text = session::prose(10 << 20);

    let mut table = Table::new();
    table.row("lithermes --version", Limit::Milliseconds(5.0), |_| {
        long.time(&["--version"])
    });
    for (size, home, ids) in &homes {
        applies(&mut table, *size, home, ids);
    }
    for (size, home, ids) in &homes {
        reads(&mut table, *size, home, ids);
    }
    notes(&mut table, &told);
    table.row(
        "redact 10 MB of prose (library)",
        Limit::Milliseconds(100.0),
        |_| {
            let start = Instant::now();
            assert_eq!(redact(&text).len(), text.len());
            start.elapsed()
        },
    );
    table.row(
        "propose, oldString missing in 100 kB",
        Limit::Milliseconds(20.0),
        |_| anchor.time_with(&["skill-loop", "propose", "miss.json"], 4),
    );
    table.row(
        "ledger of 100,000: append (library)",
        Limit::None,
        |round| {
            let start = Instant::now();
            ledger.append(&lock, draft(round)).unwrap();
            start.elapsed()
        },
    );
    table.row(
        "ledger of 100,000: lookup of a recent id",
        Limit::None,
        |_| {
            let start = Instant::now();
            ledger.find(&recent).unwrap();
            start.elapsed()
        },
    );
    table.row(
        "verify, chain of 100,000",
        Limit::Milliseconds(500.0),
        |_| long.time(&["skill-loop", "verify"]),
    );
    table.row(
        "verify, 50,000 decisions, objects packed",
        Limit::Milliseconds(3_000.0),
        |_| packed.time(&["skill-loop", "verify"]),
    );
    table.print();
    peak("verify", &packed, &["skill-loop", "verify"], 200);
    peak("review", &told, &REVIEW, 100);
}

/// The command that reads everything that it can.
const REVIEW: [&str; 4] = ["skill-loop", "review", "--session", "latest"];

fn peak(name: &str, home: &Home, args: &[&str], target: u64) {
    match home.peak_memory(args) {
        Some(kilobytes) => println!(
            "peak memory of that {name}: {} MB (target {target})",
            kilobytes / 1024
        ),
        None => println!("peak memory of that {name}: not known on this system"),
    }
}

/// Records and reads in a home of 1,000 skills with a session of 10,000 messages.
fn notes<'a>(table: &mut Table<'a>, told: &'a Home) {
    table.row(
        "observe, session of 10,000 messages",
        Limit::OfHermes(3.0),
        move |round| {
            let observed = format!("The user corrected this {round} times.");
            told.time(&[
                "skill-loop",
                "observe",
                "--session",
                "latest",
                "--signal",
                "correction",
                "--skill",
                &documents::name(0),
                "--observed",
                &observed,
                "--proposal",
                "SKILL.md: say so.",
            ])
        },
    );
    table.row(
        "review, session of 10,000 messages",
        Limit::OfHermes(3.0),
        move |_| told.time(&REVIEW),
    );
}

/// Each round undoes what it applied, untimed, so that all rounds find the same.
fn applies<'a>(table: &mut Table<'a>, size: usize, home: &'a Home, ids: &'a [String]) {
    let first = format!("apply a patch, {} skills", SIZES[0]);
    let limit = match size {
        _ if size == SIZES[0] => Limit::OfHermes(25.0),
        _ => Limit::OfRow(first, 1.3),
    };
    table.row(
        &format!("apply a patch, {size} skills"),
        limit,
        move |round| {
            let number = round % size;
            let took = home.time(&["skill-loop", "apply", &ids[number]]);
            home.take_back(documents::patch(number));
            took
        },
    );
    let create = home.propose(vec![documents::create()]).remove(0);
    table.row(
        &format!("apply a create, {size} skills"),
        Limit::None,
        move |_| {
            let took = home.time(&["skill-loop", "apply", &create]);
            home.take_back(documents::create());
            took
        },
    );
}

fn reads<'a>(table: &mut Table<'a>, size: usize, home: &'a Home, ids: &'a [String]) {
    let limit = |at: usize, part: f64| match at == size {
        true => Limit::OfHermes(part),
        false => Limit::None,
    };
    table.row(
        &format!("propose, {size} skills"),
        limit(1_000, 10.0),
        move |round| {
            let mut document = documents::patch(0);
            document["rationale"] = json!(format!("The user corrected this {round} times."));
            home.write("one.json", &document.to_string());
            home.time(&["skill-loop", "propose", "one.json"])
        },
    );
    table.row(
        &format!("show, {size} pending"),
        limit(1_000, 10.0),
        move |round| home.time(&["skill-loop", "show", &ids[round % size]]),
    );
    table.row(
        &format!("list, {size} pending"),
        limit(10_000, 2.0),
        move |_| home.time(&["skill-loop", "list", "--json"]),
    );
}

/// A patch of a long skill whose `oldString` has forty lines that are nearly there.
fn missing_anchor() -> Home {
    let home = Home::with_skills(1);
    let line = |part: &str, n: usize| format!("Line {n} says what to do with {part} {n}.\n");
    let body: String = (0..2_500).map(|n| line("part", n)).collect();
    home.write_skill(0, &(documents::skill(0) + &body[..97_000]));
    let mut document = documents::patch(0);
    let anchor: String = (0..40).map(|n| line("piece", n)).collect();
    document["patch"]["oldString"] = json!(anchor);
    home.write("miss.json", &document.to_string());
    home
}
