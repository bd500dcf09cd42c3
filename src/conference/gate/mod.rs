//! The gate (conference.md A3): what a conference will cost at most, and the digest of all that a
//! person approves.
//!
//! Promises: totals and digest are functions of values; a changed number is another digest.

mod approval;
mod conditions;
mod program;
mod room;
#[cfg(test)]
mod tests;
mod totals;

pub use approval::{Approval, Grant, HostTerms, Stop};
pub use conditions::{Asked, Conditions};
pub use program::{NamedFile, Program, file_digest};
pub use totals::{Calls, Totals, totals};
