//! What the simulation found (`tests/simulation`), each in its smallest form.

use jiff::SignedDuration;
use serde_json::json;

use super::{Table, child, empty, qualitative, scored, seconds, terms, validates};
use crate::conference::rounds::converge;
use crate::conference::rounds::next::{Step, expire, next};
use crate::conference::rounds::receive;
use crate::engine::charter::{Charter, MAX_BYTES, Signal};
use crate::engine::event::{Event, StopCode, Via};
use crate::engine::id::Role;

impl Table<'_> {
    fn ask(&self, room: usize) -> Step {
        next(&self.terms, &self.state, self.now, room)
    }

    /// Does what comes next as long as `goes` says so.
    pub(super) fn until(&mut self, goes: impl Fn(&Step) -> bool) -> Step {
        for _ in 0..1_000 {
            match self.ask(2 - self.state.open_calls().count()) {
                step if !goes(&step) => return step,
                Step::Record(events) => events.into_iter().for_each(|event| self.record(event)),
                Step::Dispatch(charter) => self.dispatch(*charter),
                _ => self.answer(),
            }
        }
        panic!("it goes on");
    }
}

fn names(events: &[Event]) -> Vec<String> {
    let name = |event| serde_json::to_value(event).unwrap()["event"].to_string();
    events.iter().map(name).collect()
}

#[test]
fn a_crash_between_rows_or_verdicts_repeats_none() {
    for wanted in ["\"researcher.iteration\"", "\"verdict.recorded\""] {
        let mut table = Table::new(terms(), child, seconds);
        table.terms.has_evaluator = false;
        let begins = |step: &Step| match step {
            Step::Record(events) => names(events)[0] != wanted,
            _ => true,
        };
        let Step::Record(mut events) = table.until(begins) else {
            panic!("{wanted}");
        };
        let left = events.split_off(1);
        table.record(events.remove(0));
        assert_eq!(table.ask(2), Step::Record(left), "{wanted}");
    }
}

#[test]
fn what_has_its_packet_is_not_timed_out() {
    let mut table = Table::new(terms(), child, seconds);
    table.until(|step| !matches!(step, Step::Await(_)));
    let charter = table.charters[1].clone();
    let mut packet = child(&charter);
    packet["dispatch_id"] = json!(charter.dispatch_id);
    packet["role"] = json!(charter.role);
    let bytes = packet.to_string().into_bytes();
    let taken = receive::output(&table.state, &charter, &bytes, Via::Relayed);
    let packet = taken.packet.unwrap();
    table
        .packets
        .insert(packet.digest(), std::sync::Arc::new(packet));
    table.record(taken.events[0].clone());
    let late = table.now + SignedDuration::from_secs(600);
    let expired = expire(&table.terms, &table.state, late, true);
    let ids: Vec<String> = expired
        .iter()
        .map(|event| serde_json::to_value(event).unwrap()["payload"]["dispatch_id"].to_string())
        .collect();
    assert_eq!(ids, [format!("\"{}\"", table.charters[0].dispatch_id)]);
}

/// What goes out next, where one child runs at a time.
fn next_out(table: &mut Table<'_>) -> Option<String> {
    loop {
        match table.ask(1) {
            Step::Record(events) => events.into_iter().for_each(|event| table.record(event)),
            Step::Dispatch(charter) => {
                let call = charter.dispatch_id.call.to_string();
                table.dispatch(*charter);
                return Some(call);
            }
            _ => return None,
        }
    }
}

/// Loses what went out last, and gives what goes out then.
fn lost(table: &mut Table<'_>) -> Option<String> {
    let id = table.charters.last().unwrap().dispatch_id.clone();
    table.record(receive::failed(&id, receive::LOST));
    next_out(table)
}

#[test]
fn a_replacement_takes_no_other_lanes_share() {
    for (ceiling, expected) in [(6, "r1.B.1"), (12, "r1.A.2")] {
        let mut terms = terms();
        (terms.redispatch_lost, terms.ceiling) = (true, ceiling);
        let mut table = Table::new(terms, child, seconds);
        assert_eq!(next_out(&mut table).unwrap(), "r1.A.1");
        assert_eq!(lost(&mut table).unwrap(), expected, "{ceiling}");
        assert!(table.state.budget.iterations() <= ceiling);
        assert_eq!(table.state.budget.reserved.len(), 1);
    }
}

#[test]
fn no_role_is_called_more_often_than_approved() {
    let mut terms = terms();
    (terms.redispatch_lost, terms.max_rounds) = (true, 2);
    terms.has_evaluator = false;
    let mut table = Table::new(terms, child, seconds);
    let reviewed =
        |step: &Step| !matches!(step, Step::Dispatch(charter) if charter.role == Role::Reviewer);
    table.until(reviewed);
    assert_eq!(next_out(&mut table).unwrap(), "r1.reviewer.1");
    assert_eq!(lost(&mut table).unwrap(), "r1.reviewer.2");
    // Two reviews were approved: the second is gone, and with it the second round.
    assert_eq!(lost(&mut table).unwrap(), "synthesis.1");
    assert_eq!(lost(&mut table), None);
    let Step::Finish(stop) = table.ask(1) else {
        panic!("it ends");
    };
    assert_eq!(
        (stop.stop_code, stop.budget_hit),
        (StopCode::BudgetStop, vec!["calls".to_owned()])
    );
}

#[test]
fn what_can_go_out_no_more_is_given_back() {
    let mut table = Table::new(terms(), child, seconds);
    let reserves = |step: &Step| !matches!(step, Step::Record(events) if names(events)[0].contains("reserved"));
    let Step::Record(events) = table.until(reserves) else {
        panic!("nothing is set aside");
    };
    table.record(events[0].clone());
    table.record(Event::CancelRequested {
        by: "signal".to_owned(),
    });
    let Step::Record(events) = table.ask(1) else {
        panic!("nothing is given back");
    };
    assert_eq!(names(&events), ["\"budget.settled\""]);
    table.record(events[0].clone());
    assert_eq!(
        (table.state.budget.calls(), table.state.budget.iterations()),
        (0, 0)
    );
    assert!(matches!(table.ask(1), Step::Finish(_)));
}

#[test]
fn a_clock_that_went_back_gives_no_time() {
    let mut terms = terms();
    terms.wall_clock_s = 100;
    let mut table = Table::new(terms, child, seconds);
    table.now += SignedDuration::from_secs(70);
    table.until(|step| !matches!(step, Step::Dispatch(_)));
    table.now -= SignedDuration::from_secs(60);
    let Step::Dispatch(charter) = table.ask(1) else {
        panic!("a lane goes out");
    };
    // And less than a lane's time means that no other round follows.
    assert!(charter.timeout_s < 30, "{}", charter.timeout_s);
    assert_eq!(charter.signal, Signal::LastRound);
    table.now += SignedDuration::from_secs(200);
    let Step::Record(events) = table.ask(1) else {
        panic!("something goes out after the time");
    };
    assert_eq!(names(&events), ["\"deadline.passed\""]);
}

#[test]
fn a_validated_value_is_the_best_in_an_incomplete_round_too() {
    let half = |charter: &Charter| match charter.lane {
        Some(lane) if lane.number() == 1 => json!({"status": "completed"}),
        _ => child(charter),
    };
    let mut table = Table::new(terms(), half, seconds);
    table.terms.target.as_mut().unwrap().value = 1.0;
    let stop = table.run();
    assert_eq!(
        (stop.stop_code, stop.target_met),
        (StopCode::Converged, true)
    );
    let best = converge::facts(&table.terms, &table.state).best.unwrap();
    assert_eq!((best.value, best.round, best.iteration), (2.0 / 3.0, 1, 3));
}

#[test]
fn a_lane_without_a_score_is_not_good() {
    let all = scored(&[[9, 9], [9, 9], [9, 9], [5, 9]]);
    let forgets = |charter: &Charter| {
        let mut packet = all(charter);
        if charter.role == Role::Reviewer && charter.round == Some(2) {
            packet["scores"].as_array_mut().unwrap().pop();
        }
        packet
    };
    let mut table = Table::new(qualitative(), forgets, |_| None);
    let stop = table.run();
    assert_eq!(
        (stop.stop_code, stop.target_met),
        (StopCode::BudgetStop, false)
    );
    assert_eq!(table.count("round.completed"), 4);
}

#[test]
fn every_charter_fits_whatever_children_claim() {
    let talks = |charter: &Charter| {
        let mut packet = if charter.role == Role::Reviewer {
            validates(charter)
        } else {
            empty()
        };
        if charter.role == Role::Researcher {
            let claim = json!({"claim": "🦀".repeat(200), "evidence": "🐚".repeat(40), "confidence": "high"});
            packet["claims"] = (0..charter.claims_allowed.min(56))
                .map(|_| claim.clone())
                .collect();
        }
        packet
    };
    let mut table = Table::new(terms(), talks, |_| None);
    table.terms.has_evaluator = false;
    table.run();
    let most = table
        .charters
        .iter()
        .map(|charter| charter.bytes().len())
        .max();
    assert!(
        most.unwrap() <= MAX_BYTES && most.unwrap() > MAX_BYTES / 2,
        "{most:?}"
    );
    let synthesis = table.charters.last().unwrap();
    assert_eq!(synthesis.role, Role::Synthesis);
    assert_eq!(synthesis.claims.len(), table.state.verdicts.len());
}

#[test]
fn a_round_that_was_only_begun_does_not_make_a_conference_stalled() {
    let blocked = |charter: &Charter| match charter.role {
        Role::Researcher => {
            let mut packet = empty();
            packet["status"] = json!("blocked");
            packet
        }
        _ => child(charter),
    };
    let mut table = Table::new(terms(), blocked, seconds);
    let is =
        |step: &Step, name: &str| matches!(step, Step::Record(events) if names(events)[0] == name);
    for name in ["\"round.completed\"", "\"round.started\""] {
        let Step::Record(events) = table.until(|step| !is(step, name)) else {
            panic!("{name}");
        };
        events.into_iter().for_each(|event| table.record(event));
    }
    assert_eq!(table.state.current_round(), 2);
    assert!(!converge::facts(&table.terms, &table.state).stalled);
}

/// A table whose first lane is out.
fn first_is_out<'a>() -> Table<'a> {
    let mut table = Table::new(terms(), child, seconds);
    table.until(|step| !matches!(step, Step::Await(_)));
    table
}

#[test]
fn a_child_that_says_that_it_failed_has_failed_whatever_it_claims() {
    let table = first_is_out();
    let charter = &table.charters[0];
    let mut packet = child(charter);
    packet["dispatch_id"] = json!(charter.dispatch_id);
    packet["role"] = json!(charter.role);
    packet["status"] = json!("failed");
    assert_ne!(packet["claims"], json!([]));
    let bytes = packet.to_string();
    let taken = receive::output(&table.state, charter, bytes.as_bytes(), Via::Process);
    assert_eq!(names(&taken.events), ["\"dispatch.failed\""]);
    assert!(taken.packet.is_none());
}

#[test]
fn a_refusal_ends_the_id_only_where_a_process_was_its_child() {
    let table = first_is_out();
    for (via, ends) in [
        (Via::Process, true),
        (Via::Hook, false),
        (Via::Relayed, false),
    ] {
        let taken = receive::output(&table.state, &table.charters[0], b"no packet", via);
        let names = names(&taken.events);
        assert_eq!(names[0], "\"packet.rejected\"");
        assert_eq!(
            names.contains(&"\"dispatch.failed\"".to_owned()),
            ends,
            "{via:?}"
        );
    }
}

#[test]
fn a_number_without_a_candidate_is_worth_nothing_where_the_root_measures() {
    let boasts = |charter: &Charter| {
        let mut packet = child(charter);
        if charter.role == Role::Researcher {
            packet["candidates"] = json!([]);
            packet["measurements"] =
                json!([{"name": "seconds", "value": "0.001", "provenance": "script:own"}]);
            packet["claims"][0]["rows"] = json!([0]);
        }
        packet
    };
    let mut table = Table::new(terms(), boasts, seconds);
    let stop = table.run();
    assert!(!stop.target_met, "{stop:?}");
    assert_eq!(table.state.knowledge, []);
    assert_eq!(converge::facts(&table.terms, &table.state).best, None);
    let measured = table
        .state
        .rows
        .iter()
        .filter(|((.., iteration), _)| *iteration > 0);
    assert!(measured.clone().count() > 0);
    assert!(measured.clone().all(|(_, row)| row.value.is_none()));
    let reasons: Vec<&str> = table
        .state
        .verdicts
        .values()
        .map(|one| one.reason.as_str())
        .collect();
    assert!(
        reasons
            .iter()
            .all(|reason| *reason == "row 0 was not measured"),
        "{reasons:?}"
    );
    assert!(!reasons.is_empty());
}
