//! Conferences: bounded research whose budget a person approved (conference.md).

pub mod artifacts;
pub mod history;
pub mod rounds;
