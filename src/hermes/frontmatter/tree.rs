//! A YAML document as a tree that keeps lines, tags and styles.
//!
//! Promises: bounded depth; an alias is a second handle on its node, so no document grows.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::FrontmatterFault;

/// Deeper than this nobody writes by hand.
const MOST_LEVELS: usize = 64;

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    /// Line of its first character, from 1.
    pub(super) line: u32,
    /// Its indentation in characters; for a block mapping that of its keys.
    pub(super) column: usize,
    /// An explicit tag.
    pub(super) tag: Option<Mark>,
    /// It has an anchor.
    pub(super) anchored: bool,
    /// What it is.
    pub(super) kind: Kind,
}

/// An explicit tag, as far as a difference is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    /// `!` alone: to the host as if it were not there.
    Plain,
    /// `!!name`.
    Core(String),
    /// Another one.
    Foreign,
}

/// What a node is.
#[derive(Debug)]
pub(super) enum Kind {
    /// A scalar; `plain` where it is not quoted and no block.
    Scalar { text: String, plain: bool },
    /// A sequence.
    Sequence(Vec<Rc<Node>>),
    /// A mapping; `flow` where it is written with braces.
    Mapping {
        entries: Vec<(Rc<Node>, Rc<Node>)>,
        flow: bool,
    },
    /// An alias; `None` where its node encloses it.
    Alias(Option<Rc<Node>>),
}

impl Node {
    /// The node itself, or what its alias stands for.
    pub(super) fn target(&self) -> Option<&Self> {
        match &self.kind {
            Kind::Alias(target) => target.as_deref(),
            _ => Some(self),
        }
    }

    /// The children, in order; of an alias none.
    pub(super) fn children(&self) -> Vec<&Rc<Self>> {
        match &self.kind {
            Kind::Sequence(items) => items.iter().collect(),
            Kind::Mapping { entries, .. } => entries.iter().flat_map(|(k, v)| [k, v]).collect(),
            Kind::Scalar { .. } | Kind::Alias(_) => Vec::new(),
        }
    }
}

/// A collection that is being read.
struct Open {
    node: Node,
    anchor: usize,
    children: Vec<Rc<Node>>,
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, Rc<Node>>,
    root: Option<Rc<Node>>,
    documents: usize,
    has_anchors: bool,
}

/// Reads one document; `None` for an empty one. `Err` where it is no YAML, more than one
/// document, or nested too deeply.
pub(super) fn parse(yaml: &str) -> Result<Option<Rc<Node>>, FrontmatterFault> {
    if let Some((line, character)) = unprintable(yaml) {
        let code = u32::from(character);
        return Err(fault(line, format!("U+{code:04X} may not stand in YAML")));
    }
    // To the host these three end a line.
    let yaml = yaml.replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n");
    if let Some(line) = content_after_end(&yaml) {
        return Err(fault(line, "no line may follow `...`".to_owned()));
    }
    let mut builder = Builder::default();
    let mut parser = Parser::new_from_str(&yaml);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let line = line_of(error.marker().line());
            fault(line, format!("no valid YAML: {}", error.info()))
        })?;
        builder.take(event, span, &yaml)?;
    }
    if builder.has_anchors && has_odd_anchor(&yaml) {
        return Err(fault(1, "an anchor that the host refuses".to_owned()));
    }
    Ok(builder.root)
}

fn fault(line: u32, message: String) -> FrontmatterFault {
    FrontmatterFault { line, message }
}

/// The first character that the host's YAML refuses everywhere, with its line.
fn unprintable(yaml: &str) -> Option<(u32, char)> {
    let mut line = 1;
    for character in yaml.chars() {
        match character {
            '\n' => line += 1,
            '\t' | '\r' | '\u{85}' | ' '..='~' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => {}
            _ => return Some((line, character)),
        }
    }
    None
}

fn line_of(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).max(1)
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span, yaml: &str) -> Result<(), FrontmatterFault> {
        let line = line_of(span.start.line());
        let node = |tag: Option<&Tag>, anchor: usize, kind: Kind| Node {
            line,
            column: span.start.col(),
            tag: tag.map(mark_of),
            anchored: anchor != 0,
            kind,
        };
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    let text = "a second YAML document; one frontmatter is one document";
                    return Err(fault(line, text.to_owned()));
                }
            }
            Event::Alias(anchor) => {
                self.has_anchors = true;
                let target = self.anchors.get(&anchor).cloned();
                self.add(0, node(None, 0, Kind::Alias(target)));
            }
            Event::Scalar(text, style, anchor, tag) => {
                let text = scalar_text(text, style, span, yaml);
                let is_plain = style == ScalarStyle::Plain;
                if is_plain {
                    self.is_allowed(&text, line, span, yaml)?;
                }
                let kind = Kind::Scalar {
                    text,
                    plain: is_plain,
                };
                self.add(anchor, node(tag.as_deref(), anchor, kind));
            }
            Event::SequenceStart(anchor, tag) => {
                let kind = Kind::Sequence(Vec::new());
                self.enter(anchor, node(tag.as_deref(), anchor, kind))?;
            }
            Event::MappingStart(anchor, tag) => {
                let flow = at(yaml, span) == Some('{');
                let entries = Vec::new();
                let kind = Kind::Mapping { entries, flow };
                self.enter(anchor, node(tag.as_deref(), anchor, kind))?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// Where the host's older grammar is stricter.
    fn is_allowed(
        &self,
        text: &str,
        line: u32,
        span: Span,
        yaml: &str,
    ) -> Result<(), FrontmatterFault> {
        if let Some(first) = text.chars().next().filter(|c| "|>%@`".contains(*c)) {
            let text = format!("no value may begin with `{first}`; quote it");
            return Err(fault(line, text));
        }
        // A lone `?` between brackets or braces.
        if text == "?" {
            return Err(fault(line, "no value may be `?`; quote it".to_owned()));
        }
        let is_key = self.open.last().is_some_and(|open| {
            matches!(open.node.kind, Kind::Mapping { flow: false, .. })
                && open.children.len() % 2 == 0
        });
        if is_key && text.is_empty() && at(yaml, span) == Some(':') {
            return Err(fault(line, "a key is missing before `:`".to_owned()));
        }
        Ok(())
    }

    fn enter(&mut self, anchor: usize, node: Node) -> Result<(), FrontmatterFault> {
        if self.open.len() == MOST_LEVELS {
            let text = format!("nested more than {MOST_LEVELS} levels deep");
            return Err(fault(node.line, text));
        }
        let children = Vec::new();
        self.open.push(Open {
            node,
            anchor,
            children,
        });
        Ok(())
    }

    fn leave(&mut self) {
        let Some(mut done) = self.open.pop() else {
            return;
        };
        match &mut done.node.kind {
            Kind::Sequence(items) => *items = done.children,
            Kind::Mapping { entries, flow } => {
                let mut children = done.children.into_iter();
                while let (Some(key), Some(value)) = (children.next(), children.next()) {
                    entries.push((key, value));
                }
                if let (false, Some((key, _))) = (*flow, entries.first()) {
                    done.node.column = key.column;
                }
            }
            Kind::Scalar { .. } | Kind::Alias(_) => {}
        }
        self.add(done.anchor, done.node);
    }

    fn add(&mut self, anchor: usize, node: Node) {
        self.has_anchors |= node.anchored;
        let node = Rc::new(node);
        if anchor != 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        match self.open.last_mut() {
            Some(parent) => parent.children.push(node),
            None => self.root = Some(node),
        }
    }
}

/// The character at which a span begins.
fn at(yaml: &str, span: Span) -> Option<char> {
    yaml.chars().nth(span.start.index())
}

/// The text as the host has it: nothing where nothing is written (the parser says `~`), and no
/// line feed at the end of a block that ends with the document, without one.
fn scalar_text(text: Cow<'_, str>, style: ScalarStyle, span: Span, yaml: &str) -> String {
    let mut text = text.into_owned();
    match style {
        ScalarStyle::Plain if text == "~" && at(yaml, span) != Some('~') => text.clear(),
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let last = yaml
                .rsplit('\n')
                .next()
                .unwrap_or("")
                .trim_start_matches(' ');
            if let Some(cut) = text.strip_suffix('\n')
                && !last.is_empty()
                && cut.ends_with(last)
                && span.end.index() >= yaml.chars().count()
            {
                text.truncate(cut.len());
            }
        }
        _ => {}
    }
    text
}

/// The line of the first text after a line `...`.
fn content_after_end(yaml: &str) -> Option<u32> {
    let mut lines = (1..).zip(yaml.split('\n'));
    lines.find(|(_, line)| line.trim_end() == "...")?;
    let later = lines.find(|(_, line)| !line.trim().is_empty());
    later.map(|(number, _)| number)
}

/// An anchor or alias whose name is not of ASCII letters, digits, `_` and `-`, or that names two
/// nodes. Seen in the text, since the parser tells no names; only asked where there are anchors.
fn has_odd_anchor(yaml: &str) -> bool {
    let mut names = HashSet::new();
    let starts = yaml.split([' ', '\n', '[', '{', ',']);
    starts.into_iter().any(|word| {
        let (is_anchor, name) = match (word.strip_prefix('&'), word.strip_prefix('*')) {
            (Some(name), _) => (true, name),
            (_, Some(name)) => (false, name),
            _ => return false,
        };
        let name = name.trim_end_matches([']', '}', ':']);
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        name.is_empty() || !name.chars().all(known) || (is_anchor && !names.insert(name))
    })
}

fn mark_of(tag: &Tag) -> Mark {
    match (tag.handle.as_str(), tag.suffix.as_str()) {
        ("", "!") | ("!", "") => Mark::Plain,
        ("tag:yaml.org,2002:", name) => Mark::Core(name.to_owned()),
        ("", name) => match name.strip_prefix("tag:yaml.org,2002:") {
            Some(name) => Mark::Core(name.to_owned()),
            None => Mark::Foreign,
        },
        _ => Mark::Foreign,
    }
}
