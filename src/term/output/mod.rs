//! Standard output and error: colour, one JSON document, a closed pipe (decisions.md §5).
//!
//! Promises: no write panics; a closed pipe is quiet; any other failed write is remembered and
//! comes back from [`Output::finish`], so that `> /dev/full` does not look like success.

mod color;
mod failure;

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::sync::OnceLock;

use serde::Serialize;

use crate::args::ColorChoice;
use crate::error::{Code, Error, Result};
use crate::guard;
use crate::term::style::{self, STRONG, WARNING, styled};

pub use failure::error_document;

/// Where a command writes. Text goes to stdout unless `--json` asks for the one document;
/// notices and warnings go to stderr unless `--quiet`.
#[derive(Debug)]
pub struct Output {
    json: bool,
    quiet: bool,
    stdout_color: bool,
    stderr_color: bool,
    failed: OnceLock<(&'static str, io::Error)>,
}

impl Output {
    /// `--color` > `NO_COLOR` (not empty) > `CLICOLOR_FORCE` (neither empty nor `0`) > terminal
    /// and `TERM` not `dumb`; decided for each stream apart, and for prompts with stderr.
    pub fn new(json: bool, quiet: bool, color: ColorChoice) -> Self {
        let environment = color::Environment::of_process();
        let stdout_color = environment.decide(color, io::stdout().is_terminal());
        let stderr_color = environment.decide(color, io::stderr().is_terminal());
        // The prompts' theme asks `console`, which would take an empty NO_COLOR for a no.
        console::set_colors_enabled(stdout_color);
        console::set_colors_enabled_stderr(stderr_color);
        Self {
            json,
            quiet,
            stdout_color,
            stderr_color,
            failed: OnceLock::new(),
        }
    }

    /// Whether the caller wants the one JSON document.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints text for a person (may hold ANSI styles, which are stripped where colour is off;
    /// other control characters are made visible). A missing last line feed is added; empty
    /// text prints nothing. Nothing under `--json`. A closed pipe is quiet.
    pub fn text(&self, text: &str) {
        if !self.json {
            self.to_stdout(&prepared(text, self.stdout_color));
        }
    }

    /// Prints the one document of `--json`, indented by two spaces; nothing otherwise. Strings
    /// keep their characters; those that could move a terminal are written as `\u` escapes. It is
    /// written while it is made, so it may be longer than memory.
    pub fn document(&self, document: &impl Serialize) {
        if self.json {
            let mut stream = BufWriter::new(io::stdout().lock());
            let written = spell(&mut stream, document).and_then(|()| stream.flush());
            self.record("standard output", written);
        }
    }

    /// Prints one of several documents of `--json`, on one line; nothing otherwise.
    pub fn event(&self, event: &serde_json::Value) {
        if self.json {
            self.to_stdout(&escaped(&format!("{event}\n")));
        }
    }

    /// A line on stderr that says what happened beside the answer (`note: …`). Not with `--quiet`.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.to_stderr(&format!("{} {text}", styled(STRONG, "note:")));
        }
    }

    /// A line on stderr that warns (`warning: …`). Also with `--quiet`.
    pub fn warn(&self, text: &str) {
        self.to_stderr(&format!("{} {text}", styled(WARNING, "warning:")));
    }

    /// Renders a failure: clap's look on stderr, and with `--json` the document
    /// `lithermes/error/v1` on stdout. Values in it are made visible.
    pub fn failure(&self, error: &Error) {
        self.document(&error_document(error));
        self.failure_text(error);
    }

    /// Renders a failure on stderr only: one of several, whose document is a part of the answer.
    pub fn failure_text(&self, error: &Error) {
        self.to_stderr(&failure::drawn(error));
    }

    /// What is wrong with the command line, as clap says it, on stderr. Its styles stay; what the
    /// line holds is made visible.
    pub fn complaint(&self, text: &str) {
        self.to_stderr(&guard::secret::redact(text));
    }

    /// The last call: fails with the first write that failed for another reason than a closed
    /// pipe. What a command decided stands all the same.
    pub fn finish(self) -> Result<()> {
        match self.failed.into_inner() {
            None => Ok(()),
            Some((stream, cause)) => {
                let message = format!("cannot write to {stream}");
                Err(Error::new(Code::Io, message).caused_by(cause))
            }
        }
    }

    fn to_stdout(&self, text: &str) {
        self.record("standard output", write(io::stdout().lock(), text));
    }

    fn to_stderr(&self, text: &str) {
        let text = prepared(text, self.stderr_color);
        self.record("standard error", write(io::stderr().lock(), &text));
    }

    fn record(&self, stream: &'static str, written: io::Result<()>) {
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                // Only the first is kept: the others follow from it.
                drop(self.failed.set((stream, error)));
            }
            _ => {}
        }
    }
}

fn write(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Text as it goes to a stream.
fn prepared(text: &str, color: bool) -> String {
    let safe = style::only_styles(text);
    let mut text = if color {
        safe.into_owned()
    } else {
        anstream::adapter::strip_str(&safe).to_string()
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The document as it goes to stdout. Line feeds stand only between values here, and no hidden
/// character stands outside a string, where its escape means the same.
fn spell(stream: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(Escaping(&mut *stream), document)?;
    stream.write_all(b"\n")
}

/// Takes whole characters only, as a serializer hands them over.
struct Escaping<W>(W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_all(escaped(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.bytes().position(is_doubtful) {
        let (plain, doubtful) = rest.split_at(at);
        text.push_str(plain);
        let mut characters = doubtful.chars();
        match characters.next() {
            Some(hidden) if guard::text::is_hidden(hidden) => {
                for unit in hidden.encode_utf16(&mut [0; 2]) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            visible => text.extend(visible),
        }
        rest = characters.as_str();
    }
    text + rest
}

/// Whether a character that begins so has to be looked at: most documents hold none.
fn is_doubtful(byte: u8) -> bool {
    byte >= 0x7f || (byte < 0x20 && byte != b'\n')
}

#[cfg(test)]
mod tests {
    use super::{ColorChoice, Output, prepared, spell};
    use crate::error::Code;
    use serde_json::json;
    use std::io::{Error, ErrorKind};

    #[test]
    fn text_is_the_same_once_stripped_and_ends_in_a_line_feed() {
        let styled = "\u{1b}[1mbold\u{1b}[0m é\ttab";
        assert_eq!(prepared(styled, true), format!("{styled}\n"));
        assert_eq!(prepared(styled, false), "bold é\ttab\n");
        assert_eq!(prepared("line\n", false), "line\n");
        assert_eq!(prepared("", true), "");
    }

    #[test]
    fn no_control_byte_passes_with_or_without_color() {
        let hostile = "x\u{1b}]8;;http://a\u{7}y\u{1b}[2Jz\r\u{9b}\u{202e}\u{7f}";
        for color in [true, false] {
            let text = prepared(hostile, color);
            assert!(
                text.trim_end().chars().all(|c| (' '..='~').contains(&c)),
                "{text:?}"
            );
            assert!(text.contains("[2J"), "{text:?}");
        }
    }

    #[test]
    fn a_document_keeps_its_characters_but_shows_no_raw_control() {
        let document = json!({"a": "\u{1b}[2J\u{9b}\u{202e}\u{e0041}é\n", "b": []});
        let mut text = Vec::new();
        spell(&mut text, &document).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(
            text,
            "{\n  \"a\": \"\\u001b[2J\\u009b\\u202e\\udb40\\udc41é\\n\",\n  \"b\": []\n}\n"
        );
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back, document);
    }

    #[test]
    fn a_closed_pipe_is_quiet_and_another_failed_write_is_not() {
        let output = Output::new(false, false, ColorChoice::Never);
        output.record("standard output", Err(ErrorKind::BrokenPipe.into()));
        output.finish().unwrap();

        let output = Output::new(false, false, ColorChoice::Never);
        output.record("standard output", Ok(()));
        output.record("standard output", Err(Error::other("first")));
        output.record("standard error", Err(Error::other("second")));
        let error = output.finish().unwrap_err();
        assert_eq!(error.code(), Code::Io);
        assert_eq!(error.message(), "cannot write to standard output");
        assert_eq!(error.causes(), ["first"]);
    }
}
