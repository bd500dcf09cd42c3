//! The host `command`: any program that reads a charter and prints a packet.

use std::num::NonZero;

use super::{Answer, Child, Desk, End, Host};
use crate::conference::rounds::terms::Terms;
use crate::engine::charter::Charter;
use crate::engine::host::command::{Command, PROBE};
use crate::engine::packet;
use crate::engine::state::State;
use crate::process::{Cancel, Ended, Finished};

/// A program of the person's.
#[derive(Debug, Clone)]
pub struct Program(pub Command);

impl Program {
    /// Asks the program once, for nothing: whether it answers a charter with a packet. Why not,
    /// where it does not.
    pub fn probe(&self, charter: &Charter, cancel: &Cancel) -> Result<(), String> {
        match answer(self.0.run(charter, PROBE, cancel)).end {
            End::Output(bytes) => match packet::read(&bytes, charter) {
                Ok(_) => Ok(()),
                Err(refusal) => Err(format!("its packet is refused: {refusal}")),
            },
            End::Failed(reason) => Err(format!("it failed: {reason}")),
            End::TimedOut => Err(format!("no answer within {} s", PROBE.as_secs())),
            End::Cancelled => Err("somebody asked to stop".to_owned()),
        }
    }
}

impl Host for Program {
    fn probed(&self) -> Vec<String> {
        vec!["it answered a probe charter".to_owned()]
    }

    fn child(&self, charter: &Charter, _: &Terms, _: &State) -> Child {
        let (command, charter) = (self.0.clone(), charter.clone());
        Box::new(move |desk: &Desk| answer(command.run(&charter, desk.time, &desk.cancel)))
    }

    fn slots(&self, _: &Terms) -> usize {
        std::thread::available_parallelism().map_or(1, NonZero::get)
    }
}

/// What a program printed counts only where it ended well; too much of it is told apart when it
/// is read.
fn answer(mut finished: Finished) -> Answer {
    let end = match &finished.ended {
        Ended::Exited(0) | Ended::TooLarge => End::Output(std::mem::take(&mut finished.stdout)),
        Ended::Deadline => End::TimedOut,
        Ended::Cancelled => End::Cancelled,
        other => End::Failed(other.reason().to_owned()),
    };
    Answer::of(end, finished)
}
