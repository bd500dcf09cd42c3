//! Every rule that a `SKILL.md` must keep before lithermes writes it (skill-loop.md §3).
//!
//! Promises: all faults at once, by line, each saying what to write instead.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::fence::{self, Fenced};
use super::scalar::{self, Meaning};
use super::tree::{self, Kind, Node};
use super::{FrontmatterFault, HOST_HEAD_CHARS, host};
use crate::hermes::skills::SKILL_CHARS;

const MOST_DESCRIPTION: usize = 1024;

/// Every broken rule of skill-loop.md §3 "host limits" that concerns a `SKILL.md` as a whole:
/// size in characters, fences within the head, block mapping without tags, anchors, merges,
/// duplicate keys, `name` equal to `expected_name`, `description`, both strings under YAML 1.1
/// and 1.2, body not empty. Empty means that the host will list it.
///
/// A byte-order mark and CRLF are allowed, as the host allows them.
pub fn check(text: &str, expected_name: &str) -> Vec<FrontmatterFault> {
    let text = fence::normal(text);
    let mut faults = Faults(Vec::new());
    let length = text.chars().count();
    if length > SKILL_CHARS {
        let text = format!("{length} characters; the host takes at most {SKILL_CHARS}");
        faults.add(1, text);
    }
    let first = fence::without_bom(&text).split('\n').next().unwrap_or("");
    if fence::strip(first) != "---" || !first.starts_with("---") {
        faults.add(
            1,
            "the first line must be `---`, and a second `---` ends the frontmatter",
        );
        return faults.sorted();
    }
    let Some(Fenced { yaml, body }) = fence::split(&text) else {
        faults.unclosed(&text);
        return faults.sorted();
    };
    let head = fence::first(&text, HOST_HEAD_CHARS);
    if fence::split(head).is_none_or(|short| short.yaml.len() != yaml.len()) {
        let closing = 1 + yaml.matches('\n').count() + 1;
        let text = format!(
            "the frontmatter must close within the first {HOST_HEAD_CHARS} characters: the host \
             reads no more; shorten it"
        );
        faults.add(line_number(closing), text);
    }
    if fence::strip(body).is_empty() {
        let lines = text.split('\n').count();
        faults.add(
            line_number(lines),
            "nothing follows the frontmatter; add the instructions",
        );
    }
    faults.document(yaml, expected_name);
    faults.sorted()
}

struct Faults(Vec<FrontmatterFault>);

impl Faults {
    fn add(&mut self, line: u32, message: impl Into<String>) {
        let message = message.into();
        self.0.push(FrontmatterFault { line, message });
    }

    fn sorted(mut self) -> Vec<FrontmatterFault> {
        self.0.sort_by_key(|fault| fault.line);
        self.0
    }

    fn unclosed(&mut self, text: &str) {
        let last = text.rsplit('\n').next().unwrap_or("");
        let lines = text.split('\n').count();
        if lines > 1 && fence::strip(last) == "---" && last.starts_with("---") {
            self.add(
                line_number(lines),
                "the closing line `---` must end with a line feed",
            );
        } else {
            self.add(
                1,
                "the frontmatter is not closed; add a line `---` after its last key",
            );
        }
    }

    fn document(&mut self, yaml: &str, expected_name: &str) {
        let root = match tree::parse(yaml) {
            Ok(root) => root,
            Err(fault) => return self.0.push(fault),
        };
        let Some(root) = root else {
            self.add(
                1,
                "the frontmatter is empty; it needs `name:` and `description:`",
            );
            return;
        };
        let Kind::Mapping { entries, flow } = &root.kind else {
            let text = "the frontmatter must be lines of `key: value`";
            return self.add(root.line, text);
        };
        if *flow {
            let text = "the frontmatter must be lines of `key: value`, without braces";
            self.add(root.line, text);
        }
        if let Some(line) = other_break(yaml) {
            let text = "U+0085, U+2028 and U+2029 end a line only to some readers; remove them";
            self.add(line, text);
        }
        if let Some(line) = end_mark(yaml) {
            self.add(
                line,
                "no directive and no `...` line may stand in a frontmatter",
            );
        }
        if let Some(line) = tab(yaml) {
            self.add(line, "a tab may not stand in a frontmatter; write spaces");
        }
        self.nodes(&root);
        self.name(entries, expected_name);
        self.description(entries);
    }

    /// What no node may have, wherever it stands.
    fn nodes(&mut self, root: &Node) {
        let mut rest = vec![root];
        while let Some(node) = rest.pop() {
            self.node(node);
            rest.extend(node.children().into_iter().map(Rc::as_ref));
        }
    }

    fn node(&mut self, node: &Node) {
        if node.tag.is_some() {
            self.add(
                node.line,
                "a tag (`!…`) may not stand here; quote the value instead",
            );
        }
        if node.anchored {
            self.add(
                node.line,
                "an anchor (`&…`) may not stand here; repeat the value instead",
            );
        }
        match &node.kind {
            Kind::Alias(_) => {
                self.add(
                    node.line,
                    "an alias (`*…`) may not stand here; repeat the value instead",
                );
            }
            Kind::Mapping { entries, .. } => self.keys(entries),
            Kind::Scalar { text, plain: true } if scalar::host(text) == Meaning::Broken => {
                let text = format!("the host cannot read this value; write {}", quoted(text));
                self.add(node.line, text);
            }
            Kind::Scalar { .. } if host::is_merge(node) => {
                let text = "`<<` merges mappings for some readers; write the keys out, or quote it";
                self.add(node.line, text);
            }
            Kind::Scalar { .. } | Kind::Sequence(_) => {}
        }
    }

    fn keys(&mut self, entries: &[(Rc<Node>, Rc<Node>)]) {
        let mut lines = BTreeMap::new();
        for (key, _) in entries {
            let Kind::Scalar { text, .. } = &key.kind else {
                self.add(key.line, "a key must be one word or a quoted string");
                continue;
            };
            if let Some(first) = lines.insert(text.as_str(), key.line) {
                let key_shown = shown(text);
                let text = format!("the key `{key_shown}` is there twice, first in line {first}");
                self.add(key.line, text);
            }
        }
    }

    fn name(&mut self, entries: &[(Rc<Node>, Rc<Node>)], expected: &str) {
        let Some((line, name)) = self.string(entries, "name", expected) else {
            return;
        };
        if name != expected {
            let name = shown(name);
            let text =
                format!("`name` is `{name}`, but the directory is `{expected}`; make them equal");
            self.add(line, text);
        }
    }

    fn description(&mut self, entries: &[(Rc<Node>, Rc<Node>)]) {
        let example = "when to use this skill, in one sentence";
        let Some((line, text)) = self.string(entries, "description", example) else {
            return;
        };
        let length = text.chars().count();
        if fence::strip(text).is_empty() {
            self.add(
                line,
                "`description` is empty; say in one sentence when to use this skill",
            );
        } else if length > MOST_DESCRIPTION {
            let text = format!(
                "`description` has {length} characters; the host takes at most {MOST_DESCRIPTION}"
            );
            self.add(line, text);
        }
    }

    /// The value of a key that must be there and a string to both versions of YAML.
    fn string<'a>(
        &mut self,
        entries: &'a [(Rc<Node>, Rc<Node>)],
        key: &str,
        example: &str,
    ) -> Option<(u32, &'a str)> {
        let is_it = |node: &Node| matches!(&node.kind, Kind::Scalar { text, .. } if text == key);
        let Some((_, value)) = entries.iter().rev().find(|(name, _)| is_it(name)) else {
            self.add(
                1,
                format!("`{key}` is missing; add a line `{key}: {example}`"),
            );
            return None;
        };
        let Kind::Scalar { text, plain } = &value.kind else {
            self.add(value.line, format!("`{key}` must be a string"));
            return None;
        };
        let meanings = [scalar::host(text), scalar::core(text)];
        for (meaning, version) in meanings.into_iter().zip(["1.1", "1.2"]) {
            if *plain && !matches!(meaning, Meaning::Text | Meaning::Broken) {
                let what = meaning.what();
                let quoted = quoted(text);
                let line = value.line;
                let text = format!("`{key}` is {what} to YAML {version}; write `{key}: {quoted}`");
                self.add(line, text);
                return None;
            }
        }
        Some((value.line, text))
    }
}

/// The value in double quotes, as it can be pasted.
fn quoted(text: &str) -> String {
    let text = if text == "~" { "" } else { text };
    let text: String = text.chars().take(80).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Foreign text in one line of a message.
fn shown(text: &str) -> String {
    let text: String = text.chars().take(80).collect();
    text.escape_debug().to_string()
}

fn line_number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// The line of the first line end that is none to YAML 1.2.
fn other_break(yaml: &str) -> Option<u32> {
    let at = yaml.find(['\u{85}', '\u{2028}', '\u{2029}'])?;
    Some(line_number(yaml.get(..at)?.matches('\n').count() + 1))
}

/// The line of the first directive or document end.
fn end_mark(yaml: &str) -> Option<u32> {
    let is_mark = |line: &str| line.starts_with('%') || line.starts_with("...");
    let at = yaml.split('\n').position(is_mark)?;
    Some(line_number(at + 1))
}

/// The line of the first tab. Readers disagree where one may stand.
pub(super) fn tab(yaml: &str) -> Option<u32> {
    let at = yaml.find('\t')?;
    Some(line_number(yaml.get(..at)?.matches('\n').count() + 1))
}
