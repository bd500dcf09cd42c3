//! The command line: clap structs and their help texts, no behaviour. Here is what every command
//! takes, and the commands that stand alone.
//!
//! Promises: nothing here reads, writes or decides, so manual pages and completions are rendered
//! from it alone (`tests/generated.rs`). The first line of a doc comment is the line in the
//! parent's list; the rest is the body of `--help`, and notes follow it. In the notes a heading is a
//! line that ends in a colon at the left margin; the manual pages turn each into a section, so
//! headings and indentation are part of the form.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub use conference::{
    ApproveArgs, CancelArgs, CheckArgs, ConditionArgs, ConferenceCommand, HostName, NextArgs,
    ReceiveArgs, ResumeArgs, RunArgs, SessionArgs, StatusArgs, Way,
};
pub use host_child::HostChildArgs;
pub use skill_loop::{
    ApplyArgs, CuratorArgs, LEDGER_KINDS, ListArgs, LogArgs, ObservationsArgs, ObserveArgs,
    ProposeArgs, RejectArgs, ReviewArgs, RollbackArgs, ShowArgs, SignalName, SkillLoopCommand,
    StateFilter, VerifyArgs,
};

mod conference;
mod host_child;
mod skill_loop;

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
    #[arg(long, global = true, value_name = "NAME", value_hint = ValueHint::Other)]
    pub profile: Option<String>,
    /// Use this workspace [default: git work tree, else current directory]
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
    #[arg(long, global = true, value_name = "SECONDS", value_hint = ValueHint::Other, default_value_t = 10)]
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

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Commands for what an agent learned: observed, proposed, decided by a person
    ///
    /// What happened is recorded with `observe`, which changes nothing; `review` prints what a model
    /// needs to propose a change. A proposal is one change to one skill, with the reason for it: it
    /// is imported with `propose`, read with `list` and `show`, and decided with `apply` or `reject`.
    /// What was applied is taken back with `rollback`; `log` and `verify` read the receipts.
    #[command(subcommand, after_long_help = skill_loop::NOTES)]
    SkillLoop(SkillLoopCommand),
    /// Commands for conferences: bounded research whose budget a person approves
    ///
    /// A conference is a folder with a `conference.md`: goal, target, lanes, rounds and budgets.
    /// What it will cost at most is computed from it before anything runs.
    #[command(subcommand, after_long_help = conference::NOTES)]
    Conference(ConferenceCommand),
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
    /// Print the completion script of a shell
    ///
    /// In every shell it completes commands, options and their values; in bash, zsh and fish the
    /// ids of proposals and receipts too, where they fit. For them the script calls this command
    /// again, with the words of the command line behind `--`: it prints the ids that can stand in
    /// place of the last word, changes nothing, and prints nothing where no id can be told.
    #[command(after_long_help = COMPLETIONS_NOTES)]
    Completions(CompletionsArgs),
}

/// `doctor`
#[derive(Debug, Clone, clap::Args)]
pub struct DoctorArgs {}

/// `tour`
#[derive(Debug, Clone, clap::Args)]
pub struct TourArgs {}

/// `completions`
#[derive(Debug, Clone, clap::Args)]
pub struct CompletionsArgs {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    pub shell: Shell,
    /// A command line up to the cursor, the program's name first: print ids instead
    #[arg(value_name = "WORD", last = true, value_hint = ValueHint::Other)]
    pub words: Vec<OsString>,
}

const ROOT_NOTES: &str = "\
Exit status:
  0    done, or nothing to do
  1    failed: input or output, not found; list --exit-code with something pending
  2    usage
  3    refused by policy
  4    the world moved: a file is not what the proposal or the receipt says
  5    busy: another lithermes holds the lock
  6    blocked: a condition is missing
  7    our own state is damaged
  130  interrupted; nothing was changed

Examples:
  $ lithermes tour
  $ lithermes skill-loop apply --help";

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

const COMPLETIONS_NOTES: &str = "\
Exit status:
  0  printed, also when no id can be told
  1  behind --: no id belongs in that place

Examples:
  $ eval \"$(lithermes completions bash)\"
  $ lithermes completions zsh > \"${fpath[1]}/_lithermes\"
  $ lithermes completions fish > ~/.config/fish/completions/lithermes.fish
  $ lithermes completions bash -- lithermes skill-loop apply p-3f";

#[cfg(test)]
mod tests;
