//! `conference run --no-write`: holds an approved conference, and gives back what it would have
//! written (conference.md A3, A10.8).
//!
//! Promises: root and home stay as they are, whatever comes of it; the work is done in a folder of
//! its own, which is gone afterwards. What was not approved is not done either.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::foreground;
use super::super::invocation::Invocation;
use super::approve;
use super::chair::{Chair, Team};
use super::opened::{Opened, Whole};
use super::run::{capable, host, refuse_begun, show, slots};
use crate::args::RunArgs;
use crate::conference::approved;
use crate::conference::driver::Left;
use crate::conference::plan::{FILE, FILE_BYTES};
use crate::conference::root::Root;
use crate::disk::{Dir, Kind, MOST_ENTRIES, durable};
use crate::engine::journal::{self, LOCK, PACKETS};
use crate::error::{Code, Error, Result};
use crate::process::Cancel;

/// Bytes of one document at most.
const DOCUMENT: u64 = 64 << 20;

pub(super) fn run(invocation: &Invocation, args: &RunArgs) -> Result<u8> {
    let opened = Opened::of(invocation, &args.conditions)?;
    let found = capable(invocation, &opened)?;
    let folder = tempfile::tempdir()?;
    let copy = copied(&opened.root, &folder)?;
    let chair = Chair::beside(invocation, opened, copy)?;
    show(invocation, &chair);
    let (opened, whole) = (&chair.opened, &chair.whole);
    stands(invocation, opened, whole, args.approve.as_deref())?;
    refuse_begun(&chair, &journal::replay(opened.root.dir())?.state)?;
    approved::confirm(chair.desk(), &whole.digest)?;
    let cancel = Cancel::new()?;
    let host = host(&chair, &cancel, found)?;
    let slots = slots(args.slots, host.as_ref(), &chair.terms);
    let mut journal = chair.sit()?;
    chair.confirm(&mut journal, slots, host.probed())?;
    let team = Team {
        host: Some(host.as_ref()),
        slots,
        cancel,
        left: Left::default(),
    };
    chair.drive(team, journal)?;
    give(invocation, &chair)
}

/// The conditions alone, in the folder.
fn copied(root: &Root, folder: &TempDir) -> Result<Root> {
    let content = root.dir().read(FILE, FILE_BYTES as u64)?;
    let bytes = content.map(|content| content.bytes).unwrap_or_default();
    let gone = || Error::new(Code::Io, "the temporary folder is gone");
    let dir = Dir::open_root(folder.path())?.ok_or_else(gone)?;
    durable::replace(&dir, FILE, &format!(".{FILE}.tmp"), &bytes, 0o600)?;
    Root::open(folder.path())
}

/// An approval that stands, or the digest that a person names; neither is written down.
fn stands(
    invocation: &Invocation,
    opened: &Opened,
    whole: &Whole,
    given: Option<&str>,
) -> Result<()> {
    match given {
        Some(given) => {
            approve::same(opened, whole, given)?;
            match approve::stands(invocation, opened, whole) {
                Ok(()) => Ok(()),
                Err(_) => foreground::require_for_approval(opened.command("check", &[])),
            }
        }
        None => approve::stands(invocation, opened, whole),
    }
}

fn give(invocation: &Invocation, chair: &Chair<'_>) -> Result<u8> {
    let artifacts = artifacts(chair.desk().dir())?;
    let text = "nothing was written; what would have been is in this answer";
    let error = Error::new(Code::BlockedWriteAuthorityMissing, text);
    let output = &invocation.output;
    for (path, text) in &artifacts {
        if !path.starts_with(PACKETS) {
            output.text(&format!("\n=== {path}\n\n{text}"));
        }
    }
    let listed = artifacts.iter();
    let listed = listed.map(|(path, text)| json!({"path": path, "text": text}));
    output.document(&json!({
        "schema": "lithermes/conference-no-write/v1",
        "code": error.code().as_str(),
        "message": error.to_string(),
        "status": chair.status()?,
        "artifacts": listed.collect::<Vec<Value>>(),
    }));
    output.failure_text(&error);
    Ok(error.code().exit())
}

/// Every document by its path below the root, those of the root first.
fn artifacts(root: &Dir) -> Result<Vec<(String, String)>> {
    let mut found = documents(root, "")?;
    if let Some(packets) = root.sub(PACKETS)? {
        found.extend(documents(&packets, &format!("{PACKETS}/"))?);
    }
    Ok(found)
}

fn documents(dir: &Dir, above: &str) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in dir.entries(MOST_ENTRIES)? {
        let name = entry.name.to_string_lossy();
        if entry.kind != Kind::File || name == LOCK {
            continue;
        }
        if let Some(content) = dir.read(&name, DOCUMENT)? {
            let text = String::from_utf8_lossy(&content.bytes).into_owned();
            found.push((format!("{above}{name}"), text));
        }
    }
    Ok(found)
}
