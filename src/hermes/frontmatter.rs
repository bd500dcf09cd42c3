//! The frontmatter of a `SKILL.md`: as the host reads it, and as lithermes demands it
//! (skill-loop.md §3 and §4, hermes-host.md §2).
//!
//! Promises: what [`lenient`] says is what Hermes 0.19.0 lists; what passes [`check`] reads the
//! same under YAML 1.1 and 1.2; [`insert_marker`] changes nothing but the marker.

/// The host reads this many characters of a `SKILL.md` for its lists.
pub const HOST_HEAD_CHARS: usize = 4000;

/// What the host's lists show of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// `name`, where it is a string; the host falls back to the directory's name.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `metadata.lithermesAgentGenerated` is the string `true`.
    pub marked: bool,
    /// The host drops the skill from its list (a name that is no string and no absence).
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

/// Reads the head of a `SKILL.md` as the host does, malformed YAML included.
pub fn lenient(text: &str) -> Listed {
    let _ = text;
    todo!()
}

/// Every broken rule of skill-loop.md §3 "host limits" that concerns a `SKILL.md` as a whole:
/// size in characters, fences within the head, block mapping without tags, anchors, merges,
/// duplicate keys, `name` equal to `expected_name`, `description`, both strings under YAML 1.1
/// and 1.2, body not empty. Empty means that the host will list it.
pub fn check(text: &str, expected_name: &str) -> Vec<FrontmatterFault> {
    let _ = (text, expected_name);
    todo!()
}

/// The description's characters where they are more than the host's index shows (60).
pub fn long_description(text: &str) -> Option<usize> {
    let _ = text;
    todo!()
}

/// Whether the frontmatter carries the ownership marker.
pub fn is_marked(text: &str) -> bool {
    let _ = text;
    todo!()
}

/// `text` with the ownership marker (skill-loop.md §4); unchanged where it is there already.
/// `Err` names the line and the lines to add by hand.
pub fn insert_marker(text: &str) -> Result<String, FrontmatterFault> {
    let _ = text;
    todo!()
}
