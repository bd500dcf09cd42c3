//! One lane's search: ask, measure, tell.

use super::draw::{Draw, Seed};
use super::space::{NoSpace, Point, Space, Spot};
use super::strategy::Strategy;
use super::trials::{History, Trials};
use crate::engine::charter::{Direction, Parameter};

/// Spots of which a contrarian takes the one that is farthest from all others.
const OFFERS: usize = 24;
/// What lies nearer to a validated best is agreed on.
const NEAR: f64 = 0.1;

/// A lane in one round.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    space: Space,
    strategy: Strategy,
    is_contrarian: bool,
    seed: Seed,
    trials: Trials,
}

impl Search {
    /// A search of `parameters`, the lane's part of the space, that goes on after `history`.
    ///
    /// # Errors
    /// [`NoSpace`] for a parameter without a value, or one that is named twice.
    pub fn new(
        strategy: Strategy,
        contrarian: bool,
        parameters: &[Parameter],
        direction: Direction,
        seed: Seed,
        history: &History,
    ) -> Result<Self, NoSpace> {
        let space = Space::new(parameters)?;
        let trials = Trials::new(&space, direction, history);
        Ok(Self {
            space,
            strategy,
            is_contrarian: contrarian,
            seed,
            trials,
        })
    }

    /// What to measure next; the same until it is told. `None` when every point was asked.
    pub fn ask(&self) -> Option<Point> {
        let mut draw = Draw::new(&self.seed, self.trials.turn);
        let spot = if self.is_contrarian {
            self.contrary(&mut draw)
        } else {
            self.usual(&mut draw)
        };
        spot.map(|spot| self.space.point(&spot))
    }

    /// What came of a point: the median that was measured, `None` where that failed.
    pub fn tell(&mut self, point: &Point, value: Option<f64>) {
        self.trials.tell(&self.space, point, value);
    }

    /// The lane's own best so far.
    pub fn best(&self) -> Option<Point> {
        self.trials
            .best()
            .map(|sample| self.space.point(&sample.spot))
    }

    fn usual(&self, draw: &mut Draw) -> Option<Spot> {
        // What is best elsewhere is first tried at the nearest spot within this lane's part.
        let hint = self
            .trials
            .hint
            .clone()
            .filter(|spot| !self.trials.asked.has(spot));
        hint.or_else(|| {
            self.strategy
                .next(&self.space, &self.trials, &self.seed, draw)
        })
    }

    /// Every second question goes where nobody was; the others follow the lane's own trials, away
    /// from what the others agree on.
    fn contrary(&self, draw: &mut Draw) -> Option<Spot> {
        if self.trials.turn.is_multiple_of(2) {
            return self.farthest(draw);
        }
        let alone = self.trials.alone();
        let spot = self.strategy.next(&self.space, &alone, &self.seed, draw)?;
        if self.is_agreed(&spot) {
            self.farthest(draw)
        } else {
            Some(spot)
        }
    }

    /// Whether other lanes have a validated best near this spot.
    fn is_agreed(&self, spot: &Spot) -> bool {
        let mut known = self.trials.known.iter();
        known.any(|sample| self.space.distance(&sample.spot, spot) < NEAR)
    }

    /// Of some spots, the one that is farthest from every other that was measured; one that is
    /// agreed on only where all are.
    fn farthest(&self, draw: &mut Draw) -> Option<Spot> {
        let mut farthest: Option<(f64, Spot)> = None;
        for _ in 0..OFFERS {
            let spot = self.space.unasked(&self.trials.asked, draw)?;
            let away = self.nearest(&spot) - f64::from(self.is_agreed(&spot));
            if farthest.as_ref().is_none_or(|(most, _)| away > *most) {
                farthest = Some((away, spot));
            }
        }
        farthest.map(|(_, spot)| spot)
    }

    /// How far the nearest spot is that was measured.
    fn nearest(&self, spot: &Spot) -> f64 {
        let samples = self.trials.all();
        let distances = samples.map(|sample| self.space.distance(&sample.spot, spot));
        distances.fold(f64::INFINITY, f64::min)
    }
}
