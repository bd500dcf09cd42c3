//! lithermes: what an agent learned, decided by a person.
#[cfg(not(unix))]
compile_error!("lithermes needs a Unix system: it relies on openat, rename and flock");

pub mod args;
pub mod clock;
pub mod cmd;
pub mod digest;
pub mod disk;
pub mod error;
pub mod guard;
pub mod hermes;
pub mod ledger;
pub mod skill_loop;
pub mod store;
pub mod term;
