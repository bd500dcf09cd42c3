//! `conference`: its verbs, by what each is about.

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

pub use conditions::{ApproveArgs, CheckArgs, ConditionArgs, HostName, ResumeArgs, RunArgs};
pub use session::{NextArgs, ReceiveArgs, SessionArgs, Way};

use conditions::{APPROVE_NOTES, CHECK_NOTES, RESUME_NOTES, RUN_NOTES};
use session::{NEXT_NOTES, RECEIVE_NOTES};

mod conditions;
mod session;

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
    /// checked against its charter like any other packet; its dispatch id has to be open.
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

pub(super) const NOTES: &str = "\
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
