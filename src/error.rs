//! The one error type: a code that programs match on, a sentence for people, and the way on.
//!
//! Every refusal says what was expected, what was found and what to do next; the code alone
//! decides the exit status (decisions.md §5).

use std::fmt;

/// Short form used by every fallible function of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of failure this is. The spelling of [`Code::as_str`] is part of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// An id or prefix that fits more than one record.
    AmbiguousId,
    /// The conditions of a conference are not approved.
    BlockedApprovalRequired,
    /// A grant of bounded work is missing, or cannot be checked.
    BlockedBoundedAuthorityRequired,
    /// Two packets came under one id.
    BlockedDispatchReplayConflict,
    /// A child was lost, and nobody decided what becomes of its work.
    BlockedLostChild,
    /// Nobody is there who could do the work of children.
    BlockedMultiAgentUnavailable,
    /// A conference is not what its events or its approval say.
    BlockedStaleConferenceState,
    /// Documents that were made and may not be written; they are in the answer instead.
    BlockedWriteAuthorityMissing,
    /// An observation that cannot be stated without a credential.
    BlockedObserverSecret,
    /// A `conference.md` that leaves open what has no safe default.
    ConditionsIncomplete,
    /// A decision asked for from inside an agent's tool call or a child process.
    ForegroundRequired,
    /// A ledger or blob folder that another product wrote.
    ForeignState,
    /// A person stopped at a prompt; nothing was changed.
    Interrupted,
    /// A `conference.md` that breaks at least one rule.
    InvalidConference,
    /// An observation that breaks at least one rule; the faults are listed.
    InvalidObservation,
    /// A document that breaks at least one rule; the faults are listed.
    InvalidProposal,
    /// A run of a conference without receipts, which can be read and not gone on with.
    LegacyUnreceipted,
    /// The operating system refused (disk full, permission, …).
    Io,
    /// The ledger does not hold: a line, the chain, the sequence.
    LedgerDamaged,
    /// Another process holds the lock.
    LockTimeout,
    /// Nothing is known under that name.
    NotFound,
    /// A conference root without a `conference.md`.
    NotInitialised,
    /// A decision on a proposal that is decided already, the other way.
    NotPending,
    /// The observation is recorded; what came after failed. Recording again would double it.
    ObserverRecordCommittedCleanupFailed,
    /// The record could neither be completed nor taken back.
    ObserverRecordStateUnknown,
    /// An `oldString` that does not occur in the base.
    PatchNoMatch,
    /// An `oldString` that occurs more than once.
    PatchNotUnique,
    /// The files are not what the receipt says that it left.
    RollbackCasMismatch,
    /// The host's session database is no database, damaged, or of a version too far off.
    SessionsUnreadable,
    /// The target is not what the proposal was made against.
    StaleBase,
    /// An object of the store is missing or does not hash to its name.
    StoreDamaged,
    /// The skill belongs to somebody else.
    TargetNotAgentOwned,
    /// A path that leaves its root, crosses a link or has two names.
    UnsafePath,
    /// A call that cannot mean anything.
    Usage,
}

impl Code {
    /// The spelling that programs see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AmbiguousId => "AMBIGUOUS_ID",
            Self::BlockedApprovalRequired => "BLOCKED_APPROVAL_REQUIRED",
            Self::BlockedBoundedAuthorityRequired => "BLOCKED_BOUNDED_AUTHORITY_REQUIRED",
            Self::BlockedDispatchReplayConflict => "BLOCKED_DISPATCH_REPLAY_CONFLICT",
            Self::BlockedLostChild => "BLOCKED_LOST_CHILD",
            Self::BlockedMultiAgentUnavailable => "BLOCKED_MULTI_AGENT_UNAVAILABLE",
            Self::BlockedStaleConferenceState => "BLOCKED_STALE_CONFERENCE_STATE",
            Self::BlockedWriteAuthorityMissing => "BLOCKED_WRITE_AUTHORITY_MISSING",
            Self::BlockedObserverSecret => "BLOCKED_OBSERVER_SECRET",
            Self::ConditionsIncomplete => "CONDITIONS_INCOMPLETE",
            Self::ForegroundRequired => "FOREGROUND_REQUIRED",
            Self::ForeignState => "FOREIGN_STATE",
            Self::Interrupted => "INTERRUPTED",
            Self::InvalidConference => "INVALID_CONFERENCE",
            Self::InvalidObservation => "INVALID_OBSERVATION",
            Self::InvalidProposal => "INVALID_PROPOSAL",
            Self::LegacyUnreceipted => "LEGACY_UNRECEIPTED",
            Self::Io => "IO_ERROR",
            Self::LedgerDamaged => "LEDGER_DAMAGED",
            Self::LockTimeout => "LOCK_TIMEOUT",
            Self::NotFound => "NOT_FOUND",
            Self::NotInitialised => "NOT_INITIALISED",
            Self::NotPending => "NOT_PENDING",
            Self::ObserverRecordCommittedCleanupFailed => {
                "OBSERVER_RECORD_COMMITTED_CLEANUP_FAILED"
            }
            Self::ObserverRecordStateUnknown => "OBSERVER_RECORD_STATE_UNKNOWN",
            Self::PatchNoMatch => "PATCH_NO_MATCH",
            Self::PatchNotUnique => "PATCH_NOT_UNIQUE",
            Self::RollbackCasMismatch => "ROLLBACK_CAS_MISMATCH",
            Self::SessionsUnreadable => "SESSIONS_UNREADABLE",
            Self::StaleBase => "STALE_BASE",
            Self::StoreDamaged => "STORE_DAMAGED",
            Self::TargetNotAgentOwned => "TARGET_NOT_AGENT_OWNED",
            Self::UnsafePath => "UNSAFE_PATH",
            Self::Usage => "USAGE",
        }
    }

    /// The exit status of a command that ends with this code (decisions.md §5).
    pub fn exit(self) -> u8 {
        match self {
            Self::Io
            | Self::NotFound
            | Self::NotInitialised
            | Self::AmbiguousId
            | Self::ObserverRecordCommittedCleanupFailed
            | Self::ObserverRecordStateUnknown
            | Self::SessionsUnreadable => 1,
            Self::Usage => 2,
            Self::ForegroundRequired
            | Self::InvalidConference
            | Self::InvalidObservation
            | Self::InvalidProposal
            | Self::TargetNotAgentOwned
            | Self::UnsafePath => 3,
            Self::BlockedDispatchReplayConflict
            | Self::BlockedStaleConferenceState
            | Self::NotPending
            | Self::PatchNoMatch
            | Self::PatchNotUnique
            | Self::RollbackCasMismatch
            | Self::StaleBase => 4,
            Self::LockTimeout => 5,
            Self::BlockedApprovalRequired
            | Self::BlockedBoundedAuthorityRequired
            | Self::BlockedLostChild
            | Self::BlockedMultiAgentUnavailable
            | Self::BlockedObserverSecret
            | Self::BlockedWriteAuthorityMissing
            | Self::ConditionsIncomplete
            | Self::LegacyUnreceipted => 6,
            Self::ForeignState | Self::LedgerDamaged | Self::StoreDamaged => 7,
            Self::Interrupted => 130,
        }
    }
}

/// One broken rule of a document, with its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Fault {
    /// JSON pointer (RFC 6901) of the value that is at fault; empty for the whole document.
    pub pointer: String,
    /// Line in the document, from 1; 0 where the value came from no document.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong and what is right. Never the value of a secret.
    pub message: String,
}

/// A failure, ready to be shown to a person or a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Body>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Body {
    code: Code,
    message: String,
    expected: Option<String>,
    found: Option<String>,
    faults: Vec<Fault>,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl Error {
    /// A failure with one sentence: lower case, no full stop, user values in backticks.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Body {
            code,
            message: message.into(),
            expected: None,
            found: None,
            faults: Vec::new(),
            causes: Vec::new(),
            hints: Vec::new(),
        }))
    }

    /// What was to be there (a digest, a state, a type).
    #[must_use]
    pub fn expected(mut self, what: impl Into<String>) -> Self {
        self.0.expected = Some(what.into());
        self
    }

    /// What was there instead.
    #[must_use]
    pub fn found(mut self, what: impl Into<String>) -> Self {
        self.0.found = Some(what.into());
        self
    }

    /// A deeper reason, outermost first.
    #[must_use]
    pub fn caused_by(mut self, cause: impl fmt::Display) -> Self {
        self.0.causes.push(cause.to_string());
        self
    }

    /// The same failure as the cause of what it means for the whole: another code and sentence
    /// before it. Causes, hints and all else stay.
    #[must_use]
    pub fn behind(mut self, code: Code, message: impl Into<String>) -> Self {
        let cause = std::mem::replace(&mut self.0.message, message.into());
        self.0.causes.insert(0, cause);
        self.0.code = code;
        self
    }

    /// The sentence, with what it means for the whole behind a semicolon.
    #[must_use]
    pub fn and(mut self, consequence: &str) -> Self {
        self.0.message = format!("{}; {consequence}", self.0.message);
        self
    }

    /// What to do next; begins with a command that can be pasted where there is one.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    /// All broken rules of a document.
    #[must_use]
    pub fn with_faults(mut self, faults: Vec<Fault>) -> Self {
        self.0.faults = faults;
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What was expected, where that is one value.
    pub fn expectation(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// What was found instead.
    pub fn finding(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// Broken rules, with places.
    pub fn faults(&self) -> &[Fault] {
        &self.0.faults
    }

    /// Deeper reasons, outermost first.
    pub fn causes(&self) -> &[String] {
        &self.0.causes
    }

    /// What to do next.
    pub fn hints(&self) -> &[String] {
        &self.0.hints
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

/// fs-err puts the operation and the path into the text, so nothing is lost here.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        let full = matches!(
            error.raw_os_error(),
            Some(code) if code == rustix::io::Errno::NOSPC.raw_os_error()
                || code == rustix::io::Errno::DQUOT.raw_os_error()
        );
        let made = Self::new(Code::Io, error.to_string());
        if full {
            made.hint("free some disk space and run the same command again")
        } else {
            made
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Error};

    #[test]
    fn what_stands_before_a_failure_loses_nothing_of_it() {
        let inner = Error::new(Code::Io, "inner").caused_by("deepest");
        let inner = inner.hint("do this").expected("a").found("b");
        let outer = inner.behind(Code::StaleBase, "outer").and("no change");
        assert_eq!(
            (outer.code(), outer.message()),
            (Code::StaleBase, "outer; no change")
        );
        assert_eq!(outer.causes(), ["inner", "deepest"]);
        assert_eq!(outer.hints(), ["do this"]);
        assert_eq!(
            (outer.expectation(), outer.finding()),
            (Some("a"), Some("b"))
        );
    }
}
