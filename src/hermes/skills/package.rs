//! A skill's directory as one digest: to prove that it is what it was.
//!
//! Promises: follows no link; bounded in entries, depth and bytes; a skill that lies where its name
//! says is found without reading any other.

use serde::Serialize;

use super::catalogue::{CatalogEntry, catalogue};
use crate::digest;
use crate::disk::{Dir, Kind};
use crate::error::Result;

const MOST_ENTRIES: usize = 100_000;
const MOST_LEVELS: usize = 40;
/// Bytes whose content counts; of what is beyond, kind, mode and size do.
const MOST_BYTES: u64 = 64 << 20;

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
    left: u64,
    parts: Vec<Part>,
}

/// Where the skill lies that the host finds under `name`: a path below `H/skills`, its own name in
/// most cases. `None` where there is none, or only one behind a link.
pub fn locate(home: &Dir, name: &str) -> Result<Option<String>> {
    if !name.contains('/') && is_skill(home, name) {
        return Ok(Some(name.to_owned()));
    }
    let listed = catalogue(home)?;
    let fits = |entry: &&CatalogEntry| {
        let names = [&entry.path, &entry.dir_name, &entry.name];
        !entry.linked && names.iter().any(|known| *known == name)
    };
    Ok(listed.iter().find(fits).map(|entry| entry.path.clone()))
}

fn is_skill(home: &Dir, path: &str) -> bool {
    let dir = home.descend(&format!("skills/{path}"));
    dir.is_ok_and(|dir| dir.is_some_and(|dir| matches!(dir.stat("SKILL.md"), Ok(Some(_)))))
}

/// The digest of everything in a directory below `H/skills`: paths, kinds, modes, sizes and
/// bytes. `None` where it is gone. `UNSAFE_PATH` for a link on the way.
pub fn package_digest(home: &Dir, path: &str) -> Result<Option<String>> {
    let Some(dir) = home.descend(&format!("skills/{path}"))? else {
        return Ok(None);
    };
    let mut package = Package {
        left: MOST_BYTES,
        parts: Vec::new(),
    };
    package.collect(&dir, "", 0);
    package
        .parts
        .sort_by(|one, other| one.path.cmp(&other.path));
    let bytes = digest::canonical(&package.parts);
    Ok(Some(digest::sha256_hex(&bytes)))
}

impl Package {
    /// What cannot be read counts with what can be seen of it.
    fn collect(&mut self, dir: &Dir, prefix: &str, level: usize) {
        for entry in dir.entries(MOST_ENTRIES).unwrap_or_default() {
            let path = format!("{prefix}{}", entry.name.display());
            let stat = entry.name.to_str().and_then(|name| dir.stat(name).ok()?);
            let Some((name, stat)) = entry.name.to_str().zip(stat) else {
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
                    if level < MOST_LEVELS
                        && let Ok(Some(sub)) = dir.sub(name)
                    {
                        self.collect(&sub, &format!("{}/", part.path), level + 1);
                    }
                }
                Kind::Link => {
                    part.kind = "link";
                    let target = dir.link_target(name);
                    part.target = target.map(|path| path.display().to_string());
                }
                Kind::Other => part.kind = "other",
            }
            self.parts.push(part);
        }
    }

    fn content(&mut self, dir: &Dir, name: &str) -> Option<String> {
        let content = dir.read(name, self.left).ok()??;
        self.left -= content.bytes.len() as u64;
        Some(digest::sha256_hex(&content.bytes))
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
