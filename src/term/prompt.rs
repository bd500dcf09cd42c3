//! Questions to a person: the default is always that nothing happens.

use crate::error::Result;

/// Whether somebody can be asked: stdin, stdout and stderr are terminals.
pub fn can_ask() -> bool {
    todo!()
}

/// Asks for a typed word; `Ok(true)` only for exactly that word and Enter. Enter alone, another
/// text, Esc and Ctrl-D give `Ok(false)`; Ctrl-C gives `Err(INTERRUPTED)`, with the cursor shown.
pub fn typed_word(question: &str, word: &str) -> Result<bool> {
    let _ = (question, word);
    todo!()
}

/// One of several actions by its key; `None` for Esc, Ctrl-D and end of input. Unknown keys ask
/// again; Enter does nothing. Ctrl-C gives `Err(INTERRUPTED)`, with the cursor shown.
pub fn choose(question: &str, actions: &[(char, &str)]) -> Result<Option<char>> {
    let _ = (question, actions);
    todo!()
}

/// One line of text (a reason); empty is allowed; Esc, Ctrl-D: `None`.
pub fn line(question: &str) -> Result<Option<String>> {
    let _ = question;
    todo!()
}
