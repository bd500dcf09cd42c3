//! A conference that a session holds itself: what comes next, and what came back.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::HostName;

/// A conference that a session holds itself, on the host handoff.
#[derive(Debug, Clone, clap::Args)]
pub struct SessionArgs {
    /// The conference root: the folder of conference.md [default: .]
    #[arg(value_name = "ROOT", default_value = ".", value_hint = ValueHint::DirPath)]
    #[arg(hide_default_value = true)]
    pub root: PathBuf,
    /// The host, where conference.md names none: handoff
    #[arg(long, value_enum, value_name = "HOST", hide_possible_values = true)]
    pub host: Option<HostName>,
    /// Work under this grant, where the worktree has active bounded work
    #[arg(long, value_name = "WORK_ID:REVISION")]
    pub grant: Option<String>,
}

/// `conference next`
#[derive(Debug, Clone, clap::Args)]
pub struct NextArgs {
    /// What it is about.
    #[command(flatten)]
    pub session: SessionArgs,
    /// Have at most so many children out at a time [default: 3, as the host]
    #[arg(long, value_name = "N", default_value = "3", hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub slots: u32,
    /// Print the arguments of delegate_task for what goes out now, and nothing else
    #[arg(long, conflicts_with = "json")]
    pub tasks: bool,
    /// With the tasks of all that is out, not only of what goes out now
    #[arg(long)]
    pub again: bool,
}

/// `conference receive`
#[derive(Debug, Clone, clap::Args)]
pub struct ReceiveArgs {
    /// What it is about.
    #[command(flatten)]
    pub session: SessionArgs,
    /// What came back; - reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// How it came here: relayed or hook [default: relayed]
    #[arg(long, value_enum, value_name = "WAY", default_value_t = Way::Relayed)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub via: Way,
    /// Hold relayed packets against this session's subagents [default: $HERMES_SESSION_ID]
    #[arg(long = "session", value_name = "ID")]
    pub of: Option<String>,
}

/// `--via`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// A model wrote it down again
    Relayed,
    /// A hook of the host handed the child's own text over
    Hook,
}

pub(super) const NEXT_NOTES: &str = "\
Exit status:
  0  said, also where it has ended
  4  the world moved: not what was approved or recorded, or two packets under one id
  5  another call is at work here
  6  blocked: vague, not approved, or the host is not handoff

Examples:
  $ lithermes conference next research/cache --host handoff --json
  $ lithermes conference next research/cache --tasks";

pub(super) const RECEIVE_NOTES: &str = "\
Exit status:
  0  accepted, or the same packet came before
  3  rejected: it breaks a rule; its id stays open until its timeout
  4  stale: it came too late or for nobody, or another packet came before under its id
  6  nothing was begun there, or the host is not handoff

Examples:
  $ lithermes conference receive research/cache - --session 20261130_101500_ab12cd < answer.json";
