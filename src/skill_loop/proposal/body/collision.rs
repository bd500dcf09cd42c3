//! Whether the files of a new skill fit into one directory, on every file system.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::Field;
use crate::guard::json::Faults;
use crate::guard::name::{self, SKILL_FILE};
use crate::skill_loop::credentials::shown;

/// What stands under a folded path: its spelling, and whether it is a file.
type Standing<'a> = (&'a str, bool);

/// Notes paths that some file system takes for one another, files that are directories of
/// others, and a missing `SKILL.md`.
pub(super) fn check(items: &[Field<'_>], list: &Field<'_>, faults: &mut Faults) {
    let mut taken = HashMap::new();
    let mut has_skill_file = false;
    for item in items {
        let field = item.get("path");
        let Some(path) = field.as_ref().and_then(Field::as_text) else {
            // Whatever it was to be called, the fault is noted; it may well be `SKILL.md`.
            has_skill_file = true;
            continue;
        };
        if name::check_file(path).is_err() {
            has_skill_file |= is_meant_as_skill_file(path);
            continue;
        }
        has_skill_file |= path == SKILL_FILE;
        if let (Some(field), Some(other)) = (&field, place(path, &mut taken)) {
            let message = format!("collides with {} on some file system", shown(other));
            field.fault(faults, message);
        }
    }
    if !has_skill_file {
        list.fault(
            faults,
            format!("expected `{SKILL_FILE}` among the files, found none"),
        );
    }
}

fn is_meant_as_skill_file(path: &str) -> bool {
    let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name::fold(last.trim()) == name::fold(SKILL_FILE)
}

/// Enters a path and its directories; what they collide with, where they do.
fn place<'n>(path: &'n str, taken: &mut HashMap<String, Standing<'n>>) -> Option<&'n str> {
    let ends = path.match_indices('/').map(|(slash, _)| slash);
    for end in ends.chain([path.len()]) {
        let part = path.get(..end).unwrap_or(path);
        let is_file = end == path.len();
        match taken.entry(name::fold(part)) {
            Entry::Vacant(entry) => {
                entry.insert((part, is_file));
            }
            Entry::Occupied(entry) => {
                let (other, other_is_file) = *entry.get();
                if other != part || is_file || other_is_file {
                    return Some(other);
                }
            }
        }
    }
    None
}
