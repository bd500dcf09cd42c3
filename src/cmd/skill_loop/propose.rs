//! `skill-loop propose`: a document becomes pending proposals.

use std::io::Read as _;
use std::path::Path;

use serde_json::json;

use super::super::invocation::Invocation;
use super::report;
use crate::args::ProposeArgs;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::skill_loop::import::{self, Fate, Imported};
use crate::skill_loop::proposal::{self, DOCUMENT_BYTES, Import};

pub(super) fn run(invocation: &Invocation, args: &ProposeArgs) -> Result<u8> {
    let bytes = read(&args.file)?;
    let drafts = match proposal::read(&bytes)? {
        Import::NothingToSave => {
            report(invocation, &[]);
            return Ok(0);
        }
        Import::Proposals(drafts) => drafts,
    };
    let place = invocation.place()?;
    // Once without the lock, so that a refusal makes nothing, and again under it.
    import::admit(&place, &drafts)?;
    let locked = invocation.lock(&place)?;
    let admitted = import::admit(&place, &drafts)?;
    let imported = import::import(&locked, admitted)?;
    report(invocation, &imported);
    Ok(0)
}

/// One byte more than the limit is enough to know that it is too much.
fn read(file: &Path) -> Result<Vec<u8>> {
    let limit = DOCUMENT_BYTES as u64 + 1;
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

fn report(invocation: &Invocation, imported: &[Imported]) {
    for one in imported {
        for warning in &one.warnings {
            invocation
                .output
                .warn(&format!("{}: {warning}", report::id(&one.proposal.id)));
        }
    }
    let mut lines = String::new();
    for one in imported {
        let id = report::id(&one.proposal.id);
        lines.push_str(&match one.fate {
            Fate::Imported => format!("{id}  pending\n"),
            Fate::AlreadyPending => format!("{id}  already pending\n"),
            Fate::AlreadyApplied => format!("{id}  already applied, nothing was written\n"),
            Fate::Reopened => format!("{id}  pending again\n"),
        });
    }
    match imported {
        [] => lines.push_str("Nothing to save. Nothing was written.\n"),
        [one] => {
            let id = report::id(&one.proposal.id);
            lines.push_str(&format!("Next: lithermes skill-loop show {id}\n"));
        }
        _ => lines.push_str("Next: lithermes skill-loop list\n"),
    }
    invocation.output.text(&lines);
    let items: Vec<_> = imported.iter().map(item).collect();
    invocation
        .output
        .document(&json!({"schema": "lithermes/propose/v1", "proposals": items}));
}

fn item(one: &Imported) -> serde_json::Value {
    let fate = match one.fate {
        Fate::Imported => "imported",
        Fate::AlreadyPending => "already-pending",
        Fate::AlreadyApplied => "already-applied",
        Fate::Reopened => "reopened",
    };
    json!({
        "id": one.proposal.id,
        "skill": one.proposal.skill,
        "outcome": fate,
        "state": one.proposal.status,
        "warnings": one.warnings,
    })
}
