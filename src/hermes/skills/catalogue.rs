//! What the host lists.

use std::collections::HashSet;

use super::walk::{Found, Reach, walk};
use crate::disk::Dir;
use crate::error::Result;
use crate::hermes::frontmatter::lenient;

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

/// Every skill that the host discovers below `H/skills`, in its order: by path, and of two with
/// one name the first.
///
/// What the host hides by settings (`skills.disabled`, `platforms`, `environments`) is in it, and
/// what it takes from `skills.external_dirs` is not. A file that is no UTF-8 after its first
/// 16,000 bytes is listed here and dropped by the host. `IO_ERROR` beyond 100,000 directories.
pub fn catalogue(home: &Dir) -> Result<Vec<CatalogEntry>> {
    let mut entries = Vec::new();
    walk(home, Reach::Skills, &mut |found| {
        if let Found::Skill {
            path,
            dir_name,
            head: Some(head),
            linked,
        } = found
        {
            entries.extend(entry(path, dir_name, &head, linked));
        }
    })?;
    entries.sort_by_cached_key(|entry| sort_key(&entry.path));
    let mut seen = HashSet::new();
    entries.retain(|entry| seen.insert(entry.name.clone()));
    Ok(entries)
}

/// The host sorts the paths of the files, so that `a-b` comes before `a`.
fn sort_key(path: &str) -> String {
    format!("{path}/SKILL.md")
}

fn entry(path: &str, dir_name: &str, head: &str, linked: bool) -> Option<CatalogEntry> {
    let listed = lenient(head);
    if listed.dropped {
        return None;
    }
    let own = || dir_name.chars().take(64).collect();
    Some(CatalogEntry {
        path: path.to_owned(),
        dir_name: dir_name.to_owned(),
        name: listed.name.unwrap_or_else(own),
        description: listed.description.unwrap_or_default(),
        linked,
    })
}
