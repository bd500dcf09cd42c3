//! What may be spent: money with its currency, and tokens.

use serde::Serialize;

use super::super::fault::quoted;
use super::number;

/// A ceiling of cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    /// More than nothing.
    pub amount: f64,
    /// A code of three letters.
    pub currency: String,
}

/// A ceiling of tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenBudget {
    /// How many, where it is a number.
    pub tokens: Option<u64>,
    /// As it was written.
    pub text: String,
}

const SYMBOLS: [(&str, &str); 4] = [("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", "JPY")];

/// `25 USD`, `USD 25`, `$25`; `none` is no ceiling.
pub(crate) fn cost(text: &str) -> Result<Option<Cost>, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let read = money(text.trim()).filter(|cost| cost.amount > 0.0);
    let wrong = || format!("{} is no cost such as `25 USD`", quoted(text));
    read.map(Some).ok_or_else(wrong)
}

fn money(text: &str) -> Option<Cost> {
    let (before, number) = match text.find(|c: char| c.is_ascii_digit() || c == '.') {
        Some(at) => text.split_at(at),
        None => return None,
    };
    let found = number::scan(number)?;
    let currency = match (before.trim(), found.rest.trim()) {
        ("", name) | (name, "") => currency(name)?,
        _ => return None,
    };
    let amount = found.value;
    Some(Cost { amount, currency })
}

fn currency(name: &str) -> Option<String> {
    if let Some((_, code)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == name) {
        return Some((*code).to_owned());
    }
    let is_code = name.len() == 3 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| name.to_ascii_uppercase())
}

/// A number, with `k` or `M` for thousands and millions, or a text; `none` is no ceiling.
pub(crate) fn tokens(text: &str) -> Result<Option<TokenBudget>, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let tokens = match number::scan(text) {
        None => None,
        Some(found) => {
            let counted = counted(found.value, found.rest.trim());
            let wrong = || format!("{} is no number of tokens", quoted(text));
            Some(counted.ok_or_else(wrong)?)
        }
    };
    let text = text.to_owned();
    Ok(Some(TokenBudget { tokens, text }))
}

fn counted(value: f64, unit: &str) -> Option<u64> {
    let unit = unit.trim_end_matches("tokens").trim_end();
    let tokens = value
        * match unit {
            "" => 1.0,
            "k" | "K" => 1e3,
            "m" | "M" => 1e6,
            _ => return None,
        };
    let is_count = tokens >= 1.0 && tokens.fract() == 0.0 && tokens <= 9_007_199_254_740_992.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number in range"
    )]
    is_count.then_some(tokens as u64)
}
