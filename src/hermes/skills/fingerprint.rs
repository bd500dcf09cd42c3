//! A skill's directory as one digest: to prove that it is what it was.
//!
//! Promises: follows no link; bounded in entries, depth and bytes of the whole; what could not be
//! read, or is beyond a bound, makes the fingerprint partial: then it proves nothing. A skill that
//! lies where its name says is found without reading any other.

use serde::Serialize;

use super::catalogue::{CatalogEntry, catalogue};
use crate::digest;
use crate::disk::{Dir, Kind};
use crate::error::Result;

const MOST_LEVELS: usize = 40;
const BOUNDS: Bounds = Bounds {
    entries: 100_000,
    bytes: 64 << 20,
};

/// How much of a directory is read, in all.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) entries: usize,
    pub(super) bytes: u64,
}

/// What a directory is at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// Of all paths, kinds, modes, sizes and bytes.
    pub sha256: String,
    /// Something could not be read or is beyond a bound: equal fingerprints prove nothing.
    pub partial: bool,
}

/// Something in the directory.
#[derive(Serialize)]
struct Part {
    path: String,
    kind: &'static str,
    mode: u32,
    size: u64,
    sha256: Option<String>,
    target: Option<String>,
}

/// What is being collected.
struct Package {
    left: Bounds,
    parts: Vec<Part>,
    partial: bool,
}

/// Where the skill lies that the host finds under `name`: a path below `H/skills`, its own name in
/// most cases. `None` where there is none, or only one behind a link.
pub fn locate(home: &Dir, name: &str) -> Result<Option<String>> {
    if !name.contains('/') && is_skill(home, name) {
        return Ok(Some(name.to_owned()));
    }
    let listed = catalogue(home)?;
    let fits = |entry: &&CatalogEntry| !entry.linked && entry.is_called(name);
    Ok(listed.iter().find(fits).map(|entry| entry.path.clone()))
}

fn is_skill(home: &Dir, path: &str) -> bool {
    let dir = home.descend(&format!("skills/{path}"));
    dir.is_ok_and(|dir| dir.is_some_and(|dir| matches!(dir.stat("SKILL.md"), Ok(Some(_)))))
}

/// The fingerprint of a directory below `H/skills`. `None` where it is gone. `UNSAFE_PATH` for a
/// link on the way.
pub fn fingerprint(home: &Dir, path: &str) -> Result<Option<Fingerprint>> {
    within(BOUNDS, home, path)
}

pub(super) fn within(left: Bounds, home: &Dir, path: &str) -> Result<Option<Fingerprint>> {
    let Some(dir) = home.descend(&format!("skills/{path}"))? else {
        return Ok(None);
    };
    let mut package = Package {
        left,
        parts: Vec::new(),
        partial: false,
    };
    package.collect(&dir, "", 0);
    let mut parts = package.parts;
    parts.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Some(Fingerprint {
        sha256: digest::sha256_hex(&digest::canonical(&parts)),
        partial: package.partial,
    }))
}

impl Package {
    /// What cannot be read counts with what can be seen of it.
    fn collect(&mut self, dir: &Dir, prefix: &str, level: usize) {
        let entries = self.known(dir.entries(self.left.entries).ok());
        let entries = entries.unwrap_or_default();
        self.left.entries -= entries.len();
        for entry in entries {
            let path = format!("{prefix}{}", entry.name.display());
            let stat = entry.name.to_str().and_then(|name| dir.stat(name).ok()?);
            let Some((name, stat)) = self.known(entry.name.to_str().zip(stat)) else {
                self.parts.push(Part::unseen(path));
                continue;
            };
            let mut part = Part {
                mode: stat.mode,
                ..Part::unseen(path)
            };
            match stat.kind {
                Kind::File => {
                    (part.kind, part.size) = ("file", stat.size);
                    part.sha256 = self.content(dir, name);
                }
                Kind::Dir => {
                    part.kind = "directory";
                    let sub = dir.sub(name).ok().flatten();
                    if let Some(sub) = self.known(sub.filter(|_| level < MOST_LEVELS)) {
                        self.collect(&sub, &format!("{}/", part.path), level + 1);
                    }
                }
                Kind::Link => {
                    part.kind = "link";
                    let target = self.known(dir.link_target(name));
                    part.target = target.map(|path| path.display().to_string());
                }
                Kind::Other => part.kind = "other",
            }
            self.parts.push(part);
        }
    }

    fn content(&mut self, dir: &Dir, name: &str) -> Option<String> {
        let read = dir.read(name, self.left.bytes).ok().flatten();
        let content = self.known(read)?;
        self.left.bytes -= content.bytes.len() as u64;
        Some(digest::sha256_hex(&content.bytes))
    }

    /// What is not known makes the whole partial.
    fn known<T>(&mut self, found: Option<T>) -> Option<T> {
        self.partial |= found.is_none();
        found
    }
}

impl Part {
    fn unseen(path: String) -> Self {
        Self {
            path,
            kind: "unseen",
            mode: 0,
            size: 0,
            sha256: None,
            target: None,
        }
    }
}
