//! What is written reads back equal, and no bytes upset a reader.

use proptest::prelude::*;

use super::super::lanes::{self, LaneFile};
use super::super::{events, results, reviews};
use super::lane;
use crate::conference::artifacts::number::tenth;
use crate::conference::artifacts::record::{CONFERENCE, LANE, Record, cell};
use crate::engine::event::RowStatus;
use crate::engine::id::Lane;
use crate::engine::packet::Verdict;

fn finite() -> impl Strategy<Value = f64> {
    let any = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    any.prop_map(|value| if value == 0.0 { 0.0 } else { value })
}

prop_compose! {
    fn record()(
        value in finite(),
        delta in prop::option::of(finite()),
        percent in prop::option::of(-1e6f64..1e6),
        status in prop::sample::select(vec![RowStatus::Kept, RowStatus::Reverted, RowStatus::Failed]),
        description in any::<String>(),
        source in any::<String>(),
        verdict in prop::option::of(prop::sample::select(vec![
            Verdict::Validated, Verdict::Challenged, Verdict::Overturned,
        ])),
        at in 0i64..4_000_000_000_000,
    ) -> Record {
        Record {
            round: 1,
            lane: lane('A'),
            iteration: 0,
            value: Some(value).filter(|_| status != RowStatus::Failed),
            delta,
            percent: percent.map(tenth),
            status,
            description: cell(&description),
            source: cell(&source),
            verdict,
            at: jiff::Timestamp::from_millisecond(at).ok(),
        }
    }
}

/// Rows in order: rounds of two lanes, iterations from 0.
fn records() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(record(), 0..24).prop_map(|mut records| {
        for (index, record) in (0u32..).zip(&mut records) {
            record.round = index / 6 + 1;
            record.lane = Lane::nth((index as usize / 3) % 2).unwrap();
            record.iteration = index % 3;
        }
        records
    })
}

fn file(headings: &[&str], lines: impl Iterator<Item = String>) -> String {
    let lines = std::iter::once(headings.join("\t")).chain(lines);
    lines.map(|line| line + "\n").collect()
}

proptest! {
    #[test]
    fn the_conference_s_file_reads_back_equal(records in records()) {
        let text = file(&CONFERENCE, records.iter().map(Record::conference_line));
        let read = results::read(text.as_bytes()).unwrap();
        prop_assert_eq!(read.notes, []);
        prop_assert_eq!(read.items, records);
    }

    #[test]
    fn a_lane_s_file_reads_back_equal(records in records()) {
        let own = records.iter().filter(|record| record.lane == lane('A'));
        let own: Vec<Record> = own.cloned().map(|record| Record { verdict: None, ..record }).collect();
        let text = file(&LANE, own.iter().map(Record::lane_line));
        let read = lanes::read(text.as_bytes(), lane('A')).unwrap();
        let LaneFile::Records(read) = read else { panic!("no measurements") };
        prop_assert_eq!(read.notes, []);
        prop_assert_eq!(read.items, own);
    }

    #[test]
    fn a_cell_is_one_cell_and_written_again_the_same(text in any::<String>()) {
        let cell = cell(&text);
        prop_assert!(!cell.is_empty());
        let breaks = ['\t', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
        prop_assert!(!cell.contains(breaks));
        prop_assert_eq!(super::super::super::artifacts::record::cell(&cell), cell);
    }

    #[test]
    fn no_bytes_upset_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), tail in "[\\PC\t\n\r]{0,200}") {
        let sheet = [b"round\tresearcher\titeration\tmetric_value\tstatus\n", bytes.as_slice()].concat();
        for text in [bytes.as_slice(), tail.as_bytes(), &sheet] {
            drop((results::read(text), lanes::read(text, lane('A'))));
            drop((events::read(text), reviews::read(text)));
        }
    }
}
