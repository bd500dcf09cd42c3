//! A run of the first days: explicit plus signs, ties that are kept, deltas against the best so
//! far, rounds that end in the legacy spelling, lane files that disagree with the conference's.

use super::super::convergence::{Order, replay, table};
use super::super::deltas::{self, Basis};
use super::super::figures;
use super::super::lanes::{self, LaneFile};
use super::super::reviews;
use super::{Files, lane, terms};
use crate::engine::charter::Direction::Maximize;
use crate::engine::event::{RowStatus, StopCode};
use crate::engine::packet::Verdict;

const RESULTS: &[u8] = include_bytes!("run/conference_results.tsv");
const EVENTS: &[u8] = include_bytes!("run/conference_events.jsonl");
const LANE_A: &[u8] = include_bytes!("run/researcher_A_results.tsv");
const REVIEW: &[u8] = include_bytes!("run/peer_review_round_1.md");

#[test]
fn every_row_and_every_line_is_read() {
    let files = Files::read(RESULTS, EVENTS);
    assert_eq!(files.records.items.len(), 24);
    assert_eq!(files.records.notes, []);
    assert_eq!(files.events.items.len(), 28);
    let legacy: Vec<usize> = files.events.notes.iter().map(|note| note.line).collect();
    assert_eq!(legacy, [11, 21, 28]);
    assert_eq!(files.ended.len(), 3);
    let agreed = deltas::differences(&files.records.items, &files.iterations());
    assert_eq!(agreed, Vec::<String>::new());
}

#[test]
fn deltas_are_told_against_the_best_so_far() {
    let files = Files::read(RESULTS, EVENTS);
    let basis = deltas::basis(&files.records.items, Maximize);
    let expected = Basis {
        told: 21,
        round_start: 14,
        best_so_far: 21,
        percent_of_best: 21,
    };
    assert_eq!(basis, expected);
}

#[test]
fn a_lane_s_own_file_tells_rounds_by_their_iterations() {
    let LaneFile::Records(own) = lanes::read(LANE_A, lane('A')).unwrap() else {
        panic!("no measurements");
    };
    let rounds: Vec<u32> = own.items.iter().map(|row| row.round).collect();
    assert_eq!(rounds, [1, 1, 1, 2, 2, 2, 3, 3]);
    let starts = own
        .items
        .iter()
        .filter(|row| row.status == RowStatus::Baseline);
    assert_eq!(starts.count(), 3);
    assert_eq!(
        own.items[3].description,
        "Round 2 start: Cache of 512 pages"
    );
}

#[test]
fn figures_of_a_lane() {
    let files = Files::read(RESULTS, EVENTS);
    let a = figures::of_lane(&files.records.items, lane('A'), Maximize).unwrap();
    assert_eq!((a.rows, a.baseline, a.best, a.last), (8, 20.0, 91.2, 91.1));
    assert_eq!((a.speed, a.speed_within_rounds), (5, Some(4)));
    assert_eq!(a.improvement, Some(356.0));
    assert_eq!((a.kept, a.reverted, a.ties), (6, 1, 2));
    assert_eq!((a.success_rate(), a.keep_rate()), (75.0, Some(85.7)));
    assert_eq!(a.gains.len(), 4);
    let broke: Vec<_> = a
        .breakthroughs()
        .map(|gain| (gain.round, gain.iteration))
        .collect();
    assert_eq!(broke, [(2, 0), (2, 2)]);
    assert_eq!((a.flat, a.flat_within_rounds, a.stuck_level()), (2, 1, 0));
    let first = figures::best_row(&files.records.items, Maximize).unwrap();
    assert_eq!(
        (first.lane, first.round, first.iteration),
        (lane('A'), 2, 2)
    );
}

#[test]
fn the_rules_decide_under_both_orders() {
    let files = Files::read(RESULTS, EVENTS);
    let terms = terms(3, 24);
    insta::assert_snapshot!(table(&terms, files.run()), @r"
    | After | Best | Mean | Budget first | Target first | Budget first, time ignored |
    | --- | --- | --- | --- | --- | --- |
    | R1 | 48 | 34.667 | continue | continue | continue |
    | R2 | 91.2 | 73.267 | BUDGET_STOP (time), target_met=true | CONVERGED | CONVERGED |
    | R3 | 91.2 | 91.183 | BUDGET_STOP (iterations, rounds, time), target_met=true | CONVERGED | BUDGET_STOP (iterations, rounds), target_met=true |
    ");
    let last = replay(&terms, files.run(), Order::BudgetFirst)
        .pop()
        .unwrap();
    assert!(
        !last.plateau && !last.stalled,
        "one flat comparison is none"
    );
}

#[test]
fn two_flat_comparisons_are_a_plateau_and_only_this_order_says_so() {
    let files = Files::read(RESULTS, EVENTS);
    let mut endless = terms(9, 999);
    endless.target = None;
    endless.wall_clock_s = u64::MAX;
    let mut records = files.records.items.clone();
    let again = records.iter().filter(|row| row.round == 3).cloned();
    let again: Vec<_> = again
        .map(|mut row| {
            row.round = 4;
            row
        })
        .collect();
    records.extend(again);
    let run = super::Run {
        records: &records,
        ..files.run()
    };
    let codes = |order| {
        let decisions = replay(&endless, run, order).into_iter();
        decisions.map(|one| one.stop_code).collect::<Vec<_>>()
    };
    let plateau = Some(StopCode::ConvergedPlateau);
    assert_eq!(codes(Order::BudgetFirst), [None, None, None, plateau]);
    assert_eq!(
        codes(Order::TargetFirst),
        [None, None, None, Some(StopCode::Converged)]
    );
}

#[test]
fn verdict_lines_in_every_spelling() {
    let said = reviews::read(REVIEW).unwrap();
    let said: Vec<_> = said
        .iter()
        .map(|one| (one.line, one.heading.as_str(), one.verdict))
        .collect();
    assert_eq!(
        said,
        [
            (8, "Claim: 64 pages are enough", Verdict::Challenged),
            (14, "Claim: More pages help", Verdict::Validated),
            (17, "Issue: Eviction", Verdict::Overturned),
        ]
    );
}
