//! Questions to a person: the default is always that nothing happens.
//!
//! Promises: a question goes to stderr and its answer comes from stdin, never from `/dev/tty`;
//! whatever is no clear yes is a no, and what was typed behind a no is thrown away; the terminal
//! is left as it was found, its cursor shown.

mod keys;

use std::io::{self, IsTerminal as _, Write as _};

use console::{Key, Term};
use dialoguer::theme::{ColorfulTheme, Theme as _};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use super::style;
use crate::error::{Code, Error, Result};
use keys::{Answer, Choice, Keyboard, Strictness};

/// Whether somebody can be asked: stdin, stdout and stderr are terminals.
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a typed word; `Ok(true)` only for exactly that word and Enter. Enter alone, another
/// text, Esc, an arrow key and Ctrl-D give `Ok(false)`; Ctrl-C gives `Err(INTERRUPTED)`, with the
/// cursor shown. `Err(USAGE)` where nobody can be asked.
pub fn typed_word(question: &str, word: &str) -> Result<bool> {
    let mut session = Session::open(&rendered(question)?)?;
    let answer = keys::read_line(&mut session.keyboard, &mut session.echo, Strictness::Word);
    match session.settle(answer)? {
        Answer::Text(text) if text == word => Ok(true),
        Answer::Interrupted => Err(session.interrupted()),
        Answer::Text(_) | Answer::Cancelled => {
            session.mode.forget_input = true;
            Ok(false)
        }
    }
}

/// One of several actions by its key; `None` for Esc, Ctrl-D and end of input. Unknown keys ask
/// again; Enter does nothing. Ctrl-C gives `Err(INTERRUPTED)`, with the cursor shown.
/// `Err(USAGE)` where nobody can be asked.
pub fn choose(question: &str, actions: &[(char, &str)]) -> Result<Option<char>> {
    let mut question = rendered(question)?;
    for (key, name) in actions {
        question.push_str(&style::only_styles(&format!("\n  {key}  {name}")));
    }
    question.push('\n');
    let mut session = Session::open(&question)?;
    let choice = keys::read_choice(&mut session.keyboard, &mut session.echo, &question, actions);
    match session.settle(choice)? {
        Choice::Key(key) => Ok(Some(key)),
        Choice::Interrupted => Err(session.interrupted()),
        Choice::Cancelled => {
            session.mode.forget_input = true;
            Ok(None)
        }
    }
}

/// One line of text (a reason); empty is allowed; Esc, Ctrl-D: `None`. Ctrl-C gives
/// `Err(INTERRUPTED)`, with the cursor shown. `Err(USAGE)` where nobody can be asked.
pub fn line(question: &str) -> Result<Option<String>> {
    let mut session = Session::open(&rendered(question)?)?;
    let answer = keys::read_line(&mut session.keyboard, &mut session.echo, Strictness::Prose);
    match session.settle(answer)? {
        Answer::Text(text) => Ok(Some(text)),
        Answer::Interrupted => Err(session.interrupted()),
        Answer::Cancelled => {
            session.mode.forget_input = true;
            Ok(None)
        }
    }
}

/// The question as the theme has it, which puts its own sign where a colon would stand; colour as
/// `Output::new` decided for stderr. The theme's own grey is one of 256, and some palettes have it
/// as their background.
fn rendered(question: &str) -> Result<String> {
    let theme = ColorfulTheme {
        prompt_suffix: console::style("›".to_owned()).for_stderr().bold(),
        ..ColorfulTheme::default()
    };
    let question = question.trim_end().trim_end_matches(':');
    let mut text = String::new();
    let written = theme.format_input_prompt(&mut text, question, None);
    written.map_err(|error| Error::new(Code::Io, "cannot show a question").caused_by(error))?;
    Ok(style::only_styles(&text).into_owned())
}

type ReadKey = fn() -> io::Result<Key>;

/// A question that is being asked; the terminal goes back to what it was with its end.
struct Session {
    keyboard: Keyboard<ReadKey>,
    echo: io::Stderr,
    mode: RawMode,
}

impl Session {
    fn open(question: &str) -> Result<Self> {
        if !can_ask() {
            let message = "a question needs a person to answer it";
            return Err(Error::new(Code::Usage, message)
                .expected("stdin, stdout and stderr to be terminals"));
        }
        let mode = RawMode::enter()?;
        let mut echo = io::stderr();
        echo.write_all(question.as_bytes())?;
        echo.flush()?;
        let keyboard = Keyboard::new((|| Term::stderr().read_key_raw()) as ReadKey);
        Ok(Self {
            keyboard,
            echo,
            mode,
        })
    }

    /// Ends the line of the question, whatever came of it.
    fn settle<T>(&mut self, outcome: io::Result<T>) -> Result<T> {
        self.echo.write_all(b"\n")?;
        Ok(outcome?)
    }

    fn interrupted(&mut self) -> Error {
        self.mode.forget_input = true;
        // Somebody else may have hidden it. Failing to show it changes nothing about the answer.
        drop(Term::stderr().show_cursor());
        Error::new(Code::Interrupted, "interrupted; nothing more was changed")
    }
}

/// Keys one by one for as long as this lives. `console` switches for each key; between two keys
/// the terminal would echo, act on Ctrl-C by itself and stop on Ctrl-S.
struct RawMode {
    before: Termios,
    /// Whether what has been typed and not read is thrown away in the end, lest it answer the
    /// next question.
    forget_input: bool,
}

impl RawMode {
    fn enter() -> Result<Self> {
        let before = tcgetattr(io::stdin()).map_err(io::Error::from)?;
        let mut raw = before.clone();
        raw.make_raw();
        // Line feeds are still to begin a line.
        raw.output_modes = before.output_modes;
        tcsetattr(io::stdin(), OptionalActions::Drain, &raw).map_err(io::Error::from)?;
        Ok(Self {
            before,
            forget_input: false,
        })
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        let action = if self.forget_input {
            OptionalActions::Flush
        } else {
            OptionalActions::Drain
        };
        // A terminal that is gone needs no restoring.
        let _ = tcsetattr(io::stdin(), action, &self.before);
    }
}
