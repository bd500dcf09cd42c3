//! Shapes with a published prefix: classes 2 to 10 and 12 to 16.
//!
//! One search for all prefixes, then a look at the bytes behind each: no text is read twice.

use std::sync::LazyLock;

use regex::Regex;

use super::harmless::{is_placeholder, is_random};
use super::{Finding, Strength, before, skip, slice};

/// A token: its prefix and what has to follow.
struct Format {
    class: &'static str,
    prefix: &'static str,
    body: fn(u8) -> bool,
    /// Bytes of the body, at least.
    least: usize,
    /// Whether ordinary names begin like this too (`sk-learning-rate`, `npm_config_registry`).
    common: bool,
}

const fn format(
    class: &'static str,
    prefix: &'static str,
    body: fn(u8) -> bool,
    least: usize,
) -> Format {
    Format {
        class,
        prefix,
        body,
        least,
        common: false,
    }
}

const fn common(format: Format) -> Format {
    Format {
        common: true,
        ..format
    }
}

const FORMATS: [Format; 21] = [
    common(format("OpenAI-like key", "sk-", is_base64url, 8)),
    format("GitHub token", "ghp_", is_base64url, 8),
    format("GitHub token", "gho_", is_base64url, 8),
    format("GitHub token", "ghu_", is_base64url, 8),
    format("GitHub token", "ghs_", is_base64url, 8),
    format("GitHub token", "ghr_", is_base64url, 8),
    format("GitHub fine-grained token", "github_pat_", is_base64url, 16),
    format("AWS access key id", "AKIA", is_upper_or_digit, 12),
    format("AWS access key id", "ASIA", is_upper_or_digit, 12),
    format("AWS access key id", "AIDA", is_upper_or_digit, 12),
    format("Slack token", "xoxb-", is_base64url, 8),
    format("Slack token", "xoxa-", is_base64url, 8),
    format("Slack token", "xoxp-", is_base64url, 8),
    format("Slack token", "xoxr-", is_base64url, 8),
    format("Slack token", "xoxs-", is_base64url, 8),
    format("Slack token", "xapp-", is_base64url, 8),
    common(format("npm token", "npm_", is_base64url, 8)),
    format("webhook secret", "whsec_", is_base64, 16),
    format("Google API key", "AIza", is_base64url, 20),
    format("Hugging Face token", "hf_", is_base64url, 20),
    format("GitLab token", "glpat-", is_dotted, 8),
];

const JWT: &str = "eyJ";
const SENDGRID: &str = "SG.";
const PEM: [&str; 2] = ["-----BEGIN ", "---- BEGIN "];

/// Literals only, so that it compiles to a substring search and to no automaton.
static PREFIX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let prefixes = FORMATS
        .iter()
        .map(|format| format.prefix)
        .chain([JWT, SENDGRID])
        .chain(PEM);
    Regex::new(&prefixes.map(regex::escape).collect::<Vec<_>>().join("|")).ok()
});

static SCHEME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i-u)(?:basic|bearer)[ \t\r\n]+").ok());

static PEM_HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}").ok()
});

static PEM_TAIL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}").ok());

/// What stands at a prefix.
enum Sight {
    /// A value: class and end.
    Value(&'static str, usize),
    /// Nothing; go on there.
    Nothing(usize),
    /// No web token, and none that begins before `until` either: it would miss the same dots.
    NoJwt { next: usize, until: usize },
}

/// Adds all findings of these classes.
pub(super) fn scan(text: &str, strength: Strength, found: &mut Vec<Finding>) {
    scan_prefixes(text, strength, found);
    scan_schemes(text, strength, found);
}

fn scan_prefixes(text: &str, strength: Strength, found: &mut Vec<Finding>) {
    let Some(prefix) = PREFIX.as_ref() else {
        return;
    };
    let (mut from, mut no_jwt) = (0, 0);
    while let Some(hit) = prefix.find_at(text, from) {
        let start = hit.start();
        if hit.as_str() == JWT && start < no_jwt {
            from = hit.end();
            continue;
        }
        match look(text, start, hit.as_str(), strength) {
            Sight::Nothing(next) => from = next,
            Sight::NoJwt { next, until } => (from, no_jwt) = (next, until),
            Sight::Value(class, end) => {
                found.push(Finding {
                    class,
                    range: start..end,
                });
                // Another value may begin inside this one and reach further: `sk-glpat-…`.
                from = if end - start > 256 { end } else { hit.end() };
            }
        }
    }
}

fn look(text: &str, start: usize, prefix: &str, strength: Strength) -> Sight {
    let after = start + prefix.len();
    let format = FORMATS.iter().find(|format| format.prefix == prefix);
    let must_begin = strength == Strength::Reject || format.is_some_and(|format| format.common);
    if PEM.contains(&prefix) {
        pem(text, start).map_or(Sight::Nothing(after), |end| {
            Sight::Value("private key", end)
        })
    } else if must_begin && !begins(text.as_bytes(), start) {
        Sight::Nothing(after)
    } else if prefix == JWT {
        jwt(text.as_bytes(), after)
    } else if prefix == SENDGRID {
        sendgrid(text.as_bytes(), after)
    } else {
        format.map_or(Sight::Nothing(after), |format| {
            format.look(text, after, strength)
        })
    }
}

impl Format {
    fn look(&self, text: &str, after: usize, strength: Strength) -> Sight {
        let bytes = text.as_bytes();
        let end = skip(bytes, after, self.body);
        // A full stop after a token ends the sentence, not the token.
        let end = end - usize::from(before(bytes, end) == Some(b'.') && end > after);
        let body = slice(text, after..end);
        if body.len() < self.least {
            return Sight::Nothing(after);
        }
        let doubtful = self.common && !is_random(body) && !is_unbroken(body);
        if strength == Strength::Reject && (doubtful || is_placeholder(body)) {
            // What it holds is looked at again only where that costs little: `sk-sk-sk-…`.
            return Sight::Nothing(if body.len() > 256 { end } else { after });
        }
        Sight::Value(self.class, end)
    }
}

/// At least 16 bytes in a row that separate no words.
fn is_unbroken(body: &str) -> bool {
    body.split(['-', '_', '.']).any(|part| part.len() >= 16)
}

/// Whether a token can begin here: behind no letter or digit, except of an escape (`\n`, `\u000a`,
/// `%20`) or of a terminal sequence (`ESC [ 31 m`).
fn begins(bytes: &[u8], at: usize) -> bool {
    let Some(last) = before(bytes, at) else {
        return true;
    };
    if !last.is_ascii_alphanumeric() {
        return true;
    }
    let tail = bytes.get(at.saturating_sub(16)..at).unwrap_or_default();
    let hex = |from: usize| {
        tail.get(tail.len().wrapping_sub(from)..)
            .unwrap_or_default()
    };
    let is_hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match (hex(2), hex(3), hex(6)) {
        ([b'\\', b'n' | b't' | b'r' | b'f' | b'b'], ..) => true,
        (_, [b'%', digits @ ..], _) if is_hex(digits) => true,
        (_, _, [b'\\', b'u', digits @ ..]) if is_hex(digits) => true,
        _ => ends_in_colour(tail),
    }
}

fn ends_in_colour(tail: &[u8]) -> bool {
    let Some((b'm', digits)) = tail.split_last() else {
        return false;
    };
    let digits = digits
        .iter()
        .rev()
        .skip_while(|byte| byte.is_ascii_digit() || **byte == b';');
    digits.take(2).eq(b"[\x1b")
}

fn jwt(bytes: &[u8], after: usize) -> Sight {
    let first = skip(bytes, after, is_base64url);
    let failed = Sight::NoJwt {
        next: after,
        until: first,
    };
    let mut end = first;
    let mut parts = Vec::with_capacity(5);
    while parts.len() < 4 && bytes.get(end) == Some(&b'.') {
        let next = skip(bytes, end + 1, is_base64url);
        parts.push(next - end - 1);
        end = next;
    }
    let whole = parts.iter().take_while(|length| **length > 0).count();
    match parts.as_slice() {
        _ if first == after => failed,
        // A full stop after the third part is the end of a sentence.
        [_, _, ..] if whole >= 2 => Sight::Value("JSON Web Token", trim_dots(bytes, end)),
        // Encrypted directly: no key in the second part.
        [0, second, third, fourth] if *second > 0 && *third > 0 && *fourth > 0 => {
            Sight::Value("JSON Web Token", end)
        }
        _ => failed,
    }
}

fn trim_dots(bytes: &[u8], mut end: usize) -> usize {
    while before(bytes, end) == Some(b'.') {
        end -= 1;
    }
    end
}

fn sendgrid(bytes: &[u8], after: usize) -> Sight {
    let first = skip(bytes, after, is_base64url);
    if first - after < 16 {
        return Sight::Nothing(after);
    }
    let second = skip(bytes, first + 1, is_base64url);
    if bytes.get(first) == Some(&b'.') && second - first > 16 {
        Sight::Value("SendGrid key", second)
    } else {
        Sight::Nothing(after)
    }
}

/// The end of the private key that begins at `start`, when one does: a header line and what
/// follows, up to its footer or, without one, to the end of the text.
fn pem(text: &str, start: usize) -> Option<usize> {
    let head = PEM_HEAD.as_ref()?.find(slice(text, start..text.len()))?;
    let body = start + head.end();
    let rest = slice(text, body..text.len());
    let is_block = rest.trim_start_matches([' ', '\t', '\r', '\\', '"', '\'', ',']);
    // A header that a sentence mentions is followed by the sentence.
    let begun = rest.is_empty()
        || rest.starts_with("\\n")
        || rest.starts_with("\\r")
        || is_block.starts_with('\n')
        || is_key_material(rest);
    if !begun {
        return None;
    }
    let tail = PEM_TAIL.as_ref()?.find(rest);
    Some(tail.map_or(text.len(), |tail| body + tail.end()))
}

/// What stands between the lines of a key that was folded into one, or quoted as code.
const FOLDS: [&str; 15] = [
    " ", "\t", "\r", "\n", "\\n", "\\r", "\\t", "\\", "\"", "'", "+", ",", "<br>", "<br/>",
    "<br />",
];

/// Whether a run of base64 follows that is no long word.
fn is_key_material(rest: &str) -> bool {
    let mut rest = rest;
    for _ in 0..32 {
        match FOLDS.iter().find_map(|fold| rest.strip_prefix(fold)) {
            Some(after) => rest = after,
            None => break,
        }
    }
    let length = rest.bytes().take_while(|byte| is_base64(*byte)).count();
    let run = slice(rest, 0..length);
    let mixed = run
        .bytes()
        .any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    length >= 16 && mixed
}

fn scan_schemes(text: &str, strength: Strength, found: &mut Vec<Finding>) {
    let Some(scheme) = SCHEME.as_ref() else {
        return;
    };
    for hit in scheme
        .find_iter(text)
        .filter(|hit| begins(text.as_bytes(), hit.start()))
    {
        let end = skip(text.as_bytes(), hit.end(), is_token68);
        let value = slice(text, hit.end()..end);
        let enough = match strength {
            Strength::Redact => value.len() >= 8,
            Strength::Reject => value.len() >= 8 && is_random(value) && !is_placeholder(value),
        };
        if enough {
            found.push(Finding {
                class: "authorization scheme",
                range: hit.end()..end,
            });
        }
    }
}

fn is_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_base64(byte: u8) -> bool {
    is_base64url(byte) || matches!(byte, b'+' | b'/' | b'=')
}

fn is_dotted(byte: u8) -> bool {
    is_base64url(byte) || byte == b'.'
}

/// What may follow a scheme (RFC 9110 §11.2).
fn is_token68(byte: u8) -> bool {
    is_base64(byte) || matches!(byte, b'.' | b'~')
}

fn is_upper_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

#[cfg(test)]
pub(super) fn patterns_compile() -> bool {
    [&PREFIX, &SCHEME, &PEM_HEAD, &PEM_TAIL]
        .into_iter()
        .all(|pattern| pattern.is_some())
}
