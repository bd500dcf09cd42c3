//! Numbers as people write them: `0.5`, `.5`, `+3`, `1,000`, `1e-3`.

use super::super::fault::quoted;

/// A number at the beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scanned<'a> {
    /// Finite.
    pub(crate) value: f64,
    /// It has neither a point nor an exponent.
    pub(crate) is_integer: bool,
    /// What follows it.
    pub(crate) rest: &'a str,
}

/// The finite number at the beginning of `text`. `None` where there is none, where it is too
/// large, or where a comma in it is no thousands separator.
pub(crate) fn scan(text: &str) -> Option<Scanned<'_>> {
    let bytes = text.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(bytes, at);
    at = thousands(bytes, whole, whole - at);
    let mut is_integer = true;
    let mut has_digits = at > 0 && bytes.get(at - 1).is_some_and(u8::is_ascii_digit);
    if bytes.get(at) == Some(&b'.') {
        let end = digits(bytes, at + 1);
        if end > at + 1 {
            (at, is_integer, has_digits) = (end, false, true);
        }
    }
    if !has_digits {
        return None;
    }
    if let Some(end) = exponent(bytes, at) {
        (at, is_integer) = (end, false);
    }
    let (number, rest) = text.split_at_checked(at)?;
    // `0,5`, `1.2.3`, `0x10`
    let goes_on = rest
        .strip_prefix(['.', ',', 'x'])
        .is_some_and(begins_with_digit);
    let value: f64 = number.replace(',', "").parse().ok()?;
    (!goes_on && value.is_finite()).then_some(Scanned {
        value,
        is_integer,
        rest,
    })
}

/// A number and nothing else.
pub(crate) fn decimal(text: &str) -> Result<f64, String> {
    match scan(text.trim()) {
        Some(found) if found.rest.trim().is_empty() => Ok(found.value),
        _ => Err(format!("{} is not a finite number", quoted(text))),
    }
}

/// A whole number from 1 to `most`, in digits alone.
pub(crate) fn positive(text: &str, most: u32) -> Result<u32, String> {
    let text = text.trim();
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse::<u32>().ok().filter(|_| plain);
    let value = value.filter(|value| (1..=most).contains(value));
    value.ok_or_else(|| match most {
        u32::MAX => format!("{} is not a whole number from 1", quoted(text)),
        _ => format!("{} is not a whole number from 1 to {most}", quoted(text)),
    })
}

/// The shortest decimal that reads back to the same value; a whole number without a point.
pub fn shortest(value: f64) -> String {
    format!("{value}")
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn digits(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The end of groups of exactly three digits behind commas.
fn thousands(bytes: &[u8], mut at: usize, first: usize) -> usize {
    if !(1..=3).contains(&first) {
        return at;
    }
    while bytes.get(at) == Some(&b',') && digits(bytes, at + 1) == at + 4 {
        at += 4;
    }
    at
}

fn exponent(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at).filter(|byte| matches!(byte, b'e' | b'E'))?;
    let signed = matches!(bytes.get(at + 1), Some(b'+' | b'-'));
    let from = at + 1 + usize::from(signed);
    let end = digits(bytes, from);
    (end > from).then_some(end)
}
