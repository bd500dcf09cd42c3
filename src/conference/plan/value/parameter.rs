//! Parameters: what a candidate may be (conference.md A4).

use serde::Serialize;

use super::super::fault::quoted;
use super::number;

/// A parameter of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// Letters, digits and `_ . -`, at most 64, not beginning with a digit.
    pub name: String,
    /// Which values it may take.
    pub domain: Domain,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// Every real number from `min` to `max`, both included; `min < max`.
    Real {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// Every whole number from `min` to `max`, both included; `min < max`.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// At least two different words.
    Choice(Vec<String>),
}

/// The greatest whole number that JSON readers keep exactly.
const EXACT: f64 = 9_007_199_254_740_991.0;

const NAME_CHARS: usize = 64;

/// The name of a parameter, checked.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let name = text.trim_matches(['`', '*', ' ']);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match begins && name.len() <= NAME_CHARS && name.chars().all(is_letter) {
        true => Ok(name.to_owned()),
        false => Err(format!("{} is no name of a parameter", quoted(text))),
    }
}

/// `lo .. hi`, `lo .. hi integer` or `a | b | c`.
pub(crate) fn domain(text: &str) -> Result<Domain, String> {
    if text.contains('|') {
        return choice(text);
    }
    let Some((low, high)) = text.split_once("..") else {
        let text = quoted(text);
        return Err(format!("{text} is neither `lo .. hi` nor `a | b`"));
    };
    let (high, is_integer) = match high.trim_end().strip_suffix("integer") {
        Some(high) if high.ends_with([' ', '\t']) => (high, true),
        _ => (high, false),
    };
    let (min, max) = (number::decimal(low)?, number::decimal(high)?);
    if min >= max {
        return Err(format!("{} is no range from less to more", quoted(text)));
    }
    if !is_integer {
        return Ok(Domain::Real { min, max });
    }
    let whole = |value: f64| value.fract() == 0.0 && value.abs() <= EXACT;
    if !whole(min) || !whole(max) {
        return Err(format!("{} is no range of whole numbers", quoted(text)));
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    let (min, max) = (min as i64, max as i64);
    Ok(Domain::Integer { min, max })
}

fn choice(text: &str) -> Result<Domain, String> {
    let clean = |word: &str| word.trim().trim_matches(['`', '"']).to_owned();
    let words: Vec<String> = text.split('|').map(clean).collect();
    let mut sorted = words.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < words.len() || words.iter().any(String::is_empty) {
        let text = quoted(text);
        return Err(format!("{text} repeats a choice or leaves one empty"));
    }
    Ok(Domain::Choice(words))
}
