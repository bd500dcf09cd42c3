//! Verdict lines of `peer_review_round_N.md` (conference.md B 2.7).
//!
//! Accepted: `**Verdict:** value` and `**Verdict: VALUE**`, in any case, as a list item or not,
//! followed by a parenthesis or dashes. Prose about verdicts is none.

use super::text;
use super::{Note, cells};
use crate::engine::packet::Verdict;

/// A verdict with what it stands under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// From 1.
    pub line: usize,
    /// The nearest heading before it, without its marks.
    pub heading: String,
    /// What is said.
    pub verdict: Verdict,
}

/// Every verdict line, in order.
pub fn read(bytes: &[u8]) -> Result<Vec<Said>, Note> {
    let mut said = Vec::new();
    let mut heading = String::new();
    for (number, line) in (1..).zip(text(bytes)?.lines()) {
        let line = line.trim();
        if line.starts_with('#') {
            line.trim_start_matches('#').trim().clone_into(&mut heading);
        } else if let Some(verdict) = verdict(line) {
            said.push(Said {
                line: number,
                heading: heading.clone(),
                verdict,
            });
        }
    }
    Ok(said)
}

fn verdict(line: &str) -> Option<Verdict> {
    let item = line.trim_start_matches(['-', '*', '+', ' ']);
    // The list's mark may have taken the first marks of the bold label with it.
    let label = item
        .get(..7)
        .filter(|label| label.eq_ignore_ascii_case("verdict"))?;
    let rest = item.get(label.len()..)?.trim_start();
    let bold = line.contains("**");
    let value = rest.strip_prefix(':').filter(|_| bold)?;
    let value = value.trim_start_matches(['*', ' ']);
    let word: String = value
        .chars()
        .take_while(|c| c.is_alphabetic() || *c == '_')
        .collect();
    cells::verdict(&word).flatten()
}
