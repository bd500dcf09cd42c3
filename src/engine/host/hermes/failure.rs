//! Why a turn is no answer, in one word (hermes-host.md §6).

use std::fmt;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The charter does not fit into one argument; nothing was started.
    PromptTooLong,
    /// The model was asked for more than it can read.
    ContextTooLong,
    /// The provider answered with this HTTP status.
    Http(u16),
    /// The model, or who serves it, does not want to answer this.
    Refused,
    /// The host calls the turn failed and says no more.
    Model,
    /// The answer was cut off, or the turn given up.
    Incomplete,
    /// The limit of turns was reached before an answer.
    IterationLimit,
    /// The model answered with nothing.
    EmptyReply,
    /// The host ended well and printed nothing.
    NoOutput,
    /// The host ended well and its usage file is missing or unreadable.
    NoReport,
    /// It ended with another exit status than 0.
    Exit,
    /// The process's own end, as [`crate::process::Ended::reason`] spells it.
    Process(&'static str),
    /// Its time was up.
    TimedOut,
    /// Somebody asked to stop.
    Cancelled,
}

/// As it stands in events.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Http(status) => return write!(out, "http_{status}"),
            Self::PromptTooLong => "prompt_too_long",
            Self::ContextTooLong => "context_too_long",
            Self::Refused => "refused_by_model",
            Self::Model => "model_failed",
            Self::Incomplete => "incomplete",
            Self::IterationLimit => "iteration_limit",
            Self::EmptyReply => "empty_reply",
            Self::NoOutput => "no_output",
            Self::NoReport => "no_usage_report",
            Self::Exit => "exit",
            Self::Process(reason) => reason,
            Self::TimedOut => "timeout",
            Self::Cancelled => "cancelled",
        };
        out.write_str(word)
    }
}
