//! Writing objects: prepared in memory, flushed in a staging folder, then renamed into place.
//!
//! Promises: after [`Batch::write`] a power cut loses none of them, and before it none has a
//! name. (gix flushes nothing, and flushing after the rename is not enough: an empty file under
//! an object's name would poison that content for ever.)

use std::collections::BTreeMap;
use std::io::Write as _;

use gix::objs::{Commit, Kind, Tree, WriteTo, tree};

use super::{ObjectId, Store, damaged};
use crate::disk::durable::{rename, write_new};
use crate::disk::{Dir, Lock};
use crate::error::{Code, Error, Result};

/// Staging folders begin so; the process id follows.
pub(super) const STAGING: &str = "quarantine-";
const IDENTITY: (&str, &str) = ("lithermes", "lithermes@localhost");

/// The files of a commit, by path with `/` between components.
pub type Files = BTreeMap<String, File>;

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its content.
    pub blob: ObjectId,
    /// Whether it may be executed.
    pub executable: bool,
}

/// What a commit says.
#[derive(Debug, Clone)]
pub struct Message {
    /// Subject, empty line, body.
    pub text: String,
    /// Seconds since 1970, UTC.
    pub seconds: i64,
}

/// Objects that will be written together.
#[derive(Debug)]
pub struct Batch<'store> {
    store: &'store Store,
    objects: BTreeMap<gix::ObjectId, (Kind, Vec<u8>)>,
}

impl Store {
    /// An empty batch.
    pub fn batch(&self) -> Batch<'_> {
        Batch {
            store: self,
            objects: BTreeMap::new(),
        }
    }
}

impl Batch<'_> {
    /// Adds a blob.
    pub fn blob(&mut self, bytes: &[u8]) -> Result<ObjectId> {
        self.add(Kind::Blob, bytes.to_vec())
    }

    /// Adds a commit of `files` (whose blobs are in the store or in this batch).
    pub fn commit(
        &mut self,
        files: &Files,
        parent: Option<&ObjectId>,
        message: &Message,
    ) -> Result<ObjectId> {
        let tree = self.tree(files, "")?;
        let time = gix::date::Time::new(message.seconds, 0);
        let (name, email) = IDENTITY;
        let who = gix::actor::Signature {
            name: name.into(),
            email: email.into(),
            time,
        };
        let commit = Commit {
            tree,
            parents: parent
                .map(ObjectId::to_git)
                .transpose()?
                .into_iter()
                .collect(),
            author: who.clone(),
            committer: who,
            encoding: None,
            message: message.text.as_str().into(),
            extra_headers: Vec::new(),
        };
        self.add(Kind::Commit, spelled(&commit)?)
    }

    /// Writes and flushes all of it. What the store has already, whole, is not written again.
    pub fn write(self, _lock: &Lock) -> Result<()> {
        let mut missing = Vec::new();
        for (id, (kind, bytes)) in &self.objects {
            if !self.store.has_whole(id, *kind) {
                missing.push((id, loose(*kind, bytes)?));
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let objects = self.store.objects()?;
        let name = format!("{STAGING}{}", std::process::id());
        let (staging, _) = objects.sub_or_create(&name, 0o700)?;
        let placed = place(&objects, &staging, &missing);
        let swept = super::create::remove_staging(&objects, &name);
        placed.and(swept)
    }

    fn tree(&mut self, files: &Files, prefix: &str) -> Result<gix::ObjectId> {
        let mut entries: BTreeMap<&str, tree::Entry> = BTreeMap::new();
        for (path, file) in files.range(prefix.to_owned()..) {
            let Some(rest) = path.strip_prefix(prefix) else {
                break;
            };
            let (name, deeper) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            if entries.contains_key(name) {
                continue;
            }
            let (kind, oid) = if deeper {
                let below = format!("{prefix}{name}/");
                (tree::EntryKind::Tree, self.tree(files, &below)?)
            } else if file.executable {
                (tree::EntryKind::BlobExecutable, file.blob.to_git()?)
            } else {
                (tree::EntryKind::Blob, file.blob.to_git()?)
            };
            entries.insert(
                name,
                tree::Entry {
                    mode: kind.into(),
                    filename: name.into(),
                    oid,
                },
            );
        }
        let mut tree = Tree {
            entries: entries.into_values().collect(),
        };
        tree.entries.sort();
        let bytes = spelled(&tree)?;
        self.add(Kind::Tree, bytes)?.to_git()
    }

    fn add(&mut self, kind: Kind, bytes: Vec<u8>) -> Result<ObjectId> {
        let id = hash(kind, &bytes)?;
        let name = ObjectId::from(&id);
        self.objects.insert(id, (kind, bytes));
        Ok(name)
    }
}

impl Store {
    /// An object that is there but does not hash to its name counts as missing: writing it again
    /// heals it.
    fn has_whole(&self, id: &gix::ObjectId, kind: Kind) -> bool {
        let Ok(Some(found)) = self.repository.try_find_object(*id) else {
            return false;
        };
        hash(kind, &found.data).is_ok_and(|hashed| hashed == *id)
    }
}

fn place(objects: &Dir, staging: &Dir, missing: &[(&gix::ObjectId, Vec<u8>)]) -> Result<()> {
    let mut folders: BTreeMap<String, Dir> = BTreeMap::new();
    let mut made_any = false;
    let mut open = |fan: &str| -> Result<Dir> {
        let (folder, made) = objects.sub_or_make(fan, 0o700)?;
        made_any |= made;
        Ok(folder)
    };
    for (id, bytes) in missing {
        write_new(staging, &id.to_string(), bytes, 0o600)?;
    }
    for (id, _) in missing {
        let hex = id.to_string();
        let (fan, rest) = hex.split_at(2);
        let mut folder = match folders.remove(fan) {
            Some(open) => open,
            None => open(fan)?,
        };
        while let Err(error) = rename(staging, &hex, &folder, rest) {
            // git takes an empty folder away when it packs: once more, in a new one.
            if folder.is_named()? {
                return Err(error);
            }
            folder = open(fan)?;
        }
        folders.insert(fan.to_owned(), folder);
    }
    folders.values().try_for_each(Dir::flush)?;
    if made_any { objects.flush() } else { Ok(()) }
}

pub(super) fn hash(kind: Kind, bytes: &[u8]) -> Result<gix::ObjectId> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, bytes)
        .map_err(|error| damaged(format!("cannot hash an object: {error:#}")))
}

/// The compressed form that a loose object has on disk.
fn loose(kind: Kind, bytes: &[u8]) -> Result<Vec<u8>> {
    let wrap = |error: std::io::Error| Error::new(Code::Io, format!("cannot deflate: {error}"));
    let level = gix::zlib::Compression::default();
    let mut out = gix::zlib::stream::deflate::Write::new(Vec::new(), level);
    let header = gix::objs::encode::loose_header(kind, bytes.len() as u64);
    out.write_all(&header).map_err(wrap)?;
    out.write_all(bytes).map_err(wrap)?;
    out.flush().map_err(wrap)?;
    Ok(out.into_inner())
}

fn spelled(object: &impl WriteTo) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    object
        .write_to(&mut bytes)
        .map_err(|error| Error::new(Code::Io, format!("cannot spell an object: {error}")))?;
    Ok(bytes)
}
