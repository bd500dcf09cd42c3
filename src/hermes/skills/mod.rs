//! The skills of a home and whose they are (skill-loop.md §4, hermes-host.md §2).
//!
//! Promises: the catalogue holds what the host discovers, under the names that it shows; an
//! owner is decided from files alone, without following a link below the home.

mod catalogue;
mod external;
mod fingerprint;
mod names;
mod owners;
mod similar;
mod walk;

#[cfg(test)]
mod tests;

/// Characters of a `SKILL.md` that the host takes.
pub const SKILL_CHARS: usize = 100_000;
/// Bytes of any other file of a skill that the host takes.
pub const FILE_BYTES: usize = 1 << 20;

pub use catalogue::{CatalogEntry, Surveyed, catalogue, survey};
pub use fingerprint::{Fingerprint, fingerprint, locate};
pub use names::{Names, collisions, is_same};
pub use owners::{Owner, Owners, SHIPPED};
pub(super) use owners::{is_true, object};
pub use similar::similar;
pub(super) use walk::real_head;
