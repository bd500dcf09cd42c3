//! A failure for a person (clap's look) and for a program (`lithermes/error/v1`).
//!
//! Promises: a failure quotes what it was given, and repeats no credential of it.

use std::fmt::Write as _;

use anstyle::Style;
use serde_json::{Value, json};

use crate::error::{Error, Fault};
use crate::guard;
use crate::guard::secret::redact;
use crate::term::style::{ERROR, HINT, STRONG, styled};

/// The document `lithermes/error/v1`: every key is always there, `null` or empty where there is
/// nothing to say (decisions.md §5).
pub fn error_document(error: &Error) -> Value {
    let fault = |fault: &Fault| Fault {
        message: redact(&fault.message).into_owned(),
        ..fault.clone()
    };
    let all = |texts: &[String]| -> Vec<String> {
        texts.iter().map(|text| redact(text).into_owned()).collect()
    };
    json!({
        "schema": "lithermes/error/v1",
        "code": error.code().as_str(),
        "message": redact(error.message()),
        "expected": error.expectation().map(redact),
        "found": error.finding().map(redact),
        "faults": error.faults().iter().map(fault).collect::<Vec<_>>(),
        "causes": all(error.causes()),
        "hints": all(error.hints()),
    })
}

/// The failure with ANSI styles, each line ended.
pub(super) fn drawn(error: &Error) -> String {
    let mut text = String::new();
    let head = format!("error[{}]", error.code().as_str());
    entry(&mut text, "", ERROR, &head, error.message());
    if let Some(expected) = error.expectation() {
        entry(&mut text, "  ", STRONG, "expected", expected);
    }
    if let Some(found) = error.finding() {
        entry(&mut text, "  ", STRONG, "found", found);
    }
    for fault in error.faults() {
        entry(&mut text, "  ", STRONG, &place(fault), &fault.message);
    }
    for cause in error.causes() {
        entry(&mut text, "  ", STRONG, "caused by", cause);
    }
    for hint in error.hints() {
        entry(&mut text, "", HINT, "hint", hint);
    }
    text
}

fn place(fault: &Fault) -> String {
    let Fault { line, column, .. } = fault;
    let what = match fault.pointer.as_str() {
        "" => "at the document".into(),
        pointer => guard::text::line(pointer),
    };
    match (fault.pointer.is_empty(), *line) {
        (true, _) => format!("{what} (line {line}, column {column})"),
        (false, 0) => format!("at {what}"),
        (false, _) => format!("at {what} (line {line}, column {column})"),
    }
}

/// `label: text`; further lines of the text are indented, so that none can pose as an entry.
fn entry(into: &mut String, indent: &str, style: Style, label: &str, text: &str) {
    let label = styled(style, &format!("{label}:"));
    let safe = redact(text);
    let text = guard::text::block(&safe);
    let mut lines = text.lines();
    // Writing to a string cannot fail.
    let _ = writeln!(into, "{indent}{label} {}", lines.next().unwrap_or_default());
    for line in lines {
        let _ = writeln!(into, "{indent}    {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::{drawn, error_document};
    use crate::error::{Code, Error, Fault};
    use serde_json::json;

    fn full() -> Error {
        Error::new(Code::InvalidProposal, "the proposal breaks 2 rules")
            .expected("a\u{1b}[2J")
            .found("b\nerror[IO_ERROR]: forged")
            .with_faults(vec![
                Fault {
                    pointer: "/patch/edits/0".to_owned(),
                    line: 3,
                    column: 9,
                    message: "is empty".to_owned(),
                },
                Fault {
                    pointer: String::new(),
                    line: 1,
                    column: 1,
                    message: "is no object".to_owned(),
                },
            ])
            .caused_by("outer")
            .caused_by("inner")
            .hint("lithermes skill-loop propose FILE")
    }

    #[test]
    fn a_failure_looks_like_those_of_clap_and_nothing_in_it_poses_as_an_entry() {
        let plain = anstream::adapter::strip_str(&drawn(&full())).to_string();
        assert_eq!(
            plain,
            "error[INVALID_PROPOSAL]: the proposal breaks 2 rules\n\
             \x20 expected: a\\u{1b}[2J\n\
             \x20 found: b\n\
             \x20     error[IO_ERROR]: forged\n\
             \x20 at /patch/edits/0 (line 3, column 9): is empty\n\
             \x20 at the document (line 1, column 1): is no object\n\
             \x20 caused by: outer\n\
             \x20 caused by: inner\n\
             hint: lithermes skill-loop propose FILE\n"
        );
        assert!(
            drawn(&full()).starts_with("\u{1b}[1m\u{1b}[31merror[INVALID_PROPOSAL]:\u{1b}[0m ")
        );
    }

    #[test]
    fn the_document_has_every_key_always() {
        assert_eq!(
            error_document(&Error::new(Code::Io, "disk full")),
            json!({
                "schema": "lithermes/error/v1", "code": "IO_ERROR", "message": "disk full",
                "expected": null, "found": null, "faults": [], "causes": [], "hints": [],
            })
        );
        let document = error_document(&full());
        assert_eq!(document["expected"], "a\u{1b}[2J");
        assert_eq!(
            document["faults"][0],
            json!({"pointer": "/patch/edits/0", "line": 3, "column": 9, "message": "is empty"})
        );
        assert_eq!(document["causes"], json!(["outer", "inner"]));
    }
}
