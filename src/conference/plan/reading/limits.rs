//! What it may cost: ceilings, budgets, timeouts, and what happens between rounds.

use super::super::draft::Draft;
use super::super::fault::quoted;
use super::super::key::Key;
use super::super::reader::Reader;
use super::super::settings::{OnLostChild, PauseEvery};
use super::super::value::{cost, duration, number, word};

const LOST: [(&str, OnLostChild); 2] = [
    ("ask", OnLostChild::Ask),
    ("redispatch", OnLostChild::Redispatch),
];

pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft) {
    let positive = |text: &str| number::positive(text, u32::MAX);
    draft.time_budget = reader.need(Key::TimeBudget, duration::parse);
    draft.researcher_timeout = reader.need(Key::ResearcherTimeout, duration::parse);
    draft.max_total_iterations = reader.may(Key::MaxTotalIterations, positive).map(u64::from);
    let settings = &mut draft.settings;
    settings.token_budget = reader.may(Key::TokenBudget, cost::tokens).flatten();
    settings.cost_ceiling = reader.may(Key::CostCeiling, cost::cost).flatten();
    settings.evaluator_timeout = reader.may(Key::EvaluatorTimeout, duration::parse);
    settings.evaluator_slots = reader.may(Key::EvaluatorSlots, positive).unwrap_or(1);
    let lost = reader.may(Key::OnLostChild, |text| word::choose(text, &LOST));
    settings.on_lost_child = lost.unwrap_or_default();
    settings.pause_every = reader.may(Key::PauseEvery, pause_every).unwrap_or_default();
}

/// `never`, `every_round`, `every_2_rounds`, `2` or `pivot_only`.
fn pause_every(text: &str) -> Result<PauseEvery, String> {
    let word = word::folded_word(text);
    let rounds = word.strip_prefix("every ").and_then(|rest| {
        let count = rest.strip_suffix(" rounds").or(rest.strip_suffix(" round"));
        count.or((rest == "round").then_some("1"))
    });
    let wrong = || {
        let text = quoted(text);
        format!("{text} is none of never, every_round, every_N_rounds, pivot_only")
    };
    match &*word {
        "never" => Ok(PauseEvery::Never),
        "pivot only" => Ok(PauseEvery::PivotOnly),
        word => number::positive(rounds.unwrap_or(word), u32::MAX)
            .map(PauseEvery::Rounds)
            .map_err(|_| wrong()),
    }
}
