//! Words of a small set, tolerant of a remark in parentheses.

use super::super::document::folded;
use super::super::fault::quoted;

/// The value without a remark in parentheses behind it, folded.
pub(crate) fn folded_word(text: &str) -> String {
    let text = match text.find(" (") {
        Some(at) => text.get(..at).unwrap_or(text),
        None => text,
    };
    folded(text.trim_end_matches(['.', ';']))
}

/// The meaning of a word; the words are folded. The sentence of a refusal lists them.
pub(crate) fn choose<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let word = folded_word(text);
    let found = words.iter().find(|(name, _)| *name == word);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        format!("{} is none of {}", quoted(text), names.join(", "))
    })
}

/// The items of a list: separated by commas, or each on its own line behind a list mark.
/// `none` is no item.
pub(crate) fn items(text: &str) -> Vec<&str> {
    let pieces = text.lines().flat_map(|line| {
        let line = line.trim();
        line.strip_prefix("- ").unwrap_or(line).split(',')
    });
    let clean = pieces.map(|piece| piece.trim().trim_matches(['`', '"']).trim());
    clean
        .filter(|piece| !piece.is_empty() && !piece.eq_ignore_ascii_case("none"))
        .collect()
}
