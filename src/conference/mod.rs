//! Conferences: bounded research whose budget a person approved (conference.md).

pub mod evaluator;
pub mod rounds;
