//! A skill's directory as one digest: to prove that it is what it was.
//!
//! Promises: reads nothing but that skill; follows no link; bounded in entries, depth and bytes.

use serde::Serialize;

use super::catalogue::catalogue;
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

/// The digest of everything in the directory of the skill that the host finds under `name`
/// (`H/skills/<name>/`, else wherever it lies below): paths, kinds, modes, sizes and bytes.
/// `None` where there is no such skill, or only one behind a link. `UNSAFE_PATH` for a link in
/// its place directly in `H/skills`.
pub fn package_digest(home: &Dir, name: &str) -> Result<Option<String>> {
    let Some(skills) = home.sub("skills")? else {
        return Ok(None);
    };
    let Some(dir) = directory(home, &skills, name)? else {
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

fn directory(home: &Dir, skills: &Dir, name: &str) -> Result<Option<Dir>> {
    let direct = !name.contains(['/', '\0']) && !matches!(name, "." | ".." | "");
    if direct
        && let Some(dir) = skills.sub(name)?
        && dir.stat("SKILL.md")?.is_some()
    {
        return Ok(Some(dir));
    }
    let listed = catalogue(home)?;
    let fits = |known: &str| known == name;
    let found = listed
        .iter()
        .filter(|entry| !entry.linked)
        .find(|entry| fits(&entry.path) || fits(&entry.dir_name) || fits(&entry.name));
    match found {
        Some(entry) => skills.descend(&entry.path),
        None => Ok(None),
    }
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
