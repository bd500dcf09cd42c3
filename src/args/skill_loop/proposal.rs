//! Proposals: imported, read, applied or rejected.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

/// `skill-loop propose`
#[derive(Debug, Clone, clap::Args)]
pub struct ProposeArgs {
    /// The document; - reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// `skill-loop list`
#[derive(Debug, Clone, clap::Args)]
pub struct ListArgs {
    /// Show proposals in this state [default: pending and interrupted] (can be repeated)
    #[arg(
        long = "state",
        value_enum,
        value_name = "STATE",
        hide_possible_values = true
    )]
    pub states: Vec<StateFilter>,
    /// Show proposals for this skill only
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub skill: Option<String>,
    /// Show proposals in every state
    #[arg(long, conflicts_with = "states")]
    pub all: bool,
    /// Exit with status 1 when something is pending
    #[arg(long)]
    pub exit_code: bool,
}

/// A state to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum StateFilter {
    /// Not decided yet, or undone when a decision was interrupted
    Pending,
    /// Written to the skill
    Applied,
    /// Decided against
    Rejected,
    /// Applied once and taken back
    RolledBack,
    /// A decision began and did not end
    Interrupted,
}

/// `skill-loop show`
#[derive(Debug, Clone, clap::Args)]
pub struct ShowArgs {
    /// The proposal; 6 or more hex digits are enough when they fit only one
    #[arg(value_name = "ID", value_hint = ValueHint::Other)]
    pub id: String,
}

/// `skill-loop apply`
#[derive(Debug, Clone, clap::Args)]
pub struct ApplyArgs {
    /// The proposals, in this order; in full unless on a terminal
    #[arg(value_name = "ID", value_hint = ValueHint::Other)]
    pub ids: Vec<String>,
    /// Check and show everything, up to the first write
    #[arg(long)]
    pub dry_run: bool,
    /// Go on with the next proposal after one that failed
    #[arg(long)]
    pub keep_going: bool,
}

/// `skill-loop reject`
#[derive(Debug, Clone, clap::Args)]
pub struct RejectArgs {
    /// The proposal; in full unless on a terminal
    #[arg(value_name = "ID", value_hint = ValueHint::Other)]
    pub id: String,
    /// Keep this text with the receipt
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub reason: Option<String>,
}

pub(super) const PROPOSE_NOTES: &str = "\
Exit status:
  0  imported, already pending, already applied, or nothing to save
  1  input or output failed
  3  refused: the document breaks a rule (nothing was written)
  5  busy: another lithermes holds the lock
  7  our own state is damaged

Examples:
  $ lithermes skill-loop propose review.json
  $ lithermes skill-loop propose - < review.json";

pub(super) const LIST_NOTES: &str = "\
Exit status:
  0  listed, also when there is nothing
  1  input or output failed; with --exit-code, something is pending
  7  our own state is damaged

Examples:
  $ lithermes skill-loop list --state applied --state rolled-back
  $ lithermes skill-loop list --all --skill release-notes --json";

pub(super) const SHOW_NOTES: &str = "\
Exit status:
  0  shown
  1  not found, or the short id fits more than one
  7  our own state is damaged

Examples:
  $ lithermes skill-loop show 3f9c0a
  $ lithermes skill-loop show 3f9c0a --json";

pub(super) const APPLY_NOTES: &str = "\
Exit status:
  0    applied, or applied already
  1    failed: input or output, not found
  3    refused: not an agent's skill, an unsafe path, or no person in the foreground
  4    stale: a file is not what the proposal was made against
  5    busy: another lithermes holds the lock
  7    our own state is damaged
  130  interrupted at the prompt; nothing was changed

Examples:
  $ lithermes skill-loop apply
  $ lithermes skill-loop apply 3f9c0a --dry-run";

pub(super) const REJECT_NOTES: &str = "\
Exit status:
  0    rejected, or rejected already
  1    failed: input or output, not found
  3    refused: no person in the foreground, or a reason that bears a secret
  5    busy: another lithermes holds the lock
  7    our own state is damaged
  130  interrupted at the prompt; nothing was changed

Examples:
  $ lithermes skill-loop reject 3f9c0a --reason 'only true for one release'";
