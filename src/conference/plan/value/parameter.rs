//! Parameters: what a candidate may be (conference.md A4).

use super::super::fault::quoted;
use super::number;
pub use crate::engine::charter::{Domain, Parameter};

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
    let whole = |value: f64| value.fract() == 0.0 && value.abs() <= EXACT;
    if is_integer && !(whole(min) && whole(max)) {
        return Err(format!("{} is no range of whole numbers", quoted(text)));
    }
    Ok(Domain::Range {
        min,
        max,
        integer: is_integer,
    })
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
    Ok(Domain::Choice { choices: words })
}
