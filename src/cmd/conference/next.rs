//! `conference next`: does what the root can do, and tells a session what to hand to children.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use super::asked;
use super::chair::{self, Chair, Team};
use super::opened::Opened;
use crate::args::NextArgs;
use crate::conference::plan::Host;
use crate::conference::standing::spelled;
use crate::engine::charter::Charter;
use crate::engine::event::Stop;
use crate::engine::id::Call;
use crate::engine::journal;
use crate::error::{Code, Error, Result};
use crate::process::Cancel;

/// What a child reads before its charter.
const INSTRUCTIONS: &str = include_str!("../../../templates/handoff-task.md");

pub(super) fn run(invocation: &Invocation, args: &NextArgs) -> Result<u8> {
    let (opened, record) = Opened::begun(invocation, &asked::session(&args.session))?;
    chair::refuse_child(invocation, &opened)?;
    require_handoff(&opened)?;
    let chair = Chair::of_begun(invocation, opened, &record.state)?;
    let slots = args.slots as usize;
    let mut journal = chair.sit()?;
    chair.refuse_conflict(journal.state())?;
    let left = chair.inspect(&journal)?;
    chair.confirm(&mut journal, slots, Vec::new())?;
    let before: BTreeSet<Call> = journal.state().open_calls().collect();
    let team = Team {
        host: None,
        slots,
        cancel: Cancel::new()?,
        left,
    };
    let (stop, state) = chair.drive(team, journal)?;
    if let Some(error) = chair.paused(&state) {
        return Err(error);
    }
    let charters = journal::open_charters(chair.opened.root.dir(), &state)?;
    let is_told = |charter: &&Charter| args.again || !before.contains(&charter.dispatch_id.call);
    let tasks: Vec<Value> = charters.iter().filter(is_told).map(task).collect();
    let answer = Answer {
        charters,
        tasks: json!({"tasks": tasks}),
        stop,
    };
    match args.tasks {
        true => invocation.output.text(&pretty(&answer.tasks)),
        false => invocation.output.text(&answer.told(&chair.opened)),
    }
    invocation.output.document(&answer.document());
    Ok(0)
}

/// Only a session has packets to hand in.
pub(super) fn require_handoff(opened: &Opened) -> Result<()> {
    let host = opened.conditions.host;
    if host == Host::Handoff {
        return Ok(());
    }
    let text = format!(
        "the host here is {}, not handoff: no session holds this conference",
        host.as_str()
    );
    Err(Error::new(Code::BlockedMultiAgentUnavailable, text).hint(opened.command("check", &[])))
}

struct Answer {
    charters: Vec<Charter>,
    /// The arguments of `delegate_task`.
    tasks: Value,
    stop: Option<Stop>,
}

impl Answer {
    /// `lithermes/conference-next/v1` (conference.md A8).
    fn document(&self) -> Value {
        let awaiting = self.charters.iter().map(|one| one.dispatch_id.to_string());
        json!({
            "schema": "lithermes/conference-next/v1",
            "dispatch": self.charters,
            "awaiting": awaiting.collect::<Vec<_>>(),
            "stop_code": self.stop.as_ref().map(|stop| stop.stop_code),
            "delegate_task": self.tasks,
        })
    }

    fn told(&self, opened: &Opened) -> String {
        if let Some(stop) = &self.stop {
            let status = opened.command("status", &[]);
            return format!("{}\nNext: {status}", spelled(stop.stop_code));
        }
        let line = |one: &Charter| {
            let call = one.dispatch_id.call;
            format!("{call}  {}  {} s", one.role.as_str(), one.timeout_s)
        };
        let mut lines: Vec<String> = self.charters.iter().map(line).collect();
        let new = self.tasks["tasks"].as_array().map_or(0, Vec::len);
        let out = self.charters.len();
        lines.push(format!("{out} out, {new} of them to hand to children now."));
        let receive = opened.command("receive", &["-"]);
        lines.push(format!("Each answer comes back with: {receive}"));
        lines.join("\n")
    }
}

/// One of the host's tasks: instructions and charter.
fn task(charter: &Charter) -> Value {
    let charter = charter.bytes();
    let charter = String::from_utf8_lossy(&charter);
    json!({"goal": format!("{INSTRUCTIONS}\n{charter}"), "role": "leaf"})
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
