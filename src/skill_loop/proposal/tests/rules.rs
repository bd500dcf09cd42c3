use serde_json::{Value, json};

use super::{SKILL_MD, create, draft, edits, fault, faults, patch, secret, support_file};

/// The document with `value` at `pointer`; the last token may be new.
fn with(mut document: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = document.pointer_mut(parent).expect("a parent");
    match parent {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        parent => parent[key] = value,
    }
    document
}

fn without(mut document: Value, pointer: &str) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let object = document.pointer_mut(parent).and_then(Value::as_object_mut);
    object.expect("an object").remove(key).expect("a member");
    document
}

/// A valid `SKILL.md` of so many characters.
fn skill_md(chars: usize) -> String {
    let more = chars - SKILL_MD.chars().count();
    format!("{SKILL_MD}{}", "é".repeat(more))
}

#[test]
fn every_broken_rule_is_named_where_it_stands() {
    let sha = "0f".repeat(32);
    let cases = [
        (
            patch(),
            "/schema",
            json!("lithermes/proposal/v2"),
            "found `lithermes/proposal/v2`",
        ),
        (
            patch(),
            "/schema",
            json!(1),
            "expected a string, found a number",
        ),
        (patch(), "/skill", json!("../x"), "begins with"),
        (patch(), "/skill", json!("nul.txt"), "device"),
        (
            patch(),
            "/skill",
            json!(null),
            "expected a string, found null",
        ),
        (
            patch(),
            "/signal",
            json!("gap"),
            "`coverage-gap`, `technique`, found `gap`",
        ),
        (patch(), "/signal", json!("\u{1b}[2J"), r"`\u{1b}[2J`"),
        (patch(), "/rationale", json!(""), "found none"),
        (patch(), "/rationale", json!(" \n"), "found none"),
        (
            patch(),
            "/rationale",
            json!("é".repeat(4001)),
            "4000 characters, found 4001",
        ),
        (
            patch(),
            "/rationale",
            json!("was [REDACTED]"),
            "`[REDACTED]`",
        ),
        (
            patch(),
            "/evidenceRefs",
            json!([]),
            "1 to 32 references, found 0",
        ),
        (
            patch(),
            "/evidenceRefs",
            json!(vec!["note:x"; 33]),
            "found 33",
        ),
        (
            patch(),
            "/evidenceRefs",
            json!("note:x"),
            "expected an array",
        ),
        (
            patch(),
            "/evidenceRefs/1",
            json!("https://x"),
            "`note:TEXT`",
        ),
        (
            patch(),
            "/evidenceRefs/0",
            json!({}),
            "expected a string, found an object",
        ),
        (
            patch(),
            "/evidenceRefs/0",
            json!("note:[REDACTED]"),
            "`[REDACTED]`",
        ),
        (patch(), "/status", json!("approved"), "found `approved`"),
        (patch(), "/ledgerEntryId", json!(null), "no `ledgerEntryId`"),
        (patch(), "/id", json!("p-1"), "unknown key `id`"),
        (
            patch(),
            "/evidence_refs",
            json!([]),
            "expected `evidenceRefs`",
        ),
        (
            patch(),
            "/patch",
            json!([]),
            "expected an object, found an array",
        ),
        (patch(), "/patch/file", json!("references/../../x"), "`..`"),
        (
            patch(),
            "/patch/file",
            json!("skill.md"),
            "exactly this case",
        ),
        (
            patch(),
            "/patch/oldString",
            json!(""),
            "found an empty string",
        ),
        (patch(), "/patch/newString", json!("last"), "found the same"),
        (
            patch(),
            "/patch/newString",
            json!(false),
            "expected a string, found a boolean",
        ),
        (
            patch(),
            "/patch/old_string",
            json!("x"),
            "expected `oldString`",
        ),
        (
            patch(),
            "/patch/baseSha256",
            json!(sha.to_uppercase()),
            "64 lower-case hex",
        ),
        (
            patch(),
            "/patch/baseSha256",
            json!("0f"),
            "64 lower-case hex",
        ),
        (
            edits(),
            "/patch/edits",
            json!([]),
            "1 to 256 edits, found 0",
        ),
        (edits(), "/patch/edits/1", json!("x"), "expected an object"),
        (
            edits(),
            "/patch/edits/1/oldString",
            json!(""),
            "empty string",
        ),
        (
            edits(),
            "/patch/edits/0/newString",
            json!("last"),
            "found the same",
        ),
        (
            edits(),
            "/patch/edits/0/file",
            json!("x"),
            "unknown key `file`",
        ),
        (create(), "/create/files", json!({}), "expected an array"),
        (
            create(),
            "/create/files",
            json!([]),
            "expected `SKILL.md` among the files",
        ),
        (
            create(),
            "/create/files/0/path",
            json!("skill.md"),
            "exactly this case",
        ),
        (
            create(),
            "/create/files/0/path",
            json!(7),
            "expected a string",
        ),
        (
            create(),
            "/create/files/0/content",
            json!("no fence"),
            "SKILL.md, line 1",
        ),
        (
            create(),
            "/create/files/0/content",
            json!(skill_md(100_001)),
            "100000 characters, found 100001: split it",
        ),
        (
            create(),
            "/create/files/1/content",
            json!("x: [REDACTED]"),
            "`[REDACTED]`",
        ),
        (
            create(),
            "/create/files/1/content",
            json!("x".repeat((1 << 20) + 1)),
            "1048576 bytes",
        ),
        (create(), "/create/files/1/path", json!("aux.md"), "`AUX`"),
        (
            create(),
            "/create/files/2/path",
            json!("references/ORDER.md"),
            "`references/order.md`",
        ),
        (
            create(),
            "/create/files/2/path",
            json!("references/order.md"),
            "collides",
        ),
        (
            create(),
            "/create/files/2/path",
            json!("references/order.md/x"),
            "collides",
        ),
        (
            create(),
            "/create/files/2/executable",
            json!("yes"),
            "`true` or `false`",
        ),
        (
            create(),
            "/create/files/1/baseSha256",
            json!(sha),
            "a new file has no base",
        ),
        (
            create(),
            "/create/files/1/mode",
            json!(493),
            "unknown key `mode`",
        ),
        (create(), "/create/name", json!("x"), "unknown key `name`"),
        (
            support_file(),
            "/supportFile/path",
            json!("SKILL.md"),
            "takes a `patch`",
        ),
        (
            support_file(),
            "/supportFile/path",
            json!("docs/x"),
            "beneath",
        ),
        (
            support_file(),
            "/supportFile/content",
            json!("x".repeat((1 << 20) + 1)),
            "1048576 bytes",
        ),
        (
            support_file(),
            "/supportFile/executable",
            json!(null),
            "found null",
        ),
        (
            support_file(),
            "/supportFile/pointer",
            json!(null),
            "expected an object",
        ),
        (
            support_file(),
            "/supportFile/pointer/oldString",
            json!(""),
            "empty string",
        ),
        (
            support_file(),
            "/supportFile/oldString",
            json!(""),
            "unknown key",
        ),
    ];
    for (document, pointer, value, why) in cases {
        let broken = with(document, pointer, value.clone());
        let (found, message) = fault(&broken);
        assert_eq!(found, pointer, "{message}");
        assert!(message.contains(why), "{pointer} = {value}: {message}");
    }
}

#[test]
fn every_missing_field_is_named() {
    for (document, pointer) in [
        (patch(), "/schema"),
        (patch(), "/skill"),
        (patch(), "/signal"),
        (patch(), "/rationale"),
        (patch(), "/evidenceRefs"),
        (patch(), "/patch"),
        (patch(), "/patch/file"),
        (patch(), "/patch/oldString"),
        (patch(), "/patch/newString"),
        (edits(), "/patch/edits"),
        (edits(), "/patch/edits/0/oldString"),
        (create(), "/create/files"),
        (create(), "/create/files/0/path"),
        (create(), "/create/files/0/content"),
        (support_file(), "/supportFile/path"),
        (support_file(), "/supportFile/content"),
        (support_file(), "/supportFile/pointer/newString"),
    ] {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let (found, message) = fault(&without(document, pointer));
        assert_eq!(found, parent, "{pointer}: {message}");
        assert!(
            message.contains(&format!("`{key}`")),
            "{pointer}: {message}"
        );
    }
}

#[test]
fn limits_are_met_exactly() {
    for (document, pointer, value) in [
        (patch(), "/rationale", json!("é".repeat(4000))),
        (patch(), "/rationale", json!("x")),
        (patch(), "/evidenceRefs", json!(vec!["note:x"; 32])),
        (patch(), "/status", json!("pending")),
        (patch(), "/signal", json!("coverage-gap")),
        (patch(), "/patch/newString", json!("")),
        (patch(), "/patch/baseSha256", json!("0f".repeat(32))),
        (
            create(),
            "/create/files/1/content",
            json!("x".repeat(1 << 20)),
        ),
        (create(), "/create/files/1/content", json!("")),
        (
            create(),
            "/create/files/0/content",
            json!(skill_md(100_000)),
        ),
        (create(), "/create/files/1/path", json!("scripts/sort.py")),
        (
            support_file(),
            "/supportFile/content",
            json!("x".repeat(1 << 20)),
        ),
        // A mark that the file has already may stay; only its base can tell.
        (patch(), "/patch/newString", json!("[REDACTED]")),
    ] {
        draft(&with(document, pointer, value));
    }
}

#[test]
fn exactly_one_change() {
    let mut both = patch();
    both["create"] = create()["create"].clone();
    let (pointer, message) = fault(&both);
    assert_eq!(pointer, "");
    assert!(message.ends_with("found `patch`, `create`"), "{message}");
    both["patch"]["file"] = json!("");
    assert_eq!(
        faults(both.to_string()).len(),
        2,
        "each change is checked all the same"
    );

    let both = with(edits(), "/patch/oldString", json!("x"));
    let (pointer, message) = fault(&both);
    assert_eq!(pointer, "/patch");
    assert!(message.ends_with("found both"), "{message}");
}

#[test]
fn names_that_collide_on_some_file_system_are_found() {
    let name = |path: &str| json!({"path": path, "content": "x"});
    for (left, right) in [
        ("references/é.md", "references/e\u{301}.md"),
        ("references/straße", "references/STRASSE"),
        ("references/Deep/a", "references/deep/b"),
        ("references/a/b", "references/a"),
        ("references/A", "references/a/b"),
    ] {
        let mut document = create();
        document["create"]["files"][1] = name(left);
        document["create"]["files"][2] = name(right);
        let (pointer, message) = fault(&document);
        assert_eq!(pointer, "/create/files/2/path");
        assert!(
            message.starts_with("collides with"),
            "{left} {right}: {message}"
        );
    }
}

#[test]
fn a_path_beside_the_point_hides_no_missing_skill_file() {
    let mut document = create();
    document["create"]["files"][0]["path"] = json!("../x");
    let pointers: Vec<_> = faults(document.to_string())
        .into_iter()
        .map(|fault| fault.pointer)
        .collect();
    assert_eq!(pointers, ["/create/files", "/create/files/0/path"]);
}

#[test]
fn duplicate_keys_and_half_pairs_are_faults_like_any_other() {
    let text = patch().to_string();
    let text = text.replacen('{', "{\"skill\":\"other\",", 1);
    let text = text.replace("three sessions", "three\\ud800 sessions");
    let found = faults(&text);
    let pointers: Vec<_> = found.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/rationale", "/skill"], "{found:?}");
}

#[test]
fn a_credential_in_any_field_is_refused_without_being_repeated() {
    let secret = secret();
    let text = json!(format!("first\nsee {secret} there\n"));
    for (document, pointer) in [
        (patch(), "/rationale"),
        (patch(), "/patch/oldString"),
        (patch(), "/patch/newString"),
        (edits(), "/patch/edits/1/newString"),
        (create(), "/create/files/1/content"),
        (support_file(), "/supportFile/content"),
        (support_file(), "/supportFile/pointer/newString"),
    ] {
        let (found, message) = fault(&with(document, pointer, text.clone()));
        assert_eq!(found, pointer);
        assert!(
            message.contains("credential (") && message.contains("line 2"),
            "{message}"
        );
        assert!(!message.contains(&secret), "{message}");
    }
    let (found, _) = fault(&with(
        patch(),
        "/evidenceRefs/0",
        json!(format!("note:{secret}")),
    ));
    assert_eq!(found, "/evidenceRefs/0");
}

#[test]
fn no_message_and_no_pointer_repeats_a_credential() {
    let secret = secret();
    for (document, pointer) in [
        (patch(), "/schema"),
        (patch(), "/skill"),
        (patch(), "/signal"),
        (patch(), "/status"),
        (patch(), "/evidenceRefs/0"),
        (patch(), "/patch/file"),
        (patch(), "/patch/baseSha256"),
        (create(), "/create/files/0/path"),
    ] {
        let broken = with(
            document,
            pointer,
            json!(format!("{}{secret}", " ".repeat(40))),
        );
        let found = faults(broken.to_string());
        assert!(
            found.len() >= 2,
            "{pointer}: the value is wrong, and a credential"
        );
        assert!(
            !format!("{found:?}").contains(&secret[..12]),
            "{pointer}: {found:?}"
        );
    }
    let mut document = patch();
    document[&secret] = json!({"a": secret});
    let text = document
        .to_string()
        .replacen('{', &format!("{{\"{secret}\":1,"), 1);
    let found = faults(text);
    assert!(found.len() >= 4, "{found:?}");
    assert!(!format!("{found:?}").contains(&secret[..12]), "{found:?}");
}
