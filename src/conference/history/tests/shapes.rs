//! Single oddities of real files, and what is refused.

use super::super::events::{self, Told};
use super::super::lanes::{self, LaneFile};
use super::super::{cells, results};
use super::lane;
use crate::engine::event::RowStatus;

const HEAD: &str = "round\tresearcher\titeration\tmetric_value\tdelta\tdelta_pct\tstatus\tdescription\tevaluator_source\tpeer_review_verdict\ttimestamp";

fn row(value: &str, status: &str, verdict: &str, time: &str) -> Vec<u8> {
    format!("{HEAD}\n1\tA\t1\t{value}\t-\t-\t{status}\tx\tmanual\t{verdict}\t{time}\n").into_bytes()
}

#[test]
fn a_number_in_each_spelling_and_what_is_none() {
    for (text, number) in [
        ("+6.0", 6.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-1e3", -1000.0),
        ("+1E-2", 0.01),
        ("-0", 0.0),
    ] {
        assert_eq!(cells::number(text), Some(number), "{text}");
    }
    for text in [
        "",
        "-",
        "+",
        "NaN",
        "inf",
        "-infinity",
        "0x10",
        "1e999",
        "1_0",
        "1,5",
        "1 2",
        "TBD",
    ] {
        assert_eq!(cells::number(text), None, "{text}");
    }
    assert_eq!(cells::change("+17.4%"), Some(Some(17.4)));
    assert_eq!(cells::change("--"), Some(None));
    assert_eq!(cells::change("many"), None);
}

#[test]
fn rows_that_are_read_with_a_remark() {
    for (status, read) in [
        ("improved", RowStatus::Kept),
        ("KEPT", RowStatus::Kept),
        ("FAILED", RowStatus::Failed),
        ("STALLED", RowStatus::Reverted),
        ("guard_violation", RowStatus::Failed),
        ("reference", RowStatus::Baseline),
    ] {
        let found = results::read(&row("1", status, "-", "2026-01-01T00:00:00.250Z")).unwrap();
        assert_eq!(
            (found.items[0].status, found.notes.len()),
            (read, 1),
            "{status}"
        );
    }
    for time in ["2026-04-05 09:30", "2026-04-05T10:00:00", "2026-04-05"] {
        let found = results::read(&row("1", "kept", "-", time)).unwrap();
        assert_eq!((found.items[0].at, found.notes.len()), (None, 1), "{time}");
    }
}

#[test]
fn rows_that_are_left_out() {
    for bad in [
        row("NaN", "kept", "-", "-"),
        row("TBD", "baseline", "-", "-"),
        row("-", "kept", "-", "-"),
        row("1", "perfect", "-", "-"),
        row("1", "kept", "maybe", "-"),
        format!("{HEAD}\n0\tA\t1\t1\n").into_bytes(),
        format!("{HEAD}\n1\tAB\t1\t1\n").into_bytes(),
        format!("{HEAD}\n1\tA\t-1\t1\n").into_bytes(),
    ] {
        let found = results::read(&bad).unwrap();
        let text = String::from_utf8(bad).unwrap();
        assert_eq!(
            (found.items.len(), found.notes.is_empty()),
            (0, false),
            "{text}"
        );
    }
    let mut twice = row("1", "kept", "-", "-");
    twice.extend_from_slice(b"1\tA\t1\t2\t-\t-\tkept\ty\tmanual\t-\t-\n");
    let found = results::read(&twice).unwrap();
    assert_eq!((found.items.len(), found.notes[0].line), (1, 3));
}

#[test]
fn windows_lines_a_byte_order_mark_and_blank_lines() {
    let text = String::from_utf8(row("1", "kept", "-", "2026-01-01T00:00:00Z")).unwrap();
    let plain = results::read(text.as_bytes()).unwrap();
    let odd = format!("\u{feff}{}\r\n\r\n", text.replace('\n', "\r\n"));
    assert_eq!(results::read(odd.as_bytes()).unwrap(), plain);
}

#[test]
fn other_files_are_refused() {
    assert!(results::read(b"").is_err());
    assert!(results::read(b"a\tb\n1\t2\n").is_err());
    assert!(results::read(b"\xff\n").is_err());
    assert!(lanes::read(b"a\tb\n1\t2\n", lane('A')).is_err());
}

#[test]
fn four_shapes_of_a_lane_s_file() {
    let measured = |file: LaneFile| match file {
        LaneFile::Records(read) => read
            .items
            .into_iter()
            .map(|row| (row.round, row.lane))
            .collect::<Vec<_>>(),
        LaneFile::Papers(_) => panic!("papers"),
    };
    let eight = b"iteration\tmetric_value\tdelta\tdelta_pct\tstatus\tdescription\tevaluator_source\ttimestamp\n0\t1\t-\t-\tbaseline\tx\tmanual\t-\n0\t2\t-\t-\tbaseline\ty\tmanual\t-\n";
    let seven = b"iteration\tmetric_value\tdelta\tdelta_pct\tstatus\tdescription\ttimestamp\n0\t1\t0\t0%\tbaseline\tx\t-\n1\t2\t1\t100\timproved\ty\t-\n";
    let ten = b"round\tresearcher\titeration\tmetric_value\tdelta\tdelta_pct\tstatus\tdescription\tpeer_review_verdict\ttimestamp\n2\tB\t0\t1\t-\t-\tbaseline\tx\tvalidated\t-\n";
    let read = |bytes: &[u8]| lanes::read(bytes, lane('C')).unwrap();
    assert_eq!(measured(read(eight)), [(1, lane('C')), (2, lane('C'))]);
    assert_eq!(measured(read(seven)), [(1, lane('C')), (1, lane('C'))]);
    assert_eq!(measured(read(ten)), [(2, lane('B'))]);
    let survey = "category\ttitle\tauthors\tyear\tvenue\tsummary\tkey_findings\tcoverage_score\nc\tt\ta\t2020\tv\ts\tk\t0.5\nc\t\ta\t2020\tv\ts\tk\t0.5\n";
    let LaneFile::Papers(papers) = read(survey.as_bytes()) else {
        panic!("measurements");
    };
    assert_eq!((papers.items.len(), papers.notes.len()), (1, 1));
    assert_eq!(papers.items[0].coverage_score, "0.5");
}

#[test]
fn lines_of_events_in_other_spellings() {
    let text = "{\"type\":\"round.completed\",\"ts\":\"2026-01-01T00:00:00Z\",\"payload\":{\"round\":2}}\n\
        {\"type\":\"round.completed\",\"ts\":\"2026-01-01T00:00:00Z\",\"payload\":{\"round\":2}}\n\
        {\"event\":\"round.3.completed\"}\n\
        not json\n\
        {\"event\":\"researcher.iteration\",\"payload\":{\"researcher\":\"é\",\"round\":1,\"iteration\":0,\"status\":\"kept\"}}\n\
        {\"event\":\"conference.converged\",\"payload\":7}\n\
        {\"event\":\"conference.compl";
    let read = events::read(text.as_bytes()).unwrap();
    let told: Vec<_> = read.items.iter().map(|entry| entry.told.clone()).collect();
    assert_eq!(
        told,
        [
            Told::RoundCompleted { round: 2 },
            Told::RoundCompleted { round: 3 },
            Told::Unreadable,
            Told::Unreadable,
            Told::Other("conference.converged".to_owned()),
        ]
    );
    assert!(read.items[0].at.is_some());
    let noted: Vec<_> = read.notes.iter().map(|note| note.line).collect();
    assert_eq!(noted, [1, 1, 2, 3, 4, 5, 7]);
}
