mod envelope;
mod laws;
mod rules;
mod shape;

use serde_json::{Value, json};

use super::{Draft, Import, read};
use crate::error::{Code, Fault};

pub(super) const SKILL_MD: &str =
    "---\nname: release-notes\ndescription: Writes release notes.\n---\n\n# Release notes\n";

fn with_change(key: &str, change: Value) -> Value {
    let mut document = json!({
        "schema": "lithermes/proposal/v1",
        "skill": "release-notes",
        "signal": "correction",
        "rationale": "The user moved breaking changes to the top in three sessions.",
        "evidenceRefs": ["session:20261130_101500_ab12cd#41", "observation:o-3f9c0a1b2c3d"],
    });
    document[key] = change;
    document
}

fn patch() -> Value {
    let change = json!({"file": "SKILL.md", "oldString": "last", "newString": "first"});
    with_change("patch", change)
}

fn edits() -> Value {
    let edits = json!([
        {"oldString": "last", "newString": "first"},
        {"oldString": "never", "newString": ""},
    ]);
    with_change(
        "patch",
        json!({"file": "references/order.md", "edits": edits}),
    )
}

fn create() -> Value {
    let files = json!([
        {"path": "SKILL.md", "content": SKILL_MD},
        {"path": "references/order.md", "content": "Breaking changes come first.\n"},
        {"path": "scripts/sort.sh", "content": "#!/bin/sh\nsort\n", "executable": true},
    ]);
    with_change("create", json!({"files": files}))
}

fn support_file() -> Value {
    let change = json!({
        "path": "scripts/sort.sh",
        "content": "#!/bin/sh\nsort\n",
        "executable": true,
        "pointer": {"oldString": "by hand", "newString": "with scripts/sort.sh"},
    });
    with_change("supportFile", change)
}

fn drafts(text: &str) -> Vec<Draft> {
    match read(text.as_bytes()) {
        Ok(Import::Proposals(drafts)) => drafts,
        other => panic!("{text}: {other:?}"),
    }
}

fn draft(document: &Value) -> Draft {
    drafts(&document.to_string()).remove(0)
}

fn faults(bytes: impl AsRef<[u8]>) -> Vec<Fault> {
    let error = read(bytes.as_ref()).expect_err("must be refused");
    assert_eq!(error.code(), Code::InvalidProposal);
    assert!(error.message().ends_with("nothing was imported"), "{error}");
    error.faults().to_vec()
}

/// The pointer and message of the only fault.
fn fault(document: &Value) -> (String, String) {
    let mut faults = faults(document.to_string());
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let fault = faults.remove(0);
    (fault.pointer, fault.message)
}

/// A shape that every secret scanner knows, made when the test runs.
fn secret() -> String {
    format!("gh{}{}", "p_", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5")
}
