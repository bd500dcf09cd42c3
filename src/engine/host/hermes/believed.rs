//! Whether a turn is an answer (hermes-host.md §6): failure often looks like success.
//!
//! Promises: an answer is what exit status and the host's own records both call one. The host's
//! words only name a failure, or find one more.

use super::{Failure, Report};
use crate::process::{Ended, Finished};

/// Where the host's words are looked at: it begins with them, or ends with them.
const LOOKED_AT: usize = 600;
/// How the host's own lines begin.
const SIGN: char = '\u{26a0}';

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
    if said.is_silent {
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

/// The output without the lines that the host puts before an answer: about its own set-up.
pub(super) fn without_notices(output: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&output) else {
        return output;
    };
    match notices(text) {
        (before, _) if before.is_empty() => output,
        (_, answer) => answer.as_bytes().to_vec(),
    }
}

/// Lines of the host's own at the beginning, and what follows them. No packet begins so.
fn notices(text: &str) -> (Vec<&str>, &str) {
    let (mut lines, mut rest) = (Vec::new(), text.trim_start());
    while rest.starts_with(SIGN) {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        lines.push(line);
        rest = after.trim_start();
    }
    (lines, rest)
}

/// What the host printed, as far as it is looked at.
struct Said {
    /// Nothing but the host's own lines.
    is_silent: bool,
    notices: Vec<String>,
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
        let (notices, answer) = notices(out);
        // What a packet says is not what the host says.
        let host = if answer.starts_with('{') { "" } else { out };
        Self {
            is_silent: answer.is_empty(),
            notices: notices.into_iter().map(str::to_owned).collect(),
            begin: host.chars().take(LOOKED_AT).collect(),
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

    /// The host's own words in the place of an answer, or after one.
    fn notice(&self) -> Option<Failure> {
        let after = self.end.rfind(&format!("\n{SIGN}"));
        let after = after.and_then(|at| self.end.get(at..));
        let mut own = self.notices.iter().map(String::as_str).chain(after);
        own.find_map(|line| {
            let is_limit = line.contains("maximum iterations") || line.contains("iteration limit");
            let is_empty = line.contains("No reply:");
            match (is_limit, is_empty) {
                (true, _) => Some(Failure::IterationLimit),
                (false, true) => Some(Failure::EmptyReply),
                (false, false) => None,
            }
        })
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
    let mut numbers = digits.filter_map(|digits| digits.parse::<u16>().ok());
    numbers.find(|number| (400..=599).contains(number))
}
