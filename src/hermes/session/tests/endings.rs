use super::World;
use crate::hermes::session::Ending;

fn answered(world: &World, finish: Option<&str>) {
    let message = world.says("s", "assistant", "x");
    let sql = "UPDATE messages SET finish_reason = ?1 WHERE id = ?2";
    world
        .hermes
        .execute(sql, rusqlite::params![finish, message])
        .unwrap();
}

fn finish(world: &World) -> Option<String> {
    world.sessions().ending("s").unwrap().unwrap().finish
}

#[test]
fn a_session_ends_as_its_last_live_answer_does() {
    let world = World::new();
    world.session("s", "tool", 1.0).session("other", "cli", 2.0);
    assert_eq!(finish(&world), None, "it never answered");
    answered(&world, Some("tool_calls"));
    answered(&world, Some("stop"));
    world.says("s", "tool", "x");
    assert_eq!(finish(&world).as_deref(), Some("stop"));
    answered(&world, None);
    assert_eq!(finish(&world), None, "the last one says nothing");
    let last = "UPDATE messages SET active = 0 WHERE id = (SELECT max(id) FROM messages)";
    world.hermes.execute(last, []).unwrap();
    assert_eq!(finish(&world).as_deref(), Some("stop"));
    assert_eq!(world.sessions().ending("none").unwrap(), None);
    let other = world.sessions().ending("other").unwrap();
    assert_eq!(other, Some(Ending::default()));
}

#[test]
fn what_a_database_does_not_have_is_not_said() {
    let world = World::new();
    world.session("s", "tool", 1.0);
    let columns = "UPDATE sessions SET model = 'm'; \
                   ALTER TABLE sessions ADD COLUMN billing_provider; \
                   ALTER TABLE sessions ADD COLUMN input_tokens; \
                   UPDATE sessions SET billing_provider = '', input_tokens = 7;";
    world.hermes.execute_batch(columns).unwrap();
    let ending = world.sessions().ending("s").unwrap().unwrap();
    assert_eq!(ending.model.as_deref(), Some("m"));
    assert_eq!((ending.provider, ending.input_tokens), (None, Some(7)));
    assert_eq!(ending.output_tokens, None);
    let less = "ALTER TABLE messages DROP COLUMN finish_reason; \
                ALTER TABLE sessions DROP COLUMN model;";
    world.hermes.execute_batch(less).unwrap();
    let ending = world.sessions().ending("s").unwrap().unwrap();
    assert_eq!((ending.model, ending.finish), (None, None));
}
