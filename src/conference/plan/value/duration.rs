//! Durations: `8h`, `90m`, `2h30m`, `45s` (conference.md B 1.4).

use std::time::Duration;

use serde::Serializer;

use super::super::fault::quoted;

/// No budget is longer than this: a year.
const MOST: u64 = 366 * 24 * 3600;

const UNITS: [(char, u64); 3] = [('h', 3600), ('m', 60), ('s', 1)];

/// Hours, minutes and seconds, each at most once and in this order; more than nothing, at most a
/// year.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text).filter(|seconds| (1..=MOST).contains(seconds));
    let wrong = || {
        format!(
            "{} is not a duration such as 30m, 2h or 2h30m",
            quoted(text)
        )
    };
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

fn seconds(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut total: u64 = 0;
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, behind) = rest.split_at(end);
        let letter = behind.chars().next()?.to_ascii_lowercase();
        let (_, unit) = units.find(|(name, _)| *name == letter)?;
        let part = number.parse::<u64>().ok()?.checked_mul(*unit)?;
        total = total.checked_add(part)?;
        rest = behind.get(1..)?.trim_start();
    }
    Some(total)
}

/// As one would write it: `2h30m`.
pub fn written(duration: Duration) -> String {
    let mut left = duration.as_secs();
    let mut text = String::new();
    for (name, unit) in UNITS {
        if left >= unit {
            text.push_str(&format!("{}{name}", left / unit));
            left %= unit;
        }
    }
    match text.is_empty() {
        true => "0s".to_owned(),
        false => text,
    }
}

/// Whole seconds, as they stand in documents.
pub(crate) fn as_seconds<S: Serializer>(
    duration: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match duration {
        Some(duration) => serializer.serialize_some(&duration.as_secs()),
        None => serializer.serialize_none(),
    }
}
