//! `check --replay`: a run held against its own events, for people and for programs.

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use super::told;
use crate::conference::plan::{FILE, Reading, shortest};
use crate::conference::replay::{self, Against, Decided, Difference};
use crate::conference::root::Root;
use crate::conference::seal::Seal;
use crate::conference::subject::Subject;
use crate::conference::{agreed, approved, artifacts};
use crate::count;
use crate::disk::Lock;
use crate::engine::journal::{self, EVENTS};
use crate::engine::state::Gate;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::term::table;

/// What came of it.
#[derive(Default)]
pub(super) struct Shown {
    is_old: bool,
    events: u64,
    packets: usize,
    artifacts: usize,
    seals: usize,
    rounds: Vec<Decided>,
    differences: Vec<Difference>,
    notes: Vec<String>,
}

/// Replays what stands in a root. `NOT_FOUND` where nothing was begun there.
pub(super) fn of(invocation: &Invocation, root: &Root, reading: &Reading) -> Result<Shown> {
    let mut gate = None;
    let heard = &mut |heard: journal::Heard<'_>| {
        gate = gate.take().or_else(|| heard.before.gate.clone());
    };
    let first = journal::replay_aloud(root.dir(), heard)?;
    let last = first.as_ref().ok();
    let gate = gate.or_else(|| last.and_then(|record| record.state.gate.clone()));
    match (first, gate) {
        (Ok(record), _) if record.legacy => old(root, reading),
        (_, Some(gate)) => receipted(invocation, root, reading, &gate),
        (Ok(_), None) => {
            let text = format!("no {EVENTS} that says anything: nothing was begun here");
            Err(Error::new(Code::NotFound, text).hint("lithermes conference status"))
        }
        (Err(_), None) => Ok(Shown {
            differences: replay::of(root.dir(), nothing())?.differences,
            ..Shown::default()
        }),
    }
}

fn nothing<'a>() -> Against<'a> {
    Against {
        renders: true,
        terms: None,
        title: "",
        evaluator: None,
        stop: None,
        sealed: &[],
    }
}

fn receipted(
    invocation: &Invocation,
    root: &Root,
    reading: &Reading,
    gate: &Gate,
) -> Result<Shown> {
    let mut shown = Shown::default();
    if Lock::holder(root.dir(), journal::LOCK)?.is_some() {
        let note = "a run is at work here: what it is just writing may differ";
        shown.notes.push(note.to_owned());
    }
    let subject = as_approved(reading, gate, &mut shown);
    let sealed = sealed(invocation, gate, &mut shown)?;
    let against = match &subject {
        Some(subject) => subject.against(&sealed),
        None => Against {
            sealed: &sealed,
            ..nothing()
        },
    };
    let replayed = replay::of(root.dir(), against)?;
    shown.torn(replayed.record.torn, replayed.record.repeated);
    let state = &replayed.record.state;
    (shown.events, shown.artifacts) = (state.lines, state.artifacts.len());
    (shown.packets, shown.seals) = (replayed.packets, sealed.len());
    shown.differences.extend(replayed.all().cloned());
    shown.rounds = replayed.rounds;
    Ok(shown)
}

/// What it is about, where that is still what was approved.
fn as_approved(reading: &Reading, gate: &Gate, shown: &mut Shown) -> Option<Subject> {
    let found = reading.config_digest.as_deref().unwrap_or("nothing");
    if found == gate.config_digest {
        return Subject::of_gate(reading, gate);
    }
    shown.differences.push(Difference {
        file: FILE.to_owned(),
        line: None,
        what: "what may not change since the approval".to_owned(),
        expected: gate.config_digest.clone(),
        found: found.to_owned(),
    });
    let note = format!("{FILE} is another one: no rule could be asked and nothing rendered again");
    shown.notes.push(note);
    None
}

/// What the ledger of this home says about the conference.
fn sealed(invocation: &Invocation, gate: &Gate, shown: &mut Shown) -> Result<Vec<Seal>> {
    let place = invocation.place();
    let ledger = match &place {
        Ok(place) => place.ledger()?,
        Err(_) => None,
    };
    let (Some(_), Ok(place)) = (ledger, &place) else {
        let note = "this home has no ledger: no approval and no seal could be compared";
        shown.notes.push(note.to_owned());
        return Ok(Vec::new());
    };
    let (sealed, damage) = replay::sealed_and_proven(place, &gate.conference)?;
    match damage {
        Some(damage) => shown.differences.push(damage),
        None if approved::receipt(place, &gate.approval_digest)?.is_none() => {
            shown.differences.push(Difference {
                file: "ledger".to_owned(),
                line: None,
                what: "the approval that the events name".to_owned(),
                expected: gate.approval_digest.clone(),
                found: "nothing".to_owned(),
            });
        }
        None if sealed.is_empty() => {
            let note = "the ledger of this home seals no round of this conference";
            shown.notes.push(note.to_owned());
        }
        None => {}
    }
    Ok(sealed)
}

/// A run without receipts.
fn old(root: &Root, reading: &Reading) -> Result<Shown> {
    let (terms, note) = match reading.draft.plan_of_old() {
        Some(plan) => (Some(agreed::of_old(&plan)), None),
        None => {
            let note = format!("{FILE} does not say enough for any rule to be asked");
            (None, Some(note))
        }
    };
    let old = replay::of_old(root.dir(), terms.as_ref())?;
    let odd = old.files.notes.iter();
    let odd = odd.map(|(file, note)| format!("{file}, {note}"));
    Ok(Shown {
        is_old: true,
        events: old.files.events.len() as u64,
        notes: note.into_iter().chain(odd).collect(),
        rounds: old.rounds,
        differences: old.differences,
        ..Shown::default()
    })
}

impl Shown {
    fn torn(&mut self, torn: u64, repeated: u64) {
        self.notes.extend(told::passed_over(torn, repeated));
    }

    /// Adds what was found to the document of `check`.
    pub(super) fn tell(&self, document: &mut Value) {
        if !self.differences.is_empty() {
            document["ok"] = json!(false);
        }
        document["rounds"] = json!(self.rounds);
        document["replay"] = json!({
            "legacy": self.is_old,
            "events": self.events,
            "packets": self.packets,
            "artifacts": self.artifacts,
            "seals": self.seals,
            "differences": self.differences,
            "notes": self.notes,
        });
    }

    /// Two tables and what was compared.
    pub(super) fn drawn(&self) -> String {
        let mut out = String::from("\n");
        if !self.rounds.is_empty() {
            let headings = [
                "ROUND",
                "BEST",
                "MEAN",
                "DECISION",
                "TARGET FIRST",
                "TIME IGNORED",
                "FACTS",
            ];
            let rows: Vec<Vec<String>> = self.rounds.iter().map(row).collect();
            out.push_str(&table::draw(&headings, &rows, None));
            out.push('\n');
        }
        for one in &self.differences {
            out.push_str(&difference(one));
        }
        for note in &self.notes {
            out.push_str(&format!("note: {}\n", text::line(note)));
        }
        let Self {
            events,
            packets,
            artifacts,
            seals,
            ..
        } = self;
        let events = count::of(*events, "event", "events");
        let packets = count::of(*packets, "charter or packet", "charters and packets");
        let artifacts = count::of(*artifacts, "artifact", "artifacts");
        let seals = count::of(*seals, "seal", "seals");
        out.push_str(&match self.is_old {
            true => format!("Read {events} of a run without receipts.\n"),
            false => format!("Replayed {events}, {packets}, {artifacts}, {seals}.\n"),
        });
        out
    }

    /// Where something differs.
    pub(super) fn failure(&self) -> Option<Error> {
        let count = self.differences.len();
        let things = count::of(count, "thing is", "things are");
        let text = format!("{things} not what the events say");
        (count > 0).then(|| Error::new(Code::BlockedStaleConferenceState, text))
    }
}

fn row(round: &Decided) -> Vec<String> {
    let code = |code: Option<_>| code.map_or("continue", artifacts::stop_code).to_owned();
    let mut facts: Vec<&str> = [
        ("target met", round.target_met),
        ("plateau", round.plateau),
        ("stalled", round.stalled),
    ]
    .into_iter()
    .filter_map(|(name, holds)| holds.then_some(name))
    .collect();
    let hit = round.budget_hit.join(", ");
    let hit = format!("budget: {hit}");
    if !round.budget_hit.is_empty() {
        facts.push(&hit);
    }
    vec![
        round.round.to_string(),
        round.best.map_or_else(|| "-".to_owned(), shortest),
        round
            .mean
            .map_or_else(|| "-".to_owned(), |mean| format!("{mean:.3}")),
        code(round.stop_code),
        code(round.target_first),
        code(round.time_ignored),
        facts.join(", "),
    ]
}

fn difference(one: &Difference) -> String {
    let place = match one.line {
        Some(line) => format!("{}:{line}", one.file),
        None => one.file.clone(),
    };
    let shown = |told: &str| text::line(&told.replace('\t', " ")).into_owned();
    format!(
        "{}: {}\n  expected: {}\n  found:    {}\n",
        shown(&place),
        shown(&one.what),
        shown(&one.expected),
        shown(&one.found)
    )
}
