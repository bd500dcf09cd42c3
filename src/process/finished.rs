//! How a child ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::output::Log;

/// Everything that is known of a child that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Why it is over.
    pub ended: Ended,
    /// How the program itself ended, also where it was made to.
    pub status: Option<Status>,
    /// Its standard output: at most the limit, and one byte more where it was too large.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub log: Log,
    /// Whether something of it outlived the program and had to be ended.
    pub outlived: bool,
    /// Whether something of it still lives.
    pub descendants: Descendants,
    /// What it left in the file that was to be kept, as text; `None` where there is no such file, or
    /// it is larger than [`super::KEPT`].
    pub kept: Option<String>,
    /// Why its folder could not be removed, with the path; `None` where it is gone.
    pub folder_left: Option<String>,
    /// From the call to the end.
    pub took: Duration,
}

impl Finished {
    /// Nothing was started, so nothing is left.
    pub(super) fn without_a_start(ended: Ended) -> Self {
        Self {
            ended,
            status: None,
            stdout: Vec::new(),
            log: Log::default(),
            outlived: false,
            descendants: Descendants::None,
            kept: None,
            folder_left: None,
            took: Duration::ZERO,
        }
    }
}

/// Why a child is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// It ended by itself, with this exit status.
    Exited(i32),
    /// A signal that was not ours ended it.
    Signalled(i32),
    /// Its time was up.
    Deadline,
    /// Somebody asked to stop.
    Cancelled,
    /// It printed more than it may.
    TooLarge,
    /// It could not be started, and why.
    NotStarted(String),
    /// The shim above it is gone, and why.
    Lost(String),
}

impl Ended {
    /// The reason in one word, as events spell it.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Exited(_) => "exit",
            Self::Signalled(_) => "signal",
            Self::Deadline => "timeout",
            Self::Cancelled => "cancelled",
            Self::TooLarge => "output",
            Self::NotStarted(_) => "not_started",
            Self::Lost(_) => "lost",
        }
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// With this exit status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
}

/// Whether something of a child lives on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Descendants {
    /// Nothing: the system itself says so.
    None,
    /// It was ended as far as possible, and this is why nobody can prove more.
    NotProvable(String),
}
