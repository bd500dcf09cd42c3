use super::super::fingerprint::{Bounds, within};
use super::super::{Fingerprint, fingerprint};
use super::World;

fn of(world: &World) -> Fingerprint {
    fingerprint(&world.home(), "x").unwrap().unwrap()
}

#[test]
fn whatever_changes_in_the_directory_changes_the_fingerprint() {
    let world = World::new();
    assert_eq!(fingerprint(&world.home(), "x").unwrap(), None);
    world.skill("x", "x").file("x/deep/notes.md", "one");
    let before = of(&world);
    assert!(!before.partial);
    assert_eq!(of(&world), before);
    world.file("x/deep/notes.md", "two");
    let changed = of(&world);
    assert!(!changed.partial && changed.sha256 != before.sha256);
    world.link("x/link", "outside");
    assert_ne!(of(&world).sha256, changed.sha256);
}

#[test]
fn what_is_beyond_a_bound_makes_it_partial() {
    let large = World::new();
    large.skill("x", "x").file("x/large", "");
    let file = fs_err::OpenOptions::new()
        .write(true)
        .open(large.path("home/skills/x/large"));
    file.unwrap().set_len((64 << 20) + 1).unwrap();
    assert!(of(&large).partial);
    let deep = World::new();
    deep.skill("x", "x")
        .file(&format!("x/{}notes.md", "d/".repeat(42)), "");
    assert!(of(&deep).partial);

    // The bound of entries is one for the whole, not one for each directory.
    let many = World::new();
    many.skill("x", "x").file("x/a/1", "").file("x/b/2", "");
    for (entries, partial) in [(5, false), (4, true), (2, true)] {
        let bounds = Bounds {
            entries,
            bytes: 1000,
        };
        let found = within(bounds, &many.home(), "x").unwrap().unwrap();
        assert_eq!(found.partial, partial, "{entries}");
    }
}

#[test]
fn what_cannot_be_named_makes_it_partial() {
    use std::os::unix::ffi::OsStrExt as _;
    let world = World::new();
    world.skill("x", "x");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    if fs_err::write(world.path("home/skills/x").join(name), "").is_err() {
        return; // macOS takes no name that is no UTF-8
    }
    assert!(of(&world).partial);
}
