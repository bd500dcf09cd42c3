//! Proving the chain from the first line.

use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::entry::{Line, SCHEMA, parse};
use super::{Backwards, MAX_LINE, NOBODY};
use crate::disk::Dir;
use crate::error::{Code, Error, Result};

/// The first line that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: String,
}

/// What a check of the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// Lines that hold.
    pub lines: u64,
    /// Bytes after the last line feed: an unfinished line, which is no damage.
    pub torn: u64,
    /// The first line that does not hold.
    pub damage: Option<Damage>,
}

pub(super) fn run(dir: &Dir, name: &str, visit: &mut dyn FnMut(&Line)) -> Result<Checked> {
    let path = dir.path_of(name);
    let mut checked = Checked::default();
    let Some(file) = dir.open_file(name)? else {
        return Ok(checked);
    };
    let wrap = |error: std::io::Error| {
        Error::new(
            Code::Io,
            format!("cannot read: {error}: {}", path.display()),
        )
    };
    let mut reader = BufReader::with_capacity(256 << 10, file);
    let mut prev = NOBODY.to_owned();
    let mut last_at = None;
    let mut raw = Vec::new();
    loop {
        raw.clear();
        let limit = MAX_LINE as u64 + 2;
        reader
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut raw)
            .map_err(wrap)?;
        let number = checked.lines + 1;
        let damage = |what: String| Some(Damage { line: number, what });
        if raw.len() > MAX_LINE + 1 {
            checked.damage = damage(format!("longer than {MAX_LINE} bytes"));
            return Ok(checked);
        }
        if raw.pop_if(|byte| *byte == b'\n').is_none() {
            checked.torn = raw.len() as u64;
            return Ok(checked);
        }
        let line = match parse(&raw, &path) {
            Ok(line) => line,
            Err(error) => {
                checked.damage = damage(error.message().to_owned());
                return Ok(checked);
            }
        };
        let entry = &line.entry;
        if entry.seq != number {
            checked.damage = damage(format!("its number is {}, expected {number}", entry.seq));
            return Ok(checked);
        }
        if entry.prev != prev {
            let found = &entry.prev;
            checked.damage = damage(format!("it follows {found}, the line before it is {prev}"));
            return Ok(checked);
        }
        if last_at.is_some_and(|last| entry.at < last) {
            checked.damage = damage(format!("its time {} is before the last line's", entry.at));
            return Ok(checked);
        }
        last_at = Some(entry.at);
        prev.clone_from(&line.digest);
        visit(&line);
        checked.lines = number;
    }
}

/// See [`super::Ledger::check_end`].
pub(super) fn end(
    lines: &mut Backwards,
    path: &Path,
    visit: &mut dyn FnMut(&Line) -> ControlFlow<()>,
) -> Result<bool> {
    let mut next: Option<Line> = None;
    loop {
        let raw = match lines.next_line() {
            Ok(raw) => raw,
            Err(error) if error.code() == Code::LedgerDamaged => return Ok(false),
            Err(error) => return Err(error),
        };
        let Some(raw) = raw else {
            let first = next.as_ref();
            return Ok(first.is_none_or(|line| (line.entry.seq, &*line.entry.prev) == (1, NOBODY)));
        };
        let Ok(line) = parse(&raw, path) else {
            return Ok(false);
        };
        if next.as_ref().is_some_and(|next| !goes_on(&line, next)) {
            return Ok(false);
        }
        if visit(&line).is_break() {
            return Ok(true);
        }
        next = Some(line);
    }
}

/// The next line vouches for this one.
fn goes_on(line: &Line, next: &Line) -> bool {
    next.entry.seq == line.entry.seq + 1
        && next.entry.prev == line.digest
        && next.entry.at >= line.entry.at
}

#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    prev: Value,
}

impl Head {
    /// Our own first line, whatever became of its schema: damage, no other product.
    fn is_ours(&self) -> bool {
        let linked = self.prev == NOBODY;
        self.schema.as_deref() == Some(SCHEMA)
            || (linked && self.id.as_str().is_some_and(|id| id.starts_with("l-")))
    }
}

/// An older product wrote a file of this name: its lines have another schema, or none.
pub(super) fn refuse_foreign(dir: &Dir, name: &str) -> Result<()> {
    let path = dir.path_of(name);
    let Some(file) = dir.open_file(name)? else {
        return Ok(());
    };
    let mut raw = Vec::new();
    let read = BufReader::new(file)
        .take(MAX_LINE as u64)
        .read_until(b'\n', &mut raw);
    read.map_err(|error| {
        Error::new(
            Code::Io,
            format!("cannot read: {error}: {}", path.display()),
        )
    })?;
    let Ok(head) = serde_json::from_slice::<Head>(&raw) else {
        return Ok(());
    };
    if head.is_ours() {
        return Ok(());
    }
    let found = head.schema.unwrap_or_else(|| "no schema".to_owned());
    Err(Error::new(
        Code::ForeignState,
        format!("another product's ledger: {}", path.display()),
    )
    .expected(SCHEMA)
    .found(found.escape_debug().to_string())
    .hint(format!("mv '{0}' '{0}.old'", path.display())))
}
