//! Every command in every state that a home and a workspace can be in.

use serde_json::json;

use super::{NAME, Shapes};
use crate::support::scenarios::killed;
use crate::support::{Sandbox, Saved, create, patch};

/// A state: how it comes about from a sandbox with decisions, and what is said besides.
struct State {
    name: &'static str,
    make: fn(&mut Sandbox, &Known),
    flags: &'static [&'static str],
}

/// Ids that the commands name.
#[derive(Clone)]
struct Known {
    applied: String,
    pending: String,
    other: String,
    receipt: String,
}

const fn state(name: &'static str, make: fn(&mut Sandbox, &Known)) -> State {
    State {
        name,
        make,
        flags: &[],
    }
}

const BUSY: &str = "another lithermes holds the lock";

const STATES: [State; 21] = [
    state("as it should be", |_, _| {}),
    state("nothing was ever done", |sandbox, _| {
        fs_err::remove_dir_all(sandbox.home().join("lithermes")).unwrap();
        fs_err::remove_dir_all(sandbox.work().join(".hermes")).unwrap();
    }),
    state("one is left", |sandbox, known| {
        sandbox.sl(&["reject", &known.other]).ok();
    }),
    state("a hand edit makes one stale", |sandbox, _| {
        fs_err::write(sandbox.skill_path(NAME).join("SKILL.md"), "by hand\n").unwrap();
    }),
    state("interrupted among the files", |sandbox, _| {
        killed(sandbox, "Link page.md", 0);
    }),
    state("interrupted, then edited by hand", |sandbox, _| {
        killed(sandbox, "Link page.md", 0);
        fs_err::write(sandbox.skill_path("demo").join("SKILL.md"), "by hand\n").unwrap();
    }),
    state("contested", |sandbox, _| {
        killed(sandbox, "Link page.md", 0);
        fs_err::write(sandbox.skill_path("demo").join("SKILL.md"), "by hand\n").unwrap();
        sandbox.sl(&["verify", "--repair"]).ok();
    }),
    state("the last line is torn", |sandbox, _| {
        edit_ledger(sandbox, |text| format!("{text}{{\"to"));
    }),
    state("a line was forged", |sandbox, _| {
        edit_ledger(sandbox, |text| text.replace("tester", "forger"));
    }),
    state("a line is gone", |sandbox, _| {
        edit_ledger(sandbox, |text| text.split_once('\n').unwrap().1.to_owned());
    }),
    state("the ledger is emptied", |sandbox, _| {
        edit_ledger(sandbox, |_| String::new());
    }),
    state("the ledger is no ledger", |sandbox, _| {
        edit_ledger(sandbox, |_| "no ledger\n".to_owned());
    }),
    state("the ledger is another product's", |sandbox, _| {
        edit_ledger(sandbox, |_| "{\"schema\":\"other\"}\n".to_owned());
    }),
    state("the store is gone", |sandbox, _| {
        fs_err::remove_dir_all(sandbox.store()).unwrap();
    }),
    state("the store's objects are gone", |sandbox, _| {
        fs_err::remove_dir_all(sandbox.store().join("objects")).unwrap();
        fs_err::create_dir(sandbox.store().join("objects")).unwrap();
    }),
    state("a queue file was altered", |sandbox, known| {
        fs_err::write(sandbox.queue().join(format!("{}.json", known.pending)), "{").unwrap();
    }),
    state("the queue is a file", |sandbox, _| {
        fs_err::remove_dir_all(sandbox.queue()).unwrap();
        fs_err::write(sandbox.queue(), "a file\n").unwrap();
    }),
    state("the home is gone", |sandbox, _| {
        sandbox.set("HERMES_HOME", "/nonexistent-home");
    }),
    State {
        name: "the workspace is gone",
        make: |_, _| {},
        flags: &["--workspace", "/nonexistent-workspace"],
    },
    State {
        name: BUSY,
        make: |_, _| {},
        flags: &["--lock-timeout", "0"],
    },
    state("an agent calls", |sandbox, _| {
        sandbox.set("LITHERMES_CHILD", "1");
    }),
];

fn edit_ledger(sandbox: &Sandbox, edit: impl Fn(&str) -> String) {
    let text = fs_err::read_to_string(sandbox.ledger()).unwrap();
    let edited = edit(&text);
    assert_ne!(text, edited);
    fs_err::write(sandbox.ledger(), edited).unwrap();
}

fn decided() -> (Sandbox, Known) {
    let sandbox = Sandbox::in_memory();
    let applied = sandbox.propose(&create(NAME, "one\ntwo\n"));
    let receipt = sandbox.apply(&applied);
    let documents = json!([patch(NAME, "one", "1"), patch(NAME, "two", "2")]);
    let [pending, other] = sandbox.propose_all(&documents).try_into().unwrap();
    let known = Known {
        applied,
        pending,
        other,
        receipt,
    };
    (sandbox, known)
}

pub(super) fn every_command_in_every_state(shapes: &mut Shapes) {
    for State { name, make, flags } in STATES {
        let (mut sandbox, known) = decided();
        make(&mut sandbox, &known);
        run_all(shapes, &sandbox, &known, flags, name);
    }
}

/// The lock of another lithermes, where the state is that there is one.
fn held(sandbox: &Sandbox, name: &str) -> Option<fs_err::File> {
    let path = sandbox.home().join("lithermes/lock");
    let lock = (name == BUSY).then(|| fs_err::File::open(path).unwrap());
    if let Some(lock) = &lock {
        lock.file().lock().unwrap();
    }
    lock
}

/// Each command finds the state as it was made.
fn run_all(shapes: &mut Shapes, sandbox: &Sandbox, known: &Known, flags: &[&str], state: &str) {
    let Known {
        applied,
        pending,
        other,
        receipt,
    } = known;
    let document = create("new", "Body.\n").to_string();
    let verbs: [(&[&str], &str); 26] = [
        (&["propose", "-"], "Nothing to save."),
        (&["propose", "-"], &document),
        (&["propose", "-"], "{\"a\": 1"),
        (&["list"], ""),
        (&["list", "--all", "--exit-code"], ""),
        (&["list", "--skill", "nobody"], ""),
        (&["show", pending], ""),
        (&["show", applied], ""),
        (&["show", "p-000000"], ""),
        (&["apply", pending, "--dry-run"], ""),
        (&["apply", applied, "--dry-run"], ""),
        (&["apply", pending, other, "--dry-run", "--keep-going"], ""),
        (&["apply"], ""),
        (&["apply", pending], ""),
        (&["apply", applied], ""),
        (&["apply", pending, applied, "--keep-going"], ""),
        (&["reject", pending, "--reason", "no"], ""),
        (&["reject", applied], ""),
        (&["rollback", receipt, "--dry-run"], ""),
        (&["rollback", receipt], ""),
        (&["rollback", "l-000000000000"], ""),
        (&["log"], ""),
        (&["log", "--kind", "skill.apply", "--limit", "1"], ""),
        (&["log", "--skill", "nobody"], ""),
        (&["verify"], ""),
        (&["verify", "--repair"], ""),
    ];
    let saved = Saved::of(sandbox);
    state.clone_into(&mut shapes.state);
    for (verb, stdin) in verbs {
        let _lock = held(sandbox, state);
        shapes.see(sandbox, &[&["skill-loop"], verb, flags].concat(), stdin);
        saved.restore(sandbox);
    }
    shapes.see(sandbox, &[&["doctor"], flags].concat(), "");
    let words = [
        "completions",
        "zsh",
        "--",
        "lithermes",
        "skill-loop",
        "show",
        "",
    ];
    shapes.see_as_it_is(sandbox, &[&["--json"], flags, &words].concat(), "");
}
