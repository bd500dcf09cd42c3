//! The command line: clap structs and their help texts, no behaviour.
//!
//! Promises: nothing here reads, writes or decides, so manual pages and completions are rendered
//! from it alone (`tests/generated.rs`). The first line of a doc comment is the line in the
//! parent's list; the rest is the body of `--help`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

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
    /// Hand over what the child leaves in its folder under this name
    #[arg(long, value_name = "NAME")]
    pub keep: Option<OsString>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "ARGUMENT")]
    pub argv: Vec<OsString>,
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
    #[command(subcommand, after_long_help = SKILL_LOOP_NOTES)]
    SkillLoop(SkillLoopCommand),
    /// Commands for conferences: bounded research whose budget a person approves
    ///
    /// A conference is a folder with a `conference.md`: goal, target, lanes, rounds and budgets.
    /// What it will cost at most is computed from it before anything runs.
    #[command(subcommand, after_long_help = CONFERENCE_NOTES)]
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

/// The verbs of `skill-loop`.
#[derive(Debug, Clone, Subcommand)]
pub enum SkillLoopCommand {
    /// Record that something instructive happened, and change nothing
    ///
    /// Takes the four fields as flags, or as a JSON object (signal, skill_id, observed, proposal) on
    /// standard input. The record goes into the workspace and proposes nothing by itself.
    #[command(after_long_help = OBSERVE_NOTES)]
    Observe(ObserveArgs),
    /// Print what was observed, oldest first
    ///
    /// A line that is damaged is passed over and counted, never repaired.
    #[command(after_long_help = OBSERVATIONS_NOTES)]
    Observations(ObservationsArgs),
    /// Print what a model needs to propose changes: one bounded packet
    ///
    /// The packet holds what a reviewer is to do and to answer, the skills of the home, the text
    /// of those concerned, what was observed, and with --session the end of one session. Run or
    /// paste it in a turn, and give the answer to `propose`. Credentials are taken out, quoted
    /// text is fenced, and nothing is written: no model is called. What does not fit is cut, and
    /// said where it is cut: first files beside a SKILL.md, then messages, observations and the
    /// catalogue, and last sections of each SKILL.md.
    #[command(after_long_help = REVIEW_NOTES)]
    Review(ReviewArgs),
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
    /// Report what the host's curator has to do with our skills, and do nothing
    ///
    /// Says which skills are ours and which of them Hermes' curator manages, and names the command
    /// that hands a skill over to it, with what that entails. Reads the host's files and runs
    /// nothing without --ask-host.
    #[command(after_long_help = CURATOR_NOTES)]
    Curator(CuratorArgs),
}

/// `skill-loop observe`
#[derive(Debug, Clone, clap::Args)]
pub struct ObserveArgs {
    /// What kind of thing happened: correction, repetition or coverage-gap
    #[arg(long, value_enum, value_name = "SIGNAL", hide_possible_values = true)]
    #[arg(requires_all = ["observed", "proposal"])]
    pub signal: Option<SignalName>,
    /// The skill concerned; a coverage gap may name none
    #[arg(long, alias = "skill-id", value_name = "NAME", requires = "signal")]
    #[arg(required_if_eq_any = [("signal", "correction"), ("signal", "repetition")])]
    pub skill: Option<String>,
    /// What happened, quoted; at most 2,000 characters
    #[arg(long, value_name = "TEXT", requires = "signal")]
    pub observed: Option<String>,
    /// The edit that would have prevented it: file and section; at most 2,000 characters
    #[arg(long, value_name = "TEXT", requires = "signal")]
    pub proposal: Option<String>,
    /// Answer with this skill as one that was active; not stored (can be repeated)
    #[arg(long = "active-skill", value_name = "NAME")]
    pub active_skills: Vec<String>,
    /// Answer with the turn that this rests on; not stored
    #[arg(long, value_name = "TURN")]
    pub evidence: Option<String>,
    /// Say how often it happened: from 2 on it is a pattern; not stored [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub occurrences: u64,
    /// Check whether this session consulted the skill; latest is the one that began last and is
    /// no child's of a conference
    #[arg(long, value_name = "ID|latest")]
    pub session: Option<String>,
}

/// What kind of thing was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SignalName {
    /// A person put something right
    Correction,
    /// The same instruction again
    Repetition,
    /// Repeated work with no skill behind it
    CoverageGap,
}

/// `skill-loop observations`
#[derive(Debug, Clone, clap::Args)]
pub struct ObservationsArgs {
    /// Print observations of this kind only: correction, repetition or coverage-gap
    #[arg(long, value_enum, value_name = "SIGNAL", hide_possible_values = true)]
    pub signal: Option<SignalName>,
    /// Print observations of this skill only
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Print observations from this time on: a day, or a time as RFC 3339 spells it
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
}

/// `skill-loop review`
#[derive(Debug, Clone, clap::Args)]
pub struct ReviewArgs {
    /// Add the end of this session; latest is the one that began last and is no child's of a
    /// conference
    #[arg(long, value_name = "ID|latest")]
    pub session: Option<String>,
    /// Take only this skill, and what was observed about it
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Print at most this many bytes [default: 65536]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 65_536,
        hide_default_value = true
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(..=16_777_216))]
    pub max_bytes: u32,
}

/// The verbs of `conference`.
#[derive(Debug, Clone, Subcommand)]
pub enum ConferenceCommand {
    /// Check a conference.md and print what there is to approve
    ///
    /// Reports every fault at once: an error is wrong, a gate has no safe default. When neither is
    /// left, prints the totals and the command that approves them. Changes nothing.
    #[command(after_long_help = CHECK_NOTES)]
    Check(CheckArgs),
    /// Approve the conditions of a conference as check shows them
    ///
    /// An act of a person in the foreground: names the digest that check printed, or is typed on a
    /// terminal below the totals. Leaves a receipt. Any changed number is another digest.
    #[command(after_long_help = APPROVE_NOTES)]
    Approve(ApproveArgs),
    /// Hold an approved conference to its end
    ///
    /// Sends charters to the host, measures candidates, has claims reviewed, and stops by the
    /// rules that were approved. Ctrl-C ends it: no child is left, every id is accounted.
    #[command(after_long_help = RUN_NOTES)]
    Run(RunArgs),
    /// Go on with a conference whose run was cut off
    ///
    /// Compares events, packets, artifacts, findings and ledger, and goes on from there. What was out
    /// is lost and charged; where the conditions replace no lost child, names the two choices.
    #[command(after_long_help = RESUME_NOTES)]
    Resume(ResumeArgs),
    /// Do what the root can do, and print the charters to hand to children
    ///
    /// For a session that holds the conference itself, on the host handoff. Expires what is past its
    /// deadline, measures, composes, transfers and ends; then prints the open charters, what is
    /// awaited, or the stop. Nothing waits or runs between calls.
    #[command(after_long_help = NEXT_NOTES)]
    Next(NextArgs),
    /// Take a child's packet back
    ///
    /// The whole output of one child, or what the host's delegate_task says of several at once. It is
    /// checked against its charter like any other packet; its dispatch id has to be open. A packet
    /// that the host's own records lack is taken too, with a warning, and reports count it.
    #[command(after_long_help = RECEIVE_NOTES, allow_missing_positional = true)]
    Receive(ReceiveArgs),
    /// Say how far a conference is, what is awaited and what to do next
    ///
    /// Reads the events and changes nothing, also while a run is at work.
    #[command(after_long_help = STATUS_NOTES)]
    Status(StatusArgs),
    /// Stop a conference
    ///
    /// Leaves a request that a run at work looks at; where none is, cancels the conference itself.
    /// Every id that is out gets its end, and nothing is claimed.
    #[command(after_long_help = CANCEL_NOTES)]
    Cancel(CancelArgs),
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
    /// Hold relayed packets against what the host recorded of this session's subagents [default:
    /// $HERMES_SESSION_ID]
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

/// `conference status`
#[derive(Debug, Clone, clap::Args)]
pub struct StatusArgs {
    /// The conference root: the folder of conference.md
    #[arg(value_name = "ROOT", default_value = ".", value_hint = ValueHint::DirPath)]
    pub root: PathBuf,
}

/// `conference cancel`
#[derive(Debug, Clone, clap::Args)]
pub struct CancelArgs {
    /// The conference root: the folder of conference.md
    #[arg(value_name = "ROOT", default_value = ".", value_hint = ValueHint::DirPath)]
    pub root: PathBuf,
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

/// `skill-loop curator`
#[derive(Debug, Clone, clap::Args)]
pub struct CuratorArgs {
    /// Run `hermes curator status` too; Hermes may write to its home then
    #[arg(long)]
    pub ask_host: bool,
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
  6    blocked: a condition is missing
  7    our own state is damaged
  130  interrupted; nothing was changed

Examples:
  $ lithermes tour
  $ lithermes skill-loop apply --help";

const SKILL_LOOP_NOTES: &str = "\
Exit status:
  that of its command; `lithermes --help` lists them all

Examples:
  $ lithermes skill-loop review --session latest > packet.md
  $ lithermes skill-loop propose answer.json
  $ lithermes skill-loop apply";

const CONFERENCE_NOTES: &str = "\
Hosts:
  hermes    one Hermes process a child
  command   any program that reads a charter and prints a packet
  local     built-in search over the parameters; needs no model
  recorded  the packets of an earlier run
  handoff   the session that drives the conference itself

Exit status:
  that of its command; `lithermes --help` lists them all

Examples:
  $ lithermes conference check
  $ lithermes conference check research/cache --host local --json";

const CHECK_NOTES: &str = "\
Exit status:
  0  no fault is an error; what is vague or worth a look is listed
  1  failed: input or output, or no conference.md there
  3  refused: conference.md says something that cannot be, or is a link
  4  with --replay: something is not what the events say

Examples:
  $ lithermes conference check research/cache --replay";

const APPROVE_NOTES: &str = "\
Exit status:
  0  approved, also where it was before
  3  no call by a person
  4  the digest is of other conditions than those that stand here now
  6  blocked: something is vague, or nobody approved

Examples:
  $ lithermes conference approve research/cache --digest DIGEST";

const RUN_NOTES: &str = "\
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

const RESUME_NOTES: &str = "\
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

const NEXT_NOTES: &str = "\
Exit status:
  0  said, also where it has ended
  4  the world moved: not what was approved or recorded, or two packets under one id
  5  another call is at work here
  6  blocked: vague, not approved, or the host is not handoff

Examples:
  $ lithermes conference next research/cache --host handoff --json
  $ lithermes conference next research/cache --tasks";

const RECEIVE_NOTES: &str = "\
Exit status:
  0  accepted, or the same packet came before
  3  rejected: it breaks a rule; its id stays open until its timeout
  4  stale: it came too late or for nobody, or another packet came before under its id
  6  nothing was begun there, or the host is not handoff

Examples:
  $ lithermes conference receive research/cache packet.json
  $ lithermes conference receive research/cache - --session 20261130_101500_ab12cd < answer.json";

const STATUS_NOTES: &str = "\
Exit status:
  0  said
  1  failed: input or output, or no conference.md there
  4  the events do not hold: a line or a packet is not what it was

Examples:
  $ lithermes conference status
  $ lithermes conference status research/cache --json";

const CANCEL_NOTES: &str = "\
Exit status:
  0  cancelled, asked to stop, or it had ended already
  1  failed: input or output, or nothing was begun there
  4  the events do not hold: a line or a packet is not what it was
  6  the run has no receipts

Examples:
  $ lithermes conference cancel
  $ lithermes conference cancel research/cache";

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

const OBSERVE_NOTES: &str = "\
Exit status:
  0  recorded
  1  failed; OBSERVER_RECORD_STATE_UNKNOWN: look before you record it again;
     OBSERVER_RECORD_COMMITTED_CLEANUP_FAILED: it is recorded
  2  usage: a field is missing
  3  refused: a fault in the observation, or an unsafe path
  5  busy: another lithermes holds the lock
  6  blocked: it bears a credential

Examples:
  $ lithermes skill-loop observe --session latest < observation.json";

const OBSERVATIONS_NOTES: &str = "\
Exit status:
  0  printed, also when there is nothing
  1  input or output failed
  3  an unsafe path

Examples:
  $ lithermes skill-loop observations --skill release-notes
  $ lithermes skill-loop observations --signal correction --since 2026-11-01 --json";

const COMPLETIONS_NOTES: &str = "\
Exit status:
  0  printed, also when no id can be told
  1  behind --: no id belongs in that place

Examples:
  $ eval \"$(lithermes completions bash)\"
  $ lithermes completions zsh > \"${fpath[1]}/_lithermes\"
  $ lithermes completions fish > ~/.config/fish/completions/lithermes.fish
  $ lithermes completions bash -- lithermes skill-loop apply p-3f";

const REVIEW_NOTES: &str = "\
Exit status:
  0  printed
  1  input or output failed, or there is no such session or skill
  2  usage: --max-bytes is less than the packet needs; the least is named
  3  an unsafe path
  7  our own state is damaged

Examples:
  $ lithermes skill-loop review --session latest > packet.md
  $ lithermes skill-loop review --skill release-notes --max-bytes 32768";

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

const CURATOR_NOTES: &str = "\
Exit status:
  0  reported
  1  input or output failed; with --ask-host, no hermes on PATH, or it did not end in time
  3  an unsafe path

Examples:
  $ lithermes skill-loop curator
  $ lithermes skill-loop curator --ask-host --json";

#[cfg(test)]
mod tests;
