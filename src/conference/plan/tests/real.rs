//! A run of the first days, with the quirks of such files: iterations that change from round to
//! round, a remark behind `free`, nested and free items, findings numbered across rounds.

use std::path::Path;

use super::super::{MetricKind, Origin, Part, read};
use super::Severity::{Error, Gate, Warning};
use super::{Rule, told};

const EARLY: &str = include_str!("templates/early-run.md");

#[test]
fn an_early_file_is_read_as_far_as_it_can_be() {
    let old = read(EARLY.as_bytes().to_vec(), Origin::Legacy).unwrap();
    assert_eq!(
        told(&old.faults),
        [
            (Rule::V1, Gate, "Critic", 1),
            (Rule::V1, Gate, "Evaluator", 11),
            (Rule::V11, Warning, "Iterations per round", 22),
            (Rule::V1, Gate, "Researcher timeout", 41),
            (Rule::V7, Warning, "Max total iterations", 42),
        ]
    );
    let new = read(EARLY.as_bytes().to_vec(), Origin::New).unwrap();
    assert!(told(&new.faults).contains(&(Rule::V11, Error, "Iterations per round", 22)));
    assert!(!new.is_ok() && new.config_digest.is_none());
}

#[test]
fn what_an_early_file_says_is_there() {
    let old = read(EARLY.as_bytes().to_vec(), Origin::Legacy).unwrap();
    let draft = &old.draft;
    assert_eq!(draft.metric_kind, Some(MetricKind::Percentage));
    assert_eq!(draft.iterations_per_round, Some(4));
    assert_eq!(draft.max_total_iterations, Some(33));
    assert_eq!(draft.focus.len(), 3);
    let knowledge = old.document.section(Part::SharedKnowledge).unwrap();
    let text = old.document.prose(knowledge);
    assert!(text.starts_with("### Round 1 Validated Findings\n1. **"));
    assert!(text.contains("\n3. **"), "the numbers go on: {text}");
    assert_eq!(old.document.text(), EARLY);
}

/// The complete run that the specification measured, where it lies beside the sources.
#[test]
fn the_complete_run_is_read_where_it_is_there() {
    let Some(folder) = std::env::var_os("LITHERMES_REAL_RUN") else {
        return;
    };
    let bytes = fs_err::read(Path::new(&folder).join("conference.md")).unwrap();
    let old = read(bytes, Origin::Legacy).unwrap();
    assert!(old.is_ok() && !old.is_ready(), "{:#?}", old.faults);
    let draft = &old.draft;
    assert_eq!(
        (draft.count, draft.iterations_per_round),
        (Some(3), Some(4))
    );
    assert_eq!(
        (draft.max_rounds, draft.max_total_iterations),
        (Some(3), Some(33))
    );
    assert_eq!(draft.target.as_ref().map(|target| target.value), Some(80.0));
    let fields: Vec<&str> = old
        .faults
        .iter()
        .map(|fault| fault.field.as_str())
        .collect();
    assert_eq!(
        fields,
        [
            "Critic",
            "Evaluator",
            "Iterations per round",
            "Researcher timeout",
            "Max total iterations"
        ]
    );
}
