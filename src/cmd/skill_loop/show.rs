//! `skill-loop show`: a proposal with its reason, its base, its history and the exact diff.

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use super::{list, report};
use crate::args::ShowArgs;
use crate::error::Result;
use crate::guard::text;
use crate::ledger::Entry;
use crate::skill_loop::decision::Plan;
use crate::skill_loop::outcome::{self, Made};
use crate::skill_loop::overview::{self, Item};
use crate::skill_loop::queue::Proposal;
use crate::skill_loop::receipt::{FileState, kind};
use crate::skill_loop::workplace::Workplace;
use crate::term::diff::{self, Bounds, Side};

pub(super) fn run(invocation: &Invocation, args: &ShowArgs) -> Result<u8> {
    let place = invocation.place()?;
    let id = place.queue().resolve(&args.id)?;
    let (item, plan) = overview::one(&place, &id)?;
    let history = history(&place, &id)?;
    let digest = plan.as_ref().map(Plan::digest);
    let proposed = plan.map_or_else(|| on_its_base(&place, &item), |plan| Ok(Some(plan)))?;
    let seen = Seen {
        item: &item,
        history: &history,
        proposed: proposed.as_ref(),
        digest: digest.as_deref(),
    };
    invocation.output.text(&drawn(&place, &seen)?);
    let mut document = json!(list::Document::of(&item));
    if let Some(fields) = document.as_object_mut() {
        fields.insert("schema".to_owned(), json!("lithermes/show/v1"));
        fields.insert("planDigest".to_owned(), json!(digest));
        fields.insert(
            "files".to_owned(),
            json!(proposed.as_ref().map(report::files)),
        );
        fields.insert(
            "base".to_owned(),
            json!(item.proposal.as_ref().ok().map(|p| &p.base)),
        );
        let entries: Vec<Value> = history.iter().map(|entry| json!(entry)).collect();
        fields.insert("history".to_owned(), json!(entries));
    }
    invocation.output.document(&document);
    Ok(0)
}

/// The ledger's lines about a proposal, oldest first.
fn history(place: &Workplace, id: &str) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    if let Some(ledger) = place.ledger()? {
        ledger.newest(id, |entry| {
            if entry.text("proposalId") == Some(id) {
                entries.push(entry.clone());
            }
            false
        })?;
    }
    entries.reverse();
    Ok(entries)
}

/// A proposal and what is shown with it.
struct Seen<'a> {
    item: &'a Item,
    history: &'a [Entry],
    /// What it would write, now or to its base.
    proposed: Option<&'a Plan>,
    /// The digest of the plan, where it can be applied now.
    digest: Option<&'a str>,
}

/// What the proposal would have written to its base.
fn on_its_base(place: &Workplace, item: &Item) -> Result<Option<Plan>> {
    let (Ok(proposal), Some(store)) = (&item.proposal, place.store()?) else {
        return Ok(None);
    };
    let mut current = outcome::Current::new();
    for base in &proposal.base {
        let content = match &base.file {
            None => None,
            Some(file) => Some(crate::disk::Content {
                bytes: store.blob(&file.blob)?,
                mode: file.mode_bits(),
                links: 1,
            }),
        };
        current.insert(base.path.clone(), content);
    }
    let Ok(made) = outcome::of(&proposal.skill, &proposal.change, &current, false) else {
        return Ok(None);
    };
    let files: Result<Vec<_>> = made.into_iter().map(Made::planned).collect();
    Ok(Some(Plan::of_base(proposal, files?)))
}

fn drawn(place: &Workplace, seen: &Seen<'_>) -> Result<String> {
    let Seen { item, history, .. } = *seen;
    let mut out = String::new();
    match &item.proposal {
        Ok(proposal) => out.push_str(&report::head(proposal)),
        Err(error) => out.push_str(&format!("{}  {}\n", item.id, text::line(error.message()))),
    }
    out.push_str(&format!("  state {}\n", item.standing.state.as_str()));
    let remarks = list::remarks(item);
    if !remarks.is_empty() {
        out.push_str(&format!("  [{remarks}]\n"));
    }
    if let Ok(proposal) = &item.proposal {
        for base in &proposal.base {
            let state = FileState::short(base.file.as_ref());
            out.push_str(&format!("  base {} {state}\n", text::line(&base.path)));
        }
    }
    for entry in history {
        out.push_str(&format!(
            "  {} {} {} by {}",
            entry.at,
            entry.id,
            entry.kind,
            text::line(&entry.actor)
        ));
        let reason = entry
            .text("reason")
            .map(|reason| format!(": {}", text::line(reason)));
        out.push_str(&reason.unwrap_or_default());
        out.push('\n');
    }
    if let Some(plan) = seen.proposed {
        out.push('\n');
        out.push_str(&report::plan(plan, Bounds::default()));
    }
    if let (Ok(proposal), Some(Err(_))) = (&item.proposal, &item.verdict) {
        out.push_str(&since(place, proposal)?);
    }
    if let Some(digest) = seen.digest {
        out.push_str(&format!("\nplan {}\n", &digest[..12]));
        let id = report::id(&item.id);
        out.push_str(&format!(
            "Next: lithermes skill-loop apply {id}, or reject {id}\n"
        ));
    } else if history
        .last()
        .is_some_and(|entry| entry.kind == kind::APPLY)
    {
        let receipt = item.standing.receipt.as_deref().unwrap_or_default();
        out.push_str(&format!(
            "\nNext: lithermes skill-loop rollback {receipt}\n"
        ));
    }
    Ok(out)
}

/// What changed in the skill since the import: base to now.
fn since(place: &Workplace, proposal: &Proposal) -> Result<String> {
    let Some(store) = place.store()? else {
        return Ok(String::new());
    };
    let dir = place.skill_dir(&proposal.skill);
    let Ok(current) = dir.and_then(|dir| outcome::read(dir.as_ref(), &proposal.change)) else {
        return Ok(String::new());
    };
    let mut out = String::new();
    for base in &proposal.base {
        let was = base
            .file
            .as_ref()
            .map(|file| store.blob(&file.blob))
            .transpose()?;
        let mode = base.file.as_ref().map_or(0, FileState::mode_bits);
        let before = was.as_ref().map(|bytes| Side { bytes, mode });
        let now = current.get(&base.path).and_then(Option::as_ref);
        let after = now.map(|file| Side {
            bytes: &file.bytes,
            mode: file.mode,
        });
        let same = match (&before, &after) {
            (None, None) => true,
            (Some(one), Some(two)) => one.bytes == two.bytes && one.mode == two.mode,
            _ => false,
        };
        if !same {
            out.push_str("\nChanged in the skill since the import:\n");
            out.push_str(&diff::draw(&base.path, before, after, Bounds::default()));
        }
    }
    Ok(out)
}
