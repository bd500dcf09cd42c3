//! The proposal document: what an agent hands over (skill-loop.md §3 and §11). Pure.
//!
//! Promises: a document is taken whole or not at all; every rule that can be checked without a
//! home is checked here; all faults of a document that parses are reported at once, each with
//! pointer, line and column of the file that the user has; no message repeats a credential.

mod body;
mod content;
mod envelope;
mod evidence;
mod head;
mod places;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::places::Places;

use self::envelope::Envelope;
use super::change::Edit;
use crate::count;
use crate::error::{Code, Error, Fault, Result};
use crate::guard::json;
use crate::guard::name::SKILL_FILE;
use crate::skill_loop::credentials;
use crate::skill_loop::fields::Field;

/// What `schema` says in every proposal.
pub const SCHEMA: &str = "lithermes/proposal/v1";

/// The exact text of a review that found nothing.
pub const NOTHING_TO_SAVE: &str = "Nothing to save.";

/// Bytes of a document, fences included.
pub const DOCUMENT_BYTES: usize = 4 << 20;

const LIMITS: json::Limits = json::Limits {
    bytes: DOCUMENT_BYTES,
    depth: 64,
};

/// What a document asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// The review found nothing; a result, not a fault.
    NothingToSave,
    /// At least one proposal, in the document's order.
    Proposals(Vec<Draft>),
}

/// A proposal as it was written, checked as far as the document alone allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The skill concerned: a name that passes [`crate::guard::name::check_skill`].
    pub skill: String,
    /// What made the agent propose it.
    pub signal: Signal,
    /// Why, in 1 to 4,000 characters.
    pub rationale: String,
    /// 1 to 32 references, in the order given.
    pub evidence_refs: Vec<String>,
    /// What is to be changed.
    pub change: Change,
    /// `baseSha256` where the document gives one: path in the skill to 64 hex digits.
    pub base_sha256: BTreeMap<String, String>,
    /// Where its fields stand, for faults that only a home shows.
    pub places: Places,
}

/// What made the agent propose a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// A person put something right.
    Correction,
    /// The same steps again and again.
    Repetition,
    /// A task for which no skill was there.
    CoverageGap,
    /// A way of working that proved itself.
    Technique,
}

impl Signal {
    /// Every signal, in the order of the specification.
    pub const ALL: [Self; 4] = [
        Self::Correction,
        Self::Repetition,
        Self::CoverageGap,
        Self::Technique,
    ];

    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Correction => "correction",
            Self::Repetition => "repetition",
            Self::CoverageGap => "coverage-gap",
            Self::Technique => "technique",
        }
    }
}

/// What is to be changed. Serialised it is the member of the document that it was read from
/// (`{"patch": …}`), a single edit always written as `edits`; `serde(flatten)` of it works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Change {
    /// Replacements in a file that is there.
    Patch {
        /// The file's path in the skill.
        file: String,
        /// At least one; all of them match the base.
        edits: Vec<Edit>,
    },
    /// A new skill.
    Create {
        /// Its files, `SKILL.md` among them.
        files: Vec<NewFile>,
    },
    /// A file beside `SKILL.md`, new or replaced whole.
    SupportFile {
        /// The file's path in the skill.
        path: String,
        /// All of its text.
        content: String,
        /// Whether it may be executed; `None` leaves that as it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        executable: Option<bool>,
        /// The edit of `SKILL.md` that mentions it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pointer: Option<Edit>,
    },
}

impl Change {
    /// The paths that it touches, in the order of the writes: `SKILL.md` last.
    pub fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = match self {
            Self::Patch { file, .. } => vec![file],
            Self::Create { files } => files.iter().map(|file| file.path.as_str()).collect(),
            Self::SupportFile { path, pointer, .. } => {
                let skill = pointer.is_some().then_some(SKILL_FILE);
                std::iter::once(path.as_str()).chain(skill).collect()
            }
        };
        paths.sort_unstable_by_key(|path| (*path == SKILL_FILE, *path));
        paths
    }
}

/// A file of a new skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewFile {
    /// The file's path in the skill.
    pub path: String,
    /// All of its text.
    pub content: String,
    /// Whether it may be executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executable: Option<bool>,
}

/// Reads a document: one proposal, an array, `{"proposals": […]}`, or [`NOTHING_TO_SAVE`], with
/// or without a byte-order mark and one Markdown fence around the JSON.
///
/// `Err` is `INVALID_PROPOSAL` with every fault in document order, or with the one fault for
/// which the document does not parse.
pub fn read(bytes: &[u8]) -> Result<Import> {
    let json = match envelope::open(bytes).map_err(|fault| refusal(vec![fault]))? {
        Envelope::NothingToSave => return Ok(Import::NothingToSave),
        Envelope::Json(json) => json,
    };
    drafts(&json, LIMITS).map(Import::Proposals)
}

/// Reads what was imported once: JSON without an envelope, of any size.
pub(super) fn read_again(json: &[u8]) -> Result<Vec<Draft>> {
    let limits = json::Limits {
        bytes: usize::MAX,
        ..LIMITS
    };
    drafts(json, limits)
}

fn drafts(json: &[u8], limits: json::Limits) -> Result<Vec<Draft>> {
    let reading = json::read(json, limits).map_err(|fault| refusal(vec![fault]))?;
    let mut faults = json::Faults::from_list(reading.faults);
    let root = Field::root(&reading.root);
    let drafts: Vec<Option<Draft>> = envelope::proposals(&root, &mut faults)
        .iter()
        .map(|field| head::draft(field, &mut faults))
        .collect();
    let faults = faults.sorted();
    if !faults.is_empty() {
        return Err(refusal(faults));
    }
    Ok(drafts.into_iter().flatten().collect())
}

fn refusal(mut faults: Vec<Fault>) -> Error {
    for fault in &mut faults {
        // A key is the user's text, and may be a credential like any other.
        fault.pointer = credentials::without_secrets(&fault.pointer);
    }
    let what = count::of(faults.len(), "fault", "faults");
    Error::new(
        Code::InvalidProposal,
        format!("the document has {what}; nothing was imported"),
    )
    .with_faults(faults)
}
