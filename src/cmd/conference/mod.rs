//! `lithermes conference …`: one verb, one file.

mod asked;
mod check;
mod drawn;

use super::invocation::Invocation;
use crate::args::ConferenceCommand;
use crate::error::Result;

pub(super) fn run(invocation: &Invocation, verb: &ConferenceCommand) -> Result<u8> {
    match verb {
        ConferenceCommand::Check(args) => check::run(invocation, args),
    }
}
