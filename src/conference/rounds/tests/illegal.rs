//! What no state takes: every line of a whole conference, again and behind its end.

use super::{Table, child, seconds, terms};
use crate::conference::rounds::receive;
use crate::engine::event::{Event, Line};

/// Whether the state of a table takes one more event.
fn takes(table: &Table<'_>, event: Event) -> bool {
    let last = table.lines.last().map(|line| (line.seq, line.timestamp));
    let line = Line::following(last, event, table.now);
    let packets = |digest: &str| table.packets.get(digest).cloned();
    table.state.clone().after(&line, &packets).is_ok()
}

/// Lines that say nothing about what was counted may come again.
fn is_harmless(event: &Event) -> bool {
    matches!(
        event,
        Event::Started { .. }
            | Event::Stuck { .. }
            | Event::Converged { .. }
            | Event::ArtifactWritten { .. }
            | Event::Stale(_)
            | Event::Duplicate(_)
            | Event::Rejected(_)
            | Event::CancelRequested { .. }
            | Event::DeadlinePassed { .. }
    )
}

#[test]
fn nothing_that_was_counted_is_counted_twice() {
    let mut table = Table::new(terms(), child, seconds);
    table.run();
    for line in &table.lines {
        let harmless = is_harmless(&line.event);
        assert!(harmless || !takes(&table, line.event.clone()), "{line:?}");
    }
}

#[test]
fn an_id_has_one_end_before_it_is_settled_too() {
    let mut table = Table::new(terms(), child, seconds);
    table.until(|step| !matches!(step, super::Step::Await(_)));
    let id = table.charters[0].dispatch_id.clone();
    table.record(receive::failed(&id, "exit"));
    for end in [
        receive::failed(&id, "exit"),
        receive::cancelled(&id),
        receive::timed_out(&table.terms, id.call),
    ] {
        assert!(!takes(&table, end.clone()), "{end:?}");
    }
}

#[test]
fn behind_the_end_comes_only_what_stands_aside() {
    let mut table = Table::new(terms(), child, seconds);
    let stop = table.run();
    table.record(Event::Cleanup {
        ids: Vec::new(),
        background_processes: Vec::new(),
        residual_uncertainty: Vec::new(),
    });
    table.record(Event::Completed(stop));
    let aside = |reason: &str| crate::engine::event::Aside {
        dispatch_id: "c-0".to_owned(),
        reason: reason.to_owned(),
        digest: None,
    };
    assert!(takes(&table, Event::Stale(aside("late"))));
    assert!(takes(&table, Event::Duplicate(aside("again"))));
    assert!(!takes(&table, Event::Rejected(aside("malformed"))));
    for line in &table.lines {
        assert!(!takes(&table, line.event.clone()), "{line:?}");
    }
}
