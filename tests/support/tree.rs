//! A picture of a folder: bytes, mode and link-ness of everything in it.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree(BTreeMap<PathBuf, Thing>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Thing {
    Dir(u32),
    File(u32, Vec<u8>),
    Link(PathBuf),
}

impl Tree {
    pub fn of(root: &Path) -> Self {
        let mut things = BTreeMap::new();
        let mut waiting = vec![root.to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in fs_err::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let meta = fs_err::symlink_metadata(&path).unwrap();
                let mode = meta.permissions().mode() & 0o7777;
                let thing = if meta.is_symlink() {
                    Thing::Link(fs_err::read_link(&path).unwrap())
                } else if meta.is_dir() {
                    waiting.push(path.clone());
                    Thing::Dir(mode)
                } else {
                    Thing::File(mode, fs_err::read(&path).unwrap())
                };
                things.insert(path.strip_prefix(root).unwrap().to_owned(), thing);
            }
        }
        Self(things)
    }

    /// The part below a path.
    pub fn below(&self, prefix: &str) -> Self {
        let keep = self.0.iter().filter(|(path, _)| path.starts_with(prefix));
        Self(
            keep.map(|(path, thing)| (path.clone(), thing.clone()))
                .collect(),
        )
    }

    /// Without everything below a path.
    pub fn without(&self, prefix: &str) -> Self {
        let keep = self.0.iter().filter(|(path, _)| !path.starts_with(prefix));
        Self(
            keep.map(|(path, thing)| (path.clone(), thing.clone()))
                .collect(),
        )
    }

    /// The permission bits of what is at a path.
    #[track_caller]
    pub fn mode(&self, path: &str) -> u32 {
        match self.0.get(Path::new(path)) {
            Some(Thing::Dir(mode) | Thing::File(mode, _)) => *mode,
            other => panic!("{path}: {other:?}"),
        }
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(Path::new(path))
    }

    /// Whether both have the same thing at a path.
    pub fn same_at(&self, other: &Self, path: &str) -> bool {
        let path = Path::new(path);
        self.0.contains_key(path) && self.0.get(path) == other.0.get(path)
    }

    pub fn paths(&self) -> Vec<String> {
        self.0
            .keys()
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    }
}

/// The paths that differ, each with a sign: `+` new, `-` gone, `~` changed.
pub fn differences(before: &Tree, after: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, thing) in &before.0 {
        match after.0.get(path) {
            None => lines.push(format!("- {}", path.display())),
            Some(other) if other != thing => lines.push(format!("~ {}", path.display())),
            Some(_) => {}
        }
    }
    for path in after.0.keys().filter(|path| !before.0.contains_key(*path)) {
        lines.push(format!("+ {}", path.display()));
    }
    lines.sort_by(|one, two| one[2..].cmp(&two[2..]));
    lines
}
