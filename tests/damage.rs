//! Files of the ledger and the store cut to nothing or flipped in one bit: a typed error that
//! names the damage, never a panic, and no skill touched.

use std::path::{Path, PathBuf};

use crate::support::scenarios::{Scenario, rollback_support_file};
use crate::support::{Sandbox, create, differences};

/// One more decision, and proposals that wait for more.
fn lived_in(sandbox: &Sandbox) -> (Vec<String>, String) {
    let (args, stdin) = rollback_support_file(sandbox);
    sandbox.propose(&create("waiting", "text\n"));
    (args, stdin)
}

#[test]
fn every_damaged_file_is_named_and_nothing_panics() {
    let scenario = Scenario::new(lived_in);
    let sandbox = &scenario.sandbox;
    let state = sandbox.home().join("lithermes");
    let files = files_below(&state);
    assert!(files.len() > 15, "{files:?}");
    let list = sandbox.json(&["list"]);
    let waiting = list["proposals"][0]["id"].as_str().unwrap().to_owned();
    for file in &files {
        for damage in [cut as fn(&Path), flip] {
            scenario.restore();
            damage(file);
            let old = scenario.skills();
            let place = file.strip_prefix(&state).unwrap().display().to_string();
            for args in [&["list"][..], &["log"], &["show", &waiting], &["verify"]] {
                let ran = sandbox.sl(args);
                assert!(
                    [0, 3, 7].contains(&ran.status),
                    "{args:?} {place}: {}",
                    ran.stderr
                );
                assert!(
                    !ran.stderr.contains("panicked"),
                    "{args:?} {place}: {}",
                    ran.stderr
                );
            }
            let proof = sandbox.sl(&["verify"]);
            let vital = place.contains("objects/") || place.ends_with(".jsonl");
            if vital {
                assert_eq!(proof.status, 7, "{place}: {}{}", proof.stdout, proof.stderr);
                assert!(
                    proof.stderr.contains("_DAMAGED]"),
                    "{place}: {}",
                    proof.stderr
                );
            }
            let ran = scenario.run(None);
            assert!(!ran.stderr.contains("panicked"), "{place}: {}", ran.stderr);
            if ran.status != 0 {
                assert!(
                    [1, 3, 5, 7].contains(&ran.status),
                    "{place}: {} {}",
                    ran.status,
                    ran.stderr
                );
                assert_eq!(
                    differences(&old, &scenario.skills()),
                    Vec::<String>::new(),
                    "{place}"
                );
            }
        }
    }
}

fn cut(file: &Path) {
    fs_err::write(file, "").unwrap();
}

fn flip(file: &Path) {
    let mut bytes = fs_err::read(file).unwrap();
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 4;
    }
    fs_err::write(file, bytes).unwrap();
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.ends_with("lock") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
