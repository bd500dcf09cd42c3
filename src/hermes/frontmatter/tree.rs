//! A YAML document as a tree that keeps lines, tags and styles.
//!
//! Promises: bounded depth; an alias is a second handle on its node, so no document grows.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::FrontmatterFault;
use super::grammar;

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
    /// Written with brackets or braces.
    flow: bool,
}

struct Builder {
    source: Vec<char>,
    open: Vec<Open>,
    anchors: HashMap<usize, Rc<Node>>,
    root: Option<Rc<Node>>,
    documents: usize,
    has_anchors: bool,
}

/// What [`parse`] gives.
type Parsed = Result<Option<Rc<Node>>, FrontmatterFault>;

thread_local! {
    /// The last document and what it was. Owner, marker and rules of a file are asked for one
    /// after the other, and most changes leave the frontmatter as it is.
    static LAST: RefCell<Option<(String, Parsed)>> = const { RefCell::new(None) };
}

/// Reads one document; `None` for an empty one. `Err` where it is no YAML to the host, more than
/// one document, or nested too deeply.
pub(super) fn parse(yaml: &str) -> Parsed {
    LAST.with_borrow_mut(|last| match last {
        Some((text, parsed)) if text == yaml => parsed.clone(),
        _ => {
            let parsed = read(yaml);
            *last = Some((yaml.to_owned(), parsed.clone()));
            parsed
        }
    })
}

fn read(yaml: &str) -> Parsed {
    grammar::check_text(yaml)?;
    // To the host these three end a line.
    let yaml = yaml.replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let mut builder = Builder {
        source: yaml.chars().collect(),
        open: Vec::new(),
        anchors: HashMap::new(),
        root: None,
        documents: 0,
        has_anchors: false,
    };
    let mut parser = Parser::new_from_str(&yaml);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let line = line_of(error.marker().line());
            fault(line, format!("no valid YAML: {}", error.info()))
        })?;
        builder.take(event, span)?;
    }
    if builder.has_anchors {
        grammar::check_anchors(&yaml)?;
    }
    Ok(builder.root)
}

pub(super) fn fault(line: u32, message: impl Into<String>) -> FrontmatterFault {
    let message = message.into();
    FrontmatterFault { line, message }
}

fn line_of(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).max(1)
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), FrontmatterFault> {
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
                    return Err(fault(line, text));
                }
            }
            Event::Alias(anchor) => {
                self.has_anchors = true;
                let target = self.anchors.get(&anchor).cloned();
                self.add(0, node(None, 0, Kind::Alias(target)));
            }
            Event::Scalar(text, style, anchor, tag) => {
                let kind = self.scalar(&text, style, line, span)?;
                self.add(anchor, node(tag.as_deref(), anchor, kind));
            }
            Event::SequenceStart(anchor, tag) => {
                let kind = Kind::Sequence(Vec::new());
                let flow = self.begins_with(span, '[');
                self.enter(anchor, flow, node(tag.as_deref(), anchor, kind))?;
            }
            Event::MappingStart(anchor, tag) => {
                let flow = self.begins_with(span, '{');
                let entries = Vec::new();
                let kind = Kind::Mapping { entries, flow };
                self.enter(anchor, flow, node(tag.as_deref(), anchor, kind))?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn begins_with(&self, span: Span, character: char) -> bool {
        self.source.get(span.start.index()) == Some(&character)
    }

    fn scalar(
        &self,
        text: &str,
        style: ScalarStyle,
        line: u32,
        span: Span,
    ) -> Result<Kind, FrontmatterFault> {
        let plain = style == ScalarStyle::Plain;
        let range = span.start.index()..span.end.index();
        let text = match style {
            // The parser says `~` where nothing is written.
            ScalarStyle::Plain if text == "~" && !self.begins_with(span, '~') => "",
            ScalarStyle::Literal | ScalarStyle::Folded => {
                grammar::block(text, &self.source, range.clone())
            }
            _ => text,
        };
        if plain {
            let in_flow = self.open.iter().any(|open| open.flow);
            let place = grammar::Place {
                source: &self.source,
                range,
                in_flow,
                is_key: self.is_at_key(),
            };
            grammar::check_plain(text, &place).map_err(|why| fault(line, why))?;
        }
        let text = text.to_owned();
        Ok(Kind::Scalar { text, plain })
    }

    /// Whether the next node is a key.
    fn is_at_key(&self) -> bool {
        self.open.last().is_some_and(|open| {
            matches!(open.node.kind, Kind::Mapping { .. }) && open.children.len().is_multiple_of(2)
        })
    }

    fn enter(&mut self, anchor: usize, flow: bool, node: Node) -> Result<(), FrontmatterFault> {
        if self.open.len() == MOST_LEVELS {
            let text = format!("nested more than {MOST_LEVELS} levels deep");
            return Err(fault(node.line, text));
        }
        self.open.push(Open {
            node,
            anchor,
            children: Vec::new(),
            flow,
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
