//! The bounded research conference (conference.md of the specification): what a person writes
//! down, and what it will cost before anything runs.
//!
//! [`plan`] reads `conference.md` and tells every fault at once; [`gate`] computes from it the
//! totals and the digest that a person approves; [`root`] is the folder that they stand in.

pub mod gate;
pub mod plan;
pub mod root;
