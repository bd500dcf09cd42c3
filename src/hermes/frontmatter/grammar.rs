//! Where the host's parser of YAML 1.1 differs from ours of YAML 1.2.
//!
//! Promises: what is refused here, the host refuses too. Found by comparing the two on some
//! thousand documents; differences that nobody writes by hand are left.

use std::collections::HashSet;
use std::ops::Range;

use super::FrontmatterFault;
use super::tree::fault;

/// Where a plain scalar stands.
pub(super) struct Place<'a> {
    /// The document.
    pub(super) source: &'a [char],
    /// The scalar in it.
    pub(super) range: Range<usize>,
    /// Between brackets or braces.
    pub(super) in_flow: bool,
    /// It is a key.
    pub(super) is_key: bool,
}

/// Refuses characters that may stand nowhere, and text after the end of the document.
pub(super) fn check_text(yaml: &str) -> Result<(), FrontmatterFault> {
    let mut has_ended = false;
    for (number, line) in (1..).zip(yaml.split('\n')) {
        if let Some(character) = line.chars().find(|c| !is_printable(*c)) {
            let code = u32::from(character);
            return Err(fault(number, format!("U+{code:04X} may not stand in YAML")));
        }
        if has_ended && !line.trim().is_empty() {
            return Err(fault(number, "no line may follow `...`"));
        }
        has_ended |= line.trim_end() == "...";
    }
    Ok(())
}

fn is_printable(character: char) -> bool {
    matches!(
        character,
        '\t' | '\r' | '\u{85}' | ' '..='~' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..
    )
}

/// Refuses an anchor or alias whose name is not of ASCII letters, digits, `_` and `-`, and an
/// anchor that is there twice. The parser tells no names, so they are looked for in the text;
/// only to be asked where there are anchors.
pub(super) fn check_anchors(yaml: &str) -> Result<(), FrontmatterFault> {
    let mut names = HashSet::new();
    for (number, line) in (1..).zip(yaml.split('\n')) {
        for word in line.split([' ', '[', '{', ',']) {
            let Some(name) = word.strip_prefix(['&', '*']) else {
                continue;
            };
            let name = name.trim_end_matches([']', '}', ':']);
            let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            if name.is_empty() || !name.chars().all(known) {
                return Err(fault(number, "an anchor that the host refuses"));
            }
            if word.starts_with('&') && !names.insert(name) {
                return Err(fault(number, "the same anchor twice"));
            }
        }
    }
    Ok(())
}

/// Refuses a plain scalar that the host's parser does not take in this place.
pub(super) fn check_plain(text: &str, place: &Place<'_>) -> Result<(), String> {
    let char_at = |at: usize| place.source.get(at).copied();
    if let Some(first) = text.chars().next().filter(|c| "|>%@`".contains(*c)) {
        return Err(format!("no value may begin with `{first}`; quote it"));
    }
    if text == "?" {
        return Err("no value may be `?`; quote it".to_owned());
    }
    let ends_in_colon = char_at(place.range.end) == Some(':')
        && char_at(place.range.end + 1).is_some_and(|c| ",[]{}".contains(c));
    if place.in_flow && (text.starts_with(':') || ends_in_colon) {
        let text = "between brackets or braces, quote a value that begins or ends with `:`";
        return Err(text.to_owned());
    }
    if place.is_key && text.is_empty() && char_at(place.range.start) == Some(':') {
        return Err("a key is missing before `:`".to_owned());
    }
    Ok(())
}

/// The text of a block (`|`, `>`) as the host has it: nothing where the block is empty, and no
/// line feed at its end where the document ends with it, without one.
pub(super) fn block<'a>(text: &'a str, source: &[char], range: Range<usize>) -> &'a str {
    let from_header = source.get(range.start..).unwrap_or_default();
    let header = from_header.split(|c| *c == '\n').next().unwrap_or_default();
    if !header.contains(&'+') && text.trim_matches('\n').is_empty() {
        return "";
    }
    let Some(cut) = text.strip_suffix('\n') else {
        return text;
    };
    let last: String = match source.rsplit(|c| *c == '\n').next() {
        Some(line) => line.iter().skip_while(|c| **c == ' ').collect(),
        None => String::new(),
    };
    let ends_here = range.end >= source.len() && !last.is_empty() && cut.ends_with(&last);
    if ends_here { cut } else { text }
}
