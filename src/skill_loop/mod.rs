//! The skill loop: proposals, and the decisions that people take on them (skill-loop.md).
//!
//! What happened is an [`observation`], which changes nothing. A document becomes
//! [`proposal::Draft`]s, which [`import`] checks against the home and puts into the [`queue`].
//! [`assess`] says what a proposal would write; a [`decision`] writes it, between two lines of the
//! ledger that [`receipt`] spells; `recovery` settles what a kill left.

pub mod assess;
pub mod audit;
pub mod change;
mod credentials;
pub mod decision;
mod fields;
mod folder;
pub mod import;
pub mod observation;
pub mod outcome;
pub mod overview;
pub mod proposal;
pub mod queue;
pub mod receipt;
mod recovery;
mod slot;
pub mod standing;
pub mod workplace;
