//! Many processes on one home.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::support::{Ended, Sandbox, create, marked, patch};

const WRITERS: usize = 8;
const EACH: usize = 50;

#[test]
fn eight_writers_of_fifty_proposals_lose_nothing_and_readers_see_no_torn_state() {
    let sandbox = Sandbox::new();
    let ids: Vec<Vec<String>> = (0..WRITERS)
        .map(|writer| proposals(&sandbox, writer))
        .collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = ids
            .iter()
            .map(|ids| scope.spawn(|| apply_all(&sandbox, ids)))
            .collect();
        let reader = scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                for args in [
                    &["list", "--all", "--json"][..],
                    &["log", "--limit", "5", "--json"],
                    &["verify", "--json"],
                ] {
                    sandbox.sl(args).ok().json();
                }
            }
        });
        let ended = Ended(&done);
        for writer in writers {
            writer.join().unwrap();
        }
        drop(ended);
        reader.join().unwrap();
    });
    let log = sandbox.json(&["log", "--kind", "skill.apply"]);
    assert_eq!(log["entries"].as_array().unwrap().len(), WRITERS * EACH);
    let list = sandbox.json(&["list", "--state", "applied"]);
    assert_eq!(list["proposals"].as_array().unwrap().len(), WRITERS * EACH);
    sandbox.holds();
}

fn proposals(sandbox: &Sandbox, writer: usize) -> Vec<String> {
    let documents: Vec<Value> = (0..EACH)
        .map(|number| {
            let name = format!("skill-{writer}-{number}");
            sandbox.skill(&name, "old\n");
            patch(&name, "old", "new")
        })
        .collect();
    sandbox.propose_all(&json!(documents))
}

fn apply_all(sandbox: &Sandbox, ids: &[String]) {
    let mut args = vec!["apply", "--lock-timeout", "300"];
    args.extend(ids.iter().map(String::as_str));
    sandbox.sl(&args).ok();
}

#[test]
fn eight_at_once_on_one_id_give_one_receipt_and_the_others_say_already_applied() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create("demo", "text\n"));
    let outputs: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..WRITERS)
            .map(|_| {
                scope.spawn(|| {
                    sandbox
                        .sl(&["apply", &id, "--lock-timeout", "300"])
                        .ok()
                        .stdout
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let won = outputs
        .iter()
        .filter(|text| text.starts_with("Applied"))
        .count();
    let late = outputs
        .iter()
        .filter(|text| text.contains("already applied"))
        .count();
    assert_eq!((won, late), (1, WRITERS - 1), "{outputs:#?}");
    let log = sandbox.json(&["log", "--kind", "skill.apply"]);
    assert_eq!(log["entries"].as_array().unwrap().len(), 1);
    sandbox.holds();
}

/// Who comes late finds the file changed and the proposal decided: never one without the other.
#[test]
fn eight_at_once_on_one_patch_never_call_it_stale() {
    for _ in 0..5 {
        let sandbox = Sandbox::in_memory();
        sandbox.skill("demo", "one\n");
        let id = sandbox.propose(&patch("demo", "one", "1"));
        std::thread::scope(|scope| {
            let apply = || sandbox.sl(&["apply", &id, "--lock-timeout", "300"]).ok();
            let running: Vec<_> = (0..WRITERS).map(|_| scope.spawn(apply)).collect();
            for one in running {
                drop(one.join().unwrap());
            }
        });
        assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
        assert_eq!(sandbox.skill_text("demo/SKILL.md"), marked("demo", "1\n"));
        sandbox.holds();
    }
}
