//! The conditions of a conference for a person: what was read, what it costs, what is wrong.

mod rows;

use crate::conference::gate::{Approval, Conditions};
use crate::conference::plan::{FILE, Severity};
use crate::guard::text;
use crate::term::table;

/// Three tables: conditions, totals and faults; the last only where there is one.
pub(super) fn conditions(conditions: &Conditions) -> String {
    let width = table::width();
    let mut out = table::draw(&["CONDITION", "VALUE"], &rows::said(conditions), width);
    if let Some(totals) = &conditions.totals {
        out.push('\n');
        out.push_str(&table::draw(
            &["TOTAL", "AT MOST"],
            &rows::spent(totals),
            width,
        ));
    }
    let faults: Vec<Vec<String>> = conditions
        .reading
        .faults
        .iter()
        .map(|fault| {
            let place = format!("{FILE}:{}", fault.line);
            let message = format!("{}: {}", fault.field, fault.message);
            let severity = fault.severity.as_str().to_owned();
            vec![
                place,
                severity,
                fault.code.to_string(),
                text::line(&message).into_owned(),
            ]
        })
        .collect();
    if !faults.is_empty() {
        out.push('\n');
        out.push_str(&table::draw(
            &["PLACE", "KIND", "RULE", "FAULT"],
            &faults,
            None,
        ));
    }
    out
}

/// What is still vague, or the digest and the command that approves it.
pub(super) fn next(conditions: &Conditions, words: &[String]) -> String {
    let reading = &conditions.reading;
    let mut out = String::from("\n");
    let gates = reading.faults.iter();
    let gates = gates.filter(|fault| fault.severity == Severity::Gate);
    let vague: Vec<&str> = gates.map(|fault| fault.field.as_str()).collect();
    if !vague.is_empty() {
        out.push_str(&format!("Still vague: {}\n", vague.join(", ")));
    }
    let Some(digest) = conditions.approval.as_ref().map(Approval::digest) else {
        return out;
    };
    out.push_str(&format!("approval {digest}\n"));
    if reading.confirmation.as_deref() == Some(&format!("confirmed {digest}")) {
        out.push_str("The file says that it is confirmed.\n");
        return out;
    }
    let head = ["lithermes", "conference", "approve"].map(str::to_owned);
    let tail = ["--digest".to_owned(), digest];
    let command = [&head[..], words, &tail[..]].concat();
    let command = shell_words::join(command);
    out.push_str(&format!("Next: {}\n", text::line(&command)));
    out
}
