//! Whether a person's own Hermes can do the work of children: looked at for nothing, before the gate
//! (conference.md A2).

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::opened::Whole;
use crate::conference::children::Agents;
use crate::disk::Dir;
use crate::engine::host::hermes::Hermes;
use crate::error::{Code, Error, Result};
use crate::hermes::program;
use crate::hermes::session::{Delegated, Sessions};
use crate::hermes::settings::Settings;
use crate::process::{Cancel, Environment, Shim, environment};

/// What to do where there is none.
const NO_HERMES: &str = "install Hermes Agent, or name another host with --host";

/// The `hermes` of the search path as its files tell of it: nothing is started.
pub(super) struct Seen(Option<program::Program>);

/// Looks for it.
pub(super) fn look() -> Seen {
    Seen(program::find())
}

impl Seen {
    /// In one line.
    pub(super) fn told(&self) -> String {
        let told = program::told(self.0.as_ref());
        match self.0 {
            Some(_) => told,
            None => format!("{told}: {NO_HERMES}"),
        }
    }

    /// The same for programs.
    pub(super) fn document(&self) -> Value {
        let found = self.0.as_ref();
        json!({
            "found": found.is_some(),
            "path": found.map(|found| found.path.to_string_lossy()),
            "version": found.and_then(|found| found.version.as_deref()),
            "hint": found.map_or(Some(NO_HERMES), |_| None),
        })
    }
}

/// A Hermes that starts.
pub(super) struct Found {
    program: PathBuf,
    version: String,
}

/// The `hermes` of the search path, once it told its version. No model is asked.
pub(super) fn find(home: &Path) -> Result<Found> {
    let unavailable = |text: String| Error::new(Code::BlockedMultiAgentUnavailable, text);
    let program = program::find().ok_or_else(|| {
        unavailable("there is no `hermes` on the search path".to_owned()).hint(NO_HERMES)
    })?;
    let program = std::path::absolute(program.path)?;
    let hermes = hermes(
        &program,
        home,
        Vec::new(),
        environment::of_this_process(&[]),
    );
    let version = hermes.version(&Cancel::new()?).map_err(|why| {
        let text = format!("`{}` does not start: {why}", program.display());
        unavailable(text).hint("hermes --version")
    })?;
    Ok(Found { program, version })
}

/// Whether the session that this process belongs to is a child's own (its row says `subagent`).
/// What cannot be read is no child.
pub(super) fn is_subagent(home: &Path) -> bool {
    let id = own_session().unwrap_or_default();
    let sessions = Sessions::open(home).ok().flatten();
    let session = sessions.and_then(|sessions| sessions.get(&id).ok().flatten());
    session.is_some_and(|session| session.source == "subagent")
}

/// What the subagents of this session said, else of the one that this process belongs to. What
/// cannot be read says nothing.
pub(super) fn delegated(home: &Path, session: Option<&str>) -> Delegated {
    let session = session.map(str::to_owned).or_else(own_session);
    let sessions = Sessions::open(home).ok().flatten();
    let of = |id: String| sessions?.delegated(&id).ok();
    session.and_then(of).unwrap_or_default()
}

/// The session whose terminal tool started this process.
fn own_session() -> Option<String> {
    std::env::var("HERMES_SESSION_ID").ok()
}

/// The host of a conference under these conditions.
pub(super) fn host(found: Found, whole: &Whole) -> Result<Agents> {
    let home = PathBuf::from(&whole.approval.home);
    let said = Dir::open_root(&home)?.map(|home| Settings::of(&home));
    let settings = &whole.plan.settings;
    let toolsets = settings.toolsets.iter().map(|one| one.as_str().to_owned());
    let toolsets: Vec<String> = toolsets.collect();
    let probed = vec![
        format!("{} at {}", found.version, found.program.display()),
        match toolsets.is_empty() {
            true => "toolsets: none".to_owned(),
            false => format!("toolsets: {}", toolsets.join(", ")),
        },
        configured(said.as_ref()),
    ];
    let environment = environment::of_this_process(&settings.pass_environment);
    Ok(Agents {
        hermes: hermes(&found.program, &home, toolsets, environment),
        slots: said.map_or(1, |settings| settings.children),
        probed,
    })
}

fn hermes(program: &Path, home: &Path, toolsets: Vec<String>, environment: Environment) -> Hermes {
    Hermes {
        program: program.to_owned(),
        home: home.to_owned(),
        toolsets,
        environment,
        shim: Shim::default(),
    }
}

fn configured(settings: Option<&Settings>) -> String {
    let model = settings.and_then(|settings| settings.model.as_deref());
    let provider = settings.and_then(|settings| settings.provider.as_deref());
    match (model, provider) {
        (None, None) => "config.yaml names no model: the host chooses".to_owned(),
        (model, provider) => format!(
            "config.yaml: model {}, provider {}",
            model.unwrap_or("of the host's choice"),
            provider.unwrap_or("of the host's choice")
        ),
    }
}
