//! Which columns the database has: Hermes adds some with most versions, and old homes keep what
//! they had until Hermes opens them again.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use crate::error::{Code, Error, Result};

/// What nothing can be read without.
const NEEDED: [(&str, &[&str]); 2] = [
    ("sessions", &["id", "source", "started_at"]),
    ("messages", &["id", "session_id", "role", "content"]),
];

/// The columns of the two tables that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Schema {
    sessions: BTreeSet<String>,
    messages: BTreeSet<String>,
}

impl Schema {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let columns = |table: &str| -> rusqlite::Result<BTreeSet<String>> {
            let mut rows = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
            let names = rows.query_map([table], |row| row.get(0))?;
            names.collect()
        };
        Ok(Self {
            sessions: columns("sessions")?,
            messages: columns("messages")?,
        })
    }

    /// Itself, where everything that is needed is there.
    pub(super) fn checked(self, path: &Path) -> Result<Self> {
        for (table, needed) in NEEDED {
            let found = self.table(table);
            if found.is_empty() {
                return Err(missing(&format!("the table `{table}`"), path));
            }
            if let Some(column) = needed.iter().find(|column| !found.contains(**column)) {
                return Err(missing(&format!("the column `{table}.{column}`"), path));
            }
        }
        Ok(self)
    }

    /// Fails where `messages` has no such column.
    pub(super) fn needs(&self, column: &str, path: &Path) -> Result<()> {
        if self.messages.contains(column) {
            return Ok(());
        }
        Err(missing(&format!("the column `messages.{column}`"), path))
    }

    /// An optional column of `messages`, null where the database has none.
    pub(super) fn message(&self, alias: &str, column: &str) -> String {
        match self.messages.contains(column) {
            true => format!("{alias}.{column}"),
            false => "NULL".to_owned(),
        }
    }

    /// As [`Schema::message`], of `sessions`.
    pub(super) fn session(&self, alias: &str, column: &str) -> String {
        match self.sessions.contains(column) {
            true => format!("{alias}.{column}"),
            false => "NULL".to_owned(),
        }
    }

    /// What makes a message part of the conversation. Before the column, every one was; rows from
    /// then may have no value in it.
    pub(super) fn live(&self, alias: &str) -> String {
        format!("coalesce({}, 1) = 1", self.message(alias, "active"))
    }

    /// As [`Schema::live`], and what a compaction replaced: it happened all the same.
    pub(super) fn happened(&self, alias: &str) -> String {
        let (live, compacted) = (self.live(alias), self.message(alias, "compacted"));
        format!("({live} OR {compacted} = 1)")
    }

    fn table(&self, name: &str) -> &BTreeSet<String> {
        match name {
            "sessions" => &self.sessions,
            _ => &self.messages,
        }
    }
}

fn missing(what: &str, path: &Path) -> Error {
    let text = format!("the session database lacks {what}: {}", path.display());
    Error::new(Code::SessionsUnreadable, text)
        .expected("the tables of Hermes 0.19.0 or one near it")
        .hint("hermes sessions list   # an old database is brought up to date by its Hermes")
}
