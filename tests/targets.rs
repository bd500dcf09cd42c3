//! Where a proposal may point: names and paths that mean one thing everywhere, and no link.

use serde_json::json;

use crate::support::{Sandbox, create, is_harmless, marked, patch, support_file};

const NAME: &str = "release-notes";

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
        let ran =
            sandbox.refuses_document(&support_file(NAME, path, "text\n"), 3, "INVALID_PROPOSAL");
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
        sandbox.refuses_document(&support_file(NAME, path, "new\n"), 3, "INVALID_PROPOSAL");
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
    let taken = [
        ("same", "same/SKILL.md", marked("same", "x\n")),
        ("no-skill", "no-skill/notes.txt", "x\n".to_owned()),
        ("deep", "group/deep/SKILL.md", marked("deep", "x\n")),
        ("by-name", "folder/SKILL.md", marked("By-Name", "x\n")),
        ("flat", "flat.md", "x\n".to_owned()),
    ];
    for (name, path, text) in taken {
        let path = sandbox.home().join("skills").join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
        let ran = sandbox.refuses_document(&create(name, "New.\n"), 3, "INVALID_PROPOSAL");
        assert!(ran.stderr.to_lowercase().contains(name), "{}", ran.stderr);
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
