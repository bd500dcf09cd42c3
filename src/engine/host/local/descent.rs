//! Coordinate descent: from where it stands, one step along one axis, both ways, axis by axis. A
//! better spot is where it stands from then on; when no step leads to one, steps are half as long.
//! Below the shortest step it begins anew elsewhere.
//!
//! Promises: it stands where its trials say that it stands, whoever asked for them.

use super::axis::Axis;
use super::draw::Draw;
use super::space::{Asked, Space, Spot};
use super::trials::{Sample, Trials};

/// Spots that are looked at before a descent begins, at the better one.
const LOOKS: usize = 2;
/// The first step, as a part of an axis.
const LONGEST: f64 = 0.25;
/// How often steps are halved.
const HALVINGS: u32 = 15;

/// The next spot; `None` where every spot was asked.
pub(super) fn next(space: &Space, trials: &Trials, draw: &mut Draw) -> Option<Spot> {
    let walk = Walk::of(space, trials);
    let step = match &walk.stand {
        Stand::Looking { .. } => None,
        Stand::At(place) => place.steps(space).find(|step| !walk.asked.has(&step.spot)),
    };
    step.map(|step| step.spot)
        .or_else(|| space.unasked(&trials.asked, draw))
}

/// A descent as its trials tell it.
struct Walk {
    stand: Stand,
    asked: Asked,
}

enum Stand {
    /// Where to begin is not settled.
    Looking { best: Option<Sample>, looks: usize },
    /// Steps are taken from here.
    At(Place),
}

struct Place {
    sample: Sample,
    /// How often steps were halved.
    halved: u32,
    /// The axis and the way that led here: tried first.
    axis: usize,
    up: bool,
}

struct Step {
    axis: usize,
    up: bool,
    spot: Spot,
}

impl Walk {
    fn of(space: &Space, trials: &Trials) -> Self {
        let start = trials.best_known().cloned().map(Place::start);
        let stand = start.map_or_else(Stand::looking, Stand::At);
        let mut walk = Self {
            stand,
            asked: trials.elsewhere.clone(),
        };
        for sample in &trials.own {
            walk.asked.add(&sample.spot);
            walk.go(space, sample);
            walk.shorten(space);
        }
        walk
    }

    fn go(&mut self, space: &Space, sample: &Sample) {
        match &mut self.stand {
            Stand::Looking { best, looks } => {
                if best.as_ref().is_none_or(|best| sample.cost < best.cost) {
                    *best = Some(sample.clone());
                }
                *looks += 1;
                let found = best.take_if(|best| *looks >= LOOKS && best.cost.is_finite());
                if let Some(found) = found {
                    self.stand = Stand::At(Place::start(found));
                }
            }
            Stand::At(place) if sample.cost < place.sample.cost => place.follow(space, sample),
            Stand::At(_) => {}
        }
    }

    /// Halves the steps until one leads to a spot that was not asked.
    fn shorten(&mut self, space: &Space) {
        let Stand::At(place) = &mut self.stand else {
            return;
        };
        while place.steps(space).all(|step| self.asked.has(&step.spot)) {
            place.halved += 1;
            if place.halved > HALVINGS {
                self.stand = Stand::looking();
                return;
            }
        }
    }
}

impl Stand {
    fn looking() -> Self {
        Self::Looking {
            best: None,
            looks: 0,
        }
    }
}

impl Place {
    fn start(sample: Sample) -> Self {
        Self {
            sample,
            halved: 0,
            axis: 0,
            up: true,
        }
    }

    /// On to a better spot. The step that led there, if one did, is taken again first.
    fn follow(&mut self, space: &Space, sample: &Sample) {
        let step = self.steps(space).find(|step| step.spot == sample.spot);
        if let Some(step) = step {
            (self.axis, self.up) = (step.axis, step.up);
        }
        self.sample = sample.clone();
    }

    fn steps<'a>(&'a self, space: &'a Space) -> impl Iterator<Item = Step> + 'a {
        let count = space.axes().len();
        let axes = (0..count).map(move |turn| (self.axis + turn) % count);
        let both = move |axis| [(axis, self.up), (axis, !self.up)];
        axes.flat_map(both)
            .map(|(axis, up)| self.step(space, axis, up))
    }

    fn step(&self, space: &Space, axis: usize, up: bool) -> Step {
        let mut spot = self.sample.spot.clone();
        spot[axis] = shifted(&space.axes()[axis], spot[axis], self.halved, up);
        Step { axis, up, spot }
    }
}

/// One step along an axis. Choices have no order, so they are a ring, and a step that is halved
/// goes one choice further.
fn shifted(axis: &Axis, at: f64, halved: u32, up: bool) -> f64 {
    let way = if up { 1.0 } else { -1.0 };
    if let Axis::Choice(choices) = axis {
        return (at + way * f64::from(halved + 1)).rem_euclid(choices.len() as f64);
    }
    let length = (LONGEST / f64::from(1_u32 << halved)).max(axis.grain());
    axis.at(axis.unit(at) + way * length)
}
