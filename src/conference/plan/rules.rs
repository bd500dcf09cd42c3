//! What several values must agree on (conference.md B 1.6). A rule looks only at values that were
//! read, so that one fault is not told twice.

use std::collections::BTreeMap;

use super::document::Part;
use super::draft::{Draft, Extent, lanes};
use super::fault::{Rule, Severity};
use super::key::Key;
use super::reader::Reader;
use super::settings::{Mode, Strategy};
use super::value::duration::written;
use crate::count;

/// Rounds of a debate that need no second thought, and those that are never sensible.
const DEBATE_ROUNDS: (u32, u32) = (6, 8);

/// Checks all of them.
pub(super) fn check(reader: &mut Reader<'_>, draft: &Draft) {
    reader.compare_mirrors();
    if let Some(extent) = draft.extent() {
        ceiling(reader, extent);
        wall_clock(reader, draft, extent);
    }
    timeout(reader, draft);
    evaluator_runs(reader, draft);
    confirmation(reader);
    match draft.mode {
        Mode::Debate => debate(reader, draft),
        Mode::Survey => survey(reader, draft),
        _ => repeated_focus(reader, draft, Rule::V6, Severity::Warning),
    }
}

/// V7, V8.
fn ceiling(reader: &mut Reader<'_>, extent: Extent) {
    let Extent {
        round,
        product,
        ceiling,
        effective_rounds,
    } = extent;
    if ceiling < round {
        let text = format!("{ceiling} is not enough for one round of {round}");
        reader.fault(Rule::V8, Severity::Error, Key::MaxTotalIterations, text);
    } else if ceiling != product {
        let rounds = count::of(effective_rounds, "round", "rounds");
        let text = format!(
            "{ceiling} is not the product of count, iterations and rounds ({product}): \
             {rounds} can run"
        );
        reader.fault(Rule::V7, Severity::Warning, Key::MaxTotalIterations, text);
    }
}

/// V9, of the rounds that can run.
fn wall_clock(reader: &mut Reader<'_>, draft: &Draft, extent: Extent) {
    let (Some(budget), Some(timeout)) = (draft.time_budget, draft.researcher_timeout) else {
        return;
    };
    let rounds = extent.effective_rounds;
    let all = timeout.saturating_mul(rounds);
    if timeout <= budget && all > budget {
        let text = format!(
            "{} of up to {} may take {}, more than {}",
            count::of(rounds, "round", "rounds"),
            written(timeout),
            written(all),
            written(budget)
        );
        reader.fault(Rule::V9, Severity::Warning, Key::TimeBudget, text);
    }
}

fn timeout(reader: &mut Reader<'_>, draft: &Draft) {
    let (Some(budget), Some(timeout)) = (draft.time_budget, draft.researcher_timeout) else {
        return;
    };
    if timeout > budget {
        let (timeout, budget) = (written(timeout), written(budget));
        let text = format!("{timeout} is more than the time budget of {budget}");
        reader.fault(Rule::V3, Severity::Error, Key::ResearcherTimeout, text);
    }
}

/// V3: repeats that nobody can count.
fn evaluator_runs(reader: &mut Reader<'_>, draft: &Draft) {
    let Some(extent) = draft.extent() else {
        return;
    };
    let repeats = u64::from(draft.settings.noise_runs);
    // Every iteration, every lane's best once more, and the baseline.
    let most = extent.iterations().saturating_mul(2).saturating_add(1);
    if most.checked_mul(repeats).is_none() {
        let text = "makes more runs of the evaluator than can be counted";
        reader.fault(Rule::V3, Severity::Error, Key::NoiseRuns, text);
    }
}

/// V10: `pending`, or `confirmed` and a digest.
fn confirmation(reader: &mut Reader<'_>) {
    let Some(field) = reader.said(Key::Confirmation) else {
        return;
    };
    let word = field.value.split_whitespace().next().unwrap_or_default();
    match word.to_ascii_lowercase().trim_end_matches([':', ',', '.']) {
        "confirmed" => {}
        "pending" => {
            let text = "is pending: nothing is dispatched before it is approved";
            reader.fault(Rule::V10, Severity::Warning, Key::Confirmation, text);
        }
        _ => {
            let text = "begins with neither `pending` nor `confirmed`";
            reader.fault(Rule::V1, Severity::Error, Key::Confirmation, text);
        }
    }
}

/// V13.
fn debate(reader: &mut Reader<'_>, draft: &Draft) {
    if draft.count.is_some_and(|count| count != 2) {
        let text = "a debate has exactly 2 lanes";
        reader.fault(Rule::V13, Severity::Error, Key::Count, text);
    }
    if draft.strategy == Some(Strategy::Free) {
        let text = "a debate assigns a position to each lane";
        reader.fault(Rule::V13, Severity::Error, Key::Strategy, text);
    }
    let (usual, most) = DEBATE_ROUNDS;
    let rounds = draft.max_rounds.filter(|rounds| *rounds > usual);
    if let Some(rounds) = rounds {
        let severity = match rounds > most {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let text = format!("a debate has 1 to {usual} rounds, and never more than {most}");
        reader.fault(Rule::V13, severity, Key::MaxRounds, text);
    }
    repeated_focus(reader, draft, Rule::V13, Severity::Error);
}

/// V14.
fn survey(reader: &mut Reader<'_>, draft: &Draft) {
    if draft.settings.taxonomy.is_empty() {
        let text = "has no entry: a survey needs its categories";
        reader.fault_of(Rule::V14, Severity::Gate, Part::Taxonomy, text);
    }
    if draft.strategy == Some(Strategy::Free) {
        let text = "lanes of a survey overlap unless each is assigned its part";
        reader.fault(Rule::V14, Severity::Warning, Key::Strategy, text);
    }
    repeated_focus(reader, draft, Rule::V14, Severity::Error);
}

/// Two lanes that are to look at the same; only the text is compared.
fn repeated_focus(reader: &mut Reader<'_>, draft: &Draft, code: Rule, severity: Severity) {
    let mut first: BTreeMap<String, char> = BTreeMap::new();
    let among = draft.count.map(lanes).into_iter().flatten();
    for lane in among.filter(|_| draft.strategy == Some(Strategy::Assigned)) {
        let Some(text) = draft.focus.get(&lane) else {
            continue;
        };
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(other) = first.insert(plain.to_lowercase(), lane) else {
            continue;
        };
        let text = format!("is the focus of lane {other} too");
        reader.fault_of(code, severity, Part::Focus(lane), text);
    }
}
