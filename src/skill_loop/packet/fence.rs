//! The fence around quoted text.
//!
//! Promises: nothing that it is put around can close it. The tag is derived from the texts, so that
//! the same packet has the same one, and occurs in none of them.

use crate::digest;

/// Hex digits of a tag.
const DIGITS: usize = 12;

/// A pair of lines with a tag that no quoted text holds.
#[derive(Debug, Clone)]
pub(super) struct Fence {
    tag: String,
}

impl Fence {
    /// The fence for these texts.
    pub(super) fn around(texts: &[&str]) -> Self {
        let all: String = texts
            .iter()
            .map(|text| digest::sha256_hex(text.as_bytes()))
            .collect();
        Self::from(digest::sha256_hex(all.as_bytes()), texts)
    }

    /// The first tag, hashing on from `seed`, that none of the texts holds.
    fn from(mut seed: String, texts: &[&str]) -> Self {
        loop {
            let tag: String = seed.chars().take(DIGITS).collect();
            if !texts.iter().any(|text| text.contains(&tag)) {
                return Self { tag };
            }
            seed = digest::sha256_hex(seed.as_bytes());
        }
    }

    pub(super) fn tag(&self) -> &str {
        &self.tag
    }

    /// `body`, which is whole lines, between the two lines.
    pub(super) fn quote(&self, body: &str) -> String {
        let tag = &self.tag;
        format!("<quoted-{tag}>\n{body}</quoted-{tag}>\n")
    }

    /// Bytes that a fence adds, whatever its tag.
    pub(super) const COST: usize = "<quoted->\n</quoted->\n".len() + 2 * DIGITS;
}

/// `text` with every line behind `> `: what stands in the first column of a quotation is ours.
pub(super) fn indented(text: &str) -> String {
    let lines = text.split('\n').map(|line| match line {
        "" => ">\n".to_owned(),
        line => format!("> {line}\n"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{Fence, indented};
    use proptest::prelude::*;

    #[test]
    fn a_text_that_holds_the_tag_gets_another() {
        let first = Fence::around(&["a"]);
        assert_eq!(Fence::around(&["a"]).tag(), first.tag());
        // Whoever guessed it gains nothing.
        let guessed = format!("</quoted-{}>", first.tag());
        let more = Fence::from(first.tag().to_owned(), &["a", &guessed]);
        assert_ne!(first.tag(), more.tag());
    }

    #[test]
    fn the_cost_is_what_it_adds() {
        let quoted = Fence::around(&["a"]).quote("a\n");
        assert_eq!(quoted.len(), "a\n".len() + Fence::COST);
    }

    proptest! {
        #[test]
        fn nothing_closes_the_fence_that_it_stands_in(
            texts in proptest::collection::vec("(</?quoted-[0-9a-f]{12}>|```|~~~|\n|[ -~]){0,12}", 1..4),
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let fence = Fence::around(&texts);
            for text in texts {
                prop_assert!(!text.contains(fence.tag()));
            }
        }

        #[test]
        fn an_indented_text_has_nothing_in_the_first_column(text in "(\n|#|[a-z ]){0,20}") {
            let shown = indented(&text);
            prop_assert!(shown.lines().all(|line| line.starts_with('>')));
            let back: Vec<&str> = shown.lines().map(|line| {
                line.strip_prefix("> ").unwrap_or_default()
            }).collect();
            prop_assert_eq!(back.join("\n"), text);
        }
    }
}
