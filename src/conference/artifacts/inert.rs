//! Text of others in Markdown: shown, and nothing else (conference.md, Appendix C).
//!
//! Promises: one line, in which nothing is a heading, a link, HTML, a cell's edge or a fence; what
//! hides or reorders text is made visible. The exact text stays in its packet.

use crate::guard::text;

/// What means something inside a line of Markdown.
const MARKS: [char; 11] = ['\\', '`', '*', '[', ']', '<', '>', '|', '~', '&', '$'];

/// The text for the middle of a line of ours.
pub fn inert(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars: Vec<char> = text::line(&line).chars().collect();
    let mut out = String::with_capacity(chars.len() + 8);
    for (at, c) in chars.iter().enumerate() {
        let before = chars.get(..at).unwrap_or_default();
        let after = chars.get(at + 1..).unwrap_or_default();
        push(&mut out, *c, before, after);
    }
    out
}

/// The text between quotation marks: a reader sees whose words these are not.
pub fn quoted(text: &str) -> String {
    format!("“{}”", inert(text))
}

fn push(out: &mut String, c: char, before: &[char], after: &[char]) {
    let word = |side: Option<&char>| side.is_some_and(|c| c.is_alphanumeric());
    let within_a_word = word(before.last()) && word(after.first());
    let escaped = match c {
        // A mark between letters is only a letter: `max_tokens`, `r1.A.1#2`.
        '_' | '#' => !within_a_word,
        '@' => {
            let from_address = before.last().is_some_and(|c| !c.is_whitespace());
            if from_address && word(after.first()) {
                // Some renderers find addresses in escaped text too, but not across code.
                out.push_str("`@`");
                return;
            }
            true
        }
        ':' => after.starts_with(&['/', '/']),
        '.' => {
            let low = |c: &char| c.eq_ignore_ascii_case(&'w');
            before.len() >= 3 && before.iter().rev().take(3).all(low)
        }
        '-' | '+' | '=' => before.is_empty(),
        _ => MARKS.contains(&c),
    };
    if escaped {
        out.push('\\');
    }
    out.push(c);
}
