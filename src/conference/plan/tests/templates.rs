//! Each of the templates that people begin from, in words of our own but with its structure and
//! its oddities (conference.md B 1.7), and the verdict on it.

use super::super::{Document, Mode, Poster, Strategy};
use super::Severity::{Gate, Warning};
use super::{Rule, Severity, reading, told};
use crate::conference::gate::totals;
use crate::conference::plan::Host;

type Told<'a> = Vec<(Rule, Severity, &'a str)>;

/// What a template says, and what becomes of it.
struct Row {
    text: &'static str,
    mode: Mode,
    strategy: Option<Strategy>,
    /// Count, iterations, rounds, ceiling, product, effective rounds.
    numbers: (u32, u32, u32, u64, u64, u32),
    /// Calls with a poster child and without one.
    calls: (u64, u64),
    faults: Told<'static>,
}

fn check(row: Row) {
    let mut reading = reading(row.text);
    let faults = told(&reading.faults);
    let faults: Told<'_> = faults.into_iter().map(|(a, b, c, _)| (a, b, c)).collect();
    assert_eq!(faults, row.faults);
    assert!(reading.is_ok() && !reading.is_ready());
    let draft = &mut reading.draft;
    assert_eq!((draft.mode, draft.strategy), (row.mode, row.strategy));
    let (count, iterations, rounds, ceiling, product, effective) = row.numbers;
    assert_eq!(draft.count, Some(count));
    assert_eq!(draft.iterations_per_round, Some(iterations));
    assert_eq!(draft.max_rounds, Some(rounds));
    // `handoff` has no probe, as the figures of the templates have none.
    let root = totals(draft, Host::Handoff).unwrap();
    assert_eq!(
        (root.ceiling, root.product, root.effective_rounds),
        (ceiling, product, effective)
    );
    draft.settings.poster = Poster::Child;
    let child = totals(draft, Host::Handoff).unwrap();
    assert_eq!((child.calls.total, root.calls.total), row.calls);
    assert_eq!(Document::parse(row.text.to_owned()).text(), row.text);
}

#[test]
fn asset() {
    check(Row {
        text: include_str!("templates/asset.md"),
        mode: Mode::Metric,
        strategy: None,
        numbers: (3, 5, 4, 60, 60, 4),
        calls: (21, 17),
        faults: vec![
            (Rule::V4, Warning, "Title"),
            (Rule::V4, Gate, "Goal"),
            (Rule::V4, Warning, "Mode"),
            (Rule::V1, Gate, "Evaluator"),
            (Rule::V4, Gate, "Metric"),
            (Rule::V4, Gate, "Target"),
            (Rule::V4, Gate, "Direction"),
            (Rule::V4, Warning, "Success definition"),
            (Rule::V10, Gate, "Critic"),
            (Rule::V10, Warning, "Final confirmation"),
            (Rule::V4, Warning, "Allowed changes"),
            (Rule::V4, Warning, "Forbidden changes"),
            (Rule::V4, Gate, "Strategy"),
            (Rule::V4, Warning, "Current Approach"),
        ],
    });
}

#[test]
fn code_performance() {
    check(Row {
        text: include_str!("templates/code-performance.md"),
        mode: Mode::Metric,
        strategy: Some(Strategy::Assigned),
        numbers: (3, 5, 4, 45, 60, 3),
        calls: (16, 13),
        faults: vec![
            (Rule::V1, Gate, "Critic"),
            (Rule::V1, Gate, "Evaluator"),
            (Rule::V4, Gate, "Target"),
            (Rule::V7, Warning, "Max total iterations"),
            (Rule::V4, Warning, "Current Approach"),
        ],
    });
}

#[test]
fn prompt_optimization() {
    check(Row {
        text: include_str!("templates/prompt-optimization.md"),
        mode: Mode::Metric,
        strategy: Some(Strategy::Assigned),
        numbers: (3, 5, 4, 45, 60, 3),
        calls: (16, 13),
        faults: vec![
            (Rule::V1, Gate, "Critic"),
            (Rule::V1, Gate, "Evaluator"),
            (Rule::V7, Warning, "Max total iterations"),
        ],
    });
}

#[test]
fn research_synthesis() {
    check(Row {
        text: include_str!("templates/research-synthesis.md"),
        mode: Mode::Qualitative,
        strategy: Some(Strategy::Assigned),
        numbers: (3, 5, 3, 30, 45, 2),
        calls: (11, 9),
        faults: vec![
            (Rule::V1, Gate, "Critic"),
            (Rule::V1, Gate, "Researcher timeout"),
            (Rule::V7, Warning, "Max total iterations"),
        ],
    });
}

#[test]
fn quick() {
    check(Row {
        text: include_str!("templates/quick.md"),
        mode: Mode::Metric,
        strategy: Some(Strategy::Free),
        numbers: (2, 3, 2, 12, 12, 2),
        calls: (9, 7),
        faults: vec![
            (Rule::V1, Gate, "Critic"),
            (Rule::V4, Warning, "Title"),
            (Rule::V4, Gate, "Goal"),
            (Rule::V1, Gate, "Evaluator"),
            (Rule::V4, Gate, "Metric"),
            (Rule::V4, Gate, "Target"),
            (Rule::V4, Gate, "Direction"),
            (Rule::V4, Warning, "Allowed changes"),
            (Rule::V4, Warning, "Forbidden changes"),
            (Rule::V4, Warning, "Current Approach"),
        ],
    });
}

#[test]
fn debate_mode() {
    check(Row {
        text: include_str!("templates/debate-mode.md"),
        mode: Mode::Qualitative,
        strategy: Some(Strategy::Assigned),
        numbers: (2, 3, 3, 18, 18, 3),
        calls: (13, 10),
        faults: vec![(Rule::V1, Gate, "Critic")],
    });
}

#[test]
fn survey_mode() {
    check(Row {
        text: include_str!("templates/survey-mode.md"),
        mode: Mode::Qualitative,
        strategy: Some(Strategy::Assigned),
        numbers: (3, 5, 2, 30, 30, 2),
        calls: (11, 9),
        faults: vec![
            (Rule::V1, Gate, "Critic"),
            (Rule::V4, Gate, "Success Criteria"),
            (Rule::V4, Warning, "Taxonomy Categories"),
        ],
    });
}
