//! `skill-loop verify`: proves that ledger, store, queue and skills agree.

use serde_json::{Value, json};

use super::super::foreground;
use super::super::invocation::Invocation;
use crate::args::VerifyArgs;
use crate::count;
use crate::error::{Code, Result};
use crate::guard::text;
use crate::skill_loop::audit::{self, Audit, Drift};
use crate::skill_loop::receipt::FileState;
use crate::term::output::error_document;

pub(super) fn run(invocation: &Invocation, args: &VerifyArgs) -> Result<u8> {
    let place = invocation.place()?;
    let mut repaired = Vec::new();
    if args.repair {
        foreground::require(None)?;
        repaired = invocation.repair(&place)?.notes;
    }
    let audit = audit::run(&place)?;
    invocation.output.text(&drawn(&audit));
    for fault in &audit.faults {
        invocation.output.failure_text(fault);
    }
    invocation.output.document(&document(&audit, &repaired));
    Ok(audit.faults.first().map_or(0, |fault| match fault.code() {
        Code::Io => Code::Io.exit(),
        _ => Code::LedgerDamaged.exit(),
    }))
}

fn drawn(audit: &Audit) -> String {
    let mut out = String::new();
    let word = if audit.faults.is_empty() {
        "hold"
    } else {
        "were read"
    };
    let lines = count::of(audit.lines, "ledger line", "ledger lines");
    let objects = count::of(audit.objects, "object", "objects");
    out.push_str(&format!("{lines} and {objects} {word}.\n"));
    if audit.torn > 0 {
        let bytes = count::of(audit.torn, "byte", "bytes");
        out.push_str(&format!(
            "The last line is torn ({bytes}); the next write sets it aside.\n"
        ));
    }
    for id in &audit.interrupted {
        out.push_str(&format!("Interrupted: {id}; the next write settles it.\n"));
    }
    for drift in &audit.drift {
        out.push_str(&format!(
            "Edited since receipt {}: {}/{} ({} → {}).\n",
            drift.receipt,
            text::line(&drift.skill),
            text::line(&drift.path),
            FileState::short(drift.expected.as_ref()),
            FileState::short(drift.found.as_ref()),
        ));
    }
    out
}

fn document(audit: &Audit, repaired: &[String]) -> Value {
    let drift = |drift: &Drift| {
        json!({"skill": drift.skill, "path": drift.path, "expected": drift.expected,
               "found": drift.found, "receipt": drift.receipt})
    };
    json!({
        "schema": "lithermes/verify/v1",
        "ok": audit.faults.is_empty(),
        "lines": audit.lines,
        "objects": audit.objects,
        "torn": audit.torn,
        "interrupted": audit.interrupted,
        "drift": audit.drift.iter().map(drift).collect::<Vec<_>>(),
        "repaired": repaired,
        "faults": audit.faults.iter().map(error_document).collect::<Vec<_>>(),
    })
}
