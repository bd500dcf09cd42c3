//! The embedded host `local`: lanes that search without any model (conference.md A4).
//!
//! Promises: pure and deterministic. What is asked next follows from parameters, seed and history
//! alone, so that a lane goes on from events; every point lies within the lane's parameters; none
//! is asked twice.

mod annealing;
mod axis;
mod descent;
mod draw;
mod part;
mod review;
mod search;
mod space;
mod strategy;
#[cfg(test)]
mod tests;
mod tpe;
mod trials;

pub use draw::Seed;
pub use part::part;
pub use review::{Remeasured, judge};
pub use search::Search;
pub use space::{NoSpace, Point};
pub use strategy::Strategy;
pub use trials::{History, Trial};
