//! What a search knows: its own trials in their order, and what reviews validated elsewhere.
//!
//! Promises: nothing else is known, so the same trials lead to the same next question; less is
//! better here, whatever the metric's direction; a value that is no number is a failure.

use super::space::{Asked, Point, Space, Spot};
use crate::engine::charter::Direction;

/// A point that was asked, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Where.
    pub point: Point,
    /// The median that the root measured; `None` where it failed.
    pub value: Option<f64>,
}

/// What a lane begins a round with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// The lane's own trials, of all rounds, in the order in which they were asked.
    pub own: Vec<Trial>,
    /// Validated bests of other lanes.
    pub known: Vec<Trial>,
}

/// A trial within the space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub(super) spot: Spot,
    /// Less is better; infinite where it failed.
    pub(super) cost: f64,
}

/// A history within a space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trials {
    direction: Direction,
    pub(super) own: Vec<Sample>,
    pub(super) known: Vec<Sample>,
    /// Where the best of what is known lies, brought into the space where it lies outside.
    pub(super) hint: Option<Spot>,
    /// Spots that others measured.
    pub(super) elsewhere: Asked,
    /// All spots that were measured.
    pub(super) asked: Asked,
    /// Questions so far.
    pub(super) turn: usize,
}

impl Trials {
    pub(super) fn new(space: &Space, direction: Direction, history: &History) -> Self {
        let mut trials = Self {
            direction,
            own: Vec::new(),
            known: Vec::new(),
            hint: None,
            elsewhere: Asked::default(),
            asked: Asked::default(),
            turn: 0,
        };
        for Trial { point, value } in &history.own {
            trials.tell(space, point, *value);
        }
        trials.learn(space, &history.known);
        trials
    }

    /// One more of the lane's own. A point that is no candidate counts as a question, no more.
    pub(super) fn tell(&mut self, space: &Space, point: &Point, value: Option<f64>) {
        self.turn += 1;
        if let Some(spot) = space.spot(point) {
            self.asked.add(&spot);
            self.own.push(Sample {
                spot,
                cost: self.cost(value),
            });
        }
    }

    fn learn(&mut self, space: &Space, known: &[Trial]) {
        let mut best = f64::INFINITY;
        for Trial { point, value } in known {
            let cost = self.cost(*value);
            let spot = space.spot(point);
            if cost < best {
                best = cost;
                self.hint = spot.is_none().then(|| space.nearest(point));
            }
            if let Some(spot) = spot.filter(|_| cost.is_finite()) {
                self.elsewhere.add(&spot);
                self.asked.add(&spot);
                self.known.push(Sample { spot, cost });
            }
        }
    }

    fn cost(&self, value: Option<f64>) -> f64 {
        match (value.filter(|value| value.is_finite()), self.direction) {
            (Some(value), Direction::Minimize) => value,
            (Some(value), Direction::Maximize) => -value,
            (None, _) => f64::INFINITY,
        }
    }

    /// The same without what others know, but for where they were.
    pub(super) fn alone(&self) -> Self {
        Self {
            known: Vec::new(),
            hint: None,
            ..self.clone()
        }
    }

    /// All that was measured, here or elsewhere.
    pub(super) fn all(&self) -> impl Iterator<Item = &Sample> {
        self.known.iter().chain(&self.own)
    }

    /// The best that is known of other lanes.
    pub(super) fn best_known(&self) -> Option<&Sample> {
        self.known
            .iter()
            .min_by(|one, other| one.cost.total_cmp(&other.cost))
    }

    /// The lane's own best.
    pub(super) fn best(&self) -> Option<&Sample> {
        let measured = self.own.iter().filter(|sample| sample.cost.is_finite());
        measured.min_by(|one, other| one.cost.total_cmp(&other.cost))
    }
}
