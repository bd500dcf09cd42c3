//! What a plain scalar means: to the host (YAML 1.1) and to YAML 1.2.
//!
//! Promises: [`host`] resolves as the host's parser does, values that it cannot construct
//! included; [`core`] is the core schema of YAML 1.2.2.

use std::sync::LazyLock;

use regex::Regex;

/// What a scalar is. `zero` is what Python takes for false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Text,
    Null,
    Bool(bool),
    Number {
        zero: bool,
    },
    Time,
    /// `<<`
    Merge,
    /// Looks like a value of another type and is none: the host's parser gives up.
    Broken,
}

impl Meaning {
    /// With its article, for a message.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number { .. } => "a number",
            Self::Time => "a date",
            Self::Merge => "a merge key",
            Self::Broken => "no value that the host can read",
        }
    }
}

fn compiled(pattern: &str) -> Regex {
    // The patterns are constants, and every one is used by a test.
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("{error}"))
}

static INT_11: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$",
    )
});
static FLOAT_11: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?",
        r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?",
        r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*",
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    ))
});
static DAY_11: LazyLock<Regex> = LazyLock::new(|| compiled(r"^([0-9]{4})-([0-9]{2})-([0-9]{2})$"));
static TIME_11: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)",
        r"([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?",
        r"(?:[ \t]*(?:Z|[-+]([0-9]{1,2})(?::([0-9]{2}))?))?$",
    ))
});
static NUMBER_12: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
        r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    ))
});

/// What a plain scalar is to the host.
pub(super) fn host(text: &str) -> Meaning {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Meaning::Null,
        "<<" => return Meaning::Merge,
        "=" => return Meaning::Broken,
        _ => {}
    }
    let truth = ["yes", "true", "on"];
    let untruth = ["no", "false", "off"];
    if let Some(value) = word(text, &truth, &untruth) {
        return Meaning::Bool(value);
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
        return Meaning::Text;
    }
    if FLOAT_11.is_match(text) {
        let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
        let infinite = text.contains(['n', 'N']);
        return number(!infinite && is_zero(mantissa));
    }
    if INT_11.is_match(text) {
        return integer(text);
    }
    moment(text)
}

/// What a plain scalar is to the core schema of YAML 1.2.
pub(super) fn core(text: &str) -> Meaning {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Meaning::Null,
        _ => {}
    }
    if let Some(value) = word(text, &["true"], &["false"]) {
        return Meaning::Bool(value);
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && NUMBER_12.is_match(text)
    {
        return number(is_zero(text));
    }
    Meaning::Text
}

fn number(zero: bool) -> Meaning {
    Meaning::Number { zero }
}

fn is_zero(digits: &str) -> bool {
    !digits.contains(|c: char| matches!(c, '1'..='9' | 'a'..='f' | 'A'..='F'))
}

/// Whether `text` is one of the words, in lower case, upper case or with a capital.
fn word(text: &str, truth: &[&str], untruth: &[&str]) -> Option<bool> {
    let (first, rest) = text.split_at_checked(1)?;
    let lower = text.to_ascii_lowercase();
    let upper = text.chars().all(|c| c.is_ascii_uppercase());
    let small = rest.chars().all(|c| c.is_ascii_lowercase());
    if !(upper || small && first.is_ascii()) {
        return None;
    }
    if truth.contains(&lower.as_str()) {
        return Some(true);
    }
    untruth.contains(&lower.as_str()).then_some(false)
}

/// `0b_` and `0x_` have no digit; in base 8, 2 and 16 the rest is digits by the pattern.
fn integer(text: &str) -> Meaning {
    let bare = text.trim_start_matches(['-', '+']).replace('_', "");
    let digits = match bare.get(..2) {
        Some("0b" | "0x") => bare.get(2..).unwrap_or(""),
        _ => bare.as_str(),
    };
    if digits.is_empty() {
        return Meaning::Broken;
    }
    number(is_zero(digits))
}

/// A date, or something that is one only in shape.
fn moment(text: &str) -> Meaning {
    let Some(found) = DAY_11.captures(text).or_else(|| TIME_11.captures(text)) else {
        return Meaning::Text;
    };
    let part = |at: usize| -> i32 {
        let digits = found.get(at).map_or("0", |part| part.as_str());
        digits.parse().unwrap_or(i32::MAX)
    };
    let narrow = |at: usize| i8::try_from(part(at)).unwrap_or(i8::MAX);
    let year = i16::try_from(part(1)).unwrap_or(0);
    let day = year > 0 && jiff::civil::Date::new(year, narrow(2), narrow(3)).is_ok();
    let clock = part(4) < 24 && part(5) < 60 && part(6) < 60;
    let zone = part(7) * 60 + part(8) < 24 * 60;
    if day && clock && zone {
        Meaning::Time
    } else {
        Meaning::Broken
    }
}
