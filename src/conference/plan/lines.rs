//! A Markdown text line by line: what is text, what is code, what is a comment.
//!
//! Promises: one pass, linear; nothing inside a code fence or a comment is a heading or a field.

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Ordinary text.
    Text,
    /// Inside a code fence, its marks included.
    Code,
    /// Inside an HTML comment that begins a line.
    Comment,
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// From 1, in the file.
    pub(super) number: u32,
    /// Byte at which it begins, in the file.
    pub(super) start: usize,
    /// Byte after its line ending, in the file.
    pub(super) next: usize,
    /// Its text without the line ending.
    pub(super) text: &'a str,
    /// What it is.
    pub(super) kind: Kind,
}

impl<'a> Line<'a> {
    /// Nothing but white space.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// A thematic break, as stands before the Conference Log: three or more `-`, `*` or `_`.
    pub(super) fn is_rule(&self) -> bool {
        let marks: String = self.text.split_whitespace().collect();
        let one_kind = |mark: char| marks.chars().all(|c| c == mark);
        self.kind == Kind::Text && marks.len() >= 3 && ['-', '*', '_'].into_iter().any(one_kind)
    }

    /// The level and text of an ATX heading.
    pub(super) fn heading(&self) -> Option<(usize, &'a str)> {
        if self.kind != Kind::Text || indent(self.text) > 3 {
            return None;
        }
        let text = self.text.trim();
        let title = text.trim_start_matches('#');
        let level = text.len() - title.len();
        let spaced = title.is_empty() || title.starts_with([' ', '\t']);
        if !(1..=6).contains(&level) || !spaced {
            return None;
        }
        let open = title.trim_end_matches('#');
        let title = match open.is_empty() || open.ends_with([' ', '\t']) {
            true => open,
            false => title,
        };
        Some((level, title.trim()))
    }
}

/// Columns of white space before the text; a tab counts four.
pub(super) fn indent(text: &str) -> usize {
    let blank = text.bytes().take_while(|b| matches!(b, b' ' | b'\t'));
    blank.map(|b| if b == b'\t' { 4 } else { 1 }).sum()
}

/// The lines of a part of a file.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    rest: &'a str,
    start: usize,
    number: u32,
    state: State,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Text,
    Fence { mark: u8, length: usize },
    Comment,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, which begins at byte `start` of the file, on line `number`, outside
    /// every fence and comment.
    pub(super) fn new(text: &'a str, start: usize, number: u32) -> Self {
        Self {
            rest: text,
            start,
            number,
            state: State::Text,
        }
    }

    fn kind(&mut self, text: &str) -> Kind {
        match self.state {
            State::Text => self.begin(text),
            State::Fence { mark, length } => {
                let closes = fence(text).is_some_and(|(other, run, rest)| {
                    other == mark && run >= length && rest.trim().is_empty()
                });
                if closes {
                    self.state = State::Text;
                }
                Kind::Code
            }
            State::Comment => {
                if text.contains("-->") {
                    self.state = State::Text;
                }
                Kind::Comment
            }
        }
    }

    fn begin(&mut self, text: &str) -> Kind {
        if indent(text) > 3 {
            return Kind::Text;
        }
        if let Some(comment) = text.trim_start().strip_prefix("<!--") {
            if !comment.contains("-->") {
                self.state = State::Comment;
            }
            return Kind::Comment;
        }
        match fence(text) {
            // A backtick in what follows makes it a code span of the text.
            Some((mark, length, info)) if mark == b'~' || !info.contains('`') => {
                self.state = State::Fence { mark, length };
                Kind::Code
            }
            _ => Kind::Text,
        }
    }
}

/// The mark of a code fence, its length, and what follows it.
fn fence(text: &str) -> Option<(u8, usize, &str)> {
    let text = text.trim_start();
    let mark = *text
        .as_bytes()
        .first()
        .filter(|b| matches!(b, b'`' | b'~'))?;
    let rest = text.trim_start_matches(char::from(mark));
    let length = text.len() - rest.len();
    (length >= 3).then_some((mark, length, rest))
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (whole, rest) = match self.rest.find('\n') {
            Some(end) => self.rest.split_at(end + 1),
            None => (self.rest, ""),
        };
        let text = whole.strip_suffix('\n').unwrap_or(whole);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let line = Line {
            number: self.number,
            start: self.start,
            next: self.start + whole.len(),
            text,
            kind: self.kind(text),
        };
        self.rest = rest;
        self.start = line.next;
        self.number = self.number.saturating_add(1);
        Some(line)
    }
}

/// `text` without the comments that begin and end in it.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        let Some((_, behind)) = after.split_once("-->") else {
            break;
        };
        kept.push_str(before);
        rest = behind;
    }
    kept.push_str(rest);
    kept
}
