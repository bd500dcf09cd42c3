//! One file of a skill while a decision changes it (skill-loop.md §5, step 6).
//!
//! Promises: what had the name is compared after it was displaced, so an edit that slips in
//! between the check and the write is seen and put back; the displaced file lies beside until
//! the closing line is durable.

use super::receipt::{FileChange, FileState};
use super::workplace::Workplace;
use crate::count;
use crate::digest;
use crate::disk::exchange::{self, Displaced};
use crate::disk::{Dir, Kind, durable};
use crate::error::{Code, Error, Result};
use crate::guard::text;

/// No file of a skill is larger; a larger one is somebody else's and never read whole.
pub(super) const MAX_FILE: u64 = 16 << 20;

/// Where one file of a skill is, with the name of its temporary file.
#[derive(Debug)]
pub(super) struct Slot {
    /// The directory that holds it; `None` while that does not exist.
    dir: Option<Dir>,
    name: String,
    temp: String,
    /// Path below the skill's directory, for messages.
    pub(super) path: String,
}

impl Slot {
    /// The slot of `path` in `skill`. `decision` makes the temporary name unique: the id of the
    /// opening line.
    pub(super) fn open(place: &Workplace, skill: &str, path: &str, decision: &str) -> Result<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let dir = match place.skill_dir(skill)? {
            Some(skill) => skill.descend(folder)?,
            None => None,
        };
        let hex = &digest::sha256_hex(format!("{decision} {path}").as_bytes())[..16];
        let temp = format!(".lithermes-{hex}.tmp");
        Ok(Self {
            dir,
            name: name.to_owned(),
            temp,
            path: path.to_owned(),
        })
    }

    /// What is there now. `UNSAFE_PATH` for a link, or for a file with two names.
    pub(super) fn found(&self) -> Result<Option<FileState>> {
        state_of(self.dir.as_ref(), &self.name)
    }

    /// Makes the change. `STALE_BASE` (and all as it was) where something else than `before` had
    /// the name.
    pub(super) fn put(&self, change: &FileChange, after: Option<&[u8]>) -> Result<()> {
        if self.found()? != change.before {
            return Err(stale(
                &self.path,
                change.before.as_ref(),
                self.found()?.as_ref(),
            ));
        }
        let Some(dir) = &self.dir else {
            let text = format!("the directory of `{}` vanished", text::line(&self.path));
            return Err(Error::new(Code::StaleBase, text));
        };
        match (&change.before, &change.after, after) {
            (None, Some(state), Some(bytes)) => self.put_new(dir, bytes, state),
            (Some(_), Some(state), Some(bytes)) => self.put_over(dir, change, bytes, state),
            (Some(_), None, None) => self.take_away(dir, change),
            _ => Ok(()),
        }
    }

    /// Takes a change back that [`Slot::put`] made; `false` (and nothing done) where somebody
    /// edited the file since.
    pub(super) fn unput(&self, change: &FileChange, before: Option<&[u8]>) -> Result<bool> {
        let reversed = FileChange {
            path: change.path.clone(),
            before: change.after.clone(),
            after: change.before.clone(),
        };
        if self.found()? == change.before {
            return Ok(true);
        }
        self.remove_temp()?;
        match self.put(&reversed, before) {
            Ok(()) => self.remove_temp().map(|()| true),
            Err(error) if error.code() == Code::StaleBase => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the temporary file: the displaced one after a closing line, a half-written one
    /// before.
    pub(super) fn remove_temp(&self) -> Result<()> {
        if let Some(dir) = &self.dir
            && dir.stat(&self.temp)?.is_some()
        {
            durable::remove(dir, &self.temp)?;
        }
        Ok(())
    }

    /// After a kill: an edit of somebody else that the exchange displaced goes back into its
    /// place. Only where the target is exactly what we wrote is the temporary file a displaced
    /// one; else it is our own, perhaps half written.
    pub(super) fn put_back_displaced(&self, change: &FileChange) -> Result<bool> {
        let Some(dir) = &self.dir else {
            return Ok(false);
        };
        let Some(beside) = dir.stat(&self.temp)? else {
            return Ok(false);
        };
        let named = dir.stat(&self.name)?;
        if named.is_some_and(|named| named.identity == beside.identity) {
            // Killed between giving a new file its name and taking the temporary one away.
            durable::remove(dir, &self.temp)?;
            return Ok(false);
        }
        let displaced = state_of(Some(dir), &self.temp);
        let ours =
            matches!(&displaced, Ok(state) if *state == change.before || *state == change.after);
        if ours || self.found()? != change.after {
            return Ok(false);
        }
        if change.after.is_some() {
            exchange::swap(dir, &self.temp, &self.name)?;
        } else {
            exchange::place_new(dir, &self.temp, &self.name)?;
        }
        dir.flush()?;
        Ok(true)
    }

    fn put_new(&self, dir: &Dir, bytes: &[u8], state: &FileState) -> Result<()> {
        durable::write_new(dir, &self.temp, bytes, state.mode_bits())?;
        if !exchange::place_new(dir, &self.temp, &self.name)? {
            durable::remove(dir, &self.temp)?;
            return Err(stale(&self.path, None, self.found()?.as_ref()));
        }
        dir.flush()
    }

    fn put_over(
        &self,
        dir: &Dir,
        change: &FileChange,
        bytes: &[u8],
        state: &FileState,
    ) -> Result<()> {
        durable::write_new(dir, &self.temp, bytes, state.mode_bits())?;
        let swapped = exchange::swap(dir, &self.temp, &self.name);
        if swapped.is_err() {
            durable::remove(dir, &self.temp)?;
        }
        if swapped? == Displaced::Kept {
            let displaced = state_of(Some(dir), &self.temp);
            if !matches!(&displaced, Ok(found) if *found == change.before) {
                self.swap_back(dir, change)?;
                durable::remove(dir, &self.temp)?;
                dir.flush()?;
                let found = displaced.ok().flatten();
                return Err(stale(&self.path, change.before.as_ref(), found.as_ref()));
            }
        }
        dir.flush()
    }

    /// Somebody who saved once more in between keeps the name: what comes out must be ours.
    fn swap_back(&self, dir: &Dir, change: &FileChange) -> Result<()> {
        exchange::swap(dir, &self.temp, &self.name)?;
        match state_of(Some(dir), &self.temp) {
            Ok(ours) if ours == change.after => Ok(()),
            _ => exchange::swap(dir, &self.temp, &self.name).map(drop),
        }
    }

    fn take_away(&self, dir: &Dir, change: &FileChange) -> Result<()> {
        exchange::take_away(dir, &self.name, &self.temp)?;
        let displaced = state_of(Some(dir), &self.temp);
        if !matches!(&displaced, Ok(found) if *found == change.before) {
            exchange::place_new(dir, &self.temp, &self.name)?;
            dir.flush()?;
            let found = displaced.ok().flatten();
            return Err(stale(&self.path, change.before.as_ref(), found.as_ref()));
        }
        dir.flush()
    }
}

fn state_of(dir: Option<&Dir>, name: &str) -> Result<Option<FileState>> {
    let Some(dir) = dir else { return Ok(None) };
    refuse_huge(dir, name)?;
    let Some(file) = dir.read(name, MAX_FILE)? else {
        return Ok(None);
    };
    refuse_shared(dir, name, file.links)?;
    FileState::of(&file.bytes, file.mode).map(Some)
}

/// Nothing that we write or keep is so large: it is somebody else's, and not read.
fn refuse_huge(dir: &Dir, name: &str) -> Result<()> {
    let stat = dir.stat(name)?;
    let Some(huge) = stat.filter(|stat| stat.kind == Kind::File && stat.size > MAX_FILE) else {
        return Ok(());
    };
    let text = format!("the file is too large: {}", dir.path_of(name).display());
    Err(Error::new(Code::UnsafePath, text)
        .expected(format!("at most {MAX_FILE} bytes"))
        .found(count::of(huge.size, "byte", "bytes")))
}

/// A file with two names would be split in two by a replacement.
pub(super) fn refuse_shared(dir: &Dir, name: &str, links: u64) -> Result<()> {
    if links <= 1 {
        return Ok(());
    }
    let path = dir.path_of(name);
    let text = format!(
        "the file has {links} names (hard links): {}",
        path.display()
    );
    Err(Error::new(Code::UnsafePath, text)
        .expected("1 name")
        .found(count::of(links, "name", "names")))
}

/// The file is not what it was to be.
pub(super) fn stale(path: &str, expected: Option<&FileState>, found: Option<&FileState>) -> Error {
    let path = text::line(path);
    let what = match (expected, found) {
        (None, Some(_)) => format!("expected `{path}` to be absent, but it is there"),
        (Some(_), None) => format!("`{path}` was there and is gone"),
        (Some(old), Some(new)) if old.sha256 == new.sha256 => {
            format!(
                "the mode of `{path}` changed from {} to {}",
                old.mode, new.mode
            )
        }
        _ => format!("`{path}` changed since the proposal was made"),
    };
    Error::new(Code::StaleBase, what)
        .expected(FileState::short(expected))
        .found(FileState::short(found))
}
