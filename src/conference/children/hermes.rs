//! The host `hermes`: each child is a real Hermes process.

use super::{Answer, Child, Desk, End, Host, Reported};
use crate::conference::rounds::terms::Terms;
use crate::engine::charter::Charter;
use crate::engine::host::hermes::{Failure, Hermes, Turn};
use crate::engine::state::State;

/// Agents of the person's own Hermes.
#[derive(Debug, Clone)]
pub struct Agents {
    /// How they are started.
    pub hermes: Hermes,
    /// How many the host has at a time, where nobody says it.
    pub slots: usize,
    /// What the free probe said, a line each.
    pub probed: Vec<String>,
}

impl Host for Agents {
    fn child(&self, charter: &Charter, _: &Terms, _: &State) -> Child {
        let (hermes, charter) = (self.hermes.clone(), charter.clone());
        Box::new(move |desk: &Desk| answer(hermes.run(&charter, desk.time, &desk.cancel)))
    }

    fn slots(&self, _: &Terms) -> usize {
        self.slots
    }

    fn probed(&self) -> Vec<String> {
        self.probed.clone()
    }
}

fn answer(turn: Turn) -> Answer {
    let end = match turn.answer {
        Ok(bytes) => End::Output(bytes),
        Err(Failure::TimedOut) => End::TimedOut,
        Err(Failure::Cancelled) => End::Cancelled,
        Err(failure) => End::Failed(failure.to_string()),
    };
    let named = turn.report.filter(|report| report.model.is_some());
    Answer {
        reported: named.map(|report| Reported {
            model: report.model,
            provider: report.provider,
            input_tokens: report.input_tokens,
            output_tokens: report.output_tokens,
        }),
        ..match turn.finished {
            Some(finished) => Answer::of(end, finished),
            None => end.into(),
        }
    }
}
