use super::super::check;
use super::{described, with};

#[test]
fn what_passes_the_check() {
    for text in [
        described("d"),
        described("\"123\""),
        described("'yes'"),
        described("|\n  two\n  lines"),
        described("2 words"),
        described("é 日本 😀"),
        with("description: d\nmetadata:\n  hermes:\n    tags: [a, b]\nversion: 1.0\n"),
        with("description: d\ndate: 2024-01-02\nempty:\n").replace('\n', "\r\n"),
        format!("\u{feff}{}", described("d")),
        described(&"d".repeat(1024)),
    ] {
        assert_eq!(check(&text, "x"), [], "{text:?}");
    }
}

#[test]
fn every_fault_has_its_line_and_says_what_to_write() {
    for (text, line, part) in [
        ("name: x\n".to_owned(), 1, "the first line must be `---`"),
        (
            "---name: x\ndescription: d\n---\nb\n".to_owned(),
            1,
            "the first line must be `---`",
        ),
        ("---\nname: x\ndescription: d\n".to_owned(), 1, "not closed"),
        (
            "---\nname: x\ndescription: d\n---".to_owned(),
            4,
            "must end with a line feed",
        ),
        (
            "---\nname: x\ndescription: d\n---\n \n".to_owned(),
            6,
            "nothing follows",
        ),
        ("---\n\n---\nb\n".to_owned(), 1, "is empty"),
        ("---\n- a\n---\nb\n".to_owned(), 2, "lines of `key: value`"),
        (
            "---\n{name: x, description: d}\n---\nb\n".to_owned(),
            2,
            "without braces",
        ),
        (with("description: d: e\n"), 3, "no valid YAML"),
        (
            described("d").replace(": x", ": y"),
            2,
            "`name` is `y`, but the directory is `x`",
        ),
        (
            described("d").replace(": x", ": 123"),
            2,
            "write `name: \"123\"`",
        ),
        (
            described("d").replace(": x", ": no"),
            2,
            "a boolean to YAML 1.1; write `name: \"no\"`",
        ),
        (
            described("d").replace(": x", ": 1e3"),
            2,
            "a number to YAML 1.2; write `name: \"1e3\"`",
        ),
        (
            described("d").replace(": x", ":"),
            2,
            "`name` is null to YAML 1.1",
        ),
        (described("2024-01-02"), 3, "a date to YAML 1.1"),
        (
            described("2024-13-02"),
            3,
            "cannot read this value; write \"2024-13-02\"",
        ),
        (with(""), 1, "`description` is missing"),
        (described("[a]"), 3, "`description` must be a string"),
        (described("' '"), 3, "`description` is empty"),
        (described(&"d".repeat(1025)), 3, "has 1025 characters"),
        (
            with("description: d\nname: x\n"),
            4,
            "the key `name` is there twice, first in line 2",
        ),
        (
            with("description: d\nm:\n  a: 1\n  a: 2\n"),
            6,
            "the key `a` is there twice",
        ),
        (with("description: !!str d\n"), 3, "a tag"),
        (with("description: &a d\n"), 3, "an anchor"),
        (with("description: d\nk: &a 1\nl: *a\n"), 5, "an alias"),
        (with("description: d\nm: {<<: {a: 1}}\n"), 4, "`<<` merges"),
        (with("description: d\nm: <<\n"), 4, "`<<` merges"),
        (with("description: d\n[a]: 1\n"), 4, "a key must be"),
        (
            with("description: d\nm: =\n"),
            4,
            "cannot read this value; write \"=\"",
        ),
        (with("description: a\tb\n"), 3, "a tab"),
        (with("description: a\u{85}b: c\n"), 3, ""),
        (
            with("description: \"a\u{2028}  b\"\n"),
            3,
            "end a line only to some readers",
        ),
        (with("description: a\u{1b}b\n"), 3, "U+001B"),
        (with("description: d\n...\n"), 4, "no directive"),
        (with("description: d\nl: [a:, b]\n"), 4, "quote a value"),
        (with("description: d\n: w\n"), 4, "a key is missing"),
    ] {
        let faults = check(&text, "x");
        let found = faults
            .iter()
            .any(|f| f.line == line && f.message.contains(part));
        assert!(found, "{text:?}\n{line}: {part}\n{faults:#?}");
        for fault in &faults {
            assert!(!fault.message.ends_with('.'), "{fault:?}");
            assert!(!fault.message.contains('\n'), "{fault:?}");
        }
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let text = "---\nname: yes\ndescription: 12\nk: !t 1\nk: 2\n---\n";
    let lines: Vec<u32> = check(text, "x").iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 7]);
}

#[test]
fn a_hundred_thousand_characters_are_the_limit() {
    let head = described("d");
    let rest = 100_000 - head.chars().count();
    assert_eq!(check(&(head.clone() + &"é".repeat(rest)), "x"), []);
    let faults = check(&(head + &"é".repeat(rest + 1)), "x");
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].message.contains("100001 characters"),
        "{faults:?}"
    );
}
