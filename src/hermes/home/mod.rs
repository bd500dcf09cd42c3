//! Which Hermes home and which workspace a command works on (decisions.md §4, hermes-host.md §1).
//!
//! Promises: the home is resolved once, links included, by the host's own sticky-profile rule;
//! `--hermes-home` is exact.

mod profile;
mod workspace;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use workspace::{Workspace, workspace};

use crate::error::{Code, Error, Result};

/// What a caller asks for; the environment is passed in, so that a test is only values.
#[derive(Debug, Clone, Default)]
pub struct HomeRequest {
    /// `--hermes-home`: exact, no profile rule.
    pub hermes_home: Option<PathBuf>,
    /// `--profile`; a usage error beside `--hermes-home`. `default` is the root.
    pub profile: Option<String>,
    /// `HERMES_HOME`. Empty or blank counts as not set.
    pub env_hermes_home: Option<PathBuf>,
    /// The user's home directory.
    pub user_home: Option<PathBuf>,
    /// `HERMES_S6_SUPERVISED_CHILD` is set: the host then ignores `active_profile`.
    pub supervised: bool,
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

/// A home that a rule led to; whether it is there has not been looked at.
struct Choice {
    path: PathBuf,
    profile: Option<String>,
    decided_by: String,
}

/// Resolves the home. `NOT_FOUND` where it or its profile does not exist, saying which path
/// and which rule led there; `USAGE` for a profile name that cannot be one, or for `--profile`
/// beside `--hermes-home`.
///
/// The host makes a missing home; lithermes does not. `~` is not expanded, and a relative path is
/// taken from the current directory, both as the host does it.
pub fn resolve(request: &HomeRequest) -> Result<Home> {
    let choice = choose(request)?;
    let path = fs_err::canonicalize(&choice.path)
        .ok()
        .filter(|path| path.is_dir())
        .ok_or_else(|| missing(&choice))?;
    Ok(Home {
        path,
        profile: choice.profile,
        decided_by: choice.decided_by,
    })
}

fn choose(request: &HomeRequest) -> Result<Choice> {
    match (&request.hermes_home, &request.profile) {
        (Some(_), Some(_)) => {
            let text = "`--profile` cannot stand beside `--hermes-home`, which names one home";
            Err(Error::new(Code::Usage, text).hint("name the profile's own directory instead"))
        }
        (Some(path), None) => Ok(Choice {
            path: path.clone(),
            profile: None,
            decided_by: "--hermes-home".to_owned(),
        }),
        (None, Some(name)) => named_profile(request, name),
        (None, None) => from_environment(request),
    }
}

fn named_profile(request: &HomeRequest, name: &str) -> Result<Choice> {
    let root = root(request)?;
    let name = profile::canonical(name).map_err(|why| Error::new(Code::Usage, why))?;
    Ok(below(root, name, "--profile".to_owned()))
}

fn from_environment(request: &HomeRequest) -> Result<Choice> {
    let (path, rule) = match env_home(request) {
        Some(path) => (path, "HERMES_HOME"),
        None => (native_home(request)?, "~/.hermes"),
    };
    if let Some(name) = profile_of(&path).filter(|_| env_home(request).is_some()) {
        return Ok(Choice {
            profile: Some(name),
            path,
            decided_by: rule.to_owned(),
        });
    }
    let root = root(request)?;
    let sticky = if request.supervised {
        None
    } else {
        profile::active(&root)?
    };
    Ok(match sticky {
        Some(name) => below(root, name, format!("{rule}, then active_profile")),
        None => Choice {
            path,
            profile: None,
            decided_by: rule.to_owned(),
        },
    })
}

/// The home of a canonical profile name below `root`; `default` is the root itself.
fn below(root: PathBuf, name: String, decided_by: String) -> Choice {
    if name == "default" {
        return Choice {
            path: root,
            profile: None,
            decided_by,
        };
    }
    Choice {
        path: root.join("profiles").join(&name),
        profile: Some(name),
        decided_by,
    }
}

/// The directory that holds `active_profile` and `profiles/`: `~/.hermes` for everything beneath
/// it, `<x>` for `<x>/profiles/<name>`, else `HERMES_HOME` itself.
fn root(request: &HomeRequest) -> Result<PathBuf> {
    let Some(path) = env_home(request) else {
        return native_home(request);
    };
    if let Ok(native) = native_home(request)
        && really(&path).starts_with(really(&native))
    {
        return Ok(native);
    }
    match (profile_of(&path), path.parent().and_then(Path::parent)) {
        (Some(_), Some(root)) => Ok(root.to_owned()),
        _ => Ok(path),
    }
}

/// `HERMES_HOME`, where it says something.
fn env_home(request: &HomeRequest) -> Option<PathBuf> {
    let path = request.env_hermes_home.as_ref()?;
    match path.to_str() {
        Some(text) if text.trim().is_empty() => None,
        Some(text) => Some(PathBuf::from(text.trim())),
        None => Some(path.clone()),
    }
}

fn native_home(request: &HomeRequest) -> Result<PathBuf> {
    let none = || {
        Error::new(Code::NotFound, "no Hermes home: the user's home is unknown")
            .hint("set HOME or HERMES_HOME, or name the home with --hermes-home")
    };
    let user = request.user_home.as_ref().ok_or_else(none)?;
    Ok(user.join(".hermes"))
}

/// The profile's name where the path ends in `profiles/<name>`.
fn profile_of(path: &Path) -> Option<String> {
    let parent = path.parent()?.file_name()?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    (parent == "profiles").then_some(name)
}

/// The path with its links resolved as far as it exists.
fn really(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        let Ok(real) = fs_err::canonicalize(there) else {
            continue;
        };
        return match path.strip_prefix(there) {
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => path.clone(),
        };
    }
    path
}

fn missing(choice: &Choice) -> Error {
    let shown = shown(&choice.path);
    let rule = &choice.decided_by;
    let what = match &choice.profile {
        Some(name) => format!("the profile `{}` has no home", name.escape_debug()),
        None if choice.path.exists() => "the Hermes home is no directory".to_owned(),
        None => "there is no Hermes home".to_owned(),
    };
    let error = Error::new(
        Code::NotFound,
        format!("{what}: `{shown}` (found by {rule})"),
    );
    if choice.path.starts_with("~") {
        return error.hint("give the whole path: neither the host nor lithermes expands `~`");
    }
    match &choice.profile {
        Some(name) if profile::is_id(name) => error
            .hint(format!("hermes profile create {name}"))
            .hint("hermes profile list"),
        _ => error.hint("start hermes once, or name another home with --hermes-home"),
    }
}

/// A path in one line of a message.
fn shown(path: &Path) -> String {
    path.to_string_lossy().escape_debug().to_string()
}
