use std::os::unix::fs::symlink;
use std::path::PathBuf;

use tempfile::TempDir;

use super::{CatalogEntry, Names, Owner, Owners, catalogue, collisions, owner, similar};
use crate::disk::Dir;
use crate::error::Code;

struct World {
    held: TempDir,
}

impl World {
    fn new() -> Self {
        let held = TempDir::new().unwrap();
        fs_err::create_dir_all(held.path().join("home/skills")).unwrap();
        Self { held }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.held.path().join(below)
    }

    fn home(&self) -> Dir {
        Dir::open_root(&self.path("home")).unwrap().unwrap()
    }

    /// Writes a file below `H/skills`.
    fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path("home/skills").join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
        self
    }

    /// Writes a skill below `H/skills`.
    fn skill(&self, path: &str, name: &str) -> &Self {
        let text = format!("---\nname: {name}\ndescription: about {name}\n---\nbody\n");
        self.file(&format!("{path}/SKILL.md"), text)
    }

    /// Writes a skill with the ownership marker.
    fn marked(&self, path: &str, name: &str) -> &Self {
        self.file(&format!("{path}/SKILL.md"), marked(name))
    }

    /// Makes a link below `H/skills`, to a path below the world.
    fn link(&self, path: &str, target: &str) -> &Self {
        let path = self.path("home/skills").join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(self.path(target), path).unwrap();
        self
    }

    fn listed(&self) -> Vec<(String, String)> {
        let entries = catalogue(&self.home()).unwrap();
        entries.into_iter().map(|e| (e.path, e.name)).collect()
    }

    fn owner(&self, name: &str) -> Owner {
        owner(&self.home(), name).unwrap()
    }
}

fn marked(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: d\nmetadata:\n  lithermesAgentGenerated: \"true\"\n---\nb\n"
    )
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(path, name): &(&str, &str)| ((*path).to_owned(), (*name).to_owned());
    expected.iter().map(own).collect()
}

#[test]
fn the_catalogue_is_the_hosts_list() {
    let world = World::new();
    world
        .skill("flat", "flat")
        .skill("a/b/c/deep", "deep")
        .skill("a-b", "dash")
        .skill("a", "outer")
        .skill("renamed", "other-name")
        .skill("scripts/kept", "kept")
        .skill("flat/references/old", "old")
        .skill("flat/templates/old", "old2")
        .skill("flat/more/inner", "inner")
        .skill(".archive/gone", "gone")
        .skill("x/node_modules/y", "y")
        .skill("x/.venv/z", "z")
        .skill(".lithermes/backup/flat", "dotted")
        .file("nameless/SKILL.md", "no frontmatter\n")
        .file("number/SKILL.md", "---\nname: 12\ndescription: d\n---\nb\n")
        .file("binary/SKILL.md", b"---\nname: \xff\n---\n")
        .file("page.md", "not a skill")
        .file("lower/skill.md", "---\nname: lower\n---\n");
    fs_err::create_dir_all(world.path("home/skills/dir/SKILL.md")).unwrap();
    let expected = [
        (".lithermes/backup/flat", "dotted"),
        ("a-b", "dash"),
        ("a", "outer"),
        ("a/b/c/deep", "deep"),
        ("flat", "flat"),
        ("flat/more/inner", "inner"),
        ("nameless", "nameless"),
        ("renamed", "other-name"),
        ("scripts/kept", "kept"),
    ];
    assert_eq!(world.listed(), pairs(&expected));
}

#[test]
fn of_two_with_one_name_the_first_is_listed() {
    let world = World::new();
    world
        .skill("b", "same")
        .skill("a/z", "same")
        .skill("c", "c");
    assert_eq!(world.listed(), pairs(&[("a/z", "same"), ("c", "c")]));
}

#[test]
fn links_are_followed_and_told() {
    let world = World::new();
    world
        .skill("plain", "plain")
        .link("dir-link", "outside/pack")
        .link("file-link/SKILL.md", "outside/one.md")
        .link("dangling", "outside/nothing")
        .link("gone/SKILL.md", "outside/nothing.md")
        .link("loop/again", "home/skills")
        .link("self", "home/skills/self");
    fs_err::create_dir_all(world.path("outside/pack/inner")).unwrap();
    let text = |name: &str| format!("---\nname: {name}\ndescription: d\n---\nb\n");
    fs_err::write(world.path("outside/pack/inner/SKILL.md"), text("packed")).unwrap();
    fs_err::write(world.path("outside/one.md"), text("single")).unwrap();
    let entries = catalogue(&world.home()).unwrap();
    let found: Vec<(&str, &str, bool)> = entries
        .iter()
        .map(|e| (e.path.as_str(), e.name.as_str(), e.linked))
        .collect();
    let expected = [
        ("dir-link/inner", "packed", true),
        ("file-link", "single", true),
        ("plain", "plain", false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn skills_that_are_a_link_are_listed_and_owned_by_nobody_here() {
    let world = World::new();
    world.marked("x", "x");
    fs_err::rename(world.path("home/skills"), world.path("elsewhere")).unwrap();
    symlink(world.path("elsewhere"), world.path("home/skills")).unwrap();
    let entries = catalogue(&world.home()).unwrap();
    assert_eq!(entries.len(), 1);
    assert!(entries[0].linked);
    assert_eq!(
        owner(&world.home(), "x").unwrap_err().code(),
        Code::UnsafePath
    );
}

#[test]
fn a_home_without_skills_is_empty() {
    let world = World::new();
    fs_err::remove_dir(world.path("home/skills")).unwrap();
    assert_eq!(world.listed(), []);
    assert_eq!(world.owner("x"), Owner::Absent);
    assert_eq!(
        collisions(&world.home(), "x").unwrap(),
        Vec::<String>::new()
    );
}

#[test]
fn a_large_file_is_read_at_its_head() {
    let world = World::new();
    let text = format!(
        "---\nname: large\ndescription: d\n---\nx{}",
        "é".repeat(1 << 20)
    );
    world.file("large/SKILL.md", text);
    assert_eq!(world.listed(), pairs(&[("large", "large")]));
}

#[test]
fn names_collide_wherever_they_are() {
    let world = World::new();
    world
        .skill("flat", "flat")
        .skill("cat/nested", "nested")
        .skill("renamed", "other-name")
        .skill("Upper", "Upper")
        .skill(".archive/gone", "gone")
        .skill("flat/references/quoted", "quoted")
        .file("flat/references/guide.md", "support")
        .file("flat/notes.md", "page")
        .file(".archive/old.md", "page")
        .file("node_modules/pkg/readme.md", "page")
        .file("plain", "a file")
        .file("STRASSE.md", "page")
        .link("linked", "outside");
    fs_err::create_dir_all(world.path("home/skills/empty")).unwrap();
    fs_err::create_dir_all(world.path("outside/in")).unwrap();
    fs_err::write(
        world.path("outside/in/SKILL.md"),
        "---\nname: behind\n---\nb\n",
    )
    .unwrap();
    fs_err::write(world.path("outside/far.md"), "page").unwrap();
    let names = Names::load(&world.home()).unwrap();
    for (name, expected) in [
        ("flat", &["skill at skills/flat"][..]),
        ("nested", &["skill at skills/cat/nested"]),
        ("renamed", &["skill at skills/renamed"]),
        (
            "other-name",
            &["skill named `other-name` at skills/renamed"],
        ),
        ("upper", &["skill at skills/Upper"]),
        ("cat", &["skills/cat"]),
        ("empty", &["skills/empty"]),
        ("plain", &["skills/plain"]),
        ("linked", &["skills/linked"]),
        ("in", &["skill at skills/linked/in"]),
        ("behind", &["skill named `behind` at skills/linked/in"]),
        ("notes", &["file skills/flat/notes.md"]),
        ("old", &["file skills/.archive/old.md"]),
        ("readme", &["file skills/node_modules/pkg/readme.md"]),
        ("straße", &["file skills/STRASSE.md"]),
        // The host does not take these for skills.
        ("gone", &[]),
        ("quoted", &[]),
        ("guide", &[]),
        ("far", &[]),
        ("skill", &[]),
        ("new", &[]),
    ] {
        assert_eq!(names.collisions(name), expected, "{name}");
        assert_eq!(collisions(&world.home(), name).unwrap(), expected, "{name}");
    }
}

#[test]
fn composed_and_decomposed_names_are_one() {
    let world = World::new();
    world.skill("cafe\u{301}", "x");
    let found = collisions(&world.home(), "caf\u{e9}").unwrap();
    assert_eq!(found, ["skill at skills/cafe\u{301}"]);
}

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
        let Owner::Other(why) = owners.owner(&world.home(), name).unwrap() else {
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
        let error = owner(&world.home(), name).unwrap_err();
        assert_eq!(error.code(), Code::UnsafePath, "{name}: {error}");
    }
}

fn entry(name: &str, description: &str) -> CatalogEntry {
    CatalogEntry {
        path: name.to_owned(),
        dir_name: name.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        linked: false,
    }
}

#[test]
fn three_names_for_one_skill_are_found() {
    let text = "Write release notes with breaking changes first";
    let catalogue = [
        entry("release-notes", text),
        entry("changelog-writer", text),
        entry("notes-for-releases", text),
        entry("pdf-forms", "Fill in PDF forms from a table of values"),
        entry("git-bisect", "Find the commit that broke a test"),
    ];
    let found = similar(&catalogue, "ship-announcements", text);
    assert_eq!(
        found,
        ["changelog-writer", "notes-for-releases", "release-notes"]
    );
    // By name alone: order, a plural and one more word do not hide it; the closest comes first.
    let found = similar(
        &catalogue,
        "release-notes-writer",
        "Something else altogether",
    );
    assert_eq!(found, ["notes-for-releases", "release-notes"]);
}

#[test]
fn what_is_not_close_is_not_named() {
    let catalogue = [
        entry(
            "release-notes",
            "Write release notes with breaking changes first",
        ),
        entry("short", "Use this skill"),
        entry("bare", ""),
    ];
    for (name, description) in [
        ("git-bisect", "Find the commit that broke a test"),
        ("x", "Use this skill when it is for that"),
        ("y", ""),
        ("release-notes", "Another text about another thing"),
        ("release-train-planning", "Plan when trains leave"),
    ] {
        assert_eq!(
            similar(&catalogue, name, description),
            Vec::<String>::new(),
            "{name}"
        );
    }
}

#[test]
fn at_most_five_are_named() {
    let catalogue: Vec<_> = (0..20)
        .map(|n| entry(&format!("same-{n:02}"), ""))
        .collect();
    let found = similar(&catalogue, "same", "");
    assert_eq!(
        found,
        ["same-00", "same-01", "same-02", "same-03", "same-04"]
    );
}

/// The time is told, not judged: `cargo test --lib ten_thousand -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn ten_thousand_skills() {
    let world = World::new();
    for number in 0..10_000 {
        let name = format!("skill-{number:05}");
        let text = marked(&name) + &"A line of the body.\n".repeat(150);
        world.file(&format!("{name}/SKILL.md"), text);
    }
    let home = world.home();
    let start = std::time::Instant::now();
    let names = Names::load(&home).unwrap();
    println!("names {:?}", start.elapsed());
    assert_eq!(names.collisions("skill-09999").len(), 1);
    let start = std::time::Instant::now();
    let listed = catalogue(&home).unwrap();
    println!("catalogue of {} {:?}", listed.len(), start.elapsed());
    let start = std::time::Instant::now();
    assert_eq!(owner(&home, "skill-05000").unwrap(), Owner::Agent);
    println!("owner {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let owners = Owners::load(&home).unwrap();
    for number in 0..10_000 {
        let name = format!("skill-{number:05}");
        assert_eq!(owners.owner(&home, &name).unwrap(), Owner::Agent);
    }
    println!("10,000 owners {:?}", start.elapsed());
}
