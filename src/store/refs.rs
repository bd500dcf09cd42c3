//! Branches: read through gix (packed ones too), moved with git's own lock-file protocol, and
//! flushed, which gix does not do.

use std::time::{Duration, Instant};

use super::{HEADS, ObjectId, Store, damaged};
use crate::disk::durable::{remove, rename, write_new};
use crate::disk::{Dir, Lock};
use crate::error::{Code, Error, Result};

/// Stock git holds a branch's lock for moments only.
const PATIENCE: Duration = Duration::from_secs(1);

impl Store {
    /// Where a branch (`skills/demo`) stands; `None` where it does not exist.
    pub fn tip(&self, branch: &str) -> Result<Option<ObjectId>> {
        let name = format!("{HEADS}/{branch}");
        if self.lacks(&name)? {
            return Ok(None);
        }
        let wrap = |error: String| damaged(format!("branch `{branch}` cannot be read: {error}"));
        let look = |repository: &gix::Repository| -> Result<_> {
            let found = repository.try_find_reference(name.as_str());
            let found = found.map_err(|error| wrap(format!("{error:#}")))?;
            Ok(found.map(|reference| reference.inner))
        };
        // Stock git may pack the branch between a look at its file and one at the packed ones.
        let found = match look(&self.repository)? {
            Some(reference) => Some(reference),
            None => look(&self.fresh()?)?,
        };
        let Some(reference) = found else {
            return Ok(None);
        };
        match reference.target {
            gix::refs::Target::Object(id) => Ok(Some(ObjectId::from(&id))),
            gix::refs::Target::Symbolic(_) => Err(wrap("it is a symbolic reference".into())),
        }
    }

    /// Whether no file can hold the reference: two looks, where gix opens six files. (git writes a
    /// packed reference before it takes the loose one away, so the loose one is looked for first.)
    fn lacks(&self, name: &str) -> Result<bool> {
        let loose = fs_err::symlink_metadata(self.dir.path().join(name));
        let no_loose = loose.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        Ok(no_loose && self.dir.stat("packed-refs")?.is_none())
    }

    /// Every branch below `folder` (`skills`), with where it stands.
    pub fn branches(&self, folder: &str) -> Result<Vec<(String, ObjectId)>> {
        let wrap = |error: String| damaged(format!("branches cannot be read: {error}"));
        let platform = self
            .repository
            .references()
            .map_err(|error| wrap(format!("{error:#}")))?;
        let prefix = format!("{HEADS}/{folder}/");
        let iter = platform
            .prefixed(prefix.as_str())
            .map_err(|e| wrap(format!("{e:#}")))?;
        let mut found = Vec::new();
        for reference in iter {
            let reference = reference.map_err(|error| wrap(error.to_string()))?;
            let full = reference.name().as_bstr().to_string();
            let Some(name) = full.strip_prefix(&prefix) else {
                continue;
            };
            if let gix::refs::TargetRef::Object(id) = reference.target() {
                found.push((name.to_owned(), ObjectId::from(&id.to_owned())));
            }
        }
        Ok(found)
    }

    /// Moves a branch from `expected` to `new`, flushed. `STORE_DAMAGED` where it stands
    /// elsewhere, `LOCK_TIMEOUT` where git's own lock file stays in the way.
    pub fn advance(
        &self,
        _lock: &Lock,
        branch: &str,
        expected: Option<&ObjectId>,
        new: &ObjectId,
    ) -> Result<()> {
        let (mut folder, name) = self.folder_of(branch)?;
        let lock_name = format!("{name}.lock");
        self.await_lock_file(&folder, &lock_name, new)?;
        while let Err(error) = write_new(&folder, &lock_name, format!("{new}\n").as_bytes(), 0o600)
        {
            // git takes an empty folder away when it packs the branches.
            if folder.is_named()? {
                return Err(error);
            }
            folder = self.folder_of(branch)?.0;
        }
        let now = self.tip(branch);
        if !matches!(&now, Ok(tip) if tip.as_ref() == expected) {
            remove(&folder, &lock_name)?;
            let spell = |id: Option<&ObjectId>| id.map_or("no commit".into(), ToString::to_string);
            let text = format!("branch `{branch}` of the store was moved by something else");
            return Err(damaged(text)
                .expected(spell(expected))
                .found(spell(now?.as_ref())));
        }
        rename(&folder, &lock_name, &folder, &name)?;
        folder.flush()
    }

    /// Removes lock files below `refs/`: only when a person asks for a repair, because stock git
    /// may hold one. Their paths.
    pub fn remove_lock_files(&self, _lock: &Lock) -> Result<Vec<String>> {
        let mut removed = Vec::new();
        let mut waiting: Vec<Dir> = self.dir.sub("refs")?.into_iter().collect();
        while let Some(folder) = waiting.pop() {
            for entry in folder.entries(1_000_000)? {
                let name = entry.name.to_string_lossy().into_owned();
                match entry.kind {
                    crate::disk::Kind::Dir => waiting.extend(folder.sub(&name)?),
                    _ if name.ends_with(".lock") => {
                        remove(&folder, &name)?;
                        removed.push(folder.path_of(&name).display().to_string());
                    }
                    _ => {}
                }
            }
        }
        Ok(removed)
    }

    fn folder_of(&self, branch: &str) -> Result<(Dir, String)> {
        let mut folder = self.dir.again()?;
        let full = format!("{HEADS}/{branch}");
        let (path, name) = full.rsplit_once('/').unwrap_or((HEADS, branch));
        for component in path.split('/') {
            folder = folder.sub_or_create(component, 0o700)?.0;
        }
        Ok((folder, name.to_owned()))
    }

    /// A lock file that holds a part of what we are about to write is our own, left by a killed
    /// process: we hold the outer lock. Anything else is git's, and git is quick.
    fn await_lock_file(&self, folder: &Dir, name: &str, new: &ObjectId) -> Result<()> {
        let start = Instant::now();
        loop {
            let Some(left) = folder.read(name, 1 << 16)? else {
                return Ok(());
            };
            let ours = format!("{new}\n");
            if !left.bytes.is_empty() && ours.as_bytes().starts_with(&left.bytes) {
                remove(folder, name)?;
                return Ok(());
            }
            if start.elapsed() >= PATIENCE {
                // Empty and still there after a second: ours, killed before its first byte.
                if left.bytes.is_empty() {
                    remove(folder, name)?;
                    return Ok(());
                }
                let path = folder.path_of(name).display().to_string();
                let text = format!("a lock file of another program is in the way: {path}");
                return Err(Error::new(Code::LockTimeout, text)
                    .hint("lithermes skill-loop verify --repair"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
