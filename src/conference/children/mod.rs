//! Who does the work of a conference's children (conference.md A2).
//!
//! Promises: one host never stands in for another; a child is what its charter and the state at
//! its dispatch make it; what it hands back is only bytes until the engine took them.

mod command;
mod hermes;
mod local;
mod recorded;

use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use crate::conference::rounds::terms::Terms;
use crate::engine::charter::Charter;
use crate::engine::id::Call;
use crate::engine::packet::Candidate;
use crate::engine::state::{Evaluation, State};
use crate::process::{Cancel, Descendants, Finished};

pub use command::Program;
pub use hermes::Agents;
pub use local::Local;
pub use recorded::Recording;

/// A host.
pub trait Host: std::fmt::Debug {
    /// The child that will work on a charter. Nothing runs yet.
    fn child(&self, charter: &Charter, terms: &Terms, state: &State) -> Child;

    /// How many children may run at a time, where nobody says it.
    fn slots(&self, terms: &Terms) -> usize;

    /// What the free probe before the gate said, a line each.
    fn probed(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A child: blocks until it is over.
pub type Child = Box<dyn FnOnce(&Desk) -> Answer + Send>;

/// What a child came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// How it ended.
    pub end: End,
    /// What nobody can prove about its end.
    pub doubts: Vec<String>,
    /// What the host says that it was.
    pub reported: Option<Reported>,
}

/// What a host says that a child was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The model.
    pub model: Option<String>,
    /// Who served it.
    pub provider: Option<String>,
    /// Tokens that it read.
    pub input_tokens: Option<u64>,
    /// Tokens that it wrote.
    pub output_tokens: Option<u64>,
}

/// How a child ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// With this output, which is not believed yet.
    Output(Vec<u8>),
    /// Without one, and why, in one word.
    Failed(String),
    /// Its time was up.
    TimedOut,
    /// Somebody asked to stop.
    Cancelled,
}

impl Answer {
    /// Of a process that ended so.
    fn of(end: End, finished: Finished) -> Self {
        let unproven = match finished.descendants {
            Descendants::NotProvable(why) => Some(why),
            Descendants::None => None,
        };
        Self {
            doubts: unproven.into_iter().chain(finished.folder_left).collect(),
            ..end.into()
        }
    }
}

impl From<End> for Answer {
    fn from(end: End) -> Self {
        Self {
            end,
            doubts: Vec::new(),
            reported: None,
        }
    }
}

/// What a child asks of the root: to measure a candidate as one of its iterations.
#[derive(Debug)]
pub struct Question {
    /// Whose.
    pub call: Call,
    /// Which of its iterations, from 0.
    pub index: u32,
    /// It.
    pub candidate: Candidate,
    /// Where the answer goes. Dropped where there will be none.
    pub reply: Sender<Evaluation>,
}

/// Where a child sits while it works: its time, and the way to the root.
pub struct Desk {
    /// Whose.
    pub call: Call,
    /// How long it may take.
    pub time: Duration,
    /// Whether to stop.
    pub cancel: Cancel,
    /// When it began.
    pub began: Instant,
    /// Takes questions to the root.
    pub ask: Box<dyn Fn(Question) + Send>,
}

impl Desk {
    /// Has the root measure a candidate. `None` where it does not any more: then
    /// [`Desk::stopped`] is how the child ends.
    pub fn measure(&self, index: u32, candidate: Candidate) -> Option<Evaluation> {
        let (reply, answer) = channel();
        let call = self.call;
        (self.ask)(Question {
            call,
            index,
            candidate,
            reply,
        });
        let left = self.time.saturating_sub(self.began.elapsed());
        answer.recv_timeout(left).ok()
    }

    /// How a child ends that is not answered any more.
    pub fn stopped(&self) -> Answer {
        match self.cancel.is_requested() {
            true => End::Cancelled.into(),
            false => End::TimedOut.into(),
        }
    }
}
