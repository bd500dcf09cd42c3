//! Simulated annealing: a walk that now and then goes on from a worse spot, the less often the
//! longer it lasts, in steps that grow shorter. When it is cold it begins anew at the best spot.
//!
//! Promises: whether a worse spot is taken depends on one number of that trial, so the walk can be
//! told again from the trials. That number is held against 1 / (1 + x)² and not against e⁻ˣ (a
//! rule of Tsallis), for a division has the same bits on every machine.

use super::axis::Axis;
use super::draw::{Draw, Seed};
use super::space::{Space, Spot};
use super::trials::{Sample, Trials};

/// Tries for a step to a spot that was not asked.
const TRIES: usize = 32;
/// Trials until it is cold, for each axis and two more.
const PATIENCE: usize = 12;
/// The shortest of the longest steps, as a part of an axis.
const SHORTEST: f64 = 0.005;

/// The next spot; `None` where every spot was asked.
pub(super) fn next(space: &Space, trials: &Trials, seed: &Seed, draw: &mut Draw) -> Option<Spot> {
    let period = PATIENCE * (space.axes().len() + 2);
    let heat = heat(trials.own.len(), period);
    let step = walk(trials, seed, period).and_then(|here| {
        let mut steps = (0..TRIES).map(|_| step(space, &here.spot, heat, draw));
        steps.find(|spot| !trials.asked.has(spot))
    });
    step.or_else(|| space.unasked(&trials.asked, draw))
}

/// From 1 down to nearly 0, and again.
fn heat(turn: usize, period: usize) -> f64 {
    let left = 1.0 - (turn % period) as f64 / period as f64;
    left * left
}

/// Where the walk is after all trials.
fn walk<'a>(trials: &'a Trials, seed: &Seed, period: usize) -> Option<&'a Sample> {
    let mut best = trials.best_known();
    let mut here = best;
    let mut costs = Costs::default();
    for (turn, sample) in trials.own.iter().enumerate() {
        if sample.cost.is_finite() {
            costs.add(sample.cost);
            let heat = heat(turn, period) * costs.scale();
            let is_taken = |from: &Sample| is_taken(sample.cost - from.cost, heat, seed, turn);
            if here.is_none_or(is_taken) {
                here = Some(sample);
            }
            if best.is_none_or(|best| sample.cost < best.cost) {
                best = Some(sample);
            }
        }
        if (turn + 1) % period == 0 {
            here = best;
        }
    }
    here
}

/// Whether a spot that is worse by that much is taken.
fn is_taken(worse: f64, heat: f64, seed: &Seed, turn: usize) -> bool {
    if worse <= 0.0 || heat <= 0.0 {
        return worse <= 0.0;
    }
    let ratio = 1.0 + worse / heat;
    Draw::coin(seed, turn).unit() * ratio * ratio < 1.0
}

/// A step from a spot: along one axis for certain, along the others by chance.
fn step(space: &Space, from: &Spot, heat: f64, draw: &mut Draw) -> Spot {
    let certain = draw.index(from.len());
    let mut spot = from.clone();
    for (place, (axis, at)) in space.axes().iter().zip(&mut spot).enumerate() {
        if place == certain || draw.unit() < heat / 2.0 {
            *at = moved(axis, *at, heat, draw);
        }
    }
    spot
}

fn moved(axis: &Axis, at: f64, heat: f64, draw: &mut Draw) -> f64 {
    if let Axis::Choice(_) = axis {
        return axis.random(draw);
    }
    let longest = (heat / 2.0).max(SHORTEST).max(axis.grain() * 1.5);
    axis.at(axis.unit(at) + longest * draw.around())
}

/// What was measured so far, the best first.
#[derive(Default)]
struct Costs(Vec<f64>);

impl Costs {
    fn add(&mut self, cost: f64) {
        let place = self.0.partition_point(|other| *other < cost);
        self.0.insert(place, cost);
    }

    /// What counts as a difference: a quarter of the way from the best to the median.
    fn scale(&self) -> f64 {
        let median = self.0.get(self.0.len() / 2);
        median
            .zip(self.0.first())
            .map_or(0.0, |(median, best)| (median - best) / 4.0)
    }
}
