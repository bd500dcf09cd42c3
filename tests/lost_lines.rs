//! Damage down to single bits, packed state too, and whole lines that the ledger lost. The answer is a
//! typed error that names it, or the truth; never a panic, never a silent repair.

use std::path::{Path, PathBuf};

use crate::support::scenes::{SKILL, three_files};
use crate::support::{Ran, Sandbox, Saved, create, patch};

/// Three decisions on one skill and a pending proposal.
fn decided() -> (Sandbox, String, String) {
    let sandbox = Sandbox::in_memory();
    let receipt = sandbox.apply(&sandbox.propose(&three_files()));
    sandbox.rollback(&receipt);
    let receipt = sandbox.apply(&sandbox.propose(&create(SKILL, "Body one.\n")));
    let id = sandbox.propose(&patch(SKILL, "Body one.", "Body 1."));
    sandbox.holds();
    (sandbox, id, receipt)
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// The file emptied, and with a bit flipped at the beginning, in the middle and at the end.
fn damages(bytes: &[u8], every: bool) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![("emptied".to_owned(), Vec::new())];
    let last = bytes.len().saturating_sub(1);
    let places: Vec<usize> = match every {
        true => (0..bytes.len()).collect(),
        false => vec![0, bytes.len() / 3, bytes.len() / 2, last],
    };
    for at in places {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << (at % 7);
        all.push((format!("flipped at {at}"), flipped));
    }
    all
}

/// Reading and writing commands end typed; gives what `verify` says.
fn commands_end_typed(
    sandbox: &Sandbox,
    saved: &Saved,
    damage: &dyn Fn(),
    id: &str,
    receipt: &str,
    at: &str,
) -> Ran {
    let other = create("another", "Text.\n").to_string();
    let calls: [(&[&str], &str); 7] = [
        (&["list", "--all", "--json"], ""),
        (&["log"], ""),
        (&["show", id], ""),
        (&["verify", "--json"], ""),
        (&["propose", "-"], &other),
        (&["apply", id], ""),
        (&["rollback", receipt], ""),
    ];
    let mut verify = None;
    for (args, stdin) in calls {
        saved.restore(sandbox);
        damage();
        let mut command = sandbox.command();
        let ran = sandbox.ran(command.arg("skill-loop").args(args).write_stdin(stdin));
        assert!(
            [0, 1, 3, 4, 5, 7].contains(&ran.status),
            "{at}: {args:?} {ran:?}"
        );
        assert!(!ran.stderr.contains("panicked"), "{at}: {args:?} {ran:?}");
        let typed = ran.status == 0
            || ran.stderr.contains("error[")
            || ran.stdout.contains("lithermes/error/v1")
            || args[0] == "verify";
        assert!(typed, "{at}: {args:?} {ran:?}");
        if args[0] == "verify" {
            verify = Some(ran);
        }
    }
    verify.unwrap()
}

fn go_through(
    sandbox: &Sandbox,
    id: &str,
    receipt: &str,
    every: bool,
    of_interest: impl Fn(&str) -> bool,
) -> Vec<String> {
    let saved = Saved::of(sandbox);
    let state = sandbox.home().join("lithermes");
    let mut unnoticed = Vec::new();
    for path in files_below(&state) {
        let name = path
            .strip_prefix(&state)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        if !of_interest(&name) {
            continue;
        }
        let bytes = fs_err::read(&path).unwrap();
        for (how, damaged) in damages(&bytes, every && bytes.len() < 60) {
            let at = format!("{name} {how}");
            let damage = || {
                drop(fs_err::remove_file(&path));
                fs_err::write(&path, &damaged).unwrap();
            };
            let verify = commands_end_typed(sandbox, &saved, &damage, id, receipt, &at);
            if verify.status == 0 {
                unnoticed.push(at);
                continue;
            }
            let object = name.strip_prefix("objects/");
            let said = &verify.stdout;
            assert_eq!(verify.status, 7, "{at}: {verify:?}");
            assert!(said.contains("\"code\""), "{at}: {said}");
            if name.ends_with(".jsonl") {
                assert!(said.contains("ledger"), "{at}: {said}");
            } else if let Some(object) = object.filter(|name| name.len() == 41) {
                assert!(said.contains(&object.replace('/', "")), "{at}: {said}");
            } else if let Some((_, branch)) = name.split_once("refs/heads/") {
                assert!(said.contains(branch), "{at}: {said}");
            }
        }
    }
    saved.restore(sandbox);
    unnoticed
}

#[test]
fn loose_state() {
    let (sandbox, id, receipt) = decided();
    let unnoticed = go_through(&sandbox, &id, &receipt, true, |name| {
        name != "lock" && !name.contains("objects/")
    });
    // What `verify` may pass over changes nothing that a receipt says.
    for one in &unnoticed {
        let harmless = ["skill-loop-blobs/HEAD", "skill-loop-blobs/config"];
        assert!(
            harmless.iter().any(|name| one.starts_with(name)),
            "{unnoticed:?}"
        );
    }
    sandbox.holds();
}

#[test]
fn loose_objects() {
    let (sandbox, id, receipt) = decided();
    let named = named_objects(&sandbox);
    let is_named = |name: &str| {
        let object = name
            .strip_prefix("skill-loop-blobs/objects/")
            .map(|name| name.replace('/', ""));
        object.is_some_and(|object| named.contains(&object))
    };
    let unnoticed = go_through(&sandbox, &id, &receipt, false, is_named);
    assert_eq!(unnoticed, Vec::<String>::new());
}

/// Everything that a branch reaches.
fn named_objects(sandbox: &Sandbox) -> String {
    sandbox.git(&["rev-list", "--objects", "--all"])
}

#[test]
fn packed_state() {
    let (sandbox, id, receipt) = decided();
    sandbox.git(&["pack-refs", "--all"]);
    sandbox.git(&["repack", "-a", "-q"]);
    sandbox.git(&["prune-packed"]);
    sandbox.holds();
    let interest = |name: &str| {
        name.ends_with(".pack") || name.ends_with(".idx") || name.ends_with("packed-refs")
    };
    drop(go_through(&sandbox, &id, &receipt, false, interest));
}

/// A ledger that lost whole lines: no writing command moves a branch over the evidence.
#[test]
fn a_shortened_ledger_stays_found_out_whatever_is_tried() {
    let (sandbox, id, receipt) = decided();
    let text = fs_err::read_to_string(sandbox.ledger()).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let saved = Saved::of(&sandbox);
    // After the rollback, after the first apply, and nothing at all.
    for left in [4, 2, 0] {
        saved.restore(&sandbox);
        fs_err::write(sandbox.ledger(), lines[..left].concat()).unwrap();
        let tip = sandbox.git(&["rev-parse", "skills/release-notes"]);
        let other = create("another", "Text.\n").to_string();
        let mut command = sandbox.command();
        let ran = sandbox.ran(
            command
                .args(["skill-loop", "propose", "-"])
                .write_stdin(other),
        );
        assert_eq!(ran.status, 7, "{left} lines: {ran:?}");
        for args in [
            &["apply", &id][..],
            &["rollback", &receipt],
            &["verify", "--repair"],
            &["verify"],
        ] {
            let ran = sandbox.sl(args);
            assert_ne!(ran.status, 0, "{left} lines: {args:?} {ran:?}");
        }
        assert_eq!(sandbox.git(&["rev-parse", "skills/release-notes"]), tip);
    }
}

/// The same where the lost line is not about the last skill that was decided on.
#[test]
fn a_decision_never_buries_a_branch_that_is_ahead() {
    let sandbox = Sandbox::in_memory();
    sandbox.apply(&sandbox.propose(&create("first", "Text.\n")));
    let before = fs_err::read_to_string(sandbox.ledger()).unwrap();
    let id = sandbox.propose(&patch("first", "Text.", "Words."));
    sandbox.apply(&id);
    // The ledger of before goes on with another skill.
    fs_err::write(sandbox.ledger(), &before).unwrap();
    let tip = sandbox.git(&["rev-parse", "skills/first"]);
    sandbox.git(&["update-ref", "refs/heads/skills/first", "skills/first~1"]);
    sandbox.apply(&sandbox.propose(&create("second", "Text.\n")));
    sandbox.git(&["update-ref", "refs/heads/skills/first", tip.trim()]);
    let id = sandbox.propose(&patch("first", "Words.", "Phrases."));
    let ran = sandbox.sl(&["apply", &id]).exits(7).fails("STORE_DAMAGED");
    assert!(ran.stderr.contains("skills/first"), "{ran:?}");
}

/// The first line's schema is flipped: damage of ours, no other product.
#[test]
fn a_flip_in_our_own_schema_is_damage() {
    let (sandbox, _, _) = decided();
    let text = fs_err::read_to_string(sandbox.ledger()).unwrap();
    fs_err::write(
        sandbox.ledger(),
        text.replacen("lithermes/ledger", "lithermes/ledgar", 1),
    )
    .unwrap();
    drop(sandbox.sl(&["verify"]).exits(7).fails("LEDGER_DAMAGED"));
}
