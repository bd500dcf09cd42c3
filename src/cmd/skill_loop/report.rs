//! Pieces that several verbs print.

use serde_json::{Value, json};

use crate::guard::text;
use crate::skill_loop::decision::{Done, Plan};
use crate::skill_loop::queue::{Proposal, SHORT};
use crate::skill_loop::receipt::FileChange;
use crate::term::diff::{self, Bounds, Counts, Side};

/// An id as it is shown: shortened on a terminal, whole where a program or a script may use it.
pub(super) fn id(id: &str) -> String {
    id_within(id, crate::term::table::width())
}

/// As [`id`], where the terminal's width is known already.
pub(super) fn id_within(id: &str, width: Option<usize>) -> String {
    let most = if width.is_some() { SHORT } else { usize::MAX };
    id.chars().take(most).collect()
}

/// The diffs of a plan, for a person.
pub(super) fn plan(plan: &Plan, bounds: Bounds) -> String {
    let mut text = String::new();
    for file in &plan.files {
        let before = side(
            file.change.before.as_ref().map(|f| f.mode_bits()),
            file.before.as_deref(),
        );
        let after = side(
            file.change.after.as_ref().map(|f| f.mode_bits()),
            file.after.as_deref(),
        );
        text.push_str(&diff::draw(&file.change.path, before, after, bounds));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

fn side(mode: Option<u32>, bytes: Option<&[u8]>) -> Option<Side<'_>> {
    Some(Side {
        bytes: bytes?,
        mode: mode?,
    })
}

/// The files of a plan, for a program.
pub(super) fn files(plan: &Plan) -> Vec<Value> {
    let one = |file: &crate::skill_loop::decision::PlannedFile| {
        let diff = diff::unified(
            &file.change.path,
            file.before.as_deref(),
            file.after.as_deref(),
        );
        change(&file.change, Some(&diff))
    };
    plan.files.iter().map(one).collect()
}

/// One file of a receipt or a plan, for a program.
pub(super) fn change(change: &FileChange, diff: Option<&str>) -> Value {
    json!({
        "path": change.path,
        "before": change.before,
        "after": change.after,
        "diff": diff,
    })
}

/// `+4 −1` over all files of a plan.
pub(super) fn counts(plan: &Plan) -> String {
    let mut all = Counts::default();
    for file in &plan.files {
        let one = diff::counts(file.before.as_deref(), file.after.as_deref());
        all.added += one.added;
        all.removed += one.removed;
    }
    format!("+{} −{}", all.added, all.removed)
}

/// What a decision did, for a program.
pub(super) fn done(id: &str, skill: Option<&str>, done: &Done) -> Value {
    match done {
        Done::Now { receipt, warnings } => json!({
            "id": id, "skill": skill, "outcome": "done", "receipt": receipt,
            "planDigest": null, "files": null, "note": null, "warnings": warnings, "error": null,
        }),
        Done::Already { receipt, note } => json!({
            "id": id, "skill": skill, "outcome": "already", "receipt": receipt,
            "planDigest": null, "files": null, "note": note, "warnings": [], "error": null,
        }),
    }
}

/// The head of a proposal: what it is and why.
pub(super) fn head(proposal: &Proposal) -> String {
    let mut text = format!(
        "{}  skill {}  {}\n",
        id(&proposal.id),
        text::line(&proposal.skill),
        proposal.signal.as_str()
    );
    for line in text::block(&proposal.rationale).lines() {
        text.push_str(&format!("  {line}\n"));
    }
    for evidence in &proposal.evidence_refs {
        text.push_str(&format!("  evidence {}\n", text::line(evidence)));
    }
    text
}
