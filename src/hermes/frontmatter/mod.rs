//! The frontmatter of a `SKILL.md`: as the host reads it, and as lithermes demands it
//! (skill-loop.md §3 and §4, hermes-host.md §2).
//!
//! Promises: what [`lenient`] says is what Hermes 0.19.0 lists; what passes [`check`] reads the
//! same under YAML 1.1 and 1.2; [`insert_marker`] changes nothing but the marker.

mod check;
mod fence;
mod grammar;
mod host;
mod marker;
mod scalar;
mod tree;

#[cfg(test)]
mod tests;

pub use check::check;
pub(super) use host::scalars_at;
pub use marker::insert_marker;

/// The host reads this many characters of a `SKILL.md` for its lists.
pub const HOST_HEAD_CHARS: usize = 4000;

/// The host's index shows this many characters of a description.
const INDEX_CHARS: usize = 60;

/// What the host's lists show of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// `name`, where it is a string, cut to 64 characters; `None` where there is none: the host
    /// then falls back to the directory's name.
    pub name: Option<String>,
    /// `description`, cut to 1,024 characters; where it is empty or missing, the first line of
    /// the body that is no heading. `None` where there is neither, or no text (a list).
    pub description: Option<String>,
    /// `metadata.lithermesAgentGenerated` is the string `true`.
    pub marked: bool,
    /// The host drops the skill from its list (a name that is no string and no absence, or a
    /// description that has no length).
    pub dropped: bool,
}

/// A broken rule of a frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontmatterFault {
    /// Line in the file, from 1.
    pub line: u32,
    /// What is wrong, what is right (quote it; add these lines; …).
    pub message: String,
}

/// Reads the head of a `SKILL.md` as the host does, malformed YAML included. More of the text
/// than its first [`HOST_HEAD_CHARS`] characters has no influence.
pub fn lenient(text: &str) -> Listed {
    uncut(text).cut()
}

/// As [`lenient`], with name and description whole: whoever redacts them has to see all of them.
pub fn uncut(text: &str) -> Listed {
    host::uncut(&fence::head(text))
}

/// The description's characters where they are more than the host's index shows (60).
pub fn long_description(text: &str) -> Option<usize> {
    let head = fence::head(text);
    let description = host::description(&head)?;
    let shown = fence::strip(&description).trim_matches(['\'', '"']);
    let length = shown.chars().count();
    (length > INDEX_CHARS).then_some(length)
}

/// Whether the frontmatter carries the ownership marker: `metadata.lithermesAgentGenerated` is
/// the string `true`, in a frontmatter that the host can read.
pub fn is_marked(text: &str) -> bool {
    lenient(text).marked
}
