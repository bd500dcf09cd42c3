//! Where a frontmatter begins and ends, by the host's own reading of a text file.
//!
//! Promises: line ends of every kind are line feeds before anything is counted, as the host's
//! text mode makes them.

use std::borrow::Cow;

use super::HOST_HEAD_CHARS;

/// A text between fences, and the rest.
pub(super) struct Fenced<'a> {
    /// From after the opening dashes to before the line feed of the closing line. Its first line
    /// is the file's first line.
    pub(super) yaml: &'a str,
    /// After the closing line and the blank lines that follow it.
    pub(super) body: &'a str,
}

/// The characters that the host reads of a file.
pub(super) fn head(text: &str) -> Cow<'_, str> {
    // Line ends of two bytes become one character, so twice as many may be needed.
    match normal(first(text, 2 * HOST_HEAD_CHARS)) {
        Cow::Borrowed(text) => Cow::Borrowed(first(text, HOST_HEAD_CHARS)),
        Cow::Owned(text) => Cow::Owned(first(&text, HOST_HEAD_CHARS).to_owned()),
    }
}

/// The first characters of a text.
pub(super) fn first(text: &str, most: usize) -> &str {
    // No text has more characters than bytes.
    if text.len() <= most {
        return text;
    }
    let end = text.char_indices().nth(most);
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The whole text with every line end (CRLF, CR, LF) as one line feed.
pub(super) fn normal(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The text without one byte-order mark.
pub(super) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Splits a text with plain line feeds; `None` where it is not fenced: it must begin with `---`,
/// and a later line must be `---`, blanks and a line feed.
pub(super) fn split(text: &str) -> Option<Fenced<'_>> {
    let inner = without_bom(text).strip_prefix("---")?;
    let (from, to) = closing(inner)?;
    Some(Fenced {
        yaml: inner.get(..from)?,
        body: inner.get(to..)?,
    })
}

/// Where the closing line begins (at the line feed before it) and where the body begins.
fn closing(inner: &str) -> Option<(usize, usize)> {
    inner.match_indices("\n---").find_map(|(at, dashes)| {
        let from = at + dashes.len();
        let rest = inner.get(from..)?;
        let blank = rest.len() - rest.trim_start_matches(is_space).len();
        let last = rest.get(..blank)?.rfind('\n')?;
        Some((at, from + last + 1))
    })
}

/// White space as Python's `str` knows it.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Python's `str.strip`.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}
