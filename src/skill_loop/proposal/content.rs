//! What a text may hold: no redaction mark, not too much.

use crate::guard::json::Faults;
use crate::guard::secret;
use crate::hermes::frontmatter;
use crate::hermes::skills::{FILE_BYTES, SKILL_CHARS};
use crate::skill_loop::fields::Field;

/// Notes redaction marks in a text that no earlier text can excuse.
pub(super) fn refuse_marks(field: &Field<'_>, text: &str, faults: &mut Faults) {
    let marks = secret::new_marks("", text);
    if !marks.is_empty() {
        let marks = marks.join("`, `");
        let message = format!("a redaction mark (`{marks}`), expected text without it");
        field.fault(faults, message);
    }
}

/// Notes what is wrong with the text of a whole `SKILL.md`.
pub(super) fn check_skill_file(
    field: &Field<'_>,
    text: &str,
    skill: Option<&str>,
    faults: &mut Faults,
) {
    let found = text.chars().count();
    let head = match text.char_indices().nth(SKILL_CHARS) {
        Some((end, _)) => {
            let message = format!(
                "expected at most {SKILL_CHARS} characters, found {found}: split it, detail \
                 goes into files beneath `references/`"
            );
            field.fault(faults, message);
            text.get(..end).unwrap_or(text)
        }
        None => text,
    };
    // Where the skill's name is itself at fault, the text is held to its own.
    let own = frontmatter::lenient(text).name.unwrap_or_default();
    for fault in frontmatter::check(head, skill.unwrap_or(&own)) {
        let message = secret::redact(&fault.message);
        field.fault(faults, format!("SKILL.md, line {}: {message}", fault.line));
    }
}

/// Notes a support file that is too long.
pub(super) fn check_support_file(field: &Field<'_>, text: &str, faults: &mut Faults) {
    let found = text.len();
    if found > FILE_BYTES {
        let message = format!("expected at most {FILE_BYTES} bytes, found {found}");
        field.fault(faults, message);
    }
}
