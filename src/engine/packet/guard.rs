//! What no string of a packet may hold, whatever its role, and what is only pointed out
//! (conference.md, Appendix C).

use serde_json::Value;

use super::{Flag, MAX_STRING, Reason, Refusal};
use crate::guard::json::pointer;
use crate::guard::secret::{self, Strength};
use crate::guard::text;

/// Marks with which chat formats begin somebody's turn.
const TURNS: [&str; 8] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "[inst]",
    "<<sys>>",
    "<|endoftext|>",
];

/// Schemas of documents that give authority.
const AUTHORITY: [&str; 3] = ["activation_token", "activation_hash", "\"authority\""];

/// Phrases that ordinary findings rarely have.
const PHRASES: [(&str, &str); 10] = [
    ("ignore previous", "asks to ignore instructions"),
    ("ignore all previous", "asks to ignore instructions"),
    ("disregard the above", "asks to ignore instructions"),
    ("| sh", "a shell command"),
    ("| bash", "a shell command"),
    ("rm -rf", "a shell command"),
    ("i committed", "claims an action that no child may take"),
    ("i pushed", "claims an action that no child may take"),
    ("i published", "claims an action that no child may take"),
    ("i deployed", "claims an action that no child may take"),
];

/// Refuses the first string, key or value, that breaks a rule; else what is worth a look.
pub(super) fn strings(root: &Value) -> Result<Vec<Flag>, Refusal> {
    let mut flags = Vec::new();
    walk(root, "", &mut flags)?;
    Ok(flags)
}

fn walk(value: &Value, at: &str, flags: &mut Vec<Flag>) -> Result<(), Refusal> {
    match value {
        Value::String(text) => string(text, at, flags),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| walk(item, &pointer(at, &index.to_string()), flags)),
        Value::Object(members) => members.iter().try_for_each(|(key, item)| {
            string(key, at, flags)?;
            walk(item, &pointer(at, key), flags)
        }),
        _ => Ok(()),
    }
}

fn string(text: &str, at: &str, flags: &mut Vec<Flag>) -> Result<(), Refusal> {
    let refuse = |reason, detail: String| Err(Refusal::new(reason, format!("{at}: {detail}")));
    let length = text.chars().count();
    if length > MAX_STRING {
        return refuse(
            Reason::LongString,
            format!("{length} characters, at most {MAX_STRING}"),
        );
    }
    if let Some(finding) = secret::find(text, Strength::Reject).first() {
        return refuse(Reason::Secret, finding.class.to_owned());
    }
    let hides = |c: char| text::is_hidden(c) && !matches!(c, '\n' | '\t' | '\u{fe0f}');
    if let Some(hidden) = text.chars().find(|c| hides(*c)) {
        return refuse(Reason::HiddenText, hidden.escape_unicode().to_string());
    }
    let low = text.to_lowercase();
    if TURNS.iter().any(|turn| low.contains(turn)) {
        return refuse(
            Reason::Instructs,
            "the mark of somebody's turn in a chat".to_owned(),
        );
    }
    if is_command(&low) {
        return refuse(
            Reason::Instructs,
            "begins as a command of the host".to_owned(),
        );
    }
    if AUTHORITY.iter().any(|word| low.contains(word)) && low.contains("schema") {
        return refuse(
            Reason::Instructs,
            "a document that would give authority".to_owned(),
        );
    }
    let found = PHRASES.iter().find(|(phrase, _)| low.contains(phrase));
    if let Some((_, what)) = found {
        flags.push(Flag {
            pointer: at.to_owned(),
            what,
        });
    }
    if has_user_in_link(&low) {
        flags.push(Flag {
            pointer: at.to_owned(),
            what: "a link with a user's name",
        });
    }
    Ok(())
}

/// `/skills approve …` and its like, not `/usr/bin` and not a fraction.
fn is_command(low: &str) -> bool {
    let Some(rest) = low.strip_prefix('/') else {
        return false;
    };
    let word: &str = rest.split(char::is_whitespace).next().unwrap_or("");
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c == '-' || c == ':')
        && COMMANDS
            .iter()
            .any(|command| word == *command || word.ends_with(&format!(":{command}")))
}

/// Commands with which a session is steered.
const COMMANDS: [&str; 14] = [
    "approve",
    "reject",
    "skills",
    "reset",
    "new",
    "stop",
    "resume",
    "yolo",
    "model",
    "rollback",
    "init",
    "cancel",
    "complete",
    "autoconference",
];

fn has_user_in_link(low: &str) -> bool {
    low.match_indices("://").any(|(at, mark)| {
        let rest = low.get(at + mark.len()..).unwrap_or_default();
        let authority = rest
            .split(['/', '?', '#', ' ', '\n', ')'])
            .next()
            .unwrap_or("");
        authority.contains('@')
    })
}
