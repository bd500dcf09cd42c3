//! `lithermes skill-loop …`: one verb, one file.

mod apply;
mod curator;
mod list;
mod log;
mod observations;
mod observe;
mod picker;
mod propose;
mod reject;
mod report;
mod review;
mod rollback;
mod select;
mod show;
mod verify;

use super::invocation::Invocation;
use crate::args::{SignalName, SkillLoopCommand};
use crate::error::Result;
use crate::skill_loop::observation::Signal;
use crate::term::output::Output;

pub(super) fn run(invocation: &Invocation, verb: &SkillLoopCommand) -> Result<u8> {
    match verb {
        SkillLoopCommand::Observe(args) => observe::run(invocation, args),
        SkillLoopCommand::Observations(args) => observations::run(invocation, args),
        SkillLoopCommand::Review(args) => review::run(invocation, args),
        SkillLoopCommand::Propose(args) => propose::run(invocation, args),
        SkillLoopCommand::List(args) => list::run(invocation, args),
        SkillLoopCommand::Show(args) => show::run(invocation, args),
        SkillLoopCommand::Apply(args) => apply::run(invocation, args),
        SkillLoopCommand::Reject(args) => reject::run(invocation, args),
        SkillLoopCommand::Rollback(args) => rollback::run(invocation, args),
        SkillLoopCommand::Log(args) => log::run(invocation, args),
        SkillLoopCommand::Verify(args) => verify::run(invocation, args),
        SkillLoopCommand::Curator(args) => curator::run(invocation, args),
    }
}

/// Says that `latest` is not the very last.
fn tell_passed(output: &Output, passed: usize) {
    if passed > 0 {
        output.note(&format!(
            "newer sessions of conferences' children passed over: {passed}"
        ));
    }
}

impl From<SignalName> for Signal {
    fn from(name: SignalName) -> Self {
        match name {
            SignalName::Correction => Self::Correction,
            SignalName::Repetition => Self::Repetition,
            SignalName::CoverageGap => Self::CoverageGap,
        }
    }
}
