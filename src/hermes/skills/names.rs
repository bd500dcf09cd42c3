//! The names that are taken in a home, and which of them mean the same skill.
//!
//! Promises: one walk, however many names are asked for.

use std::collections::HashMap;

use super::walk::{Found, Reach, walk};
use crate::disk::Dir;
use crate::error::Result;
use crate::guard::name::fold;
use crate::hermes::frontmatter::lenient;

/// Every name that a new skill could collide with, read once.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashMap<String, Vec<String>>,
}

impl Names {
    /// Reads the names below `H/skills`: directory and frontmatter name of every skill, whatever
    /// stands directly in `H/skills`, and each Markdown file that the host would take for a
    /// skill, in excluded directories too. Support files of a skill do not count, as for the host.
    pub fn load(home: &Dir) -> Result<Self> {
        let mut names = Self::default();
        walk(home, Reach::All, &mut |found| names.take(found))?;
        for what in names.taken.values_mut() {
            what.sort_unstable();
            what.dedup();
        }
        Ok(names)
    }

    /// What a new skill called `name` would collide with, after NFC and case folding; each is
    /// described with its path below the home.
    pub fn collisions(&self, name: &str) -> Vec<String> {
        self.taken.get(&fold(name)).cloned().unwrap_or_default()
    }

    fn take(&mut self, found: Found<'_>) {
        match found {
            Found::Skill {
                path,
                dir_name,
                head,
                ..
            } => {
                if !path.is_empty() {
                    self.add(dir_name, format!("skill at skills/{path}"));
                }
                let name = head.and_then(|head| lenient(&head).name);
                if let Some(name) = name.filter(|name| name != dir_name) {
                    let what = format!("skill named `{}` at skills/{path}", name.escape_debug());
                    self.add(&name, what);
                }
            }
            Found::Page { path, stem } => self.add(stem, format!("file skills/{path}")),
            Found::Top { name } => {
                let key = fold(name);
                // A skill directly in `H/skills` says more by itself.
                self.taken
                    .entry(key)
                    .or_insert_with(|| vec![format!("skills/{name}")]);
            }
        }
    }

    fn add(&mut self, name: &str, what: String) {
        let places = self.taken.entry(fold(name)).or_default();
        if what
            .strip_prefix("skill at ")
            .is_some_and(|path| places.iter().any(|p| p == path))
        {
            places.retain(|place| !what.ends_with(place.as_str()));
        }
        places.push(what);
    }
}

/// What a new skill called `name` would collide with (after NFC and case folding): the directory
/// or frontmatter name of any skill at any depth, or a `<name>.md` anywhere under `H/skills`.
/// Each is described with its path. The directory `H/skills/<name>` itself counts. For more than
/// one name, [`Names::load`] reads once.
pub fn collisions(home: &Dir, name: &str) -> Result<Vec<String>> {
    Ok(Names::load(home)?.collisions(name))
}

/// Whether two names can mean one skill: the host takes a skill by its name or by its path below
/// `skills/`, which ends in it. Where the catalogue is at hand, [`super::CatalogEntry::is_called`]
/// knows more.
pub fn is_same(one: &str, other: &str) -> bool {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let bare = !one.contains('/') || !other.contains('/');
    one == other || (bare && last(one) == last(other))
}
