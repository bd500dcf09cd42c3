//! `conference.md`: the conditions of a conference, as a person writes them
//! (conference.md A3, A4, A6, A8 to A10 and B 1 of the specification). Pure.
//!
//! Promises: every fault is told at once, each with its line and the rule that it breaks; what is
//! missing and what is wrong are told apart; no byte of the file changes but in the places that
//! the root may write; linear time.

mod convergence;
mod digest;
mod document;
mod draft;
mod fault;
mod field;
mod key;
mod lines;
mod missed;
mod reader;
mod reading;
mod rules;
mod settings;
mod sheet;
mod splice;
#[cfg(test)]
mod tests;
mod value;

pub use convergence::{Convergence, Threshold};
pub use document::{Document, Part, Section};
pub use draft::{Draft, Evaluator, Extent, Plan, Success};
pub use fault::{Fault, Rule, Severity};
pub(crate) use key::Key;
pub use reader::Origin;
pub use settings::{
    Critic, Host, MetricKind, Mode, OnLostChild, PauseEvery, Poster, Settings, Strategy, Toolset,
};
pub use value::argv::Argv;
pub use value::cost::{Cost, TokenBudget};
pub use value::duration::written;
pub use value::number::shortest;
pub use value::parameter::{Domain, Parameter};
pub use value::target::{Comparator, Direction, Target};

use self::reader::Reader;
use self::sheet::Sheet;
use crate::error::{Code, Error, Result};

/// The name of the file in the conference root.
pub const FILE: &str = "conference.md";

/// Bytes of a `conference.md` at most (A9.6).
pub const FILE_BYTES: usize = 1 << 20;

/// A `conference.md`, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The text with its sections.
    pub document: Document,
    /// What it says.
    pub draft: Draft,
    /// The broken rules, in the order of the lines.
    pub faults: Vec<Fault>,
    /// The whole of it, typed: there where no fault is an error or a gate.
    pub plan: Option<Plan>,
    /// The digest of everything that may not change (A10.5); there where no fault is an error.
    pub config_digest: Option<String>,
    /// The digest of Shared Knowledge.
    pub knowledge_digest: String,
    /// What the final confirmation says.
    pub confirmation: Option<String>,
}

impl Reading {
    /// No fault is an error.
    pub fn is_ok(&self) -> bool {
        !self.has(Severity::Error)
    }

    /// Nothing vague is left either.
    pub fn is_ready(&self) -> bool {
        self.is_ok() && !self.has(Severity::Gate)
    }

    /// Adds a fault that only the surroundings of the file show, in its place among the others.
    /// What is an error or a gate takes the plan away.
    pub(super) fn add(&mut self, code: Rule, severity: Severity, key: Key, message: String) {
        let sheet = Sheet::of(&self.document);
        let line = Reader::new(&sheet, Origin::New).line(key);
        self.place(Fault::new(code, severity, key.label(), line, message));
    }

    /// The same, of a section.
    pub(super) fn add_of(&mut self, code: Rule, severity: Severity, part: Part, message: String) {
        let line = Sheet::of(&self.document).place(part);
        self.place(Fault::new(code, severity, part.heading(), line, message));
    }

    fn place(&mut self, fault: Fault) {
        let at = self
            .faults
            .partition_point(|other| other.place() <= fault.place());
        self.faults.insert(at, fault);
        self.settle();
    }

    /// What there is as long as no fault forbids it.
    fn settle(&mut self) {
        if !self.is_ok() {
            self.config_digest = None;
        }
        if !self.is_ready() {
            self.plan = None;
        }
    }

    fn has(&self, severity: Severity) -> bool {
        self.faults.iter().any(|fault| fault.severity == severity)
    }
}

/// Reads the bytes of a `conference.md`. `INVALID_CONFERENCE` where they are more than
/// [`FILE_BYTES`], no UTF-8, or hold a NUL; all else is told by the faults of the reading.
pub fn read(bytes: Vec<u8>, origin: Origin) -> Result<Reading> {
    let document = Document::parse(text(bytes)?);
    let sheet = Sheet::of(&document);
    let mut reader = Reader::new(&sheet, origin);
    let mut draft = reading::draft(&mut reader);
    rules::check(&mut reader, &draft);
    let unread = reader.unread();
    let mut faults = reader.faults;
    faults.extend(sheet.faults.iter().cloned());
    faults.sort_by(|one, other| one.place().cmp(&other.place()));
    let ceiling = draft.extent().map(|extent| extent.ceiling);
    draft.max_total_iterations = draft.max_total_iterations.or(ceiling);
    let config_digest = digest::config(&sheet, &draft, &unread);
    let confirmation = sheet.field(Key::Confirmation);
    let confirmation = confirmation.map(|field| field.value.clone());
    let mut reading = Reading {
        knowledge_digest: digest::knowledge(&document),
        plan: draft.plan(),
        config_digest: Some(config_digest),
        document: document.clone(),
        draft,
        faults,
        confirmation,
    };
    reading.settle();
    Ok(reading)
}

fn text(bytes: Vec<u8>) -> Result<String> {
    let invalid = |message: String| Error::new(Code::InvalidConference, message);
    if bytes.len() > FILE_BYTES {
        let text = format!("{FILE} is larger than {FILE_BYTES} bytes");
        return Err(invalid(text));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let head = error.as_bytes().iter().take(good);
        let line = head.filter(|byte| **byte == b'\n').count() + 1;
        invalid(format!("{FILE} is not UTF-8 (line {line})"))
    })?;
    match text.find('\0') {
        None => Ok(text),
        Some(at) => {
            let head = text.bytes().take(at);
            let line = head.filter(|byte| *byte == b'\n').count() + 1;
            Err(invalid(format!("{FILE} holds a NUL (line {line})")))
        }
    }
}
