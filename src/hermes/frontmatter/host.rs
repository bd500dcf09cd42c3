//! What the host makes of a frontmatter: its list entry, its fallbacks, its silences.
//!
//! Promises: reads each node once; a document that the host's parser refuses is read line by line,
//! as the host does then.

use std::rc::Rc;

use super::fence::{self, Fenced};
use super::scalar::{self, Meaning};
use super::tree::{self, Kind, Mark, Node};
use super::{FrontmatterFault, Listed};

/// The host cuts names and descriptions to this many characters.
const MOST_NAME: usize = 64;
const MOST_DESCRIPTION: usize = 1024;

/// How many entries a look-up may see; merges of merges of merges would be endless.
const MOST_STEPS: usize = 4096;

/// A value as far as the host's list looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Text(String),
    Null,
    /// A number, a boolean, a date: no length. `empty` is what Python takes for false.
    Bare {
        empty: bool,
    },
    /// A list or a mapping.
    Many {
        empty: bool,
    },
}

/// A frontmatter as the host holds it.
enum Held {
    Tree(Rc<Node>),
    Lines(Vec<(String, String)>),
    Nothing,
}

impl Held {
    fn of(yaml: &str) -> Self {
        let tree = tree::parse(yaml).ok();
        match tree.filter(|root| root.as_ref().is_none_or(|node| is_readable(node))) {
            Some(Some(root)) if matches!(root.kind, Kind::Mapping { .. }) => Self::Tree(root),
            Some(_) => Self::Nothing,
            None => Self::Lines(lines(yaml)),
        }
    }

    fn get(&self, key: &str) -> Option<Seen> {
        match self {
            Self::Tree(root) => look_up(root, key).map(seen),
            Self::Lines(lines) => {
                let found = lines.iter().rev().find(|(name, _)| name == key);
                found.map(|(_, value)| Seen::Text(value.clone()))
            }
            Self::Nothing => None,
        }
    }

    fn is_marked(&self) -> bool {
        let Self::Tree(root) = self else {
            return false;
        };
        let metadata = look_up(root, "metadata").and_then(Node::target);
        let marker = metadata.and_then(|node| look_up(node, super::marker::KEY));
        marker.is_some_and(|node| seen(node) == Seen::Text("true".to_owned()))
    }
}

/// The list entry of a text that begins a `SKILL.md`, with plain line feeds; name and description
/// are whole.
pub(super) fn uncut(head: &str) -> Listed {
    let (held, body) = read(head);
    let marked = held.is_marked();
    let name = held.get("name");
    let described = held.get("description");
    let (description, measured) = match described {
        Some(Seen::Text(text)) if !text.is_empty() => (Some(text), true),
        Some(Seen::Many { empty: false }) => (None, true),
        Some(Seen::Bare { empty: false }) => (None, false),
        // What is empty gives way to the body; where that is empty too, it must have a length.
        other => {
            let line = first_line(body);
            let has_length = matches!(other, None | Some(Seen::Text(_) | Seen::Many { .. }));
            let measured = line.is_some() || has_length;
            (line, measured)
        }
    };
    let dropped = !measured || matches!(name, Some(ref seen) if !matches!(seen, Seen::Text(_)));
    Listed {
        name: text(name),
        description,
        marked,
        dropped,
    }
}

impl Listed {
    /// Name and description as the host cuts them.
    #[must_use]
    pub fn cut(self) -> Self {
        Self {
            name: self.name.map(|name| cut(&name, MOST_NAME)),
            description: self.description.map(shortened),
            ..self
        }
    }
}

/// `description` where it is a string, whole.
pub(super) fn description(head: &str) -> Option<String> {
    text(read(head).0.get("description"))
}

/// The scalars at a path of keys in one of the host's settings files: one, or those of a
/// sequence; none where something else is there. `Err` where it is no YAML.
pub(in crate::hermes) fn scalars_at(
    yaml: &str,
    keys: &[&str],
) -> Result<Vec<String>, FrontmatterFault> {
    let root = tree::parse(yaml)?;
    let mut node = root.as_deref();
    for key in keys {
        node = node
            .and_then(Node::target)
            .and_then(|node| look_up(node, key));
    }
    let text = |node: &Node| match node.target().map(|node| &node.kind) {
        Some(Kind::Scalar { text, .. }) => Some(text.clone()),
        _ => None,
    };
    Ok(match node.and_then(Node::target) {
        Some(node) => match &node.kind {
            Kind::Sequence(items) => items.iter().filter_map(|item| text(item)).collect(),
            _ => text(node).into_iter().collect(),
        },
        None => Vec::new(),
    })
}

/// Whether the host's parser takes the document, and as a mapping.
pub(super) fn is_mapping(root: &Node) -> bool {
    matches!(root.kind, Kind::Mapping { .. }) && is_readable(root)
}

fn read(head: &str) -> (Held, &str) {
    match fence::split(head) {
        Some(Fenced { yaml, body }) => (Held::of(yaml), body),
        None => (Held::Nothing, fence::without_bom(head)),
    }
}

fn text(seen: Option<Seen>) -> Option<String> {
    match seen {
        Some(Seen::Text(text)) => Some(text),
        _ => None,
    }
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn shortened(text: String) -> String {
    if text.chars().count() <= MOST_DESCRIPTION {
        return text;
    }
    cut(&text, MOST_DESCRIPTION - 3) + "..."
}

/// The first line of the body that is neither blank nor a heading.
fn first_line(body: &str) -> Option<String> {
    let mut lines = body.split('\n').map(fence::strip);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
    Some(line.to_owned())
}

/// The host's second reading: what is before a line's first colon, and what is after it.
fn lines(yaml: &str) -> Vec<(String, String)> {
    let lines = fence::strip(yaml).split('\n');
    let pairs = lines.filter_map(|line| line.split_once(':'));
    pairs
        .map(|(key, value)| (fence::strip(key).to_owned(), fence::strip(value).to_owned()))
        .collect()
}

/// What a scalar is to the host, its tag included.
pub(super) fn meaning(text: &str, plain: bool, tag: Option<&Mark>) -> Meaning {
    let resolved = scalar::host(text);
    match tag {
        Some(Mark::Plain) if text.is_empty() => Meaning::Text,
        None | Some(Mark::Plain) if plain => resolved,
        None | Some(Mark::Plain) => Meaning::Text,
        Some(Mark::Core(name)) => match (name.as_str(), resolved) {
            ("str", _) => Meaning::Text,
            ("null", _) => Meaning::Null,
            ("bool", Meaning::Bool(_))
            | ("int" | "float", Meaning::Number { .. })
            | ("timestamp", Meaning::Time) => resolved,
            _ => Meaning::Broken,
        },
        Some(Mark::Foreign) => Meaning::Broken,
    }
}

fn seen(node: &Node) -> Seen {
    let Some(node) = node.target() else {
        return Seen::Many { empty: false };
    };
    match &node.kind {
        Kind::Scalar { text, plain } => match meaning(text, *plain, node.tag.as_ref()) {
            Meaning::Text => Seen::Text(text.clone()),
            Meaning::Null => Seen::Null,
            Meaning::Bool(value) => Seen::Bare { empty: !value },
            Meaning::Number { zero } => Seen::Bare { empty: zero },
            Meaning::Time | Meaning::Merge | Meaning::Broken => Seen::Bare { empty: false },
        },
        Kind::Sequence(items) => Seen::Many {
            empty: items.is_empty(),
        },
        Kind::Mapping { entries, .. } => Seen::Many {
            empty: entries.is_empty(),
        },
        Kind::Alias(_) => Seen::Many { empty: false },
    }
}

/// Whether the host's parser can make values of the node and of all below it.
fn is_readable(node: &Node) -> bool {
    let mut rest = vec![node];
    while let Some(node) = rest.pop() {
        let fine = match &node.kind {
            Kind::Scalar { text, plain } => {
                let meaning = meaning(text, *plain, node.tag.as_ref());
                !matches!(meaning, Meaning::Broken | Meaning::Merge)
            }
            Kind::Sequence(_) => has_tag(node, "seq"),
            Kind::Mapping { .. } => has_tag(node, "map"),
            Kind::Alias(_) => true,
        };
        if !fine {
            return false;
        }
        match &node.kind {
            Kind::Mapping { entries, .. } => {
                if !entries.iter().all(|(key, value)| is_entry(key, value)) {
                    return false;
                }
                rest.extend(entries.iter().map(|(_, value)| value.as_ref()));
            }
            _ => rest.extend(node.children().into_iter().map(Rc::as_ref)),
        }
    }
    true
}

fn has_tag(node: &Node, name: &str) -> bool {
    match &node.tag {
        None | Some(Mark::Plain) => true,
        Some(Mark::Core(tag)) => tag == name,
        Some(Mark::Foreign) => false,
    }
}

/// A key must be a scalar; `<<` takes mappings only; `=` is a string here.
fn is_entry(key: &Node, value: &Node) -> bool {
    let Some(key) = key.target() else {
        return false;
    };
    let Kind::Scalar { text, plain } = &key.kind else {
        return false;
    };
    match meaning(text, *plain, key.tag.as_ref()) {
        Meaning::Merge => merged(value).is_some(),
        Meaning::Broken => *plain && key.tag.is_none() && text == "=",
        _ => true,
    }
}

/// The mappings that a `<<` takes in; `None` where it is something else.
fn merged(value: &Node) -> Option<Vec<&Node>> {
    let is_map = |node: &&Node| matches!(node.kind, Kind::Mapping { .. });
    let value = value.target()?;
    match &value.kind {
        Kind::Mapping { .. } => Some(vec![value]),
        Kind::Sequence(items) => {
            let targets = items.iter().map(|item| item.target().filter(is_map));
            targets.collect()
        }
        Kind::Scalar { .. } | Kind::Alias(_) => None,
    }
}

/// The value of a string key: the last of its own entries, else the first of what is merged.
fn look_up<'a>(map: &'a Node, key: &str) -> Option<&'a Node> {
    let mut steps = MOST_STEPS;
    look_up_within(map, key, &mut steps)
}

fn look_up_within<'a>(map: &'a Node, key: &str, steps: &mut usize) -> Option<&'a Node> {
    let Kind::Mapping { entries, .. } = &map.kind else {
        return None;
    };
    *steps = steps.checked_sub(entries.len() + 1)?;
    let own = entries.iter().rev().find(|(name, _)| is_key(name, key));
    if let Some((_, value)) = own {
        return Some(value);
    }
    let merges = entries.iter().rev().filter(|(name, _)| is_merge(name));
    for map in merges.filter_map(|(_, value)| merged(value)).flatten() {
        if let Some(found) = look_up_within(map, key, steps) {
            return Some(found);
        }
    }
    None
}

fn is_key(node: &Node, key: &str) -> bool {
    let Some(node) = node.target() else {
        return false;
    };
    matches!(&node.kind, Kind::Scalar { text, plain }
        if text == key && meaning(text, *plain, node.tag.as_ref()) == Meaning::Text)
}

/// Whether the key is a plain `<<`.
pub(super) fn is_merge(node: &Node) -> bool {
    matches!(&node.kind, Kind::Scalar { text, plain }
        if meaning(text, *plain, node.tag.as_ref()) == Meaning::Merge)
}
