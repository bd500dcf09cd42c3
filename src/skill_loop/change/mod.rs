//! Bytes to bytes: what an edit makes of a file. Pure (skill-loop.md §3, patch).
//!
//! Promises: an `oldString` matches exactly once or not at all, overlaps counted; edits match the
//! base, never each other's result; every byte outside them stays; linear time, also to refuse.

mod near_miss;
mod search;
#[cfg(test)]
mod tests;

use std::ops::Range;

use search::Occurrences;

/// One replacement in a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// What is there, exactly.
    pub old_string: String,
    /// What is to be there.
    pub new_string: String,
}

/// Why edits do not fit a base. `index` counts edits from 0; lines count from 1 and end at LF,
/// CRLF or CR.
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
        /// The edit that comes first in the proposal.
        first: usize,
        /// The other one.
        second: usize,
    },
}

/// `base` with all `edits` made, or every misfit: those of single edits in their order, then the
/// overlaps by place. The base may hold any bytes. An empty `oldString` (refused at import)
/// occurs before every byte and at the end.
pub fn apply(base: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Vec<Misfit>> {
    let mut misfits = Vec::new();
    let mut places = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        match locate(base, index, &edit.old_string) {
            Ok(range) => places.push((range, index)),
            Err(misfit) => misfits.push(misfit),
        }
    }
    places.sort_by_key(|(range, index)| (range.start, *index));
    misfits.extend(overlaps(&places));
    if misfits.is_empty() {
        Ok(splice(base, edits, &places))
    } else {
        Err(misfits)
    }
}

/// The one place of `old` in `base`.
fn locate(base: &[u8], index: usize, old: &str) -> Result<Range<usize>, Misfit> {
    match search::occurrences(base, old.as_bytes()) {
        Occurrences::One(start) => Ok(start..start + old.len()),
        Occurrences::None => Err(Misfit::NoMatch {
            index,
            nearest: near_miss::nearest_line(base, old),
            only: near_miss::only_difference(base, old),
        }),
        Occurrences::Many { count, first } => Err(Misfit::NotUnique {
            index,
            count,
            lines: search::line_numbers(base, &first),
        }),
    }
}

/// Every place, sorted by start, against the one before it that reaches furthest.
fn overlaps(places: &[(Range<usize>, usize)]) -> Vec<Misfit> {
    let mut found = Vec::new();
    let mut furthest: Option<&(Range<usize>, usize)> = None;
    for place in places {
        let (range, index) = place;
        let Some((reach, holder)) = furthest else {
            furthest = Some(place);
            continue;
        };
        if range.start < reach.end || range.start == reach.start {
            found.push(Misfit::Overlap {
                first: *holder.min(index),
                second: *holder.max(index),
            });
        }
        if range.end > reach.end {
            furthest = Some(place);
        }
    }
    found
}

/// Copies the base with each place, sorted and disjoint, replaced.
fn splice(base: &[u8], edits: &[Edit], places: &[(Range<usize>, usize)]) -> Vec<u8> {
    let mut result = Vec::with_capacity(base.len());
    let mut kept = 0;
    for (range, index) in places {
        result.extend_from_slice(base.get(kept..range.start).unwrap_or_default());
        let new = edits.get(*index).map(|edit| edit.new_string.as_bytes());
        result.extend_from_slice(new.unwrap_or_default());
        kept = range.end;
    }
    result.extend_from_slice(base.get(kept..).unwrap_or_default());
    result
}
