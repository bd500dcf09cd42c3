use proptest::prelude::*;

use super::super::{check, insert_marker, is_marked, lenient, long_description};

/// Lines that frontmatter is made of, good and bad.
const LINES: [&str; 28] = [
    "name: x",
    "description: d",
    "description: \"q\"",
    "metadata:",
    "  a: 1",
    "  - b",
    "- a",
    "  lithermesAgentGenerated: \"true\"",
    "o: [a, b]",
    "o: {a: 1,",
    "  b: 2}",
    "# c",
    "",
    "  ",
    "t: |",
    "  block",
    "t: >-",
    "    deep",
    "\"k\": v",
    "? q",
    ": w",
    "k: &a v",
    "j: *a",
    "\tt: 1",
    "z: \"a",
    "b\"",
    "<<: {a: 1}",
    "...",
];

fn frontmatter() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec(proptest::sample::select(&LINES[..]), 0..9);
    let ending = proptest::sample::select(&["\n", "\r\n"][..]);
    (lines, ending).prop_map(|(lines, ending)| {
        let mut all = vec!["---", "name: x"];
        all.extend(lines);
        all.extend(["---", "", "body", ""]);
        all.join(ending)
    })
}

/// Whether `text` is `original` and the marker, with or without the key above it.
fn is_original_and_marker(text: &str, original: &str) -> bool {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let without = |from: usize, to: usize| [&lines[..from], &lines[to..]].concat().concat();
    (1..lines.len()).any(|at| {
        lines[at].trim() == "lithermesAgentGenerated: \"true\""
            && (without(at, at + 1) == original
                || (lines[at - 1].trim() == "metadata:" && without(at - 1, at + 1) == original))
    })
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,60}", lines in frontmatter()) {
        for text in [text.clone(), format!("---\n{text}\n---\nb\n"), lines + &text] {
            lenient(&text);
            check(&text, "x");
            long_description(&text);
            let _is_marked = insert_marker(&text).is_ok();
        }
    }

    #[test]
    fn the_marker_is_all_that_is_added(text in frontmatter()) {
        if let Ok(marked) = insert_marker(&text) {
            prop_assert!(is_marked(&marked));
            prop_assert_eq!(insert_marker(&marked), Ok(marked.clone()));
            if !is_marked(&text) {
                prop_assert!(is_original_and_marker(&marked, &text), "{}", marked);
            }
            let (before, after) = (lenient(&text), lenient(&marked));
            prop_assert_eq!((before.name, before.dropped), (after.name, after.dropped));
            // Only a rule that the text broke already may be broken now.
            if check(&text, "x").is_empty() {
                prop_assert_eq!(check(&marked, "x"), []);
            }
        }
    }

    #[test]
    fn what_passes_is_listed_under_its_name(text in frontmatter()) {
        if check(&text, "x").is_empty() {
            let listed = lenient(&text);
            prop_assert_eq!(listed.name.as_deref(), Some("x"));
            prop_assert!(!listed.dropped && listed.description.is_some());
        }
    }
}
