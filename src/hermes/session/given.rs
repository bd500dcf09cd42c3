//! Skills that a person gave the agent with a slash command: the host puts their text into the
//! conversation itself, without a tool call. (One that is given when a session is started leaves
//! no trace in the database.)

/// How the host's own notes in a message begin.
pub(super) const NOTE: &str = "[IMPORTANT: ";
const COMMAND: &str = "has invoked the \"";
const BUNDLE: &str = "Skills loaded: ";
/// The lines of a note, before the text of the skills.
const NOTE_LINES: usize = 4;

/// The skills that the text of a user's message hands over: one, or several together.
pub(super) fn in_message(text: &str) -> Vec<&str> {
    let mut lines = text.lines().take(NOTE_LINES);
    let first = lines.next().and_then(|line| line.strip_prefix(NOTE));
    let Some(named) = first.and_then(|note| after(note, COMMAND)) else {
        return Vec::new();
    };
    let Some((name, rest)) = named.split_once('"') else {
        return Vec::new();
    };
    if rest.starts_with(" skill,") {
        return vec![name];
    }
    let list = lines.find_map(|line| line.strip_prefix(BUNDLE));
    list.map(|list| list.split(", ").collect())
        .unwrap_or_default()
}

fn after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    text.split_once(mark).map(|(_, rest)| rest)
}
