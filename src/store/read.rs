//! Reading objects. gix does not check hashes when it reads; we do.

use gix::objs::{Kind, TreeRefIter, tree};

use super::batch::{File, Files, hash};
use super::{MAX_OBJECT, ObjectId, Store, damaged};
use crate::count;
use crate::error::Result;

/// What a commit says about its place in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitFacts {
    /// Its first parent.
    pub parent: Option<ObjectId>,
    /// Its message.
    pub message: String,
}

impl Store {
    /// The bytes of a blob. `STORE_DAMAGED` where it is missing or does not hash to its name.
    pub fn blob(&self, id: &ObjectId) -> Result<Vec<u8>> {
        self.object(id, Kind::Blob)
    }

    /// Whether the object is there; its bytes are not looked at.
    pub fn has(&self, id: &ObjectId) -> bool {
        id.to_git().is_ok_and(|id| self.repository.has_object(id))
    }

    /// Parent and message of a commit.
    pub fn commit_facts(&self, id: &ObjectId) -> Result<CommitFacts> {
        let bytes = self.object(id, Kind::Commit)?;
        let commit = decode_commit(id, &bytes)?;
        Ok(CommitFacts {
            parent: commit
                .parents()
                .next()
                .map(|parent| ObjectId::from(&parent)),
            message: commit.message.to_string(),
        })
    }

    /// The file at `path` in a commit; `None` where it has none.
    pub fn file_in(&self, commit: &ObjectId, path: &str) -> Result<Option<File>> {
        let bytes = self.object(commit, Kind::Commit)?;
        let mut here = ObjectId::from(&decode_commit(commit, &bytes)?.tree());
        let mut components = path.split('/').peekable();
        while let Some(name) = components.next() {
            let Some(entry) = self.entry(&here, name)? else {
                return Ok(None);
            };
            if components.peek().is_none() {
                return Ok(entry.file());
            }
            if !entry.is_tree {
                return Ok(None);
            }
            here = entry.id;
        }
        Ok(None)
    }

    /// All files of a commit.
    pub fn files_in(&self, commit: &ObjectId) -> Result<Files> {
        let bytes = self.object(commit, Kind::Commit)?;
        let root = ObjectId::from(&decode_commit(commit, &bytes)?.tree());
        let mut files = Files::new();
        let mut waiting = vec![(String::new(), root)];
        while let Some((prefix, id)) = waiting.pop() {
            for entry in self.entries(&id)? {
                let path = format!("{prefix}{}", entry.name);
                match entry.file() {
                    Some(file) => drop(files.insert(path, file)),
                    None => waiting.push((format!("{path}/"), entry.id)),
                }
            }
        }
        Ok(files)
    }

    fn entry(&self, id: &ObjectId, name: &str) -> Result<Option<TreeEntry>> {
        Ok(self
            .entries(id)?
            .into_iter()
            .find(|entry| entry.name == name))
    }

    fn entries(&self, id: &ObjectId) -> Result<Vec<TreeEntry>> {
        let bytes = self.object(id, Kind::Tree)?;
        let kind = gix::hash::Kind::Sha1;
        let wrap = |error: gix::Error| damaged(format!("tree {id}: {error}"));
        TreeRefIter::from_bytes(&bytes, kind)
            .map(|entry| entry.map(|entry| TreeEntry::of(&entry)).map_err(wrap))
            .collect()
    }

    /// Stock git may pack the object between a look at the packs and one at the loose files: what
    /// is not found is looked for again with fresh eyes.
    fn object(&self, id: &ObjectId, kind: Kind) -> Result<Vec<u8>> {
        let mut found = object_in(&self.repository, id, kind);
        for _ in 0..FRESH_LOOKS {
            if found.is_ok() {
                break;
            }
            found = object_in(&self.fresh()?, id, kind);
        }
        found
    }
}

/// How often an object is looked for again.
const FRESH_LOOKS: u32 = 2;

fn object_in(repository: &gix::Repository, id: &ObjectId, kind: Kind) -> Result<Vec<u8>> {
    let name = id.to_git()?;
    let header = repository
        .try_find_header(name)
        .map_err(|error| damaged(format!("object {id} cannot be read: {error:#}")))?
        .ok_or_else(|| damaged(format!("object {id} is missing from the store")))?;
    if header.kind() != kind || header.size() > MAX_OBJECT {
        let size = count::of(header.size(), "byte", "bytes");
        let found = format!("{} of {size}", header.kind());
        return Err(damaged(format!("object {id} is something else"))
            .expected(kind.to_string())
            .found(found));
    }
    let found = repository
        .find_object(name)
        .map_err(|error| damaged(format!("object {id} cannot be read: {error:#}")))?;
    if hash(kind, &found.data)? != name {
        return Err(damaged(format!("object {id} does not hash to its name")));
    }
    Ok(found.detach().data)
}

struct TreeEntry {
    name: String,
    id: ObjectId,
    is_tree: bool,
    executable: bool,
}

impl TreeEntry {
    fn of(entry: &tree::EntryRef<'_>) -> Self {
        Self {
            name: entry.filename.to_string(),
            id: ObjectId::from(&entry.oid.to_owned()),
            is_tree: entry.mode.is_tree(),
            executable: entry.mode.kind() == tree::EntryKind::BlobExecutable,
        }
    }

    fn file(&self) -> Option<File> {
        let file = File {
            blob: self.id.clone(),
            executable: self.executable,
        };
        (!self.is_tree).then_some(file)
    }
}

fn decode_commit<'a>(id: &ObjectId, bytes: &'a [u8]) -> Result<gix::objs::CommitRef<'a>> {
    gix::objs::CommitRef::from_bytes(bytes, gix::hash::Kind::Sha1)
        .map_err(|error| damaged(format!("commit {id}: {error}")))
}
