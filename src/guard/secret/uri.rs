//! User-info of a URI: classes 11 and 18.
//!
//! The search goes from `@` to `@` and reads each run of characters without blanks once.

use super::harmless::is_reference;
use super::{Finding, MARK, Strength, before, skip, slice};

/// What stands for a password in manuals: `postgres://user:password@host`.
const EXAMPLES: [&str; 6] = ["pass", "passwd", "password", "pwd", "secret", "xxx"];

/// Adds all findings of these classes.
pub(super) fn scan(text: &str, strength: Strength, found: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for at in memchr::memchr_iter(b'@', bytes) {
        if at < done {
            continue;
        }
        let mut start = at;
        while start > done && before(bytes, start).is_some_and(is_inside) {
            start -= 1;
        }
        let end = skip(bytes, at, is_inside);
        scan_run(text, start, end, strength, found);
        done = end;
    }
}

fn is_inside(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>')
}

/// All authorities of one run.
fn scan_run(text: &str, start: usize, end: usize, strength: Strength, found: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let last_at = memchr::memrchr(b'@', bytes.get(..end).unwrap_or_default()).unwrap_or(start);
    let mut from = start;
    while let Some((slashes, authority)) = next_authority(bytes, from, end) {
        let stop = skip(bytes, authority, |byte| {
            !matches!(byte, b'/' | b'?' | b'#' | b'\\')
        });
        let stop = stop.min(end);
        from = stop.max(authority);
        let text_of = slice(text, authority..stop);
        let info = match text_of.rfind('@') {
            Some(length) => Some((authority + length, true)),
            None if last_at > stop && !is_host(text_of) => Some((last_at, false)),
            None => None,
        };
        let Some((info_end, parses)) = info else {
            continue;
        };
        from = info_end;
        let scheme = before(bytes, slashes) == Some(b':');
        let value = slice(text, authority..info_end);
        if value.is_empty()
            || value == MARK
            // What was redacted before is no reason to redact its surroundings.
            || !parses && value.contains(MARK)
            || strength == Strength::Reject && !is_sure(value, parses)
        {
            continue;
        }
        let class = if scheme && value.contains(':') {
            "password in a URL"
        } else {
            "user-info of a URI"
        };
        found.push(Finding {
            class,
            range: authority..info_end,
        });
    }
}

/// The next `//` or `\/\/` of the run: where it begins and ends.
fn next_authority(bytes: &[u8], from: usize, end: usize) -> Option<(usize, usize)> {
    let run = bytes.get(from..end)?;
    for slash in memchr::memchr_iter(b'/', run) {
        let at = from + slash;
        let next = skip(bytes, at + 1, |byte| byte == b'\\').min(at + 2);
        if next < end && bytes.get(next) == Some(&b'/') {
            let begins = at - usize::from(before(bytes, at) == Some(b'\\') && at > from);
            return Some((begins, next + 1));
        }
    }
    None
}

/// Whether an authority without `@` is a host, with or without a port.
fn is_host(authority: &str) -> bool {
    let port_of = |tail: &str| {
        tail.strip_prefix(':')
            .unwrap_or(tail)
            .parse::<u16>()
            .is_ok()
    };
    if let Some(literal) = authority.strip_prefix('[') {
        return literal
            .split_once(']')
            .is_some_and(|(_, port)| port.is_empty() || port_of(port));
    }
    match authority.split_once(':') {
        Some((_, port)) => port.is_empty() || port_of(port),
        None => !authority.contains(['[', ']', '|', '^']),
    }
}

/// Whether a document is to be refused for it: a password that is no reference, or a name that is
/// long enough to be a token. `ssh://git@host` is ordinary.
fn is_sure(value: &str, parses: bool) -> bool {
    let (user, password) = value.split_once(':').unwrap_or((value, ""));
    let reference = |part: &str| is_reference(part) || part.ends_with('}');
    if EXAMPLES
        .iter()
        .any(|word| word.eq_ignore_ascii_case(password))
    {
        return false;
    }
    if value.contains(['(', ')', '[', ']', '|']) || reference(user) || reference(password) {
        return false;
    }
    if parses {
        return !password.is_empty() || user.len() >= 8;
    }
    password.len() >= 8 && password.bytes().any(|byte| byte.is_ascii_digit())
}
