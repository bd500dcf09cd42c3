//! Parzen estimators: one density of the good trials, one of all others, and the next spot is
//! where the first is large beside the second (a TPE without the tree, over all axes at once).
//!
//! Promises: every kernel is Student's t with two degrees of freedom, whose density, integral and
//! quantile need no more than square roots, so that every machine computes the same bits.

use super::axis::Axis;
use super::draw::Draw;
use super::space::{Space, Spot};
use super::trials::{Sample, Trials};

/// Trials before there is a model.
const LOOKS: usize = 6;
/// Spots that are compared for each question.
const OFFERS: usize = 24;
/// One trial in so many is good,
const GOOD_OF: usize = 7;
/// but at most so many are.
const MOST_GOOD: usize = 24;
/// How much of every density is spread evenly, so that no value is out of reach.
const EVEN: f64 = 0.1;
/// The narrowest kernel, and the widest, as parts of an axis.
const WIDTHS: (f64, f64) = (0.01, 0.5);

/// The next spot; `None` where every spot was asked.
pub(super) fn next(space: &Space, trials: &Trials, draw: &mut Draw) -> Option<Spot> {
    if trials.own.len() < LOOKS {
        return space.unasked(&trials.asked, draw);
    }
    let mut samples: Vec<&Sample> = trials.all().collect();
    samples.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let (good, other) = samples.split_at(samples.len().div_ceil(GOOD_OF).min(MOST_GOOD));
    let (good, other) = (Density::new(space, good), Density::new(space, other));
    let mut best: Option<(f64, Spot)> = None;
    for _ in 0..OFFERS {
        let spot = good.sample(space, draw);
        if trials.asked.has(&spot) {
            continue;
        }
        let worth = good.at(space, &spot) / other.at(space, &spot);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, spot));
        }
    }
    best.map(|(_, spot)| spot)
        .or_else(|| space.unasked(&trials.asked, draw))
}

/// The mean of kernels around samples.
struct Density {
    /// For each sample a kernel on each axis.
    around: Vec<Vec<Kernel>>,
}

impl Density {
    fn new(space: &Space, samples: &[&Sample]) -> Self {
        let widths: Vec<f64> = (0..space.axes().len())
            .map(|place| width(space, samples, place))
            .collect();
        let kernels = |sample: &&Sample| {
            let places = space.axes().iter().zip(&sample.spot).zip(&widths);
            places
                .map(|((axis, at), width)| Kernel::new(axis, *at, *width, samples.len()))
                .collect()
        };
        Self {
            around: samples.iter().map(kernels).collect(),
        }
    }

    /// A spot as likely as it is dense.
    fn sample(&self, space: &Space, draw: &mut Draw) -> Spot {
        let kernels = &self.around[draw.index(self.around.len())];
        space
            .axes()
            .iter()
            .zip(kernels)
            .map(|(axis, kernel)| kernel.sample(axis, draw))
            .collect()
    }

    /// How dense it is there beside an even spread.
    fn at(&self, space: &Space, spot: &Spot) -> f64 {
        let places: Vec<(f64, f64)> = space
            .axes()
            .iter()
            .zip(spot)
            .map(|(axis, at)| (*at, axis.unit(*at)))
            .collect();
        let product = |kernels: &Vec<Kernel>| -> f64 {
            kernels
                .iter()
                .zip(&places)
                .map(|(kernel, (at, unit))| kernel.at(*at, *unit))
                .product()
        };
        self.around.iter().map(product).sum::<f64>() / self.around.len().max(1) as f64
    }
}

/// Width of the kernels on an axis: the spread of the samples, less where there are many. One more
/// sample is thought of, spread evenly, so that a few that lie close together are not all that is.
fn width(space: &Space, samples: &[&Sample], place: usize) -> f64 {
    let axis = &space.axes()[place];
    let count = samples.len() as f64;
    let units = || samples.iter().map(|sample| axis.unit(sample.spot[place]));
    let mean = units().sum::<f64>() / count.max(1.0);
    let squares: f64 = units().map(|unit| (unit - mean) * (unit - mean)).sum();
    let spread = ((squares + 1.0 / 12.0) / (count + 1.0)).sqrt() / (count + 1.0).sqrt().sqrt();
    spread.max(axis.grain() / 2.0).clamp(WIDTHS.0, WIDTHS.1)
}

/// Density around one value.
enum Kernel {
    /// One word of so many; `even` of it is spread over all, the less the more samples there are.
    Word { at: f64, count: f64, even: f64 },
    /// Numbers near this one; `height` makes the whole 1.
    Near { unit: f64, width: f64, height: f64 },
}

impl Kernel {
    fn new(axis: &Axis, at: f64, width: f64, samples: usize) -> Self {
        if let Axis::Choice(choices) = axis {
            let count = choices.len() as f64;
            let even = EVEN.max(1.0 / (1.0 + samples as f64));
            return Self::Word { at, count, even };
        }
        let unit = axis.unit(at);
        let (low, high) = ends(unit, width);
        let height = 1.0 / (width * (high - low));
        Self::Near {
            unit,
            width,
            height,
        }
    }

    fn even(&self) -> f64 {
        match self {
            Self::Word { even, .. } => *even,
            Self::Near { .. } => EVEN,
        }
    }

    fn at(&self, at: f64, unit: f64) -> f64 {
        let dense = match self {
            Self::Word {
                at: centre, count, ..
            } => {
                if *centre == at {
                    *count
                } else {
                    0.0
                }
            }
            Self::Near {
                unit: centre,
                width,
                height,
            } => {
                let t = (unit - centre) / width;
                let square = 2.0 + t * t;
                height / (square * square.sqrt())
            }
        };
        let even = self.even();
        (1.0 - even) * dense + even
    }

    fn sample(&self, axis: &Axis, draw: &mut Draw) -> f64 {
        if draw.unit() < self.even() {
            return axis.random(draw);
        }
        match self {
            Self::Word { at, .. } => *at,
            Self::Near { unit, width, .. } => {
                let (low, high) = ends(*unit, *width);
                axis.at(unit + width * quantile(low + draw.unit() * (high - low)))
            }
        }
    }
}

/// How much of a kernel lies before the first value, and before the last.
fn ends(unit: f64, width: f64) -> (f64, f64) {
    (below(-unit / width), below((1.0 - unit) / width))
}

/// How much of Student's t lies below.
fn below(t: f64) -> f64 {
    0.5 + t / (2.0 * (2.0 + t * t).sqrt())
}

/// Below what so much of it lies.
fn quantile(share: f64) -> f64 {
    (2.0 * share - 1.0) / (2.0 * share * (1.0 - share)).sqrt()
}
