//! Redaction marks that an edit brings in: a mask written over a real value loses it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // Three or more stars count only as the whole value of a key. No counted repetition of a class
    // of characters: it takes milliseconds to compile.
    Regex::new(concat!(
        r#"(\[REDACTED_SECRET\]|\[REDACTED\]|«redacted:[^»\n]*»)"#,
        r#"|[:=][ \t]*\\*["'`]?\*{3,}\\*["'`]?[ \t]*(?:[,;)}\]\r\n#|]|$)"#
    ))
    .ok()
});

/// Redaction marks in `new` that `base` does not have as often: `[REDACTED_SECRET]`,
/// `[REDACTED]`, `«redacted:…»`, and `***` as the whole value after `:` or `=`
/// (skill-loop.md §11.1). Each is returned once, sorted.
pub fn new_marks(base: &str, new: &str) -> Vec<String> {
    let (old, new) = (count(base), count(new));
    new.into_iter()
        .filter(|(mark, times)| old.get(mark).copied().unwrap_or(0) < *times)
        .map(|(mark, _)| mark.to_owned())
        .collect()
}

fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    // None of the marks does without one of these.
    if !text.contains("***") && !text.contains("[REDACTED") && !text.contains("«redacted:") {
        return counts;
    }
    let Some(marks) = MARKS.as_ref() else {
        return counts;
    };
    for hit in marks.captures_iter(text) {
        let mark = hit.get(1).map_or("***", |mark| mark.as_str());
        *counts.entry(mark).or_insert(0) += 1;
    }
    counts
}

#[cfg(test)]
pub(super) fn patterns_compile() -> bool {
    [&MARKS].into_iter().all(|pattern| pattern.is_some())
}
