//! `conference receive`: takes packets back from the session that holds a conference.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use super::agents;
use super::asked;
use super::chair::{self, Chair};
use super::next::require_handoff;
use super::opened::Opened;
use crate::args::{ReceiveArgs, Way};
use crate::clock;
use crate::conference::driver::intake::{self, Came};
use crate::conference::rounds::next;
use crate::engine::event::Via;
use crate::engine::journal::Journal;
use crate::engine::packet::{addressed, relay};
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::hermes::session::Delegated;

pub(super) fn run(invocation: &Invocation, args: &ReceiveArgs) -> Result<u8> {
    let message = read(&args.file)?;
    let (opened, record) = Opened::begun(invocation, &asked::session(&args.session))?;
    chair::refuse_child(invocation, &opened)?;
    require_handoff(&opened)?;
    let chair = Chair::of_begun(invocation, opened, &record.state)?;
    if record.state.gate.is_none() {
        let text = "nothing was begun here: nobody waits for a packet";
        return Err(Error::new(Code::NotFound, text).hint(chair.opened.command("next", &[])));
    }
    let (via, records) = match args.via {
        Way::Relayed => (Via::Relayed, records(invocation, args)?),
        Way::Hook => (Via::Hook, Delegated::default()),
    };
    let mut journal = chair.sit()?;
    chair.inspect(&journal)?;
    let terms = &chair.terms;
    for event in next::expire(terms, journal.state(), clock::now(), true) {
        journal.record(event)?;
    }
    let came = take(&mut journal, &relay::outputs(&message), via, &records)?;
    journal.commit()?;
    journal.close()?;
    if let Some(one) = came.iter().find(|one| one.result == intake::CONFLICT) {
        return Err(chair.conflict(one.dispatch_id.as_deref().unwrap_or("-")));
    }
    for one in &came {
        invocation.output.text(&told(one));
        if one.result == intake::ACCEPTED && one.corroborated == Some(false) {
            invocation.output.warn(&lacking(one));
        }
    }
    if came.is_empty() {
        invocation
            .output
            .text("No child in this message ended well.");
    }
    invocation.output.document(&document(&came));
    Ok(came.iter().map(exit).max().unwrap_or(3))
}

/// What the host itself recorded of the children whose packets a model relays. They corroborate:
/// whatever they say, a packet is checked and taken as any other.
fn records(invocation: &Invocation, args: &ReceiveArgs) -> Result<Delegated> {
    let records = agents::delegated(&invocation.home()?, args.of.as_deref());
    if let (Some(session), true) = (&args.of, records == Delegated::default()) {
        let session = text::line(session);
        let note = format!("the host has no record of what subagents of {session} said");
        invocation.output.note(&note);
    }
    Ok(records)
}

/// Takes each output. Two under one id in the same message: nobody can say whose is whose, so that
/// neither is taken.
fn take(
    journal: &mut Journal,
    outputs: &[Vec<u8>],
    via: Via,
    records: &Delegated,
) -> Result<Vec<Came>> {
    let mut under: BTreeMap<String, &[u8]> = BTreeMap::new();
    let mut contested = Vec::new();
    for output in outputs {
        let Ok(id) = addressed(output) else {
            continue;
        };
        let before = under.insert(id.clone(), output);
        if before.is_some_and(|before| before != output) {
            contested.push(id);
        }
    }
    let mut came = Vec::new();
    for output in outputs {
        let is_contested = addressed(output).is_ok_and(|id| contested.contains(&id));
        came.push(match is_contested {
            true => intake::refuse(journal, output, "contested_identity")?,
            false => intake::one(journal, output, via, records.says(output))?,
        });
    }
    Ok(came)
}

/// One byte more than the limit is enough to know that it is too much.
fn read(file: &Path) -> Result<Vec<u8>> {
    let limit = relay::MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs_err::File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let name = text::line(&file.to_string_lossy()).into_owned();
            Err(Error::new(Code::NotFound, format!("no such file: {name}")))
        }
        Err(error) => Err(error.into()),
    }
}

fn exit(came: &Came) -> u8 {
    match came.result {
        intake::REJECTED => 3,
        intake::STALE => 4,
        _ => 0,
    }
}

fn told(came: &Came) -> String {
    let id = came.dispatch_id.as_deref().unwrap_or("no id");
    let is_held = came.result == intake::ACCEPTED && came.corroborated == Some(true);
    let held = is_held.then_some("the host's own records hold it");
    let more = came.reason.as_deref().or(held);
    let more = more.map_or_else(String::new, |more| format!(" ({more})"));
    text::line(&format!("{id}: {}{more}", came.result)).into_owned()
}

fn lacking(came: &Came) -> String {
    let id = came.dispatch_id.as_deref().unwrap_or("no id");
    let lacking =
        "no subagent of the session said this, by the host's own records; it is only relayed";
    text::line(&format!("{id}: {lacking}")).into_owned()
}

/// `lithermes/conference-receive/v1` (conference.md A8): the worst of all, and each.
fn document(came: &[Came]) -> Value {
    let spelled = |one: &Came| {
        json!({
            "dispatch_id": one.dispatch_id,
            "result": one.result,
            "reason": one.reason,
            "corroborated": one.corroborated,
        })
    };
    let worst = came.iter().max_by_key(|one| exit(one));
    let mut document = worst.map_or_else(
        || json!({"dispatch_id": null, "result": intake::REJECTED, "reason": "no child ended well", "corroborated": null}),
        spelled,
    );
    document["schema"] = json!("lithermes/conference-receive/v1");
    document["packets"] = came.iter().map(spelled).collect();
    document
}
