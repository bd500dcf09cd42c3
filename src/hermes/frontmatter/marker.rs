//! The ownership marker: how it comes into a frontmatter (skill-loop.md §4).
//!
//! Promises: one or two lines are added and every other byte stays; what comes out is read again
//! and compared before it is handed on.

use std::rc::Rc;

use super::fence::{self, Fenced};
use super::tree::{self, Kind, Mark, Node};
use super::{FrontmatterFault, check, host, lenient};

/// The key below `metadata`.
pub(super) const KEY: &str = "lithermesAgentGenerated";

/// `text` with the ownership marker (skill-loop.md §4); unchanged where it is there already.
/// `Err` names the line and the lines to add by hand.
///
/// No `metadata` key: two lines before the closing fence, in the file's line ending. A block
/// mapping under `metadata`: one line under that key, at the indentation of its children.
pub fn insert_marker(text: &str) -> Result<String, FrontmatterFault> {
    if lenient(text).marked {
        return Ok(text.to_owned());
    }
    let normal = fence::normal(text);
    let Some(Fenced { yaml, .. }) = fence::split(&normal) else {
        return Err(by_hand(1, "there is no frontmatter that closes with `---`"));
    };
    if let Some(line) = check::tab(yaml) {
        return Err(by_hand(line, "there is a tab in the frontmatter"));
    }
    // With the line feed that the closing line begins with: a block that ends there has one.
    let root = tree::parse(&format!("{yaml}\n"))?.filter(|root| host::is_mapping(root));
    let Some(root) = root else {
        return Err(by_hand(
            1,
            "the frontmatter is no mapping that the host reads",
        ));
    };
    let (line, added) = lines_to_add(&root, yaml)?;
    let result = with_lines(text, line, &added);
    if !is_faithful(&root, &result) || !lenient(&result).marked {
        let text = "the ownership marker does not fit in by itself";
        return Err(by_hand(root.line, text));
    }
    Ok(result)
}

/// Before which line of the file (from 1) which lines go.
fn lines_to_add(root: &Node, yaml: &str) -> Result<(u32, Vec<String>), FrontmatterFault> {
    let Kind::Mapping { entries, flow } = &root.kind else {
        return Err(by_hand(root.line, "the frontmatter is no mapping"));
    };
    let metadata = entries.iter().find(|(key, _)| is_named(key, "metadata"));
    let Some((key, value)) = metadata else {
        if *flow {
            return Err(by_hand(root.line, "the frontmatter is written with braces"));
        }
        let closing = yaml.matches('\n').count() + 2;
        let margin = " ".repeat(root.column);
        let lines = vec![
            format!("{margin}metadata:"),
            format!("{margin}  {KEY}: \"true\""),
        ];
        return Ok((u32::try_from(closing).unwrap_or(u32::MAX), lines));
    };
    match &value.kind {
        Kind::Mapping {
            entries,
            flow: false,
        } => {
            if let Some((old, _)) = entries.iter().find(|(key, _)| is_named(key, KEY)) {
                let message = format!("`{KEY}` must be a string; write `{KEY}: \"true\"`");
                let line = old.line;
                return Err(FrontmatterFault { line, message });
            }
            let margin = " ".repeat(value.column);
            Ok((key.line + 1, vec![format!("{margin}{KEY}: \"true\"")]))
        }
        _ => Err(by_hand(key.line, "`metadata` is no block mapping")),
    }
}

fn is_named(node: &Node, name: &str) -> bool {
    matches!(&node.kind, Kind::Scalar { text, .. } if text == name)
}

fn by_hand(line: u32, why: &str) -> FrontmatterFault {
    let message = format!(
        "{why}; add these lines to the frontmatter: `metadata:` and, indented beneath it, \
         `  {KEY}: \"true\"`"
    );
    FrontmatterFault { line, message }
}

/// `text` with whole lines before its line `before` (from 1), in the first line's ending.
fn with_lines(text: &str, before: u32, added: &[String]) -> String {
    let ending = first_ending(text);
    let at = start_of_line(text, before);
    let (head, tail) = text.split_at_checked(at).unwrap_or((text, ""));
    let lines: String = added.iter().map(|line| format!("{line}{ending}")).collect();
    format!("{head}{lines}{tail}")
}

fn first_ending(text: &str) -> &'static str {
    match text.find(['\r', '\n']).and_then(|at| text.get(at..)) {
        Some(rest) if rest.starts_with("\r\n") => "\r\n",
        Some(rest) if rest.starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// The byte at which a line begins; CRLF, CR and LF each end one.
fn start_of_line(text: &str, line: u32) -> usize {
    let mut left = line.saturating_sub(1);
    let mut bytes = text.bytes().enumerate().peekable();
    while left > 0 {
        let Some((at, byte)) = bytes.next() else {
            return text.len();
        };
        let in_pair = byte == b'\r' && bytes.peek().is_some_and(|(_, next)| *next == b'\n');
        if byte == b'\n' || (byte == b'\r' && !in_pair) {
            left -= 1;
            if left == 0 {
                return at + 1;
            }
        }
    }
    0
}

/// Whether the frontmatter of `result` is the tree `before` and the marker, and nothing else.
fn is_faithful(before: &Node, result: &str) -> bool {
    let normal = fence::normal(result);
    let Some(Fenced { yaml, .. }) = fence::split(&normal) else {
        return false;
    };
    let Ok(Some(after)) = tree::parse(&format!("{yaml}\n")) else {
        return false;
    };
    let (Some(old), Some(new)) = (entries(before), entries(&after)) else {
        return false;
    };
    let old_metadata = old.iter().position(|(key, _)| is_named(key, "metadata"));
    let same = |a: &[Entry], b: &[Entry]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_entry(a, b))
    };
    match old_metadata {
        None => new.split_last().is_some_and(|((key, value), rest)| {
            is_named(key, "metadata") && same(old, rest) && is_only_marker(value)
        }),
        Some(at) => {
            let (Some((_, was)), Some((key, is))) = (old.get(at), new.get(at)) else {
                return false;
            };
            let inner = match (entries(was), entries(is).and_then(<[Entry]>::split_first)) {
                (Some(was), Some(((key, value), rest))) => {
                    is_named(key, KEY) && is_marker(value) && same(was, rest)
                }
                _ => false,
            };
            let rest = (old.get(at + 1..), new.get(at + 1..));
            let tail = matches!(rest, (Some(a), Some(b)) if same(a, b));
            let front = (old.get(..at), new.get(..at));
            let front = matches!(front, (Some(a), Some(b)) if same(a, b));
            is_named(key, "metadata") && inner && front && tail
        }
    }
}

type Entry = (Rc<Node>, Rc<Node>);

fn entries(node: &Node) -> Option<&[Entry]> {
    match &node.kind {
        Kind::Mapping { entries, .. } => Some(entries),
        _ => None,
    }
}

fn is_only_marker(node: &Node) -> bool {
    matches!(entries(node), Some([(key, value)]) if is_named(key, KEY) && is_marker(value))
}

fn is_marker(node: &Node) -> bool {
    matches!(&node.kind, Kind::Scalar { text, plain: false } if text == "true")
}

fn is_same_entry(a: &Entry, b: &Entry) -> bool {
    is_same(&a.0, &b.0) && is_same(&a.1, &b.1)
}

/// Whether two nodes read alike; an alias is compared by what it stands for, once.
fn is_same(a: &Node, b: &Node) -> bool {
    let marks: [Option<&Mark>; 2] = [a.tag.as_ref(), b.tag.as_ref()];
    if marks[0] != marks[1] || a.anchored != b.anchored {
        return false;
    }
    match (&a.kind, &b.kind) {
        (
            Kind::Scalar { text, plain },
            Kind::Scalar {
                text: other,
                plain: other_plain,
            },
        ) => text == other && plain == other_plain,
        (Kind::Sequence(a), Kind::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Kind::Mapping { entries: a, .. }, Kind::Mapping { entries: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_entry(a, b))
        }
        // Nodes that are the same in the same order have the same anchors before them.
        (Kind::Alias(a), Kind::Alias(b)) => a.is_some() == b.is_some(),
        _ => false,
    }
}
