//! Single cells in every spelling that real files have (conference.md B 2.3).

use jiff::Timestamp;

use crate::engine::event::RowStatus;
use crate::engine::id::Lane;
use crate::engine::packet::Verdict;

/// A finite decimal with or without a sign, an exponent or a digit before the point.
pub fn number(text: &str) -> Option<f64> {
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let number: f64 = text.parse().ok().filter(|_| text.chars().all(plain))?;
    number
        .is_finite()
        .then_some(if number == 0.0 { 0.0 } else { number })
}

/// A delta or a percentage, with or without `%`; `Ok(None)` where the cell says that there is none.
pub fn change(text: &str) -> Option<Option<f64>> {
    match text {
        "" | "-" | "--" => Some(None),
        _ => number(text.strip_suffix('%').unwrap_or(text).trim()).map(Some),
    }
}

/// A status, and whether it is spelled in another way than ours.
pub fn status(text: &str) -> Option<(RowStatus, bool)> {
    let status = match text.to_ascii_lowercase().as_str() {
        "baseline" | "reference" => RowStatus::Baseline,
        "kept" | "improved" => RowStatus::Kept,
        "reverted" | "stalled" => RowStatus::Reverted,
        "failed" | "guard_violation" => RowStatus::Failed,
        _ => return None,
    };
    Some((status, status.as_str() != text))
}

/// A verdict; `Some(None)` where the cell says that there is none.
pub fn verdict(text: &str) -> Option<Option<Verdict>> {
    Some(Some(match text.to_ascii_lowercase().as_str() {
        "" | "-" | "--" => return Some(None),
        "validated" => Verdict::Validated,
        "challenged" => Verdict::Challenged,
        "overturned" => Verdict::Overturned,
        "needs_review" | "needs-review" | "needs review" => Verdict::NeedsReview,
        _ => return None,
    }))
}

/// A lane: one letter.
pub fn lane(text: &str) -> Option<Lane> {
    match text.as_bytes() {
        [letter @ b'A'..=b'Z'] => Lane::nth(usize::from(letter - b'A')),
        _ => None,
    }
}

/// A moment. A time without a zone, or a date alone, is none: nothing may be ordered by it.
pub fn moment(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
