//! What one call of the program is about: its flags, its output, the place that it works on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::args::GlobalArgs;
use crate::error::{Code, Error, Result};
use crate::hermes::home::{self, HomeRequest};
use crate::skill_loop::workplace::{Locked, Workplace};
use crate::term::output::Output;

/// One call of the program.
#[derive(Debug)]
pub(super) struct Invocation {
    /// Where it writes.
    pub(super) output: Output,
    argv: Vec<String>,
    request: HomeRequest,
    workspace: Option<PathBuf>,
    patience: Duration,
}

impl Invocation {
    pub(super) fn new(global: &GlobalArgs, argv: Vec<OsString>, output: Output) -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let request = HomeRequest {
            hermes_home: global.hermes_home.clone(),
            profile: global.profile.clone(),
            env_hermes_home: set("HERMES_HOME").map(PathBuf::from),
            user_home: directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
            supervised: set("HERMES_S6_SUPERVISED_CHILD").is_some(),
        };
        let mut argv: Vec<String> = argv
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        if let Some(program) = argv.first_mut() {
            "lithermes".clone_into(program);
        }
        Self {
            output,
            argv,
            request,
            workspace: global.workspace.clone(),
            patience: Duration::from_secs(global.lock_timeout),
        }
    }

    /// Resolves home and workspace.
    pub(super) fn place(&self) -> Result<Workplace> {
        self.open(&self.request, self.workspace.as_deref())
    }

    /// As [`Invocation::place`], for another command line, whose options (by their names in
    /// `args`) count for more.
    pub(super) fn place_on<'a>(
        &self,
        option: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Workplace> {
        let path = |name| option(name).map(|value| self.at_home(value));
        let home = path("hermes_home");
        let profile = option("profile").map(str::to_owned);
        let mut request = self.request.clone();
        if home.is_some() || profile.is_some() {
            (request.hermes_home, request.profile) = (home, profile);
        }
        let workspace = path("workspace").or_else(|| self.workspace.clone());
        self.open(&request, workspace.as_deref())
    }

    /// A path that no shell has read yet: `~/` is the user's home.
    fn at_home(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), &self.request.user_home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(path),
        }
    }

    fn open(&self, request: &HomeRequest, workspace: Option<&Path>) -> Result<Workplace> {
        let home = home::resolve(request)?;
        let current = std::env::current_dir().map_err(|error| {
            Error::new(
                Code::Io,
                format!("cannot tell the current directory: {error}"),
            )
        })?;
        let workspace = home::workspace(workspace, &current)?;
        Workplace::open(home, workspace, self.argv.clone(), self.patience)
    }

    /// Resolves the home alone: its real path.
    pub(super) fn home(&self) -> Result<PathBuf> {
        home::resolve(&self.request).map(|home| home.path)
    }

    /// The user's home, as it may be spelled in texts.
    pub(super) fn user_homes(&self) -> Vec<String> {
        let home = self.request.user_home.as_ref();
        let real = home.and_then(|home| fs_err::canonicalize(home).ok());
        let homes = home.into_iter().chain(&real);
        homes
            .map(|home| home.to_string_lossy().into_owned())
            .collect()
    }

    /// Takes the lock; tells what was recovered, each in one line.
    pub(super) fn lock<'a>(&self, place: &'a Workplace) -> Result<Locked<'a>> {
        self.told(place.lock(&mut |holder| self.waiting(holder)))
    }

    /// As [`Invocation::lock`], after what only a person may have removed.
    pub(super) fn repair<'a>(&self, place: &'a Workplace) -> Result<Locked<'a>> {
        self.told(place.repair(&mut |holder| self.waiting(holder)))
    }

    fn told<'a>(&self, locked: Result<Locked<'a>>) -> Result<Locked<'a>> {
        let locked = locked?;
        for note in &locked.notes {
            self.output.note(note);
        }
        Ok(locked)
    }

    /// Tells that somebody else holds a lock that is waited for.
    pub(super) fn waiting(&self, holder: &str) {
        self.output
            .note(&format!("waiting for another lithermes: {holder}"));
    }
}
