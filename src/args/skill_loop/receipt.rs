//! Receipts: taken back, read, proved.

use clap::ValueHint;
use clap::builder::PossibleValuesParser;

/// `skill-loop rollback`
#[derive(Debug, Clone, clap::Args)]
pub struct RollbackArgs {
    /// The receipt of an apply or a rollback, as `log` prints it; in full unless on a terminal
    #[arg(value_name = "LEDGER_ID", value_hint = ValueHint::Other)]
    pub ledger_id: String,
    /// Check and show everything, up to the first write
    #[arg(long)]
    pub dry_run: bool,
}

/// `skill-loop log`
#[derive(Debug, Clone, clap::Args)]
pub struct LogArgs {
    /// Print receipts for this skill only
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub skill: Option<String>,
    /// Print receipts of this kind only
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(LEDGER_KINDS))]
    pub kind: Option<String>,
    /// Print at most this many [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(value_hint = ValueHint::Other)]
    pub limit: Option<u64>,
}

/// The kinds of receipt that `log --kind` takes (skill-loop.md §7).
pub const LEDGER_KINDS: [&str; 6] = [
    "skill.approve",
    "skill.apply",
    "skill.reject",
    "skill.reopen",
    "skill.rollback",
    "skill.recover",
];

/// `skill-loop verify`
#[derive(Debug, Clone, clap::Args)]
pub struct VerifyArgs {
    /// Finish or undo interrupted decisions and set torn last lines aside
    #[arg(long)]
    pub repair: bool,
}

pub(super) const ROLLBACK_NOTES: &str = "\
Exit status:
  0    rolled back, or rolled back already
  1    failed: input or output, not found
  3    refused: an unsafe path, or no person in the foreground
  4    a file is not what the receipt left behind
  5    busy: another lithermes holds the lock
  7    our own state is damaged
  130  interrupted at the prompt; nothing was changed

Examples:
  $ lithermes skill-loop log --kind skill.apply --limit 1
  $ lithermes skill-loop rollback l-3f9c0a1b2c3d";

pub(super) const LOG_NOTES: &str = "\
Exit status:
  0  printed, also when there is nothing
  1  input or output failed
  7  our own state is damaged

Examples:
  $ lithermes skill-loop log --limit 10
  $ lithermes skill-loop log --skill release-notes --kind skill.apply --json";

pub(super) const VERIFY_NOTES: &str = "\
Exit status:
  0  everything agrees; interrupted decisions and torn last lines are listed
  1  input or output failed
  3  refused: --repair without a person in the foreground
  5  busy: another lithermes holds the lock
  7  ledger or store does not hold; the first bad line is named

Examples:
  $ lithermes skill-loop verify
  $ lithermes skill-loop verify --repair";
