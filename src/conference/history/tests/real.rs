//! The complete run that the specification measured, where its folder is named by
//! `LITHERMES_REAL_RUN`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::convergence::{Order, replay, table};
use super::super::figures::{self, LaneFigures};
use super::super::lanes::{self, LaneFile};
use super::super::{deltas, reviews};
use super::{Files, lane, terms};
use crate::conference::artifacts::number::tenth;
use crate::engine::charter::Direction::Maximize;
use crate::engine::event::{RowStatus, StopCode};
use crate::engine::packet::Verdict;

fn folder() -> Option<PathBuf> {
    std::env::var_os("LITHERMES_REAL_RUN").map(PathBuf::from)
}

fn bytes(name: &str) -> Vec<u8> {
    fs_err::read(folder().unwrap().join(name)).unwrap()
}

fn files() -> Option<Files> {
    folder()?;
    let results = bytes("conference_results.tsv");
    Some(Files::read(&results, &bytes("conference_events.jsonl")))
}

#[test]
fn all_33_rows_and_37_lines() {
    let Some(files) = files() else { return };
    let (records, events) = (&files.records, &files.events);
    assert_eq!((records.items.len(), events.items.len()), (33, 37));
    assert_eq!(records.notes, []);
    assert_eq!((events.notes.len(), files.ended.len()), (3, 3));
    assert_eq!(files.iterations().len(), 33);
    let times: Vec<_> = events.items.iter().map(|entry| entry.at.unwrap()).collect();
    assert!(times.is_sorted());
    let told = |at: usize| times[at].to_string();
    assert_eq!(
        (told(0), told(36)),
        ("2026-03-19T10:00:00Z".into(), "2026-03-19T15:25:00Z".into())
    );
    let at: Vec<_> = records.items.iter().map(|row| row.at.unwrap()).collect();
    assert!(
        at.windows(2)
            .all(|pair| pair[1].duration_since(pair[0]).as_mins() == 10)
    );
    assert_eq!(
        deltas::differences(&records.items, &files.iterations()),
        Vec::<String>::new()
    );
}

#[test]
fn statuses_verdicts_rounds_and_the_first_best() {
    let Some(files) = files() else { return };
    let rows = &files.records.items;
    let count = |status| rows.iter().filter(|row| row.status == status).count();
    let statuses = [RowStatus::Kept, RowStatus::Reverted, RowStatus::Baseline];
    assert_eq!(statuses.map(count), [25, 5, 3]);
    let mut verdicts: BTreeMap<(u32, Option<Verdict>), usize> = BTreeMap::new();
    rows.iter()
        .for_each(|row| *verdicts.entry((row.round, row.verdict)).or_default() += 1);
    let expected = [
        ((1, Some(Verdict::Challenged)), 12),
        ((2, Some(Verdict::Validated)), 12),
        ((3, Some(Verdict::Validated)), 9),
    ];
    assert_eq!(verdicts, expected.into());
    let rounds = figures::of_rounds(rows, Maximize);
    let printed = rounds
        .values()
        .map(|round| format!("{} / {:.3}", round.best, round.mean));
    assert_eq!(
        printed.collect::<Vec<_>>(),
        ["65 / 46.958", "99.9 / 83.500", "99.9 / 99.889"]
    );
    assert!(rounds.values().all(|round| !round.is_suspect()));
    let reverted = rows.iter().filter(|row| row.status == RowStatus::Reverted);
    let reverted = reverted.map(|row| format!("R{} {}{}", row.round, row.lane, row.iteration));
    assert_eq!(
        reverted.collect::<Vec<_>>(),
        ["R1 A3", "R1 B1", "R1 B2", "R2 B3", "R3 A1"]
    );
    let first = figures::best_row(rows, Maximize).unwrap();
    assert_eq!(
        (first.lane, first.round, first.iteration),
        (lane('A'), 2, 3)
    );
    assert_eq!(first.at.unwrap().to_string(), "2026-03-19T12:30:00Z");
}

#[test]
fn the_parts_make_every_value() {
    let Some(files) = files() else { return };
    let weights = [
        ("structural", 0.20),
        ("density", 0.15),
        ("geometric", 0.15),
        ("pbc", 0.10),
        ("slab_exclusion", 0.20),
        ("crystal_integrity", 0.20),
    ];
    for row in files.iterations() {
        let parts: BTreeMap<_, _> = row.sub_metrics.into_iter().collect();
        let sum: f64 = weights
            .iter()
            .map(|(name, weight)| parts[*name] * weight)
            .sum();
        // Half a tenth may fall to either side.
        assert!((sum - row.value.unwrap()).abs() <= 0.05 + 1e-9, "{sum}");
        assert!((tenth(sum) - row.value.unwrap()).abs() < 1e-9, "{sum}");
    }
}

#[test]
fn each_lane_s_figures() {
    let Some(files) = files() else { return };
    let of = |letter| figures::of_lane(&files.records.items, lane(letter), Maximize).unwrap();
    let all: Vec<LaneFigures> = ['A', 'B', 'C'].map(of).into();
    let each = |told: fn(&LaneFigures) -> String| all.iter().map(told).collect::<Vec<_>>();
    let column = |told: fn(&LaneFigures) -> String, expected: [&str; 3]| {
        assert_eq!(each(told), expected);
    };
    column(|lane| lane.rows.to_string(), ["11"; 3]);
    column(|lane| lane.baseline.to_string(), ["34.5", "65", "34.5"]);
    column(
        |lane| format!("{} / {}", lane.best, lane.last),
        ["99.9 / 99.9"; 3],
    );
    column(|lane| lane.speed.to_string(), ["7", "6", "6"]);
    column(
        |lane| lane.speed_within_rounds.unwrap().to_string(),
        ["6", "5", "5"],
    );
    column(
        |lane| lane.improvement.unwrap().to_string(),
        ["189.57", "53.69", "189.57"],
    );
    column(
        |lane| format!("{}/11 {}", lane.kept, lane.success_rate()),
        ["8/11 72.7", "7/11 63.6", "10/11 90.9"],
    );
    column(
        |lane| lane.keep_rate().unwrap().to_string(),
        ["80", "70", "100"],
    );
    column(|lane| lane.gains.len().to_string(), ["3", "3", "5"]);
    column(
        |lane| format!("{:.2}", lane.average_gain),
        ["6.54", "3.49", "6.54"],
    );
    let broke = |lane: &LaneFigures| {
        let found = lane.breakthroughs();
        let found = found.map(|one| format!("R{} i{} +{:.1}", one.round, one.iteration, one.gain));
        found.collect::<Vec<_>>().join("; ")
    };
    column(
        broke,
        [
            "R1 i2 +24.5; R2 i3 +34.9",
            "R2 i0 +10.4; R2 i2 +21.5",
            "R1 i3 +24.5; R2 i2 +21.5",
        ],
    );
    column(
        |lane| format!("{} / {}", lane.flat, lane.flat_within_rounds),
        ["4 / 3"; 3],
    );
    column(|lane| format!("L{}", lane.stuck_level()), ["L1"; 3]);
    assert_eq!(all.iter().map(|lane| lane.ties).sum::<usize>(), 14);
    assert_eq!(all.iter().map(|lane| lane.gains.len()).sum::<usize>(), 11);
}

#[test]
fn the_lanes_own_files_tell_another_success_rate() {
    if folder().is_none() {
        return;
    }
    let own = |letter: char| {
        let file = bytes(&format!("researcher_{letter}_results.tsv"));
        let LaneFile::Records(read) = lanes::read(&file, lane(letter)).unwrap() else {
            panic!("no measurements");
        };
        assert_eq!((read.items.len(), read.notes.len()), (11, 0));
        let figures = figures::of_lane(&read.items, lane(letter), Maximize).unwrap();
        (
            figures.kept,
            figures.success_rate(),
            figures.keep_rate().unwrap(),
        )
    };
    assert_eq!(
        ['A', 'B', 'C'].map(own),
        [(6, 54.5, 75.0), (5, 45.5, 62.5), (8, 72.7, 100.0)]
    );
}

#[test]
fn every_delta_is_against_the_lane_s_best_so_far() {
    let Some(files) = files() else { return };
    let basis = deltas::basis(&files.records.items, Maximize);
    assert_eq!(
        (basis.told, basis.best_so_far, basis.percent_of_best),
        (30, 30, 30)
    );
}

#[test]
fn verdicts_of_claims_are_another_unit() {
    if folder().is_none() {
        return;
    }
    let count = |round: u32| {
        let said = reviews::read(&bytes(&format!("peer_review_round_{round}.md"))).unwrap();
        let of = |verdict| said.iter().filter(|one| one.verdict == verdict).count();
        [Verdict::Validated, Verdict::Challenged, Verdict::Overturned].map(of)
    };
    assert_eq!([1, 2, 3].map(count), [[2, 6, 0], [7, 1, 0], [3, 0, 0]]);
}

#[test]
fn what_both_orders_decide() {
    let Some(files) = files() else { return };
    let terms = terms(3, 33);
    insta::assert_snapshot!(table(&terms, files.run()), @r"
    | After | Best | Mean | Budget first | Target first | Budget first, time ignored |
    | --- | --- | --- | --- | --- | --- |
    | R1 | 65 | 46.958 | continue | continue | continue |
    | R2 | 99.9 | 83.500 | BUDGET_STOP (time), target_met=true | CONVERGED | CONVERGED |
    | R3 | 99.9 | 99.889 | BUDGET_STOP (iterations, rounds, time), target_met=true | CONVERGED | BUDGET_STOP (iterations, rounds), target_met=true |
    ");
    let decisions = replay(&terms, files.run(), Order::BudgetFirst);
    let elapsed: Vec<_> = decisions
        .iter()
        .map(|one| one.elapsed.unwrap() / 60)
        .collect();
    assert_eq!(elapsed, [115, 235, 325]);
    let codes = |order| {
        let decisions = replay(&terms, files.run(), order).into_iter();
        decisions
            .map(|one| (one.stop_code, one.target_met))
            .collect::<Vec<_>>()
    };
    let budget = (Some(StopCode::BudgetStop), true);
    let converged = (Some(StopCode::Converged), true);
    assert_eq!(codes(Order::BudgetFirst), [(None, false), budget, budget]);
    assert_eq!(
        codes(Order::TargetFirst),
        [(None, false), converged, converged]
    );
    assert!(decisions.iter().all(|one| !one.plateau && !one.stalled));
    assert_eq!(decisions[2].budget_hit, ["iterations", "rounds", "time"]);
}
