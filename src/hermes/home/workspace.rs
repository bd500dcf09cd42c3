//! The workspace: where observations and the proposal queue lie (decisions.md §4).
//!
//! Promises: only the flag, the directory tree and the current directory count; no environment
//! variable and no configuration of git.

use std::path::{Path, PathBuf};

use super::shown;
use crate::error::{Code, Error, Result};

/// A resolved workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The real path.
    pub path: PathBuf,
    /// `--workspace`, `git work tree` or `current directory`.
    pub decided_by: &'static str,
}

/// Resolves the workspace: `flag`, else the enclosing git work tree of `current` (the nearest
/// parent that holds a `.git` directory or file), else `current`. `GIT_DIR` and git's
/// configuration do not count. `NOT_FOUND` where the directory does not exist.
pub fn workspace(flag: Option<&Path>, current: &Path) -> Result<Workspace> {
    if let Some(path) = flag {
        return Ok(Workspace {
            path: directory(path, "--workspace")?,
            decided_by: "--workspace",
        });
    }
    let here = directory(current, "current directory")?;
    Ok(match here.ancestors().find(|path| is_work_tree(path)) {
        Some(tree) => Workspace {
            path: tree.to_owned(),
            decided_by: "git work tree",
        },
        None => Workspace {
            path: here,
            decided_by: "current directory",
        },
    })
}

/// A linked work tree and a submodule have a `.git` file instead of a directory.
fn is_work_tree(path: &Path) -> bool {
    fs_err::metadata(path.join(".git")).is_ok_and(|found| found.is_dir() || found.is_file())
}

fn directory(path: &Path, rule: &str) -> Result<PathBuf> {
    let missing = |why: String| {
        let text = format!("there is no workspace `{}` (found by {rule})", shown(path));
        Error::new(Code::NotFound, text).caused_by(why)
    };
    let real = fs_err::canonicalize(path).map_err(|error| missing(error.to_string()))?;
    if !real.is_dir() {
        return Err(missing("not a directory".to_owned()));
    }
    Ok(real)
}
