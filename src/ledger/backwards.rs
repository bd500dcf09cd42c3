//! Lines from the end, so that looking up something recent costs the same however long the
//! ledger is.

use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use super::{MAX_LINE, damaged};
use crate::disk::Dir;
use crate::error::{Error, Result};

const CHUNK: usize = 64 << 10;

/// An iterator over the complete lines, last first; fails typed, so it is no `Iterator`.
#[derive(Debug)]
pub struct Backwards {
    file: Option<std::fs::File>,
    path: PathBuf,
    /// Bytes of the file before `buffer`.
    before: u64,
    /// Unread bytes; ends with the line feed of the next line to give.
    buffer: Vec<u8>,
    torn: u64,
}

impl Backwards {
    pub(super) fn open(dir: &Dir, name: &str) -> Result<Self> {
        let path = dir.path_of(name);
        let Some(file) = dir.open_file(name)? else {
            return Ok(Self {
                file: None,
                path,
                before: 0,
                buffer: Vec::new(),
                torn: 0,
            });
        };
        let length = file.metadata().map_err(|error| wrap(&path, &error))?.len();
        let mut lines = Self {
            file: Some(file),
            path,
            before: length,
            buffer: Vec::new(),
            torn: 0,
        };
        lines.skip_torn()?;
        Ok(lines)
    }

    /// Bytes after the last line feed.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The next line towards the beginning, without its line feed.
    pub fn next_line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut searched = 0;
        loop {
            let body = self.buffer.len().saturating_sub(1);
            let unsearched = body.saturating_sub(searched);
            if let Some(at) = memchr::memrchr(b'\n', &self.buffer[..unsearched]) {
                let mut line = self.buffer.split_off(at + 1);
                line.pop();
                return Ok(Some(line));
            }
            searched = body;
            if self.before == 0 {
                let mut line = std::mem::take(&mut self.buffer);
                return Ok(line.pop().map(|_line_feed| line));
            }
            self.fill()?;
        }
    }

    fn fill(&mut self) -> Result<()> {
        if self.buffer.len() > MAX_LINE {
            return Err(damaged(
                &self.path,
                format_args!("a line is longer than {MAX_LINE} bytes"),
            ));
        }
        let size = CHUNK
            .max(self.buffer.len())
            .min(usize::try_from(self.before).unwrap_or(CHUNK));
        let mut chunk = vec![0; size];
        let at = self.before - size as u64;
        if let Some(file) = &self.file {
            file.read_exact_at(&mut chunk, at)
                .map_err(|error| wrap(&self.path, &error))?;
        }
        chunk.append(&mut self.buffer);
        self.buffer = chunk;
        self.before = at;
        Ok(())
    }

    /// Drops what stands after the last line feed, and counts it.
    fn skip_torn(&mut self) -> Result<()> {
        while self.before > 0 {
            self.fill()?;
            if let Some(at) = memchr::memrchr(b'\n', &self.buffer) {
                self.torn = (self.buffer.len() - at - 1) as u64;
                self.buffer.truncate(at + 1);
                return Ok(());
            }
        }
        self.torn = self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

fn wrap(path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::new(
        crate::error::Code::Io,
        format!("cannot read: {error}: {}", path.display()),
    )
}
