//! Reading one field after the other, collecting every fault on the way.
//!
//! Promises: a field that is missing or wrong makes one fault and nothing else; what follows from
//! it is not reported again.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Part;
use super::fault::{Fault, Rule, Severity, quoted};
use super::field::Field;
use super::key::Key;
use super::sheet::Sheet;
use super::value::{number, placeholder, word};

/// Where the document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Written for this program, or to be run by it.
    New,
    /// Of a run without receipts: what such files say otherwise is read as far as it can be.
    Legacy,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) sheet: &'a Sheet<'a>,
    pub(super) origin: Origin,
    pub(super) faults: Vec<Fault>,
    /// Keys whose value was read.
    read: BTreeSet<Key>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sheet: &'a Sheet<'a>, origin: Origin) -> Self {
        Self {
            sheet,
            origin,
            faults: Vec::new(),
            read: BTreeSet::new(),
        }
    }

    /// A value without a safe default: where it is missing or a placeholder, it is vague.
    pub(super) fn need<T>(
        &mut self,
        key: Key,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let Some(field) = self.said(key) else {
            self.missing(key);
            return None;
        };
        if is_placeholder(key, &field.value) {
            self.at(Rule::V4, Severity::Gate, field, "is still a placeholder");
            return None;
        }
        self.parse(field, parse)
    }

    /// A value with a safe default, which `None` stands for.
    pub(super) fn may<T>(
        &mut self,
        key: Key,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let field = self.said(key)?;
        if is_placeholder(key, &field.value) {
            let text = "is still a placeholder; the default is taken";
            self.at(Rule::V4, Severity::Warning, field, text);
            return None;
        }
        self.parse(field, parse)
    }

    /// The field, where it has a value.
    pub(super) fn said(&self, key: Key) -> Option<&'a Field> {
        let field = self.sheet.field(key);
        field.filter(|field| !field.value.is_empty())
    }

    /// The line of a key: its own, else that of the section that should hold it.
    pub(super) fn line(&self, key: Key) -> u32 {
        let field = self.sheet.field(key).map(|field| field.line);
        field.unwrap_or_else(|| self.sheet.place(key.part()))
    }

    /// What the fields say that count for nothing here: still placeholders, or of another mode.
    pub(super) fn unread(&self) -> BTreeMap<String, &'a str> {
        let sheet = self.sheet;
        let unread = |key: &Key| *key != Key::Confirmation && !self.read.contains(key);
        let keys = sheet.keys().filter(unread);
        keys.filter_map(|key| Some((key.label(), sheet.field(key)?.value.as_str())))
            .collect()
    }

    /// A fault of a field.
    pub(super) fn fault(
        &mut self,
        code: Rule,
        severity: Severity,
        key: Key,
        message: impl Into<String>,
    ) {
        let line = self.line(key);
        self.tell(code, severity, key.label(), line, message);
    }

    /// A fault of a section.
    pub(super) fn fault_of(
        &mut self,
        code: Rule,
        severity: Severity,
        part: Part,
        message: impl Into<String>,
    ) {
        let line = self.sheet.place(part);
        self.tell(code, severity, part.heading(), line, message);
    }

    /// A fault of something at a line.
    pub(super) fn tell(
        &mut self,
        code: Rule,
        severity: Severity,
        what: impl Into<String>,
        line: u32,
        message: impl Into<String>,
    ) {
        let fault = Fault::new(code, severity, what, line, message);
        self.faults.push(fault);
    }

    pub(super) fn missing(&mut self, key: Key) {
        let text = format!("is missing; it stands under `## {}`", key.part().heading());
        self.fault(key.rule_of_absence(), Severity::Gate, key, text);
    }

    /// A text of a whole section without a safe default.
    pub(super) fn need_text(&mut self, part: Part, absent: Rule) -> Option<String> {
        let text = self.text(part);
        let Some(text) = text else {
            self.fault_of(absent, Severity::Gate, part, "is missing");
            return None;
        };
        if placeholder::in_text(&text) {
            let message = "still holds a placeholder";
            self.fault_of(Rule::V4, Severity::Gate, part, message);
            return None;
        }
        Some(text)
    }

    /// A text of a whole section that may be missing.
    pub(super) fn may_text(&mut self, part: Part) -> Option<String> {
        let text = self.text(part)?;
        if placeholder::in_text(&text) {
            let message = "still holds a placeholder; it counts as empty";
            self.fault_of(Rule::V4, Severity::Warning, part, message);
            return None;
        }
        Some(text)
    }

    pub(super) fn text(&self, part: Part) -> Option<String> {
        let prose = self.sheet.prose(part)?;
        Some(prose.text.clone()).filter(|text| !text.is_empty())
    }

    fn parse<T>(
        &mut self,
        field: &Field,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        match parse(&field.value) {
            Ok(value) => {
                self.read.insert(field.key);
                Some(value)
            }
            Err(why) => {
                self.at(field.key.rule_of_values(), Severity::Error, field, why);
                None
            }
        }
    }

    fn at(&mut self, code: Rule, severity: Severity, field: &Field, message: impl Into<String>) {
        self.tell(code, severity, field.key.label(), field.line, message);
    }

    /// V5: what is said twice must be said alike.
    pub(super) fn compare_mirrors(&mut self) {
        let sheet = self.sheet;
        for key in sheet.keys().filter(|key| *key != Key::Confirmation) {
            let Some(counts) = sheet.field(key).filter(|_| self.read.contains(&key)) else {
                continue;
            };
            let (said, quoted_once) = (Said::of(&counts.value), quoted(&counts.value));
            let other = sheet.mirrors(key).filter(|mirror| {
                !mirror.value.is_empty()
                    && !placeholder::in_value(&mirror.value)
                    && Said::of(&mirror.value) != said
            });
            for mirror in other {
                let (says, line) = (quoted(&mirror.value), counts.line);
                let text = format!("says {says}, but line {line} says {quoted_once}");
                self.at(Rule::V5, Severity::Error, mirror, text);
            }
        }
    }
}

/// What a value means, whatever its spelling.
#[derive(PartialEq)]
enum Said {
    Number(f64),
    Words(String),
}

impl Said {
    fn of(value: &str) -> Self {
        match number::decimal(value) {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Words(word::folded_word(value)),
        }
    }
}

fn is_placeholder(key: Key, value: &str) -> bool {
    match key {
        Key::Evaluator | Key::Guard | Key::Command => placeholder::in_command(value),
        Key::SuccessDefinition | Key::AllowedChanges | Key::ForbiddenChanges => {
            placeholder::in_text(value)
        }
        _ => placeholder::in_value(value),
    }
}
