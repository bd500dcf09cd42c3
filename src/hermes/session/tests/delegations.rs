use super::World;

/// A session that another one began.
fn begun(world: &World, id: &str, source: &str, parent: &str) {
    world.session(id, source, 1.0);
    let sql = "UPDATE sessions SET parent_session_id = ?1 WHERE id = ?2";
    world.hermes.execute(sql, [parent, id]).unwrap();
}

fn said(world: &World, session: &str, output: &str) -> Option<bool> {
    let delegated = world.sessions().delegated(session).unwrap();
    delegated.says(output.as_bytes())
}

#[test]
fn a_subagent_says_what_its_last_live_text_is() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    assert_eq!(said(&world, "s", "one"), None, "it has no subagent");
    begun(&world, "child", "subagent", "s");
    assert_eq!(said(&world, "s", "one"), None, "it said nothing yet");
    world.says("child", "assistant", "first");
    world.says("child", "assistant", "\none \n");
    world.says("child", "tool", "a result");
    world.says("child", "assistant", "");
    assert_eq!(said(&world, "s", " one\n"), Some(true));
    for other in ["first", "a result", "on e", "", "One"] {
        assert_eq!(said(&world, "s", other), Some(false), "{other}");
    }
    let delegated = world.sessions().delegated("s").unwrap();
    assert_eq!(delegated.says(b"one\xff"), Some(false));
    world.says("child", "assistant", "\0json:[{\"text\":\"two\"}]");
    assert_eq!(said(&world, "s", "two"), Some(true));
    let last = "UPDATE messages SET active = 0 WHERE id = (SELECT max(id) FROM messages)";
    world.hermes.execute(last, []).unwrap();
    assert_eq!(said(&world, "s", "one"), Some(true));
}

#[test]
fn a_subagent_is_asked_for_its_own_session_and_for_those_that_go_on_from_it() {
    let world = World::new();
    world.session("s", "cli", 1.0).session("other", "cli", 1.0);
    begun(&world, "child", "subagent", "s");
    world.says("child", "assistant", "one");
    begun(&world, "branch", "cli", "s");
    world.says("branch", "assistant", "a branch");
    assert_eq!(said(&world, "other", "one"), None);
    assert_eq!(said(&world, "unknown", "one"), None);
    assert_eq!(said(&world, "s", "a branch"), Some(false));
    // Either of the two was too long for its model, and was compressed into another one.
    begun(&world, "s again", "cli", "s");
    assert_eq!(said(&world, "s again", "one"), Some(true));
    begun(&world, "child again", "subagent", "child");
    world.says("child again", "assistant", "two");
    assert_eq!(said(&world, "s", "two"), Some(true));
    // A circle ends.
    let circle = "UPDATE sessions SET parent_session_id = 's again' WHERE id = 's'";
    world.hermes.execute(circle, []).unwrap();
    assert_eq!(said(&world, "s", "two"), Some(true));
}

#[test]
fn what_is_not_read_contradicts_nothing() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    begun(&world, "small", "subagent", "s");
    world.says("small", "assistant", "one");
    assert_eq!(said(&world, "s", "two"), Some(false));
    begun(&world, "large", "subagent", "s");
    world.says("large", "assistant", &"x".repeat((256 << 10) + 1));
    assert_eq!(said(&world, "s", "one"), Some(true));
    assert_eq!(said(&world, "s", "two"), None);
    world.says("large", "assistant", "short");
    assert_eq!(said(&world, "s", "two"), Some(false));
    for number in 0..999 {
        begun(&world, &format!("c{number}"), "subagent", "s");
    }
    assert_eq!(said(&world, "s", "two"), None);
    let column = "ALTER TABLE sessions DROP COLUMN parent_session_id";
    world.hermes.execute(column, []).unwrap();
    assert_eq!(said(&world, "s", "one"), None);
}
