//! `show`: the exact change, harmless on a terminal, bounded in size and time.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Sandbox, create, differences, marked, patch};

const NAME: &str = "release-notes";

#[test]
fn case_27_what_is_shown_is_what_is_written() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\ntwo\nthree\n");
    let id = sandbox.propose(&patch(NAME, "two", "2"));
    let before = sandbox.tree();
    let document = sandbox.json(&["show", &id]);
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    let diff = document["files"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("\n-two\n+2\n"), "{diff}");
    let after = document["files"][0]["after"]["sha256"].clone();
    let text = sandbox.sl(&["show", &id]).ok().stdout;
    assert!(text.contains("-two") && text.contains("+2"), "{text}");
    assert!(text.contains("The user corrected this."), "{text}");
    assert!(text.contains("session:20260101_101500_ab12cd#41"), "{text}");
    sandbox.apply(&id);
    let log = sandbox.json(&["log", "--kind", "skill.approve"]);
    assert_eq!(log["entries"][0]["files"][0]["after"]["sha256"], after);
    let written = fs_err::read_to_string(sandbox.skill_path(NAME).join("SKILL.md")).unwrap();
    assert_eq!(written, marked(NAME, "one\n2\nthree\n"));
}

#[test]
fn short_ids_are_enough_and_ambiguous_ones_are_named() {
    let sandbox = Sandbox::new();
    let ids = sandbox.propose_all(&json!([create("one", "1\n"), create("two", "2\n")]));
    for given in [&ids[0][..8], &ids[0][..14], &ids[0][2..8], &ids[0]] {
        assert_eq!(
            sandbox.json(&["show", given])["id"],
            json!(ids[0]),
            "{given}"
        );
    }
    sandbox.refuses(&["show", &ids[0][..7]], "", 1, "NOT_FOUND");
    let twin = format!("{}{}", &ids[0][..10], "0".repeat(24));
    let queue = sandbox.queue();
    fs_err::copy(
        queue.join(format!("{}.json", ids[0])),
        queue.join(format!("{twin}.json")),
    )
    .unwrap();
    let ran = sandbox.refuses(&["show", &ids[0][..8]], "", 1, "AMBIGUOUS_ID");
    assert!(
        ran.stderr.contains(&ids[0]) && ran.stderr.contains(&twin),
        "{}",
        ran.stderr
    );
}

#[test]
fn t1_line_endings_are_told_in_words_and_kept_byte_for_byte() {
    for (name, ending) in [("dos", "\r\n"), ("mac", "\r")] {
        let sandbox = Sandbox::new();
        let path = sandbox.skill_path(NAME);
        sandbox.skill(NAME, "Body.\n");
        fs_err::create_dir(path.join("references")).unwrap();
        let file = path.join("references/a.md");
        let old = format!("one{ending}two{ending}three{ending}");
        fs_err::write(&file, &old).unwrap();
        let mut document = create(NAME, "");
        document.as_object_mut().unwrap().remove("create");
        document["supportFile"] =
            json!({"path": "references/a.md", "content": "one\ntwo\nthree\n"});
        let id = sandbox.propose(&document);
        let text = sandbox.sl(&["show", &id]).ok().stdout;
        assert!(
            text.to_lowercase().contains("line ending"),
            "{name}: {text}"
        );
        let receipt = sandbox.apply(&id);
        assert_eq!(fs_err::read(&file).unwrap(), b"one\ntwo\nthree\n");
        sandbox.rollback(&receipt);
        assert_eq!(fs_err::read(&file).unwrap(), old.as_bytes());
    }
}

#[test]
fn t1_a_patch_of_a_file_with_mixed_endings_changes_nothing_else() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "a\r\nb\nc\rd\r\n\u{feff}e");
    let old = fs_err::read(&path).unwrap();
    let id = sandbox.propose(&patch(NAME, "b\nc", "B\nC"));
    let receipt = sandbox.apply(&id);
    assert_eq!(
        fs_err::read_to_string(&path).unwrap(),
        marked(NAME, "a\r\nB\nC\rd\r\n\u{feff}e")
    );
    sandbox.rollback(&receipt);
    assert_eq!(fs_err::read(&path).unwrap(), old);
}

#[test]
fn t5_a_file_that_is_no_utf_8_is_told_apart_and_byte_exact() {
    let utf_16: Vec<u8> = "\u{feff}plain"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for old in [b"caf\xe9 plain\n".to_vec(), utf_16, b"a\0b\0plain".to_vec()] {
        let sandbox = Sandbox::new();
        sandbox.skill(NAME, "Body.\n");
        let folder = sandbox.skill_path(NAME).join("references");
        fs_err::create_dir(&folder).unwrap();
        fs_err::write(folder.join("a.md"), &old).unwrap();
        let mut document = create(NAME, "");
        document.as_object_mut().unwrap().remove("create");
        document["supportFile"] = json!({"path": "references/a.md", "content": "text\n"});
        let id = sandbox.propose(&document);
        let text = sandbox.sl(&["show", &id]).ok().stdout;
        assert!(text.contains("binary") || text.contains("UTF-8"), "{text}");
        assert!(text.contains(&old.len().to_string()), "{text}");
        let receipt = sandbox.apply(&id);
        assert_eq!(fs_err::read(folder.join("a.md")).unwrap(), b"text\n");
        sandbox.rollback(&receipt);
        assert_eq!(fs_err::read(folder.join("a.md")).unwrap(), old);
    }
}

/// Everything that a proposal can hold and a terminal could obey.
const HOSTILE: &str = "x\u{1b}]52;c;ZXZpbA==\u{7}y\u{1b}[2Jz\rover\u{202e}bidi\u{200b}zero\u{1b}]8;;http://example.com\u{1b}\\link\u{9b}31m\u{e0041}\u{8}\u{7f}\u{b}";

#[test]
fn t6_the_thing_under_review_does_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let mut document = create(NAME, &format!("Body {HOSTILE}\n"));
    document["rationale"] = json!(HOSTILE);
    document["evidenceRefs"] = json!([format!("note:{HOSTILE}")]);
    let files = document["create"]["files"].as_array_mut().unwrap();
    files.push(json!({"path": "references/a.md", "content": HOSTILE}));
    let id = sandbox.propose(&document);
    let said = |args: &[&str]| {
        for color in ["never", "always"] {
            let ran = sandbox.sl(&[args, &["--color", color]].concat());
            for stream in [&ran.stdout, &ran.stderr] {
                let plain = anstream::adapter::strip_str(stream).to_string();
                let styles = plain.len() != stream.len();
                assert!(color == "always" || !styles, "{args:?}: {stream:?}");
                let bad = plain.chars().find(|c| is_dangerous(*c));
                assert_eq!(bad, None, "{args:?} {color}: {plain:?}");
            }
        }
    };
    said(&["show", &id]);
    said(&["list"]);
    said(&["apply", &id, "--dry-run"]);
    said(&["log"]);
    said(&["reject", &id, "--reason", HOSTILE]);
    said(&["log"]);
    said(&["list", "--all"]);
    said(&["verify"]);
    said(&["show", HOSTILE]);
    said(&["propose", HOSTILE]);
    said(&["rollback", HOSTILE]);
    said(&["list", "--skill", HOSTILE]);
    said(&["list", "--workspace", HOSTILE]);
    said(&["list", "--hermes-home", HOSTILE]);
    said(&["list", "--profile", HOSTILE]);
    let show = sandbox.sl(&["show", &id, "--json"]).ok();
    assert!(!show.stdout.contains(is_dangerous), "{:?}", show.stdout);
    assert_eq!(show.json()["rationale"], json!(HOSTILE));
}

fn is_dangerous(c: char) -> bool {
    let hides = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}');
    hides || (c.is_control() && c != '\n' && c != '\t')
}

#[test]
fn q4_a_huge_diff_is_bounded_in_text_and_time() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let folder = sandbox.skill_path(NAME).join("references");
    fs_err::create_dir(&folder).unwrap();
    let lines = |word: &str| format!("{word}\n").repeat(400_000);
    for (file, old, new) in [
        ("lines.md", lines("a"), lines("b")),
        ("line.md", "a".repeat(1 << 20), "b".repeat(1 << 20)),
    ] {
        fs_err::write(folder.join(file), old).unwrap();
        let mut document = create(NAME, "");
        document.as_object_mut().unwrap().remove("create");
        document["supportFile"] = json!({"path": format!("references/{file}"), "content": new});
        let id = sandbox.propose(&document);
        let started = Instant::now();
        let text = sandbox.sl(&["show", &id]).ok().stdout;
        let took = started.elapsed();
        let bound = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 2 });
        assert!(took < bound, "{file}: {took:?}");
        assert!(text.len() < 200_000, "{file}: {} bytes", text.len());
        if file == "lines.md" {
            assert!(text.contains("+400000 −400000"), "{}", &text[..400]);
            assert!(text.contains("showing "), "{}", &text[..400]);
        }
        sandbox.apply(&id);
        assert_eq!(fs_err::read_to_string(folder.join(file)).unwrap(), new);
    }
}

#[test]
fn case_31_a_missing_anchor_in_a_big_skill_is_found_out_fast() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, &"a line of some words\n".repeat(4_500));
    let anchor = format!("{}the end\n", "a line of some words\n".repeat(39));
    let started = Instant::now();
    sandbox.refuses_document(&patch(NAME, &anchor, "x"), 4, "PATCH_NO_MATCH");
    let bound = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 500 });
    assert!(started.elapsed() < bound, "{:?}", started.elapsed());
}

#[test]
fn s2_a_stale_proposal_shows_what_changed_since() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "one\ntwo\n");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    fs_err::write(&path, marked(NAME, "one\nby hand\n")).unwrap();
    let text = sandbox.sl(&["show", &id]).ok().stdout;
    assert!(text.contains("stale"), "{text}");
    let (proposed, since) = text
        .split_once("Changed in the skill since the import:")
        .unwrap();
    assert!(
        proposed.contains("+1") && !proposed.contains("by hand"),
        "{text}"
    );
    assert!(since.contains("by hand"), "{text}");
}

#[test]
fn r2_the_history_of_a_proposal_is_shown_with_reasons() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    sandbox.sl(&["reject", &id, "--reason", "only once"]).ok();
    let text = sandbox.sl(&["show", &id]).ok().stdout;
    assert!(
        text.contains("skill.reject by tester@example: only once"),
        "{text}"
    );
    let history = sandbox.json(&["show", &id])["history"].clone();
    assert_eq!(history[0]["reason"], "only once");
    assert_eq!(history[0]["at"], "2026-01-02T03:04:05Z");
}
