//! A directory held open, and what is beneath it, reached component by component.
//!
//! Promises: below the root no link is followed, whatever is swapped in meanwhile; reads are
//! bounded; a name is one component. (`openat2` would do it in one call, but not everywhere.)

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::step::{Step, before};
use crate::error::{Code, Error, Result};

/// What kind of thing has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// Anything else: socket, pipe, device.
    Other,
}

impl Kind {
    fn of(file_type: FileType) -> Self {
        match file_type {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Dir,
            FileType::Symlink => Self::Link,
            _ => Self::Other,
        }
    }
}

/// What `lstat` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// The kind; a link is a link.
    pub kind: Kind,
    /// Permission bits, `0o7777`.
    pub mode: u32,
    /// Size in bytes.
    pub size: u64,
    /// How many names the file has.
    pub links: u64,
    /// Device and inode: the identity.
    pub identity: (u64, u64),
}

/// The whole of a regular file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Permission bits, `0o7777`.
    pub mode: u32,
    /// How many names the file has.
    pub links: u64,
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    /// Its name, one component.
    pub name: OsString,
    /// Its kind; a link is a link.
    pub kind: Kind,
}

/// Entries of one folder that are read where nobody needs more.
pub const MOST_ENTRIES: usize = 100_000;

/// A directory that is held open.
#[derive(Debug)]
pub struct Dir {
    fd: OwnedFd,
    path: PathBuf,
}

impl Dir {
    /// Opens a root. Links on the way to it are followed; below it they are not.
    /// `None` where nothing is there.
    pub fn open_root(path: &Path) -> Result<Option<Self>> {
        match rustix::fs::open(path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(fd) => Ok(Some(Self {
                fd,
                path: path.to_owned(),
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(failed("open the directory", path, errno)),
        }
    }

    /// Where it was opened, for messages; the file system may have moved since.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of something directly in it, for messages.
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens the directory `name`; `None` where nothing is there, `UNSAFE_PATH` for a link or a
    /// thing that is no directory.
    pub fn sub(&self, name: &str) -> Result<Option<Self>> {
        component(name)?;
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => Ok(Some(Self {
                fd,
                path: self.path.join(name),
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => Err(self.no_directory(name)),
            Err(errno) => Err(failed("open the directory", &self.path.join(name), errno)),
        }
    }

    /// Opens the directory at a relative path with `/` between components; `""` is itself.
    pub fn descend(&self, relative: &str) -> Result<Option<Self>> {
        let mut here = self.again()?;
        for name in relative.split('/').filter(|name| !name.is_empty()) {
            match here.sub(name)? {
                Some(next) => here = next,
                None => return Ok(None),
            }
        }
        Ok(Some(here))
    }

    /// Opens the directory `name`, and makes it with `mode` where it is missing, flushing the
    /// parent. Tells whether it was made.
    pub fn sub_or_create(&self, name: &str, mode: u32) -> Result<(Self, bool)> {
        let (there, made) = self.sub_or_make(name, mode)?;
        match made.then(|| self.flush()) {
            Some(Err(error)) => Err(self.unmade(name, error)),
            _ => Ok((there, made)),
        }
    }

    /// As [`Dir::sub_or_create`], for a caller who makes several and flushes this one once. Stock
    /// git takes empty directories of the store away at any time, so one that vanishes again is
    /// made again, a few times.
    pub fn sub_or_make(&self, name: &str, mode: u32) -> Result<(Self, bool)> {
        let path = self.path.join(name);
        let mut made = false;
        for _ in 0..16 {
            if let Some(there) = self.sub(name)? {
                return Ok((there, made));
            }
            before(Step::Mkdir, name)?;
            match rustix::fs::mkdirat(&self.fd, name, Mode::from_raw_mode(mode)) {
                Ok(()) => made = true,
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(failed("create the directory", &path, errno)),
            }
        }
        Err(failed("open the directory", &path, Errno::NOENT))
    }

    /// Takes a directory away again that was made a moment ago; what somebody put into it stays.
    fn unmade(&self, name: &str, error: Error) -> Error {
        match super::durable::remove_empty_dir(self, name) {
            Ok(_) => error,
            Err(second) => error.caused_by(format!("and {second}")),
        }
    }

    /// Whether the opened directory still has a name; what is put into one without is lost.
    pub fn is_named(&self) -> Result<bool> {
        let stat =
            rustix::fs::fstat(&self.fd).map_err(|errno| failed("look at", &self.path, errno))?;
        Ok(stat_of(&stat).links > 0)
    }

    /// What `name` is, without following it; `None` where nothing is there.
    pub fn stat(&self, name: &str) -> Result<Option<Stat>> {
        component(name)?;
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat_of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(failed("look at", &self.path.join(name), errno)),
        }
    }

    /// What the opened directory itself is.
    pub fn identity(&self) -> Result<(u64, u64)> {
        let stat =
            rustix::fs::fstat(&self.fd).map_err(|errno| failed("look at", &self.path, errno))?;
        Ok(stat_of(&stat).identity)
    }

    /// Reads a regular file of at most `limit` bytes; `None` where nothing is there,
    /// `UNSAFE_PATH` for a link or a thing that is no file, `IO_ERROR` for a larger one.
    pub fn read(&self, name: &str, limit: u64) -> Result<Option<Content>> {
        let Some(mut file) = self.open_file(name)? else {
            return Ok(None);
        };
        let path = self.path.join(name);
        let stat = rustix::fs::fstat(&file).map_err(|errno| failed("look at", &path, errno))?;
        let stat = stat_of(&stat);
        let too_large = || {
            Error::new(
                Code::Io,
                format!("larger than {limit} bytes: {}", path.display()),
            )
        };
        if stat.size > limit {
            return Err(too_large());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0) + 1);
        let read = (&mut file).take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| io_failed("read", &path, &error))?;
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        Ok(Some(Content {
            bytes,
            mode: stat.mode,
            links: stat.links,
        }))
    }

    /// Opens a regular file for reading, without following a link and without waiting on a pipe;
    /// `UNSAFE_PATH` for a link or a thing that is no file.
    pub fn open_file(&self, name: &str) -> Result<Option<std::fs::File>> {
        component(name)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => self.regular(name, fd.into()).map(Some),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(self.unopened(name, errno)),
        }
    }

    fn regular(&self, name: &str, file: std::fs::File) -> Result<std::fs::File> {
        let path = self.path.join(name);
        let stat = rustix::fs::fstat(&file).map_err(|errno| failed("look at", &path, errno))?;
        match stat_of(&stat).kind {
            Kind::File => Ok(file),
            kind => Err(self.no_file(name, kind)),
        }
    }

    /// Where the link `name` points, for messages.
    pub fn link_target(&self, name: &str) -> Option<PathBuf> {
        let target = rustix::fs::readlinkat(&self.fd, name, Vec::new()).ok()?;
        Some(PathBuf::from(OsStr::from_bytes(target.as_bytes())))
    }

    /// What is in it, sorted by name; an error where there are more than `limit` entries.
    pub fn entries(&self, limit: usize) -> Result<Vec<DirEntry>> {
        let wrap = |errno| failed("list", &self.path, errno);
        let mut found = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd).map_err(wrap)? {
            let entry = entry.map_err(wrap)?;
            let bytes = entry.file_name().to_bytes();
            if bytes == b"." || bytes == b".." {
                continue;
            }
            if found.len() == limit {
                let text = format!("more than {limit} entries: {}", self.path.display());
                return Err(Error::new(Code::Io, text));
            }
            let name = OsStr::from_bytes(bytes).to_owned();
            let kind = match entry.file_type() {
                FileType::Unknown => self.kind_of(&name)?,
                known => Kind::of(known),
            };
            found.push(DirEntry { name, kind });
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Flushes the directory itself: names given or taken before this survive a power cut.
    pub fn flush(&self) -> Result<()> {
        before(Step::Flush, &self.path.to_string_lossy())?;
        rustix::fs::fsync(&self.fd).map_err(|errno| failed("flush", &self.path, errno))
    }

    /// A second handle on the same directory.
    pub fn again(&self) -> Result<Self> {
        let copy = self.fd.as_fd().try_clone_to_owned();
        let fd = copy.map_err(|error| io_failed("open", &self.path, &error))?;
        Ok(Self {
            fd,
            path: self.path.clone(),
        })
    }

    pub(super) fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Why a file could not be opened: `UNSAFE_PATH` for a link or a directory.
    pub(super) fn unopened(&self, name: &str, errno: Errno) -> Error {
        match errno {
            Errno::LOOP => self.no_file(name, Kind::Link),
            Errno::ISDIR => self.no_file(name, Kind::Dir),
            errno => failed("open", &self.path.join(name), errno),
        }
    }

    fn kind_of(&self, name: &OsStr) -> Result<Kind> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| failed("look at", &self.path.join(name), errno))?;
        Ok(stat_of(&stat).kind)
    }

    fn no_directory(&self, name: &str) -> Error {
        match self.link_target(name) {
            Some(target) => link_refused(&self.path.join(name), &target),
            None => Error::new(
                Code::UnsafePath,
                format!("not a directory: {}", self.path.join(name).display()),
            ),
        }
    }

    fn no_file(&self, name: &str, kind: Kind) -> Error {
        let path = self.path.join(name);
        if let (Kind::Link, Some(target)) = (kind, self.link_target(name)) {
            return link_refused(&path, &target);
        }
        Error::new(
            Code::UnsafePath,
            format!("not a regular file: {}", path.display()),
        )
    }
}

/// The error for a link where a file or a directory was to be.
fn link_refused(path: &Path, target: &Path) -> Error {
    let text = format!(
        "a symbolic link to `{}` is not followed: {}",
        target.display(),
        path.display()
    );
    Error::new(Code::UnsafePath, text)
}

/// An operating-system error with the operation and the path.
pub(super) fn failed(doing: &str, path: &Path, errno: Errno) -> Error {
    io_failed(doing, path, &io::Error::from(errno))
}

/// An I/O error with the operation and the path.
pub(super) fn io_failed(doing: &str, path: &Path, error: &io::Error) -> Error {
    let text = format!("cannot {doing}: {error}: {}", path.display());
    let kind = io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(0));
    let hints = Error::from(kind).hints().to_vec();
    hints
        .into_iter()
        .fold(Error::new(Code::Io, text), Error::hint)
}

fn component(name: &str) -> Result<()> {
    let one = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0']);
    if one {
        return Ok(());
    }
    Err(Error::new(
        Code::UnsafePath,
        format!("`{}` is not one path component", name.escape_debug()),
    ))
}

#[expect(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "widths differ by system"
)]
pub(super) fn stat_of(stat: &rustix::fs::Stat) -> Stat {
    Stat {
        kind: Kind::of(FileType::from_raw_mode(stat.st_mode)),
        mode: u32::from(stat.st_mode) & 0o7777,
        size: stat.st_size as u64,
        links: stat.st_nlink as u64,
        identity: (stat.st_dev as u64, stat.st_ino as u64),
    }
}
