//! Many at once on one home: nothing is lost, one wins, readers see whole states only.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::support::{Ran, Sandbox, create, marked, patch};

const PROCESSES: usize = 8;
const EACH: usize = 50;

/// Runs readers until the writers are done, and gives how often each read.
fn beside_readers(
    sandbox: &Sandbox,
    read: impl Fn(&Sandbox) + Sync,
    write: impl Fn(usize) + Sync,
) -> u64 {
    let done = AtomicBool::new(false);
    let reads = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                read(sandbox);
                reads.fetch_add(1, Ordering::SeqCst);
            }
        });
        let write = &write;
        let writers: Vec<_> = (0..PROCESSES)
            .map(|number| scope.spawn(move || write(number)))
            .collect();
        let ends: Vec<_> = writers
            .into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect();
        done.store(true, Ordering::SeqCst);
        for end in ends {
            end.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        reader
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    reads.into_inner()
}

fn patiently(sandbox: &Sandbox, args: &[&str], stdin: &str) -> Ran {
    let mut command = sandbox.command();
    command
        .arg("skill-loop")
        .args(args)
        .args(["--lock-timeout", "120"]);
    sandbox.ran(command.write_stdin(stdin))
}

fn whole(sandbox: &Sandbox) {
    let verify = sandbox.sl(&["verify", "--json"]).ok().json();
    assert_eq!(verify["ok"], true, "{verify:#}");
    sandbox.sl(&["list", "--all", "--json"]).ok();
    sandbox.sl(&["log", "--json"]).ok();
}

#[test]
fn eight_times_fifty_proposals_and_none_is_lost() {
    let sandbox = Sandbox::in_memory();
    beside_readers(&sandbox, whole, |number| {
        for one in 0..EACH {
            let document = create(&format!("skill-{number}-{one}"), "Text.\n").to_string();
            patiently(&sandbox, &["propose", "-"], &document).ok();
        }
    });
    let list = sandbox.json(&["list"]);
    let items = list["proposals"].as_array().unwrap();
    let skills: BTreeSet<&str> = items
        .iter()
        .map(|item| item["skill"].as_str().unwrap())
        .collect();
    assert_eq!(
        (items.len(), skills.len()),
        (PROCESSES * EACH, PROCESSES * EACH)
    );
    sandbox.holds();
}

#[test]
fn eight_at_once_decide_one_after_the_other() {
    let sandbox = Sandbox::in_memory();
    let reads = beside_readers(&sandbox, whole, |number| {
        for one in 0..5 {
            let skill = format!("skill-{number}-{one}");
            let document = create(&skill, "Text.\n").to_string();
            let ran = patiently(&sandbox, &["propose", "-", "--json"], &document).ok();
            let id = ran.json()["proposals"][0]["id"]
                .as_str()
                .unwrap()
                .to_owned();
            patiently(&sandbox, &["apply", &id], "").ok();
            let path = sandbox.skill_path(&skill).join("SKILL.md");
            assert_eq!(
                fs_err::read_to_string(path).unwrap(),
                marked(&skill, "Text.\n")
            );
        }
    });
    let kinds = sandbox.kinds();
    let count = |kind| kinds.iter().filter(|one| *one == kind).count();
    assert_eq!(count("skill.approve"), PROCESSES * 5);
    assert_eq!(count("skill.apply"), PROCESSES * 5);
    assert!(reads > 0);
    sandbox.holds();
}

#[test]
fn eight_at_once_on_one_id_leave_one_receipt() {
    for _ in 0..5 {
        let sandbox = Sandbox::in_memory();
        let path = sandbox.skill("release-notes", "one\n");
        let id = sandbox.propose(&patch("release-notes", "one", "1"));
        let already = AtomicU64::new(0);
        let either = [
            marked("release-notes", "one\n"),
            marked("release-notes", "1\n"),
        ];
        let read = |sandbox: &Sandbox| {
            let text = fs_err::read_to_string(&path).unwrap();
            assert!(either.contains(&text), "{text}");
            let state = sandbox.item(&id)["state"].clone();
            assert!(
                ["pending", "interrupted", "applied"]
                    .map(|s| state == s)
                    .contains(&true)
            );
        };
        beside_readers(&sandbox, read, |_| {
            let ran = patiently(&sandbox, &["apply", &id], "").ok();
            already.fetch_add(
                u64::from(ran.stdout.contains("already applied")),
                Ordering::SeqCst,
            );
        });
        assert_eq!(already.into_inner(), PROCESSES as u64 - 1);
        let kinds = sandbox.kinds();
        assert_eq!(kinds, ["skill.approve", "skill.apply"]);
        assert_eq!(fs_err::read_to_string(&path).unwrap(), either[1]);
        sandbox.holds();
    }
}
