//! The ways in which a child ends.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;

use lithermes::process::{Ended, Status};

use crate::support::place::{LONG, Place, SHORT};

#[test]
fn a_child_that_does_its_work() {
    let place = Place::new();
    let mut job = place.sh("cat; echo said >&2; exit 3", LONG);
    job.stdin = b"heard".to_vec();
    let finished = place.run(&job);
    assert_eq!(finished.ended, Ended::Exited(3));
    assert_eq!(finished.status, Some(Status::Exited(3)));
    assert_eq!(finished.stdout, b"heard");
    assert_eq!(finished.log.text(), "said\n");
    assert!(!finished.outlived);
}

#[test]
fn an_empty_answer_is_an_exit() {
    let place = Place::new();
    let finished = place.run(&place.sh(":", LONG));
    assert_eq!(finished.ended, Ended::Exited(0));
    assert_eq!(
        (finished.stdout.len(), finished.log.text()),
        (0, String::new())
    );
}

#[test]
fn a_signal_that_is_not_ours_is_named() {
    let place = Place::new();
    for (name, number) in [("TERM", 15), ("KILL", 9), ("SEGV", 11)] {
        let finished = place.run(&place.sh(&format!("echo last; kill -{name} $$"), LONG));
        assert_eq!(finished.ended, Ended::Signalled(number));
        assert_eq!(finished.stdout, b"last\n");
    }
}

#[test]
fn what_cannot_be_started_says_why() {
    let place = Place::new();
    let plain = place.path("plain");
    fs_err::write(&plain, "#!/bin/sh\n").unwrap();
    let orphan = place.path("orphan");
    fs_err::write(&orphan, "#!/no/such/shell\n").unwrap();
    fs_err::set_permissions(&orphan, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (program, why) in [
        ("/no/such/program", "No such file"),
        ("no-such-program-in-the-path", "No such file"),
        ("./relative", "No such file"),
        (plain.to_str().unwrap(), "Permission denied"),
        (orphan.to_str().unwrap(), "No such file"),
        ("/", "Permission denied"),
        ("nul\0nul", "nul byte"),
    ] {
        let finished = place.run(&place.job(&[program], LONG));
        let Ended::NotStarted(said) = &finished.ended else {
            panic!("{program}: {finished:?}");
        };
        assert!(said.contains(why), "{program}: {said}");
        assert_eq!(finished.ended.reason(), "not_started");
    }
}

#[test]
fn a_command_without_a_program_or_beyond_the_systems_limit_is_not_started() {
    let place = Place::new();
    let mut job = place.job(&[], LONG);
    assert_eq!(place.run(&job).ended.reason(), "not_started");
    job.argv = vec![
        OsString::from("/bin/echo"),
        OsString::from("x".repeat(4 << 20)),
    ];
    assert_eq!(place.run(&job).ended.reason(), "not_started");
}

#[test]
fn a_child_that_sleeps_for_ever_is_ended_at_its_deadline() {
    let place = Place::new();
    let finished = place.run(&place.sh("echo begun; exec sleep 100000", SHORT));
    assert_eq!(finished.ended, Ended::Deadline);
    assert_eq!(finished.status, Some(Status::Signalled(15)), "asked first");
    assert_eq!(finished.stdout, b"begun\n");
    assert!(finished.took >= SHORT);
}

#[test]
fn a_child_that_does_not_listen_is_killed() {
    let place = Place::new();
    let finished = place.run(&place.sh("trap '' TERM; while :; do sleep 100000; done", SHORT));
    assert_eq!(finished.ended, Ended::Deadline);
    assert_eq!(finished.status, Some(Status::Signalled(9)));
}

#[test]
fn a_child_that_is_asked_to_end_may_still_say_so() {
    let place = Place::new();
    let script = "trap 'echo bye; exit 4' TERM; sleep 100000 & wait";
    let finished = place.run(&place.sh(script, SHORT));
    assert_eq!(finished.ended, Ended::Deadline);
    assert_eq!(finished.status, Some(Status::Exited(4)));
    assert_eq!(finished.stdout, b"bye\n");
}

#[test]
fn a_child_that_closes_its_output_and_lives_is_waited_for() {
    let place = Place::new();
    let finished = place.run(&place.sh("exec >&- 2>&-; exec sleep 100000", SHORT));
    assert_eq!(finished.ended, Ended::Deadline);
    let finished = place.run(&place.sh("exec >&- 2>&-; sleep 0.1; exit 5", LONG));
    assert_eq!(finished.ended, Ended::Exited(5));
}

#[test]
fn a_child_that_stops_itself_is_ended() {
    let place = Place::new();
    let finished = place.run(&place.sh("kill -STOP $$", SHORT));
    assert_eq!(finished.ended, Ended::Deadline);
}

#[test]
fn a_time_of_nothing_is_over_at_once() {
    let place = Place::new();
    let finished = place.run(&place.sh("exec sleep 100000", std::time::Duration::ZERO));
    assert_eq!(finished.ended, Ended::Deadline);
}

#[test]
fn a_time_without_end_is_no_trouble() {
    let place = Place::new();
    let mut job = place.sh("echo here", LONG);
    job.time = std::time::Duration::MAX;
    let finished = lithermes::process::run(&job, &lithermes::process::Cancel::new().unwrap());
    assert_eq!(finished.ended, Ended::Exited(0));
    place.is_empty(&finished);
}

#[test]
fn a_large_charter_that_nobody_reads_blocks_nobody() {
    let place = Place::new();
    for size in [96 << 10, 4 << 20] {
        let mut job = place.sh("echo deaf", LONG);
        job.stdin = vec![b'x'; size];
        let finished = place.run(&job);
        assert_eq!(finished.ended, Ended::Exited(0));
        assert_eq!(finished.stdout, b"deaf\n");
        // And one that prints before it reads, more than a pipe holds.
        let mut job = place.sh("head -c 300000 /dev/zero; cat", LONG);
        job.stdin = vec![b'x'; size];
        job.stdout_limit = 300_000 + size;
        let finished = place.run(&job);
        assert_eq!(finished.stdout.len(), 300_000 + size);
        assert!(finished.stdout[300_000..] == job.stdin);
    }
}

#[test]
fn a_child_knows_only_what_it_may_and_begins_in_an_empty_folder_of_its_own() {
    let place = Place::new();
    let mut job = place.sh("ls -A; pwd; env", LONG);
    for name in ["HERMES_SESSION_ID", "HERMES_YOLO_MODE", "LITHERMES_CHILD"] {
        job.environment.insert(name.into(), "from outside".into());
    }
    let finished = place.run(&job);
    let said = String::from_utf8(finished.stdout).unwrap();
    let mut lines = said.lines();
    let folder = lines.next().unwrap();
    assert!(
        folder.starts_with(place.path("tmp").to_str().unwrap()),
        "{said}"
    );
    let mut names: Vec<&str> = lines.map(|line| line.split('=').next().unwrap()).collect();
    names.sort_unstable();
    let usual = [
        "HERE",
        "HERMES_HOME",
        "HOME",
        "LANG",
        "LITHERMES_CHILD",
        "LITHERMES_TEST_MARK",
        "PATH",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "TERM",
        "TMPDIR",
        "_",
    ];
    for name in &names {
        let may = usual.contains(name)
            || name.starts_with("LC_")
            || name.ends_with("_proxy")
            || name.starts_with("SSL_CERT_");
        assert!(may, "{name} in {said}");
    }
    assert!(names.contains(&"LITHERMES_CHILD"));
    assert!(!said.contains("from outside"), "{said}");
}

#[test]
fn a_child_leads_its_own_group_and_has_no_terminal() {
    let place = Place::new();
    let script = "cut -d' ' -f5-7 /proc/self/stat; echo $$; (: </dev/tty) 2>/dev/null || echo none";
    let finished = place.run(&place.sh(script, LONG));
    let said = String::from_utf8(finished.stdout).unwrap();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [group, session, terminal, leader, tty] = words[..] else {
        panic!("{said}");
    };
    assert_eq!((group, terminal, tty), (leader, "0", "none"));
    // Not by `getsid`: where a container's session began outside of it, that is 0.
    let ours = fs_err::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = ours.rsplit_once(')').unwrap();
    assert_ne!(Some(session), fields.split_whitespace().nth(3));
}
