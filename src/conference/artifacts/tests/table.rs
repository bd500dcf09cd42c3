//! A small conference in memory, whose children say what a test wants, in the order that it wants.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::{Artifact, Edition, Sections, render, sections};
use crate::conference::rounds;
use crate::conference::rounds::next::{Measure, Step, next};
use crate::conference::rounds::receive;
use crate::conference::rounds::terms::Terms;
use crate::engine::charter::{Charter, Claimed, Domain, Parameter, Success};
use crate::engine::event::{Ended, Event, Line, Stop, Via};
use crate::engine::id::{Call, Role};
use crate::engine::packet::Packet;
use crate::engine::state::{Evaluation, State};

/// What every child says, and in which order those that are out answer.
#[derive(Clone)]
pub(super) struct Script {
    /// Stands in every string of every packet.
    pub(super) words: String,
    /// Which of those that are out answers next: picked again and again from here.
    pub(super) order: Vec<usize>,
    /// Calls that fail instead of answering.
    pub(super) fail: Vec<&'static str>,
    /// How packets come.
    pub(super) via: Via,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            words: "a plain finding".to_owned(),
            order: vec![0],
            fail: Vec::new(),
            via: Via::Process,
        }
    }
}

/// As the protocol's own tests have it, with a child for the poster and any candidate allowed.
pub(super) fn metric() -> Terms {
    Terms {
        poster_child: true,
        parameters: vec![Parameter {
            name: "level".to_owned(),
            domain: Domain::Range {
                min: 1.0,
                max: 22.0,
                integer: true,
            },
        }],
        ..rounds::tests::terms()
    }
}

pub(super) fn qualitative() -> Terms {
    Terms {
        success: Success::Qualitative {
            criteria: "clear".to_owned(),
        },
        target: None,
        has_evaluator: false,
        ..metric()
    }
}

/// A conference that was held to its end.
pub(super) struct Held {
    pub(super) terms: Terms,
    pub(super) state: State,
    pub(super) stop: Stop,
}

impl Held {
    pub(super) fn edition<'a>(&'a self, title: &'a str) -> Edition<'a> {
        Edition {
            title,
            evaluator: Some("bench.sh"),
            reported: &[],
            stop: Some(&self.stop),
        }
    }

    pub(super) fn artifacts(&self, title: &str) -> Vec<Artifact> {
        render(&self.terms, &self.state, &self.edition(title))
    }

    pub(super) fn sections(&self) -> Sections {
        sections(&self.terms, &self.state, &self.edition(""))
    }

    pub(super) fn text(&self, path: &str) -> String {
        let found = self.artifacts("Faster pages").into_iter();
        let mut found = found.filter(|artifact| artifact.path == path);
        String::from_utf8(found.next().expect(path).bytes).unwrap()
    }
}

/// Holds a conference under a clock that stands still.
pub(super) fn hold(terms: Terms, script: &Script) -> Held {
    let mut table = Table {
        state: State::default(),
        seq: None,
        packets: HashMap::new(),
        charters: HashMap::new(),
        turn: 0,
        script,
        terms,
    };
    table.record(Event::GateConfirmed {
        conference_id: table.terms.conference.clone(),
        approval_digest: String::new(),
        config_digest: String::new(),
        host: "scripted".to_owned(),
        slots: 9,
        version: String::new(),
        probe: Vec::new(),
        surroundings: Default::default(),
    });
    let stop = table.run();
    Held {
        terms: table.terms,
        state: table.state,
        stop,
    }
}

struct Table<'a> {
    terms: Terms,
    state: State,
    seq: Option<(u64, Timestamp)>,
    packets: HashMap<String, Arc<Packet>>,
    charters: HashMap<Call, Charter>,
    turn: usize,
    script: &'a Script,
}

impl Table<'_> {
    fn now() -> Timestamp {
        "2026-01-01T00:00:00Z".parse().unwrap()
    }

    fn record(&mut self, event: Event) {
        let line = Line::following(self.seq, event, Self::now());
        self.seq = Some((line.seq, line.timestamp));
        let packets = |digest: &str| self.packets.get(digest).cloned();
        let before = std::mem::take(&mut self.state);
        self.state = before.after(&line, &packets).unwrap();
    }

    fn run(&mut self) -> Stop {
        loop {
            match next(&self.terms, &self.state, Self::now(), 9) {
                Step::Record(events) => events.into_iter().for_each(|event| self.record(event)),
                Step::Dispatch(charter) => self.dispatch(*charter),
                Step::Await(work) if !self.state.open_calls().any(|_| true) => {
                    work.measure.iter().for_each(|one| self.measure(one));
                }
                Step::Await(_) => self.answer(),
                Step::Finish(stop) => return stop,
                Step::Over | Step::Pause => panic!("over before the end"),
            }
        }
    }

    fn dispatch(&mut self, charter: Charter) {
        self.record(Event::Issued {
            dispatch_id: charter.dispatch_id.clone(),
            role: charter.role,
            round: charter.round,
            lane: charter.lane,
            attempt: charter.attempt,
            iteration_allowance: charter.iteration_allowance,
            charter_digest: String::new(),
            host: "scripted".to_owned(),
            timeout_s: charter.timeout_s,
        });
        self.charters.insert(charter.dispatch_id.call, charter);
    }

    /// 2 / level, but level 3 is not measured.
    fn measure(&mut self, one: &Measure) {
        let level = one.candidate.values["level"].as_f64().unwrap();
        let median = Some(2.0 / level).filter(|_| level != 3.0);
        let evaluation = Evaluation {
            raw: median.into_iter().collect(),
            median,
            reason: median.is_none().then(|| "exit".to_owned()),
            digest: receive::digest_of(&one.candidate),
        };
        self.record(receive::measured(
            &self.terms,
            one.call,
            one.index,
            evaluation,
            0,
        ));
    }

    fn answer(&mut self) {
        let open: Vec<Call> = self.state.open_calls().collect();
        let order = &self.script.order;
        let pick = order[self.turn % order.len()] % open.len();
        self.turn += 1;
        let charter = self.charters[&open[pick]].clone();
        let id = charter.dispatch_id.clone();
        if self.script.fail.contains(&id.call.to_string().as_str()) {
            return self.record(receive::failed(&id, "exit 3"));
        }
        let packet: Packet = serde_json::from_value(packet(&charter, &self.script.words)).unwrap();
        let digest = packet.digest();
        self.packets.insert(digest.clone(), Arc::new(packet));
        self.record(Event::Accepted {
            dispatch_id: id.clone(),
            lane: charter.lane,
            role: charter.role,
            digest: digest.clone(),
            raw_digest: digest.clone(),
            via: self.script.via,
            corroborated: None,
            flags: Vec::new(),
        });
        self.record(Event::Received(Ended {
            dispatch_id: id,
            reason: None,
            digest: Some(digest),
        }));
    }
}

fn packet(charter: &Charter, words: &str) -> Value {
    let mut packet = json!({
        "dispatch_id": charter.dispatch_id, "role": charter.role, "status": "completed",
        "claims": [], "uncertainties": [words], "recommended_root_actions": [words],
    });
    let own = match charter.role {
        Role::Probe => json!({}),
        Role::Researcher => research(charter, words),
        Role::Reviewer => review(charter, words),
        Role::Poster => json!({
            "summaries": charter.claims.iter().map(|claim| json!({"dispatch_id": claim.id.call, "summary": words})).collect::<Vec<_>>(),
            "agreements": [words], "conflicts": [words], "missing_evidence": [], "open_questions": [words],
        }),
        Role::Synthesis => json!({
            "claims": [{"claim": words, "evidence": words, "confidence": "high"}],
            "established": charter.claims.iter().map(|claim| claim.id).take(2).collect::<Vec<_>>(),
            "promising": [words], "contradictions": [words], "negative_results": [words], "next_decisions": [words],
        }),
    };
    packet
        .as_object_mut()
        .unwrap()
        .extend(own.as_object().unwrap().clone());
    packet
}

/// Tries levels on from where its round begins; lane A claims its last row and one thing more.
fn research(charter: &Charter, words: &str) -> Value {
    let lane = charter.lane.unwrap().number() as u64;
    let first = u64::from(charter.round.unwrap() - 1) * 3 + lane + 1;
    let claim = |rows: Value, confidence| json!({"claim": words, "evidence": words, "confidence": confidence, "rows": rows});
    let mut claims = vec![claim(json!([2]), "high")];
    if lane == 0 {
        claims.push(claim(json!([0]), "low"));
    }
    let mut packet = json!({"claims": claims, "self_score": 6});
    if matches!(charter.success, Success::Metric { .. }) {
        let levels = first..first + 3;
        packet["candidates"] = levels
            .map(|level| json!({"values": {"level": level}}))
            .collect();
        packet["hypotheses"] =
            json!([{"statement": words, "verdict": "supported", "evidence": words}]);
    } else {
        packet["claims"] = json!([{"claim": words, "evidence": words, "confidence": "high"}]);
    }
    packet
}

/// Validates the first claim of each lane and challenges the others.
fn review(charter: &Charter, words: &str) -> Value {
    let judged = |claim: &Claimed| {
        let verdict = if claim.id.number == 1 {
            "validated"
        } else {
            "challenged"
        };
        json!({"claim": claim.id, "verdict": verdict, "reason": words, "evidence": words, "confidence": "medium"})
    };
    let mut packet = json!({"verdicts": charter.claims.iter().map(judged).collect::<Vec<_>>()});
    if matches!(charter.success, Success::Qualitative { .. }) {
        let round = charter.round.unwrap();
        packet["scores"] = json!([
            {"lane": "A", "score": 6 + round.min(3), "notes": words},
            {"lane": "B", "score": 8, "notes": words},
        ]);
    }
    packet
}
