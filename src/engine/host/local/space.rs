//! All that a candidate of one lane may be.
//!
//! Promises: every spot that a space gives is a candidate within its parameters, and no point is
//! two spots; as long as there is a spot that was not asked, it finds one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::axis::Axis;
use super::draw::Draw;
use crate::engine::charter::Parameter;

/// A value for each parameter: what stands in a candidate's `values`.
pub type Point = BTreeMap<String, Value>;

/// A point as a search sees it: a value on each axis.
pub(super) type Spot = Vec<f64>;

/// Random tries before the spots are looked through one by one.
const TRIES: usize = 64;

/// A parameter without a value, or one that is named twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSpace {
    /// Its name.
    pub parameter: String,
}

impl fmt::Display for NoSpace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "the parameter {:?} has no value, or is named twice",
            self.parameter
        )
    }
}

impl std::error::Error for NoSpace {}

/// The parameters of one lane.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Space {
    names: Vec<String>,
    axes: Vec<Axis>,
}

impl Space {
    pub(super) fn new(parameters: &[Parameter]) -> Result<Self, NoSpace> {
        let mut space = Self {
            names: Vec::new(),
            axes: Vec::new(),
        };
        for Parameter { name, domain } in parameters {
            let axis = Axis::new(domain).filter(|_| !space.names.contains(name));
            space.axes.push(axis.ok_or_else(|| NoSpace {
                parameter: name.clone(),
            })?);
            space.names.push(name.clone());
        }
        Ok(space)
    }

    pub(super) fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The spot of a point; `None` where it is no candidate of this space.
    pub(super) fn spot(&self, point: &Point) -> Option<Spot> {
        let values = || {
            self.names
                .iter()
                .zip(&self.axes)
                .map(|(name, axis)| axis.read(point.get(name)?))
        };
        (point.len() == self.axes.len()).then(|| values().collect())?
    }

    /// The spot that comes nearest to a point, whatever that is.
    pub(super) fn nearest(&self, point: &Point) -> Spot {
        let values = self.names.iter().zip(&self.axes);
        values
            .map(|(name, axis)| axis.nearest(point.get(name)))
            .collect()
    }

    /// The point at a spot.
    pub(super) fn point(&self, spot: &Spot) -> Point {
        let values = self.axes.iter().zip(spot).map(|(axis, at)| axis.write(*at));
        self.names.iter().cloned().zip(values).collect()
    }

    /// Any spot, each as likely as the next.
    pub(super) fn random(&self, draw: &mut Draw) -> Spot {
        self.axes.iter().map(|axis| axis.random(draw)).collect()
    }

    /// Any spot that was not asked; `None` when all were.
    pub(super) fn unasked(&self, asked: &Asked, draw: &mut Draw) -> Option<Spot> {
        let mut spot = self.random(draw);
        for _ in 1..TRIES {
            if !asked.has(&spot) {
                return Some(spot);
            }
            spot = self.random(draw);
        }
        // Among more spots than were asked, one was not.
        for _ in 0..=asked.len() {
            if !asked.has(&spot) {
                return Some(spot);
            }
            self.step(&mut spot);
        }
        None
    }

    /// On to the next spot, as the counter of an old car goes: after the last comes the first.
    fn step(&self, spot: &mut Spot) {
        for (axis, at) in self.axes.iter().zip(spot) {
            match axis.after(*at) {
                Some(next) => return *at = next,
                None => *at = axis.first(),
            }
        }
    }

    /// How far two spots are apart, from 0 to 1: the mean over the axes, where two choices are
    /// either the same or as far apart as can be.
    pub(super) fn distance(&self, one: &Spot, other: &Spot) -> f64 {
        let apart = |(axis, (one, other)): (&Axis, (&f64, &f64))| match axis {
            Axis::Choice(_) => f64::from(one != other),
            Axis::Real(..) | Axis::Whole(..) => (axis.unit(*one) - axis.unit(*other)).abs(),
        };
        let total: f64 = self.axes.iter().zip(one.iter().zip(other)).map(apart).sum();
        total / self.axes.len().max(1) as f64
    }
}

/// Spots that were asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asked(BTreeSet<Vec<u64>>);

impl Asked {
    pub(super) fn add(&mut self, spot: &Spot) {
        self.0.insert(Self::key(spot));
    }

    pub(super) fn has(&self, spot: &Spot) -> bool {
        self.0.contains(&Self::key(spot))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// No spot holds NaN, and minus zero is zero: the same value has the same bits.
    fn key(spot: &Spot) -> Vec<u64> {
        spot.iter().map(|at| (at + 0.0).to_bits()).collect()
    }
}
