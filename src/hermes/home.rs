//! Which Hermes home and which workspace a command works on (decisions.md §4, hermes-host.md §1).
//!
//! Promises: the home is resolved once, links included, by the host's own sticky-profile rule;
//! `--hermes-home` is exact.

use std::path::{Path, PathBuf};

use crate::error::Result;

/// What a caller asks for; the environment is passed in, so that a test is only values.
#[derive(Debug, Clone, Default)]
pub struct HomeRequest {
    /// `--hermes-home`: exact, no profile rule.
    pub hermes_home: Option<PathBuf>,
    /// `--profile`; a usage error beside `--hermes-home`. `default` is the root.
    pub profile: Option<String>,
    /// `HERMES_HOME`, where set and not empty.
    pub env_hermes_home: Option<PathBuf>,
    /// The user's home directory.
    pub user_home: Option<PathBuf>,
}

/// A resolved home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The real path, links resolved.
    pub path: PathBuf,
    /// The profile that is in use, where it is not the root.
    pub profile: Option<String>,
    /// What decided: `--hermes-home`, `--profile`, `HERMES_HOME`, `~/.hermes`, each perhaps
    /// followed by `active_profile`.
    pub decided_by: String,
}

/// A resolved workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The real path.
    pub path: PathBuf,
    /// `--workspace`, `git work tree` or `current directory`.
    pub decided_by: &'static str,
}

/// Resolves the home. `NOT_FOUND` where it or its profile does not exist, saying which path
/// and which rule led there.
pub fn resolve(request: &HomeRequest) -> Result<Home> {
    let _ = request;
    todo!()
}

/// Resolves the workspace: `flag`, else the enclosing git work tree of `current`, else `current`.
/// `GIT_DIR` and git's configuration do not count.
pub fn workspace(flag: Option<&Path>, current: &Path) -> Result<Workspace> {
    let _ = (flag, current);
    todo!()
}
