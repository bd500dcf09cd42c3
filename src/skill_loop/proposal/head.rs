//! The fields that every proposal has.

use super::content;
use super::places::Places;
use super::{Draft, SCHEMA, Signal, body, evidence};
use crate::guard::json::Faults;
use crate::guard::name;
use crate::skill_loop::credentials::{self, shown};
use crate::skill_loop::fields::{Field, Form};

const KNOWN: [&str; 10] = [
    "schema",
    "skill",
    "signal",
    "rationale",
    "evidenceRefs",
    "patch",
    "create",
    "supportFile",
    "status",
    "ledgerEntryId",
];

const RATIONALE_CHARS: usize = 4000;
const EVIDENCE_REFS: usize = 32;

/// One proposal; `None` where it has a fault.
pub(super) fn draft(proposal: &Field<'_>, faults: &mut Faults) -> Option<Draft> {
    credentials::refuse(proposal, faults);
    let form = proposal.object(&KNOWN, faults)?;
    check_schema(&form, faults);
    check_state(&form, faults);
    // Each is read before any is asked for, so that one fault hides no other.
    let skill = skill(&form, faults);
    let signal = signal(&form, faults);
    let rationale = rationale(&form, faults);
    let evidence_refs = evidence_refs(&form, faults);
    let body = body::read(&form, skill, faults);
    let body = body?;
    Some(Draft {
        skill: skill?.to_owned(),
        signal: signal?,
        rationale: rationale?.to_owned(),
        evidence_refs: evidence_refs?,
        change: body.change,
        base_sha256: body.base_sha256,
        places: Places::of(proposal),
    })
}

fn check_schema(form: &Form<'_>, faults: &mut Faults) {
    let Some(field) = form.required("schema", faults) else {
        return;
    };
    if let Some(found) = field.text(faults).filter(|text| *text != SCHEMA) {
        let message = format!("expected `{SCHEMA}`, found {}", shown(found));
        field.fault(faults, message);
    }
}

/// A proposal is born pending and undecided.
fn check_state(form: &Form<'_>, faults: &mut Faults) {
    if let Some(field) = form.optional("status")
        && let Some(found) = field.text(faults).filter(|text| *text != "pending")
    {
        let message = format!("expected `pending` or no status, found {}", shown(found));
        field.fault(faults, message);
    }
    if let Some(field) = form.optional("ledgerEntryId") {
        field.fault(
            faults,
            "expected no `ledgerEntryId`: only a decision gives one",
        );
    }
}

fn skill<'n>(form: &Form<'n>, faults: &mut Faults) -> Option<&'n str> {
    let field = form.required("skill", faults)?;
    let text = field.text(faults)?;
    if let Err(refusal) = name::check_skill(text) {
        field.fault(faults, refusal);
        return None;
    }
    Some(text)
}

fn signal(form: &Form<'_>, faults: &mut Faults) -> Option<Signal> {
    let field = form.required("signal", faults)?;
    let text = field.text(faults)?;
    let signal = Signal::ALL
        .into_iter()
        .find(|signal| signal.as_str() == text);
    if signal.is_none() {
        let right = Signal::ALL.map(Signal::as_str).join("`, `");
        field.fault(
            faults,
            format!("expected one of `{right}`, found {}", shown(text)),
        );
    }
    signal
}

fn rationale<'n>(form: &Form<'n>, faults: &mut Faults) -> Option<&'n str> {
    let field = form.required("rationale", faults)?;
    let text = field.text(faults)?;
    let found = text.chars().count();
    if text.trim().is_empty() {
        field.fault(faults, "expected the reason for this change, found none");
    } else if found > RATIONALE_CHARS {
        let message = format!("expected at most {RATIONALE_CHARS} characters, found {found}");
        field.fault(faults, message);
    }
    content::refuse_marks(&field, text, faults);
    Some(text)
}

fn evidence_refs(form: &Form<'_>, faults: &mut Faults) -> Option<Vec<String>> {
    let field = form.required("evidenceRefs", faults)?;
    let items = field.items(faults)?;
    if items.is_empty() || items.len() > EVIDENCE_REFS {
        let found = items.len();
        let message = format!("expected 1 to {EVIDENCE_REFS} references, found {found}");
        field.fault(faults, message);
    }
    let references = items.iter().filter_map(|item| {
        let text = item.text(faults)?;
        if let Err(fault) = evidence::check(text) {
            item.fault(faults, fault);
        }
        content::refuse_marks(item, text, faults);
        Some(text.to_owned())
    });
    Some(references.collect())
}
