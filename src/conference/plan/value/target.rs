//! Target expressions: `< 0.5s`, `>= 80`, `> 8/10`, `composite_score > 95.0`
//! (conference.md B 1.3).

use serde::Serialize;

use super::super::fault::quoted;
use super::number;
pub use crate::engine::charter::Direction;

/// How a value is compared with the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Comparator {
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    LessOrEqual,
    /// More.
    #[serde(rename = ">")]
    Greater,
    /// More or equal.
    #[serde(rename = ">=")]
    GreaterOrEqual,
    /// Equal.
    #[serde(rename = "==")]
    Equal,
}

/// The longer spellings first.
const COMPARATORS: [(&str, Comparator); 8] = [
    ("<=", Comparator::LessOrEqual),
    (">=", Comparator::GreaterOrEqual),
    ("==", Comparator::Equal),
    ("≤", Comparator::LessOrEqual),
    ("≥", Comparator::GreaterOrEqual),
    ("<", Comparator::Less),
    (">", Comparator::Greater),
    ("=", Comparator::Equal),
];

impl Comparator {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
        }
    }

    /// Whether it asks for what the direction calls worse.
    pub fn contradicts(self, direction: Direction) -> bool {
        match direction {
            Direction::Maximize => matches!(self, Self::Less | Self::LessOrEqual),
            Direction::Minimize => matches!(self, Self::Greater | Self::GreaterOrEqual),
        }
    }

    fn of(direction: Direction) -> Self {
        match direction {
            Direction::Maximize => Self::GreaterOrEqual,
            Direction::Minimize => Self::LessOrEqual,
        }
    }
}

/// A target, read. Nothing is rescaled: `> 8/10` keeps 8, with the scale 10; `%` is a unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Target {
    /// As it was written, else as the direction says.
    pub comparator: Comparator,
    /// The threshold.
    pub value: f64,
    /// What the value is out of.
    pub scale: Option<f64>,
    /// The unit, as it was written.
    pub unit: Option<String>,
}

impl Target {
    /// Whether a value in the target's own unit meets it.
    pub fn is_met_by(&self, value: f64) -> bool {
        match self.comparator {
            Comparator::Less => value < self.value,
            Comparator::LessOrEqual => value <= self.value,
            Comparator::Greater => value > self.value,
            Comparator::GreaterOrEqual => value >= self.value,
            Comparator::Equal => value == self.value,
        }
    }
}

/// A target expression, before the direction is known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expression {
    comparator: Option<Comparator>,
    pub(crate) quantity: Quantity,
    scale: Option<f64>,
}

/// A number and its unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    pub(crate) is_integer: bool,
    pub(crate) unit: Option<String>,
}

impl Expression {
    /// Prose may follow the number: `8/8 categories covered (100%)`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let read = Self::read(text.trim());
        read.ok_or_else(|| {
            let text = quoted(text);
            format!("{text} is no target such as `< 0.5`, `>= 80` or `> 90%`")
        })
    }

    fn read(text: &str) -> Option<Self> {
        let text = after_name(text);
        let (comparator, text) = comparator(text);
        let found = number::scan(text)?;
        let (scale, rest) = denominator(found.rest)?;
        if scale.is_some_and(|scale| found.value > scale) {
            return None;
        }
        let quantity = Quantity {
            value: found.value,
            is_integer: found.is_integer,
            unit: unit(rest)?,
        };
        Some(Self {
            comparator,
            quantity,
            scale,
        })
    }

    /// The target for a direction; the comparator must not contradict it.
    pub(crate) fn directed(&self, direction: Direction) -> Result<Target, String> {
        let comparator = self.comparator.unwrap_or(Comparator::of(direction));
        if comparator.contradicts(direction) {
            let (sign, direction) = (comparator.as_str(), direction.as_str());
            return Err(format!("`{sign}` contradicts the direction {direction}"));
        }
        Ok(Target {
            comparator,
            value: self.quantity.value,
            scale: self.scale,
            unit: self.quantity.unit.clone(),
        })
    }

    /// Declared on a scale to 100, or in percent.
    pub(crate) fn is_percentage(&self) -> bool {
        self.scale == Some(100.0) || self.quantity.unit.as_deref() == Some("%")
    }
}

impl Quantity {
    /// A number with an optional unit: `2.4`, `65%`, `120 ms`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let found = number::scan(text.trim());
        let read = found.and_then(|found| {
            let unit = unit(found.rest)?;
            let all = unit.as_deref().unwrap_or_default() == found.rest.trim();
            all.then_some(Self {
                value: found.value,
                is_integer: found.is_integer,
                unit,
            })
        });
        read.ok_or_else(|| format!("{} is not a finite number", quoted(text)))
    }
}

/// `composite_score > 95.0` without the name.
fn after_name(text: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let rest = text.trim_start_matches(is_name).trim_start();
    let named = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match named {
        true => rest,
        false => text,
    }
}

fn comparator(text: &str) -> (Option<Comparator>, &str) {
    for (sign, meaning) in COMPARATORS {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Some(meaning), rest.trim_start());
        }
    }
    (None, text)
}

/// `/10` behind the number. `None` where what follows the stroke is no positive number.
fn denominator(text: &str) -> Option<(Option<f64>, &str)> {
    let Some(rest) = text.trim_start().strip_prefix('/') else {
        return Some((None, text));
    };
    let found = number::scan(rest.trim_start()).filter(|found| found.value > 0.0)?;
    Some((Some(found.value), found.rest))
}

/// The unit behind a number: what adheres to it, or a lone word. `None` where what adheres is no
/// unit; more than one word is prose.
fn unit(text: &str) -> Option<Option<String>> {
    let adheres = !text.starts_with(char::is_whitespace);
    let mut words = text.split_whitespace();
    let (first, more) = (words.next(), words.next());
    let Some(first) = first else {
        return Some(None);
    };
    let is_unit = first.starts_with(|c: char| c.is_alphabetic() || matches!(c, '%' | '°'));
    let is_mark = first.starts_with(['.', ',', ';', '(', ')', '!']);
    match (is_unit, adheres) {
        (true, true) => Some(Some(first.trim_end_matches(['.', ',', ';']).to_owned())),
        (true, false) if more.is_none() || first == "%" => Some(Some(first.to_owned())),
        (false, true) if !is_mark => None,
        _ => Some(None),
    }
}
