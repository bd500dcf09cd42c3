//! The skills of a home and whose they are (skill-loop.md §4, hermes-host.md §2).
//!
//! Promises: the catalogue holds what the host discovers, under the names that it shows; an
//! owner is decided from files alone, without following a link below the home.

mod catalogue;
mod external;
mod names;
mod owners;
mod package;
mod similar;
mod walk;

#[cfg(test)]
mod tests;

pub use catalogue::{CatalogEntry, catalogue};
pub use names::{Names, collisions};
pub use owners::{Owner, Owners, SHIPPED, owner};
pub(super) use owners::{is_true, object};
pub use package::{locate, package_digest};
pub use similar::similar;
