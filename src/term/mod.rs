//! The terminal: output, diffs, tables and questions. With `cmd` the only room that prints.
//!
//! Promises: colour is decided once, per stream; foreign text reaches a terminal only through
//! `guard::text`; a closed pipe is no error and never undoes a decision; no question is asked
//! where nobody can answer.

pub mod bars;
pub mod diff;
pub mod output;
pub mod prompt;
mod style;
pub mod table;
