//! What the checker has read so far.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Evidence;
use super::ids::{ClaimId, Id, Task};
use crate::simulation::schedule::Conditions;

/// One id from its reservation to its settlement.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) reserved: u64,
    pub(super) issued: bool,
    pub(super) packet: Option<String>,
    /// `dispatch.received`, …, and the reason.
    pub(super) end: Option<(String, String)>,
    pub(super) settled: Option<(u64, u64)>,
}

/// A round.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Lanes in the order in which they first went out.
    pub(super) turn: Vec<char>,
    pub(super) rows: Vec<(char, u64)>,
    pub(super) stuck: BTreeMap<char, u64>,
    pub(super) poster: bool,
    pub(super) reviewed: Option<bool>,
    pub(super) transferred: bool,
    pub(super) completed: Option<bool>,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) value: Option<f64>,
    pub(super) delta: Option<f64>,
    pub(super) status: String,
}

/// Everything read so far.
pub(super) struct Book<'a> {
    pub(super) on: &'a Conditions,
    pub(super) charters: &'a BTreeMap<String, Value>,
    pub(super) documents: &'a BTreeMap<String, Value>,
    pub(super) refusable: BTreeSet<&'a str>,
    pub(super) poison: &'a str,
    pub(super) held: u64,
    pub(super) now: i64,
    pub(super) began: Option<i64>,
    pub(super) accounts: BTreeMap<Id, Account>,
    pub(super) rounds: BTreeMap<u64, Round>,
    pub(super) rows: BTreeMap<(u64, char, u64), Row>,
    /// Each run, and the median.
    pub(super) evaluations: BTreeMap<(Id, u64), (Vec<f64>, Option<f64>)>,
    pub(super) baseline: Option<Option<f64>>,
    pub(super) verdicts: BTreeMap<ClaimId, String>,
    pub(super) knowledge: Vec<(ClaimId, String)>,
    /// Iterations without a gain, by lane.
    pub(super) flat: BTreeMap<char, u64>,
    pub(super) stage: String,
    pub(super) cancelled: bool,
    pub(super) out_of_time: bool,
    pub(super) cleaned: bool,
    pub(super) converged: bool,
    /// The last event, and its payload.
    pub(super) end: Option<(String, Value)>,
}

impl<'a> Book<'a> {
    pub(super) fn new(evidence: &'a Evidence<'a>) -> Self {
        Self {
            on: evidence.conditions,
            charters: &evidence.charters,
            documents: &evidence.packets,
            refusable: evidence.refusable.iter().map(String::as_str).collect(),
            poison: evidence.poison,
            held: 0,
            now: 0,
            began: None,
            accounts: BTreeMap::new(),
            rounds: BTreeMap::new(),
            rows: BTreeMap::new(),
            evaluations: BTreeMap::new(),
            baseline: None,
            verdicts: BTreeMap::new(),
            knowledge: Vec::new(),
            flat: BTreeMap::new(),
            stage: super::stages::FIRST.to_owned(),
            cancelled: false,
            out_of_time: false,
            cleaned: false,
            converged: false,
            end: None,
        }
    }

    /// Counts what holds.
    pub(super) fn hold(
        &mut self,
        holds: bool,
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        self.held += 1;
        if holds { Ok(()) } else { Err(what()) }
    }

    pub(super) fn lanes(&self) -> Vec<char> {
        ('A'..='Z')
            .take(usize::try_from(self.on.lanes).unwrap_or(0))
            .collect()
    }

    /// Iterations of a round.
    pub(super) fn a_round(&self) -> u64 {
        self.on.lanes * self.on.iterations
    }

    /// Whole rounds that were approved.
    pub(super) fn approved_rounds(&self) -> u64 {
        self.on.rounds.min(self.on.ceiling / self.a_round())
    }

    /// The calls that were approved for a task's role.
    pub(super) fn approved_calls(&self, task: Task) -> u64 {
        let rounds = self.approved_rounds();
        match task {
            Task::Probe => u64::from(self.on.probe),
            Task::Lane(..) => rounds * self.on.lanes,
            Task::Poster(_) if self.on.poster_child && self.on.lanes > 1 => rounds,
            Task::Poster(_) => 0,
            Task::Review(_) => rounds,
            Task::Synthesis => 1,
        }
    }

    /// Calls of a role that were reserved, or used.
    pub(super) fn calls(&self, task: Task, before: u64) -> u64 {
        let same = self.accounts.iter().filter(|(id, account)| {
            let earlier = id.task.round().is_none_or(|round| round < before);
            let released = account.settled == Some((0, 0)) && !account.issued;
            id.task.role() == task.role() && earlier && !released
        });
        same.count() as u64
    }

    /// Iterations set aside or spent in rounds before one.
    pub(super) fn spent(&self, before: u64) -> u64 {
        let earlier = self
            .accounts
            .iter()
            .filter(|(id, _)| id.task.round().is_none_or(|round| round < before));
        earlier
            .map(|(_, account)| {
                account
                    .settled
                    .map_or(account.reserved, |(iterations, _)| iterations)
            })
            .sum()
    }

    pub(super) fn open(&self) -> Vec<Id> {
        let open = self
            .accounts
            .iter()
            .filter(|(_, account)| account.issued && account.end.is_none());
        open.map(|(id, _)| *id).collect()
    }

    /// The last try of a task that went out.
    pub(super) fn last(&self, task: Task) -> Option<(Id, &Account)> {
        let tries = self
            .accounts
            .iter()
            .filter(|(id, account)| id.task == task && account.issued);
        tries
            .max_by_key(|(id, _)| **id)
            .map(|(id, account)| (*id, account))
    }

    /// The packet of the last try of a task.
    pub(super) fn packet(&self, task: Task) -> Option<(Id, &'a Value)> {
        let (id, account) = self.last(task)?;
        Some((id, self.documents.get(account.packet.as_ref()?)?))
    }

    /// All claims of a round's packets: in order of lanes, with their ids.
    pub(super) fn claims(&self, round: u64) -> Vec<(ClaimId, char, &'a Value)> {
        let mut claims = Vec::new();
        for lane in self.lanes() {
            if let Some((id, packet)) = self.packet(Task::Lane(round, lane)) {
                let made = packet["claims"].as_array().into_iter().flatten();
                claims.extend(
                    (1..)
                        .zip(made)
                        .map(|(number, claim)| ((id, number), lane, claim)),
                );
            }
        }
        claims
    }

    pub(super) fn round(&self) -> u64 {
        self.rounds.keys().next_back().copied().unwrap_or(0)
    }

    pub(super) fn baseline(&self) -> Option<f64> {
        let metric = self.on.metric.as_ref()?;
        metric.baseline.or(self.baseline.flatten())
    }

    pub(super) fn maximize(&self) -> bool {
        self.on.metric.as_ref().is_none_or(|metric| metric.maximize)
    }

    pub(super) fn better(&self, value: f64, than: f64) -> bool {
        if self.maximize() {
            value > than
        } else {
            value < than
        }
    }

    /// Up to this a gain is none.
    pub(super) fn threshold(&self) -> f64 {
        use crate::simulation::schedule::Kind;
        let Some(metric) = &self.on.metric else {
            return self.on.min_delta;
        };
        let share = |percent: f64| self.baseline().unwrap_or(0.0).abs() * percent / 100.0;
        let own = match (metric.threshold, metric.kind) {
            (Some((true, percent)), _) => share(percent),
            (Some((false, units)), _) => units,
            (None, Kind::Integer) => 0.0,
            (None, Kind::Percentage) => 0.1,
            (None, Kind::Float) => share(0.1),
        };
        if own > self.on.min_delta {
            own
        } else {
            self.on.min_delta
        }
    }
}

/// How many iterations a packet reports.
pub(super) fn iterations(packet: &Value) -> usize {
    let lists = ["hypotheses", "measurements", "candidates"]
        .map(|key| packet[key].as_array().map_or(0, Vec::len));
    lists.into_iter().max().unwrap_or(0)
}

/// The rows that a claim cites.
pub(super) fn cited(claim: &Value) -> Vec<u64> {
    claim["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .collect()
}
