//! The survey: the catalogue, with owner and digest.

use super::super::{Owner, Owners, Surveyed, catalogue, survey};
use super::World;
use crate::digest;

impl World {
    fn survey(&self) -> Vec<Surveyed> {
        let home = self.home();
        survey(&home, &Owners::load(&home).unwrap()).unwrap()
    }
}

#[test]
fn it_lists_what_the_catalogue_lists_with_the_owner_of_each() {
    let world = World::new();
    world.marked("a", "a").skill("b", "b").marked("cat/c", "c");
    world.marked("d", "d").skill("e", "a");
    world.file("f/SKILL.md", "no frontmatter\n");
    world.file(".usage.json", r#"{"d": {"pinned": true}}"#);
    fs_err::create_dir(world.path("elsewhere")).unwrap();
    fs_err::write(world.path("elsewhere/SKILL.md"), super::marked("g")).unwrap();
    world.link("g", "elsewhere");
    let surveyed = world.survey();
    let entries: Vec<_> = surveyed.iter().map(|one| one.entry.clone()).collect();
    assert_eq!(entries, catalogue(&world.home()).unwrap());
    for one in &surveyed {
        let entry = &one.entry;
        if entry.linked || entry.path.contains('/') {
            assert!(matches!(one.owner, Owner::Other(_)), "{one:?}");
        } else {
            assert_eq!(one.owner, world.owner(&entry.dir_name), "{one:?}");
        }
    }
    let agents = surveyed.iter().filter(|one| one.owner == Owner::Agent);
    let agents: Vec<_> = agents.map(|one| one.entry.path.as_str()).collect();
    assert_eq!(agents, ["a"]);
}

#[test]
fn the_digest_is_that_of_the_whole_file_and_none_is_read_behind_a_link() {
    let world = World::new();
    let long = format!("{}{}", super::marked("long"), "é".repeat(20_000));
    let even = format!("{}{}", super::marked("even"), "x".repeat(16_000));
    let even = &even[..16_000];
    world
        .file("long/SKILL.md", &long)
        .file("even/SKILL.md", even);
    world.marked("short", "short");
    world.link("linked/SKILL.md", "home/skills/short/SKILL.md");
    let digests: Vec<_> = world
        .survey()
        .into_iter()
        .map(|one| (one.entry.path, one.sha256))
        .collect();
    let of = |text: &str| Some(digest::sha256_hex(text.as_bytes()));
    let expected = [("even", of(even)), ("linked", None), ("long", of(&long))];
    for (path, sha256) in expected {
        assert!(
            digests.contains(&(path.to_owned(), sha256)),
            "{path}: {digests:?}"
        );
    }
}

#[test]
fn name_and_description_are_whole() {
    let world = World::new();
    let (name, description) = ("n".repeat(80), "d".repeat(2_000));
    let text = format!("---\nname: {name}\ndescription: {description}\n---\nb\n");
    world.file("a/SKILL.md", text);
    let one = &world.survey()[0];
    assert_eq!(one.uncut.name.as_deref(), Some(name.as_str()));
    assert_eq!(one.uncut.description.as_deref(), Some(description.as_str()));
    assert_eq!(
        (one.entry.name.len(), one.entry.description.len()),
        (64, 1_024)
    );
}
