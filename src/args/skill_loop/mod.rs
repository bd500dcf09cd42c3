//! `skill-loop`: its verbs, by what each is about.

use clap::Subcommand;

pub use observation::{ObservationsArgs, ObserveArgs, ReviewArgs, SignalName};
pub use proposal::{ApplyArgs, ListArgs, ProposeArgs, RejectArgs, ShowArgs, StateFilter};
pub use receipt::{LEDGER_KINDS, LogArgs, RollbackArgs, VerifyArgs};

use observation::{OBSERVATIONS_NOTES, OBSERVE_NOTES, REVIEW_NOTES};
use proposal::{APPLY_NOTES, LIST_NOTES, PROPOSE_NOTES, REJECT_NOTES, SHOW_NOTES};
use receipt::{LOG_NOTES, ROLLBACK_NOTES, VERIFY_NOTES};

mod observation;
mod proposal;
mod receipt;

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

/// `skill-loop curator`
#[derive(Debug, Clone, clap::Args)]
pub struct CuratorArgs {
    /// Run `hermes curator status` too; Hermes may write to its home then
    #[arg(long)]
    pub ask_host: bool,
}

pub(super) const NOTES: &str = "\
Exit status:
  that of its command; `lithermes --help` lists them all

Examples:
  $ lithermes skill-loop review --session latest > packet.md
  $ lithermes skill-loop propose answer.json
  $ lithermes skill-loop apply";

const CURATOR_NOTES: &str = "\
Exit status:
  0  reported
  1  input or output failed; with --ask-host, no hermes on PATH, or it did not end in time
  3  an unsafe path

Examples:
  $ lithermes skill-loop curator
  $ lithermes skill-loop curator --ask-host --json";
