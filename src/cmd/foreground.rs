//! Deciding verbs are for a person: they refuse where an agent stands behind the call
//! (skill-loop.md §5).

use crate::error::{Code, Error, Result};
use crate::hermes::ancestry;

/// As [`require`], for an approval: names the command that shows what there is to approve.
pub(super) fn require_for_approval(shows: String) -> Result<()> {
    let Some(found) = ancestry::agent_behind() else {
        return Ok(());
    };
    let text = "this is an approval for a person in the foreground; nothing was changed";
    Err(Error::new(Code::ForegroundRequired, text)
        .expected("a call by a person")
        .found(found)
        .hint(shows))
}

/// `FOREGROUND_REQUIRED` where an agent started this process. Names the commands that only read,
/// and no way round.
pub(super) fn require(id: Option<&str>) -> Result<()> {
    let Some(found) = ancestry::agent_behind() else {
        return Ok(());
    };
    let text = "this is a decision for a person in the foreground; nothing was changed";
    let error = Error::new(Code::ForegroundRequired, text)
        .expected("a call by a person")
        .found(found)
        .hint("lithermes skill-loop list");
    Err(match id {
        Some(id) if id.starts_with("p-") => error.hint(format!("lithermes skill-loop show {id}")),
        _ => error,
    })
}
