//! Several at once: one wins, nothing is lost, and a held lock is said.

use serde_json::{Value, json};

use crate::support::{Sandbox, create, marked, patch, support_file};

const NAME: &str = "release-notes";

#[test]
fn s3_of_twenty_at_once_on_one_base_one_wins() {
    let sandbox = Sandbox::new();
    let path = sandbox.skill(NAME, "anchor\n");
    let documents: Vec<Value> = (0..20)
        .map(|n| patch(NAME, "anchor", &format!("text {n}")))
        .collect();
    let ids = sandbox.propose_all(&json!(documents));
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let runs: Vec<_> = ids
            .iter()
            .map(|id| scope.spawn(|| sandbox.sl(&["apply", id, "--lock-timeout", "60"]).status))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [&[0][..], &[4; 19]].concat());
    let winner = codes.iter().position(|code| *code == 0).unwrap();
    assert_eq!(
        fs_err::read_to_string(path).unwrap(),
        marked(NAME, &format!("text {winner}\n"))
    );
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
    sandbox.holds();
}

#[test]
fn case_15_two_at_once_on_one_id_apply_it_once() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let outcomes: Vec<Value> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| sandbox.json(&["apply", &id, "--lock-timeout", "60"])))
            .collect();
        runs.into_iter()
            .map(|run| run.join().unwrap()["results"][0]["outcome"].clone())
            .collect()
    });
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == "done")
            .count(),
        1,
        "{outcomes:?}"
    );
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == "already")
            .count(),
        5,
        "{outcomes:?}"
    );
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
}

#[test]
fn case_54_concurrent_writers_of_different_files_lose_nothing() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let documents: Vec<Value> = (0..12)
        .map(|n| support_file(NAME, &format!("references/{n}.md"), &format!("{n}\n")))
        .collect();
    let ids = sandbox.propose_all(&json!(documents));
    let sandbox = &sandbox;
    std::thread::scope(|scope| {
        for half in ids.chunks(6) {
            scope.spawn(move || {
                for id in half {
                    sandbox.sl(&["apply", id, "--lock-timeout", "60"]).ok();
                }
            });
        }
    });
    for n in 0..12 {
        assert_eq!(
            sandbox.skill_text(&format!("release-notes/references/{n}.md")),
            format!("{n}\n")
        );
    }
    assert_eq!(sandbox.kinds().len(), 24);
    sandbox.holds();
}

#[test]
fn c5_a_held_lock_is_busy_and_names_its_holder() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let file = fs_err::OpenOptions::new()
        .read(true)
        .write(true)
        .open(sandbox.home().join("lithermes/lock"))
        .unwrap();
    let file = file.into_parts().0;
    file.lock().unwrap();
    let ran = sandbox
        .sl(&["apply", &id, "--lock-timeout", "0"])
        .exits(5)
        .fails("LOCK_TIMEOUT");
    assert!(!sandbox.skill_path(NAME).exists(), "{}", ran.stderr);
    for verb in [["show", &id[..]], ["apply", &id]] {
        let more: &[&str] = if verb[0] == "apply" {
            &["--dry-run"]
        } else {
            &[]
        };
        sandbox.sl(&[&verb[..], more].concat()).ok();
    }
    for args in [["list"], ["log"], ["verify"]] {
        sandbox.sl(&args).ok();
    }
    file.unlock().unwrap();
    sandbox.sl(&["apply", &id, "--lock-timeout", "0"]).ok();
}
