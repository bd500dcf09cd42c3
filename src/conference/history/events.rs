//! `conference_events.jsonl` in the spellings of others (conference.md B 2.5, A9.1).
//!
//! Promises: parsed, never searched; an unfinished last line and an immediate repetition are
//! noted and left out; any other line that cannot be read is a note, and whoever resumes from
//! such a file must refuse ([`Told::Unreadable`]).

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{Note, Read, cells, text};
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;

/// What a line tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// `conference.started`.
    Started {
        /// How many lanes.
        researchers: Option<u64>,
    },
    /// `researcher.iteration`.
    Iteration(Iteration),
    /// `round.completed`, or `round.<N>.completed`.
    RoundCompleted {
        /// Which.
        round: u32,
    },
    /// Any other event, by its name.
    Other(String),
    /// A line in the middle that is no event.
    Unreadable,
}

/// A measurement that an event tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// Which round.
    pub round: u32,
    /// Whose.
    pub lane: Lane,
    /// From 0.
    pub iteration: u32,
    /// What was measured.
    pub value: Option<f64>,
    /// Against whatever its author compared with.
    pub delta: Option<f64>,
    /// What became of it.
    pub status: RowStatus,
    /// Parts of the value, by name.
    pub sub_metrics: Vec<(String, f64)>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// From 1.
    pub line: usize,
    /// What it tells.
    pub told: Told,
    /// When; `None` where the line tells no moment.
    pub at: Option<Timestamp>,
}

/// Every line, and what was odd.
pub fn read(bytes: &[u8]) -> Result<Read<Entry>, Note> {
    let text = text(bytes)?;
    let mut read = Read {
        items: Vec::new(),
        notes: Vec::new(),
    };
    let mut before: Option<&str> = None;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let Some(whole) = line.strip_suffix('\n') else {
            let what = "the last line is unfinished; it is left out";
            read.notes.push(Note::new(number, what));
            break;
        };
        let whole = whole.strip_suffix('\r').unwrap_or(whole);
        if whole.trim().is_empty() {
            continue;
        }
        if before.replace(whole) == Some(whole) {
            let what = "the line before it once more; it is left out";
            read.notes.push(Note::new(number, what));
            continue;
        }
        let (told, at, odd) = entry(whole);
        read.notes
            .extend(odd.into_iter().map(|what| Note::new(number, what)));
        read.items.push(Entry {
            line: number,
            told,
            at,
        });
    }
    Ok(read)
}

fn entry(line: &str) -> (Told, Option<Timestamp>, Vec<String>) {
    let unreadable = |what: &str| (Told::Unreadable, None, vec![what.to_owned()]);
    let Ok(Value::Object(members)) = serde_json::from_str(line) else {
        return unreadable("no JSON object");
    };
    let mut odd = Vec::new();
    let mut member = |names: &[&str]| {
        let found = names.iter().find_map(|name| members.get_key_value(*name));
        let (name, value) = found?;
        if Some(&name.as_str()) != names.first() {
            odd.push(format!("`{name}` is read as `{}`", names[0]));
        }
        value.as_str()
    };
    let name = member(&["event", "type"]);
    let at = member(&["timestamp", "ts", "time"]).and_then(cells::moment);
    let Some(name) = name else {
        return unreadable("no event");
    };
    let empty = Map::new();
    let payload = members.get("payload").and_then(Value::as_object);
    match told(name, payload.unwrap_or(&empty), &mut odd) {
        Some(told) => (told, at, odd),
        None => unreadable("the payload does not belong to its event"),
    }
}

fn told(name: &str, payload: &Map<String, Value>, odd: &mut Vec<String>) -> Option<Told> {
    if let Some(round) = legacy_round(name) {
        odd.push("a round completed in the legacy spelling".to_owned());
        return Some(Told::RoundCompleted { round });
    }
    Some(match name {
        "conference.started" => Told::Started {
            researchers: payload.get("researchers").and_then(Value::as_u64),
        },
        "researcher.iteration" => Told::Iteration(iteration(payload)?),
        "round.completed" => Told::RoundCompleted {
            round: whole(payload.get("round"))?,
        },
        other => Told::Other(other.to_owned()),
    })
}

/// The round in `round.<N>.completed`.
fn legacy_round(name: &str) -> Option<u32> {
    let round = name.strip_prefix("round.")?.strip_suffix(".completed")?;
    round.parse().ok().filter(|round| *round > 0)
}

fn iteration(payload: &Map<String, Value>) -> Option<Iteration> {
    let word = |name: &str| payload.get(name).and_then(Value::as_str);
    let (status, _) = cells::status(word("status")?)?;
    let sub_metrics = payload.get("sub_metrics").and_then(Value::as_object);
    let sub_metrics = sub_metrics.into_iter().flatten();
    Some(Iteration {
        round: whole(payload.get("round"))?,
        lane: cells::lane(word("researcher")?)?,
        iteration: whole(payload.get("iteration"))?,
        value: change(payload.get("metric_value"))?,
        delta: change(payload.get("delta"))?,
        status,
        sub_metrics: sub_metrics
            .filter_map(|(name, value)| Some((name.clone(), value.as_f64()?)))
            .collect(),
    })
}

fn whole(value: Option<&Value>) -> Option<u32> {
    u32::try_from(value?.as_u64()?).ok()
}

/// A number, or one in quotation marks with its sign; `Some(None)` where it says that there is
/// none.
fn change(value: Option<&Value>) -> Option<Option<f64>> {
    match value {
        None | Some(Value::Null) => Some(None),
        Some(Value::String(text)) => cells::change(text),
        Some(value) => value.as_f64().filter(|number| number.is_finite()).map(Some),
    }
}
