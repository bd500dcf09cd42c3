//! What the host lists.

use std::collections::HashSet;

use super::walk::{Found, HEAD_BYTES, Reach, walk};
use super::{Owner, Owners};
use crate::digest;
use crate::disk::Dir;
use crate::error::Result;
use crate::guard::name::SKILL_FILE;
use crate::hermes::frontmatter::{Listed, uncut};

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

impl CatalogEntry {
    /// Whether the host finds it under this name: its path, its directory's name or its own.
    pub fn is_called(&self, name: &str) -> bool {
        let names = [&self.path, &self.dir_name, &self.name];
        names.iter().any(|known| *known == name)
    }
}

/// A skill of the catalogue, with what somebody has to know who wants to change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// What the host lists.
    pub entry: CatalogEntry,
    /// Name and description before the host cuts them.
    pub uncut: Listed,
    /// Whose it is.
    pub owner: Owner,
    /// Of the `SKILL.md`; `None` where it lies behind a link, is larger than 16 MiB or went away.
    pub sha256: Option<String>,
}

/// No `SKILL.md` that the host takes is nearly so large.
const MOST_BYTES: u64 = 16 << 20;

/// Every skill that the host discovers below `H/skills`, in its order: by path, and of two with
/// one name the first.
///
/// What the host hides by settings (`skills.disabled`, `platforms`, `environments`) is in it, and
/// what it takes from `skills.external_dirs` is not. A file that is no UTF-8 after its first
/// 16,000 bytes is listed here and dropped by the host. `IO_ERROR` beyond 100,000 directories.
pub fn catalogue(home: &Dir) -> Result<Vec<CatalogEntry>> {
    let found = each(home, |_| ())?;
    Ok(found.into_iter().map(|(entry, ..)| entry).collect())
}

/// As [`catalogue`], with owner and digest. Each file is read once, and again only where it is
/// longer than its head.
pub fn survey(home: &Dir, owners: &Owners) -> Result<Vec<Surveyed>> {
    let digest = |head: &str| {
        let is_whole = (head.len() as u64) < HEAD_BYTES;
        is_whole.then(|| digest::sha256_hex(head.as_bytes()))
    };
    let all = each(home, digest)?.into_iter();
    let all = all.map(|(entry, uncut, sha256)| Surveyed {
        owner: owners.of_entry(home, &entry, &uncut),
        sha256: match entry.linked {
            true => None,
            false => sha256.or_else(|| of_whole(home, &entry)),
        },
        entry,
        uncut,
    });
    Ok(all.collect())
}

fn of_whole(home: &Dir, entry: &CatalogEntry) -> Option<String> {
    let dir = home.descend(&format!("skills/{}", entry.path)).ok()??;
    let content = dir.read(SKILL_FILE, MOST_BYTES).ok()??;
    Some(digest::sha256_hex(&content.bytes))
}

/// The skills of a home in the host's order, each with its uncut listing and something that is
/// made of its head.
fn each<T>(home: &Dir, make: impl Fn(&str) -> T) -> Result<Vec<(CatalogEntry, Listed, T)>> {
    let mut entries = Vec::new();
    walk(home, Reach::Skills, &mut |found| {
        if let Found::Skill {
            path,
            dir_name,
            head: Some(head),
            linked,
        } = found
        {
            let listed = uncut(&head);
            let entry = entry(path, dir_name, &listed, linked);
            entries.extend(entry.map(|entry| (entry, listed, make(&head))));
        }
    })?;
    entries.sort_by_cached_key(|(entry, ..)| sort_key(&entry.path));
    let mut seen = HashSet::new();
    entries.retain(|(entry, ..)| seen.insert(entry.name.clone()));
    Ok(entries)
}

/// The host sorts the paths of the files, so that `a-b` comes before `a`.
fn sort_key(path: &str) -> String {
    format!("{path}/SKILL.md")
}

fn entry(path: &str, dir_name: &str, uncut: &Listed, linked: bool) -> Option<CatalogEntry> {
    if uncut.dropped {
        return None;
    }
    let listed = uncut.clone().cut();
    let own = || dir_name.chars().take(64).collect();
    Some(CatalogEntry {
        path: path.to_owned(),
        dir_name: dir_name.to_owned(),
        name: listed.name.unwrap_or_else(own),
        description: listed.description.unwrap_or_default(),
        linked,
    })
}
