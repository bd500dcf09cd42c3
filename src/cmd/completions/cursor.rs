//! Where the cursor stands in an unfinished command line, and which ids belong there.
//!
//! Promises: pure, and nothing but `args` decides; a line that is not understood has no place
//! for an id.

use std::borrow::Cow;

use clap::{Arg, ArgAction, Command};

/// The place of an id.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Which ids.
    pub(super) wanted: Wanted,
    /// What is there of it.
    pub(super) typed: String,
    /// The values before it: ids that need not be named again.
    pub(super) given: Vec<String>,
    /// Options with their values, by the argument's name in `args`.
    options: Vec<(String, String)>,
}

impl Cursor {
    /// The value of an option on the line.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rfind(|(option, _)| option == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// What an id is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Any proposal.
    Show,
    /// A pending proposal that has not been altered.
    Apply,
    /// A pending proposal.
    Reject,
    /// A receipt.
    Rollback,
}

impl Wanted {
    fn of(path: &[&str], value: &str) -> Option<Self> {
        match (path, value) {
            (["skill-loop", "show"], "ID") => Some(Self::Show),
            (["skill-loop", "apply"], "ID") => Some(Self::Apply),
            (["skill-loop", "reject"], "ID") => Some(Self::Reject),
            (_, "LEDGER_ID") => Some(Self::Rollback),
            _ => None,
        }
    }
}

/// Looks at the words of a line, the program's name first, the word at the cursor last.
pub(super) fn find(root: &Command, words: &[String]) -> Option<Cursor> {
    let words = rejoined(words);
    let (typed, before) = words.split_last()?;
    let mut line = Line::new(root);
    let mut before = before.iter();
    before.next()?;
    while let Some(word) = before.next() {
        line.take(word, &mut || before.next().map(String::as_str))?;
    }
    if typed.starts_with('-') && !line.only_values {
        return None;
    }
    let path: Vec<&str> = line.path.iter().map(|command| command.get_name()).collect();
    let arg = positional(line.command(), line.given.len())?;
    let value = arg.get_value_names()?.first()?;
    Some(Cursor {
        wanted: Wanted::of(&path, value)?,
        typed: typed.clone(),
        given: line.given,
        options: line.options,
    })
}

/// The argument that takes the value after this many.
fn positional(command: &Command, before: usize) -> Option<&Arg> {
    let mut all = command.get_positionals();
    let repeats = |arg: &&Arg| matches!(arg.get_action(), ArgAction::Append);
    let last = command.get_positionals().last().filter(repeats);
    all.nth(before).or(last)
}

/// A line as far as it has been read.
struct Line<'a> {
    root: &'a Command,
    path: Vec<&'a Command>,
    given: Vec<String>,
    options: Vec<(String, String)>,
    /// `--` stood there.
    only_values: bool,
}

impl<'a> Line<'a> {
    fn new(root: &'a Command) -> Self {
        Self {
            root,
            path: Vec::new(),
            given: Vec::new(),
            options: Vec::new(),
            only_values: false,
        }
    }

    fn command(&self) -> &'a Command {
        self.path.last().copied().unwrap_or(self.root)
    }

    /// `None` where the line is none of ours, or ends where a value is due.
    fn take<'w>(&mut self, word: &str, next: &mut dyn FnMut() -> Option<&'w str>) -> Option<()> {
        if self.only_values {
            self.given.push(word.to_owned());
        } else if word == "--" {
            self.only_values = true;
        } else if let Some(option) = word.strip_prefix("--") {
            self.take_option(option, next)?;
        } else if word.starts_with('-') && word.len() > 1 {
            // `-h` and `-V` are all the short ones: nothing is run.
            return None;
        } else if let Some(command) = self.subcommand(word) {
            self.path.push(command);
        } else {
            self.given.push(word.to_owned());
        }
        Some(())
    }

    fn subcommand(&self, word: &str) -> Option<&'a Command> {
        let found = self.command().find_subcommand(word);
        found.filter(|_| self.given.is_empty())
    }

    fn take_option<'w>(
        &mut self,
        option: &str,
        next: &mut dyn FnMut() -> Option<&'w str>,
    ) -> Option<()> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        let ours = self.command().get_arguments();
        let mut known = ours.chain(self.root.get_arguments());
        let arg = known.find(|arg| arg.get_long() == Some(name))?;
        if arg.get_action().takes_values() {
            let value = value.map(str::to_owned);
            let value = value.or_else(|| next().map(str::to_owned))?;
            self.options.push((arg.get_id().to_string(), value));
        }
        Some(())
    }
}

/// The words as the program would be handed them. Bash breaks `--option=value` into three, and
/// gives words as they were typed.
fn rejoined(words: &[String]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::with_capacity(words.len());
    let mut follows_sign = false;
    for word in words {
        let is_sign = word == "=";
        match whole.last_mut() {
            Some(last) if follows_sign || (is_sign && last.starts_with("--")) => {
                last.push_str(&unquoted(word));
            }
            _ => whole.push(unquoted(word).into_owned()),
        }
        follows_sign = is_sign;
    }
    whole
}

/// A word without the quotes and backslashes that the shell would take away.
fn unquoted(word: &str) -> Cow<'_, str> {
    if !word.contains(['\'', '"', '\\']) {
        return Cow::Borrowed(word);
    }
    let mut plain = String::with_capacity(word.len());
    let mut quote = None;
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            (None | Some('"'), '\\') => plain.extend(rest.next()),
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use proptest::prelude::*;

    use super::{Cursor, Wanted, find};
    use crate::args::Args;

    fn at(line: &str) -> Option<Cursor> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        find(&Args::command(), &words)
    }

    #[test]
    fn an_id_is_wanted_where_the_command_line_takes_one() {
        let table = [
            ("lithermes skill-loop show ", Wanted::Show),
            ("lithermes skill-loop apply ", Wanted::Apply),
            ("lithermes skill-loop apply p-1 p-2 ", Wanted::Apply),
            ("lithermes skill-loop apply --dry-run p-3f", Wanted::Apply),
            ("lithermes --json skill-loop apply -- -", Wanted::Apply),
            ("lithermes skill-loop reject --reason x ", Wanted::Reject),
            ("lithermes skill-loop reject --reason = x ", Wanted::Reject),
            (
                "lithermes --workspace show skill-loop reject ",
                Wanted::Reject,
            ),
            ("lithermes skill-loop rollback l-", Wanted::Rollback),
        ];
        for (line, wanted) in table {
            let cursor = at(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(cursor.wanted, wanted, "{line}");
            assert_eq!(cursor.typed, line.rsplit(' ').next().unwrap(), "{line}");
        }
    }

    #[test]
    fn elsewhere_no_id_is_wanted() {
        for line in [
            "",
            "lithermes",
            "lithermes ",
            "lithermes skill-loop ",
            "lithermes skill-loop apply",
            "lithermes skill-loop apply -",
            "lithermes skill-loop apply --dry",
            "lithermes skill-loop show p-1 ",
            "lithermes skill-loop reject p-1 --reason ",
            "lithermes skill-loop reject p-1 --reason=",
            "lithermes skill-loop reject --reason = ",
            "lithermes skill-loop apply --frobnicate ",
            "lithermes skill-loop apply -h ",
            "lithermes skill-loop list ",
            "lithermes skill-loop propose ",
            "lithermes show ",
            "lithermes x skill-loop show ",
            "lithermes help skill-loop show ",
            "lithermes completions bash -- lithermes skill-loop show ",
        ] {
            assert_eq!(at(line), None, "{line}");
        }
    }

    #[test]
    fn options_and_ids_before_the_cursor_are_known_however_they_are_spelled() {
        for line in [
            "lithermes --workspace /w/a skill-loop apply p-1 ",
            "lithermes skill-loop --workspace=/w/a apply p-1 ",
            "lithermes skill-loop apply --workspace = /w/a p-1 ",
            "lithermes skill-loop apply --workspace \"/w/a\" 'p-1' ",
            "lithermes skill-loop apply --workspace /no --workspace '/w/'\\a p-1 ",
        ] {
            let cursor = at(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(cursor.option("workspace"), Some("/w/a"), "{line}");
            assert_eq!(cursor.option("profile"), None, "{line}");
            assert_eq!(cursor.given, ["p-1"], "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(words in prop::collection::vec(
            prop_oneof![
                Just("skill-loop".to_owned()), Just("apply".to_owned()), Just("--".to_owned()),
                Just("=".to_owned()), Just("--reason".to_owned()), "[-='\"\\\\a é]{0,6}",
            ], 0..8)
        ) {
            find(&Args::command(), &words);
        }
    }
}
