//! Who does a child's work (conference.md A2).
//!
//! Promises: one host never stands in for another.

pub mod command;
pub mod hermes;
pub mod local;
