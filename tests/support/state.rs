//! The host's session database, as far as it is read.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::Sandbox;

const TABLES: &str = "
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY, source TEXT NOT NULL, started_at REAL NOT NULL, title TEXT,
        parent_session_id TEXT, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0
    );
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,
        finish_reason TEXT, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
";

/// A database of a sandbox's home, held open.
pub struct State(Connection);

impl State {
    pub fn new(sandbox: &Sandbox) -> Self {
        let connection = Connection::open(sandbox.home().join("state.db")).unwrap();
        connection.execute_batch(TABLES).unwrap();
        Self(connection)
    }

    /// A session that began at this second.
    pub fn session(&self, id: &str, source: &str, started_at: i64) -> &Self {
        let sql = "INSERT INTO sessions (id, source, started_at) VALUES (?1, ?2, ?3)";
        self.0
            .execute(sql, params![id, source, started_at])
            .unwrap();
        self
    }

    /// A child that this session began, with its last text.
    pub fn subagent(&self, id: &str, parent: &str, text: &str) {
        self.session(id, "subagent", 1_767_323_045);
        let sql = "UPDATE sessions SET parent_session_id = ?1 WHERE id = ?2";
        self.0.execute(sql, params![parent, id]).unwrap();
        self.says(id, "assistant", text);
    }

    /// A message; gives its number.
    pub fn says(&self, session: &str, role: &str, content: &str) -> i64 {
        let sql = "INSERT INTO messages (session_id, role, content, timestamp) \
                   VALUES (?1, ?2, ?3, 1767323045)";
        self.0
            .execute(sql, params![session, role, content])
            .unwrap();
        self.0.last_insert_rowid()
    }

    /// A call of one of the host's tools; gives the number of its message.
    pub fn calls(&self, session: &str, tool: &str, arguments: &Value) -> i64 {
        let message = self.says(session, "assistant", "");
        let function = json!({"name": tool, "arguments": arguments.to_string()});
        let calls = json!([{"id": format!("call-{message}"), "function": function}]);
        let sql = "UPDATE messages SET tool_calls = ?1 WHERE id = ?2";
        self.0
            .execute(sql, params![calls.to_string(), message])
            .unwrap();
        message
    }
}
