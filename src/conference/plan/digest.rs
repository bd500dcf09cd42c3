//! The digests of a document: of what may not change, and of what the root writes
//! (conference.md A3, A10.5, B 1.5).

use std::collections::BTreeMap;

use serde::Serialize;

use super::document::{Document, Part};
use super::draft::Draft;
use super::sheet::Sheet;
use crate::digest;

/// Everything that may not change while a conference runs.
#[derive(Serialize)]
struct Config<'a> {
    draft: &'a Draft,
    unread: &'a BTreeMap<String, &'a str>,
    preamble: String,
    prose: BTreeMap<&'a str, Vec<String>>,
}

/// The digest of all fields as they were read and of all prose, but neither of Shared Knowledge
/// nor of the Conference Log nor of the confirmation. How a field is spelled and in which order
/// fields and sections stand makes no difference.
pub(super) fn config(sheet: &Sheet<'_>, draft: &Draft, unread: &BTreeMap<String, &str>) -> String {
    let mut prose: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (section, rest) in &sheet.rest {
        let text = match section.part {
            Part::SharedKnowledge | Part::ConferenceLog | Part::Mode => continue,
            part if is_prose(part) => sheet.document.prose(section),
            Part::Parameters => without_items(rest),
            _ => rest.clone(),
        };
        if !text.is_empty() {
            prose.entry(&section.name).or_default().push(text);
        }
    }
    let config = Config {
        draft,
        unread,
        preamble: sheet.document.preamble(),
        prose,
    };
    digest::sha256_hex(&digest::canonical(&config))
}

/// The digest of the text of Shared Knowledge; of no text where there is none.
pub(super) fn knowledge(document: &Document) -> String {
    let section = document.section(Part::SharedKnowledge);
    let text = section.map(|section| document.prose(section));
    digest::sha256_hex(text.unwrap_or_default().as_bytes())
}

fn is_prose(part: Part) -> bool {
    matches!(
        part,
        Part::Goal
            | Part::SuccessCriteria
            | Part::CurrentApproach
            | Part::Taxonomy
            | Part::Context
            | Part::Cleanup
            | Part::Focus(_)
            | Part::Other
    )
}

/// The items of the parameters are fields.
fn without_items(rest: &str) -> String {
    let prose = rest
        .lines()
        .filter(|line| !line.starts_with(['-', '*', '+']));
    prose.collect::<Vec<_>>().join("\n")
}
