//! What happened: recorded, read back, and put before a model.

use clap::ValueEnum;

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

pub(super) const OBSERVE_NOTES: &str = "\
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

pub(super) const OBSERVATIONS_NOTES: &str = "\
Exit status:
  0  printed, also when there is nothing
  1  input or output failed
  3  an unsafe path

Examples:
  $ lithermes skill-loop observations --skill release-notes
  $ lithermes skill-loop observations --signal correction --since 2026-11-01 --json";

pub(super) const REVIEW_NOTES: &str = "\
Exit status:
  0  printed
  1  input or output failed, or there is no such session or skill
  2  usage: --max-bytes is less than the packet needs; the least is named
  3  an unsafe path
  7  our own state is damaged

Examples:
  $ lithermes skill-loop review --session latest > packet.md
  $ lithermes skill-loop review --skill release-notes --max-bytes 32768";
