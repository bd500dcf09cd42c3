//! What can be told of a run without receipts (conference.md B 5.2).
//!
//! Promises: reads, and writes nothing; what its files only claim is not told as an end.

use serde_json::{Value, json};

use super::agreed;
use super::artifacts::is_artifact;
use super::history::figures;
use super::plan::Plan;
use super::replay::{self, Old};
use super::root::Root;
use crate::conference::artifacts::record::Record;
use crate::count;
use crate::engine::charter::Direction;
use crate::engine::packet::Verdict;
use crate::error::Result;

/// Files of a root at most.
const FILES: usize = 4096;

/// See the module.
#[derive(Debug)]
pub struct Told {
    plan: Option<Plan>,
    direction: Option<Direction>,
    old: Old,
    outputs: Vec<String>,
}

impl Told {
    /// Reads a root.
    pub fn of(root: &Root) -> Result<Self> {
        let plan = root.read()?.draft.plan_of_old();
        let terms = plan.as_ref().map(agreed::of_old);
        let entries = root.dir().entries(FILES)?.into_iter();
        let names = entries.map(|entry| entry.name.to_string_lossy().into_owned());
        let mut outputs: Vec<String> = names.filter(|name| is_artifact(name)).collect();
        outputs.sort();
        Ok(Self {
            old: replay::of_old(root.dir(), terms.as_ref())?,
            direction: terms.map(|terms| terms.direction()),
            plan,
            outputs,
        })
    }

    /// The best row that a review validated.
    pub fn best(&self) -> Option<Record> {
        let records = self.old.files.records.iter();
        let validated = records.filter(|row| row.verdict == Some(Verdict::Validated));
        let validated: Vec<Record> = validated.cloned().collect();
        figures::best_row(&validated, self.direction?).cloned()
    }

    /// The last round that has a row, and how many there may be.
    pub fn round(&self) -> (u32, Option<u32>) {
        let most = self.plan.as_ref().map(|plan| plan.max_rounds);
        (self.old.files.last_round(), most)
    }

    /// Rows and events that could be read.
    pub fn counts(&self) -> (usize, usize) {
        (self.old.files.records.len(), self.old.files.events.len())
    }

    /// Whether a validated value met the target; `None` where that cannot be told.
    pub fn target_met(&self) -> Option<bool> {
        self.old.rounds.last().map(|round| round.target_met)
    }

    /// What else there is to say.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.plan.is_none() {
            notes.push("conference.md does not say enough for any rule to be asked".to_owned());
        }
        let odd = self.old.files.notes.len() + self.old.differences.len();
        if odd > 0 {
            let odd = count::of(odd, "remark", "remarks");
            notes.push(format!(
                "{odd} on its files: lithermes conference check --replay"
            ));
        }
        notes
    }

    /// The outputs in the order in which they are read.
    pub fn reading_order(&self) -> Vec<String> {
        let is_there = |name: &&str| self.outputs.iter().any(|output| output == name);
        let first = ["synthesis.md", "final_report.md"].into_iter();
        let first = first.filter(is_there).map(str::to_owned);
        first
            .chain([crate::engine::journal::EVENTS.to_owned()])
            .collect()
    }

    /// Puts what can be told into a document of `status`.
    pub fn tell(&self, document: &mut Value) {
        let (round, max_rounds) = self.round();
        let (rows, events) = self.counts();
        document["round"] = json!(round);
        document["max_rounds"] = json!(max_rounds);
        document["phase"] = json!("unknown");
        document["rows"] = json!(rows);
        document["events"] = json!(events);
        document["outputs"] = json!(self.outputs);
        document["read"] = json!(self.reading_order());
        if let Some(last) = self.old.rounds.last() {
            document["stop"]["target_met"] = json!(last.target_met);
            document["stop"]["plateau"] = json!(last.plateau);
            document["stop"]["stalled"] = json!(last.stalled);
            document["stop"]["budget_hit"] = json!(last.budget_hit);
        }
        if let Some(best) = self.best() {
            document["stop"]["best"] = json!({
                "value": best.value,
                "lane": best.lane,
                "round": best.round,
                "iteration": best.iteration,
            });
        }
    }
}
