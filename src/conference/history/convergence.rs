//! When the rules would have ended a run, round by round (conference.md A6, B 3.8, B 9.1).
//!
//! Promises: only values that a review validated meet the target or make a plateau; the facts
//! stand beside the code; both orders of the rules can be asked.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::figures;
use crate::conference::artifacts::number::decimal;
use crate::conference::artifacts::record::Record;
use crate::conference::rounds::terms::Terms;
use crate::engine::event::StopCode;
use crate::engine::id::Lane;
use crate::engine::packet::Verdict;

/// Rounds in a row that bring nothing before the search is called flat, or stuck.
const WINDOW: usize = 2;
/// Rows in a row without a gain, from which on a lane counts as stuck.
const STUCK: usize = 5;

/// Which rule is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Budget, target, plateau, stall: the order of this program.
    BudgetFirst,
    /// Target, budget, stall, plateau: an older order; a plateau is plain `CONVERGED` in it.
    TargetFirst,
}

/// A run as its files tell it.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Every row, in order.
    pub records: &'a [Record],
    /// When it began.
    pub began: Option<Timestamp>,
    /// When each round ended.
    pub ended: &'a BTreeMap<u32, Timestamp>,
}

/// What the rules say after one round.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The round.
    pub round: u32,
    /// Its best value, reviewed or not.
    pub best: f64,
    /// The mean of its values.
    pub mean: f64,
    /// Seconds since the beginning, where the files tell them.
    pub elapsed: Option<u64>,
    /// The code that ends the run; `None`: it goes on.
    pub stop_code: Option<StopCode>,
    /// A validated value meets the target.
    pub target_met: bool,
    /// Two comparisons in a row brought no gain.
    pub plateau: bool,
    /// All lanes are stuck, or nothing ever got better.
    pub stalled: bool,
    /// Limits that forbid another round: `iterations`, `rounds`, `time`.
    pub budget_hit: Vec<&'static str>,
}

/// What the rules say after each round of a run, as if nobody had stopped it before. Every row
/// counts as an iteration that was paid for.
pub fn replay(terms: &Terms, run: Run<'_>, order: Order) -> Vec<Decision> {
    let figures = figures::of_rounds(run.records, terms.direction());
    let mut window = Window::begin(terms);
    let decision = |(round, figures): (&u32, &figures::RoundFigures)| {
        window.take(terms, run.records, *round);
        let elapsed = elapsed(run, *round);
        let budget_hit = budget_hit(terms, run, *round, elapsed);
        let mut decision = Decision {
            round: *round,
            best: figures.best,
            mean: figures.mean,
            elapsed,
            stop_code: None,
            target_met: window.target_met,
            plateau: window.flat >= WINDOW && window.improved,
            stalled: window.stuck >= WINDOW || (window.flat >= WINDOW && !window.improved),
            budget_hit,
        };
        decision.stop_code = first(
            order,
            Rules {
                budget: !decision.budget_hit.is_empty(),
                target: decision.target_met,
                plateau: decision.plateau,
                stall: decision.stalled,
            },
        );
        decision
    };
    figures.iter().map(decision).collect()
}

/// Which rules hold.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// A limit forbids another round.
    pub budget: bool,
    /// The target is met.
    pub target: bool,
    /// It gets no better.
    pub plateau: bool,
    /// All lanes are stuck.
    pub stall: bool,
}

/// The code of the first rule that holds.
pub fn first(order: Order, holds: Rules) -> Option<StopCode> {
    let rules = match order {
        Order::BudgetFirst => [
            (holds.budget, StopCode::BudgetStop),
            (holds.target, StopCode::Converged),
            (holds.plateau, StopCode::ConvergedPlateau),
            (holds.stall, StopCode::Stalled),
        ],
        Order::TargetFirst => [
            (holds.target, StopCode::Converged),
            (holds.budget, StopCode::BudgetStop),
            (holds.stall, StopCode::Stalled),
            (holds.plateau, StopCode::Converged),
        ],
    };
    let first = rules.into_iter().find(|(holds, _)| *holds);
    first.map(|(_, code)| code)
}

fn elapsed(run: Run<'_>, round: u32) -> Option<u64> {
    let passed = run.ended.get(&round)?.duration_since(run.began?);
    u64::try_from(passed.as_secs()).ok()
}

/// No calls: such a run has no receipts, so that nobody knows how often a child went out. What its
/// rounds take of the calls is what the ceiling and the rounds say already.
fn budget_hit(terms: &Terms, run: Run<'_>, round: u32, elapsed: Option<u64>) -> Vec<&'static str> {
    let rows_of = |wanted: u32| {
        run.records
            .iter()
            .filter(move |row| row.round == wanted)
            .count()
    };
    let spent = run.records.iter().filter(|row| row.round <= round).count();
    // What another round takes is known where there was one; else it takes something.
    let next = rows_of(round + 1).max(1);
    let limits = [
        ("iterations", (spent + next) as u64 > terms.ceiling),
        ("rounds", round >= terms.max_rounds),
        (
            "time",
            elapsed.is_some_and(|elapsed| elapsed >= terms.wall_clock_s),
        ),
    ];
    let hit = limits.into_iter().filter(|(_, is_hit)| *is_hit);
    hit.map(|(name, _)| name).collect()
}

/// What carries over from round to round.
struct Window {
    reference: Option<f64>,
    improved: bool,
    flat: usize,
    stuck: usize,
    target_met: bool,
    lanes: BTreeMap<Lane, LaneSoFar>,
}

#[derive(Default)]
struct LaneSoFar {
    best: Option<f64>,
    flat: usize,
}

impl Window {
    fn begin(terms: &Terms) -> Self {
        Self {
            reference: baseline(terms),
            improved: false,
            flat: 0,
            stuck: 0,
            target_met: false,
            lanes: BTreeMap::new(),
        }
    }

    fn take(&mut self, terms: &Terms, records: &[Record], round: u32) {
        let rows: Vec<&Record> = records.iter().filter(|row| row.round == round).collect();
        let stuck = terms
            .lanes()
            .filter(|lane| self.is_stuck(terms, &rows, *lane))
            .count();
        self.stuck = match stuck == terms.lanes().count() {
            true => self.stuck + 1,
            false => 0,
        };
        let reviewed = rows.iter().any(|row| row.verdict.is_some());
        let all_there = terms
            .lanes()
            .all(|lane| rows.iter().any(|row| row.lane == lane));
        let validated = rows
            .iter()
            .filter(|row| row.verdict == Some(Verdict::Validated));
        let validated: Vec<f64> = validated.filter_map(|row| row.value).collect();
        self.target_met |= terms
            .target
            .as_ref()
            .is_some_and(|target| validated.iter().any(|value| target.is_met_by(*value)));
        if reviewed && all_there {
            self.compare(
                terms,
                figures::best(validated.into_iter(), terms.direction()),
            );
        }
    }

    /// A complete round against the best so far.
    fn compare(&mut self, terms: &Terms, found: Option<f64>) {
        let threshold = terms.threshold(baseline(terms));
        let gain = match (found, self.reference) {
            (Some(found), Some(reference)) => terms.gain(found, reference),
            (Some(_), None) => f64::INFINITY,
            (None, _) => f64::NEG_INFINITY,
        };
        self.flat = if gain > threshold { 0 } else { self.flat + 1 };
        self.improved |= gain > 0.0;
        let values = self.reference.into_iter().chain(found);
        self.reference = figures::best(values, terms.direction());
    }

    /// Whether a lane brought nothing in this round and has brought nothing for long.
    fn is_stuck(&mut self, terms: &Terms, rows: &[&Record], lane: Lane) -> bool {
        let so_far = self.lanes.entry(lane).or_default();
        let mut gained = false;
        let mut sent = false;
        for row in rows.iter().filter(|row| row.lane == lane) {
            sent = true;
            let better = row.value.filter(|value| {
                so_far
                    .best
                    .is_none_or(|best| terms.direction().is_better(*value, best))
            });
            match better {
                Some(value) => (so_far.best, so_far.flat, gained) = (Some(value), 0, true),
                None => so_far.flat += 1,
            }
        }
        !gained && (!sent || so_far.flat >= STUCK)
    }
}

fn baseline(terms: &Terms) -> Option<f64> {
    use crate::engine::charter::Success;
    match &terms.success {
        Success::Metric { baseline, .. } => *baseline,
        Success::Qualitative { .. } => None,
    }
}

/// The decisions under both orders, and in this program's order with time ignored, as a table.
pub fn table(terms: &Terms, run: Run<'_>) -> String {
    let mut timeless = terms.clone();
    timeless.wall_clock_s = u64::MAX;
    let columns = [
        replay(terms, run, Order::BudgetFirst),
        replay(terms, run, Order::TargetFirst),
        replay(&timeless, run, Order::BudgetFirst),
    ];
    let mut text = String::from(
        "| After | Best | Mean | Budget first | Target first | Budget first, time ignored |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let [first, second, third] = &columns;
    for ((one, two), three) in first.iter().zip(second).zip(third) {
        let (best, mean) = (decimal(one.best), one.mean);
        text.push_str(&format!(
            "| R{} | {best} | {mean:.3} | {} | {} | {} |\n",
            one.round,
            told(one),
            told(two),
            told(three)
        ));
    }
    text
}

fn told(decision: &Decision) -> String {
    let Some(code) = decision.stop_code else {
        return "continue".to_owned();
    };
    let code = crate::conference::artifacts::stop_code(code);
    match decision.budget_hit.is_empty() || code != "BUDGET_STOP" {
        true => code.to_owned(),
        false => format!(
            "{code} ({}), target_met={}",
            decision.budget_hit.join(", "),
            decision.target_met
        ),
    }
}
