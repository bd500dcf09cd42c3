//! An append that is killed, fails, or is meddled with at every step; and many at once.

use std::path::Path;

use serde_json::{Value, json};

use crate::observe::flags;
use crate::support::{Ran, Sandbox, Saved, Tree, differences, paused};

const WRITERS: usize = 8;
const EACH: usize = 50;

fn observe(observed: &str) -> Vec<String> {
    flags("correction", Some("release-notes"), observed)
}

/// What is there before the append.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    /// `.hermes/`, of somebody else.
    Hidden,
    Line,
    TornLine,
}

const ALL: [Before; 4] = [
    Before::Nothing,
    Before::Hidden,
    Before::Line,
    Before::TornLine,
];

struct Stage {
    sandbox: Sandbox,
    saved: Saved,
    /// The lines that must never go.
    old: String,
    /// The line that the append adds.
    new: String,
    steps: Vec<String>,
}

impl Stage {
    fn new(before: Before) -> Self {
        let sandbox = Sandbox::in_memory();
        sandbox.skill("release-notes", "Steps.\n");
        match before {
            Before::Nothing => {}
            Before::Hidden => fs_err::create_dir(sandbox.work().join(".hermes")).unwrap(),
            Before::Line | Before::TornLine => drop(sandbox.sl(&observe("old")).ok()),
        }
        let old = sandbox.observed();
        if before == Before::TornLine {
            fs_err::write(log(&sandbox), format!("{old}{{\"torn")).unwrap();
        }
        let saved = Saved::of(&sandbox);
        let steps = tempfile::NamedTempFile::new().unwrap();
        let mut command = sandbox.command();
        command.env("LITHERMES_TEST_STEPS", steps.path());
        sandbox
            .ran(command.arg("skill-loop").args(observe("new")))
            .ok();
        let new = sandbox.observed().strip_prefix(&old).unwrap().to_owned();
        assert_eq!(new.lines().count(), 1);
        let steps = fs_err::read_to_string(steps.path()).unwrap();
        let steps = steps.lines().map(str::to_owned).collect();
        Self {
            sandbox,
            saved,
            old,
            new,
            steps,
        }
    }

    fn run(&self, seam: (&str, &str)) -> Ran {
        self.saved.restore(&self.sandbox);
        let mut command = self.sandbox.command();
        command
            .env(seam.0, seam.1)
            .arg("skill-loop")
            .args(observe("new"));
        self.sandbox.ran(&mut command)
    }

    /// What is whole in the log: the old lines, and perhaps the new one. Whether it is there.
    fn is_recorded(&self, at: &str) -> bool {
        let reading = self.sandbox.json(&["observations"]);
        assert_eq!(reading["damaged"], 0, "{at}: {reading:#}");
        let text = self.sandbox.observed();
        let rest = text
            .strip_prefix(&self.old)
            .unwrap_or_else(|| panic!("{at}: {text}"));
        rest == self.new
    }

    /// The next append works, and what was there before is still there.
    fn goes_on(&self, at: &str) {
        let recorded = self.is_recorded(at);
        self.sandbox.sl(&observe("next")).ok();
        let text = self.sandbox.observed();
        let rest = text.strip_prefix(&self.old).unwrap();
        let next = rest.strip_prefix(if recorded { &self.new[..] } else { "" });
        let next = next.unwrap_or_else(|| panic!("{at}: {text}"));
        assert!(
            next.contains("\"next\"") && next.lines().count() == 1,
            "{at}: {text}"
        );
        let ignored = self.sandbox.work().join(".hermes/lithermes/.gitignore");
        assert_eq!(fs_err::read_to_string(ignored).unwrap(), "*\n", "{at}");
        let left: Vec<String> = Tree::of(&self.sandbox.work()).paths();
        assert!(
            !left.iter().any(|path| path.ends_with(".tmp")),
            "{at}: {left:?}"
        );
    }
}

fn log(sandbox: &Sandbox) -> std::path::PathBuf {
    sandbox.observer().join("observations.jsonl")
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn killed_at_every_step() {
    for before in ALL {
        let stage = Stage::new(before);
        assert!(stage.steps.len() >= 3, "{:?}", stage.steps);
        for step in 1..=stage.steps.len() {
            let at = format!(
                "{before:?}, killed before {step} ({})",
                stage.steps[step - 1]
            );
            let ran = stage.run(("LITHERMES_TEST_STOP", &step.to_string()));
            assert_eq!(ran.status, -1, "{at}: {ran:?}");
            stage.goes_on(&at);
        }
    }
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn the_disk_is_full_from_a_step_on() {
    for before in ALL {
        let stage = Stage::new(before);
        for step in 1..=stage.steps.len() {
            let at = format!("{before:?}, full from {step} ({})", stage.steps[step - 1]);
            let ran = stage.run(("LITHERMES_TEST_FAIL", &step.to_string()));
            said_what_is(&stage, &ran, &at);
            stage.goes_on(&at);
        }
    }
}

/// One call fails, and what undoes it works: nothing is recorded, and that is known.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn one_call_fails_and_what_was_made_is_taken_back() {
    for before in ALL {
        let stage = Stage::new(before);
        for (index, step) in stage.steps.iter().enumerate() {
            let at = format!("{before:?}, {step} failed");
            let number = index + 1;
            let ran = stage.run(("LITHERMES_TEST_FAIL", &format!("{number}-{number}")));
            // Who waits for the lock is told less; nobody needs that line.
            if step == "Write lock" {
                assert!(stage.is_recorded(&at), "{at}: {ran:?}");
                ran.ok();
                continue;
            }
            let ran = ran.exits(1).fails("IO_ERROR");
            assert!(!stage.is_recorded(&at), "{at}: {ran:?}");
            let text = fs_err::read_to_string(log(&stage.sandbox)).unwrap_or_default();
            let torn = text.strip_prefix(&stage.old).unwrap();
            assert!(torn.is_empty() || torn == "{\"torn", "{at}: {text}");
            if matches!(before, Before::Nothing | Before::Hidden) {
                let before = Tree::of(stage.saved.path()).below("work");
                let now = stage.sandbox.tree().below("work");
                assert_eq!(differences(&before, &now), Vec::<String>::new(), "{at}");
            }
            stage.goes_on(&at);
        }
    }
}

/// The answer and the log agree.
fn said_what_is(stage: &Stage, ran: &Ran, at: &str) {
    let recorded = stage.is_recorded(at);
    match ran.status {
        0 => assert!(recorded, "{at}: {ran:?}"),
        1 if ran.stderr.contains("error[OBSERVER_RECORD_STATE_UNKNOWN]") => {
            assert!(
                ran.stderr.contains("look before you record it again"),
                "{at}: {ran:?}"
            );
        }
        1 => {
            assert!(ran.stderr.contains("error[IO_ERROR]"), "{at}: {ran:?}");
            assert!(!recorded, "{at}: {ran:?}");
        }
        _ => panic!("{at}: {ran:?}"),
    }
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_line_that_can_be_neither_finished_nor_taken_back_is_said_to_be_unknown() {
    let stage = Stage::new(Before::Line);
    let last = stage.steps.len();
    assert_eq!(stage.steps[last - 1], "Flush observations.jsonl");
    let ran = stage.run(("LITHERMES_TEST_FAIL", &last.to_string()));
    ran.exits(1).fails("OBSERVER_RECORD_STATE_UNKNOWN");
    // It was written and not flushed: it may be there, and here it is.
    assert!(stage.is_recorded("unknown"));
}

type Swap = fn(&Sandbox);

/// Before each step the log, or the folder that it is in, is put elsewhere.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_log_that_is_replaced_meanwhile_takes_no_record() {
    // The log is opened after the lock is taken, which is step 1.
    let swaps: [(&str, usize, Swap); 3] = [
        ("log", 2, |sandbox| {
            let moved = sandbox.observer().join("moved");
            rename(&log(sandbox), &moved);
            fs_err::write(log(sandbox), "").unwrap();
        }),
        ("folder", 1, |sandbox| {
            rename(&sandbox.observer(), &sandbox.work().join("moved"));
            fs_err::create_dir(sandbox.observer()).unwrap();
        }),
        ("link", 1, |sandbox| {
            let moved = sandbox.work().join("moved");
            rename(&sandbox.observer(), &moved);
            std::os::unix::fs::symlink(&moved, sandbox.observer()).unwrap();
        }),
    ];
    let stage = Stage::new(Before::Line);
    for (what, first, swap) in swaps {
        for step in first..=stage.steps.len() {
            let at = format!("{what} before {step} ({})", stage.steps[step - 1]);
            stage.saved.restore(&stage.sandbox);
            let ran = paused(&stage.sandbox, &observe("new"), &[step as u64], |_| {
                swap(&stage.sandbox);
            });
            let ran = ran.unwrap().exits(3).fails("UNSAFE_PATH");
            let moved = Tree::of(&stage.sandbox.work()).paths();
            for path in moved
                .iter()
                .filter(|path| path.ends_with("observations.jsonl") || path.ends_with("moved"))
            {
                let path = stage.sandbox.work().join(path);
                let text = fs_err::read_to_string(path).unwrap_or_default();
                assert!(!text.contains("\"new\""), "{at}: {ran:?}");
            }
        }
    }
}

fn rename(from: &Path, to: &Path) {
    fs_err::rename(from, to).unwrap();
}

/// The record is there, and the proof that the skill is what it was could not be given.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn what_fails_after_the_record_says_that_it_is_there() {
    let stage = Stage::new(Before::Line);
    stage.saved.restore(&stage.sandbox);
    let skill = stage.sandbox.skill_path("release-notes");
    let last = stage.steps.len() as u64;
    let ran = paused(&stage.sandbox, &observe("new"), &[last], |_| {
        let moved = stage.sandbox.root().join("user/moved");
        rename(&skill, &moved);
        std::os::unix::fs::symlink(&moved, &skill).unwrap();
    });
    let ran = ran
        .unwrap()
        .exits(1)
        .fails("OBSERVER_RECORD_COMMITTED_CLEANUP_FAILED");
    assert!(ran.stderr.contains("do not record it again"), "{ran:?}");
    assert!(stage.is_recorded("committed"));
}

#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn somebody_elses_edit_of_the_skill_meanwhile_is_told() {
    let stage = Stage::new(Before::Line);
    stage.saved.restore(&stage.sandbox);
    let file = stage.sandbox.skill_path("release-notes").join("SKILL.md");
    let args = [observe("new"), vec!["--json".to_owned()]].concat();
    let ran = paused(&stage.sandbox, &args, &[1], |_| {
        fs_err::write(&file, "by hand\n").unwrap();
    });
    let ran = ran.unwrap().ok();
    let answer = ran.json();
    assert_eq!(answer["unchanged"]["same"], json!(false));
    assert_ne!(answer["unchanged"]["before"], answer["unchanged"]["after"]);
    assert!(ran.stderr.contains("lithermes did not touch it"), "{ran:?}");
    assert_eq!(fs_err::read_to_string(&file).unwrap(), "by hand\n");
}

#[test]
fn eight_writers_of_fifty_records_lose_none() {
    let sandbox = Sandbox::new();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for number in 0..EACH {
                    let mut args = observe(&format!("record {writer} {number}"));
                    args.extend(["--lock-timeout", "300"].map(str::to_owned));
                    sandbox.sl(&args).ok();
                }
            });
        }
    });
    let reading = sandbox.json(&["observations"]);
    assert_eq!(
        (&reading["damaged"], &reading["torn"]),
        (&json!(0), &json!(false))
    );
    let found = reading["observations"].as_array().unwrap();
    let mut texts: Vec<&str> = found
        .iter()
        .map(|one: &Value| one["observed"].as_str().unwrap())
        .collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!((found.len(), texts.len()), (WRITERS * EACH, WRITERS * EACH));
    assert_eq!(
        fs_err::read_to_string(sandbox.work().join(".hermes/lithermes/.gitignore"))
            .unwrap()
            .trim_end_matches("*\n"),
        ""
    );
}
