//! What children are and what they are given (conference.md A2, A8, A10).

use super::super::draft::Draft;
use super::super::fault::quoted;
use super::super::key::Key;
use super::super::reader::Reader;
use super::super::settings::{Host, Toolset};
use super::super::value::argv::Argv;
use super::super::value::word;
use super::success::operator;

const HOSTS: [(&str, Host); 5] = [
    ("hermes", Host::Hermes),
    ("command", Host::Command),
    ("local", Host::Local),
    ("recorded", Host::Recorded),
    ("handoff", Host::Handoff),
];

const TOOLSETS: [(&str, Toolset); 2] = [("web", Toolset::Web), ("search", Toolset::Search)];

/// They would tell a child that it is a session, let it run without asking, or that it is none.
const NEVER_PASSED: [&str; 3] = ["HERMES_SESSION_ID", "HERMES_YOLO_MODE", "LITHERMES_CHILD"];

pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft) {
    let settings = &mut draft.settings;
    settings.host = reader.may(Key::Host, |text| word::choose(text, &HOSTS));
    settings.command = reader.may(Key::Command, Argv::parse);
    if let Some(argv) = &settings.command {
        operator(reader, Key::Command, argv);
    }
    settings.toolsets = reader.may(Key::Toolsets, toolsets).unwrap_or_default();
    settings.pass_environment = reader
        .may(Key::PassEnvironment, environment)
        .unwrap_or_default();
}

fn toolsets(text: &str) -> Result<Vec<Toolset>, String> {
    let read: Result<Vec<Toolset>, String> = words(text)
        .map(|name| word::choose(name, &TOOLSETS))
        .collect();
    let mut toolsets = read.map_err(|why| format!("{why}; a child may have no other"))?;
    toolsets.sort_unstable();
    toolsets.dedup();
    Ok(toolsets)
}

/// Names alone: a value would stand in an approved file.
fn environment(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for name in words(text) {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.contains('=') {
            return Err("holds a value; only names stand here".to_owned());
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_letter) {
            return Err(format!("{} is no name of a variable", quoted(name)));
        }
        if NEVER_PASSED.contains(&name) {
            return Err(format!("{} is never passed on", quoted(name)));
        }
        names.push(name.to_owned());
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    word::items(text)
        .into_iter()
        .flat_map(|item| item.split_whitespace())
}
