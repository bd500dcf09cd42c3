//! The end of a session: who said what, which tools were called, what they gave back.
//!
//! Promises: what stands in the first column is ours, so no message can pass for another; long
//! messages lose their middle, and say so.

use super::clean::Cleaner;
use super::fence::{Fence, indented};
use super::newest::Newest;
use super::{Session, Turn};
use crate::count;

/// Characters of a message, by who wrote it: corrections are in what the user says.
const OF_USER: usize = 6_000;
const OF_ASSISTANT: usize = 3_000;
const OF_TOOL: usize = 1_500;
/// Characters of a call's arguments.
pub(super) const OF_CALL: usize = 1_000;
/// Characters of a name or an id.
const OF_WORD: usize = 80;

const HEAD: &str = "## Session\n\n";

/// The part, before it is known how much room it has.
#[derive(Debug, Clone)]
pub(super) struct Excerpt {
    /// What is said of the session, in one line; `None` where none was asked for.
    about: Option<String>,
    items: Newest,
    /// Messages of the session, read or not.
    all: usize,
}

impl Excerpt {
    pub(super) fn of(session: Option<&Session>, cleaner: &Cleaner) -> Self {
        let Some(session) = session else {
            return Self {
                about: None,
                items: Newest::default(),
                all: 0,
            };
        };
        let id = word(&session.id, cleaner);
        let turns = session.turns.iter().rev();
        Self {
            about: Some(format!(
                "The end of session {id}, oldest message first. Cite a message as \
                 session:{id}#NUMBER.\n\n"
            )),
            items: Newest::of(turns.map(|turn| drawn(turn, cleaner)).collect()),
            all: session.messages.max(session.turns.len()),
        }
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        self.items.quoted()
    }

    /// Messages of the session, read or not.
    pub(super) fn len(&self) -> usize {
        self.all
    }

    /// How many of the newest messages `room` bytes hold.
    pub(super) fn fitting(&self, room: usize) -> usize {
        let mut counts = (0..=self.items.len()).rev();
        counts.find(|count| self.size(*count) <= room).unwrap_or(0)
    }

    /// The newest `count` messages, oldest first.
    pub(super) fn draw(&self, fence: &Fence, count: usize) -> String {
        let mut items: Vec<&str> = self.items.first(count).iter().map(String::as_str).collect();
        items.reverse();
        let quoted = match count {
            0 => String::new(),
            _ => fence.quote(&items.concat()),
        };
        format!("{}{quoted}", self.before(count))
    }

    /// Bytes with the newest `count` messages.
    pub(super) fn size(&self, count: usize) -> usize {
        let fence = if count == 0 { 0 } else { Fence::COST };
        self.before(count).len() + self.items.size(count) + fence
    }

    /// What stands before the messages; the cut ones are the oldest.
    fn before(&self, count: usize) -> String {
        let Some(about) = &self.about else {
            return format!("{HEAD}No session was asked for.\n");
        };
        let note = match self.all - count {
            0 if count == 0 => "It has no messages.\n".to_owned(),
            0 => String::new(),
            cut => {
                let all = count::of(self.all, "message", "messages");
                format!("[cut to fit: the {cut} oldest of {all}]\n")
            }
        };
        format!("{HEAD}{about}{note}")
    }
}

fn drawn(turn: &Turn, cleaner: &Cleaner) -> String {
    let mut out = format!("#{} {}", turn.id, word(&turn.role, cleaner));
    for more in [&turn.tool, &turn.at].into_iter().flatten() {
        out.push_str(&format!(" {}", word(more, cleaner)));
    }
    out.push('\n');
    let most = most(&turn.role);
    if !turn.text.is_empty() || turn.calls.is_empty() {
        out.push_str(&without_middle(&cleaner.block(&turn.text), most));
    }
    for (name, arguments) in &turn.calls {
        out.push_str(&format!("call {}\n", word(name, cleaner)));
        out.push_str(&without_middle(&cleaner.block(arguments), OF_CALL));
    }
    out
}

/// Characters of a message of this role.
pub(super) fn most(role: &str) -> usize {
    match role {
        "user" => OF_USER,
        "assistant" => OF_ASSISTANT,
        _ => OF_TOOL,
    }
}

/// A cleaned text, indented; where it is too long, two thirds of its beginning and one of its end.
fn without_middle(clean: &str, most: usize) -> String {
    let characters = clean.chars().count();
    if characters <= most {
        return indented(clean);
    }
    let border = |at: usize| {
        clean
            .char_indices()
            .nth(at)
            .map_or(clean.len(), |(at, _)| at)
    };
    let (from, to) = (border(most * 2 / 3), border(characters - most / 3));
    let part = |range: std::ops::Range<usize>| indented(clean.get(range).unwrap_or_default());
    format!(
        "{}[cut to fit: {}]\n{}",
        part(0..from),
        count::of(to - from, "byte", "bytes"),
        part(to..clean.len())
    )
}

/// A name or an id that stands on a line of ours: one word, or `?`.
pub(super) fn word(raw: &str, cleaner: &Cleaner) -> String {
    let clean = cleaner.line(raw);
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '+');
    let is_word = !clean.is_empty() && clean.len() <= OF_WORD && clean.chars().all(plain);
    if is_word { clean } else { "?".to_owned() }
}
