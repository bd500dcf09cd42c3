//! Answers out of keys: no terminal here, so that every key can be tried in a test.

use std::io::{self, ErrorKind, Write};

use console::Key;
use unicode_width::UnicodeWidthStr as _;

use crate::guard;

/// Characters that a line takes; more are neither kept nor echoed, and are no word.
const LONGEST: usize = 16 * 1024;

/// A typed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// What was typed before Enter.
    Text(String),
    /// Esc, Ctrl-D or the end of input.
    Cancelled,
    /// Ctrl-C.
    Interrupted,
}

/// A chosen action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// Its key.
    Key(char),
    /// Esc, Ctrl-D or the end of input.
    Cancelled,
    /// Ctrl-C.
    Interrupted,
}

/// What keys that write nothing (arrows, function keys) mean in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// The same as Esc, with which they begin: over a slow line they cannot be told apart.
    Word,
    /// Nothing.
    Prose,
}

/// Keys, without what `console` leaves over of sequences that it does not know.
pub(super) struct Keyboard<F> {
    read: F,
    rest: Rest,
}

/// What is to come of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Nothing,
    /// `ESC O`: one more character.
    One,
    /// `ESC [`: up to a character from `@` to `~`.
    UntilFinal,
}

impl<F: FnMut() -> io::Result<Key>> Keyboard<F> {
    pub(super) fn new(read: F) -> Self {
        Self {
            read,
            rest: Rest::Nothing,
        }
    }

    /// The next key; the end of input is Ctrl-D, also where the terminal took it for a NUL.
    fn next(&mut self) -> io::Result<Key> {
        loop {
            let key = match (self.read)() {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => Key::Char('\u{4}'),
                Ok(Key::Char('\0')) => Key::Char('\u{4}'),
                other => other?,
            };
            if !self.swallows(&key) {
                return Ok(key);
            }
        }
    }

    /// Whether the key is the rest of a sequence that has already been seen as a key.
    fn swallows(&mut self, key: &Key) -> bool {
        let rest = std::mem::replace(&mut self.rest, Rest::Nothing);
        match key {
            Key::UnknownEscSeq(sequence) => {
                self.rest = Rest::after(sequence);
                false
            }
            Key::Char(character) if !character.is_control() => {
                if rest == Rest::UntilFinal && !is_final(*character) {
                    self.rest = rest;
                }
                rest != Rest::Nothing
            }
            _ => false,
        }
    }
}

impl Rest {
    fn after(sequence: &[char]) -> Self {
        match sequence {
            ['O'] => Self::One,
            ['['] => Self::UntilFinal,
            ['[', .., last] if !is_final(*last) => Self::UntilFinal,
            _ => Self::Nothing,
        }
    }
}

fn is_final(character: char) -> bool {
    ('@'..='~').contains(&character)
}

/// Reads up to Enter and echoes, hidden characters made visible.
pub(super) fn read_line<F: FnMut() -> io::Result<Key>>(
    keyboard: &mut Keyboard<F>,
    echo: &mut impl Write,
    strictness: Strictness,
) -> io::Result<Answer> {
    let mut typed: Vec<char> = Vec::new();
    loop {
        match keyboard.next()? {
            Key::Enter => return Ok(Answer::Text(typed.into_iter().collect())),
            Key::CtrlC | Key::Char('\u{3}') => return Ok(Answer::Interrupted),
            Key::Escape | Key::Char('\u{4}') => return Ok(Answer::Cancelled),
            Key::Backspace => {
                if let Some(character) = typed.pop() {
                    let columns = shown(character).width();
                    write!(
                        echo,
                        "{0}{1}{0}",
                        "\u{8}".repeat(columns),
                        " ".repeat(columns)
                    )?;
                }
            }
            Key::Char(character) if !character.is_control() && typed.len() < LONGEST => {
                typed.push(character);
                echo.write_all(shown(character).as_bytes())?;
            }
            _ if strictness == Strictness::Word => return Ok(Answer::Cancelled),
            _ => {}
        }
        echo.flush()?;
    }
}

fn shown(character: char) -> String {
    guard::text::line(character.encode_utf8(&mut [0; 4])).into_owned()
}

/// Reads the key of an action and echoes its name. After a key that means nothing the question
/// is asked once more, not for each of a whole page of them.
pub(super) fn read_choice<F: FnMut() -> io::Result<Key>>(
    keyboard: &mut Keyboard<F>,
    echo: &mut impl Write,
    question: &str,
    actions: &[(char, &str)],
) -> io::Result<Choice> {
    let mut asked_again = false;
    loop {
        let key = keyboard.next()?;
        match key {
            Key::CtrlC | Key::Char('\u{3}') => return Ok(Choice::Interrupted),
            Key::Escape | Key::Char('\u{4}') => return Ok(Choice::Cancelled),
            Key::Enter => continue,
            _ => {}
        }
        let action = actions.iter().find(|(name, _)| key == Key::Char(*name));
        if let Some((name, label)) = action {
            echo.write_all(guard::text::line(label).as_bytes())?;
            return Ok(Choice::Key(*name));
        }
        if !asked_again {
            write!(echo, "\n{question}")?;
            echo.flush()?;
            asked_again = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Choice, Keyboard, Strictness, read_choice, read_line};
    use console::Key;
    use proptest::prelude::*;
    use std::io;

    fn keyboard(keys: Vec<Key>) -> Keyboard<impl FnMut() -> io::Result<Key>> {
        let mut keys = keys.into_iter();
        Keyboard::new(move || {
            keys.next()
                .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        })
    }

    fn typed(text: &str) -> Vec<Key> {
        let key = |c| match c {
            '\n' | '\r' => Key::Enter,
            '\u{7f}' => Key::Backspace,
            other => Key::Char(other),
        };
        text.chars().map(key).collect()
    }

    fn line(keys: Vec<Key>, strictness: Strictness) -> (Answer, String) {
        let mut echo = Vec::new();
        let answer = read_line(&mut keyboard(keys), &mut echo, strictness).unwrap();
        (answer, String::from_utf8(echo).unwrap())
    }

    fn word(keys: Vec<Key>) -> Answer {
        line(keys, Strictness::Word).0
    }

    fn text(text: &str) -> Answer {
        Answer::Text(text.to_owned())
    }

    #[test]
    fn a_line_is_what_was_typed_before_enter() {
        assert_eq!(word(typed("apply\nmore\n")), text("apply"));
        assert_eq!(word(typed("\n")), text(""));
        assert_eq!(word(typed("Y\n")), text("Y"));
        assert_eq!(word(typed("yes please\n")), text("yes please"));
        assert_eq!(word(typed("aqq\u{7f}\u{7f}pply\u{7f}y\n")), text("apply"));
        assert_eq!(word(typed("\u{7f}\u{7f}x\n")), text("x"));
        assert_eq!(word(typed(" apply\n")), text(" apply"));
    }

    #[test]
    fn what_ends_without_enter_is_no_answer() {
        assert_eq!(word(typed("apply")), Answer::Cancelled);
        assert_eq!(word(typed("apply\u{4}\n")), Answer::Cancelled);
        assert_eq!(word(typed("apply\0\n")), Answer::Cancelled);
        for key in [
            Key::Escape,
            Key::ArrowUp,
            Key::Tab,
            Key::Del,
            Key::Unknown,
            Key::Char('\u{13}'),
        ] {
            let keys = [typed("app"), vec![key.clone()], typed("ly\n")].concat();
            assert_eq!(word(keys), Answer::Cancelled, "{key:?}");
        }
        for key in [Key::CtrlC, Key::Char('\u{3}')] {
            let keys = [typed("apply"), vec![key], typed("\n")].concat();
            assert_eq!(word(keys), Answer::Interrupted);
        }
    }

    #[test]
    fn prose_passes_over_keys_that_write_nothing() {
        let keys = vec![
            Key::Char('a'),
            Key::ArrowLeft,
            // ESC [ 1 ; 5 D and ESC O P, as `console` hands them out.
            Key::UnknownEscSeq(vec!['[', '1', ';']),
            Key::Char('5'),
            Key::Char('D'),
            Key::UnknownEscSeq(vec!['O']),
            Key::Char('P'),
            Key::UnknownEscSeq(vec!['[', '1', '5']),
            Key::Char('~'),
            Key::UnknownEscSeq(vec!['x']),
            Key::Char('b'),
            Key::Enter,
        ];
        assert_eq!(line(keys, Strictness::Prose).0, text("ab"));
        let keys = vec![Key::Char('a'), Key::Escape];
        assert_eq!(line(keys, Strictness::Prose).0, Answer::Cancelled);
    }

    #[test]
    fn what_is_typed_is_echoed_visibly_and_erased_by_its_width() {
        let (answer, echo) = line(typed("é\u{202e}日\u{7f}\n"), Strictness::Prose);
        assert_eq!(answer, text("é\u{202e}"));
        assert_eq!(echo, "é\\u{202e}日\u{8}\u{8}  \u{8}\u{8}");
    }

    fn choice(keys: Vec<Key>) -> (Choice, String) {
        let mut echo = Vec::new();
        let actions = [('a', "apply"), ('q', "quit")];
        let choice = read_choice(&mut keyboard(keys), &mut echo, "which? ", &actions).unwrap();
        (choice, String::from_utf8(echo).unwrap())
    }

    #[test]
    fn only_the_key_of_an_action_chooses_it() {
        assert_eq!(
            choice(typed("\n\na")),
            (Choice::Key('a'), "apply".to_owned())
        );
        assert_eq!(
            choice(typed("Axyq")),
            (Choice::Key('q'), "\nwhich? quit".to_owned())
        );
        assert_eq!(
            choice(vec![Key::Escape, Key::Char('a')]).0,
            Choice::Cancelled
        );
        assert_eq!(choice(typed("\u{4}a")).0, Choice::Cancelled);
        assert_eq!(choice(vec![]).0, Choice::Cancelled);
        assert_eq!(
            choice(vec![Key::CtrlC, Key::Char('a')]).0,
            Choice::Interrupted
        );
        let keys = vec![
            Key::UnknownEscSeq(vec!['[', '1', ';']),
            Key::Char('5'),
            Key::Char('a'),
        ];
        assert_eq!(choice(keys).0, Choice::Cancelled);
    }

    proptest! {
        #[test]
        fn noise_says_yes_only_where_its_first_line_is_the_word(noise in "[aply\u{4}\u{1b}\n é]{0,12}") {
            let keys = noise.chars().map(|c| match c {
                '\n' => Key::Enter,
                '\u{1b}' => Key::Escape,
                other => Key::Char(other),
            });
            let yes = word(keys.collect()) == text("apply");
            prop_assert_eq!(yes, noise.starts_with("apply\n"));
        }
    }
}
