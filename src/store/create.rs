//! Making the repository: beside its place first, so that a full disk leaves no half of one.

use super::{FOLDER, Store};
use crate::disk::beneath::DirEntry;
use crate::disk::durable::{rename, write_new};
use crate::disk::{Dir, Lock, MOST_ENTRIES};
use crate::error::{Code, Error, Result};

/// `preciousObjects` keeps `git gc` and `git prune` beside a writer from removing what no branch
/// names yet.
const CONFIG: &str = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tfilemode = true\n\
                      [extensions]\n\tpreciousObjects = true\n[gc]\n\tauto = 0\n";
const NEW: &str = "skill-loop-blobs.new";

impl Store {
    /// Opens the store, making it where there is none.
    pub fn open_or_create(state: &Dir, lock: &Lock) -> Result<Self> {
        if let Some(store) = Self::open(state)? {
            store.sweep(lock)?;
            return Ok(store);
        }
        create(state)?;
        let vanished = || Error::new(Code::Io, "the store vanished while it was made");
        Self::open(state)?.ok_or_else(vanished)
    }

    /// Removes what a killed writer left: staging folders. Safe because all of ours hold the lock.
    fn sweep(&self, _lock: &Lock) -> Result<()> {
        let objects = self.objects()?;
        let entries = objects.entries(MOST_ENTRIES)?;
        let name = |entry: &DirEntry| entry.name.to_string_lossy().into_owned();
        let is_staging = |name: &String| name.starts_with(super::batch::STAGING);
        let staging: Vec<String> = entries.iter().map(name).filter(is_staging).collect();
        if staging.is_empty() {
            return Ok(());
        }
        // The killed writer may have renamed objects into folders that it did not flush any more,
        // and what has its name is not written again.
        for fan in entries.iter().map(name).filter(|name| name.len() == 2) {
            if let Some(folder) = objects.sub(&fan)? {
                folder.flush()?;
            }
        }
        objects.flush()?;
        for name in staging {
            remove_staging(&objects, &name)?;
        }
        Ok(())
    }
}

pub(super) fn remove_staging(objects: &Dir, name: &str) -> Result<()> {
    if let Some(staging) = objects.sub(name)? {
        for left in staging.entries(MOST_ENTRIES)? {
            crate::disk::durable::remove(&staging, &left.name.to_string_lossy())?;
        }
    }
    crate::disk::durable::remove_empty_dir(objects, name)?;
    Ok(())
}

fn create(state: &Dir) -> Result<()> {
    let (fresh, made) = state.sub_or_create(NEW, 0o700)?;
    if !made {
        clear(&fresh)?;
    }
    write_new(&fresh, "config", CONFIG.as_bytes(), 0o600)?;
    write_new(&fresh, "HEAD", b"ref: refs/heads/main\n", 0o600)?;
    let (objects, _) = fresh.sub_or_create("objects", 0o700)?;
    for name in ["info", "pack"] {
        objects.sub_or_create(name, 0o700)?;
    }
    let (refs, _) = fresh.sub_or_create("refs", 0o700)?;
    for name in ["heads", "tags"] {
        refs.sub_or_create(name, 0o700)?;
    }
    fresh.flush()?;
    rename(state, NEW, state, FOLDER)?;
    state.flush()
}

/// What a killed creation left is only ever these two files; the folders are made again.
fn clear(fresh: &Dir) -> Result<()> {
    for name in ["config", "HEAD"] {
        crate::disk::durable::remove(fresh, name)?;
    }
    Ok(())
}

/// A folder of this name that is no repository of ours belongs to an older product.
pub(super) fn refuse_foreign(dir: &Dir) -> Result<()> {
    let config = dir
        .read("config", 1 << 20)?
        .map(|file| file.bytes)
        .unwrap_or_default();
    let config = String::from_utf8_lossy(&config);
    if config.to_ascii_lowercase().contains("preciousobjects") {
        return Ok(());
    }
    let path = dir.path().display().to_string();
    let looks_ours = dir.stat("HEAD")?.is_some() && dir.stat("objects")?.is_some();
    if looks_ours {
        let text = format!("the store's config is damaged: {path}/config");
        return Err(super::damaged(text).expected("extensions.preciousObjects = true"));
    }
    Err(Error::new(
        Code::ForeignState,
        format!("another product's folder: {path}"),
    )
    .expected("a bare git repository with extensions.preciousObjects")
    .hint(format!("mv '{path}' '{path}.old'")))
}
