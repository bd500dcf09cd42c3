//! lithermes: what a Hermes agent learned becomes a pending proposal; a person reads the exact diff
//! and applies it, rejects it or rolls it back, and every decision has a receipt. Research by several
//! agents becomes a bounded conference, whose price a person approved and whose findings were
//! reviewed.
//!
//! # The house
//!
//! A room knows only rooms on floors below its own (rooms of one floor may know each other where
//! that makes no circle); `tests/house.rs` proves it.
//!
//! | floor | room | what is in it, and what it promises |
//! |---|---|---|
//! | 6 | [`cmd`] | one file a command: select, plan, confirm, act, report |
//! | 5 | [`skill_loop`] | observations, review packets, proposals and the decisions on them: documents, queue, plans, receipts, recovery, audit |
//! | 5 | [`conference`] | conferences: conditions, totals and approval; the rounds, who drives them, and what they leave behind |
//! | 4 | [`engine`] | what every protocol shares: charters, packets, events, the state that they make, the journal |
//! | 3 | [`hermes`] | the host as it is found on disk: home, skills and owners, sessions, frontmatter, curator, ancestry |
//! | 3 | [`ledger`] | the append-only, hash-chained log; knows no skill |
//! | 3 | [`store`] | the private git repository; the only room that knows gix |
//! | 3 | [`term`] | output, diffs, tables, questions; with `cmd` the only room that prints or asks |
//! | 2 | [`guard`] | what comes from outside, checked: names, secrets, JSON, visible text |
//! | 2 | [`disk`] | the only room that writes files: beneath a root, flushed, exchanged, locked |
//! | 2 | [`process`] | a child with deadline, group, clean environment and bounded output; proves that none is left |
//! | 1 | [`error`] [`args`] [`digest`] [`clock`] [`count`] | codes and exits; the command line; hashes; the time; how many of what |
//!
//! # How a decision goes
//!
//! [`skill_loop::decision`] computes a plan without a lock, a person approves it, and under the lock
//! ([`skill_loop::workplace`]) it is computed again and must be the same. Then, each step flushed
//! before the next: objects into the store, the opening line into the ledger, the files one by one,
//! the closing line, the branch, the queue file. Whatever a crash leaves between the two lines,
//! the next writing command settles from ledger and store alone.
//!
//! # How a conference goes
//!
//! [`conference::plan`] reads `conference.md`, [`conference::gate`] computes its price and the digest
//! that a person approves. [`conference::rounds`] says, from the state that events make and nothing
//! else, what comes next; [`conference::driver`] does it, with children of a host or for a session
//! that carries packets itself. An event is flushed before what it announces, so that whoever comes
//! later goes on where the events end.
#[cfg(not(unix))]
compile_error!("lithermes needs a Unix system: it relies on openat, rename and flock");

pub mod args;
pub mod clock;
pub mod cmd;
pub mod conference;
pub mod count;
pub mod digest;
pub mod disk;
pub mod engine;
pub mod error;
pub mod guard;
pub mod hermes;
pub mod ledger;
pub mod process;
pub mod skill_loop;
pub mod store;
pub mod term;
