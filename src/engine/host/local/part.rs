//! The part of the space that is one lane's own, where the partition is `assigned`.
//!
//! Promises: the parts of all lanes share no point, and together they are the whole, unless there
//! are more lanes than values: then some lanes share a part.

use super::axis::Axis;
use crate::engine::charter::{Domain, Parameter};

/// The parameters of lane `number` of `lanes`: one parameter is cut, the others are left whole.
/// Cut is the first choice that has a word for each lane, else the first parameter with the most
/// values.
pub fn part(parameters: &[Parameter], number: usize, lanes: usize) -> Vec<Parameter> {
    let mut parts = parameters.to_vec();
    let axes: Vec<Option<Axis>> = parameters
        .iter()
        .map(|one| Axis::new(&one.domain))
        .collect();
    let Some(place) = place(&axes, lanes) else {
        return parts;
    };
    if let Some(axis) = &axes[place] {
        parts[place].domain = cut(axis, number, lanes);
    }
    parts
}

/// Which parameter is cut.
fn place(axes: &[Option<Axis>], lanes: usize) -> Option<usize> {
    let count = |axis: &Option<Axis>| axis.as_ref().map_or(0.0, Axis::count);
    let has_enough =
        |axis: &Option<Axis>| matches!(axis, Some(Axis::Choice(choices)) if choices.len() >= lanes);
    let most = || {
        let counts = axes.iter().map(count).enumerate();
        counts.reduce(|most, next| if next.1 > most.1 { next } else { most })
    };
    axes.iter()
        .position(has_enough)
        .or_else(|| most().map(|(place, _)| place))
}

/// One of so many runs of values that follow each other.
fn cut(axis: &Axis, number: usize, lanes: usize) -> Domain {
    let parts = lanes.clamp(1, (axis.count() as usize).max(1));
    let number = number % parts;
    let (first, next) = (axis.border(number, parts), axis.border(number + 1, parts));
    match axis {
        Axis::Choice(choices) => Domain::Choice {
            choices: choices[first as usize..next as usize].to_vec(),
        },
        Axis::Real(low, high) | Axis::Whole(low, high) => {
            let last = if number + 1 == parts {
                *high
            } else {
                axis.before(next)
            };
            // Too few real numbers to cut: they are shared.
            let (min, max) = if first <= last {
                (first, last)
            } else {
                (*low, *high)
            };
            Domain::Range {
                min,
                max,
                integer: matches!(axis, Axis::Whole(..)),
            }
        }
    }
}
