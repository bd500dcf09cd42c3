//! `conference cancel`: asks the run at work to stop, or stops what no run works on.

use serde_json::json;

use super::super::invocation::Invocation;
use crate::args::CancelArgs;
use crate::clock;
use crate::conference::driver;
use crate::conference::root::Root;
use crate::disk::{Lock, durable};
use crate::engine::journal::{self, CANCEL, Journal};
use crate::error::{Code, Error, Result};

pub(super) fn run(invocation: &Invocation, args: &CancelArgs) -> Result<u8> {
    let root = Root::open(&args.root)?;
    let result = match Lock::holder(root.dir(), journal::LOCK)? {
        Some(holder) => {
            request(&root)?;
            invocation.output.text(&format!(
                "Asked the run at work to stop ({}).",
                holder.trim()
            ));
            "requested"
        }
        None => alone(invocation, &root)?,
    };
    invocation.output.document(&json!({
        "schema": "lithermes/conference-cancel/v1",
        "result": result,
    }));
    Ok(0)
}

fn request(root: &Root) -> Result<()> {
    let text = format!("{} {}\n", clock::now(), clock::actor());
    let temp = format!(".{CANCEL}.tmp");
    durable::replace(root.dir(), CANCEL, &temp, text.as_bytes(), 0o600)
}

/// Nobody is at work: the ids that are out belong to processes that are gone.
fn alone(invocation: &Invocation, root: &Root) -> Result<&'static str> {
    let holder = format!("pid {} cancels", std::process::id());
    let (mut journal, aside) = Journal::open(root.dir(), &holder)?;
    if let Some(name) = aside {
        let note = format!("a torn last line of the events was set aside as {name}");
        invocation.output.note(&note);
    }
    if journal.state().gate.is_none() {
        let text = "nothing was begun here, so nothing is to be cancelled";
        return Err(Error::new(Code::NotFound, text).hint("lithermes conference status"));
    }
    if journal.state().stop.is_some() {
        invocation
            .output
            .text("It has ended already. Nothing was changed.");
        return Ok("already");
    }
    driver::cancel(&mut journal)?;
    journal.clear_cancel()?;
    journal.close()?;
    invocation.output.text("Cancelled. Every id is accounted.");
    Ok("cancelled")
}
