//! The conditions of a conference: checked, approved, and what runs under them.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

/// A conference, and what is said beside its `conference.md`. The approval is of all of it, so
/// every command that approves or runs takes the same.
#[derive(Debug, Clone, clap::Args)]
pub struct ConditionArgs {
    /// The conference root: the folder of conference.md [default: .]
    #[arg(value_name = "ROOT", default_value = ".", value_hint = ValueHint::DirPath)]
    #[arg(hide_default_value = true)]
    pub root: PathBuf,
    /// Run children by this host [default: as conference.md says, else hermes]
    #[arg(long, value_enum, value_name = "HOST", hide_possible_values = true)]
    pub host: Option<HostName>,
    /// Run this program for each child, under the host command
    #[arg(long, value_name = "COMMAND")]
    pub host_command: Option<String>,
    /// Play the packets of the conference in this root, under the host recorded
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub recorded: Option<PathBuf>,
    /// Work under this grant, where the worktree has active bounded work
    #[arg(long, value_name = "WORK_ID:REVISION")]
    pub grant: Option<String>,
}

/// `--host`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HostName {
    /// One Hermes process a child
    Hermes,
    /// Any program that reads a charter and prints a packet
    Command,
    /// Built-in search over the parameters; needs no model
    Local,
    /// The packets of an earlier run
    Recorded,
    /// The session that drives the conference itself
    Handoff,
}

/// `conference check`
#[derive(Debug, Clone, clap::Args)]
pub struct CheckArgs {
    /// What it is about.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// Replay a run, and compare all that it left with its events
    #[arg(long)]
    pub replay: bool,
}

/// `conference approve`
#[derive(Debug, Clone, clap::Args)]
pub struct ApproveArgs {
    /// What it is about.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// The digest that check printed; without it a person is asked
    #[arg(long, value_name = "DIGEST")]
    pub digest: Option<String>,
}

/// `conference run`
#[derive(Debug, Clone, clap::Args)]
pub struct RunArgs {
    /// What it is about.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// Approve the conditions with the digest that check printed, and run
    #[arg(long, value_name = "DIGEST")]
    pub approve: Option<String>,
    /// Write nothing: print the documents instead, and end as blocked
    #[arg(long)]
    pub no_write: bool,
    /// Run at most so many children at a time [default: what the host reports]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub slots: Option<u32>,
}

/// `conference resume`
#[derive(Debug, Clone, clap::Args)]
pub struct ResumeArgs {
    /// What it is about.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// Run at most so many children at a time [default: what the host reports]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub slots: Option<u32>,
    /// Send what was lost out again, under new ids, where the budget holds it
    #[arg(long, conflicts_with = "go_on")]
    pub redispatch: bool,
    /// Go on without what was lost; the result is partial
    #[arg(long)]
    pub go_on: bool,
    /// Of two packets under one id let the first stand
    #[arg(long)]
    pub keep_first: bool,
}

pub(super) const CHECK_NOTES: &str = "\
Exit status:
  0  no fault is an error; what is vague or worth a look is listed
  1  failed: input or output, or no conference.md there
  3  refused: conference.md says something that cannot be, or is a link
  4  with --replay: something is not what the events say

Examples:
  $ lithermes conference check research/cache --replay";

pub(super) const APPROVE_NOTES: &str = "\
Exit status:
  0  approved, also where it was before
  3  no call by a person
  4  the digest is of other conditions than those that stand here now
  6  blocked: something is vague, or nobody approved

Examples:
  $ lithermes conference approve research/cache --digest DIGEST";

pub(super) const RUN_NOTES: &str = "\
Exit status:
  0  converged
  4  the world moved: a run has begun, or a file is not what was approved
  5  another run is at work here
  6  blocked: vague, not approved, no grant, paused for a person, or the host
     does not answer; always with --no-write
  8  ended without success: a budget or a stall
  130  cancelled

Examples:
  $ lithermes conference run research/cache --approve DIGEST --json";

pub(super) const RESUME_NOTES: &str = "\
Exit status:
  0  converged, or a session goes on
  4  the world moved: not what was approved or recorded, or two packets under one id
  5  another run is at work here
  6  blocked: a lost child to decide about, paused again, no grant, nothing begun,
     no receipts, no host
  8  ended without success: a budget or a stall
  130  cancelled

Examples:
  $ lithermes conference resume research/cache --redispatch";
