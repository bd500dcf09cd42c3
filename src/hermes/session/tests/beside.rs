//! What lies beside the database, before and after.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

use super::super::{FILE, Sessions};
use super::{World, listing};

fn names(home: &Path) -> Vec<String> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    listing(home).iter().map(|(path, _)| name(path)).collect()
}

/// Everything that reads, and that it finds what was written.
fn read_all(home: &Path) {
    let sessions = Sessions::open(home).unwrap().unwrap();
    assert_eq!(sessions.latest(&|_| false).unwrap().0.unwrap().id, "s");
    assert_eq!(sessions.get("s").unwrap().unwrap().messages, 1);
    assert_eq!(sessions.tail("s", 100).unwrap()[0].text, "hello");
    assert_eq!(sessions.consulted("s").unwrap(), []);
}

fn filled(world: World) -> World {
    world.session("s", "cli", 1.0);
    world.says("s", "user", "hello");
    world
}

/// The files of a home as a killed process leaves them.
fn killed(world: &World, suffixes: &[&str]) -> TempDir {
    let home = TempDir::new().unwrap();
    for suffix in suffixes {
        let name = format!("{FILE}{suffix}");
        fs_err::copy(world.home().join(&name), home.path().join(&name)).unwrap();
    }
    home
}

#[test]
fn an_idle_database_in_either_mode_is_left_byte_for_byte() {
    for world in [World::new(), World::wal()] {
        let World { held, hermes } = filled(world);
        hermes.close().unwrap();
        let before = listing(held.path());
        assert_eq!(names(held.path()), [FILE]);
        read_all(held.path());
        assert_eq!(listing(held.path()), before);
    }
}

#[test]
fn a_database_in_use_is_read_with_what_is_only_in_its_log() {
    let world = filled(World::wal());
    let before = listing(world.home());
    assert_eq!(before.len(), 3);
    read_all(world.home());
    assert_eq!(
        names(world.home()),
        ["state.db", "state.db-shm", "state.db-wal"]
    );
    let content = |index: usize| listing(world.home())[index].1.clone();
    assert_eq!(
        (content(0), content(2)),
        (before[0].1.clone(), before[2].1.clone())
    );
    // And Hermes goes on as if nobody had been there.
    world.says("s", "user", "and more");
    assert_eq!(world.texts("s", 100), ["hello", "and more"]);
}

#[test]
fn what_a_killed_process_left_is_read_and_left() {
    let world = filled(World::wal());
    let home = killed(&world, &["", "-wal"]);
    let before = listing(home.path());
    read_all(home.path());
    assert_eq!(listing(home.path()), before);

    let home = killed(&world, &["", "-wal", "-shm"]);
    let before = listing(home.path());
    read_all(home.path());
    let after = listing(home.path());
    assert_eq!(
        names(home.path()),
        ["state.db", "state.db-shm", "state.db-wal"]
    );
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
}

#[test]
fn an_index_without_a_log_is_left_alone() {
    let World { held, hermes } = filled(World::wal());
    hermes.close().unwrap();
    fs_err::write(held.path().join("state.db-shm"), [0; 32768]).unwrap();
    let before = listing(held.path());
    read_all(held.path());
    assert_eq!(listing(held.path()), before);
}

#[test]
fn an_empty_database_keeps_its_log() {
    let home = TempDir::new().unwrap();
    for name in ["state.db", "state.db-wal"] {
        fs_err::write(home.path().join(name), "").unwrap();
    }
    assert!(Sessions::open(home.path()).unwrap().is_none());
    assert_eq!(names(home.path()), ["state.db", "state.db-wal"]);
}

#[test]
fn a_write_that_was_cut_off_is_not_rolled_back_by_us() {
    let world = filled(World::new());
    world.hermes.pragma_update(None, "cache_size", 1).unwrap();
    let big = "BEGIN IMMEDIATE; \
               UPDATE messages SET content = 'changed'; \
               INSERT INTO messages (session_id, role, content, timestamp) \
               SELECT 's', 'user', hex(zeroblob(50000)), 1 FROM messages; \
               INSERT INTO messages (session_id, role, content, timestamp) \
               SELECT 's', 'user', hex(zeroblob(50000)), 1 FROM messages;";
    world.hermes.execute_batch(big).unwrap();
    let home = killed(&world, &["", "-journal"]);
    let before = listing(home.path());
    let error = Sessions::open(home.path()).unwrap_err();
    assert!(error.message().contains("session database"), "{error}");
    assert_eq!(listing(home.path()), before);
}

#[test]
fn a_directory_that_nobody_may_write_to_is_enough() {
    let world = filled(World::wal());
    for suffixes in [&["", "-wal"][..], &["", "-wal", "-shm"]] {
        let home = killed(&world, suffixes);
        for name in names(home.path()) {
            let mode = std::fs::Permissions::from_mode(0o444);
            fs_err::set_permissions(home.path().join(name), mode).unwrap();
        }
        fs_err::set_permissions(home.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
        let before = names(home.path());
        read_all(home.path());
        assert_eq!(names(home.path()), before);
        fs_err::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn a_path_with_the_marks_of_a_uri_is_a_path() {
    let held = TempDir::new().unwrap();
    for name in [&b"a?mode=rwc&x=%41#y b"[..], b"%2e%2e", b"caf\xc3\xa9 \xff"] {
        let home = held.path().join(OsStr::from_bytes(name));
        if fs_err::create_dir(&home).is_err() {
            continue; // macOS takes no name that is no UTF-8
        }
        let World { held, hermes } = filled(World::new());
        hermes.close().unwrap();
        fs_err::copy(held.path().join(FILE), home.join(FILE)).unwrap();
        read_all(&home);
        assert_eq!(names(&home), [FILE]);
    }
    assert!(fs_err::read_dir(held.path()).unwrap().count() >= 2);
}

/// Reads while a writer commits pairs of rows, folds its log, closes and opens again; each time
/// both rows of a pair are there or none.
fn read_beside_a_writer(home: &Path, rounds: u64) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let row = "INSERT INTO messages (session_id, role, content, timestamp) \
                       VALUES ('s', 'user', 'a', 1);";
            for round in 0..rounds {
                let hermes = Connection::open(home.join(FILE)).unwrap();
                hermes.busy_timeout(Duration::from_secs(60)).unwrap();
                hermes.pragma_update(None, "synchronous", "off").unwrap();
                let pair = format!("BEGIN IMMEDIATE; {row} {row} COMMIT;");
                hermes.execute_batch(&pair).unwrap();
                if round % 7 == 0 {
                    let fold = "PRAGMA wal_checkpoint(TRUNCATE)";
                    hermes.query_row(fold, [], |_| Ok(())).unwrap();
                }
            }
            done.store(true, Ordering::SeqCst);
        });
        let mut last = 0;
        while !done.load(Ordering::SeqCst) {
            let sessions = Sessions::open(home).unwrap().unwrap();
            let count = sessions.get("s").unwrap().unwrap().messages;
            assert!(
                count.is_multiple_of(2) && count >= last,
                "{last}, then {count}"
            );
            last = count;
        }
    });
    let sessions = Sessions::open(home).unwrap().unwrap();
    let count = sessions.get("s").unwrap().unwrap().messages;
    assert_eq!(count, 2 * rounds);
}

#[test]
fn a_reader_beside_hermes_never_sees_half_of_anything() {
    let world = World::wal();
    world.session("s", "cli", 1.0);
    read_beside_a_writer(world.home(), 300);
}

#[test]
fn nor_does_it_while_the_log_comes_and_goes() {
    let World { held, hermes } = World::wal();
    let session = "INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)";
    hermes.execute(session, []).unwrap();
    hermes.close().unwrap();
    read_beside_a_writer(held.path(), 300);
}
