use rusqlite::Connection;
use tempfile::TempDir;

use super::super::{FILE, Sessions};
use super::{OPTIONAL, World};
use crate::error::Code;

#[test]
fn every_optional_column_may_be_missing_alone_or_with_all_others() {
    let pairs = OPTIONAL
        .iter()
        .flat_map(|(table, columns)| columns.iter().map(move |c| (*table, *c)));
    let mut sets: Vec<Vec<(&str, &str)>> = pairs.clone().map(|pair| vec![pair]).collect();
    sets.push(pairs.collect());
    for missing in sets {
        let world = World::new();
        world.session("s", "cli", 1.0);
        world.says("s", "user", "hello");
        let indexes = "DROP INDEX idx_messages_session; DROP INDEX idx_messages_session_active;";
        world.hermes.execute_batch(indexes).unwrap();
        for (table, column) in &missing {
            let sql = format!("ALTER TABLE {table} DROP COLUMN {column}");
            world.hermes.execute(&sql, []).unwrap();
        }
        let sessions = world.sessions();
        assert_eq!(
            sessions.latest(&|_| false).unwrap().0.unwrap().messages,
            1,
            "{missing:?}"
        );
        assert_eq!(world.texts("s", 100), ["hello"], "{missing:?}");
        let calls = missing.contains(&("messages", "tool_calls"));
        assert_eq!(sessions.consulted("s").is_err(), calls, "{missing:?}");
    }
}

#[test]
fn rows_from_before_a_column_count_as_active() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let column = "ALTER TABLE messages DROP COLUMN compacted; \
                  DROP INDEX idx_messages_session_active; \
                  ALTER TABLE messages DROP COLUMN active; \
                  ALTER TABLE messages ADD COLUMN active INTEGER;";
    world.hermes.execute_batch(column).unwrap();
    world.says("s", "user", "old");
    assert_eq!(world.texts("s", 100), ["old"]);
    assert_eq!(
        world
            .sessions()
            .latest(&|_| false)
            .unwrap()
            .0
            .unwrap()
            .messages,
        1
    );
}

#[test]
fn what_is_needed_and_missing_is_named() {
    let cases = [
        ("", "the table `sessions`"),
        (
            "CREATE TABLE sessions (id, source, started_at)",
            "the table `messages`",
        ),
        (
            "CREATE TABLE sessions (id, started_at); CREATE TABLE messages (id)",
            "the column `sessions.source`",
        ),
        (
            "CREATE TABLE sessions (id, source, started_at); \
             CREATE TABLE messages (id, session_id, role)",
            "the column `messages.content`",
        ),
    ];
    for (tables, named) in cases {
        let home = TempDir::new().unwrap();
        let hermes = Connection::open(home.path().join(FILE)).unwrap();
        hermes.execute_batch("CREATE TABLE something (x)").unwrap();
        hermes.execute_batch(tables).unwrap();
        let error = Sessions::open(home.path()).unwrap_err();
        assert_eq!(error.code(), Code::SessionsUnreadable);
        assert!(error.message().contains(named), "{error}");
        assert!(error.expectation().is_some() && !error.hints().is_empty());
    }
}

#[test]
fn a_file_that_is_no_database_is_told_apart_from_none() {
    let home = TempDir::new().unwrap();
    assert!(Sessions::open(home.path()).unwrap().is_none());
    assert!(
        Sessions::open(&home.path().join("nowhere"))
            .unwrap()
            .is_none()
    );
    let path = home.path().join(FILE);
    fs_err::write(&path, "").unwrap();
    assert!(
        Sessions::open(home.path()).unwrap().is_none(),
        "made, and nothing in it yet"
    );
    fs_err::write(&path, "x".repeat(5000)).unwrap();
    let error = Sessions::open(home.path()).unwrap_err();
    assert_eq!(error.code(), Code::SessionsUnreadable);
    assert!(error.message().contains("is no database"), "{error}");
}

#[test]
fn a_link_is_not_followed_and_a_directory_is_no_database() {
    let world = World::new();
    let home = TempDir::new().unwrap();
    std::os::unix::fs::symlink(world.home().join(FILE), home.path().join(FILE)).unwrap();
    let error = Sessions::open(home.path()).unwrap_err();
    assert_eq!(error.code(), Code::UnsafePath);
    fs_err::remove_file(home.path().join(FILE)).unwrap();
    fs_err::create_dir(home.path().join(FILE)).unwrap();
    let error = Sessions::open(home.path()).unwrap_err();
    assert_eq!(error.code(), Code::UnsafePath);
}

#[test]
fn a_schema_that_never_ends_is_given_up() {
    let home = TempDir::new().unwrap();
    let hermes = Connection::open(home.path().join(FILE)).unwrap();
    let endless = "
        CREATE VIEW sessions AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i AS id, 'cli' AS source, i AS started_at, i AS rowid FROM n;
        CREATE TABLE messages (id, session_id, role, content);";
    hermes.execute_batch(endless).unwrap();
    let sessions = Sessions::open(home.path()).unwrap().unwrap();
    let error = sessions.get("x").unwrap_err();
    assert_eq!(error.code(), Code::SessionsUnreadable);
    assert!(error.message().contains("too long"), "{error}");
}
