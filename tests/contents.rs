//! What a proposal would write: patches that match once, and a SKILL.md that the host lists.

use serde_json::{Value, json};

use crate::support::{Sandbox, create, patch};

const NAME: &str = "release-notes";

/// A `create` whose SKILL.md is exactly this.
fn whole(skill: &str, text: &str) -> Value {
    let mut document = create(skill, "");
    document["create"]["files"][0]["content"] = json!(text);
    document
}

#[test]
fn case_26_only_exact_and_unique_bytes_match() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "alpha\nbeta(9)\ngamma\n");
    let ran = sandbox.refuses_document(
        &patch(NAME, "alpha\nbeta(2)\ngamma\n", "x"),
        4,
        "PATCH_NO_MATCH",
    );
    assert!(ran.stderr.contains("nearest is line"), "{}", ran.stderr);
    sandbox.skill("windows", "one\r\ntwo\r\n");
    let ran = sandbox.refuses_document(&patch("windows", "one\ntwo\n", "x"), 4, "PATCH_NO_MATCH");
    assert!(ran.stderr.contains("line ending"), "{}", ran.stderr);
    sandbox.skill("composed", "caf\u{e9}\n");
    let ran = sandbox.refuses_document(&patch("composed", "cafe\u{301}", "x"), 4, "PATCH_NO_MATCH");
    assert!(ran.stderr.contains("normali"), "{}", ran.stderr);
}

#[test]
fn case_29_several_matches_are_counted_with_their_lines() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, &"same\nother\n".repeat(7));
    let ran = sandbox.refuses_document(&patch(NAME, "same", "x"), 4, "PATCH_NOT_UNIQUE");
    assert!(ran.stderr.contains("occurs 7 times"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("lines 8, 10, 12, 14, 16, …"),
        "{}",
        ran.stderr
    );
    sandbox.skill("overlap", "aXaXa\n");
    let ran = sandbox.refuses_document(&patch("overlap", "aXa", "x"), 4, "PATCH_NOT_UNIQUE");
    assert!(ran.stderr.contains("occurs 2 times"), "{}", ran.stderr);
}

#[test]
fn case_32_an_overlong_skill_is_told_to_split() {
    let sandbox = Sandbox::new();
    let head = "---\nname: release-notes\ndescription: A skill for tests.\n---\n\n";
    let marker = "metadata:\n  lithermesAgentGenerated: \"true\"\n";
    let room = 100_000 - head.chars().count() - marker.len();
    let fits = whole(NAME, &format!("{head}{}", "é".repeat(room)));
    let too_long = whole(NAME, &format!("{head}{}", "é".repeat(room + 1)));
    let ran = sandbox.refuses_document(&too_long, 3, "INVALID_PROPOSAL");
    assert!(
        ran.stderr.contains("100001") && ran.stderr.contains("references/"),
        "{}",
        ran.stderr
    );
    sandbox.propose(&fits);
}

#[test]
fn case_34_redaction_marks_are_refused_unless_the_base_has_them() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "key: [REDACTED]\nother: plain\n");
    for mark in [
        "[REDACTED]",
        "[REDACTED_SECRET]",
        "«redacted:github»",
        "token: ***",
    ] {
        let ran = sandbox.refuses_document(
            &patch(NAME, "plain", &format!("plain\n{mark}\n{mark}")),
            3,
            "INVALID_PROPOSAL",
        );
        assert!(ran.stderr.contains("/patch"), "{mark}: {}", ran.stderr);
    }
    sandbox.propose(&patch(NAME, "plain", "fancy"));
    sandbox.propose(&patch(
        NAME,
        "key: [REDACTED]\nother",
        "key: [REDACTED]\nanother",
    ));
}

#[test]
fn case_35_37_frontmatter_that_the_host_would_drop_or_misread() {
    let sandbox = Sandbox::new();
    let body = |head: &str| format!("---\nname: release-notes\n{head}\n---\n\nBody.\n");
    let texts = [
        ("no frontmatter", "Body.\n".to_owned()),
        ("a space before", format!(" {}", body("description: x"))),
        (
            "never closed",
            "---\nname: release-notes\ndescription: x\n".to_owned(),
        ),
        (
            "closed too late",
            body(&format!("description: x\nfiller: {}", "y".repeat(4_100))),
        ),
        ("a colon unquoted", body("description: Use when: a")),
        ("no description", body("version: 1")),
        ("an empty description", body("description: \"\"")),
        (
            "1,025 characters",
            body(&format!("description: {}", "é".repeat(1_025))),
        ),
        ("a number", body("description: 12")),
        ("yes in 1.1", body("description: yes")),
        ("a date in 1.1", body("description: 2026-11-30")),
        ("null", body("description: ~")),
        ("a list", body("description: [a]")),
        ("a duplicate key", body("description: x\ndescription: y")),
        ("an anchor", body("description: &a x")),
        ("a tag", body("description: !!str x")),
        ("a merge", body("description: x\n<<: {a: b}")),
        (
            "another name",
            "---\nname: other\ndescription: x\n---\n\nBody.\n".to_owned(),
        ),
        (
            "no body",
            "---\nname: release-notes\ndescription: x\n---\n".to_owned(),
        ),
        (
            "only space",
            "---\nname: release-notes\ndescription: x\n---\n\n \n".to_owned(),
        ),
    ];
    for (what, text) in texts {
        let mut command = sandbox.command();
        let ran = sandbox.ran(
            command
                .args(["skill-loop", "propose", "-"])
                .write_stdin(whole(NAME, &text).to_string()),
        );
        assert_eq!(ran.status, 3, "{what}: {}{}", ran.stdout, ran.stderr);
        sandbox.refuses_document(&whole(NAME, &text), 3, "INVALID_PROPOSAL");
    }
    sandbox.propose(&whole(
        NAME,
        &body(&format!("description: {}", "é".repeat(1_024))),
    ));
}
