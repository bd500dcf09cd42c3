//! Bytes to bytes: what an edit makes of a file. Pure.
//!
//! Promises: an `oldString` matches exactly once or not at all, overlaps counted; edits match the
//! base, never each other's result; every byte outside them stays; linear time, also to refuse.

/// One replacement in a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// What is there, exactly.
    pub old_string: String,
    /// What is to be there.
    pub new_string: String,
}

/// Why edits do not fit a base. `index` counts edits from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// `oldString` occurs nowhere.
    NoMatch {
        /// Which edit.
        index: usize,
        /// The line (from 1) and text (visible, cut) that resembles its first line most.
        nearest: Option<(usize, String)>,
        /// What would make it match: `only the line endings differ`, `only the Unicode
        /// normalisation differs`, `only white space differs`.
        only: Option<&'static str>,
    },
    /// `oldString` occurs more than once.
    NotUnique {
        /// Which edit.
        index: usize,
        /// How often, overlaps counted.
        count: usize,
        /// Lines of the first few (at most 5).
        lines: Vec<usize>,
    },
    /// Two edits touch the same bytes.
    Overlap {
        /// The earlier edit.
        first: usize,
        /// The later edit.
        second: usize,
    },
}

/// `base` with all `edits` made, or every misfit.
pub fn apply(base: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Vec<Misfit>> {
    let _ = (base, edits);
    todo!()
}
