//! Standard output and error: colour, one JSON document, a closed pipe.

use crate::error::Error;

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal that can, unless the environment says no.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where a command writes. Text goes to stdout unless `--json` asks for the one document;
/// notices and warnings go to stderr unless `--quiet`.
#[derive(Debug)]
pub struct Output {
    json: bool,
    quiet: bool,
}

impl Output {
    /// `--color` > `NO_COLOR` (not empty) > `CLICOLOR_FORCE` > terminal and `TERM` not `dumb`;
    /// decided for each stream apart.
    pub fn new(json: bool, quiet: bool, color: ColorChoice) -> Self {
        let _ = color;
        Self { json, quiet }
    }

    /// Whether the caller wants the one JSON document.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints text for a person (may hold ANSI styles, which are stripped where colour is off).
    /// Nothing under `--json`. A closed pipe is quiet.
    pub fn text(&self, text: &str) {
        let _ = text;
        todo!()
    }

    /// Prints the one document of `--json`; nothing otherwise.
    pub fn document(&self, document: &serde_json::Value) {
        let _ = document;
        todo!()
    }

    /// A line on stderr that says what happened beside the answer (`note: …`). Not with `--quiet`.
    pub fn note(&self, text: &str) {
        let _ = (text, self.quiet);
        todo!()
    }

    /// A line on stderr that warns (`warning: …`). Also with `--quiet`.
    pub fn warn(&self, text: &str) {
        let _ = text;
        todo!()
    }

    /// Renders a failure: clap's look on stderr, and with `--json` the document
    /// `lithermes/error/v1` on stdout. Values in it are made visible.
    pub fn failure(&self, error: &Error) {
        let _ = error;
        todo!()
    }
}
