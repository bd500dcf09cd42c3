//! A key, `:` or `=`, and a value: classes 1 and 17.
//!
//! The search goes from delimiter to delimiter and looks back at most [`LOOK_BACK`] bytes.

use std::sync::LazyLock;

use regex::Regex;

use super::harmless::{is_describing, is_metric, is_number, is_plain_value, is_random};
use super::{Finding, MARK, Quote, Strength, before, skip, slice};

/// Longest key that is looked at, in bytes; of a longer one the last part counts.
const LOOK_BACK: usize = 96;

/// As much of a value is judged at strength *reject*, in bytes, so that the work is not the number
/// of keys times the length of a line.
const JUDGED: usize = 160;

/// How far before the end of a value another delimiter is looked at, in bytes.
const NEAR: usize = 8;

/// What a key contains, in lower case and without separators. `access token` and `secret access
/// key` are in it by their parts.
const KEYS: [&str; 7] = [
    "apikey",
    "authorization",
    "databaseurl",
    "password",
    "privatekey",
    "secret",
    "token",
];

/// Adds all findings of these classes.
pub(super) fn scan(text: &str, strength: Strength, found: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for at in memchr::memchr2_iter(b':', b'=', bytes) {
        // Inside a value, except where what it delimits lies behind: `secret: token: x`.
        if at < done && (done - at > NEAR || value_start(bytes, at + 1) < done) {
            continue;
        }
        let Some(key) = key_before(text, at) else {
            continue;
        };
        let Some(finding) = key.value(text, at + 1, strength) else {
            continue;
        };
        done = done.max(finding.range.end);
        found.push(finding);
    }
}

/// Whether a name contains one of the words of class 17.
pub(super) fn names_a_secret(name: &str) -> bool {
    let mut joined = [0; JUDGED];
    let letters = name
        .bytes()
        .filter(|byte| !matches!(byte, b'_' | b'-' | b'.' | b' '));
    let mut length = 0;
    for (slot, letter) in joined.iter_mut().zip(letters) {
        *slot = letter.to_ascii_lowercase();
        length += 1;
    }
    let joined = joined.get(..length).unwrap_or_default();
    KEYS.iter()
        .any(|key| joined.windows(key.len()).any(|part| part == key.as_bytes()))
}

/// A key in front of a delimiter.
struct Key<'a> {
    name: &'a str,
    /// The quotation mark in front of it.
    quote: Option<Quote<'a>>,
    /// Whether a colon follows, as in a header.
    colon: bool,
    /// Whether the quotation mark is closed before the delimiter.
    closed: bool,
}

/// The key that ends before the delimiter at `at`, when it is one of class 17.
fn key_before(text: &str, at: usize) -> Option<Key<'_>> {
    let bytes = text.as_bytes();
    let floor = at.saturating_sub(LOOK_BACK);
    let mut end = at;
    while end > floor && before(bytes, end).is_some_and(is_dressing) {
        end -= 1;
    }
    let closed = matches!(bytes.get(end), Some(b'\\' | b'"' | b'\'' | b'`'));
    let mut start = word_start(bytes, floor, end);
    if start == end || MARK.get(1..MARK.len() - 1) == Some(slice(text, start..end)) {
        return None;
    }
    if !names_a_secret(slice(text, start..end)) {
        // `api key`, `private key`, `database url`: the words of the list that are two.
        let last = slice(text, start..end);
        let two = last.eq_ignore_ascii_case("key") || last.eq_ignore_ascii_case("url");
        let gap = start
            .checked_sub(1)
            .filter(|gap| two && bytes.get(*gap) == Some(&b' '))?;
        start = word_start(bytes, floor, gap);
        if !names_a_secret(slice(text, start..end)) {
            return None;
        }
    }
    let colon = bytes.get(at) == Some(&b':');
    let quote = Quote::ending(bytes, start);
    Some(Key {
        name: slice(text, start..end),
        quote,
        colon,
        closed,
    })
}

fn word_start(bytes: &[u8], floor: usize, end: usize) -> usize {
    let mut start = end;
    while start > floor && before(bytes, start).is_some_and(is_key) {
        start -= 1;
    }
    start
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Where the value begins whose delimiter ends before `after`, behind blanks and Markdown:
/// `:=`, `=>` and `==` are delimiters too.
fn blanks_end(bytes: &[u8], after: usize) -> usize {
    let from = skip(bytes, after, |byte| matches!(byte, b'=' | b'>' | b':'));
    skip(bytes, from, |byte| matches!(byte, b' ' | b'\t' | b'*'))
}

/// As [`blanks_end`], and behind the quotation mark.
fn value_start(bytes: &[u8], after: usize) -> usize {
    let from = blanks_end(bytes, after);
    Quote::open(bytes, from).map_or(from, |(_, inside)| inside)
}

/// What stands between a key and its delimiter: blanks, quotation marks, Markdown.
fn is_dressing(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'"' | b'\'' | b'`' | b'*' | b'\\' | b']'
    )
}

impl Key<'_> {
    /// The finding whose value begins behind the delimiter.
    fn value(&self, text: &str, after: usize, strength: Strength) -> Option<Finding> {
        let text = match strength {
            Strength::Redact => text,
            Strength::Reject => slice(text, 0..char_floor(text, after + JUDGED)),
        };
        let bytes = text.as_bytes();
        let from = blanks_end(bytes, after);
        if self.is_header() {
            return self.header(text, from, strength);
        }
        let value = Value::read(text, from)?;
        let refused = match strength {
            Strength::Redact => !(is_metric(self.name) && is_number(value.word)),
            Strength::Reject => {
                !is_describing(self.name) && !is_plain_value(value.word, value.more, value.quoted)
            }
        };
        let range = match strength {
            Strength::Redact => value.start..value.end,
            Strength::Reject => value.start..value.start + value.word.len(),
        };
        (refused && slice(text, range.clone()) != MARK).then_some(Finding {
            class: "secret value of a key",
            range,
        })
    }

    fn is_header(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        self.colon && (name == "authorization" || name == "proxy-authorization")
    }

    /// Class 1: the rest of the line, or of the quotation that the header stands in.
    fn header(&self, text: &str, from: usize, strength: Strength) -> Option<Finding> {
        let bytes = text.as_bytes();
        let (start, end) = match (Quote::open(bytes, from), &self.quote) {
            (Some((quote, start)), _) => (start, quote.close(bytes, start)),
            (None, Some(quote)) if !self.closed => (from, quote.close(bytes, from)),
            _ => (
                from,
                memchr::memchr(b'\n', bytes.get(from..)?).map_or(bytes.len(), |n| from + n),
            ),
        };
        // Blanks only: another white space (U+000B) that is left behind would be a value again.
        let value = slice(text, start..end).trim_end_matches([' ', '\t', '\r']);
        let wanted = strength == Strength::Redact || is_credential(value);
        (wanted && !value.is_empty() && value != MARK).then_some(Finding {
            class: "authorization header",
            range: start..start + value.len(),
        })
    }
}

static PARAMETERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // `\S` would be any byte here, and no pattern for text.
    Regex::new(
        r"(?i-u)^(?:digest|aws4-[a-z0-9-]+|hawk|oauth|signature|negotiate|ntlm)[ \t]+[!-~]{8}",
    )
    .ok()
});

/// Whether the value of a header is one: a scheme that takes parameters, or a token alone or
/// behind one word. `root approved the second run` is none.
fn is_credential(value: &str) -> bool {
    if PARAMETERS
        .as_ref()
        .is_some_and(|scheme| scheme.is_match(value))
    {
        return true;
    }
    let mut words = value.split_ascii_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(_), Some(second), None) if is_opaque(second) => true,
        (Some(first), ..) => is_opaque(first),
        _ => false,
    }
}

/// One token without a blank, no number and no reference.
fn is_opaque(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', '`', ',', '.', ';', ')', '}', '\\']);
    let allowed = |byte: u8| byte.is_ascii_graphic() && !b"$<>{}()[]%\"'`,;".contains(&byte);
    word.len() >= 8 && word.bytes().all(allowed) && is_random(word) && !is_number(word)
}

/// What stands behind a delimiter.
struct Value<'a> {
    start: usize,
    /// Where it ends for redaction: the whole quotation.
    end: usize,
    /// Up to a blank or one of `, ; " ' }`.
    word: &'a str,
    /// What follows the word on its line or in its quotation.
    more: &'a str,
    quoted: bool,
}

impl<'a> Value<'a> {
    fn read(text: &'a str, from: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        if let Some((quote, start)) = Quote::open(bytes, from) {
            let end = quote.close(bytes, start);
            let word = word_end(bytes, start).min(end);
            return (start < end).then(|| Self {
                start,
                end,
                word: slice(text, start..word),
                more: slice(text, word..end),
                quoted: true,
            });
        }
        let word = word_end(bytes, from);
        // `b"…"`, `from("…")`: the quotation belongs to the value.
        let end = match Quote::open(bytes, word) {
            Some((quote, inner)) if is_opening(slice(text, from..word)) => {
                quote.close(bytes, inner)
            }
            _ => word,
        };
        (from < end).then(|| Self {
            start: from,
            end,
            word: slice(text, from..word),
            more: slice(text, word..char_floor(text, word + 8)),
            quoted: false,
        })
    }
}

/// Whether a quotation mark right behind `word` begins a string: after the letters that languages
/// put in front of one, and after a bracket.
fn is_opening(word: &str) -> bool {
    let letters = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    !word.is_empty() && (letters || word.ends_with(['(', '[', '{', '@', '$']))
}

/// The last border of a character that is not behind `at`.
fn char_floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Where a word ends: before a blank, one of `, ; " ' }`, or the backslashes of an escaped `\"`.
fn word_end(bytes: &[u8], from: usize) -> usize {
    let stop = |byte: u8| {
        byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'"' | b'\'' | b'}' | b'`')
    };
    let mut end = skip(bytes, from, |byte| !stop(byte));
    if matches!(bytes.get(end), Some(b'"' | b'\'' | b'`')) {
        while end > from && before(bytes, end) == Some(b'\\') {
            end -= 1;
        }
    }
    end
}

#[cfg(test)]
pub(super) fn patterns_compile() -> bool {
    [&PARAMETERS].into_iter().all(|pattern| pattern.is_some())
}
