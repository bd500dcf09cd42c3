//! What the rows of a run come to: per lane and per round (conference.md B 6.2).
//!
//! Promises: everything is counted from the rows alone; each figure says what it counts.

use std::collections::BTreeMap;

use crate::conference::artifacts::number::tenth;
use crate::conference::artifacts::record::Record;
use crate::engine::charter::Direction;
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;

/// Iterations without a gain, from which on a lane is at level 1, 2 and 3.
const STUCK: [usize; 3] = [3, 5, 7];
/// A gain is a breakthrough when it is more than so many times the average.
const BREAKTHROUGH: f64 = 2.0;
/// So many lanes with a reverted row in one round are a candidate for a systematic failure.
const SYSTEMATIC: usize = 3;

/// One lane over all rounds, in the order of its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneFigures {
    /// Rows with a value or without.
    pub rows: usize,
    /// The first value.
    pub baseline: f64,
    /// The best value.
    pub best: f64,
    /// The last value.
    pub last: f64,
    /// The first row with the best value, counted from 0.
    pub speed: usize,
    /// The same counted from 1 among rows that begin no round; `None` where it is such a row.
    pub speed_within_rounds: Option<usize>,
    /// How much the best is of the baseline, in percent with two decimals; `None` where that is 0.
    pub improvement: Option<f64>,
    /// Rows that were kept, as their file says.
    pub kept: usize,
    /// Rows that were reverted, as their file says.
    pub reverted: usize,
    /// Kept rows that are no gain over the lane's best so far.
    pub ties: usize,
    /// Gains over the best so far: round, iteration, gain.
    pub gains: Vec<Gain>,
    /// All gains together, by the rows after the first.
    pub average_gain: f64,
    /// The longest run of rows that gained nothing.
    pub flat: usize,
    /// The same without the rows that begin a round.
    pub flat_within_rounds: usize,
}

/// A gain over a lane's best so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// In which round.
    pub round: u32,
    /// In which iteration.
    pub iteration: u32,
    /// How much better.
    pub gain: f64,
}

impl LaneFigures {
    /// Kept rows of all rows, in percent with one decimal.
    pub fn success_rate(&self) -> f64 {
        tenth(self.kept as f64 * 100.0 / self.rows as f64)
    }

    /// Kept rows of those that were kept or reverted, likewise; `None` where there is none.
    pub fn keep_rate(&self) -> Option<f64> {
        let decided = self.kept + self.reverted;
        (decided > 0).then(|| tenth(self.kept as f64 * 100.0 / decided as f64))
    }

    /// Gains of more than twice the average.
    pub fn breakthroughs(&self) -> impl Iterator<Item = &Gain> {
        let least = self.average_gain * BREAKTHROUGH;
        self.gains
            .iter()
            .filter(move |gain| least > 0.0 && gain.gain > least)
    }

    /// The highest level of being stuck that the lane reached, 0 to 3.
    pub fn stuck_level(&self) -> usize {
        STUCK.iter().filter(|least| self.flat >= **least).count()
    }
}

/// The figures of one lane; `None` where it has no value.
pub fn of_lane(records: &[Record], lane: Lane, direction: Direction) -> Option<LaneFigures> {
    let own: Vec<&Record> = records.iter().filter(|row| row.lane == lane).collect();
    let values = || own.iter().filter_map(|row| row.value);
    let baseline = values().next()?;
    let mut best = baseline;
    let (mut gains, mut speed) = (Vec::new(), 0);
    let (mut flat, mut run, mut flat_within, mut run_within) = (0, 0, 0, 0);
    let mut ties = 0;
    for (index, row) in own.iter().enumerate().skip(1) {
        let better = row.value.filter(|value| direction.is_better(*value, best));
        if let Some(value) = better {
            gains.push(Gain {
                round: row.round,
                iteration: row.iteration,
                gain: (value - best).abs(),
            });
            (best, speed, run, run_within) = (value, index, 0, 0);
            continue;
        }
        ties += usize::from(row.status == RowStatus::Kept);
        run += 1;
        run_within += usize::from(row.iteration > 0);
        flat = flat.max(run);
        flat_within = flat_within.max(run_within);
    }
    let count = |status| own.iter().filter(|row| row.status == status).count();
    let within = own.iter().take(speed + 1).filter(|row| row.iteration > 0);
    let steps = own.len().saturating_sub(1).max(1);
    let gain = (best - baseline).abs();
    Some(LaneFigures {
        rows: own.len(),
        baseline,
        best,
        last: values().next_back().unwrap_or(baseline),
        speed,
        speed_within_rounds: own
            .get(speed)
            .filter(|row| row.iteration > 0)
            .map(|_| within.count()),
        improvement: (baseline != 0.0)
            .then(|| hundredth((best - baseline) / baseline.abs() * 100.0)),
        kept: count(RowStatus::Kept),
        reverted: count(RowStatus::Reverted),
        ties,
        gains,
        average_gain: gain / steps as f64,
        flat,
        flat_within_rounds: flat_within,
    })
}

/// One round over all lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundFigures {
    /// The best value, reviewed or not.
    pub best: f64,
    /// The mean of all values.
    pub mean: f64,
    /// Lanes with a reverted row.
    pub lanes_reverted: usize,
}

impl RoundFigures {
    /// Whether so many lanes had a reverted row that somebody should look for a common cause.
    pub fn is_suspect(&self) -> bool {
        self.lanes_reverted >= SYSTEMATIC
    }
}

/// The figures of each round that has a value.
pub fn of_rounds(records: &[Record], direction: Direction) -> BTreeMap<u32, RoundFigures> {
    let mut rounds: BTreeMap<u32, Vec<&Record>> = BTreeMap::new();
    for record in records {
        rounds.entry(record.round).or_default().push(record);
    }
    let figures = |(round, rows): (u32, Vec<&Record>)| {
        let values: Vec<f64> = rows.iter().filter_map(|row| row.value).collect();
        let best = best(values.iter().copied(), direction)?;
        let mut reverted: Vec<Lane> = rows
            .iter()
            .filter(|row| row.status == RowStatus::Reverted)
            .map(|row| row.lane)
            .collect();
        reverted.sort_unstable();
        reverted.dedup();
        let figures = RoundFigures {
            best,
            mean: values.iter().sum::<f64>() / values.len() as f64,
            lanes_reverted: reverted.len(),
        };
        Some((round, figures))
    };
    rounds.into_iter().filter_map(figures).collect()
}

/// The row with the best value of all: of equals the earliest by round, time and lane.
pub fn best_row(records: &[Record], direction: Direction) -> Option<&Record> {
    let with_value = records.iter().filter(|row| row.value.is_some());
    let mut sorted: Vec<&Record> = with_value.collect();
    sorted.sort_by_key(|row| (row.round, row.at, row.lane, row.iteration));
    sorted
        .into_iter()
        .reduce(|best, next| match (next.value, best.value) {
            (Some(value), Some(than)) if direction.is_better(value, than) => next,
            _ => best,
        })
}

/// The best of some values.
pub fn best(values: impl Iterator<Item = f64>, direction: Direction) -> Option<f64> {
    values.reduce(|best, next| {
        if direction.is_better(next, best) {
            next
        } else {
            best
        }
    })
}

fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
