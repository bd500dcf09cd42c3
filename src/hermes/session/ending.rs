//! How the last turn of a session ended, as the host recorded it (hermes-host.md §6).

use rusqlite::{OptionalExtension as _, Row, params};

use super::{Sessions, message};
use crate::error::Result;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    /// The model that answered.
    pub model: Option<String>,
    /// Who served it.
    pub provider: Option<String>,
    /// Tokens that it read.
    pub input_tokens: Option<u64>,
    /// Tokens that it wrote.
    pub output_tokens: Option<u64>,
    /// Why its last answer ended: `stop` where it was done. `None` where it never answered, and in
    /// databases that do not say.
    pub finish: Option<String>,
}

impl Sessions {
    /// How the session with exactly this id ended; `None` where there is none.
    pub fn ending(&self, id: &str) -> Result<Option<Ending>> {
        let column = |name| self.schema.session("s", name);
        let sql = format!(
            "SELECT {}, {}, {}, {}, (SELECT {} FROM messages AS m WHERE m.session_id = s.id AND \
             m.role = 'assistant' AND {} ORDER BY m.id DESC LIMIT 1) \
             FROM sessions AS s WHERE s.id = ?1",
            column("model"),
            column("billing_provider"),
            column("input_tokens"),
            column("output_tokens"),
            self.schema.message("m", "finish_reason"),
            self.schema.live("m"),
        );
        self.database.read(|connection| {
            let found = connection.query_row(&sql, params![id], ending);
            found.optional()
        })
    }
}

fn ending(row: &Row<'_>) -> rusqlite::Result<Ending> {
    let said = |at| -> rusqlite::Result<Option<String>> {
        let text = message::text(row, at)?;
        Ok(text.filter(|text| !text.is_empty()))
    };
    let count = |at| -> rusqlite::Result<Option<u64>> {
        let text = message::text(row, at)?;
        Ok(text.and_then(|text| text.parse().ok()))
    };
    Ok(Ending {
        model: said(0)?,
        provider: said(1)?,
        input_tokens: count(2)?,
        output_tokens: count(3)?,
        finish: said(4)?,
    })
}
