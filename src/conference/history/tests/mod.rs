mod laws;
mod legacy;
mod real;
mod shapes;

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::convergence::Run;
use super::events::{self, Entry, Iteration, Told};
use super::{Read, results};
use crate::conference::artifacts::record::Record;
use crate::conference::plan::{Comparator, Convergence, MetricKind, Target};
use crate::conference::rounds::terms::Terms;
use crate::engine::charter::{Direction, Success};
use crate::engine::id::{ConferenceId, Lane};

fn lane(letter: char) -> Lane {
    Lane::nth(usize::try_from(u32::from(letter) - u32::from('A')).unwrap()).unwrap()
}

/// Three lanes, more is better, 80 is wanted, two hours.
fn terms(max_rounds: u32, ceiling: u64) -> Terms {
    Terms {
        conference: ConferenceId::of_approval("0123456789ab"),
        goal: "more".to_owned(),
        success: Success::Metric {
            metric: "score".to_owned(),
            direction: Direction::Maximize,
            target: ">= 80".to_owned(),
            baseline: None,
        },
        target: Some(Target {
            comparator: Comparator::GreaterOrEqual,
            value: 80.0,
            scale: None,
            unit: None,
        }),
        metric_kind: MetricKind::Percentage,
        convergence: Convergence::default(),
        focus: vec![String::new(); 3],
        critic: false,
        iterations_per_round: 4,
        max_rounds,
        ceiling,
        poster_child: false,
        probe: false,
        has_evaluator: false,
        lane_timeout_s: 1_800,
        wall_clock_s: 7_200,
        pause_every: Default::default(),
        redispatch_lost: false,
        host: "legacy".to_owned(),
        parameters: Vec::new(),
        read_context: Vec::new(),
        allowed_read_roots: Vec::new(),
        forbidden_actions: Vec::new(),
    }
}

/// A run that was read.
struct Files {
    records: Read<Record>,
    events: Read<Entry>,
    ended: BTreeMap<u32, Timestamp>,
}

impl Files {
    fn read(results: &[u8], events: &[u8]) -> Self {
        let events = events::read(events).unwrap();
        let ends = events.items.iter().filter_map(|entry| match entry.told {
            Told::RoundCompleted { round } => Some((round, entry.at?)),
            _ => None,
        });
        Self {
            records: results::read(results).unwrap(),
            ended: ends.collect(),
            events,
        }
    }

    fn run(&self) -> Run<'_> {
        Run {
            records: &self.records.items,
            began: self.events.items.first().and_then(|entry| entry.at),
            ended: &self.ended,
        }
    }

    fn iterations(&self) -> Vec<Iteration> {
        let told = self.events.items.iter().map(|entry| &entry.told);
        told.filter_map(|told| match told {
            Told::Iteration(iteration) => Some(iteration.clone()),
            _ => None,
        })
        .collect()
    }
}
