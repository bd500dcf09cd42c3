//! The skill loop: proposals, and the decisions that people take on them (skill-loop.md).

pub mod change;
pub mod proposal;
