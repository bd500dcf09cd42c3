//! Any value in any column that is read of the host's messages: whole messages within the bound,
//! or a typed error.
#![no_main]

use std::cell::OnceCell;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use lithermes::hermes::session::Sessions;
use rusqlite::{Connection, params};

const TABLES: &str = "
    CREATE TABLE sessions (id TEXT PRIMARY KEY, source, started_at, title);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, content, tool_call_id, tool_calls,
                           tool_name, timestamp, active DEFAULT 1, compacted DEFAULT 0);
    INSERT INTO sessions VALUES ('s', 'cli', 1767323045, NULL);
";
const MOST: usize = 4_096;

#[derive(Debug, Arbitrary)]
struct Row<'a> {
    role: &'a str,
    content: &'a str,
    blob: Option<&'a [u8]>,
    calls: &'a str,
    tool: &'a str,
    time: f64,
}

thread_local! {
    static HOME: OnceCell<(tempfile::TempDir, Connection)> = const { OnceCell::new() };
}

fuzz_target!(|rows: Vec<Row<'_>>| {
    HOME.with(|home| {
    let (folder, connection) = home.get_or_init(open);
    connection.execute("DELETE FROM messages", []).unwrap();
    let sql = "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp) \
               VALUES ('s', ?1, ?2, 'c', ?3, ?4, ?5)";
    for row in rows.iter().take(8) {
        let content: &dyn rusqlite::ToSql = match &row.blob {
            Some(blob) => blob,
            None => &row.content,
        };
        connection.execute(sql, params![row.role, content, row.calls, row.tool, row.time]).unwrap();
    }
    let sessions = Sessions::open(folder.path()).unwrap().unwrap();
    let size = |message: &lithermes::hermes::session::Message| {
        message.text.len() + message.calls.iter().map(|call| call.arguments.len()).sum::<usize>()
    };
    if let Ok(tail) = sessions.tail("s", MOST) {
        assert!(tail.iter().map(size).sum::<usize>() <= MOST);
        assert!(tail.windows(2).all(|pair| pair[0].id < pair[1].id));
    }
    if let Ok(consulted) = sessions.consulted("s") {
        let skills: std::collections::BTreeSet<_> = consulted.iter().map(|one| &one.skill).collect();
        assert_eq!(skills.len(), consulted.len());
    }
})
});

fn open() -> (tempfile::TempDir, Connection) {
    let memory = std::path::Path::new("/dev/shm");
    let folder = tempfile::tempdir_in(memory)
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let connection = Connection::open(folder.path().join("state.db")).unwrap();
    connection
        .pragma_update(None, "journal_mode", "OFF")
        .unwrap();
    connection
        .pragma_update(None, "synchronous", "OFF")
        .unwrap();
    connection.execute_batch(TABLES).unwrap();
    (folder, connection)
}
