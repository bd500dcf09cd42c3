//! A text without the characters that nobody sees: with one of them inside, a credential would be
//! none to a search and still one to whoever copies it.

use std::ops::Range;

use crate::guard::text::is_hidden;

/// A text without its hidden characters, and where its bytes stood.
pub(super) struct Bare {
    /// What is left.
    pub(super) text: String,
    /// From which byte on how many are missing before it; ascending.
    gaps: Vec<(usize, usize)>,
}

impl Bare {
    /// `None` where nothing is hidden.
    pub(super) fn of(text: &str) -> Option<Self> {
        let hides = |c: char| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t');
        let first = text.find(hides)?;
        let mut bare = Self {
            text: String::with_capacity(text.len()),
            gaps: Vec::new(),
        };
        let (clean, rest) = text.split_at(first);
        bare.text.push_str(clean);
        let mut missing = 0;
        for c in rest.chars() {
            if hides(c) {
                missing += c.len_utf8();
                bare.gaps.push((bare.text.len(), missing));
            } else {
                bare.text.push(c);
            }
        }
        Some(bare)
    }

    /// Where a range that is not empty stood in the whole text, hidden characters inside included.
    pub(super) fn whole(&self, range: &Range<usize>) -> Range<usize> {
        let last = range.end.saturating_sub(1);
        self.place(range.start)..self.place(last) + 1
    }

    fn place(&self, at: usize) -> usize {
        let before = self.gaps.partition_point(|(from, _)| *from <= at);
        let gap = before.checked_sub(1).and_then(|index| self.gaps.get(index));
        at + gap.map_or(0, |(_, missing)| *missing)
    }
}
