//! Foreign text against a real reader of Markdown: whatever it says, the document has the same
//! blocks and the same marks as with plain words.

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use proptest::prelude::*;

use super::super::inert::{inert, quoted};
use super::table::{Script, hold, metric, qualitative};

fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.autolink = true;
    extension.table = true;
    extension.strikethrough = true;
    extension.tasklist = true;
    extension.footnotes = true;
    extension.math_dollars = true;
    extension.description_lists = true;
    extension.underline = false;
    options
}

/// The tree without its text. A lone `@` in code is how an address is kept from being a link, and
/// words may be broken over several pieces of text.
fn outline(markdown: &str) -> String {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options());
    let mut outline = String::new();
    let mut depth = 0;
    for edge in root.traverse() {
        match edge {
            comrak::arena_tree::NodeEdge::Start(node) => {
                let value = &node.data().value;
                let is_text = matches!(value, NodeValue::Text(_) | NodeValue::Escaped);
                let is_at = matches!(value, NodeValue::Code(code) if code.literal == "@");
                if !is_text && !is_at {
                    let name = format!("{value:?}");
                    let name = name.split(['(', '{', ' ']).next().unwrap();
                    outline.push_str(&format!("{:depth$}{name}\n", ""));
                }
                depth += 1;
            }
            comrak::arena_tree::NodeEdge::End(_) => depth -= 1,
        }
    }
    outline
}

/// The outline, and the edges of cells in each line: a reader drops cells that no heading has.
fn shape(markdown: &str) -> (String, Vec<usize>) {
    let edges = |line: &str| {
        let (mut escaped, mut edges) = (false, 0);
        for c in line.chars() {
            edges += usize::from(c == '|' && !escaped);
            escaped = c == '\\' && !escaped;
        }
        edges
    };
    (outline(markdown), markdown.lines().map(edges).collect())
}

/// Every document of a conference whose children, goal, focus and title say `words`.
fn documents(words: &str, is_metric: bool) -> Vec<(String, String)> {
    let mut terms = if is_metric { metric() } else { qualitative() };
    terms.goal = words.to_owned();
    terms.focus = vec![words.to_owned(), words.to_owned()];
    let script = Script {
        words: words.to_owned(),
        ..Script::default()
    };
    let held = hold(terms, &script);
    let artifacts = held.artifacts(words).into_iter();
    let mut documents: Vec<_> = artifacts
        .filter(|artifact| artifact.path.ends_with(".md"))
        .map(|artifact| (artifact.path, String::from_utf8(artifact.bytes).unwrap()))
        .collect();
    let sections = held.sections();
    documents.push(("knowledge".to_owned(), sections.knowledge));
    documents.push(("log".to_owned(), sections.log));
    documents
}

fn keeps_its_shape(words: &str) {
    for is_metric in [true, false] {
        let plain = documents("plain words", is_metric);
        for ((path, expected), (_, found)) in plain.iter().zip(documents(words, is_metric)) {
            assert_eq!(shape(&found), shape(expected), "{path} with {words:?}");
        }
    }
}

#[test]
fn what_attacks_a_document() {
    for words in [
        "# a heading",
        "x\n# a heading\n\n---\n\n- [ ] a task",
        "| a | b |\n|---|---|\n| c | d |",
        "a | b \\| c \\\\| d",
        "```\nfence\n```",
        "~~~",
        "[a](javascript:alert(1)) ![b](x.png) [c]: http://d [^e]",
        "<script>alert(1)</script> <!-- comment --> &lt;b&gt; <http://x.org>",
        "http://x.org https://y.org ftp://z.org www.x.org WWW.X.ORG",
        "me@x.org a.b+c@x.org mailto:me@x.org xmpp:me@x.org/y @you @",
        "*a* _b_ __c__ ~~d~~ `e` ``f`` $g$ $$h$$ a_b_c _",
        "1. one",
        "a\u{2028}b\u{2029}c\u{85}d\r\ne",
        "ends in a backslash \\",
        "a\n===",
        "term\n: definition",
        "”\u{201c} \" '",
        "",
    ] {
        keeps_its_shape(words);
    }
}

/// Without being made inert most of it changes the outline: the reader above would see it.
#[test]
fn the_reader_sees_what_is_not_made_inert() {
    let around = |text: &str| {
        shape(&format!(
            "# a\n\n| a |\n|---|\n| “{text}” |\n\n- x “{text}”\n"
        ))
    };
    let plain = around("plain words");
    for text in [
        "a | b",
        "`c`",
        "*a*",
        "_b_",
        "~~d~~",
        "$g$",
        "[x](http://y)",
        "<b>",
        "&lt;<i>",
        "http://x.org",
        "see www.x.org",
        "me@x.org",
        "a\n\n# b",
        "a\n\n```\nx",
        "![b](x.png)",
    ] {
        assert_ne!(around(text), plain, "{text}");
        assert_eq!(around(&inert(text)), plain, "{text}");
    }
}

/// What a person sees of a line.
fn seen(markdown: &str) -> String {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options());
    let mut seen = String::new();
    for node in root.descendants() {
        match &node.data().value {
            NodeValue::Text(text) => seen.push_str(text),
            NodeValue::Code(code) => seen.push_str(&code.literal),
            _ => {}
        }
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn nothing_is_lost(words in "([\\PC\t\n]|[-#*_`~|\\\\<>\\[\\](){}!&$@:./=+]|w|http://){0,60}") {
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = crate::guard::text::line(&line).into_owned();
        prop_assert_eq!(seen(&format!("x {}", quoted(&words))), format!("x “{line}”"));
    }

    #[test]
    fn any_text_keeps_the_shape(words in any::<String>()) {
        keeps_its_shape(&words);
    }

    #[test]
    fn any_marks_keep_the_shape(words in "([-#*_`~|\\\\<>\\[\\](){}!&$@:./=+\"'0-9 \n\tabw\u{2028}]|http://|www\\.|```|\\|\\||\\\\\\||<b>|&amp;){0,40}") {
        keeps_its_shape(&words);
    }
}
