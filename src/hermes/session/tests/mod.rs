//! Against databases with the columns of the real one.

mod beside;
mod consultations;
mod delegations;
mod endings;
mod messages;
mod schemas;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::{FILE, Sessions};

/// Columns that a reader can do without, by table.
const OPTIONAL: [(&str, &[&str]); 1] = [(
    "messages",
    &[
        "tool_call_id",
        "tool_calls",
        "tool_name",
        "timestamp",
        "active",
        "compacted",
    ],
)];

/// The tables, as the host makes them, shortened by what nobody reads.
const TABLES: &str = "
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (22);
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT,
        system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL,
        end_reason TEXT, message_count INTEGER DEFAULT 0, title TEXT, cwd TEXT,
        profile_name TEXT, archived INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
        role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
        timestamp REAL NOT NULL, finish_reason TEXT, reasoning TEXT,
        observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,
        compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT
    );
    CREATE INDEX idx_sessions_started ON sessions(started_at DESC);
    CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
    CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp);
";

/// A home with a database, held open as Hermes does.
struct World {
    held: TempDir,
    hermes: Connection,
}

impl World {
    fn new() -> Self {
        let held = TempDir::new().unwrap();
        let hermes = Connection::open(held.path().join(FILE)).unwrap();
        hermes.pragma_update(None, "synchronous", "off").unwrap();
        hermes.execute_batch(TABLES).unwrap();
        Self { held, hermes }
    }

    /// As Hermes opens it where the file system can.
    fn wal() -> Self {
        let world = Self::new();
        world
            .hermes
            .pragma_update(None, "journal_mode", "wal")
            .unwrap();
        world
    }

    fn home(&self) -> &Path {
        self.held.path()
    }

    fn sessions(&self) -> Sessions {
        Sessions::open(self.home()).unwrap().unwrap()
    }

    fn session(&self, id: &str, source: &str, started_at: f64) -> &Self {
        let sql = "INSERT INTO sessions (id, source, started_at) VALUES (?1, ?2, ?3)";
        self.hermes
            .execute(sql, params![id, source, started_at])
            .unwrap();
        self
    }

    fn says(&self, session: &str, role: &str, content: &str) -> i64 {
        let sql = "INSERT INTO messages (session_id, role, content, timestamp) \
                   VALUES (?1, ?2, ?3, 1796094918.5)";
        self.hermes
            .execute(sql, params![session, role, content])
            .unwrap();
        self.hermes.last_insert_rowid()
    }

    fn texts(&self, session: &str, max_bytes: usize) -> Vec<String> {
        let tail = self.sessions().tail(session, max_bytes).unwrap();
        tail.into_iter().map(|message| message.text).collect()
    }
}

/// Every file of a directory with its bytes.
fn listing(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs_err::read_dir(dir).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let bytes = fs_err::read(&path).unwrap();
            (path, bytes)
        })
        .collect();
    files.sort();
    files
}
