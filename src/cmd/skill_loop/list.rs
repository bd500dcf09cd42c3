//! `skill-loop list`: the queue, with what stands in each proposal's way.

use jiff::Timestamp;
use serde::Serialize;

use super::super::invocation::Invocation;
use super::report;
use crate::args::{ListArgs, StateFilter};
use crate::count;
use crate::error::{Error, Result};
use crate::guard::text;
use crate::skill_loop::overview::{self, Item, Mark};
use crate::skill_loop::proposal::Signal;
use crate::skill_loop::queue::Proposal;
use crate::skill_loop::receipt::State;
use crate::term::table;

pub(super) fn run(invocation: &Invocation, args: &ListArgs) -> Result<u8> {
    let place = invocation.place()?;
    let wanted = |state: State, proposal: Option<&Proposal>| {
        by_state(args, state) && by_skill(args, proposal)
    };
    let items = overview::load(&place, &wanted)?;
    if invocation.output.is_json() {
        invocation.output.document(&List {
            home: &place.home_text(),
            proposals: items.iter().map(Document::of).collect(),
            schema: "lithermes/list/v1",
            workspace: &place.workspace.path.to_string_lossy(),
        });
    } else if items.is_empty() {
        invocation.output.text(&nothing(args));
    } else {
        invocation.output.text(&drawn(&items));
    }
    let pending = |item: &Item| matches!(item.standing.state, State::Pending | State::Approved);
    Ok(u8::from(args.exit_code && items.iter().any(pending)))
}

fn by_state(args: &ListArgs, state: State) -> bool {
    if args.all {
        return true;
    }
    if args.states.is_empty() {
        return matches!(state, State::Pending | State::Approved);
    }
    let name = match state {
        State::Pending => StateFilter::Pending,
        State::Approved => StateFilter::Interrupted,
        State::Applied => StateFilter::Applied,
        State::Rejected => StateFilter::Rejected,
        State::RolledBack => StateFilter::RolledBack,
    };
    args.states.contains(&name)
}

fn by_skill(args: &ListArgs, proposal: Option<&Proposal>) -> bool {
    let Some(wanted) = &args.skill else {
        return true;
    };
    proposal.is_some_and(|proposal| proposal.skill == *wanted)
}

fn nothing(args: &ListArgs) -> String {
    let plain = args.states.is_empty() && args.skill.is_none() && !args.all;
    if plain {
        "Nothing is pending.".to_owned()
    } else {
        "No proposal fits.".to_owned()
    }
}

fn drawn(items: &[Item]) -> String {
    let width = table::width();
    let id = |id: &str| report::id_within(id, width);
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|item| {
            let (skill, what, why) = match &item.proposal {
                Ok(proposal) => (
                    text::line(&proposal.skill).into_owned(),
                    what(proposal),
                    text::line(&proposal.rationale).into_owned(),
                ),
                Err(_) => ("?".to_owned(), "?".to_owned(), String::new()),
            };
            let remarks = remarks(item);
            let last = if remarks.is_empty() {
                why
            } else {
                format!("[{remarks}] {why}")
            };
            vec![
                id(&item.id),
                shown_state(item).to_owned(),
                skill,
                what,
                last,
            ]
        })
        .collect();
    table::draw(&["ID", "STATE", "SKILL", "CHANGE", "WHY"], &rows, width)
}

fn shown_state(item: &Item) -> &'static str {
    match item.standing.state {
        State::Approved => "interrupted",
        state => state.as_str(),
    }
}

fn what(proposal: &Proposal) -> String {
    use crate::skill_loop::proposal::Change;
    match &proposal.change {
        Change::Patch { file, edits } if edits.len() == 1 => format!("patch {}", text::line(file)),
        Change::Patch { file, edits } => {
            let edits = count::of(edits.len(), "edit", "edits");
            format!("patch {} ({edits})", text::line(file))
        }
        Change::Create { files } if files.len() == 1 => "create".to_owned(),
        Change::Create { files } => {
            format!("create ({})", count::of(files.len(), "file", "files"))
        }
        Change::SupportFile { path, .. } => format!("file {}", text::line(path)),
    }
}

/// The marks in words.
pub(super) fn remarks(item: &Item) -> String {
    let words: Vec<String> = item.marks.iter().map(|mark| remark(mark, item)).collect();
    words.join("; ")
}

fn remark(mark: &Mark, item: &Item) -> String {
    let reason = || match &item.verdict {
        Some(Err(error)) => text::line(error.message()).into_owned(),
        _ => String::new(),
    };
    match mark {
        Mark::Interrupted => "interrupted".to_owned(),
        Mark::Contested => "interrupted, then edited by hand".to_owned(),
        Mark::Altered => "altered after import".to_owned(),
        Mark::Stale(None) => format!("stale: {}", reason()),
        Mark::Stale(Some(id)) => format!("stale: {} was applied", report::id(id)),
        Mark::Blocked => format!("blocked: {}", reason()),
        Mark::SupersededBy(id) => format!("superseded by {}", report::id(id)),
        Mark::Conflicts(ids) if ids.len() > 3 => {
            format!("conflicts with {}", count::of(ids.len(), "other", "others"))
        }
        Mark::Conflicts(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| report::id(id)).collect();
            format!("conflicts with {}", ids.join(", "))
        }
        Mark::OlderSiblingOfRejected(id) => {
            format!("older sibling of rejected {}", report::id(id))
        }
        Mark::MarkerWithoutReceipt => "marker without receipt".to_owned(),
    }
}

#[derive(Serialize)]
struct List<'a> {
    home: &'a str,
    proposals: Vec<Document<'a>>,
    schema: &'a str,
    workspace: &'a str,
}

/// One item, for a program: keys in the order of their bytes, as everywhere.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    evidence_refs: Option<&'a [String]>,
    files: Option<Vec<&'a str>>,
    id: &'a str,
    imported_at: Option<Timestamp>,
    marks: Vec<Marked<'a>>,
    rationale: Option<&'a str>,
    receipt: Option<&'a str>,
    signal: Option<Signal>,
    skill: Option<&'a str>,
    state: &'a str,
    verdict: Option<Verdict<'a>>,
}

#[derive(Serialize)]
struct Marked<'a> {
    mark: &'a str,
    proposals: Vec<&'a str>,
}

#[derive(Serialize)]
struct Verdict<'a> {
    applies: bool,
    code: Option<&'a str>,
    message: Option<&'a str>,
}

impl<'a> Document<'a> {
    pub(super) fn of(item: &'a Item) -> Self {
        let proposal = item.proposal.as_deref().ok();
        let marked = |mark: &'a Mark| Marked {
            mark: mark.name(),
            proposals: mark.others(),
        };
        let verdict = |verdict: &'a Result<()>| Verdict {
            applies: verdict.is_ok(),
            code: verdict.as_ref().err().map(|error| error.code().as_str()),
            message: verdict.as_ref().err().map(Error::message),
        };
        let files = |proposal: &'a Proposal| {
            let paths = proposal.base.iter().map(|base| base.path.as_str());
            paths.collect()
        };
        Self {
            evidence_refs: proposal.map(|proposal| proposal.evidence_refs.as_slice()),
            files: proposal.map(files),
            id: &item.id,
            imported_at: proposal.map(|proposal| proposal.imported_at),
            marks: item.marks.iter().map(marked).collect(),
            rationale: proposal.map(|proposal| proposal.rationale.as_str()),
            receipt: item.standing.receipt.as_deref(),
            signal: proposal.map(|proposal| proposal.signal),
            skill: proposal.map(|proposal| proposal.skill.as_str()),
            state: shown_state(item),
            verdict: item.verdict.as_ref().map(verdict),
        }
    }
}
