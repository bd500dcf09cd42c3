//! What the root measures, and in which order: what children ask, in turn, before what packets
//! left to measure.
//!
//! Promises: never more at a time than there are slots; nothing twice at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use super::join;
use crate::conference::children::Question;
use crate::conference::rounds::next::Measure;
use crate::engine::id::Call;
use crate::engine::packet::Candidate;
use crate::engine::state::Evaluation;

type Key = (Call, u32);

/// See the module.
pub(super) struct Measuring {
    slots: usize,
    asked: BTreeMap<Key, Question>,
    /// Whose question was measured last: the next is that of the call after it.
    turn: Option<Call>,
    planned: VecDeque<Measure>,
    running: BTreeMap<Key, Running>,
}

struct Running {
    reply: Option<Sender<Evaluation>>,
    thread: JoinHandle<()>,
}

impl Measuring {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slots: slots.max(1),
            asked: BTreeMap::new(),
            turn: None,
            planned: VecDeque::new(),
            running: BTreeMap::new(),
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.asked.is_empty() && self.planned.is_empty() && self.running.is_empty()
    }

    /// What packets left to measure, as the protocol has it now.
    pub(super) fn plan(&mut self, work: Vec<Measure>) {
        let known: BTreeSet<Key> = self.running.keys().copied().collect();
        let new = |one: &Measure| !known.contains(&(one.call, one.index));
        self.planned = work.into_iter().filter(new).collect();
    }

    pub(super) fn ask(&mut self, question: Question) {
        self.asked.insert((question.call, question.index), question);
    }

    /// Nobody is answered any more.
    pub(super) fn refuse(&mut self) {
        self.asked.clear();
        self.planned.clear();
    }

    /// Starts as much as there is room for.
    pub(super) fn start(
        &mut self,
        mut begin: impl FnMut(Key, &Candidate) -> std::io::Result<JoinHandle<()>>,
    ) -> std::io::Result<()> {
        while self.running.len() < self.slots {
            let Some((key, candidate, reply)) = self.pick() else {
                break;
            };
            let thread = begin(key, &candidate)?;
            self.running.insert(key, Running { reply, thread });
        }
        Ok(())
    }

    fn pick(&mut self) -> Option<(Key, Candidate, Option<Sender<Evaluation>>)> {
        let after = |key: &&Key| self.turn.is_none_or(|turn| key.0 > turn);
        let next = self.asked.keys().find(after).or(self.asked.keys().next());
        if let Some(key) = next.copied()
            && let Some(question) = self.asked.remove(&key)
        {
            self.turn = Some(key.0);
            return Some((key, question.candidate, Some(question.reply)));
        }
        let planned = self.planned.pop_front()?;
        Some(((planned.call, planned.index), planned.candidate, None))
    }

    /// One ended; who waits for it.
    pub(super) fn ended(&mut self, key: Key) -> Option<Sender<Evaluation>> {
        let running = self.running.remove(&key)?;
        join(running.thread);
        running.reply
    }

    /// Waits until all that run have ended; their results are dropped.
    pub(super) fn abandon(&mut self) {
        for running in std::mem::take(&mut self.running).into_values() {
            drop(running.reply);
            join(running.thread);
        }
    }
}
