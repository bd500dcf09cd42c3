//! The bounded research conference (conference.md of the specification): what a person writes
//! down, what it will cost, and the rounds that are held.
//!
//! [`plan`] reads `conference.md` and tells every fault at once; [`gate`] computes from it the
//! totals and the digest that a person approves; [`root`] is the folder that they stand in;
//! [`rounds`] says what comes next; [`driver`] does it, with the [`children`] of a host and the
//! [`evaluator`].

pub mod agreed;
pub mod approved;
pub mod artifacts;
pub mod children;
pub mod drift;
pub mod driver;
pub mod evaluator;
pub mod gate;
pub mod history;
pub mod plan;
pub mod resumed;
pub mod root;
pub mod rounds;
pub mod seal;
pub mod standing;
