//! What every protocol of a conference shares: charters, packets, events, accounts, budget, and
//! the state that events make (conference.md A1, A5, A8).
//!
//! Promises: but for [`journal`] and [`host`] pure. No file, no clock, no randomness: time and
//! bytes come in as values, and the same events give the same state, at every prefix.

pub mod charter;
pub mod event;
pub mod host;
pub mod id;
pub mod journal;
pub mod packet;
pub mod state;
