//! Who takes part: lanes, iterations, rounds, partition and focus, critic, poster.

use super::super::document::Part;
use super::super::draft::{Draft, lanes};
use super::super::fault::{Rule, Severity, quoted};
use super::super::key::Key;
use super::super::missed::Meant;
use super::super::reader::{Origin, Reader};
use super::super::settings::{Critic, Poster, Strategy};
use super::super::value::{number, placeholder, word};

/// `A` to `Z`.
const MOST_LANES: u32 = 26;
/// What a packet holds (A8).
const MOST_ITERATIONS: u32 = 32;

const STRATEGIES: [(&str, Strategy); 2] =
    [("assigned", Strategy::Assigned), ("free", Strategy::Free)];
const CRITICS: [(&str, Critic); 2] = [("enabled", Critic::Enabled), ("disabled", Critic::Disabled)];
const POSTERS: [(&str, Poster); 2] = [("root", Poster::Root), ("child", Poster::Child)];

pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft) {
    draft.count = reader.need(Key::Count, |text| number::positive(text, MOST_LANES));
    draft.iterations_per_round = iterations(reader);
    draft.max_rounds = reader.need(Key::MaxRounds, |text| number::positive(text, u32::MAX));
    draft.strategy = reader.need(Key::Strategy, |text| word::choose(text, &STRATEGIES));
    draft.critic = critic(reader);
    let poster = reader.may(Key::Poster, |text| word::choose(text, &POSTERS));
    draft.settings.poster = poster.unwrap_or_default();
    focus(reader, draft);
    missed_focus(reader);
}

/// V11: old files change the number from round to round.
fn iterations(reader: &mut Reader<'_>) -> Option<u32> {
    let several = reader
        .said(Key::IterationsPerRound)
        .and_then(|field| Some((first_of_several(&field.value)?, quoted(&field.value))));
    let Some((first, said)) = several else {
        return reader.need(Key::IterationsPerRound, |text| {
            number::positive(text, MOST_ITERATIONS)
        });
    };
    let (severity, text) = match reader.origin {
        Origin::New => (
            Severity::Error,
            format!("{said} is more than one whole number"),
        ),
        Origin::Legacy => (Severity::Warning, format!("{said} is read as {first}")),
    };
    reader.fault(Rule::V11, severity, Key::IterationsPerRound, text);
    (severity == Severity::Warning).then_some(first)
}

/// The number of `4 (round 1-2), 3 (round 3)`.
fn first_of_several(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (first, rest) = text.split_at(end);
    let goes_on = rest.starts_with([' ', ',', ';', '(', '/']);
    let first = number::positive(first, MOST_ITERATIONS).ok();
    first.filter(|_| goes_on)
}

fn critic(reader: &mut Reader<'_>) -> Option<Critic> {
    let undecided = |text: &str| word::folded_word(text) == "ask user before run";
    if reader
        .said(Key::Critic)
        .is_some_and(|field| undecided(&field.value))
    {
        let text = "is undecided; say `enabled` or `disabled`";
        reader.fault(Rule::V10, Severity::Gate, Key::Critic, text);
        return None;
    }
    reader.need(Key::Critic, |text| word::choose(text, &CRITICS))
}

fn focus(reader: &mut Reader<'_>, draft: &mut Draft) {
    let sheet = reader.sheet;
    let is_assigned = draft.strategy == Some(Strategy::Assigned);
    for (lane, prose) in sheet.focus() {
        let part = Part::Focus(lane);
        let has_lane = |count| lanes(count).any(|known| known == lane);
        if !draft.count.is_none_or(has_lane) {
            let text = "is of a lane that there is not";
            reader.fault_of(Rule::V6, Severity::Warning, part, text);
        } else if !prose.text.is_empty() && !placeholder::in_text(&prose.text) {
            draft.focus.insert(lane, prose.text.clone());
        } else if is_assigned {
            let text = "is empty or still a placeholder";
            reader.fault_of(Rule::V4, Severity::Gate, part, text);
        }
    }
    let line = sheet.place(Part::Partitioning);
    let assigned = draft.count.filter(|_| is_assigned).map(lanes);
    let parts = assigned.into_iter().flatten().map(Part::Focus);
    for part in parts.filter(|part| sheet.prose(*part).is_none()) {
        let text = "is missing, although the strategy is assigned";
        reader.tell(Rule::V6, Severity::Gate, part.heading(), line, text);
    }
}

/// V6: a heading that somebody takes for a focus, and that is none.
fn missed_focus(reader: &mut Reader<'_>) {
    for missed in reader.sheet.document.missed() {
        let severity = match (missed.meant, reader.origin) {
            (Meant::Surely, Origin::New) => Severity::Error,
            (Meant::Perhaps, _) | (_, Origin::Legacy) => Severity::Warning,
        };
        let marks = "#".repeat(missed.level);
        let said = quoted(&format!("{marks} {}", missed.heading));
        let text = format!(
            "{said} is read as the focus of no lane; one begins with `### Researcher A Focus`, of a lane from A to Z"
        );
        reader.tell(Rule::V6, severity, "Researcher Focus", missed.line, text);
    }
}
