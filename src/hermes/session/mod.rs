//! Sessions of the host, read from `H/state.db` (hermes-host.md §8).
//!
//! Promises: nothing is written, no file appears beside the database and none goes away, also
//! while Hermes writes to it; every read is bounded; a schema of another version is read as far
//! as it goes, and what is missing in it is named.

mod consulted;
mod database;
mod delegated;
mod ending;
mod given;
mod message;
mod schema;

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};

use crate::error::{Code, Error, Result};
use crate::guard::text;
use database::Database;
pub use delegated::Delegated;
pub use ending::Ending;
use schema::Schema;

/// The file's name below the home.
pub const FILE: &str = "state.db";
/// Messages that [`Sessions::tail`] gives, at most.
const MOST_MESSAGES: usize = 10_000;
/// Bytes of a session's first words that are looked at: more than an argument of a command line.
const MOST_FIRST: usize = 256 << 10;

/// The sessions of one home.
#[derive(Debug)]
pub struct Sessions {
    database: Database,
    schema: Schema,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `20261130_101500_ab12cd`; other surfaces spell it otherwise.
    pub id: String,
    /// What started it: `cli`, `acp`, `subagent`, …
    pub source: String,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// How many active messages it has.
    pub messages: u64,
}

/// A message of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its number, unique and rising in the whole database.
    pub id: i64,
    /// `user`, `assistant`, `tool`, …
    pub role: String,
    /// The text; of a message in parts, its text parts, a line each.
    pub text: String,
    /// Which tool answered, in a message of one.
    pub tool_name: Option<String>,
    /// The tool calls that it makes.
    pub calls: Vec<Call>,
    /// When it was written.
    pub at: Option<Timestamp>,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Which tool.
    pub name: String,
    /// Its arguments: JSON, as the model wrote it.
    pub arguments: String,
}

/// A skill that the agent read or changed through the host's skill tools, or that a person gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consultation {
    /// The name that the host answered with, else the one that was asked for.
    pub skill: String,
    /// The first message that did so.
    pub message: i64,
}

/// The session that somebody named.
#[derive(Debug)]
pub struct Named {
    /// All of its home.
    pub sessions: Sessions,
    /// Itself.
    pub session: Session,
    /// Newer ones that were passed over for it.
    pub passed: usize,
}

/// The session of `home` with this id, or the newest where it is asked for as `latest`; see
/// [`Sessions::latest`]. `NOT_FOUND` where there is none.
pub fn named(home: &Path, asked: &str, is_passed: &dyn Fn(&str) -> bool) -> Result<Named> {
    let missing = |what: String| {
        let text = format!("{what} in {}", text::line(&home.to_string_lossy()));
        Error::new(Code::NotFound, text).hint("hermes sessions list")
    };
    let none = || missing("there are no sessions".to_owned());
    let sessions = Sessions::open(home)?.ok_or_else(none)?;
    let (session, passed) = match asked {
        "latest" => match sessions.latest(is_passed)? {
            (Some(found), passed) => (found, passed),
            (None, 0) => return Err(none()),
            (None, passed) => {
                let text = format!("there are no sessions but {passed} that are passed over");
                return Err(missing(text));
            }
        },
        id => {
            let unknown = || missing(format!("no session `{}`", text::line(id)));
            (sessions.get(id)?.ok_or_else(unknown)?, 0)
        }
    };
    Ok(Named {
        sessions,
        session,
        passed,
    })
}

impl Sessions {
    /// The sessions of `home`, a resolved path; `None` where it has no database yet.
    ///
    /// `UNSAFE_PATH` for a link, `SESSIONS_UNREADABLE` for a file that is no database or lacks a
    /// table or column that nothing can be read without.
    pub fn open(home: &Path) -> Result<Option<Self>> {
        let database = Database::new(home);
        if !database.exists()? {
            return Ok(None);
        }
        let schema = database.read(Schema::read)?;
        let schema = schema.checked(database.path())?;
        Ok(Some(Self { database, schema }))
    }

    /// The newest session by its beginning that has messages, is no subagent's, and whose first
    /// words of a user `is_passed` does not refuse; and how many it refused.
    pub fn latest(&self, is_passed: &dyn Fn(&str) -> bool) -> Result<(Option<Session>, usize)> {
        let columns = self.session_columns();
        let live = self.schema.live("m");
        let first = message::within("m.content", MOST_FIRST);
        let sql = format!(
            "SELECT {columns} FROM sessions AS s WHERE s.source <> 'subagent' AND EXISTS \
             (SELECT 1 FROM messages AS m WHERE m.session_id = s.id AND {live}) \
             ORDER BY s.started_at DESC, s.rowid DESC"
        );
        // A question of its own, for SQLite would read the first words of all to sort them.
        let words = format!(
            "SELECT {first} FROM messages AS m \
             WHERE m.session_id = ?1 AND m.role = 'user' ORDER BY m.id LIMIT 1"
        );
        self.database.read(|connection| {
            let mut query = connection.prepare(&sql)?;
            let mut words = connection.prepare(&words)?;
            let mut rows = query.query([])?;
            let mut passed = 0;
            while let Some(row) = rows.next()? {
                let session = session_of(row)?;
                let first = words.query_row([&session.id], |row| message::text(row, 0));
                let first = first.optional()?.flatten().unwrap_or_default();
                if !is_passed(&first) {
                    return Ok((Some(session), passed));
                }
                passed += 1;
            }
            Ok((None, passed))
        })
    }

    /// The session with exactly this id.
    pub fn get(&self, id: &str) -> Result<Option<Session>> {
        let columns = self.session_columns();
        let sql = format!("SELECT {columns} FROM sessions AS s WHERE s.id = ?1");
        self.database.read(|connection| {
            let found = connection.query_row(&sql, params![id], session_of);
            found.optional()
        })
    }

    /// The newest active messages whose texts and arguments fit into `max_bytes` in all, oldest
    /// first; at most 10,000. Messages are whole: what no longer fits ends the tail. What is too
    /// large to be loaded at all is named in its place with its size.
    pub fn tail(&self, id: &str, max_bytes: usize) -> Result<Vec<Message>> {
        // The order is by id, not time. `+` keeps the planner from walking the whole table
        // backwards; sorting numbers costs nothing.
        let ids = format!(
            "SELECT m.id FROM messages AS m WHERE m.session_id = ?1 AND {} ORDER BY +m.id DESC",
            self.schema.live("m")
        );
        let whole = message::select(&self.schema, max_bytes);
        self.database.read(|connection| {
            let mut ids = connection.prepare(&ids)?;
            let mut whole = connection.prepare(&whole)?;
            let mut left = max_bytes;
            let mut tail = Vec::new();
            let mut rows = ids.query(params![id])?;
            while let Some(row) = rows.next()?
                && tail.len() < MOST_MESSAGES
                && left > 0
            {
                let message = whole.query_row(params![row.get::<_, i64>(0)?], message::of_row)?;
                if message.bytes() > left {
                    break;
                }
                left -= message.bytes();
                tail.push(message);
            }
            tail.reverse();
            Ok(tail)
        })
    }

    /// The skills that were read or changed through the host's skill tools in this session, and
    /// those that a slash command gave it, in the order of their first consultation, each once.
    /// Calls that the host refused do not count; what was compacted away later does. Skills that a
    /// session is started with (`hermes -s`) are not recorded by the host.
    pub fn consulted(&self, id: &str) -> Result<Vec<Consultation>> {
        self.schema.needs("tool_calls", self.database.path())?;
        let sql = consulted::select(&self.schema);
        self.database.read(|connection| {
            let mut rows = connection.prepare(&sql)?;
            consulted::collect(rows.query(params![id])?)
        })
    }

    fn session_columns(&self) -> String {
        format!(
            "s.id, s.source, s.started_at, \
             (SELECT count(*) FROM messages AS n WHERE n.session_id = s.id AND {})",
            self.schema.live("n")
        )
    }
}

impl Message {
    fn bytes(&self) -> usize {
        let calls = self.calls.iter();
        let spoken = calls.map(|call| call.name.len() + call.arguments.len());
        self.text.len() + spoken.sum::<usize>()
    }
}

fn session_of(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        id: message::text(row, 0)?.unwrap_or_default(),
        source: message::text(row, 1)?.unwrap_or_default(),
        started_at: message::time(row, 2)?,
        messages: u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests;
