//! Commands: split into words as a shell would, and never run by one (conference.md A4).

use std::fmt;

use serde::Serialize;

use super::super::fault::quoted;

/// A program and its arguments; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Argv(Vec<String>);

/// Words that a shell would act on. They are passed on as they are.
const OPERATORS: [&str; 9] = ["|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1"];

impl Argv {
    /// Splits a command. Fails, with the reason, where a quotation mark is not closed and where
    /// there is no word.
    pub fn parse(text: &str) -> Result<Self, String> {
        match shell_words::split(text) {
            Ok(words) if words.first().is_some_and(|first| !first.is_empty()) => Ok(Self(words)),
            Ok(_) => Err(format!("{} names no program", quoted(text))),
            Err(_) => Err(format!("{} lacks a closing quotation mark", quoted(text))),
        }
    }

    /// The words; the first is the program.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// The first word that only a shell would act on.
    pub(crate) fn operator(&self) -> Option<&str> {
        let acted_on = |word: &&String| OPERATORS.contains(&word.as_str());
        self.0.iter().find(acted_on).map(String::as_str)
    }
}

/// As it would be typed.
impl fmt::Display for Argv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shell_words::join(&self.0))
    }
}
