//! How many of what, in words.
//!
//! Promises: one of a thing is never told as several. Both forms stand at the call, with the verb
//! where there is one, so nothing has to know how a word bends.

use std::fmt::Display;

/// The count and the words for it: `one` for 1, `more` for any other number.
pub fn of<N: Display + PartialEq + From<u8>>(count: N, one: &str, more: &str) -> String {
    let words = if count == N::from(1) { one } else { more };
    format!("{count} {words}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_told_apart_from_none_and_from_many() {
        for (count, expected) in [
            (0, "0 entries are"),
            (1, "1 entry is"),
            (2, "2 entries are"),
            (21, "21 entries are"),
        ] {
            assert_eq!(super::of::<u64>(count, "entry is", "entries are"), expected);
        }
    }
}
