//! Names that mean the same thing on every file system (skill-loop.md §3, names and files).
//!
//! Promises: a name is accepted or refused, never rewritten; what two systems could take for one
//! name has one [`fold`].

/// Why a name is refused: one sentence, lower case, no full stop, saying what is right.
pub type Refusal = String;

/// Checks a skill's name: `^[a-z0-9][a-z0-9._-]*$`, at most 64, no `..`, not ending in `.lock`
/// or `.`, no directory name that the host excludes, not `plan`, no device name.
pub fn check_skill(name: &str) -> Result<(), Refusal> {
    let _ = name;
    todo!()
}

/// Checks a file's path in a skill: `SKILL.md`, or beneath `references/`, `templates/`,
/// `scripts/` or `assets/`; relative, each component portable, nothing that git refuses.
pub fn check_file(path: &str) -> Result<(), Refusal> {
    let _ = path;
    todo!()
}

/// The form under which two names collide on some file system: NFC, then case folding.
pub fn fold(name: &str) -> String {
    let _ = name;
    todo!()
}

/// Directory names below which the host looks for no skills (hermes-host.md §2).
pub const HOST_EXCLUDED: [&str; 0] = [];
