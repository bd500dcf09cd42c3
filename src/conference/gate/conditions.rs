//! The conditions of a conference as they stand now: the file, what was asked for beside it, the
//! totals, and what there is to approve. `check`, `approve` and `run` look at the same.

use std::path::{Path, PathBuf};

use super::approval::{Approval, CONTRACT, Grant, HostTerms, Stop};
use super::program::Program;
use super::room;
use super::totals::{Totals, totals};
use crate::conference::plan::{Argv, Evaluator, Host, Key, Mode, Plan, Reading, Rule, Severity};
use crate::conference::root::Root;
use crate::error::{Error, Result};

/// What the caller says beside `conference.md`; it wins over it.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The host.
    pub host: Option<Host>,
    /// The program of the host `command`.
    pub command: Option<Argv>,
    /// The root whose recording the host `recorded` plays.
    pub recorded: Option<PathBuf>,
    /// The bounded work that this is a part of.
    pub grant: Option<Grant>,
}

/// See the module.
#[derive(Debug)]
pub struct Conditions {
    /// `conference.md`, with the faults that only its surroundings show.
    pub reading: Reading,
    /// The host that will be used.
    pub host: Host,
    /// The program of the host `command`.
    pub command: Option<Argv>,
    /// What it costs at most; `None` while that cannot be told.
    pub totals: Option<Totals>,
    /// Why no conference may be held in this root; `None` where one may.
    pub refused: Option<Error>,
    /// What there is to approve; `None` while something is vague or wrong, where the root is
    /// refused, and without a home.
    pub approval: Option<Approval>,
}

impl Conditions {
    /// Looks at a root. `home` is the real path of the Hermes home, where there is one.
    pub fn of(root: &Root, asked: &Asked, home: Option<&Path>) -> Result<Self> {
        let mut reading = root.read()?;
        let settings = &reading.draft.settings;
        let host = asked.host.or(settings.host).unwrap_or(Host::Hermes);
        let command = asked.command.clone().or_else(|| settings.command.clone());
        let command = command.filter(|_| host == Host::Command);
        let is_chosen = asked.host.is_some() || asked.command.is_some();
        if settings.command.is_some() && host != Host::Command && !is_chosen {
            let name = host.as_str();
            let text = format!("is not used: the host is {name}, not `command`");
            reading.add(Rule::V1, Severity::Warning, Key::Command, text);
        }
        demands(
            &mut reading,
            host,
            command.is_some(),
            asked.recorded.is_some(),
        );
        room::check(&mut reading, host);
        let mut conditions = Self {
            totals: totals(&reading.draft, host),
            reading,
            host,
            command,
            refused: home.and_then(|home| root.refuse_closed(home).err()),
            approval: None,
        };
        if conditions.refused.is_some() {
            return Ok(conditions);
        }
        if let (Some(plan), Some(home)) = (conditions.reading.plan.clone(), home) {
            conditions.approval = conditions.approval(&plan, root, asked, home)?;
            conditions.compare_confirmation();
        }
        Ok(conditions)
    }

    fn approval(
        &mut self,
        plan: &Plan,
        root: &Root,
        asked: &Asked,
        home: &Path,
    ) -> Result<Option<Approval>> {
        let (Some(config_digest), Some(totals)) =
            (self.reading.config_digest.clone(), self.totals.clone())
        else {
            return Ok(None);
        };
        let recording = match (&asked.recorded, self.host) {
            (Some(other), Host::Recorded) => Some(Root::open(other)?.recording()?),
            _ => None,
        };
        let host = HostTerms {
            name: self.host,
            program: self.program(Key::Command, self.command.clone(), root)?,
            toolsets: plan.settings.toolsets.clone(),
            pass_environment: plan.settings.pass_environment.clone(),
            recording,
        };
        let evaluator = self.reading.draft.evaluator.as_ref();
        let evaluator = evaluator.and_then(Evaluator::command).cloned();
        let settings = &plan.settings;
        Ok(Some(Approval {
            contract: CONTRACT,
            home: home.to_string_lossy().into_owned(),
            root: root.path().to_string_lossy().into_owned(),
            config_digest,
            totals,
            stop: Stop::of(plan),
            on_lost_child: settings.on_lost_child,
            pause_every: settings.pause_every,
            host,
            evaluator: self.program(Key::Evaluator, evaluator, root)?,
            guard: self.program(Key::Guard, settings.guard.clone(), root)?,
            allowed_read_roots: settings.allowed_read_roots.clone(),
            forbidden_roots: settings.forbidden_roots.clone(),
            grant: asked.grant.clone(),
        }))
    }

    fn program(&mut self, key: Key, argv: Option<Argv>, root: &Root) -> Result<Option<Program>> {
        let Some(argv) = argv else {
            return Ok(None);
        };
        let program = Program::of(&argv, root.path())?;
        if program.is_absent() {
            let text = "names a program that is not there".to_owned();
            self.reading.add(Rule::V1, Severity::Warning, key, text);
        }
        Ok(Some(program))
    }

    /// V10: a confirmation of what the conditions were before.
    fn compare_confirmation(&mut self) {
        let said = self.reading.confirmation.as_deref().unwrap_or_default();
        let digest = self
            .approval
            .as_ref()
            .map(Approval::digest)
            .unwrap_or_default();
        let confirmed = said.strip_prefix("confirmed").map(str::trim);
        if confirmed.is_some_and(|confirmed| confirmed != digest) {
            let text = "is of other conditions than those that stand here now".to_owned();
            self.reading
                .add(Rule::V10, Severity::Warning, Key::Confirmation, text);
        }
    }
}

/// What the host takes for granted.
fn demands(reading: &mut Reading, host: Host, has_command: bool, has_recording: bool) {
    let draft = &reading.draft;
    let is_metric = draft.mode == Mode::Metric;
    let is_measured = draft.evaluator != Some(Evaluator::None);
    let has_parameters = !draft.settings.parameters.is_empty();
    match host {
        Host::Command if !has_command => {
            let text = "is missing: the host `command` needs a program".to_owned();
            reading.add(Rule::V1, Severity::Gate, Key::Command, text);
        }
        Host::Recorded if !has_recording => {
            let text = "the host `recorded` needs --recorded DIR".to_owned();
            reading.add(Rule::V1, Severity::Gate, Key::Host, text);
        }
        Host::Local if !is_metric => {
            let text = "the host `local` searches for a metric and knows no other mode".to_owned();
            reading.add(Rule::V1, Severity::Error, Key::Host, text);
        }
        Host::Local => {
            if !is_measured {
                let text = "the host `local` needs an evaluator".to_owned();
                reading.add(Rule::V1, Severity::Error, Key::Evaluator, text);
            }
            if !has_parameters {
                let text = "the host `local` needs `## Parameters` to search in".to_owned();
                reading.add(Rule::V1, Severity::Gate, Key::Host, text);
            }
        }
        Host::Hermes | Host::Handoff | Host::Command | Host::Recorded => {}
    }
}
