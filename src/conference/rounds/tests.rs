//! The protocol against scripted children: who is asked what, and how it ends.

mod illegal;
mod mishaps;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::next::{Measure, Step, next};
use super::receive;
use super::terms::Terms;
use crate::conference::plan::{Comparator, Convergence, MetricKind, Target};
use crate::engine::charter::{Charter, Direction, Domain, Parameter, Signal, Success};
use crate::engine::event::{Event, Line, RowStatus, StopCode, Via};
use crate::engine::id::{ConferenceId, Role};
use crate::engine::packet::Packet;
use crate::engine::state::{Evaluation, State};

/// Two lanes that want less than half a second.
pub(in crate::conference) fn terms() -> Terms {
    Terms {
        conference: "c-0123456789ab".parse::<ConferenceId>().unwrap(),
        goal: "Make it fast".to_owned(),
        success: Success::Metric {
            metric: "seconds".to_owned(),
            direction: Direction::Minimize,
            target: "< 0.5".to_owned(),
            baseline: Some(2.0),
        },
        target: Some(Target {
            comparator: Comparator::Less,
            value: 0.5,
            scale: None,
            unit: None,
        }),
        metric_kind: MetricKind::Float,
        convergence: Convergence::default(),
        focus: vec!["first".to_owned(), "second".to_owned()],
        critic: true,
        iterations_per_round: 3,
        max_rounds: 4,
        ceiling: 24,
        poster_child: false,
        probe: false,
        has_evaluator: true,
        lane_timeout_s: 60,
        wall_clock_s: 3_600,
        pause_every: Default::default(),
        redispatch_lost: false,
        host: "scripted".to_owned(),
        parameters: vec![Parameter {
            name: "level".to_owned(),
            domain: Domain::Range {
                min: 1.0,
                max: 22.0,
                integer: true,
            },
        }],
        read_context: Vec::new(),
        allowed_read_roots: Vec::new(),
        forbidden_actions: vec!["write".to_owned()],
    }
}

/// A conference in memory: every line is taken by the state as a replay would take it.
struct Table<'a> {
    terms: Terms,
    state: State,
    lines: Vec<Line>,
    packets: HashMap<String, Arc<Packet>>,
    now: Timestamp,
    charters: Vec<Charter>,
    child: Box<dyn FnMut(&Charter) -> Value + 'a>,
    measure: Box<Measuring<'a>>,
}

type Measuring<'a> = dyn FnMut(&Measure) -> Option<f64> + 'a;

impl<'a> Table<'a> {
    fn new(
        terms: Terms,
        child: impl FnMut(&Charter) -> Value + 'a,
        measure: impl FnMut(&Measure) -> Option<f64> + 'a,
    ) -> Self {
        let mut table = Self {
            terms,
            state: State::default(),
            lines: Vec::new(),
            packets: HashMap::new(),
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            charters: Vec::new(),
            child: Box::new(child),
            measure: Box::new(measure),
        };
        table.record(Event::GateConfirmed {
            conference_id: table.terms.conference.clone(),
            approval_digest: String::new(),
            config_digest: String::new(),
            host: "scripted".to_owned(),
            slots: 2,
            version: String::new(),
            probe: Vec::new(),
            surroundings: Default::default(),
        });
        table
    }

    fn record(&mut self, event: Event) {
        self.now = self.now.checked_add(SignedDuration::from_secs(1)).unwrap();
        let last = self.lines.last().map(|line| (line.seq, line.timestamp));
        let line = Line::following(last, event, self.now);
        let text = serde_json::to_string(&line).unwrap();
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
        let packets = |digest: &str| self.packets.get(digest).cloned();
        self.state = std::mem::take(&mut self.state)
            .after(&line, &packets)
            .unwrap();
        self.lines.push(line);
    }

    /// Runs to the end and gives the stop.
    fn run(&mut self) -> crate::engine::event::Stop {
        for _ in 0..10_000 {
            let room = 2 - self.state.open_calls().count();
            match next(&self.terms, &self.state, self.now, room) {
                Step::Record(events) => events.into_iter().for_each(|event| self.record(event)),
                Step::Dispatch(charter) => self.dispatch(*charter),
                Step::Await(work) => {
                    let Some(one) = work.measure.first() else {
                        self.answer();
                        continue;
                    };
                    let median = (self.measure)(one);
                    let evaluation = Evaluation {
                        raw: median.into_iter().collect(),
                        median,
                        reason: median.is_none().then(|| "exit".to_owned()),
                        digest: receive::digest_of(&one.candidate),
                    };
                    let event = receive::measured(&self.terms, one.call, one.index, evaluation, 0);
                    self.record(event);
                }
                Step::Finish(stop) => return stop,
                Step::Over | Step::Pause => panic!("over before the end"),
            }
        }
        panic!("no end: {:#?}", self.lines.last());
    }

    fn dispatch(&mut self, charter: Charter) {
        self.record(Event::Issued {
            dispatch_id: charter.dispatch_id.clone(),
            role: charter.role,
            round: charter.round,
            lane: charter.lane,
            attempt: charter.attempt,
            iteration_allowance: charter.iteration_allowance,
            charter_digest: crate::digest::sha256_hex(&charter.bytes()),
            host: "scripted".to_owned(),
            timeout_s: charter.timeout_s,
        });
        self.charters.push(charter);
    }

    /// The last child that is out answers.
    fn answer(&mut self) {
        let call = self.state.open_calls().last().expect("somebody is out");
        let charter = self
            .charters
            .iter()
            .find(|one| one.dispatch_id.call == call)
            .unwrap()
            .clone();
        let mut packet = (self.child)(&charter);
        packet["dispatch_id"] = json!(charter.dispatch_id);
        packet["role"] = json!(charter.role);
        let taken = receive::output(
            &self.state,
            &charter,
            packet.to_string().as_bytes(),
            Via::Process,
        );
        if let Some(packet) = taken.packet {
            self.packets.insert(packet.digest(), Arc::new(packet));
        }
        taken
            .events
            .into_iter()
            .for_each(|event| self.record(event));
    }

    fn count(&self, name: &str) -> usize {
        let named = |line: &&Line| serde_json::to_value(line).unwrap()["event"] == name;
        self.lines.iter().filter(named).count()
    }
}

fn empty() -> Value {
    json!({"status": "completed", "claims": [], "uncertainties": [], "recommended_root_actions": []})
}

/// A researcher that tries levels on from where its round begins, and claims its last one.
fn researcher(charter: &Charter) -> Value {
    let lane = charter.lane.unwrap().number() as u64;
    let first = u64::from(charter.round.unwrap() - 1) * 3 + lane + 1;
    let mut packet = empty();
    packet["candidates"] = (0..3)
        .map(|n| json!({"values": {"level": first + n}}))
        .collect();
    packet["claims"] = json!([{"claim": "more is faster", "evidence": "measured", "confidence": "high", "rows": [2]}]);
    packet
}

fn validates(charter: &Charter) -> Value {
    let mut packet = empty();
    let judged = |claim: &crate::engine::charter::Claimed| json!({"claim": claim.id, "verdict": "validated", "reason": "holds", "evidence": "again", "confidence": "high"});
    packet["verdicts"] = charter.claims.iter().map(judged).collect();
    packet
}

fn child(charter: &Charter) -> Value {
    match charter.role {
        Role::Researcher => researcher(charter),
        Role::Reviewer => validates(charter),
        _ => empty(),
    }
}

/// 2 / level: level 5 is the first below 0.5.
fn seconds(one: &Measure) -> Option<f64> {
    Some(2.0 / one.candidate.values["level"].as_f64().unwrap())
}

#[test]
fn it_converges_when_a_reviewed_value_meets_the_target() {
    let mut table = Table::new(terms(), child, seconds);
    let stop = table.run();
    assert_eq!(
        (stop.stop_code, stop.target_met),
        (StopCode::Converged, true)
    );
    assert_eq!(table.count("round.completed"), 2);
    assert_eq!(table.count("evaluation.recorded"), 12);
    assert_eq!(table.count("researcher.iteration"), 16);
    assert_eq!(table.state.knowledge.len(), 4);
    assert_eq!(table.count("dispatch.issued"), 2 * 3 + 1);
    assert_eq!(table.count("budget.settled"), 7);
    assert_eq!(table.state.budget.iterations(), 12);
}

#[test]
fn what_is_only_claimed_reaches_nobody() {
    let silent = |charter: &Charter| match charter.role {
        Role::Reviewer => empty(),
        _ => child(charter),
    };
    let mut table = Table::new(terms(), silent, seconds);
    let stop = table.run();
    assert_eq!(
        (stop.stop_code, stop.target_met, stop.stalled),
        (StopCode::Stalled, false, true)
    );
    assert!(table.state.knowledge.is_empty());
    let facts = super::converge::facts(&table.terms, &table.state);
    assert_eq!(facts.best, None);
}

#[test]
fn an_inflated_claim_is_challenged_whatever_the_reviewer_says() {
    let inflates = |charter: &Charter| {
        let mut packet = child(charter);
        if charter.role == Role::Researcher && charter.lane.unwrap().number() == 0 {
            let value = |_| json!({"name": "seconds", "value": "0.001", "provenance": "trust me"});
            packet["measurements"] = (0..3).map(value).collect();
        }
        packet
    };
    let mut table = Table::new(terms(), inflates, seconds);
    table.run();
    let by_root = table
        .state
        .verdicts
        .values()
        .filter(|judged| judged.by == "root")
        .count();
    assert_eq!(by_root, table.count("round.completed"));
    assert!(
        table
            .state
            .knowledge
            .iter()
            .all(|finding| finding.id.call.task.lane().unwrap().number() == 1)
    );
    assert!(
        table
            .state
            .rows
            .values()
            .all(|row| row.value != Some(0.001))
    );
}

#[test]
fn the_last_round_says_so_and_the_budget_stops_it() {
    let mut terms = terms();
    terms.target = Some(Target {
        comparator: Comparator::Less,
        value: 0.0,
        scale: None,
        unit: None,
    });
    terms.max_rounds = 9;
    let mut table = Table::new(terms, child, seconds);
    let stop = table.run();
    assert_eq!(stop.stop_code, StopCode::BudgetStop);
    assert_eq!(stop.budget_hit, ["iterations"]);
    let signals: Vec<Signal> = table
        .charters
        .iter()
        .filter(|one| one.lane.is_some())
        .map(|one| one.signal)
        .collect();
    assert_eq!(signals.len(), 8);
    assert_eq!(
        signals
            .iter()
            .position(|signal| *signal == Signal::LastRound),
        Some(6)
    );
}

#[test]
fn no_valid_packet_blocks() {
    let mute = |_: &Charter| json!({"status": "completed"});
    let mut table = Table::new(terms(), mute, seconds);
    assert_eq!(table.run().stop_code, StopCode::BlockedNoValidPacket);
    assert_eq!(table.count("dispatch.failed"), 2);
    assert_eq!(table.count("packet.rejected"), 2);
    assert_eq!(table.state.budget.iterations(), 6);
}

/// Qualitative: the reviewer gives each lane the score of the round.
fn scored(scores: &'static [[u8; 2]]) -> impl Fn(&Charter) -> Value {
    move |charter: &Charter| {
        let mut packet = empty();
        match charter.role {
            Role::Researcher => {
                packet["claims"] =
                    json!([{"claim": "clearer", "evidence": "read", "confidence": "low"}]);
            }
            Role::Reviewer => {
                let round = charter.round.unwrap() as usize;
                let of = |(lane, score)| json!({"lane": lane, "score": score, "notes": "read"});
                packet["scores"] = ["A", "B"]
                    .into_iter()
                    .zip(scores[round - 1])
                    .map(of)
                    .collect();
            }
            _ => {}
        }
        packet
    }
}

fn qualitative() -> Terms {
    Terms {
        success: Success::Qualitative {
            criteria: "clear".to_owned(),
        },
        target: None,
        has_evaluator: false,
        ..terms()
    }
}

fn held(
    terms: Terms,
    scores: &'static [[u8; 2]],
) -> (StopCode, Vec<(u32, Option<f64>, RowStatus)>) {
    let mut table = Table::new(terms, scored(scores), |_| None);
    let stop = table.run();
    let rows = table.state.rows.iter();
    let rows = rows.map(|((round, ..), row)| (*round, row.value, row.status));
    (stop.stop_code, rows.collect())
}

#[test]
fn a_score_is_a_row_and_quality_that_holds_converges() {
    let (code, rows) = held(qualitative(), &[[7, 8], [9, 8], [8, 9]]);
    assert_eq!(code, StopCode::Converged);
    let expected = [(1, 7.0), (1, 8.0), (2, 9.0), (2, 8.0), (3, 8.0), (3, 9.0)];
    let found: Vec<(u32, f64)> = rows.iter().map(|row| (row.0, row.1.unwrap())).collect();
    assert_eq!(found, expected);
    let kept: Vec<bool> = rows.iter().map(|row| row.2 == RowStatus::Kept).collect();
    assert_eq!(kept, [true, true, true, false, false, true]);
}

#[test]
fn quality_that_does_not_rise_stalls() {
    let (code, rows) = held(qualitative(), &[[6, 6], [6, 6], [6, 6]]);
    assert_eq!((code, rows.len()), (StopCode::Stalled, 6));
}

#[test]
fn the_approved_rules_of_convergence_are_the_ones_that_hold() {
    let mut early = qualitative();
    early.convergence.early_quality = true;
    let (code, rows) = held(early, &[[9, 10]]);
    assert_eq!((code, rows.len()), (StopCode::Converged, 2));

    let mut strict = qualitative();
    strict.convergence.qualitative_threshold = 9;
    let (code, rows) = held(strict, &[[8, 8], [9, 9], [9, 9]]);
    assert_eq!((code, rows.len()), (StopCode::Converged, 6));

    let mut patient = terms();
    patient.target = None;
    patient.convergence.plateau_window = 1;
    let level = |charter: &Charter| {
        let mut packet = child(charter);
        if charter.role == Role::Researcher {
            packet["candidates"] = json!(vec![json!({"values": {"level": 4}}); 3]);
        }
        packet
    };
    let mut table = Table::new(patient, level, seconds);
    assert_eq!(table.run().stop_code, StopCode::ConvergedPlateau);
    assert_eq!(table.count("round.completed"), 2);
}

#[test]
fn every_move_from_stage_to_stage_is_told_with_what_it_rests_on() {
    let mut table = Table::new(terms(), child, seconds);
    table.run();
    let moves: Vec<(String, String, u32, usize)> = table
        .lines
        .iter()
        .filter_map(|line| match &line.event {
            Event::Transition {
                prev,
                next,
                round,
                dispatch_ids,
                ..
            } => Some((prev.clone(), next.clone(), *round, dispatch_ids.len())),
            _ => None,
        })
        .collect();
    let chained = moves.windows(2).all(|pair| pair[0].1 == pair[1].0);
    assert!(chained, "{moves:?}");
    let stages: Vec<&str> = moves.iter().map(|one| one.1.as_str()).collect();
    assert_eq!(
        stages[..4],
        ["CONFIRMED", "DISPATCHING", "COLLECTING", "REVIEWING"]
    );
    assert_eq!(stages.last(), Some(&"SYNTHESIZING"));
    let lanes = table.terms.focus.len();
    let reviewed = moves.iter().filter(|one| one.1 == "REVIEWING");
    assert!(reviewed.clone().count() > 0);
    assert!(reviewed.clone().all(|one| one.3 == lanes), "{moves:?}");
    let left = moves.iter().filter(|one| one.0 == "REVIEWING");
    assert!(left.clone().all(|one| one.3 == 1), "{moves:?}");
}
