//! Ids as people type them.

use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::skill_loop::queue::{Queue, is_full_id};
use crate::term::prompt;

/// The proposal that a deciding verb is about. Outside a terminal the id is the approval, so it
/// must be whole there.
pub(super) fn for_decision(queue: &Queue, given: &str) -> Result<String> {
    if is_full_id(given) || prompt::can_ask() {
        return queue.resolve(given);
    }
    // What does not exist at all is said first: that is the likelier mistake.
    let id = queue.resolve(given)?;
    let shown = text::line(given).into_owned();
    let text =
        format!("`{shown}` is a shortened id; outside a terminal a decision names all of it");
    Err(Error::new(Code::Usage, text)
        .expected("p- and 32 hex digits")
        .found(shown)
        .hint(format!("lithermes skill-loop show {id}")))
}
