//! Questions to a person: the default is always that nothing happens.
//!
//! Promises: nobody is asked where nobody can answer; the cursor is never hidden; Ctrl-C ends as
//! an error of its own, with nothing changed. Questions go to stderr, so that stdout stays the
//! answer. (Ready-made prompts hide the cursor and die of Ctrl-C before they show it again.)

use std::io::IsTerminal as _;

use console::{Key, Term};

use crate::error::{Code, Error, Result};

/// Characters that a line may have; more is noise.
const LONGEST: usize = 4_000;

/// Whether somebody can be asked: stdin, stdout and stderr are terminals.
pub fn can_ask() -> bool {
    let out = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    out && std::io::stdin().is_terminal()
}

/// Asks for a typed word; `Ok(true)` only for exactly that word and Enter. Enter alone, another
/// text, Esc and Ctrl-D give `Ok(false)`; Ctrl-C gives `Err(INTERRUPTED)`, with the cursor shown.
pub fn typed_word(question: &str, word: &str) -> Result<bool> {
    Ok(line(question)?.as_deref() == Some(word))
}

/// One of several actions by its key; `None` for Esc, Ctrl-D and end of input. Unknown keys ask
/// again; Enter does nothing. Ctrl-C gives `Err(INTERRUPTED)`, with the cursor shown.
pub fn choose(question: &str, actions: &[(char, &str)]) -> Result<Option<char>> {
    let term = Term::stderr();
    let menu: Vec<String> = actions
        .iter()
        .map(|(key, what)| format!("  {key}  {what}"))
        .collect();
    say(&term, &format!("{question}\n{}\n", menu.join("\n")))?;
    loop {
        match key(&term)? {
            Key::Char(pressed) if actions.iter().any(|(key, _)| *key == pressed) => {
                return Ok(Some(pressed));
            }
            Key::Escape | Key::Char('\u{4}') => return Ok(None),
            _ => {}
        }
    }
}

/// One line of text (a reason); empty is allowed; Esc, Ctrl-D: `None`.
pub fn line(question: &str) -> Result<Option<String>> {
    let term = Term::stderr();
    say(&term, question)?;
    let mut text = String::new();
    let answer = loop {
        match key(&term)? {
            Key::Enter => break Some(text),
            Key::Escape | Key::Char('\u{4}') => break None,
            Key::Backspace if text.pop().is_some() => say(&term, "\u{8} \u{8}")?,
            Key::Char(typed) if !crate::guard::text::is_hidden(typed) && text.len() < LONGEST => {
                text.push(typed);
                say(&term, typed.encode_utf8(&mut [0; 4]))?;
            }
            // An arrow is no part of a word, but it is no answer either.
            _ => {}
        }
    };
    say(&term, "\n")?;
    Ok(answer)
}

fn key(term: &Term) -> Result<Key> {
    match term.read_key_raw() {
        Ok(Key::CtrlC) => {
            say(term, "\n")?;
            Err(Error::new(
                Code::Interrupted,
                "interrupted; nothing was changed",
            ))
        }
        Ok(Key::Char('\u{3}')) => Err(Error::new(
            Code::Interrupted,
            "interrupted; nothing was changed",
        )),
        Ok(key) => Ok(key),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(Key::Char('\u{4}')),
        Err(error) => Err(Error::new(
            Code::Io,
            format!("cannot read the terminal: {error}"),
        )),
    }
}

fn say(term: &Term, text: &str) -> Result<()> {
    term.write_str(text)
        .map_err(|error| Error::new(Code::Io, format!("cannot write to the terminal: {error}")))
}
