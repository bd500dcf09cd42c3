//! `lithermes conference …`: one verb, one file.

mod agents;
mod approve;
mod asked;
mod cancel;
mod chair;
mod check;
mod drawn;
mod lanes;
mod next;
mod no_write;
mod opened;
mod receive;
mod replayed;
mod resume;
mod run;
mod status;
mod told;

use super::invocation::Invocation;
use crate::args::ConferenceCommand;
use crate::error::Result;

pub(super) fn run(invocation: &Invocation, verb: &ConferenceCommand) -> Result<u8> {
    match verb {
        ConferenceCommand::Check(args) => check::run(invocation, args),
        ConferenceCommand::Approve(args) => approve::run(invocation, args),
        ConferenceCommand::Run(args) if args.no_write => no_write::run(invocation, args),
        ConferenceCommand::Run(args) => run::run(invocation, args),
        ConferenceCommand::Resume(args) => resume::run(invocation, args),
        ConferenceCommand::Next(args) => next::run(invocation, args),
        ConferenceCommand::Receive(args) => receive::run(invocation, args),
        ConferenceCommand::Status(args) => status::run(invocation, args),
        ConferenceCommand::Cancel(args) => cancel::run(invocation, args),
    }
}
