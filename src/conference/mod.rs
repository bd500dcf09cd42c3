//! The bounded research conference (conference.md of the specification): what a person writes
//! down, what it will cost, and the rounds that are held.
//!
//! [`plan`] reads `conference.md` and tells every fault at once; [`gate`] computes from it the
//! totals and the digest that a person approves; [`root`] is the folder that they stand in;
//! [`rounds`] says what comes next; [`driver`] does it, with the [`children`] of a host and the
//! [`evaluator`]; [`replay`] holds what is there against what the events say, and [`history`] reads
//! runs of others, of which [`old`] tells what can be told.

pub mod agreed;
pub mod approved;
pub mod artifacts;
pub mod authority;
pub mod children;
pub mod context;
pub mod drift;
pub mod driver;
pub mod evaluator;
pub mod gate;
pub mod history;
pub mod leftovers;
pub mod old;
pub mod plan;
pub mod relayed;
pub mod replay;
pub mod resumed;
pub mod root;
pub mod rounds;
pub mod seal;
pub mod standing;
pub mod subject;
pub mod surroundings;
