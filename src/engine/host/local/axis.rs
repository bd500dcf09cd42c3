//! One parameter as a search sees it: a line of values, each a number.
//!
//! Promises: what an axis gives lies in its domain, whatever it is asked for; every axis is
//! finite, for even real numbers have a next one.

use serde_json::{Number, Value};

use super::draw::Draw;
use crate::engine::charter::Domain;

/// From here on a float has no fraction.
const WHOLE: f64 = (1_u64 << 53) as f64;

/// The values of one parameter. A value is the number itself, or the place of a choice.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Axis {
    /// Numbers from the first to the second.
    Real(f64, f64),
    /// Whole numbers from the first to the second, both whole.
    Whole(f64, f64),
    /// Words, each once.
    Choice(Vec<String>),
}

impl Axis {
    /// `None` where the domain has no value.
    pub(super) fn new(domain: &Domain) -> Option<Self> {
        match domain {
            Domain::Range { min, max, integer } => Self::range(*min, *max, *integer),
            Domain::Choice { choices } => Self::choice(choices),
        }
    }

    fn range(min: f64, max: f64, integer: bool) -> Option<Self> {
        let (low, high) = if integer {
            (min.ceil(), max.floor())
        } else {
            (min, max)
        };
        let is_range = low.is_finite() && high.is_finite() && low <= high;
        // Minus zero is zero, so that one value has one spelling.
        let (low, high) = (low + 0.0, high + 0.0);
        is_range.then_some(if integer {
            Self::Whole(low, high)
        } else {
            Self::Real(low, high)
        })
    }

    fn choice(words: &[String]) -> Option<Self> {
        let mut choices: Vec<String> = Vec::new();
        for word in words {
            if !choices.contains(word) {
                choices.push(word.clone());
            }
        }
        (!choices.is_empty()).then_some(Self::Choice(choices))
    }

    /// The value that a candidate names; `None` outside the domain.
    pub(super) fn read(&self, value: &Value) -> Option<f64> {
        match self {
            Self::Real(low, high) => value.as_f64().filter(|at| at >= low && at <= high),
            Self::Whole(low, high) => value
                .as_f64()
                .filter(|at| at >= low && at <= high && at.fract() == 0.0),
            Self::Choice(choices) => {
                let word = value.as_str()?;
                choices
                    .iter()
                    .position(|choice| choice == word)
                    .map(|place| place as f64)
            }
        }
        .map(|at| at + 0.0)
    }

    /// The value that comes nearest to what a candidate names: the first where nothing is near.
    pub(super) fn nearest(&self, value: Option<&Value>) -> f64 {
        let number = value.and_then(Value::as_f64);
        match (self, number) {
            (Self::Real(low, high), Some(at)) => at.clamp(*low, *high) + 0.0,
            (Self::Whole(low, high), Some(at)) => at.round().clamp(*low, *high) + 0.0,
            _ => value
                .and_then(|value| self.read(value))
                .unwrap_or(self.first()),
        }
    }

    /// A value as a candidate spells it.
    pub(super) fn write(&self, at: f64) -> Value {
        match self {
            Self::Real(..) => Number::from_f64(at).map_or(Value::Null, Value::Number),
            // From 2^63 on, a whole number is spelled as a float is.
            Self::Whole(..) if at.abs() < i64::MAX as f64 => Value::from(at as i64),
            Self::Whole(..) => Number::from_f64(at).map_or(Value::Null, Value::Number),
            Self::Choice(choices) => choices
                .get(at as usize)
                .map_or(Value::Null, |word| Value::from(word.as_str())),
        }
    }

    /// Any value, each as likely as the next.
    pub(super) fn random(&self, draw: &mut Draw) -> f64 {
        match self {
            Self::Whole(low, high) if high - low < WHOLE => {
                low + draw.below((high - low) as u64 + 1) as f64
            }
            Self::Choice(choices) => draw.index(choices.len()) as f64,
            Self::Real(..) | Self::Whole(..) => self.at(draw.unit()),
        }
    }

    /// Where a value lies between the first, 0, and the last, 1.
    pub(super) fn unit(&self, at: f64) -> f64 {
        let (low, high) = self.ends();
        let width = high - low;
        let unit = if width.is_finite() {
            (at - low) / width
        } else {
            (at / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
        };
        // An axis of one value divides nothing by nothing.
        if unit.is_nan() {
            0.0
        } else {
            unit.clamp(0.0, 1.0)
        }
    }

    /// The value nearest to that place between the ends; beyond them, the end.
    pub(super) fn at(&self, unit: f64) -> f64 {
        let (low, high) = self.ends();
        let unit = unit.clamp(0.0, 1.0);
        let width = high - low;
        let at = if width.is_finite() {
            low + unit * width
        } else {
            low * (1.0 - unit) + high * unit
        };
        let at = if matches!(self, Self::Real(..)) {
            at
        } else {
            at.round()
        };
        at.clamp(low, high) + 0.0
    }

    /// How far one value is from the next, as a part of the whole: 0 between real numbers.
    pub(super) fn grain(&self) -> f64 {
        let (low, high) = self.ends();
        match self {
            Self::Real(..) => 0.0,
            Self::Whole(..) | Self::Choice(_) => (1.0 / (high - low)).min(1.0),
        }
    }

    /// How many values there are: infinitely many where nobody would count them.
    pub(super) fn count(&self) -> f64 {
        let (low, high) = self.ends();
        match self {
            Self::Real(low, high) if low < high => f64::INFINITY,
            Self::Real(..) => 1.0,
            Self::Whole(..) | Self::Choice(_) => high - low + 1.0,
        }
    }

    /// The value after this one; after the last, `None`.
    pub(super) fn after(&self, at: f64) -> Option<f64> {
        let (_, high) = self.ends();
        let next = match self {
            Self::Real(..) => at.next_up(),
            // Beyond 2^53 every number is whole, and one more is no other number.
            Self::Whole(..) | Self::Choice(_) => (at + 1.0).max(at.next_up()),
        };
        (next <= high).then_some(next + 0.0)
    }

    /// The value before this one.
    pub(super) fn before(&self, at: f64) -> f64 {
        match self {
            Self::Real(..) => at.next_down(),
            Self::Whole(..) | Self::Choice(_) => (at - 1.0).min(at.next_down()),
        }
    }

    /// Where the part with that number begins, when the values are cut in so many.
    pub(super) fn border(&self, number: usize, parts: usize) -> f64 {
        let (number, parts) = (number as f64, parts as f64);
        match self {
            Self::Real(..) => self.at(number / parts),
            Self::Whole(..) if self.count() > WHOLE => self.at(number / parts),
            Self::Whole(..) | Self::Choice(_) => {
                self.first() + (self.count() * number / parts).floor()
            }
        }
    }

    /// The first value.
    pub(super) fn first(&self) -> f64 {
        self.ends().0
    }

    fn ends(&self) -> (f64, f64) {
        match self {
            Self::Real(low, high) | Self::Whole(low, high) => (*low, *high),
            Self::Choice(choices) => (0.0, choices.len().saturating_sub(1) as f64),
        }
    }
}
