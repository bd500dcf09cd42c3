//! A run held against its own events: packets, results, artifacts, seals, and what stood around it
//! (conference.md A1, A9.2, B 5.3). The root asks this before it goes on and before it claims an end,
//! and a person whenever.
//!
//! Promises: reads, and writes nothing; what is compared comes from the disk; every difference is
//! told with its file, its line where there is one, what was expected and what was found. A file
//! that was announced as the very last thing and is still what it was before is no difference: its
//! writer was ended in between.

mod artifacts;
mod decisions;
mod knowledge;
mod legacy;
mod packets;
mod seals;

use serde::Serialize;

use super::rounds::terms::Terms;
use super::seal::Seal;
use super::surroundings;
use crate::disk::Dir;
use crate::engine::event::{Event, Stop, Surroundings};
use crate::engine::journal::{self, EVENTS, Heard, Record};
use crate::engine::state::{Illegal, State};
use crate::error::Result;

pub use decisions::Decided;
pub use legacy::{Old, of_old};
pub use seals::{sealed, sealed_and_proven};

/// How the `check` of an end begins that nobody replayed for: no artifact is vouched for.
pub const NOT_REPLAYED: &str = "not replayed";

/// Something that is not what the events say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Below the root; `ledger` and `repository` for what lies elsewhere.
    pub file: String,
    /// From 1, where it is one line.
    pub line: Option<u64>,
    /// What it is about.
    pub what: String,
    /// What the events say, or what was recorded.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// What a replay is held against.
#[derive(Debug, Clone, Copy)]
pub struct Against<'a> {
    /// Whether artifacts are made again. Who only goes on does without: another version may write
    /// them otherwise, and the events say what this one has to find.
    pub renders: bool,
    /// What was approved; `None` where that cannot be read any more: then nothing is rendered.
    pub terms: Option<&'a Terms>,
    /// The title, for artifacts.
    pub title: &'a str,
    /// The evaluator's file, for artifacts.
    pub evaluator: Option<&'a str>,
    /// How it is about to end, where the events do not say it yet.
    pub stop: Option<&'a Stop>,
    /// How far the events were once vouched for.
    pub sealed: &'a [Seal],
}

/// What a replay found.
#[derive(Debug, Default)]
pub struct Replayed {
    /// What the events say, as far as they hold.
    pub record: Record,
    /// What of the conference differs; empty where nothing does.
    pub differences: Vec<Difference>,
    /// `conference.md` is another than was recorded, where a person may have written too.
    pub document: Option<Difference>,
    /// What stands around it and differs.
    pub around: Vec<Difference>,
    /// What was announced as the last thing and is not written yet.
    pub unwritten: Option<String>,
    /// What the rules say after each round that ended.
    pub rounds: Vec<Decided>,
    /// Charters and packets whose bytes are what their names say.
    pub packets: usize,
}

/// What is gathered line by line.
#[derive(Default)]
struct Gathered {
    packets: packets::Named,
    seals: seals::Heads,
    surroundings: Option<Surroundings>,
    written: artifacts::Written,
    rounds: Vec<Decided>,
    /// The last line ended a round.
    has_ended: bool,
}

/// Replays the events of a root and compares. `Err` only where the disk cannot be read.
pub fn of(root: &Dir, against: Against<'_>) -> Result<Replayed> {
    let mut gathered = Gathered {
        seals: seals::Heads::wanted(against.sealed),
        ..Gathered::default()
    };
    let heard = &mut |heard: Heard<'_>| gathered.hear(against.terms, heard);
    let record = journal::replay_aloud(root, heard)?;
    let (packets, mut differences) = gathered.packets.compare(root)?;
    differences.extend(gathered.seals.compare(against.sealed, record.is_ok()));
    let mut replayed = Replayed {
        packets,
        ..Replayed::default()
    };
    match record {
        Ok(record) => {
            gathered.end_round(against.terms, &record.state);
            let compared = artifacts::compare(root, &record, &gathered.written, against)?;
            differences.extend(compared.differences);
            let knowledge = knowledge::compare(root, &record.state, against)?;
            replayed.document = compared.document.filter(|_| knowledge.is_none());
            differences.extend(knowledge);
            replayed.unwritten = compared.unwritten;
            replayed.record = record;
        }
        Err(illegal) => differences.insert(0, broken(illegal)),
    }
    if let Some(then) = &gathered.surroundings {
        replayed.around = around(then, root)?;
    }
    replayed.differences = differences;
    replayed.rounds = gathered.rounds;
    Ok(replayed)
}

impl Replayed {
    /// Everything that differs.
    pub fn all(&self) -> impl Iterator<Item = &Difference> {
        let own = self.differences.iter().chain(&self.document);
        own.chain(&self.around)
    }
}

impl Gathered {
    fn hear(&mut self, terms: Option<&Terms>, heard: Heard<'_>) {
        self.end_round(terms, heard.before);
        self.packets.hear(heard.line);
        self.seals.hear(&heard);
        self.written.hear(&heard);
        match &heard.line.event {
            Event::GateConfirmed { surroundings, .. } => {
                self.surroundings = Some(surroundings.clone());
            }
            Event::RoundCompleted { .. } => self.has_ended = true,
            _ => {}
        }
    }

    /// What the rules say of a round is what they say right behind its last line.
    fn end_round(&mut self, terms: Option<&Terms>, after: &State) {
        if let (true, Some(terms)) = (std::mem::take(&mut self.has_ended), terms) {
            self.rounds.push(Decided::after(terms, after));
        }
    }
}

fn broken(illegal: Illegal) -> Difference {
    Difference {
        file: EVENTS.to_owned(),
        line: Some(illegal.line),
        what: "the line does not hold; nothing behind it was replayed".to_owned(),
        expected: "an event that is legal where it stands".to_owned(),
        found: illegal.what,
    }
}

/// The repository, and the files that commands name.
fn around(then: &Surroundings, root: &Dir) -> Result<Vec<Difference>> {
    let now = surroundings::again(then, root.path())?;
    let differs = |file: &str, what: String, expected: &str, found: &str| {
        (expected != found).then(|| Difference {
            file: file.to_owned(),
            line: None,
            what,
            expected: expected.to_owned(),
            found: found.to_owned(),
        })
    };
    let commit = |surroundings: &Surroundings| {
        let commit = surroundings.repository.clone();
        commit.unwrap_or_else(|| "nothing".to_owned())
    };
    let what = "HEAD of the repository".to_owned();
    let head = differs("repository", what, &commit(then), &commit(&now));
    let files = then.files.iter().zip(&now.files);
    let files = files.filter_map(|(then, now)| {
        let what = format!("the file of the {}", then.of);
        differs(&then.path, what, &then.sha256, &now.sha256)
    });
    Ok(head.into_iter().chain(files).collect())
}
