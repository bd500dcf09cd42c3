//! Credential shapes: found to refuse, found to redact (conference.md §8).
//!
//! Promises: linear time; a finding names class and place, never the value; redaction leaves
//! nothing of a value behind.

/// How sure a finding has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Refuse a document: only shapes that ordinary prose does not have.
    Reject,
    /// Redact for reading: every class.
    Redact,
}

/// A credential-shaped piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The class's name, for messages (`GitHub token`).
    pub class: &'static str,
    /// Byte range of the value.
    pub range: std::ops::Range<usize>,
}

/// What replaces a value.
pub const MARK: &str = "[REDACTED_SECRET]";

/// Every credential-shaped piece of `text`, by place, without overlaps.
pub fn find(text: &str, strength: Strength) -> Vec<Finding> {
    let _ = (text, strength);
    todo!()
}

/// `text` with every finding of strength *redact* replaced by [`MARK`].
pub fn redact(text: &str) -> std::borrow::Cow<'_, str> {
    let _ = text;
    todo!()
}

/// Redaction marks in `new` that `base` does not have as often: `[REDACTED_SECRET]`,
/// `[REDACTED]`, `«redacted:…»`, and `***` as the whole value after `:` or `=`
/// (skill-loop.md §11.1). Each is returned once.
pub fn new_marks(base: &str, new: &str) -> Vec<String> {
    let _ = (base, new);
    todo!()
}
