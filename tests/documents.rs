//! What `propose` says of a document that breaks a rule: every fault, its place, and no secret.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Sandbox, create, differences, is_harmless, patch, secret, support_file};

const NAME: &str = "release-notes";

/// A second; a debug build on a machine that does other things has more.
const QUICK: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

#[test]
fn all_faults_of_a_document_are_reported_at_once_with_their_places() {
    let sandbox = Sandbox::new();
    let document = json!({
        "schema": "lithermes/proposal/v1", "skill": "../x", "signal": "hunch", "rationale": "",
        "evidenceRefs": [], "surprise": 1, "status": "applied",
        "patch": {"file": "SKILL.md", "oldString": "", "newString": 3},
    });
    let args = ["skill-loop", "propose", "-", "--json"];
    let answer = sandbox
        .run_with(&args, document.to_string())
        .exits(3)
        .json();
    assert_eq!(answer["schema"], "lithermes/error/v1");
    let faults = answer["faults"].as_array().unwrap();
    let mut pointers: Vec<&str> = faults
        .iter()
        .map(|f| f["pointer"].as_str().unwrap())
        .collect();
    pointers.sort_unstable();
    pointers.dedup();
    let expected = [
        "/evidenceRefs",
        "/patch/newString",
        "/patch/oldString",
        "/rationale",
        "/signal",
        "/skill",
        "/status",
        "/surprise",
    ];
    assert_eq!(pointers, expected, "{answer:#}");
    for fault in faults {
        assert!(
            fault["line"] == 1 && fault["column"].as_u64().unwrap() > 1,
            "{fault}"
        );
    }
}

#[test]
fn case_4_a_proposal_without_evidence_is_refused() {
    let sandbox = Sandbox::new();
    for refs in [
        json!([]),
        json!(["because"]),
        json!(["note: "]),
        json!("note:x"),
        json!(null),
    ] {
        let mut document = create(NAME, "Body.\n");
        document["evidenceRefs"] = refs;
        let ran = sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
        assert!(ran.stderr.contains("/evidenceRefs"), "{}", ran.stderr);
    }
}

#[test]
fn case_9_no_document_approves_itself() {
    let sandbox = Sandbox::new();
    let forged = [
        ("autoApply", json!(true)),
        ("status", json!("approved")),
        ("status", json!("applied")),
        ("ledgerEntryId", json!("l-0123456789ab")),
        ("id", json!("p-0123456789abcdef0123456789abcdef")),
        ("approvedBy", json!("user")),
    ];
    for (key, value) in forged {
        let mut document = create(NAME, "Body.\n");
        document[key] = value;
        let ran = sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
        assert!(
            ran.stderr.contains(&format!("at /{key} ")),
            "{}",
            ran.stderr
        );
    }
    let mut document = create(NAME, "Body.\n");
    document["status"] = json!("pending");
    sandbox.propose(&document);
}

#[test]
fn case_16_unknown_and_missing_fields_of_each_kind() {
    let sandbox = Sandbox::new();
    let kinds = [
        json!({"patch": {"file": "SKILL.md", "old_string": "a", "newString": "b"}}),
        json!({"patch": {"oldString": "a", "newString": "b"}}),
        json!({"patch": {"file": "SKILL.md", "edits": []}}),
        json!({"patch": {"file": "SKILL.md", "edits": [], "oldString": "a", "newString": "b"}}),
        json!({"create": {"files": []}}),
        json!({"create": {"files": [{"path": "references/a.md", "content": "a"}]}}),
        json!({"create": {"files": [{"path": "SKILL.md", "text": "a"}]}}),
        json!({"supportFile": {"path": "references/a.md"}}),
        json!({"supportFile": {"path": "references/a.md", "content": "a", "mode": 493}}),
        json!({}),
        json!({"supportFile": {"path": "references/a.md", "content": "a"},
               "patch": {"file": "SKILL.md", "oldString": "a", "newString": "b"}}),
    ];
    sandbox.skill(NAME, "a\n");
    for kind in kinds {
        let mut document = create(NAME, "");
        document.as_object_mut().unwrap().remove("create");
        for (key, value) in kind.as_object().unwrap() {
            document[key] = value.clone();
        }
        sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
    }
}

#[test]
fn a_secret_in_any_field_is_refused_and_never_repeated() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let token = secret();
    let with = |pointer: &str, text: &str| {
        let mut document = patch(NAME, "Body", "Text");
        *document.pointer_mut(pointer).unwrap() = json!(text);
        document
    };
    let documents = [
        (
            "/rationale",
            with("/rationale", &format!("use {token} here")),
        ),
        (
            "/evidenceRefs/0",
            with("/evidenceRefs/0", &format!("note:{token}")),
        ),
        ("/patch/newString", with("/patch/newString", &token)),
        ("/patch/oldString", with("/patch/oldString", &token)),
    ];
    for (pointer, document) in documents {
        let ran = sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
        assert!(
            ran.stderr.contains(&format!("at {pointer} ")),
            "{}",
            ran.stderr
        );
        assert!(!ran.stderr.contains(&token[4..]), "{}", ran.stderr);
    }
    let ran = sandbox.refuses_document(
        &support_file(NAME, "references/a.md", &token),
        3,
        "INVALID_PROPOSAL",
    );
    assert!(
        ran.stderr.contains("at /supportFile/content "),
        "{}",
        ran.stderr
    );
    let mut unknown = create(NAME, "");
    unknown[&token] = json!(1);
    let ran = sandbox.refuses_document(&unknown, 3, "INVALID_PROPOSAL");
    assert!(!ran.stderr.contains(&token[4..]), "{}", ran.stderr);
}

#[test]
fn case_38_a_document_that_is_no_utf_8_names_the_byte() {
    let sandbox = Sandbox::new();
    let text = create(NAME, "Body \u{1F600} \u{2014} @\n").to_string();
    let bytes: Vec<u8> = text
        .bytes()
        .map(|byte| if byte == b'@' { 0x9d } else { byte })
        .collect();
    let before = sandbox.tree();
    let ran = sandbox
        .run_with(&["skill-loop", "propose", "-"], bytes)
        .exits(3)
        .fails("INVALID_PROPOSAL");
    assert!(ran.stderr.to_lowercase().contains("9d"), "{}", ran.stderr);
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    sandbox.propose(&serde_json::from_str(&text).unwrap());
}

/// Ten kinds of hostile or broken document: each a refusal within a second, nothing written.
#[test]
fn documents_beyond_a_limit_are_refused_at_once() {
    let sandbox = Sandbox::new();
    let good = create(NAME, "Body.\n").to_string();
    let with = |old: &str, new: &str| good.replacen(old, new, 1);
    let documents = [
        ("10 MB", with("Body.", &"x".repeat(10_000_000))),
        (
            "10,000 levels",
            format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
        ),
        ("100,000 open levels", "{\"a\":".repeat(100_000)),
        (
            "a duplicate key",
            with("\"skill\":", "\"skill\":\"a\",\"skill\":"),
        ),
        (
            "a duplicate key, escaped",
            with("\"skill\":", "\"sk\\u0069ll\":\"a\",\"skill\":"),
        ),
        ("a lone surrogate", with("Body.", "\\ud800")),
        ("a raw NUL", with("Body.", "\0")),
        ("NaN", with("\"lithermes/proposal/v1\"", "NaN")),
        ("trailing text", format!("{good} and more")),
        ("two documents", format!("{good}{good}")),
        ("a trailing comma", with("}]", "},]")),
        ("a comment", format!("// c\n{good}")),
        (
            "prose before a fence",
            format!("Here it is:\n```json\n{good}\n```"),
        ),
        (
            "two fences",
            format!("```json\n{good}\n```\n```json\n{good}\n```"),
        ),
        ("nothing", String::new()),
        ("a number", "1e999".to_owned()),
        ("a string", "\"Nothing to save.\"".to_owned()),
        ("almost nothing to save", "nothing to save".to_owned()),
        ("an empty array", "[]".to_owned()),
        (
            "escape sequences",
            with(
                "\"skill\":",
                "\"\\u001b]52;c;eA==\\u0007\\u001b[2J\":1,\"skill\":",
            ),
        ),
        ("a raw escape", format!("\u{1b}[2J{good}")),
    ];
    for (what, document) in documents {
        let started = Instant::now();
        let ran = sandbox.run_with(&["skill-loop", "propose", "-"], document.clone());
        let took = started.elapsed();
        assert_eq!(ran.status, 3, "{what}: {}{}", ran.stdout, ran.stderr);
        assert!(took < QUICK, "{what}: {took:?}");
        assert!(is_harmless(&ran.stderr), "{what}: {:?}", ran.stderr);
        assert!(ran.stderr.len() < 10_000, "{what}: {}", ran.stderr.len());
        sandbox.refuses(&["propose", "-"], &document, 3, "INVALID_PROPOSAL");
    }
}
