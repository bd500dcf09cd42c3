//! Programs that a conference runs, with the files that their words name (conference.md A3): an
//! approval of `python3 bench.py` is one of that `bench.py`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::conference::plan::Argv;
use crate::digest;
use crate::error::{Code, Error, Result};

/// Bytes of a named file at most.
const FILE_BYTES: u64 = 1 << 30;

/// A command and the files that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The words; the first is the program.
    pub words: Vec<String>,
    /// The files among them, in the order of the words.
    pub files: Vec<NamedFile>,
}

/// A file that a word names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedFile {
    /// The word that names it, from 0.
    pub word: usize,
    /// SHA-256 of what it holds.
    pub sha256: String,
}

impl Program {
    /// Looks up the files: a word, or what stands behind the `=` of an option, that is the path of
    /// a regular file, from the root where it is relative. A program without a stroke is looked
    /// up by the system and named by no path.
    pub fn of(argv: &Argv, root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for (word, text) in argv.words().iter().enumerate() {
            if let Some(path) = named(text, word, root) {
                let sha256 = sha256(&path)?;
                files.push(NamedFile { word, sha256 });
            }
        }
        let words = argv.words().to_vec();
        Ok(Self { words, files })
    }

    /// The files as their words name them, each with the SHA-256 of what it holds.
    pub fn named_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|file| {
            let word = self.words.get(file.word)?;
            Some((value(word), file.sha256.as_str()))
        })
    }

    /// The program is a path, and there is no file.
    pub fn is_absent(&self) -> bool {
        let is_path = self.words.first().is_some_and(|word| word.contains('/'));
        is_path && self.files.first().is_none_or(|file| file.word != 0)
    }
}

/// The word, or what stands behind the `=` of an option.
fn value(word: &str) -> &str {
    match word.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => word,
    }
}

/// SHA-256 of a file that a word names, from the root where it is relative; `None` where it is not
/// there.
pub fn file_digest(root: &Path, path: &str) -> Result<Option<String>> {
    let path = root.join(path);
    path.is_file().then(|| sha256(&path)).transpose()
}

fn named(text: &str, word: usize, root: &Path) -> Option<PathBuf> {
    let value = value(text);
    if value.is_empty() || (word == 0 && !value.contains('/')) {
        return None;
    }
    let path = root.join(value);
    path.is_file().then_some(path)
}

fn sha256(path: &Path) -> Result<String> {
    let file = fs_err::File::open(path)?;
    let mut bounded = file.take(FILE_BYTES + 1);
    let sha256 = digest::sha256_hex_of(&mut bounded)?;
    if bounded.limit() == 0 {
        let text = format!("larger than {FILE_BYTES} bytes: {}", path.display());
        return Err(Error::new(Code::Io, text));
    }
    Ok(sha256)
}
