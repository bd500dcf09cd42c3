//! Shared Knowledge in `conference.md`, against the findings of the events.

use super::{Against, Difference};
use crate::conference::artifacts::{self, Edition};
use crate::conference::plan::{self, Document, FILE, FILE_BYTES, Origin};
use crate::conference::seal::sealed_rounds;
use crate::disk::Dir;
use crate::engine::id::ClaimId;
use crate::engine::state::State;
use crate::error::Result;

/// The findings that stand there are those of every round that ended, or as many as were there
/// before the last publishing was over.
pub(super) fn compare(
    root: &Dir,
    state: &State,
    against: Against<'_>,
) -> Result<Option<Difference>> {
    let Some(terms) = against.terms.filter(|_| state.artifacts.contains_key(FILE)) else {
        return Ok(None);
    };
    let content = root.read(FILE, FILE_BYTES as u64)?;
    let bytes = content.map_or_else(Vec::new, |content| content.bytes);
    let reading = plan::read(bytes, Origin::New)?;
    let (document, found) = (reading.document, reading.knowledge_digest);
    let mut expected = String::new();
    for round in sealed_rounds(state, against.sealed)..=state.current_round() {
        let mut until = state.clone();
        let of_round = |id: ClaimId| id.call.task.round();
        until
            .knowledge
            .retain(|finding| of_round(finding.id).is_none_or(|at| at <= round));
        let text = artifacts::sections(terms, &until, &Edition::default()).knowledge;
        let Some(text) = document.with_knowledge(&text) else {
            continue;
        };
        expected = digest(Document::parse(text))?;
        if expected == found {
            return Ok(None);
        }
    }
    Ok(Some(Difference {
        file: FILE.to_owned(),
        line: None,
        what: "Shared Knowledge".to_owned(),
        expected,
        found,
    }))
}

fn digest(document: Document) -> Result<String> {
    let bytes = document.text().as_bytes().to_vec();
    Ok(plan::read(bytes, Origin::New)?.knowledge_digest)
}
