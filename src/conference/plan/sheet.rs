//! The document sorted: its fields by key, its prose by section, and what stands twice.
//!
//! Promises: one pass over the lines; every line that is no field, comment or blank is prose of
//! its section.

use std::collections::BTreeMap;

use super::document::{Document, Part, Section, folded};
use super::fault::{Fault, Rule, Severity};
use super::field::{Field, Split, continues};
use super::key::Key;
use super::lines::Kind;
use super::missed::{Meant, meant};

/// A text with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prose {
    pub(super) line: u32,
    pub(super) text: String,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    pub(super) document: &'a Document,
    fields: BTreeMap<Key, Vec<Field>>,
    prose: BTreeMap<Part, Prose>,
    /// What is no field, per section in its order; a part of the configuration.
    pub(super) rest: Vec<(&'a Section, String)>,
    /// Sections that stand twice and fields that stray.
    pub(super) faults: Vec<Fault>,
}

impl<'a> Sheet<'a> {
    pub(super) fn of(document: &'a Document) -> Self {
        let mut sheet = Self {
            document,
            fields: BTreeMap::new(),
            prose: BTreeMap::new(),
            rest: Vec::new(),
            faults: Vec::new(),
        };
        for section in document.sections() {
            if !sheet.is_repeated(section) {
                sheet.take(section);
            }
        }
        sheet
    }

    /// The value that counts: that of its own section, else another's. The gate only repeats;
    /// but a ceiling that stands there alone would otherwise be overlooked for its default.
    pub(super) fn field(&self, key: Key) -> Option<&Field> {
        let all = self.fields.get(&key)?;
        let counts = |field: &&Field| field.part != Part::Gate || key == Key::MaxTotalIterations;
        let home = all.iter().find(|field| field.part == key.part());
        home.or_else(|| all.iter().find(counts))
    }

    /// The other places that say the same key.
    pub(super) fn mirrors(&self, key: Key) -> impl Iterator<Item = &Field> {
        let counts = self.field(key).map(|field| field.line);
        let all = self.fields.get(&key).into_iter().flatten();
        all.filter(move |field| Some(field.line) != counts)
    }

    /// The keys that stand somewhere.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        self.fields.keys().copied()
    }

    /// The text of a section, where there is one.
    pub(super) fn prose(&self, part: Part) -> Option<&Prose> {
        self.prose.get(&part)
    }

    /// The line at which something of this part is missing.
    pub(super) fn place(&self, part: Part) -> u32 {
        self.prose.get(&part).map_or(1, |prose| prose.line)
    }

    /// The lanes that have a focus section.
    pub(super) fn focus(&self) -> impl Iterator<Item = (char, &Prose)> {
        self.prose.iter().filter_map(|(part, prose)| match part {
            Part::Focus(lane) => Some((*lane, prose)),
            _ => None,
        })
    }

    fn is_repeated(&mut self, section: &Section) -> bool {
        let first = match section.part {
            Part::Other => None,
            part => self.prose.get(&part).map(|prose| prose.line),
        };
        let Some(first) = first else {
            return false;
        };
        let code = match section.part {
            Part::Focus(_) => Rule::V6,
            _ => Rule::V5,
        };
        self.faults.push(Fault::new(
            code,
            Severity::Error,
            section.part.heading(),
            section.line,
            format!("the section stands twice; the first is at line {first}"),
        ));
        true
    }

    fn take(&mut self, section: &'a Section) {
        let document = self.document;
        let mut rest = String::new();
        let mut open: Option<Field> = None;
        for line in document.lines(section) {
            if let Some(field) = &mut open
                && continues(field.key, &line)
            {
                field.value.push('\n');
                field.value.push_str(line.text.trim());
                continue;
            }
            self.close(open.take());
            let split = Split::of(&line).filter(|_| !section.part.is_mutable());
            match split.and_then(|split| Some((split, Key::of(section.part, split.label)?))) {
                Some((split, key)) => open = Some(split.field(key, section.part, &line)),
                None => {
                    self.stray(split, section.part, line.number);
                    if line.kind != Kind::Comment && !line.is_blank() && !line.is_rule() {
                        rest.push_str(line.text.trim_end());
                        rest.push('\n');
                    }
                }
            }
        }
        self.close(open);
        self.rest.push((section, rest));
        let text = document.prose(section);
        let line = section.line;
        self.prose.insert(section.part, Prose { line, text });
    }

    fn close(&mut self, field: Option<Field>) {
        if let Some(mut field) = field {
            field.value = field.value.trim().to_owned();
            self.fields.entry(field.key).or_default().push(field);
        }
    }

    /// A label that is known elsewhere would be overlooked here without a word.
    fn stray(&mut self, split: Option<Split<'_>>, part: Part, line: u32) {
        let holds_fields = |part| {
            matches!(
                part,
                Part::SuccessMetric
                    | Part::Researchers
                    | Part::SearchSpace
                    | Part::Partitioning
                    | Part::Guard
                    | Part::Noise
                    | Part::Convergence
                    | Part::Constraints
                    | Part::Host
                    | Part::Gate
            )
        };
        if split.is_some_and(|split| holds_fields(part) && is_focus(split.label)) {
            self.faults.push(Fault::new(
                Rule::V6,
                Severity::Warning,
                "Researcher Focus",
                line,
                "stands on a line of its own and is read as prose; a focus begins with a heading, \
                 `### Researcher A Focus`",
            ));
        }
        let strayed = split
            .filter(|_| holds_fields(part))
            .and_then(|s| s.strayed());
        if let Some(key) = strayed {
            self.faults.push(Fault::new(
                Rule::V1,
                Severity::Warning,
                key.label(),
                line,
                format!(
                    "is not read here; it belongs under `## {}`",
                    key.part().heading()
                ),
            ));
        }
    }
}

fn is_focus(label: &str) -> bool {
    meant(&folded(label)) == Some(Meant::Surely)
}
