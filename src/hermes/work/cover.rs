//! Which grant covers a path (conference.md B 7.3, B 7.5 step 6).
//!
//! Promises: both are compared as they really are; a path with `..`, one that a link leads out of
//! the worktree, and one in `.hermes`, `.git` or the host's home is covered by nothing.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::record::{Grant, State};
use super::{Demand, required};
use crate::error::Result;
use crate::guard::text;

/// Folders in which nothing is granted.
const CLOSED: [&str; 2] = [".hermes", ".git"];

/// The first grant that covers what is demanded.
pub(super) fn grant<'a>(
    state: &'a State,
    worktree: &Path,
    home: &Path,
    demand: &Demand,
) -> Result<&'a Grant> {
    let words = demand.action.spellings();
    let target = real(&demand.target).filter(|target| is_open(target, worktree, home));
    let shown = demand.target.to_string_lossy();
    let shown = text::line(&shown);
    let target = target.ok_or_else(|| {
        required(format!(
            "nothing can be granted in `{shown}`: it is not a plain part of the worktree"
        ))
    })?;
    let covers = |grant: &&Grant| {
        words.contains(&grant.action.as_str())
            && root(grant, worktree).is_some_and(|root| target.starts_with(root))
    };
    state.grants().find(covers).ok_or_else(|| {
        let words = words.join(" or ");
        required(format!("no grant of {words} covers `{shown}`"))
    })
}

/// The root of a grant, where it is what it says.
fn root(grant: &Grant, worktree: &Path) -> Option<PathBuf> {
    let said = Path::new(&grant.root);
    let real = real(said)?;
    (real == said && real.starts_with(worktree)).then_some(real)
}

/// A path without links: the real path of what is there, and the rest behind it. `None` for one
/// that is not absolute or climbs.
fn real(path: &Path) -> Option<PathBuf> {
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if climbs || !path.is_absolute() {
        return None;
    }
    let mut rest: Vec<OsString> = Vec::new();
    for above in path.ancestors() {
        // What leads nowhere is a link that could lead anywhere tomorrow.
        if above.symlink_metadata().is_ok() {
            let mut found = fs_err::canonicalize(above).ok()?;
            found.extend(rest.iter().rev());
            return Some(found);
        }
        rest.push(above.file_name()?.to_owned());
    }
    None
}

fn is_open(target: &Path, worktree: &Path, home: &Path) -> bool {
    let Ok(below) = target.strip_prefix(worktree) else {
        return false;
    };
    let is_closed = |part: Component<'_>| CLOSED.iter().any(|name| part.as_os_str() == *name);
    !target.starts_with(home) && !below.components().any(is_closed)
}
