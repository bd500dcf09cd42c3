//! What may be tried: changes, roots, parameters and the guard.

use std::collections::BTreeSet;

use super::super::document::Part;
use super::super::draft::Draft;
use super::super::fault::{Rule, Severity, quoted};
use super::super::field::Split;
use super::super::key::Key;
use super::super::reader::Reader;
use super::super::value::argv::Argv;
use super::super::value::parameter::{self, Parameter};
use super::super::value::word;
use super::success::operator;

/// More dimensions than any search here can fill.
const MOST_PARAMETERS: usize = 64;

pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft) {
    let text = |text: &str| Ok(text.to_owned());
    let paths = |text: &str| Ok(word::items(text).into_iter().map(str::to_owned).collect());
    let settings = &mut draft.settings;
    settings.success_definition = reader.may(Key::SuccessDefinition, text);
    settings.allowed_changes = reader.may(Key::AllowedChanges, text);
    settings.forbidden_changes = reader.may(Key::ForbiddenChanges, text);
    let roots = reader.may(Key::AllowedReadRoots, paths);
    settings.allowed_read_roots = roots.unwrap_or_default();
    settings.forbidden_roots = reader.may(Key::ForbiddenRoots, paths).unwrap_or_default();
    settings.parameters = parameters(reader);
    let guard = reader.may(Key::Guard, |text| match text.eq_ignore_ascii_case("none") {
        true => Ok(None),
        false => Argv::parse(text).map(Some),
    });
    settings.guard = guard.flatten();
    if let Some(argv) = &settings.guard {
        operator(reader, Key::Guard, argv);
    }
}

/// The items `- name: lo .. hi` of the section; its other lines are prose.
fn parameters(reader: &mut Reader<'_>) -> Vec<Parameter> {
    let document = reader.sheet.document;
    let Some(section) = document.section(Part::Parameters) else {
        return Vec::new();
    };
    let mut found: Vec<Parameter> = Vec::new();
    let mut names = BTreeSet::new();
    let items = document.lines(section).filter_map(|line| {
        let split = Split::of(&line).filter(|split| split.is_item)?;
        Some((line.number, split))
    });
    for (line, split) in items {
        let is_full = names.len() == MOST_PARAMETERS;
        let read = match is_full {
            true => Err(format!("there are more than {MOST_PARAMETERS} parameters")),
            false => parameter(split),
        };
        let fresh = read.and_then(|read| match names.insert(read.name.clone()) {
            true => Ok(read),
            false => Err(format!("{} stands twice", quoted(&read.name))),
        });
        match fresh {
            Ok(read) => found.push(read),
            Err(message) => reader.tell(
                Rule::V3,
                Severity::Error,
                Part::Parameters.heading(),
                line,
                message,
            ),
        }
        if is_full {
            break;
        }
    }
    found
}

fn parameter(split: Split<'_>) -> Result<Parameter, String> {
    Ok(Parameter {
        name: parameter::name(split.label)?,
        domain: parameter::domain(split.value)?,
    })
}
