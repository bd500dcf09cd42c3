//! The ways to search, and which lane goes which way.
//!
//! Promises: few lanes already go different ways.

use super::draw::{Draw, Seed};
use super::space::{Space, Spot};
use super::trials::Trials;
use super::{annealing, descent, tpe};
use crate::engine::id::Lane;

/// A way to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Learns from all trials where good ones are dense.
    Tpe,
    /// Goes from the best spot in ever smaller steps.
    Descent,
    /// Walks, and takes a worse spot by chance.
    Annealing,
    /// Asks anywhere.
    Random,
}

impl Strategy {
    const TURNS: [Self; 4] = [Self::Tpe, Self::Descent, Self::Annealing, Self::Random];

    /// The strategy of a lane: A has the first, and after the last comes the first.
    pub fn of(lane: Lane) -> Self {
        Self::TURNS[lane.number() % Self::TURNS.len()]
    }

    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tpe => "tpe",
            Self::Descent => "coordinate descent",
            Self::Annealing => "simulated annealing",
            Self::Random => "random",
        }
    }

    pub(super) fn next(
        self,
        space: &Space,
        trials: &Trials,
        seed: &Seed,
        draw: &mut Draw,
    ) -> Option<Spot> {
        match self {
            Self::Tpe => tpe::next(space, trials, draw),
            Self::Descent => descent::next(space, trials, draw),
            Self::Annealing => annealing::next(space, trials, seed, draw),
            Self::Random => space.unasked(&trials.asked, draw),
        }
    }
}
