//! A seeded simulation of conferences: the real engine, in memory, through schedules that no
//! real run would ever meet twice.
//!
//! Promises: one `u64` gives one schedule, and the same schedule the same lines; whatever breaks a
//! promise of the engine is told with its seed.

#![allow(dead_code, reason = "the test and the example each use a part of this")]

mod checker;
mod children;
mod conditions;
mod dice;
mod fate;
mod schedule;
mod tape;
mod world;

use std::collections::BTreeMap;

use checker::Evidence;
use schedule::Schedule;
use tape::Tape;
use world::{Held, World};

/// What a schedule came to.
#[derive(Debug, Default, Clone)]
pub struct Outcome {
    /// Lines of its events.
    pub lines: u64,
    /// Invariants that were checked.
    pub checks: u64,
    /// How often each event, refusal and mishap happened, and how it stopped.
    pub happened: BTreeMap<String, u64>,
}

impl Outcome {
    /// Adds what another came to.
    pub fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.checks += other.checks;
        for (what, count) in &other.happened {
            *self.happened.entry(what.clone()).or_default() += count;
        }
    }
}

/// Runs the schedule of a seed, and checks everything. What broke, with the schedule and the last
/// lines.
pub fn run(seed: u64) -> Result<Outcome, String> {
    let schedule = Schedule::of(seed);
    let told = |why: &str, lines: &[String]| {
        let tail = lines[lines.len().saturating_sub(12)..].join("\n");
        format!("seed {seed}: {why}\n{schedule:#?}\nthe last lines:\n{tail}")
    };
    let held = World::new(&schedule, 0)
        .hold()
        .map_err(|broken| told(&broken.0, &broken.1.lines))?;
    let mut outcome = examined(&schedule, &held).map_err(|why| told(&why, &held.tape.lines))?;
    if let Some(other) = in_another_order(&schedule, &held) {
        let same = other.map_err(|why| told(&why, &held.tape.lines))?;
        outcome.checks += same;
        outcome
            .happened
            .insert("held in another order".to_owned(), 1);
    }
    Ok(outcome)
}

fn examined(schedule: &Schedule, held: &Held) -> Result<Outcome, String> {
    let evidence = Evidence {
        conditions: &schedule.conditions,
        lines: &held.tape.lines,
        charters: Tape::documents(&held.tape.charters),
        packets: Tape::documents(&held.tape.packets),
        written: &held.written,
        refusable: &held.refusable,
        poison: children::POISON,
    };
    let checks = checker::check(&evidence)?;
    let secret = ["gh", "p_"].concat();
    let leaks = held
        .tape
        .lines
        .iter()
        .chain(held.written.iter().map(|(_, text)| text))
        .any(|text| text.contains(&secret));
    if leaks {
        return Err("a secret stands in what was written".to_owned());
    }
    let mut happened = held.happened.clone();
    if let Some(stop) = &held.tape.live.stop {
        let code = lithermes::conference::artifacts::stop_code(stop.stop_code);
        happened.insert(format!("stop {code}"), 1);
    }
    Ok(Outcome {
        lines: held.tape.lines.len() as u64,
        checks: checks + 1,
        happened,
    })
}

/// The same packets in another order of arrival give the same artifacts but for their times;
/// `None` where other packets came, because time or a stop was in the way.
fn in_another_order(schedule: &Schedule, held: &Held) -> Option<Result<u64, String>> {
    let ended = |held: &Held| {
        let state = &held.tape.live;
        let ends = state
            .accounts
            .iter()
            .map(|(call, account)| (*call, account.end.clone()));
        let packets = state
            .packets
            .iter()
            .map(|(call, accepted)| (*call, accepted.digest.clone()));
        (
            ends.collect::<Vec<_>>(),
            packets.collect::<Vec<_>>(),
            state.evaluations.clone(),
            state.stop.clone(),
        )
    };
    if held.tape.live.cancelled || held.tape.live.out_of_time {
        return None;
    }
    let other = match World::new(schedule, 1).hold() {
        Ok(other) => other,
        Err(broken) => return Some(Err(format!("in another order: {}", broken.0))),
    };
    if ended(held) != ended(&other) {
        return None;
    }
    for ((name, text), (_, again)) in held.written.iter().zip(&other.written) {
        if timeless(text) != timeless(again) {
            return Some(Err(format!("{name} depends on the order of arrival")));
        }
    }
    Some(Ok(held.written.len() as u64))
}

/// A text without its times.
fn timeless(text: &str) -> String {
    let is_time = |word: &str| {
        word.len() == 20
            && word.starts_with("20")
            && word.ends_with('Z')
            && word.as_bytes().get(10) == Some(&b'T')
    };
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(|word| if is_time(word.trim_end()) { "T " } else { word })
        .collect()
}

#[cfg(test)]
mod tests;
