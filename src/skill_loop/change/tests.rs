use proptest::prelude::*;

use super::search::{Occurrences, line_numbers, lines, occurrences};
use super::{Edit, Misfit, apply};

fn edit(old: &str, new: &str) -> Edit {
    Edit {
        old_string: old.to_owned(),
        new_string: new.to_owned(),
    }
}

fn no_match(base: &str, old: &str) -> (Option<(usize, String)>, Option<&'static str>) {
    match apply(base.as_bytes(), &[edit(old, "x")])
        .unwrap_err()
        .remove(0)
    {
        Misfit::NoMatch { nearest, only, .. } => (nearest, only),
        other => panic!("expected no match, found {other:?}"),
    }
}

#[test]
fn an_edit_replaces_its_one_match_in_any_bytes() {
    let base = b"\xff\xfe one two \xf0 three\r\n";
    let made = apply(base, &[edit("three", "3"), edit("one", "")]).unwrap();
    assert_eq!(made, b"\xff\xfe  two \xf0 3\r\n");
    assert_eq!(apply(base, &[]).unwrap(), base);
}

#[test]
fn adjacent_edits_do_not_overlap() {
    assert_eq!(
        apply(b"abcd", &[edit("cd", "2"), edit("ab", "1")]).unwrap(),
        b"12"
    );
}

#[test]
fn edits_match_the_base_and_not_each_others_result() {
    assert_eq!(
        apply(b"a b", &[edit("a", "b"), edit("b", "a")]).unwrap(),
        b"b a"
    );
}

#[test]
fn overlapping_occurrences_are_counted() {
    let misfits = apply(b"aaa", &[edit("aa", "b")]).unwrap_err();
    let lines = vec![1, 1];
    assert_eq!(
        misfits,
        [Misfit::NotUnique {
            index: 0,
            count: 2,
            lines
        }]
    );
}

#[test]
fn the_first_five_of_many_matches_are_named_by_line() {
    let misfits = apply(b"x\nx\r\nx\rx\nx x\nx\n", &[edit("x", "y")]).unwrap_err();
    let lines = vec![1, 2, 3, 4, 5];
    assert_eq!(
        misfits,
        [Misfit::NotUnique {
            index: 0,
            count: 7,
            lines
        }]
    );
}

#[test]
fn every_misfit_is_reported_at_once() {
    let edits = [
        edit("nowhere at all", ""),
        edit("fg", ""),
        edit("a", ""),
        edit("efgh", ""),
        edit("hi", ""),
    ];
    let misfits = apply(b"a a efghi", &edits).unwrap_err();
    assert_eq!(misfits.len(), 4, "{misfits:?}");
    assert!(matches!(misfits[0], Misfit::NoMatch { index: 0, .. }));
    assert!(matches!(
        misfits[1],
        Misfit::NotUnique {
            index: 2,
            count: 2,
            ..
        }
    ));
    assert_eq!(
        misfits[2],
        Misfit::Overlap {
            first: 1,
            second: 3
        }
    );
    assert_eq!(
        misfits[3],
        Misfit::Overlap {
            first: 3,
            second: 4
        }
    );
}

#[test]
fn an_empty_old_string_occurs_everywhere() {
    let misfits = apply(b"ab", &[edit("", "x")]).unwrap_err();
    assert!(matches!(misfits[0], Misfit::NotUnique { count: 3, .. }));
    assert_eq!(apply(b"", &[edit("", "x")]).unwrap(), b"x");
}

#[test]
fn a_refusal_says_what_alone_differs() {
    for (base, old, only) in [
        ("a\r\nb\r\n", "a\nb\n", Some("only the line endings differ")),
        ("a\rb\r", "a\nb", Some("only the line endings differ")),
        ("a\nb\n", "a\r\nb", Some("only the line endings differ")),
        (
            "caf\u{e9}",
            "cafe\u{301}",
            Some("only the Unicode normalisation differs"),
        ),
        (
            "cafe\u{301}",
            "caf\u{e9}",
            Some("only the Unicode normalisation differs"),
        ),
        ("a  b\tc", "a b c", Some("only white space differs")),
        ("a\u{a0}b", "a b", Some("only white space differs")),
        ("see a\n  b", "a\nb ", Some("only white space differs")),
        // Twice after normalising: it would still not be unique.
        ("a\r\nb a\r\nb", "a\nb", None),
        ("ab", "a b", None),
        ("beta(2)", "beta(9)", None),
        ("x", " \t", None),
    ] {
        assert_eq!(no_match(base, old).1, only, "{old:?} in {base:?}");
    }
    let latin = apply(b"\xe9 a\r\nb", &[edit("a\nb", "")]).unwrap_err();
    assert!(matches!(&latin[0], Misfit::NoMatch { only: Some(only), .. } if only.contains("line")));
}

#[test]
fn a_refusal_names_the_nearest_line() {
    let base = "# Title\n\nalpha(1)\nbeta(2)\n  Gamma rays\r\nx\n";
    for (old, nearest) in [
        ("beta(9)\nmore", Some((4, "beta(2)"))),
        ("\n\n   gamma ray\n", Some((5, "Gamma rays"))),
        ("# title", Some((1, "# Title"))),
        ("x\nmore", Some((6, "x"))),
        ("completely other words", None),
        ("\n\t\n \n", None),
    ] {
        let expected = nearest.map(|(line, text)| (line, text.to_owned()));
        assert_eq!(no_match(base, old).0, expected, "{old:?}");
    }
}

#[test]
fn the_nearest_line_is_made_visible_and_cut() {
    let (nearest, _) = no_match("key \u{1b}[2J value\n", "key [2J valve");
    assert_eq!(nearest, Some((1, "key \\u{1b}[2J value".to_owned())));
    let long = "é".repeat(5000);
    let (nearest, _) = no_match(&long, &format!("{long}x"));
    assert_eq!(nearest, Some((1, format!("{}…", "é".repeat(120)))));
}

/// Linear work: a quadratic search would need minutes here, even unoptimised.
#[test]
fn hostile_repetition_is_counted_in_linear_time() {
    let base = vec![b'a'; 1 << 20];
    let old = "a".repeat(1 << 19);
    let misfits = apply(&base, &[edit(&old, "")]).unwrap_err();
    assert!(matches!(
        misfits[0],
        Misfit::NotUnique { count: 524_289, .. }
    ));
}

fn brute(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    (0..=haystack.len())
        .filter(|at| haystack[*at..].starts_with(needle))
        .collect()
}

proptest! {
    #[test]
    fn counting_agrees_with_brute_force(
        haystack in "[ab]{0,40}",
        needle in "[ab]{0,4}",
    ) {
        let places = brute(haystack.as_bytes(), needle.as_bytes());
        let expected = match places.as_slice() {
            [] => Occurrences::None,
            [one] => Occurrences::One(*one),
            many => Occurrences::Many {
                count: many.len(),
                first: many.iter().copied().take(5).collect(),
            },
        };
        prop_assert_eq!(occurrences(haystack.as_bytes(), needle.as_bytes()), expected);
    }

    #[test]
    fn a_line_number_counts_the_lines_before(text in "[a\r\n]{0,30}", at in 0usize..30) {
        let at = at.min(text.len());
        // Between CR and LF no line begins.
        prop_assume!(!(text[..at].ends_with('\r') && text[at..].starts_with('\n')));
        let expected = lines(&text.as_bytes()[..at]).count();
        prop_assert_eq!(line_numbers(text.as_bytes(), &[at]), vec![expected]);
    }

    #[test]
    fn an_edit_and_its_inverse_give_the_base(
        prefix in "[a-c\r\né]{0,20}",
        old in "[X-Z\n]{0,5}Y",
        new in "[P-R\n]{0,5}Q",
        suffix in "[a-c\r\né]{0,20}",
    ) {
        let base = format!("{prefix}{old}{suffix}").into_bytes();
        let made = apply(&base, &[edit(&old, &new)]);
        prop_assume!(made.is_ok());
        let made = made.unwrap();
        prop_assert_eq!(made.clone(), format!("{prefix}{new}{suffix}").into_bytes());
        if let Ok(back) = apply(&made, &[edit(&new, &old)]) {
            prop_assert_eq!(back, base);
        } else {
            prop_assert!(brute(&made, new.as_bytes()).len() > 1);
        }
    }

    #[test]
    fn what_is_made_or_refused_is_what_a_plain_model_says(
        base in "[abc]{0,12}",
        edits in prop::collection::vec(("[abc]{1,3}", "[xyz]{0,3}"), 0..4),
    ) {
        let wanted: Vec<Edit> = edits.iter().map(|(old, new)| edit(old, new)).collect();
        prop_assert_eq!(apply(base.as_bytes(), &wanted).ok(), model(&base, &edits));
    }
}

/// Every byte of the base is owned by at most one edit; unowned bytes are copied.
fn model(base: &str, edits: &[(String, String)]) -> Option<Vec<u8>> {
    let mut owner = vec![None; base.len()];
    for (index, (old, _)) in edits.iter().enumerate() {
        let places = brute(base.as_bytes(), old.as_bytes());
        let [place] = places.as_slice() else {
            return None;
        };
        for slot in &mut owner[*place..place + old.len()] {
            if slot.replace(index).is_some() {
                return None;
            }
        }
    }
    let mut made = Vec::new();
    let mut last = None;
    for (byte, owner) in base.bytes().zip(owner) {
        match owner {
            None => made.push(byte),
            Some(index) if last != Some(index) => made.extend(edits[index].1.bytes()),
            Some(_) => {}
        }
        last = owner;
    }
    Some(made)
}
