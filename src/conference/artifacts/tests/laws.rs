//! Arrival changes nothing; twice is the same; a row is a row.

use proptest::prelude::*;

use super::table::{Script, hold, metric, qualitative};
use crate::engine::event::{Aside, Event, Line};

#[test]
fn after_the_end_and_what_comes_too_late_the_bytes_are_the_same() {
    let mut held = hold(metric(), &Script::default());
    let before = (held.artifacts("t"), held.sections());
    let late = Aside {
        dispatch_id: "r1.A.1".to_owned(),
        reason: "received".to_owned(),
        digest: None,
    };
    let later = "2026-01-02T00:00:00Z".parse().unwrap();
    let mut stop = held.stop.clone();
    stop.check = "ok".to_owned();
    let cleanup = Event::Cleanup {
        ids: Vec::new(),
        background_processes: Vec::new(),
        residual_uncertainty: Vec::new(),
    };
    let written = Event::ArtifactWritten {
        path: "synthesis.md".to_owned(),
        digest: String::new(),
    };
    for event in [
        written,
        cleanup,
        Event::Completed(stop.clone()),
        Event::Stale(late),
    ] {
        let last = Some((held.state.lines, held.state.now.unwrap()));
        let line = Line::following(last, event, later);
        held.state = held.state.after(&line, &|_| None).unwrap();
    }
    held.stop = stop;
    assert_eq!((held.artifacts("t"), held.sections()), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_arrival_changes_nothing(order in prop::collection::vec(0usize..4, 1..12), is_metric in any::<bool>()) {
        let terms = || if is_metric { metric() } else { qualitative() };
        let first = hold(terms(), &Script::default());
        let other = hold(terms(), &Script { order, ..Script::default() });
        prop_assert_eq!(other.artifacts("t"), first.artifacts("t"));
        prop_assert_eq!(other.artifacts("t"), other.artifacts("t"));
        prop_assert_eq!(other.sections(), first.sections());
    }

    #[test]
    fn no_text_breaks_a_row(words in any::<String>()) {
        let plain = hold(metric(), &Script::default());
        let held = hold(metric(), &Script { words, ..Script::default() });
        for (found, expected) in held.artifacts("t").into_iter().zip(plain.artifacts("t")) {
            if !found.path.ends_with(".tsv") {
                continue;
            }
            let shape = |bytes: Vec<u8>| {
                let text = String::from_utf8(bytes).unwrap();
                let lines = text.lines().map(|line| line.split('\t').count());
                (lines.collect::<Vec<_>>(), text.ends_with('\n'), text.contains("NaN"))
            };
            prop_assert_eq!(shape(found.bytes), shape(expected.bytes));
        }
    }
}
