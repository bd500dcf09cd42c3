use super::super::{Owner, Owners};
use super::{World, marked};
use crate::error::Code;

#[test]
fn a_marked_skill_of_nobody_else_is_the_agents() {
    let world = World::new();
    world.marked("ours", "ours").skill("theirs", "theirs");
    world.file(
        ".usage.json",
        r#"{"ours":{"created_by":"agent","pinned":false}}"#,
    );
    assert_eq!(world.owner("ours"), Owner::Agent);
    assert_eq!(world.owner("absent"), Owner::Absent);
    let Owner::Other(why) = world.owner("theirs") else {
        panic!("not marked");
    };
    assert!(why.contains("no ownership marker"), "{why}");
}

#[test]
fn what_belongs_to_others_is_told_with_its_reason() {
    let world = World::new();
    world
        .marked("plan", "plan")
        .marked("shown-as-plan", "plan")
        .marked("bundled-dir", "free-1")
        .marked("free-2", "bundled-name")
        .marked("hub-key", "free-3")
        .marked("free-4", "hub-key")
        .marked("hub-path", "free-5")
        .marked("cat/hub-nested", "hub-shown")
        .marked("free-6", "hub-shown")
        .marked("pinned-dir", "free-7")
        .marked("free-8", "pinned-name")
        .marked("pinned-number", "pinned-number")
        .file("bare/notes.txt", "no skill here")
        .file("latin/SKILL.md", b"---\nname: \xe9\n---\n")
        .file(
            ".bundled_manifest",
            "bundled-dir:0a\n bundled-name : 0b \n\n:x\nplain\n",
        )
        .file(
            ".hub/lock.json",
            r#"{"version":1,"installed":{
                "hub-key":{"install_path":"nowhere"},
                "k1":{"install_path":"hub-path"},
                "k2":{"install_path":"cat/hub-nested"},
                "k3":{"install_path":"/etc"},
                "k4":{"install_path":"../../outside"},
                "k5":7}}"#,
        )
        .file(
            ".usage.json",
            r#"{"pinned-dir":{"pinned":true},"pinned-name":{"pinned":true},
                "pinned-number":{"pinned":1},"odd":3}"#,
        );
    let owners = Owners::load(&world.home()).unwrap();
    for (name, part) in [
        ("plan", "protected by the host"),
        ("shown-as-plan", "protected by the host"),
        ("bundled-dir", "bundled"),
        ("free-2", "bundled"),
        ("hub-key", "hub"),
        ("free-4", "hub"),
        ("hub-path", "hub"),
        ("free-6", "hub"),
        ("pinned-dir", "pinned in .usage.json"),
        ("free-8", "pinned in .usage.json"),
        ("pinned-number", "pinned in .usage.json"),
        ("bare", "has no SKILL.md"),
        ("latin", "no UTF-8"),
    ] {
        let Owner::Other(why) = owners.owner(name).unwrap() else {
            panic!("{name} has another owner");
        };
        assert!(why.contains(part), "{name}: {why}");
        assert_eq!(world.owner(name), Owner::Other(why));
    }
}

#[test]
fn without_the_hosts_files_nothing_is_provably_ours() {
    let huge = " ".repeat(17 << 20);
    for (file, content, part) in [
        (".usage.json", &b"{"[..], "is no JSON (line 1)"),
        (".usage.json", b"[]", "is no JSON object"),
        (".usage.json", b"", "is no JSON"),
        (".usage.json", b"{\"a\":\"\xff\"}", "is no UTF-8"),
        (
            ".usage.json",
            huge.as_bytes(),
            "cannot be read (larger than",
        ),
        (".hub/lock.json", b"not json", "is no JSON (line 1)"),
        (
            ".hub/lock.json",
            br#"{"installed":["x"]}"#,
            "has no object `installed`",
        ),
        (".bundled_manifest", b"\xff", "is no UTF-8"),
    ] {
        let world = World::new();
        world.marked("ours", "ours").file(file, content);
        let Owner::Other(why) = world.owner("ours") else {
            panic!("{file} proves nothing");
        };
        assert!(why.contains(file) && why.contains(part), "{why}");
        let owners = Owners::load(&world.home()).unwrap();
        let doubt = owners.doubt().unwrap();
        assert!(doubt.starts_with(&format!("skills/{file} ")), "{doubt}");
        assert_eq!(world.owner("new"), Owner::Absent);
    }
    for file in [".usage.json", ".bundled_manifest", ".hub", ".hub/lock.json"] {
        let world = World::new();
        world.marked("ours", "ours").link(file, "outside/there");
        let Owner::Other(why) = world.owner("ours") else {
            panic!("a link proves nothing");
        };
        assert!(why.contains("cannot be read"), "{why}");
    }
}

#[test]
fn external_directories_are_somebody_elses() {
    let world = World::new();
    world.marked("mounted", "mounted").marked("ours", "ours");
    let root = world.path("home");
    for (config, mounted, ours) in [
        ("model: x\n".to_owned(), true, true),
        ("skills:\n  external_dirs: []\n".to_owned(), true, true),
        (
            "skills:\n  external_dirs: [skills]\n".to_owned(),
            true,
            true,
        ),
        (
            "skills:\n  external_dirs: [nowhere, skills/mounted]\n".to_owned(),
            false,
            true,
        ),
        (
            format!(
                "skills: {{external_dirs: '{}/skills/mounted'}}\n",
                root.display()
            ),
            false,
            true,
        ),
        (
            "skills:\n  external_dirs:\n  - .\n".to_owned(),
            false,
            false,
        ),
        ("skills: [\nexternal_dirs\n".to_owned(), false, false),
        ("damaged: [\n".to_owned(), true, true),
    ] {
        fs_err::write(world.path("home/config.yaml"), &config).unwrap();
        assert_eq!(world.owner("mounted") == Owner::Agent, mounted, "{config}");
        assert_eq!(world.owner("ours") == Owner::Agent, ours, "{config}");
    }
}

#[test]
fn an_empty_lock_proves_that_nothing_is_installed() {
    for content in [
        "{}",
        r#"{"installed":null}"#,
        r#"{"installed":{}}"#,
        r#"{"installed":[]}"#,
    ] {
        let world = World::new();
        world.marked("ours", "ours").file(".hub/lock.json", content);
        assert_eq!(world.owner("ours"), Owner::Agent, "{content}");
    }
}

#[test]
fn no_link_on_the_way_to_a_skill() {
    let world = World::new();
    fs_err::create_dir_all(world.path("outside/pack")).unwrap();
    fs_err::write(world.path("outside/pack/SKILL.md"), marked("pack")).unwrap();
    world
        .link("pack", "outside/pack")
        .link("dangling", "outside/nothing")
        .link("loop", "home/skills/loop")
        .link("file-link/SKILL.md", "outside/pack/SKILL.md")
        .file("plain-file", "text");
    fs_err::create_dir_all(world.path("home/skills/dir/SKILL.md")).unwrap();
    let owners = Owners::load(&world.home()).unwrap();
    for name in [
        "pack",
        "dangling",
        "loop",
        "file-link",
        "plain-file",
        "dir",
        "..",
        "a/b",
        "",
    ] {
        let error = owners.owner(name).unwrap_err();
        assert_eq!(error.code(), Code::UnsafePath, "{name}: {error}");
    }
}
