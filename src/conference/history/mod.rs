//! Files of conferences that others wrote, read as far as they can be (conference.md A5, B 2.3,
//! B 2.5), and what such a run comes to (B 9.1).
//!
//! Promises: what is odd is read and noted, what cannot be is left out and noted; nothing is
//! guessed, and no file is trusted to be small.

pub mod cells;
pub mod convergence;
pub mod deltas;
pub mod events;
pub mod figures;
pub mod lanes;
pub mod results;
pub mod reviews;
pub mod run;
mod sheet;
#[cfg(test)]
mod tests;

use std::fmt;

/// Bytes of a file that is read.
pub const MAX_BYTES: usize = 16 << 20;

/// Something that was read with a remark, or not read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is odd about it. Repeats text of the file only where that is made visible.
    pub what: String,
}

impl Note {
    fn new(line: usize, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { line, what }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.what)
    }
}

/// What a file holds, and what was odd about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    /// In the order of the file.
    pub items: Vec<T>,
    /// In the order of the file.
    pub notes: Vec<Note>,
}

/// The text of a file: UTF-8 of at most [`MAX_BYTES`], without a byte-order mark.
fn text(bytes: &[u8]) -> Result<&str, Note> {
    if bytes.len() > MAX_BYTES {
        let what = format!("{} bytes, at most {MAX_BYTES} are read", bytes.len());
        return Err(Note::new(1, what));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Note::new(1, "the file is no UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// A foreign word as notes show it.
fn shown(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    format!("`{}`", crate::guard::text::line(&short))
}
