//! Many children at once, in a process of their own, so that threads, zombies and memory can be
//! counted.

use std::process::Command;
use std::time::{Duration, Instant};

use lithermes::process::{Cancel, Descendants, Finished, Job, run};

use crate::support::place::{LONG, Place, SHORT, SLACK};

const SAY: &str = "LITHERMES_TEST_SAYS ";

/// What a process of this name says of itself, as numbers by name.
fn said_by(test: &str) -> Vec<(String, u64)> {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        out.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let lines = text.lines().filter_map(|line| line.split_once(SAY));
    let number = |line: &str| {
        let (name, number) = line.split_once(' ').unwrap();
        (name.to_owned(), number.parse().unwrap())
    };
    lines.map(|(_, line)| number(line)).collect()
}

fn of(said: &[(String, u64)], name: &str) -> u64 {
    said.iter()
        .find(|(one, _)| one == name)
        .unwrap_or_else(|| panic!("{name} in {said:?}"))
        .1
}

#[expect(clippy::print_stdout, reason = "how another process hears it")]
fn say(name: &str, number: u64) {
    println!("\n{SAY}{name} {number}");
}

/// A number of `/proc/self/status`.
fn status(name: &str) -> u64 {
    let text = fs_err::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Children of this process, zombies too.
fn children() -> usize {
    let tasks = fs_err::read_dir("/proc/self/task").unwrap();
    let lists =
        tasks.map(|task| fs_err::read_to_string(task.unwrap().path().join("children")).unwrap());
    lists.map(|list| list.split_whitespace().count()).sum()
}

fn files() -> usize {
    fs_err::read_dir("/proc/self/fd").unwrap().count()
}

fn at_once(jobs: &[Job]) -> Vec<Finished> {
    let cancel = Cancel::new().unwrap();
    std::thread::scope(|scope| {
        let running: Vec<_> = jobs
            .iter()
            .map(|job| scope.spawn(|| run(job, &cancel)))
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
#[ignore = "the root of another test"]
fn a_root_with_sixty_four_children() {
    let place = Place::new();
    let kinds = [
        ("cat; exit 7", LONG, "exit"),
        (
            "trap '' TERM; while :; do sleep 100; done",
            SHORT * 10,
            "timeout",
        ),
        ("exec cat /dev/zero", LONG, "output"),
        ("setsid sleep 100000 & kill -KILL $$", LONG, "signal"),
    ];
    let (threads, files_before) = (status("Threads:"), files());
    let mut jobs = Vec::new();
    for number in 0..64 {
        let (script, time, _) = kinds[number % kinds.len()];
        let mut job = place.sh(script, time);
        job.stdin = vec![b'x'; 50_000];
        jobs.push(job);
    }
    let begun = Instant::now();
    let all = at_once(&jobs);
    say("milliseconds", begun.elapsed().as_millis() as u64);
    for (number, finished) in all.iter().enumerate() {
        let (script, time, reason) = kinds[number % kinds.len()];
        assert_eq!(finished.ended.reason(), reason, "{script}: {finished:?}");
        assert_eq!(finished.descendants, Descendants::None, "{script}");
        assert!(
            finished.took < time + SLACK,
            "{script}: {:?}",
            finished.took
        );
        place.is_empty(finished);
    }
    say("children", children() as u64);
    say("threads", status("Threads:") - threads);
    say("files", (files() - files_before) as u64);
}

#[test]
fn sixty_four_at_once_are_all_accounted_for() {
    let said = said_by("process::crowd::a_root_with_sixty_four_children");
    assert_eq!(
        of(&said, "children"),
        0,
        "nobody is left, not even a zombie"
    );
    assert_eq!(of(&said, "threads"), 0, "no thread is left");
    assert_eq!(of(&said, "files"), 0, "no file is left open");
    assert!(of(&said, "milliseconds") > 0);
}

#[test]
#[ignore = "the root of another test"]
fn a_root_with_floods() {
    let place = Place::new();
    let small = place.sh(":", LONG);
    at_once(std::slice::from_ref(&small));
    let before = status("VmHWM:");
    let both = place.sh("cat /dev/zero >&2 & exec cat /dev/zero", LONG);
    let log = place.sh("exec cat /dev/zero >&2", Duration::from_secs(2));
    let all = at_once(&[both.clone(), both, log.clone(), log]);
    for finished in &all {
        place.is_empty(finished);
    }
    say("flooded", all.iter().map(|one| one.log.left_out()).sum());
    say("kilobytes", status("VmHWM:") - before);
}

/// Four children print for two seconds; what the root grows by is what it may keep.
#[test]
fn memory_is_bounded_whatever_a_child_prints() {
    let said = said_by("process::crowd::a_root_with_floods");
    assert!(of(&said, "flooded") > 100 << 20, "a flood of {said:?}");
    assert!(of(&said, "kilobytes") < 16 << 10, "{said:?}");
}
