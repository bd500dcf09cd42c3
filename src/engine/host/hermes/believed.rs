//! Whether a turn is an answer (hermes-host.md §6): failure often looks like success.
//!
//! Promises: an answer is what exit status and the host's own records both call one. The host's
//! words only name a failure, or find one more.

use super::{Failure, Report};
use crate::process::{Ended, Finished};

/// Where the host's words are looked at: it begins with them, or ends with them.
const LOOKED_AT: usize = 600;

/// `Ok` where the output is an answer, which is still only bytes. `is_reported`: a usage file was
/// asked for.
pub(super) fn answer(
    finished: &Finished,
    report: Option<&Report>,
    is_reported: bool,
) -> Result<(), Failure> {
    let code = match &finished.ended {
        Ended::Exited(code) => *code,
        // Too large to be a packet: the reader says so.
        Ended::TooLarge => return Ok(()),
        Ended::Deadline => return Err(Failure::TimedOut),
        Ended::Cancelled => return Err(Failure::Cancelled),
        other => return Err(Failure::Process(other.reason())),
    };
    let said = Said::of(finished, report);
    if code != 0 {
        return Err(said.named().unwrap_or(Failure::Exit));
    }
    match report {
        Some(report) if report.is_failed => return Err(said.named().unwrap_or(Failure::Model)),
        None if is_reported => return Err(Failure::NoReport),
        _ => {}
    }
    if let Some(failure) = said.notice() {
        return Err(failure);
    }
    if finished.stdout.trim_ascii().is_empty() {
        // A turn with tools prints nothing where the model said nothing.
        let silent = if is_reported {
            Failure::NoOutput
        } else {
            Failure::EmptyReply
        };
        return Err(silent);
    }
    match report {
        Some(report) if !report.is_complete => Err(said.named().unwrap_or(Failure::Incomplete)),
        _ => Ok(()),
    }
}

/// What the host printed, as far as it is looked at.
struct Said {
    begin: String,
    end: String,
    beside: String,
}

impl Said {
    fn of(finished: &Finished, report: Option<&Report>) -> Self {
        let out = String::from_utf8_lossy(&finished.stdout);
        let out = out.trim();
        let log = finished.log.text();
        let mut beside = tail(&log);
        beside.push_str(report.map_or("", |report| report.failure.as_str()));
        Self {
            begin: out.chars().take(LOOKED_AT).collect(),
            end: tail(out),
            beside,
        }
    }

    /// What went wrong in a turn that is known to have failed.
    fn named(&self) -> Option<Failure> {
        let holds = |text: &str| self.begin.contains(text) || self.beside.contains(text);
        if holds("Context length exceeded") || holds("payload too large") {
            return Some(Failure::ContextTooLong);
        }
        if holds("declined to respond") || holds("content_policy") {
            return Some(Failure::Refused);
        }
        let status = status(&self.begin).or_else(|| status(&self.beside));
        status.map(Failure::Http).or_else(|| self.notice())
    }

    /// The host's own words in the place of an answer, or around one.
    fn notice(&self) -> Option<Failure> {
        let is_limit = |text: &str| {
            text.contains("Reached maximum iterations") || text.contains("tool-iteration limit")
        };
        let begins = self.begin.starts_with('\u{26a0}');
        let last = self
            .end
            .rfind("\n\u{26a0}")
            .and_then(|at| self.end.get(at..));
        if (begins && is_limit(&self.begin)) || last.is_some_and(is_limit) {
            return Some(Failure::IterationLimit);
        }
        let is_empty = |text: &str| text.contains("No reply:");
        ((begins && is_empty(&self.begin)) || last.is_some_and(is_empty))
            .then_some(Failure::EmptyReply)
    }
}

fn tail(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(LOOKED_AT);
    text.chars().skip(skipped).collect()
}

/// The number in the first `HTTP 401`.
fn status(text: &str) -> Option<u16> {
    let after = text.split("HTTP ").skip(1);
    let digits = after.filter_map(|rest| rest.get(..3));
    let numbers = digits.filter_map(|digits| digits.parse::<u16>().ok());
    numbers
        .into_iter()
        .find(|number| (400..=599).contains(number))
}
