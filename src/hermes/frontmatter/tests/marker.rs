use super::super::{FrontmatterFault, insert_marker, is_marked};
use super::{sized, with};

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
