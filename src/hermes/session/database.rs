//! Opening the host's database so that nothing on the disk shows it (hermes-host.md §8).
//!
//! SQLite makes `-wal` and `-shm` beside a database in WAL mode even for a reader, and leaves them
//! there. So what is beside the file decides how it is opened:
//!
//! | beside it | how | who else may write |
//! |---|---|---|
//! | nothing | `immutable=1`: no lock, no other file | checked afterwards |
//! | `-wal` and `-shm` | `mode=ro`: locks and index are shared with Hermes | Hermes |
//! | `-wal` alone, of a process that was killed | index in memory, no lock | checked afterwards |
//! | `-journal` | `mode=ro` with locks | Hermes |
//!
//! Checked are size, time, and what SQLite itself changes: the change counter of the database and
//! the salts of its log.
//!
//! Two instants are left. Where Hermes ends between the look and the opening, SQLite makes an empty
//! pair again, as Hermes would, and the next Hermes takes it over. And frames that are written over
//! older ones of the same log, within one tick of the file system's clock, change none of these.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::FILE;
use crate::disk::{Dir, Kind};
use crate::error::{Code, Error, Result};

/// How often a read is begun again when somebody wrote under it: a second in all, beside the reads.
const ATTEMPTS: usize = 50;
/// How long is waited before that.
const PAUSE: Duration = Duration::from_millis(20);
/// Bytes from the beginning of a file that hold the change counter of a database (24 to 28) and
/// the salts of a write-ahead log (16 to 24).
const HEAD: usize = 28;
/// How long a lock of Hermes is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// One value, at most; larger ones are asked for their size only.
const LONGEST_VALUE: i32 = 256 << 20;
/// Steps of SQLite's machine for one statement: a second or two, enough for millions of rows.
const STEPS: (i32, u32) = (1_000_000, 100);

/// A database that is opened anew for each read, so that no lock outlives one.
#[derive(Debug)]
pub(super) struct Database {
    home: PathBuf,
    path: PathBuf,
}

/// How it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As a file that nobody changes.
    Still,
    /// With the index of the write-ahead log in our own memory.
    Alone,
    /// Beside its writers.
    Shared,
}

/// What shows that a file was written to.
#[derive(Debug, PartialEq, Eq)]
struct Trace {
    size: u64,
    modified: Option<SystemTime>,
    head: Option<[u8; HEAD]>,
}

impl Database {
    pub(super) fn new(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
            path: home.join(FILE),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is one with anything in it. (SQLite deletes the `-wal` of an empty one.)
    pub(super) fn exists(&self) -> Result<bool> {
        let Some(home) = Dir::open_root(&self.home)? else {
            return Ok(false);
        };
        let found = home.stat(FILE)?;
        if let Some(stat) = found
            && stat.kind != Kind::File
        {
            let text = format!("not a regular file: {}", self.path.display());
            return Err(Error::new(Code::UnsafePath, text));
        }
        Ok(found.is_some_and(|stat| stat.size > 0))
    }

    /// Asks the database, again when somebody wrote to it while it was read without a lock.
    pub(super) fn read<T>(&self, ask: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                std::thread::sleep(PAUSE);
            }
            let before = self.trace();
            let way = self.way();
            let answer = self.open(way).and_then(|connection| ask(&connection));
            let holds = match way {
                // Hermes may have taken the log away between the look and the opening.
                Way::Shared => answer.is_ok() || self.way() == Way::Shared,
                Way::Still | Way::Alone => self.trace() == before,
            };
            if holds {
                return answer.map_err(|error| self.unreadable(&error));
            }
        }
        let text = format!("Hermes keeps writing to {}", self.path.display());
        Err(Error::new(Code::SessionsUnreadable, text).hint("run the same command again"))
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        self.home.join(format!("{FILE}{suffix}"))
    }

    fn way(&self) -> Way {
        let there = |suffix| self.beside(suffix).symlink_metadata().is_ok();
        match (there("-wal"), there("-shm"), there("-journal")) {
            (false, _, false) => Way::Still,
            (true, false, _) => Way::Alone,
            (true, true, _) | (false, _, true) => Way::Shared,
        }
    }

    /// What a writer changes.
    fn trace(&self) -> [Option<Trace>; 3] {
        ["", "-wal", "-journal"].map(|suffix| {
            let path = self.beside(suffix);
            let found = path.symlink_metadata().ok()?;
            Some(Trace {
                size: found.len(),
                modified: found.modified().ok(),
                head: found.is_file().then(|| head(&path)).flatten(),
            })
        })
    }

    fn open(&self, way: Way) -> rusqlite::Result<Connection> {
        let options = match way {
            Way::Still => "mode=ro&immutable=1",
            Way::Alone => "mode=ro&vfs=unix-none",
            Way::Shared => "mode=ro",
        };
        let uri = format!("file:{}?{options}", escaped(&self.path));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let mut connection = Connection::open_with_flags(uri, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
        // The last one to close a database folds its log into it, even a reader.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // What the schema says is data of somebody else.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        let (steps, mut turns) = STEPS;
        let give_up = move || {
            turns = turns.saturating_sub(1);
            turns == 0
        };
        connection.progress_handler(steps, Some(give_up))?;
        connection.pragma_update(None, "query_only", true)?;
        connection.pragma_update(None, "temp_store", "memory")?;
        if way == Way::Alone {
            // Only then is the index kept in memory instead of a `-shm`.
            connection.pragma_update(None, "locking_mode", "exclusive")?;
        }
        Ok(connection)
    }

    fn unreadable(&self, error: &rusqlite::Error) -> Error {
        let what = match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => "is no database",
            Some(ErrorCode::DatabaseCorrupt) => "is damaged",
            Some(ErrorCode::DatabaseBusy) => "is locked by another process",
            Some(ErrorCode::OperationInterrupted) => "takes too long to answer",
            _ => "cannot be read",
        };
        let text = format!("the session database {what}: {}", self.path.display());
        Error::new(Code::SessionsUnreadable, text)
            .caused_by(error)
            .hint("hermes sessions list   # whether Hermes itself can read it")
    }
}

/// The beginning of a file; `None` where it is shorter.
fn head(path: &Path) -> Option<[u8; HEAD]> {
    use std::io::Read as _;
    let mut head = [0; HEAD];
    fs_err::File::open(path).ok()?.read_exact(&mut head).ok()?;
    Some(head)
}

/// A path as a URI has it: every byte that could mean something else is escaped.
fn escaped(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut uri = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{Database, FILE};
    use std::time::SystemTime;

    /// Writes a file that was changed last in 1970.
    fn put(path: &std::path::Path, bytes: &[u8]) {
        fs_err::write(path, bytes).unwrap();
        let file = fs_err::OpenOptions::new().write(true).open(path).unwrap();
        file.file().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }

    #[test]
    fn a_write_of_equal_size_in_one_tick_is_seen() {
        let held = tempfile::TempDir::new().unwrap();
        let database = Database::new(held.path());
        let mut bytes = [0; 4096];
        for (suffix, at) in [("", 27), ("-wal", 16)] {
            let path = held.path().join(format!("{FILE}{suffix}"));
            put(&path, &bytes);
            let before = database.trace();
            put(&path, &bytes);
            assert_eq!(database.trace(), before);
            bytes[at] += 1;
            put(&path, &bytes);
            assert_ne!(database.trace(), before, "{suffix}");
        }
    }
}
