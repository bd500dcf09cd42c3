//! Any bytes as a ledger: every reader answers or names a line, and forwards and backwards agree.
#![no_main]

use std::cell::OnceCell;

use libfuzzer_sys::fuzz_target;
use lithermes::disk::Dir;
use lithermes::ledger::{FILE, Ledger};
use lithermes::skill_loop::standing::{self, Standings};

thread_local! {
    static FOLDER: OnceCell<tempfile::TempDir> = const { OnceCell::new() };
}

fuzz_target!(|bytes: &[u8]| FOLDER.with(|folder| {
    let folder = folder.get_or_init(|| {
        let memory = std::path::Path::new("/dev/shm");
        tempfile::tempdir_in(memory)
            .or_else(|_| tempfile::tempdir())
            .unwrap()
    });
    std::fs::write(folder.path().join(FILE), bytes).unwrap();
    let dir = Dir::open_root(folder.path()).unwrap().unwrap();
    read(&Ledger::new(&dir).unwrap());
}));

fn read(ledger: &Ledger) {
    let mut digests = Vec::new();
    let checked = ledger
        .check(&mut |line| digests.push(line.digest.clone()))
        .unwrap();
    assert_eq!(checked.lines, digests.len() as u64);
    drop(Standings::load(Some(ledger)));
    drop(standing::of(
        Some(ledger),
        "p-0123456789abcdef0123456789abcdef",
    ));
    drop(standing::unfinished(ledger));
    if checked.damage.is_some() {
        return;
    }
    assert_eq!(ledger.torn().unwrap(), checked.torn);
    let last = ledger.last().unwrap().map(|line| line.digest);
    assert_eq!(last.as_ref(), digests.last());
}
