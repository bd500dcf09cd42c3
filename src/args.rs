//! The command line: clap structs and their help texts, no behaviour.
//!
//! Promises: nothing here reads, writes or decides, so manual pages and completions are rendered
//! from it alone (`tests/generated.rs`). The first line of a doc comment is the line in the
//! parent's list; the rest is the body of `--help`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum, ValueHint};

/// Review, apply and roll back what Hermes Agent learned
///
/// What the agent learned becomes a pending proposal. A person reads the exact diff and applies,
/// rejects or rolls it back, and every decision has a receipt in `H/lithermes/`, where H is the
/// Hermes home. Nothing runs in the background and nothing approves itself.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "lithermes",
    version,
    propagate_version = true,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_long_help = ROOT_NOTES
)]
pub struct Args {
    /// What every command takes.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags of every command. They may stand before or after its name.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with = "profile")]
    pub hermes_home: Option<PathBuf>,
    // clap sees the conflict only when both stand on one side of the command's name;
    // `hermes::home` refuses the rest.
    /// Use this profile of the Hermes home [default: the active one]
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Keep proposals here [default: the enclosing git work tree, else the current directory]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub workspace: Option<PathBuf>,
    /// Print one JSON document on standard output, for errors too
    #[arg(long, global = true)]
    pub json: bool,
    /// Say when to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(
        hide_possible_values = true,
        hide_default_value = true,
        help = "Use colour: auto, always or never [default: auto]"
    )]
    pub color: ColorChoice,
    /// Leave out notes; warnings and errors stay
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Wait at most this long for another lithermes to finish [default: 10]
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 10)]
    #[arg(hide_short_help = true, hide_default_value = true)]
    pub lock_timeout: u64,
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal that can, unless the environment says no.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `host-child`, which lithermes starts itself: no command of [`Args`], so that a child does not wait
/// until all of those are built
#[derive(Debug, Clone, Parser)]
#[command(name = "host-child")]
pub struct HostChildArgs {
    /// How much of what stands in the socket on standard input the child reads
    #[arg(long, value_name = "BYTES")]
    pub stdin_bytes: u64,
    /// End the child after this many milliseconds
    #[arg(long, value_name = "MILLISECONDS")]
    pub time_ms: u64,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "ARGUMENT")]
    pub argv: Vec<OsString>,
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Commands for proposals: what an agent learned, decided by a person
    ///
    /// A proposal is one change to one skill, with the reason for it. It is imported with
    /// `propose`, read with `list` and `show`, and decided with `apply` or `reject`. What was
    /// applied is taken back with `rollback`; `log` and `verify` read the receipts.
    #[command(subcommand, after_long_help = SKILL_LOOP_NOTES)]
    SkillLoop(SkillLoopCommand),
    /// Check the home, the workspace, the store and the host, and say what to do
    ///
    /// Looks at everything that lithermes relies on and changes nothing. Each line names a check,
    /// its result and, when something is wrong, the command that puts it right.
    #[command(after_long_help = DOCTOR_NOTES)]
    Doctor(DoctorArgs),
    /// Show the whole product on throw-away directories
    ///
    /// Proposes, shows, applies and rolls back a change to a skill in a temporary home, printing
    /// each command before it runs it. It needs no network, no model and no Hermes, takes a few
    /// seconds, and leaves nothing behind.
    #[command(after_long_help = TOUR_NOTES)]
    Tour(TourArgs),
}

/// The verbs of `skill-loop`.
#[derive(Debug, Clone, Subcommand)]
pub enum SkillLoopCommand {
    /// Import proposals from a JSON document
    ///
    /// Takes one proposal, an array of them, `{"proposals": […]}`, or the exact text
    /// `Nothing to save.`. The document is checked whole before anything is written, and all its
    /// faults are reported at once. An import records what each file holds now; when the file
    /// has changed by the time of the decision, the proposal is stale and cannot be applied.
    #[command(after_long_help = PROPOSE_NOTES)]
    Propose(ProposeArgs),
    /// List proposals and what stands in their way
    ///
    /// Shows what is pending, oldest first; what cannot be applied as it is says why. The states
    /// are pending, applied, rejected, rolled-back and interrupted.
    #[command(after_long_help = LIST_NOTES)]
    List(ListArgs),
    /// Show a proposal: its reason, its evidence and the exact diff
    ///
    /// The diff is what `apply` would write, byte for byte. The digest of the plan is shown with
    /// it.
    #[command(after_long_help = SHOW_NOTES)]
    Show(ShowArgs),
    /// Apply proposals to the skills that they name
    ///
    /// On a terminal the diff is shown and the word `apply` has to be typed; any other answer
    /// changes nothing. Elsewhere the full id is the approval. Without an id, on a terminal, a
    /// picker goes through what is pending. All plans are checked before the first write; each
    /// proposal is then a decision of its own, and the first failure stops the rest.
    #[command(after_long_help = APPLY_NOTES)]
    Apply(ApplyArgs),
    /// Reject a proposal and keep the reason
    ///
    /// Writes a receipt and changes no skill. Importing the same document again makes the
    /// proposal pending again.
    #[command(after_long_help = REJECT_NOTES)]
    Reject(RejectArgs),
    /// Take back a decision: restore what it replaced
    ///
    /// Restores the files that this receipt changed, and only when they are exactly what it left
    /// behind; otherwise nothing is touched and the difference is shown. A rollback is a receipt
    /// too and can be rolled back itself. Rolling the same receipt back again does nothing.
    #[command(after_long_help = ROLLBACK_NOTES)]
    Rollback(RollbackArgs),
    /// Print the receipts, newest first
    ///
    /// Reads the ledger from its end and takes no lock.
    #[command(after_long_help = LOG_NOTES)]
    Log(LogArgs),
    /// Prove that ledger, store, queue and skills agree
    ///
    /// Checks the chain of receipts, the pairs of opening and closing lines, and that every object
    /// named is there and has the digest that the receipt says. A skill edited by hand since its
    /// last receipt is reported and is no fault. Changes nothing without --repair.
    #[command(after_long_help = VERIFY_NOTES)]
    Verify(VerifyArgs),
}

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
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Show proposals in every state
    #[arg(long, conflicts_with = "states")]
    pub all: bool,
    /// Exit with status 1 when something is pending
    #[arg(long)]
    pub exit_code: bool,
    /// Print bare ids, one a line, for completion scripts
    #[arg(long, value_enum, hide = true, conflicts_with = "json")]
    pub format: Option<ListFormat>,
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

/// A bare form of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// Full ids, one a line
    Ids,
}

/// `skill-loop show`
#[derive(Debug, Clone, clap::Args)]
pub struct ShowArgs {
    /// The proposal; 6 or more hex digits are enough when they fit only one
    #[arg(value_name = "ID")]
    pub id: String,
}

/// `skill-loop apply`
#[derive(Debug, Clone, clap::Args)]
pub struct ApplyArgs {
    /// The proposals, in this order; in full unless on a terminal
    #[arg(value_name = "ID")]
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
    #[arg(value_name = "ID")]
    pub id: String,
    /// Keep this text with the receipt
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

/// `skill-loop rollback`
#[derive(Debug, Clone, clap::Args)]
pub struct RollbackArgs {
    /// The receipt of an apply or a rollback, as `log` prints it; in full unless on a terminal
    #[arg(value_name = "LEDGER_ID")]
    pub ledger_id: String,
    /// Check and show everything, up to the first write
    #[arg(long)]
    pub dry_run: bool,
}

/// `skill-loop log`
#[derive(Debug, Clone, clap::Args)]
pub struct LogArgs {
    /// Print receipts for this skill only
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Print receipts of this kind only
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(LEDGER_KINDS))]
    pub kind: Option<String>,
    /// Print at most this many [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
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

/// `doctor`
#[derive(Debug, Clone, clap::Args)]
pub struct DoctorArgs {}

/// `tour`
#[derive(Debug, Clone, clap::Args)]
pub struct TourArgs {}

// The notes under `--help`. A heading is a line that ends in a colon at the left margin; the
// manual pages turn each into a section, so headings and indentation are part of the form.

const ROOT_NOTES: &str = "\
Exit status:
  0    done, or nothing to do
  1    failed: input or output, not found; list --exit-code with something pending
  2    usage
  3    refused by policy
  4    the world moved: a file is not what the proposal or the receipt says
  5    busy: another lithermes holds the lock
  7    our own state is damaged
  130  interrupted; nothing was changed

Examples:
  $ lithermes tour
  $ lithermes skill-loop apply --help";

const SKILL_LOOP_NOTES: &str = "\
Examples:
  $ lithermes skill-loop propose review.json
  $ lithermes skill-loop show 3f9c0a
  $ lithermes skill-loop apply
  $ lithermes skill-loop log --skill release-notes";

const DOCTOR_NOTES: &str = "\
Exit status:
  0  no check failed; warnings are no failure
  1  a check failed
  7  our own state is damaged

Examples:
  $ lithermes doctor
  $ lithermes doctor --json";

const TOUR_NOTES: &str = "\
Exit status:
  0  every step did what it said
  1  a step failed

Examples:
  $ lithermes tour";

const PROPOSE_NOTES: &str = "\
Exit status:
  0  imported, already pending, already applied, or nothing to save
  1  input or output failed
  3  refused: the document breaks a rule (nothing was written)
  5  busy: another lithermes holds the lock
  7  our own state is damaged

Examples:
  $ lithermes skill-loop propose review.json
  $ lithermes skill-loop propose - < review.json";

const LIST_NOTES: &str = "\
Exit status:
  0  listed, also when there is nothing
  1  input or output failed; with --exit-code, something is pending
  7  our own state is damaged

Examples:
  $ lithermes skill-loop list --state applied --state rolled-back
  $ lithermes skill-loop list --all --skill release-notes --json";

const SHOW_NOTES: &str = "\
Exit status:
  0  shown
  1  not found, or the short id fits more than one
  7  our own state is damaged

Examples:
  $ lithermes skill-loop show 3f9c0a
  $ lithermes skill-loop show 3f9c0a --json";

const APPLY_NOTES: &str = "\
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

const REJECT_NOTES: &str = "\
Exit status:
  0    rejected, or rejected already
  1    failed: input or output, not found
  3    refused: no person in the foreground, or a reason that bears a secret
  5    busy: another lithermes holds the lock
  7    our own state is damaged
  130  interrupted at the prompt; nothing was changed

Examples:
  $ lithermes skill-loop reject 3f9c0a --reason 'only true for one release'";

const ROLLBACK_NOTES: &str = "\
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

const LOG_NOTES: &str = "\
Exit status:
  0  printed, also when there is nothing
  1  input or output failed
  7  our own state is damaged

Examples:
  $ lithermes skill-loop log --limit 10
  $ lithermes skill-loop log --skill release-notes --kind skill.apply --json";

const VERIFY_NOTES: &str = "\
Exit status:
  0  everything agrees; interrupted decisions and torn last lines are listed
  1  input or output failed
  3  refused: --repair without a person in the foreground
  5  busy: another lithermes holds the lock
  7  ledger or store does not hold; the first bad line is named

Examples:
  $ lithermes skill-loop verify
  $ lithermes skill-loop verify --repair";

#[cfg(test)]
mod tests;
