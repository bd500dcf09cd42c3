//! Text of others, made visible: nothing in it moves the cursor, colours, hides or reorders.

use std::borrow::Cow;

/// One line of foreign text: every control, bidirectional, zero-width and tag character (line
/// feed and tab too) becomes a visible escape such as `\u{1b}`.
pub fn line(text: &str) -> Cow<'_, str> {
    let _ = text;
    todo!()
}

/// Several lines of foreign text: as [`line`], but line feeds and tabs stay.
pub fn block(text: &str) -> Cow<'_, str> {
    let _ = text;
    todo!()
}

/// Whether the character must be made visible.
pub fn is_hidden(character: char) -> bool {
    let _ = character;
    todo!()
}
