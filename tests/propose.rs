//! `propose`: what is imported, and what is refused before a byte is written.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Sandbox, create, differences, marked, patch};

const NAME: &str = "release-notes";
/// A second; a debug build on a machine that does other things has more.
const QUICK: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

fn file(path: &str, content: &str) -> Value {
    let mut document = create(NAME, "");
    document.as_object_mut().unwrap().remove("create");
    document["supportFile"] = json!({"path": path, "content": content});
    document
}

/// A `create` whose SKILL.md is exactly this.
fn whole(skill: &str, text: &str) -> Value {
    let mut document = create(skill, "");
    document["create"]["files"][0]["content"] = json!(text);
    document
}

/// A token in the form of a real one, which no file of this repository holds.
fn token() -> String {
    ["gh", "p_", "16C7e42F292c6912E7", "710c838347Ae178B4a"].concat()
}

#[test]
fn nothing_to_save_is_a_stated_no_op() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ran = sandbox
        .run_with(&["skill-loop", "propose", "-"], "Nothing to save.\n")
        .ok();
    assert_eq!(ran.stdout, "Nothing to save. Nothing was written.\n");
    assert_eq!(ran.stderr, "");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn an_import_writes_the_queue_and_our_folder_and_no_skill() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let new = differences(&before, &sandbox.tree());
    for path in &new {
        let ours = path.starts_with("+ home/lithermes") || path.starts_with("+ work/.hermes");
        assert!(ours, "{path}");
    }
    assert!(new.contains(&format!(
        "+ work/.hermes/lithermes/skill-proposals/{id}.json"
    )));
    let ignore = sandbox.work().join(".hermes/lithermes/.gitignore");
    assert_eq!(fs_err::read_to_string(ignore).unwrap(), "*\n");
    assert_eq!(
        sandbox
            .tree()
            .mode(&format!("work/.hermes/lithermes/skill-proposals/{id}.json")),
        0o600
    );
    assert_eq!(sandbox.tree().mode("home/lithermes"), 0o700);
    assert_eq!(
        sandbox.tree().mode("home/lithermes/skill-loop-blobs"),
        0o700
    );
    assert_eq!(sandbox.kinds(), Vec::<String>::new());
}

#[test]
fn the_marker_is_inserted_and_every_other_byte_stays() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.apply(&id);
    let written = fs_err::read_to_string(sandbox.skill_path(NAME).join("SKILL.md")).unwrap();
    assert_eq!(written, marked(NAME, "Body.\n"));
}

#[test]
fn one_object_an_array_a_wrapped_array_a_fence_and_a_byte_order_mark() {
    let one = create(NAME, "Body.\n").to_string();
    let documents = [
        one.clone(),
        format!("[{one}]"),
        format!("{{\"proposals\":[{one}]}}"),
        format!("```json\n{one}\n```\n"),
        format!("\u{feff}{one}"),
        format!("\n\t {one} \r\n"),
    ];
    let mut ids = Vec::new();
    for document in documents {
        let sandbox = Sandbox::new();
        let args = ["skill-loop", "propose", "-", "--json"];
        let answer = sandbox.run_with(&args, document).ok().json();
        ids.push(answer["proposals"][0]["id"].clone());
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn q6_identical_bytes_twice_are_one_proposal() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    let before = sandbox.tree();
    let args = ["skill-loop", "propose", "-"];
    let ran = sandbox.run_with(&args, document.to_string()).ok();
    assert!(
        ran.stdout.contains(&format!("{id}  already pending")),
        "{}",
        ran.stdout
    );
    // Who held the lock last is in it.
    assert_eq!(
        differences(&before, &sandbox.tree()),
        ["~ home/lithermes/lock"]
    );
    sandbox.apply(&id);
    // The base of the same document has moved, so it is another proposal, and refused: it is there.
    sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
}

#[test]
fn case_20_a_rejected_proposal_is_reopened_by_the_same_document() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    sandbox.sl(&["reject", &id]).ok();
    assert_eq!(sandbox.propose(&document), id);
    assert_eq!(sandbox.item(&id)["state"], "pending");
    sandbox.apply(&id);
    let kinds = [
        "skill.reject",
        "skill.reopen",
        "skill.approve",
        "skill.apply",
    ];
    assert_eq!(sandbox.kinds(), kinds);
    sandbox.holds();
}

#[test]
fn a_rolled_back_proposal_is_reopened_by_the_same_document() {
    let sandbox = Sandbox::new();
    let document = create(NAME, "Body.\n");
    let id = sandbox.propose(&document);
    sandbox.rollback(&sandbox.apply(&id));
    assert_eq!(sandbox.propose(&document), id);
    assert_eq!(sandbox.item(&id)["state"], "pending");
    sandbox.apply(&id);
    sandbox.holds();
}

#[test]
fn an_array_is_checked_whole_before_the_first_write() {
    let sandbox = Sandbox::new();
    let mut bad = create("second", "Body.\n");
    bad["signal"] = json!("hunch");
    let ran = sandbox.refuses_document(
        &json!([create(NAME, "Body.\n"), bad]),
        3,
        "INVALID_PROPOSAL",
    );
    assert!(ran.stderr.contains("/1/signal"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("nothing was imported") || ran.stderr.contains("nothing was written"),
        "{}",
        ran.stderr
    );
}

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
fn case_41_43_44_p2_names_that_are_refused_and_never_rewritten() {
    let sandbox = Sandbox::new();
    let long = "a".repeat(65);
    let names = [
        "",
        "../x",
        "/abs",
        "a/../b",
        "a\\b",
        "a\0b",
        "a\nb",
        ".",
        "..",
        "-x",
        ".hidden",
        "a..b",
        "ckm:brand",
        "con",
        "nul.txt",
        "lpt1.log",
        "com1.log",
        "aux",
        "prn.md",
        "Ünïcode",
        "u\u{308}ber",
        "Release-Notes",
        "a b",
        "a ",
        "a.",
        "x.lock",
        "plan",
        "node_modules",
        "venv",
        "__pycache__",
        "site-packages",
        "a\u{202e}b",
        "a\u{200b}b",
        &long,
    ];
    for name in names {
        let mut document = create(NAME, "Body.\n");
        document["skill"] = json!(name);
        let ran = sandbox.refuses_document(&document, 3, "INVALID_PROPOSAL");
        assert!(
            ran.stderr.contains("at /skill "),
            "{name:?}: {}",
            ran.stderr
        );
        assert!(is_harmless(&ran.stderr), "{name:?}: {:?}", ran.stderr);
    }
}

#[test]
fn p1_p2_paths_that_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let paths = [
        "",
        "/etc/passwd",
        "../a.md",
        "references/../../a.md",
        "references/./b",
        "references//b",
        "references/",
        "references",
        "references/a\0b",
        "references/a\nb",
        "references\\a.md",
        "notes/a.md",
        "a.md",
        "skill.md",
        "Skill.md",
        "references/aux.md",
        "references/CON",
        "references/nul.txt",
        "references/com1.log",
        "references/a.",
        "references/a ",
        "references/a:b",
        "references/a?b",
        "references/.lithermes-0123456789abcdef.tmp",
        "references/.git",
        "references/.GIT/config",
        "SKILL.md/x",
        "scripts/__pycache__/x.pyc",
    ];
    for path in paths {
        let ran = sandbox.refuses_document(&file(path, "text\n"), 3, "INVALID_PROPOSAL");
        assert!(
            ran.stderr.contains("at /supportFile/path "),
            "{path:?}: {}",
            ran.stderr
        );
        let patched = {
            let mut document = patch(NAME, "Body", "Text");
            document["patch"]["file"] = json!(path);
            document
        };
        sandbox.refuses_document(&patched, 3, "INVALID_PROPOSAL");
    }
}

#[test]
fn p3_names_that_differ_only_in_case_or_normalisation() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "Body.\n");
    let references = path.parent().unwrap().join("references");
    fs_err::create_dir(&references).unwrap();
    fs_err::write(references.join("Guide.md"), "text\n").unwrap();
    fs_err::write(references.join("caf\u{e9}.md"), "text\n").unwrap();
    for path in [
        "references/guide.md",
        "references/GUIDE.md",
        "references/cafe\u{301}.md",
        "References/x.md",
    ] {
        sandbox.refuses_document(&file(path, "new\n"), 3, "INVALID_PROPOSAL");
    }
    let mut twins = create("twins", "Body.\n");
    let files = twins["create"]["files"].as_array_mut().unwrap();
    files.push(json!({"path": "references/a.md", "content": "1"}));
    files.push(json!({"path": "references/A.md", "content": "2"}));
    sandbox.refuses_document(&twins, 3, "INVALID_PROPOSAL");
}

#[test]
fn case_40_a_skill_md_in_lower_case_is_never_taken_for_the_real_one() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "Body.\n");
    let twin = path.with_file_name("skill.md");
    fs_err::write(&twin, "Body.\n").unwrap();
    sandbox.apply(&sandbox.propose(&patch(NAME, "Body", "Text")));
    assert_eq!(fs_err::read_to_string(&twin).unwrap(), "Body.\n");
    assert_eq!(
        fs_err::read_to_string(&path).unwrap(),
        marked(NAME, "Text.\n")
    );
    fs_err::remove_file(&path).unwrap();
    sandbox.refuses_document(&patch(NAME, "Body", "Text"), 3, "INVALID_PROPOSAL");
}

#[test]
fn case_3_s1_a_create_never_overwrites() {
    let sandbox = Sandbox::new();
    let taken: [(&str, &dyn Fn(&Sandbox)); 5] = [
        (NAME, &|sandbox| drop(sandbox.skill(NAME, "Mine.\n"))),
        ("empty", &|sandbox| {
            fs_err::create_dir(sandbox.skill_path("empty")).unwrap()
        }),
        ("deep", &|sandbox| {
            let path = sandbox.skill_path("group/deep");
            fs_err::create_dir_all(&path).unwrap();
            fs_err::write(path.join("SKILL.md"), marked("deep", "x\n")).unwrap();
        }),
        ("by-name", &|sandbox| {
            let path = sandbox.skill_path("other-folder");
            fs_err::create_dir_all(&path).unwrap();
            fs_err::write(path.join("SKILL.md"), marked("By-Name", "x\n")).unwrap();
        }),
        ("flat", &|sandbox| {
            fs_err::write(sandbox.skill_path("flat.md"), "x\n").unwrap()
        }),
    ];
    for (name, occupy) in taken {
        occupy(&sandbox);
        let ran = sandbox.refuses_document(&create(name, "New.\n"), 3, "INVALID_PROPOSAL");
        assert!(
            ran.stderr.contains(name) || ran.stderr.contains("By-Name"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn case_3_a_stray_file_in_the_place_of_a_skill() {
    let sandbox = Sandbox::new();
    fs_err::write(sandbox.skill_path("stray"), "a file\n").unwrap();
    let ran = sandbox.refuses_document(&create("stray", "New.\n"), 3, "UNSAFE_PATH");
    assert!(ran.stderr.contains("skills/stray"), "{}", ran.stderr);
}

#[test]
fn case_45_c3_p1_links_are_neither_followed_nor_replaced() {
    let sandbox = Sandbox::new();
    let outside = sandbox.root().join("outside");
    fs_err::create_dir(&outside).unwrap();
    fs_err::write(outside.join("SKILL.md"), marked("linked", "Body.\n")).unwrap();
    let link = |target: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(target, sandbox.home().join("skills").join(name)).unwrap();
    };
    link(&outside, "linked");
    link(&outside.join("gone"), "dangling");
    link(&sandbox.home().join("skills/loop"), "loop");
    for name in ["linked", "dangling", "loop"] {
        for document in [patch(name, "Body", "Text"), create(name, "New.\n")] {
            let ran = sandbox.refuses_document(&document, 3, "UNSAFE_PATH");
            assert!(ran.stderr.contains("link"), "{}", ran.stderr);
        }
    }
    let path = sandbox.skill(NAME, "Body.\n");
    fs_err::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(outside.join("SKILL.md"), &path).unwrap();
    sandbox.refuses_document(&patch(NAME, "Body", "Text"), 3, "UNSAFE_PATH");
}

#[test]
fn c2_a_hard_linked_target_is_refused_with_its_link_count() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "Body.\n");
    fs_err::hard_link(&path, sandbox.root().join("twin")).unwrap();
    let ran = sandbox.refuses_document(&patch(NAME, "Body", "Text"), 3, "UNSAFE_PATH");
    assert!(ran.stderr.contains('2'), "{}", ran.stderr);
}

#[test]
fn case_2_somebody_elses_skill_is_imported_as_blocked() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill_path("theirs");
    fs_err::create_dir_all(&path).unwrap();
    let text = "---\nname: theirs\ndescription: Mine.\n---\n\nBody.\n";
    fs_err::write(path.join("SKILL.md"), text).unwrap();
    let args = ["skill-loop", "propose", "-"];
    let ran = sandbox
        .run_with(&args, patch("theirs", "Body", "Text").to_string())
        .ok();
    assert!(ran.stderr.starts_with("warning: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("not an agent's"), "{}", ran.stderr);
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
fn a_secret_in_any_field_is_refused_and_never_repeated() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let token = token();
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
    let ran = sandbox.refuses_document(&file("references/a.md", &token), 3, "INVALID_PROPOSAL");
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

#[test]
fn case_55_a_create_close_to_an_existing_skill_is_warned_about() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let args = ["skill-loop", "propose", "-"];
    let ran = sandbox
        .run_with(&args, create("release-note", "Body.\n").to_string())
        .ok();
    assert!(
        ran.stderr.contains("warning: ") && ran.stderr.contains("`release-notes`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn case_22_a_queue_that_cannot_be_written_is_a_failure() {
    let sandbox = Sandbox::new();
    fs_err::write(sandbox.work().join(".hermes"), "a file\n").unwrap();
    let args = ["skill-loop", "propose", "-", "--json"];
    let ran = sandbox.run_with(&args, create(NAME, "Body.\n").to_string());
    assert!(ran.status == 1 || ran.status == 3, "{}", ran.status);
    assert_eq!(ran.json()["schema"], "lithermes/error/v1");
    let list = sandbox.sl(&["list"]);
    assert!(!list.stdout.contains("p-"), "{}", list.stdout);
}

#[test]
fn q6_a_moved_base_gives_a_new_id_and_the_old_one_says_so() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\ntwo\n");
    let old = sandbox.propose(&patch(NAME, "one", "1"));
    fs_err::write(&path, marked(NAME, "one\ntwo\nthree\n")).unwrap();
    let new = sandbox.propose(&patch(NAME, "one", "1"));
    assert_ne!(old, new);
    let list = sandbox.item(&old);
    let marks = list["marks"].as_array().unwrap();
    let superseded = marks
        .iter()
        .find(|mark| mark["mark"] == "superseded")
        .unwrap();
    assert_eq!(superseded["proposals"], json!([new]));
    assert!(sandbox.marks(&old).contains(&"stale".to_owned()));
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

#[test]
fn a_file_that_is_not_there_is_not_found() {
    let sandbox = Sandbox::new();
    let ran = sandbox.refuses(&["propose", "gone\u{1b}[2J.json"], "", 1, "NOT_FOUND");
    assert!(is_harmless(&ran.stderr), "{:?}", ran.stderr);
}

/// No control character but line feeds, and nothing that reorders or hides text.
fn is_harmless(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !(c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')))
}
