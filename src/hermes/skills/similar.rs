//! Which skills a new one resembles: by the words that it shares with them.
//!
//! Promises: small and explainable. Two names are close when half of their words are shared, two
//! descriptions when three fifths are and at least three.

use std::collections::BTreeSet;

use super::CatalogEntry;

const CLOSE_NAMES: f64 = 0.5;
const CLOSE_DESCRIPTIONS: f64 = 0.6;
const FEWEST_WORDS: usize = 3;
const MOST_ANSWERS: usize = 5;

/// Words that every description has.
const COMMON: [&str; 20] = [
    "a", "an", "and", "are", "as", "for", "from", "in", "is", "it", "of", "on", "or", "skill",
    "that", "the", "this", "to", "use", "when",
];

/// Skills whose name or description is close to a new one's; each is a name, closest first, at
/// most five. The same name is a collision and not listed here.
pub fn similar(catalogue: &[CatalogEntry], name: &str, description: &str) -> Vec<String> {
    let names = words(name);
    let descriptions = words(description);
    let mut close: Vec<(f64, &str)> = catalogue
        .iter()
        .filter(|entry| entry.name != name)
        .filter_map(|entry| {
            let score = closeness(entry, &names, &descriptions)?;
            Some((score, entry.name.as_str()))
        })
        .collect();
    close.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let names = close.into_iter().map(|(_, name)| name.to_owned());
    names.take(MOST_ANSWERS).collect()
}

/// The sum of both shares, where one of them is large enough.
fn closeness(
    entry: &CatalogEntry,
    names: &BTreeSet<String>,
    descriptions: &BTreeSet<String>,
) -> Option<f64> {
    let (name, _) = share(&words(&entry.name), names);
    let (description, common) = share(&words(&entry.description), descriptions);
    let close =
        name >= CLOSE_NAMES || (description >= CLOSE_DESCRIPTIONS && common >= FEWEST_WORDS);
    close.then_some(name + description)
}

/// The words that both have, as a share of those that either has, and their number.
fn share(a: &BTreeSet<String>, b: &BTreeSet<String>) -> (f64, usize) {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 {
        return (0.0, 0);
    }
    #[expect(clippy::cast_precision_loss, reason = "some hundred words at most")]
    let part = common as f64 / all as f64;
    (part, common)
}

/// Words in lower case, a plural `s` cut off.
fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !COMMON.contains(word));
    words
        .map(|word| match word.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
            _ => word.to_owned(),
        })
        .collect()
}
