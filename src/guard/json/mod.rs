//! A strict, bounded JSON reader that keeps places (skill-loop.md §3).
//!
//! Promises: linear time, bounded memory and depth, no recursion deeper than the limit; a syntax
//! error is one fault with its place; what parses but is dubious (duplicate key, lone surrogate)
//! is reported beside the tree, all at once.

mod faults;
mod place;
mod reader;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use faults::Faults;

use crate::error::Fault;

/// How much is read before the reader refuses.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the whole document.
    pub bytes: usize,
    /// Nested arrays and objects. Never more than 128, whatever is asked for: what reads a tree,
    /// and what frees it, recurses.
    pub depth: usize,
}

/// Where a value begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it begins.
    pub place: Place,
}

/// A JSON value. Numbers keep their source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// The number as it was written.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object in source order; a duplicate key stands twice.
    Object(Vec<Member>),
}

impl Value {
    /// What it is, for messages: `an object`, `a string`, `null`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The key, unescaped.
    pub key: String,
    /// Where the key begins.
    pub place: Place,
    /// The value.
    pub node: Node,
}

/// What a document that parses holds, and what is dubious about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The root value.
    pub root: Node,
    /// Duplicate keys, lone surrogates: each with pointer and place, in document order.
    pub faults: Vec<Fault>,
}

/// Reads one JSON value and nothing after it. `Err` is one fault: syntax, NaN, a limit, bytes
/// that are no UTF-8, a byte-order mark (the caller strips what it tolerates).
///
/// Beside the limits of the caller, a document has at most 262,144 values.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Reading, Fault> {
    reader::Reader::open(bytes, limits)?.document()
}

/// `base` with one more reference token, escaped (RFC 6901).
pub fn pointer(base: &str, token: &str) -> String {
    let mut pointer = String::with_capacity(base.len() + 1 + token.len());
    pointer.push_str(base);
    pointer.push('/');
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
    pointer
}
