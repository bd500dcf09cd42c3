use std::ops::ControlFlow;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Map, json};

use super::{Draft, FILE, Ledger};
use crate::disk::{Dir, Lock};
use crate::error::Code;

struct Scratch {
    folder: tempfile::TempDir,
    dir: Dir,
    lock: Lock,
}

fn scratch() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    let dir = Dir::open_root(folder.path()).unwrap().unwrap();
    let lock = Lock::acquire(&dir, "lock", Duration::ZERO, "test", &mut |_| {}).unwrap();
    Scratch { folder, dir, lock }
}

fn draft(kind: &str, note: &str) -> Draft {
    let mut body = Map::new();
    body.insert("note".to_owned(), json!(note));
    Draft {
        kind: kind.to_owned(),
        actor: "a@b".to_owned(),
        argv: vec![],
        body,
    }
}

#[test]
fn lines_chain_and_are_found_by_id_and_prefix() {
    let scratch = scratch();
    let ledger = Ledger::new(&scratch.dir).unwrap();
    let ids: Vec<String> = (0..50)
        .map(|n| {
            ledger
                .append(&scratch.lock, draft("k", &"x".repeat(n * 100)))
                .unwrap()
                .entry
                .id
        })
        .collect();
    for id in &ids {
        assert_eq!(&ledger.find(id).unwrap().entry.id, id);
        assert_eq!(&ledger.find(&id[..12]).unwrap().entry.id, id);
    }
    assert_eq!(ledger.find("l-").unwrap_err().code(), Code::AmbiguousId);
    assert_eq!(ledger.find("l-zz").unwrap_err().code(), Code::NotFound);
    let mut seen = Vec::new();
    let checked = ledger
        .check(&mut |line| seen.push(line.entry.id.clone()))
        .unwrap();
    assert_eq!((checked.lines, checked.torn, checked.damage), (50, 0, None));
    assert_eq!(seen, ids);
}

#[test]
fn a_tail_torn_at_any_byte_is_set_aside_and_swallows_nothing() {
    let whole = scratch();
    let ledger = Ledger::new(&whole.dir).unwrap();
    ledger.append(&whole.lock, draft("first", "é")).unwrap();
    ledger.append(&whole.lock, draft("second", "ü")).unwrap();
    let bytes = fs_err::read(whole.folder.path().join(FILE)).unwrap();
    let first = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in first..bytes.len() {
        let torn = scratch();
        fs_err::write(torn.folder.path().join(FILE), &bytes[..cut]).unwrap();
        let ledger = Ledger::new(&torn.dir).unwrap();
        assert_eq!(ledger.torn().unwrap(), (cut - first) as u64);
        let aside = ledger.set_torn_aside(&torn.lock).unwrap();
        assert_eq!(aside.is_some(), cut > first);
        if let Some(name) = aside {
            assert_eq!(
                fs_err::read(torn.folder.path().join(name)).unwrap(),
                &bytes[first..cut]
            );
        }
        let added = ledger.append(&torn.lock, draft("third", "")).unwrap();
        assert_eq!(added.entry.seq, 2);
        assert_eq!(ledger.check(&mut |_| {}).unwrap().lines, 2);
        assert_eq!(ledger.set_torn_aside(&torn.lock).unwrap(), None);
    }
}

fn ledger_with_a_flipped_schema(ledger: &Ledger, scratch: &Scratch, path: &std::path::Path) {
    fs_err::remove_file(path).unwrap();
    ledger.append(&scratch.lock, draft("first", "")).unwrap();
    let text = fs_err::read_to_string(path).unwrap();
    fs_err::write(path, text.replace("ledger/v1", "ledger/v3")).unwrap();
}

#[test]
fn a_ledger_of_another_product_is_refused_and_a_damaged_one_is_not_called_foreign() {
    let scratch = scratch();
    let path = scratch.folder.path().join(FILE);
    let ledger = Ledger::new(&scratch.dir).unwrap();
    fs_err::write(&path, "{\"schema\":\"other/v1\",\"id\":1}\n").unwrap();
    assert_eq!(
        ledger.refuse_foreign().unwrap_err().code(),
        Code::ForeignState
    );
    ledger_with_a_flipped_schema(&ledger, &scratch, &path);
    ledger.refuse_foreign().unwrap();
    assert_eq!(ledger.last().unwrap_err().code(), Code::LedgerDamaged);
    fs_err::write(&path, "{\"schema\"#\n").unwrap();
    ledger.refuse_foreign().unwrap();
    assert_eq!(ledger.last().unwrap_err().code(), Code::LedgerDamaged);
}

proptest! {
    #[test]
    fn every_flipped_bit_is_found(at in 0_usize..100_000, bit in 0_u8..8) {
        let scratch = scratch();
        let ledger = Ledger::new(&scratch.dir).unwrap();
        for note in ["a", "b", "c"] {
            ledger.append(&scratch.lock, draft("k", note)).unwrap();
        }
        let path = scratch.folder.path().join(FILE);
        let mut bytes = fs_err::read(&path).unwrap();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        fs_err::write(&path, &bytes).unwrap();
        let checked = ledger.check(&mut |_| {}).unwrap();
        // A flipped last line feed is a torn line, which no line vouches for yet.
        prop_assert!(checked.damage.is_some() || checked.torn > 0);
    }
}

/// What `check_end` saw, newest first, and what it says.
fn end_of(ledger: &Ledger, until: &str) -> (Vec<u64>, bool) {
    let mut seen = Vec::new();
    let holds = ledger.check_end(&mut |line| {
        seen.push(line.entry.seq);
        match line.entry.text("note") == Some(until) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    (seen, holds.unwrap())
}

#[test]
fn the_end_of_a_ledger_is_proved_alone() {
    let scratch = scratch();
    let ledger = Ledger::new(&scratch.dir).unwrap();
    assert_eq!(end_of(&ledger, "none"), (vec![], true));
    for n in 1..=9 {
        let draft = draft("k", &format!("n{n}"));
        ledger.append(&scratch.lock, draft).unwrap();
    }
    assert_eq!(end_of(&ledger, "n7"), (vec![9, 8, 7], true));
    assert_eq!(end_of(&ledger, "none"), ((1..=9).rev().collect(), true));
    let path = scratch.folder.path().join(FILE);
    let whole = fs_err::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let changed = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        fs_err::write(&path, lines.concat()).unwrap();
        end_of(&ledger, "n7").1
    };
    let other = lines[7].replace("n8", "nX");
    assert!(!changed(7, &other), "a line that was edited");
    assert!(!changed(7, ""), "a line that is gone");
    assert!(!changed(7, lines[8]), "a line in another's place");
    assert!(!changed(8, "{}\n"), "a last line that is none");
    assert!(!changed(6, ""), "nobody says where it begins");
    assert!(changed(2, "x\n"), "what lies before is not read");
    // Without a place to stop at, the first line has to be the first.
    fs_err::write(&path, lines[3..].concat()).unwrap();
    assert_eq!(end_of(&ledger, "none"), ((4..=9).rev().collect(), false));
    fs_err::write(&path, format!("{whole}torn")).unwrap();
    assert_eq!(end_of(&ledger, "n9"), (vec![9], true));
}
