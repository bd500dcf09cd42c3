//! The skills of a home and whose they are (skill-loop.md §4, hermes-host.md §2).
//!
//! Promises: the catalogue holds what the host discovers, under the names that it shows; an
//! owner is decided from files alone, without following a link below the home.

use crate::disk::Dir;
use crate::error::Result;

/// A skill that the host finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Directory below `H/skills`, with `/` between components.
    pub path: String,
    /// Last component of `path`.
    pub dir_name: String,
    /// Name in the frontmatter, or the directory's.
    pub name: String,
    /// Description, as the host lists it.
    pub description: String,
    /// A link stands on the way to it.
    pub linked: bool,
}

/// Whose a skill is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Nothing is there: whoever creates it owns it.
    Absent,
    /// Agent-owned: marked, and nobody else's.
    Agent,
    /// Read-only for lithermes, with the reason (one sentence part: `pinned in .usage.json`).
    Other(String),
}

/// Every skill that the host discovers below `H/skills`, in its order.
pub fn catalogue(home: &Dir) -> Result<Vec<CatalogEntry>> {
    let _ = home;
    todo!()
}

/// Whose the skill `name` is, directly under `H/skills/<name>/`. `Err(UNSAFE_PATH)` for a link
/// or a thing that is no directory on the way.
pub fn owner(home: &Dir, name: &str) -> Result<Owner> {
    let _ = (home, name);
    todo!()
}

/// What a new skill called `name` would collide with (after NFC and case folding): the directory
/// or frontmatter name of any skill at any depth, or a `<name>.md` anywhere under `H/skills`.
/// Each is described with its path. The directory `H/skills/<name>` itself counts.
pub fn collisions(home: &Dir, name: &str) -> Result<Vec<String>> {
    let _ = (home, name);
    todo!()
}

/// Skills whose name or description is close to a new one's; each is a name, closest first.
pub fn similar(catalogue: &[CatalogEntry], name: &str, description: &str) -> Vec<String> {
    let _ = (catalogue, name, description);
    todo!()
}

/// Skill ids that lithermes itself ships (compiled in, tested against `templates/`).
pub const SHIPPED: [&str; 0] = [];
