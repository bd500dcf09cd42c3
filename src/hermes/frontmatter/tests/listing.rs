use super::super::{check, lenient, long_description};
use super::{described, sized};

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
