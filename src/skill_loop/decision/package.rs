//! The files of a skill as a decision finds them: what is kept, what is nobody's loss.
//!
//! Promises: bounded in files and bytes; what is left out is listed; no link is followed.

use crate::disk::{Dir, Kind, MOST_ENTRIES};
use crate::error::Result;
use crate::skill_loop::workplace::Workplace;
use crate::store::{Batch, File, Files};

/// A package with more files is kept without the rest.
const MAX_FILES: usize = 512;
/// Bytes of a package that are kept at most.
const MAX_BYTES: u64 = 16 << 20;

/// A skill's files as they are.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) files: Files,
    pub(super) left_out: Vec<String>,
    bytes: u64,
}

impl Package {
    pub(super) fn read(place: &Workplace, skill: &str, batch: &mut Batch<'_>) -> Result<Self> {
        let mut package = Self::default();
        let mut waiting: Vec<(String, Dir)> = Vec::new();
        waiting.extend(place.skill_dir(skill)?.map(|dir| (String::new(), dir)));
        while let Some((prefix, dir)) = waiting.pop() {
            for entry in dir.entries(MOST_ENTRIES)? {
                let Some(name) = entry.name.to_str() else {
                    package
                        .left_out
                        .push(format!("{prefix}{}", entry.name.to_string_lossy()));
                    continue;
                };
                let path = format!("{prefix}{name}");
                match entry.kind {
                    _ if is_litter(name) || is_temporary(name) => {}
                    Kind::Dir if keepable(name) => {
                        waiting.extend(dir.sub(name)?.map(|sub| (format!("{path}/"), sub)));
                    }
                    Kind::File if keepable(name) => package.take(&dir, name, path, batch)?,
                    _ => package.left_out.push(path),
                }
            }
        }
        package.left_out.sort_unstable();
        Ok(package)
    }

    fn take(&mut self, dir: &Dir, name: &str, path: String, batch: &mut Batch<'_>) -> Result<()> {
        let room = MAX_BYTES - self.bytes;
        let size = dir.stat(name)?.map_or(0, |stat| stat.size);
        if self.files.len() >= MAX_FILES || size > room {
            self.left_out.push(path);
            return Ok(());
        }
        let Some(content) = dir.read(name, room)? else {
            return Ok(());
        };
        self.bytes += content.bytes.len() as u64;
        let blob = batch.blob(&content.bytes)?;
        let executable = content.mode & 0o100 != 0;
        self.files
            .insert(format!("skill/{path}"), File { blob, executable });
        Ok(())
    }
}

/// Names that `git fsck --strict` refuses in a tree.
fn keepable(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    !lower.starts_with(".git") && !lower.starts_with("git~")
}

/// What other programs strew about and nobody misses.
fn is_litter(name: &str) -> bool {
    name == "__pycache__" || name == ".DS_Store"
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(".lithermes-") && name.ends_with(".tmp")
}

/// Removes other programs' litter from a directory that is about to go.
pub(super) fn remove_litter(dir: &Dir) -> Result<()> {
    let entries = dir.entries(MOST_ENTRIES)?;
    if !entries
        .iter()
        .all(|entry| entry.name.to_str().is_some_and(is_litter))
    {
        return Ok(());
    }
    for entry in entries {
        let name = entry.name.to_string_lossy();
        match entry.kind {
            Kind::Dir => remove_tree(dir, &name, 0)?,
            _ => drop(crate::disk::durable::remove(dir, &name)?),
        }
    }
    Ok(())
}

fn remove_tree(parent: &Dir, name: &str, depth: usize) -> Result<()> {
    if let Some(dir) = parent.sub(name)?
        && depth < 16
    {
        for entry in dir.entries(MOST_ENTRIES)? {
            let inner = entry.name.to_string_lossy();
            match entry.kind {
                Kind::Dir => remove_tree(&dir, &inner, depth + 1)?,
                _ => drop(crate::disk::durable::remove(&dir, &inner)?),
            }
        }
    }
    crate::disk::durable::remove_empty_dir(parent, name)?;
    Ok(())
}

/// Files in a skill's directory that `ours` does not name and that are no litter.
pub(super) fn others_files(place: &Workplace, skill: &str, ours: &[&str]) -> Result<Vec<String>> {
    let mut others = Vec::new();
    let mut waiting: Vec<(String, Dir)> = Vec::new();
    waiting.extend(place.skill_dir(skill)?.map(|dir| (String::new(), dir)));
    while let Some((prefix, dir)) = waiting.pop() {
        for entry in dir.entries(MOST_ENTRIES)? {
            let name = entry.name.to_string_lossy();
            let path = format!("{prefix}{name}");
            if is_litter(&name) || is_temporary(&name) || ours.contains(&path.as_str()) {
                continue;
            }
            match (entry.kind, dir.sub(&name)) {
                (Kind::Dir, Ok(Some(sub))) => waiting.push((format!("{path}/"), sub)),
                _ => others.push(path),
            }
        }
    }
    others.sort_unstable();
    Ok(others)
}
