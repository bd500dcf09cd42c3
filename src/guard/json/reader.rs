//! The structure: values, arrays, objects, and what stands between them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::place::Ruler;
use super::{Faults, Limits, Member, Node, Place, Reading, Value, pointer};
use crate::count;
use crate::error::Fault;
use crate::guard::text;

/// What `serde_json` takes, too. See [`Limits::depth`].
const DEPTH: usize = 128;

/// Keeps a document of nothing but commas from becoming a hundred times its size in memory.
const VALUES: usize = 1 << 18;

/// One step from a value to a value in it.
enum Step {
    Index(usize),
    Key(String),
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// Byte offset of what is read next; always at the border of a character.
    pub(super) at: usize,
    pub(super) faults: Faults,
    ruler: Ruler<'a>,
    depth: usize,
    depth_limit: usize,
    values: usize,
    path: Vec<Step>,
}

impl<'a> Reader<'a> {
    /// Checks what concerns the bytes as a whole.
    pub(super) fn open(bytes: &'a [u8], limits: Limits) -> Result<Self, Fault> {
        let mut ruler = Ruler::new(bytes);
        if bytes.len() > limits.bytes {
            let (most, found) = (limits.bytes, bytes.len());
            let found = count::of(found, "byte", "bytes");
            let message = format!("the document has {found}, expected at most {most}");
            return Err(fault(ruler.at(0), String::new(), message));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            let byte = bytes.get(at).copied().unwrap_or_default();
            let message = format!("expected UTF-8, found the byte 0x{byte:02x}");
            fault(ruler.at(at), String::new(), message)
        })?;
        Ok(Self {
            text,
            at: 0,
            faults: Faults::default(),
            ruler,
            depth: 0,
            depth_limit: limits.depth.min(DEPTH),
            values: 0,
            path: Vec::new(),
        })
    }

    /// The one value, and nothing after it.
    pub(super) fn document(mut self) -> Result<Reading, Fault> {
        if self.text.starts_with('\u{feff}') {
            return Err(self.fail(0, "expected a JSON value, found a byte-order mark"));
        }
        self.space();
        let root = self.value()?;
        self.space();
        if self.peek().is_some() {
            return Err(self.unexpected("nothing after the JSON value"));
        }
        let faults = self.faults.sorted();
        Ok(Reading { root, faults })
    }

    fn value(&mut self) -> Result<Node, Fault> {
        self.values += 1;
        if self.values > VALUES {
            return Err(self.fail(self.at, format!("more than {VALUES} values")));
        }
        let place = self.ruler.at(self.at);
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Node { value, place })
    }

    /// Reads an array or object, unless that is one level too deep.
    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth >= self.depth_limit {
            let most = self.depth_limit;
            return Err(self.fail(self.at, format!("nested deeper than {most} levels")));
        }
        self.depth += 1;
        self.at += 1;
        self.space();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// The rest of an array, its bracket passed.
    fn array(&mut self) -> Result<Value, Fault> {
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.path.push(Step::Index(items.len()));
            items.push(self.value()?);
            self.path.pop();
            if self.ends(b']')? {
                return Ok(Value::Array(items));
            }
        }
    }

    /// The rest of an object, its brace passed.
    fn object(&mut self) -> Result<Value, Fault> {
        let mut members = Vec::new();
        if self.eat(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            members.push(self.member()?);
            if self.ends(b'}')? {
                self.note_duplicates(&members);
                return Ok(Value::Object(members));
            }
        }
    }

    fn member(&mut self) -> Result<Member, Fault> {
        let place = self.ruler.at(self.at);
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let key = self.string()?;
        self.space();
        if !self.eat(b':') {
            return Err(self.unexpected("`:` after the key"));
        }
        self.space();
        self.path.push(Step::Key(key));
        let node = self.value()?;
        let Some(Step::Key(key)) = self.path.pop() else {
            return Err(self.fail(self.at, "the reader lost its path"));
        };
        Ok(Member { key, place, node })
    }

    /// After an item: `true` at the closing bracket, `false` when another item follows.
    fn ends(&mut self, close: u8) -> Result<bool, Fault> {
        self.space();
        if self.eat(close) {
            return Ok(true);
        }
        let comma = self.at;
        if !self.eat(b',') {
            return Err(self.unexpected(&format!("`,` or `{}`", char::from(close))));
        }
        self.space();
        if self.peek() == Some(close) {
            let close = char::from(close);
            return Err(self.fail(comma, format!("expected no `,` before `{close}`")));
        }
        Ok(false)
    }

    fn note_duplicates(&mut self, members: &[Member]) {
        let mut first: HashMap<&str, Place> = HashMap::with_capacity(members.len());
        for member in members {
            match first.entry(&member.key) {
                Entry::Vacant(entry) => {
                    entry.insert(member.place);
                }
                Entry::Occupied(entry) => {
                    let Place { line, column } = *entry.get();
                    let message =
                        format!("the key is there already, at line {line}, column {column}");
                    let path = &self.path;
                    let whole = || pointer(&render(path), &member.key);
                    self.faults.push(member.place, whole, message);
                }
            }
        }
    }

    /// Notes something dubious about the value that is being read.
    pub(super) fn note(&mut self, at: usize, message: &str) {
        let place = self.ruler.at(at);
        let path = &self.path;
        self.faults.push(place, || render(path), message);
    }

    /// The fault that ends the reading.
    pub(super) fn fail(&mut self, at: usize, message: impl Into<String>) -> Fault {
        fault(self.ruler.at(at), render(&self.path), message.into())
    }

    /// As [`Self::fail`], for what stands here instead of what was expected.
    pub(super) fn unexpected(&mut self, expected: &str) -> Fault {
        let next = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        let found = match next {
            None => "the end of the document".to_owned(),
            Some('\'') => "`'`: JSON has double quotes only".to_owned(),
            Some(c @ ('/' | '#')) => format!("`{c}`: JSON has no comments"),
            Some(c) => format!("`{}`", text::line(c.encode_utf8(&mut [0; 4]))),
        };
        self.fail(self.at, format!("expected {expected}, found {found}"))
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes `byte` (ASCII) where it stands here.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }
}

fn render(path: &[Step]) -> String {
    path.iter().fold(String::new(), |base, step| match step {
        Step::Index(index) => pointer(&base, &index.to_string()),
        Step::Key(key) => pointer(&base, key),
    })
}

fn fault(place: Place, pointer: String, message: String) -> Fault {
    Fault {
        pointer,
        line: place.line,
        column: place.column,
        message,
    }
}
