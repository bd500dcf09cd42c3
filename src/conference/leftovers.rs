//! What another run left in a root: an old synthesis would look like one of this run.
//!
//! Promises: only looks. Nothing of anybody's is overwritten or taken away before a person did it.

use super::artifacts::is_artifact;
use super::history::lanes::{self, LaneFile};
use super::history::{MAX_BYTES, results};
use crate::disk::Dir;
use crate::engine::id::Lane;
use crate::error::{Code, Error, Result};
use crate::guard::text;

/// Files of a root at most.
const FILES: usize = 4096;

/// `BLOCKED_STALE_CONFERENCE_STATE`, naming them, where there are any. Tables without a row that
/// says anything, as they are made beside a new `conference.md`, are none.
pub fn refuse(root: &Dir) -> Result<()> {
    let mut found = Vec::new();
    for entry in root.entries(FILES)? {
        let name = entry.name.to_string_lossy().into_owned();
        if is_artifact(&name) && !is_empty_table(root, &name)? {
            found.push(text::line(&name).into_owned());
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    found.sort();
    let text = "files of another run lie here, and would look like some of this one";
    Err(Error::new(Code::BlockedStaleConferenceState, text)
        .expected("none of the files that a conference writes")
        .found(found.join(", "))
        .hint("move them into another folder and run the same command again"))
}

fn is_empty_table(root: &Dir, name: &str) -> Result<bool> {
    if !name.ends_with(".tsv") {
        return Ok(false);
    }
    let Some(content) = root.read(name, MAX_BYTES as u64)? else {
        return Ok(true);
    };
    if content.bytes.is_empty() {
        return Ok(true);
    }
    let read = results::read(&content.bytes).ok();
    let of_lane = Lane::nth(0).and_then(|lane| lanes::read(&content.bytes, lane).ok());
    Ok(match (read, of_lane) {
        (Some(read), _) | (None, Some(LaneFile::Records(read))) => read.items.is_empty(),
        (None, _) => false,
    })
}
