//! What the subagents of a session said last: the host's own record of what `delegate_task` handed
//! back (hermes-host.md §5). It bears out what a model relays; it is no receipt of it.

use rusqlite::params;

use super::{Sessions, message};
use crate::error::Result;

/// Subagents that are looked at, the newest first.
const MOST_CHILDREN: usize = 1_000;
/// Bytes of one text that is loaded.
const MOST_TEXT: usize = 256 << 10;
/// Bytes of all that are kept.
const MOST_BYTES: usize = 16 << 20;
/// Sessions that are followed back: the host begins a new one where it compresses a long one.
const MOST_BEFORE: usize = 100;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delegated {
    texts: Vec<String>,
    /// There were more, or larger ones, than are read.
    is_cut: bool,
}

impl Delegated {
    /// Whether one of them said exactly this, white space at both ends aside. `None` where nobody
    /// can tell: no text is known, or not all are.
    pub fn says(&self, output: &[u8]) -> Option<bool> {
        let output = std::str::from_utf8(output).map(str::trim);
        let is_said = output.is_ok_and(|output| self.texts.iter().any(|text| text == output));
        match is_said {
            true => Some(true),
            false if self.is_cut || self.texts.is_empty() => None,
            false => Some(false),
        }
    }
}

impl Sessions {
    /// The last texts of the subagents of this session and of those that it continues; none in a
    /// database that does not say whose a subagent is.
    pub fn delegated(&self, id: &str) -> Result<Delegated> {
        let sql = self.children();
        self.database.read(|connection| {
            let mut query = connection.prepare(&sql)?;
            let mut rows = query.query(params![id])?;
            let mut found = Delegated::default();
            let (mut children, mut left) = (0, MOST_BYTES);
            while let Some(row) = rows.next()? {
                let text = message::text(row, 0)?.map(message::content);
                let text = text.unwrap_or_default().trim().to_owned();
                children += 1;
                let is_too_large = row.get::<_, Option<bool>>(1)?.unwrap_or(false);
                if children > MOST_CHILDREN || is_too_large || text.len() > left {
                    found.is_cut = true;
                } else if !text.is_empty() {
                    left -= text.len();
                    found.texts.push(text);
                }
            }
            Ok(found)
        })
    }

    /// Text and too-large, a subagent a row. One whose session was compressed goes on in another.
    fn children(&self) -> String {
        let parent = self.schema.session("s", "parent_session_id");
        let live = self.schema.live("m");
        let content = message::within("m.content", MOST_TEXT);
        let last = |what: &str| {
            format!(
                "(SELECT {what} FROM messages AS m WHERE m.session_id = s.id AND \
                 m.role = 'assistant' AND m.content <> '' AND {live} \
                 ORDER BY m.id DESC LIMIT 1)"
            )
        };
        format!(
            "WITH RECURSIVE before(id, steps) AS (SELECT ?1, 0 UNION \
             SELECT {parent}, steps + 1 FROM sessions AS s JOIN before ON s.id = before.id \
             WHERE {parent} IS NOT NULL AND steps < {MOST_BEFORE}), \
             below(id) AS (SELECT s.id FROM sessions AS s WHERE s.source = 'subagent' AND \
             {parent} IN (SELECT id FROM before) UNION \
             SELECT s.id FROM sessions AS s JOIN below ON {parent} = below.id \
             WHERE s.source = 'subagent') \
             SELECT {}, {} FROM sessions AS s WHERE s.id IN (SELECT id FROM below) \
             ORDER BY s.started_at DESC, s.rowid DESC LIMIT {}",
            last(&content),
            last(&format!("octet_length(m.content) > {MOST_TEXT}")),
            MOST_CHILDREN + 1,
        )
    }
}
