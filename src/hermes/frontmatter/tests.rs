use proptest::prelude::*;

use super::scalar::{self, Meaning};
use super::{FrontmatterFault, check, insert_marker, is_marked, lenient, long_description};

/// A skill `x` whose frontmatter has these lines after its name.
fn with(lines: &str) -> String {
    format!("---\nname: x\n{lines}---\n\nBody text.\n")
}

fn described(value: &str) -> String {
    with(&format!("description: {value}\n"))
}

const DROPPED: Result<(Option<&str>, Option<&str>), ()> = Err(());

/// What Hermes 0.19.0 with `PyYAML` 6.0.3 lists, found by running it.
#[test]
fn the_list_is_the_hosts() {
    let body = Some("Body text.");
    let x = Some("x");
    for (text, expected) in [
        // Fences.
        ("", Ok((None, None))),
        ("---", Ok((None, Some("---")))),
        ("---\n---\n", Ok((None, None))),
        ("---\n---\nbody\n", Ok((None, Some("body")))),
        ("no fence\n# h\nline", Ok((None, Some("no fence")))),
        ("# T\n\ntext", Ok((None, Some("text")))),
        (
            "\u{feff}---\nname: x\ndescription: d\n---\nb\n",
            Ok((x, Some("d"))),
        ),
        (
            "\u{feff}\u{feff}---\nname: x\n---\nb\n",
            Ok((None, Some("\u{feff}---"))),
        ),
        ("---name: x\ndescription: d\n---\nb\n", Ok((x, Some("d")))),
        (
            "--- \nname: x\ndescription: d\n---  \n\n\nb\n",
            Ok((x, Some("d"))),
        ),
        ("---\nname: x\ndescription: d\n---", Ok((None, Some("---")))),
        (
            "---\nname: x\ndescription: d\n--- x\n---\nb",
            Ok((x, Some("d"))),
        ),
        (
            "---\r\nname: x\r\ndescription: d\r\n---\r\nbody\r\n",
            Ok((x, Some("d"))),
        ),
        (
            "---\rname: x\rdescription: d\r---\rbody\r",
            Ok((x, Some("d"))),
        ),
        (
            "---\nname: x\ndescription: |\n  a\n---\n  b\n---\nb\n",
            Ok((x, Some("a"))),
        ),
        // Documents.
        ("---\n- a\n- b\n---\nb\n", Ok((None, Some("b")))),
        ("---\nscalar\n---\nb\n", Ok((None, Some("b")))),
        (
            "---\n{name: x, description: d}\n---\nb\n",
            Ok((x, Some("d"))),
        ),
        ("---\n# only a comment\n---\nb\n", Ok((None, Some("b")))),
        (
            "---\nname: a\nname: b\ndescription: d\n---\nb\n",
            Ok((Some("b"), Some("d"))),
        ),
        (
            "---\nname: x\n...\nname: y\n---\nb\n",
            Ok((Some("y"), Some("b"))),
        ),
        (
            "---\n  name: x\n  description: d\n---\nb\n",
            Ok((x, Some("d"))),
        ),
        (
            "---\n? name\n: x\n? description\n: d\n---\nb\n",
            Ok((x, Some("d"))),
        ),
        (
            "---\n\"name\": x\n'description': d\n---\nb\n",
            Ok((x, Some("d"))),
        ),
        // Merges.
        (
            "---\nk: &b {description: m}\n<<: *b\nname: x\n---\nb\n",
            Ok((x, Some("m"))),
        ),
        (
            "---\nk: &b\n  name: y\n<<: [*b, {name: z}]\n---\nb\n",
            Ok((Some("y"), Some("b"))),
        ),
        ("---\n<<: x\nname: x\n---\nb\n", Ok((x, Some("b")))),
        // What no parser takes is split at its colons.
        (
            "---\nname: x\ndescription: d: e\n---\nb\n",
            Ok((x, Some("d: e"))),
        ),
        (
            "---\nname: \"x\ndescription: d\n---\nb\n",
            Ok((Some("\"x"), Some("d"))),
        ),
        (
            "---\nname: x\n\tdescription: d\n---\nb\n",
            Ok((x, Some("d"))),
        ),
        (
            "---\nname: x\nt: !foo 1\ndescription: \"d\"\n---\nb\n",
            Ok((x, Some("\"d\""))),
        ),
        (
            "---\nname: x\nt: 2024-13-02\ndescription: \"d\"\n---\nb\n",
            Ok((x, Some("\"d\""))),
        ),
        (
            "---\nname: x\nt: =\ndescription: \"d\"\n---\nb\n",
            Ok((x, Some("\"d\""))),
        ),
        (
            "---\nname: x\nt: [a, |b]\ndescription: \"d\"\n---\nb\n",
            Ok((x, Some("\"d\""))),
        ),
        (
            "---\nname: x\n: w\ndescription: \"d\"\n---\nb\n",
            Ok((x, Some("\"d\""))),
        ),
        (
            "---\na: &y 1\nb: &y 2\nname: \"x\"\n---\nb\n",
            Ok((Some("\"x\""), Some("b"))),
        ),
        // Names.
        (
            "---\nname: ''\ndescription: d\n---\nb\n",
            Ok((Some(""), Some("d"))),
        ),
        ("---\nname:\ndescription: d\n---\nb\n", DROPPED),
        ("---\nname: 123\ndescription: d\n---\nb\n", DROPPED),
        ("---\nname: no\ndescription: d\n---\nb\n", DROPPED),
        ("---\nname: [x]\ndescription: d\n---\nb\n", DROPPED),
        ("---\nname: 2024-01-02\ndescription: d\n---\nb\n", DROPPED),
        (
            "---\nname: !!str 5\ndescription: d\n---\nb\n",
            Ok((Some("5"), Some("d"))),
        ),
        ("---\nname: ! 5\ndescription: d\n---\nb\n", DROPPED),
        // Descriptions.
        (&described(""), Ok((x, body))),
        (&described("~"), Ok((x, body))),
        (&described("0"), Ok((x, body))),
        (&described("no"), Ok((x, body))),
        (&described("[]"), Ok((x, body))),
        (&described("''"), Ok((x, body))),
        (&described("[a]"), Ok((x, None))),
        (&described("{a: b}"), Ok((x, None))),
        (&described("1"), DROPPED),
        (&described("yes"), DROPPED),
        (&described("1:30"), DROPPED),
        (&described("2024-01-02"), DROPPED),
        ("---\nname: x\ndescription:\n---\n# H\n\n", DROPPED),
        ("---\nname: x\ndescription: 0.0\n---\n# H\n\n", DROPPED),
        ("---\nname: x\ndescription: []\n---\n# H\n\n", Ok((x, None))),
        ("---\nname: x\n---\n# H\n\n", Ok((x, None))),
        (&described("y"), Ok((x, Some("y")))),
        (&described("1e5"), Ok((x, Some("1e5")))),
        (&described("0o17"), Ok((x, Some("0o17")))),
        (&described("089"), Ok((x, Some("089")))),
        (&described("a # c"), Ok((x, Some("a")))),
        (&described("'it''s'"), Ok((x, Some("it's")))),
        (&described("\"a\\x41\\u0042\""), Ok((x, Some("aAB")))),
        (&described(">-\n  a\n  b\n\n  c"), Ok((x, Some("a b\nc")))),
        (&described("multi\n  line"), Ok((x, Some("multi line")))),
        ("---\nname: x\ndescription: |\n---\nb\n", Ok((x, Some("b")))),
        (
            "---\nname: x\ndescription: |\n  a\nt: 1\n---\nb\n",
            Ok((x, Some("a\n"))),
        ),
    ] {
        let listed = lenient(text);
        let found = match listed.dropped {
            true => Err(()),
            false => Ok((listed.name.as_deref(), listed.description.as_deref())),
        };
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn names_and_descriptions_are_cut_as_the_host_cuts_them() {
    let name = "é".repeat(65);
    let listed = lenient(&format!("---\nname: {name}\n---\nb\n"));
    assert_eq!(listed.name, Some("é".repeat(64)));
    let listed = lenient(&described(&"é".repeat(1024)));
    assert_eq!(listed.description, Some("é".repeat(1024)));
    let listed = lenient(&described(&"é".repeat(1025)));
    assert_eq!(listed.description, Some("é".repeat(1021) + "..."));
}

/// A frontmatter of `length` characters, line feed of the closing line included.
fn sized(length: usize, ending: &str) -> String {
    let rest = "---\nname: x\ndescription: d\n#\n---\n".len();
    let comment = "p".repeat(length - rest);
    let text = format!("---\nname: x\ndescription: d\n#{comment}\n---\nbody\n");
    text.replace('\n', ending)
}

#[test]
fn the_host_reads_four_thousand_characters() {
    for ending in ["\n", "\r\n"] {
        assert_eq!(lenient(&sized(4000, ending)).name.as_deref(), Some("x"));
        assert_eq!(check(&sized(4000, ending), "x"), []);
        assert_eq!(lenient(&sized(4001, ending)).name, None);
        let faults = check(&sized(4001, ending), "x");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].line, 5);
        assert!(faults[0].message.contains("first 4000 characters"));
    }
}

#[test]
fn the_index_shows_sixty_characters() {
    for (value, length) in [
        ("a".repeat(60), None),
        ("a".repeat(61), Some(61)),
        ("é".repeat(61), Some(61)),
        (format!("\"'{}'\"", "a".repeat(60)), None),
        (format!("\"  {}  \"", "a".repeat(60)), None),
    ] {
        assert_eq!(long_description(&described(&value)), length, "{value}");
    }
    assert_eq!(
        long_description("no frontmatter, but a text of more than sixty characters, whole"),
        None
    );
}

#[test]
fn plain_scalars_mean_what_each_version_says() {
    let zero = Meaning::Number { zero: true };
    let number = Meaning::Number { zero: false };
    let (text, null, broken) = (Meaning::Text, Meaning::Null, Meaning::Broken);
    let (yes, no) = (Meaning::Bool(true), Meaning::Bool(false));
    for (scalar, host, core) in [
        ("", null, null),
        ("~", null, null),
        ("NULL", null, null),
        ("nUll", text, text),
        ("true", yes, yes),
        ("False", no, no),
        ("tRUE", text, text),
        ("yes", yes, text),
        ("Off", no, text),
        ("oFF", text, text),
        ("y", text, text),
        ("N", text, text),
        ("<<", Meaning::Merge, text),
        ("=", broken, text),
        ("0", zero, zero),
        ("-0", zero, zero),
        ("+12", number, number),
        ("0_0", zero, text),
        ("1_000", number, text),
        ("017", number, number),
        ("089", text, number),
        ("0o17", text, number),
        ("0x1F", number, number),
        ("0x0", zero, zero),
        ("0b101", number, text),
        ("0b_", broken, text),
        ("0x_", broken, text),
        ("1:30", number, text),
        ("1:60", text, text),
        ("1:30.5", number, text),
        ("1.", number, number),
        ("0.", zero, zero),
        (".5", number, number),
        ("+.5", text, number),
        (".0", zero, zero),
        ("1e3", text, number),
        ("1.5e3", text, number),
        ("1.5e+3", number, number),
        (".inf", number, number),
        ("-.INF", number, number),
        (".nan", number, number),
        ("+.nan", text, text),
        ("nan", text, text),
        (".", text, text),
        ("-", text, text),
        ("1.2.3", text, text),
        ("2024-01-02", Meaning::Time, text),
        ("2024-1-2", text, text),
        ("2024-1-2 1:00:00", Meaning::Time, text),
        ("2024-01-02T10:00:00Z", Meaning::Time, text),
        ("2024-01-02 10:00:00.5 -05", Meaning::Time, text),
        ("2024-02-29", Meaning::Time, text),
        ("2023-02-29", broken, text),
        ("0000-01-01", broken, text),
        ("2024-01-02T25:00:00Z", broken, text),
        ("2024-01-02 10:00:00 +25:00", broken, text),
        ("n/a", text, text),
        ("on-call", text, text),
    ] {
        assert_eq!(scalar::host(scalar), host, "host {scalar:?}");
        assert_eq!(scalar::core(scalar), core, "core {scalar:?}");
    }
}

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

#[test]
fn the_marker_goes_where_it_belongs() {
    for (before, after) in [
        (
            "description: d\n",
            "description: d\nmetadata:\n  lithermesAgentGenerated: \"true\"\n",
        ),
        (
            "description: d\nmetadata:\n    hermes:\n      tags: [a]\nz: 1\n",
            "description: d\nmetadata:\n    lithermesAgentGenerated: \"true\"\n    hermes:\n      tags: [a]\nz: 1\n",
        ),
        (
            "\"metadata\": # c\n  # d\n\n  a: 1\ndescription: d\n",
            "\"metadata\": # c\n  lithermesAgentGenerated: \"true\"\n  # d\n\n  a: 1\ndescription: d\n",
        ),
        (
            "description: |\n  a\n",
            "description: |\n  a\nmetadata:\n  lithermesAgentGenerated: \"true\"\n",
        ),
        (
            "description: |+\n  a\n\n\n",
            "description: |+\n  a\n\n\nmetadata:\n  lithermesAgentGenerated: \"true\"\n",
        ),
        (
            "l:\n- a\n# end\n",
            "l:\n- a\n# end\nmetadata:\n  lithermesAgentGenerated: \"true\"\n",
        ),
        (
            "k: 1 # c\n\n",
            "k: 1 # c\n\nmetadata:\n  lithermesAgentGenerated: \"true\"\n",
        ),
    ] {
        for ending in ["\n", "\r\n", "\r"] {
            let before = with(before).replace('\n', ending);
            let after = with(after).replace('\n', ending);
            assert_eq!(insert_marker(&before).as_deref(), Ok(after.as_str()));
            assert_eq!(insert_marker(&after).as_deref(), Ok(after.as_str()));
            assert!(!is_marked(&before) && is_marked(&after));
            let bom = format!("\u{feff}{before}");
            assert_eq!(insert_marker(&bom), Ok(format!("\u{feff}{after}")));
        }
    }
    let indented = "---\n  name: x\n  k: d\n---\nb\n";
    let marked =
        "---\n  name: x\n  k: d\n  metadata:\n    lithermesAgentGenerated: \"true\"\n---\nb\n";
    assert_eq!(insert_marker(indented).as_deref(), Ok(marked));
}

#[test]
fn where_the_marker_does_not_fit_the_lines_are_told() {
    for (text, line) in [
        ("no frontmatter\n".to_owned(), 1),
        ("---\nname: x\n".to_owned(), 1),
        ("---\n- a\n---\nb\n".to_owned(), 1),
        ("---\n---\nb\n".to_owned(), 1),
        ("---\n{name: x}\n---\nb\n".to_owned(), 2),
        (with("metadata:\n"), 3),
        (with("metadata: {}\n"), 3),
        (with("metadata: {a: 1}\n"), 3),
        (with("metadata: text\n"), 3),
        (with("metadata:\n- a\n"), 3),
        (with("k: &m {a: 1}\nmetadata: *m\n"), 4),
        (
            with("metadata:\n  a: 1\n  lithermesAgentGenerated: true\n"),
            5,
        ),
        (with("metadata:\n  lithermesAgentGenerated: \"yes\"\n"), 4),
        (with("k: a\tb\n"), 3),
        (with("? metadata\n: a: 1\n"), 2),
        (sized(4000, "\n"), 2),
    ] {
        let FrontmatterFault { line: at, message } = insert_marker(&text).unwrap_err();
        assert_eq!(at, line, "{text:?} {message}");
        assert!(
            message.contains("lithermesAgentGenerated: \"true\""),
            "{message}"
        );
    }
    // A syntax error is told as such.
    let fault = insert_marker(&with("a: b: c\n")).unwrap_err();
    assert_eq!(fault.line, 3);
}

#[test]
fn only_the_string_true_is_the_marker() {
    for (value, marked) in [
        ("\"true\"", true),
        ("'true'", true),
        ("!!str true", true),
        ("|-\n    true", true),
        ("true", false),
        ("True", false),
        ("\"True\"", false),
        ("\"true \"", false),
        ("yes", false),
        ("1", false),
        ("", false),
        ("[\"true\"]", false),
    ] {
        let text = with(&format!("metadata:\n  lithermesAgentGenerated: {value}\n"));
        assert_eq!(is_marked(&text), marked, "{value:?}");
    }
    assert!(is_marked(&with(
        "metadata: {lithermesAgentGenerated: \"true\"}\n"
    )));
    assert!(!is_marked(&with("lithermesAgentGenerated: \"true\"\n")));
    // Where the host falls back to lines, there is no metadata.
    assert!(!is_marked(&with(
        "a: b: c\nmetadata:\n  lithermesAgentGenerated: \"true\"\n"
    )));
    // In the body it is text.
    assert!(!is_marked(
        &(with("") + "metadata:\n  lithermesAgentGenerated: \"true\"\n")
    ));
}

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
