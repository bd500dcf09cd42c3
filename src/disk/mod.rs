//! Files: the only room that writes them.
//!
//! Promises: paths are walked from an opened root without following a link; what is written is
//! flushed before it gets its name, and the directory after; a file is never half old, half new.

pub mod beneath;
pub mod durable;
pub mod exchange;
pub mod lock;
pub mod log;
mod step;

pub use beneath::{Content, Dir, Kind, MOST_ENTRIES};
pub use lock::Lock;
