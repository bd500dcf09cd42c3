//! A home with a long session of the host's.

use rusqlite::{Connection, params};

use crate::documents;
use crate::home::Home;

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
    INSERT INTO sessions (id, source, started_at) VALUES ('20260101_000000_abcdef', 'cli', 1767225600);
";

/// A home with so many skills and one session of so many messages, in which a skill was looked at.
pub(crate) fn home(skills: usize, messages: usize) -> Home {
    let home = Home::with_skills(skills);
    let mut state = Connection::open(home.path().join("state.db")).unwrap();
    state.execute_batch(TABLES).unwrap();
    let all = state.transaction().unwrap();
    let sql = "INSERT INTO messages (session_id, role, content, tool_calls, timestamp) \
               VALUES ('20260101_000000_abcdef', ?1, ?2, ?3, ?4)";
    for number in 0..messages {
        let role = if number % 2 == 0 { "user" } else { "assistant" };
        let name = documents::name(number % skills);
        let call = format!(
            r#"[{{"id":"{number}","function":{{"name":"skill_view","arguments":"{{\"name\":\"{name}\"}}"}}}}]"#
        );
        let call = (number % 1_000 == 1).then_some(call);
        let at = 1_767_225_600.0 + number as f64;
        all.execute(sql, params![role, prose(400), call, at])
            .unwrap();
    }
    all.commit().unwrap();
    home
}

/// So many bytes of ordinary prose.
pub(crate) fn prose(bytes: usize) -> String {
    let sentence = "The release notes begin with what breaks: an option that is gone, a default \
                    that changed (timeout_s: 30), a token_count of 512, https://a.example/docs. ";
    let mut text = sentence.repeat(bytes / sentence.len() + 1);
    text.truncate(bytes);
    text
}
