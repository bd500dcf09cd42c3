//! A change to a file, drawn for a person: what is shown is what is written.
//!
//! Promises: line endings, the last newline, a byte-order mark, trailing spaces, mode and
//! control characters are drawn or said; huge and binary files are bounded in time and lines.

/// One file's side of a change; `None` bytes mean that it is absent.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// Permission bits.
    pub mode: u32,
}

/// How much is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Changed lines shown at most; the rest is counted.
    pub lines: usize,
    /// Characters of one line shown at most.
    pub columns: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            lines: 200,
            columns: 500,
        }
    }
}

/// How many lines come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// The diff with ANSI styles, headed by a line that names the file, what happens to it in words
/// (create, modify, delete, mode) and `+N −M`.
pub fn draw(
    path: &str,
    before: Option<Side<'_>>,
    after: Option<Side<'_>>,
    bounds: Bounds,
) -> String {
    let _ = (path, before, after, bounds);
    todo!()
}

/// A plain unified diff with `\ No newline at end of file` marks, for JSON; bytes that are no
/// text give `Binary files differ`. Unbounded in lines, linear-ish in time.
pub fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let _ = (path, before, after);
    todo!()
}

/// Lines that come and go, without drawing.
pub fn counts(before: Option<&[u8]>, after: Option<&[u8]>) -> Counts {
    let _ = (before, after);
    todo!()
}
