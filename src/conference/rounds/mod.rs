//! The round protocol: research, poster, review, transfer, until a rule ends it
//! (conference.md A6, A8, B 3).
//!
//! Promises: pure; every id is accounted exactly once; nothing goes out that the budget does not
//! hold; no phase begins before every id of the one before it has its end.

pub mod budget;
pub mod charters;
pub mod converge;
pub mod judge;
pub mod lost;
pub mod next;
pub mod pause;
pub mod receive;
pub mod rows;
mod stages;
pub mod terms;

#[cfg(test)]
pub(in crate::conference) mod tests;
