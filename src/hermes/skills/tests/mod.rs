mod fingerprints;
mod found;
mod near;
mod owned;
mod surveyed;

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use tempfile::TempDir;

use super::{Owner, Owners, catalogue};
use crate::disk::Dir;

struct World {
    held: TempDir,
}

impl World {
    fn new() -> Self {
        let held = TempDir::new().unwrap();
        fs_err::create_dir_all(held.path().join("home/skills")).unwrap();
        Self { held }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.held.path().join(below)
    }

    fn home(&self) -> Dir {
        Dir::open_root(&self.path("home")).unwrap().unwrap()
    }

    /// Writes a file below `H/skills`.
    fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path("home/skills").join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
        self
    }

    /// Writes a skill below `H/skills`.
    fn skill(&self, path: &str, name: &str) -> &Self {
        let text = format!("---\nname: {name}\ndescription: about {name}\n---\nbody\n");
        self.file(&format!("{path}/SKILL.md"), text)
    }

    /// Writes a skill with the ownership marker.
    fn marked(&self, path: &str, name: &str) -> &Self {
        self.file(&format!("{path}/SKILL.md"), marked(name))
    }

    /// Makes a link below `H/skills`, to a path below the world.
    fn link(&self, path: &str, target: &str) -> &Self {
        let path = self.path("home/skills").join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(self.path(target), path).unwrap();
        self
    }

    fn listed(&self) -> Vec<(String, String)> {
        let entries = catalogue(&self.home()).unwrap();
        entries.into_iter().map(|e| (e.path, e.name)).collect()
    }

    fn owner(&self, name: &str) -> Owner {
        Owners::load(&self.home()).unwrap().owner(name).unwrap()
    }
}

fn marked(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: d\nmetadata:\n  lithermesAgentGenerated: \"true\"\n---\nb\n"
    )
}
