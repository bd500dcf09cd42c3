use std::os::unix::fs::symlink;

use super::super::{Names, Owner, Owners, catalogue, collisions};
use super::World;
use crate::error::Code;

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
        Owners::load(&world.home()).unwrap_err().code(),
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
