use std::process::Command;
use std::time::Duration;

use super::{Files, Message, ObjectId, Store, batch::File};
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

fn message(text: &str) -> Message {
    Message {
        text: text.to_owned(),
        seconds: 1_767_323_045,
    }
}

fn commit(store: &Store, lock: &Lock, text: &str, parent: Option<&ObjectId>) -> ObjectId {
    let mut batch = store.batch();
    let mut files = Files::new();
    for (path, executable) in [
        ("skill/SKILL.md", false),
        ("skill/scripts/run.sh", true),
        ("skill.json", false),
    ] {
        let blob = batch.blob(format!("{path} {text}\n").as_bytes()).unwrap();
        files.insert(path.to_owned(), File { blob, executable });
    }
    let id = batch.commit(&files, parent, &message(text)).unwrap();
    batch.write(lock).unwrap();
    assert_eq!(store.files_in(&id).unwrap(), files);
    id
}

fn git(scratch: &Scratch, args: &[&str]) -> String {
    let out = Command::new("git")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", scratch.folder.path())
        .arg("--git-dir")
        .arg(scratch.folder.path().join(super::FOLDER))
        .args(args)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "git {args:?}: {errors}");
    String::from_utf8_lossy(&out.stdout).into_owned() + &errors
}

#[test]
fn stock_git_reads_checks_packs_and_clones_what_is_written() {
    let scratch = scratch();
    let store = Store::open_or_create(&scratch.dir, &scratch.lock).unwrap();
    let first = commit(&store, &scratch.lock, "one", None);
    store
        .advance(&scratch.lock, "skills/demo", None, &first)
        .unwrap();
    let second = commit(&store, &scratch.lock, "two", Some(&first));
    store
        .advance(&scratch.lock, "skills/demo", Some(&first), &second)
        .unwrap();
    assert_eq!(
        git(&scratch, &["fsck", "--strict", "--full"]),
        "notice: HEAD points to an unborn branch (main)\n"
    );
    assert_eq!(
        git(&scratch, &["log", "--format=%s", "skills/demo"]),
        "two\none\n"
    );
    let modes = git(
        &scratch,
        &["ls-tree", "-r", "--format=%(objectmode)", "skills/demo"],
    );
    assert_eq!(modes, "100644\n100644\n100755\n");
    git(&scratch, &["pack-refs", "--all"]);
    git(&scratch, &["repack", "-a", "-q"]);
    git(&scratch, &["prune-packed"]);
    git(&scratch, &["gc", "-q"]);
    let store = Store::open(&scratch.dir).unwrap().unwrap();
    assert_eq!(store.tip("skills/demo").unwrap(), Some(second.clone()));
    assert_eq!(
        store.branches("skills").unwrap(),
        [("demo".to_owned(), second.clone())]
    );
    let third = commit(&store, &scratch.lock, "three", Some(&second));
    store
        .advance(&scratch.lock, "skills/demo", Some(&second), &third)
        .unwrap();
    let clone = scratch.folder.path().join("clone");
    let source = scratch.folder.path().join(super::FOLDER);
    git(
        &scratch,
        &[
            "clone",
            "-q",
            "--no-local",
            "-b",
            "skills/demo",
            source.to_str().unwrap(),
            clone.to_str().unwrap(),
        ],
    );
    assert_eq!(
        fs_err::read_to_string(clone.join("skill.json")).unwrap(),
        "skill.json three\n"
    );
    assert_eq!(store.commit_facts(&third).unwrap().parent, Some(second));
}

#[test]
fn a_branch_moves_only_from_where_it_is_expected() {
    let scratch = scratch();
    let store = Store::open_or_create(&scratch.dir, &scratch.lock).unwrap();
    let first = commit(&store, &scratch.lock, "one", None);
    store
        .advance(&scratch.lock, "skills/a", None, &first)
        .unwrap();
    let refused = store
        .advance(&scratch.lock, "skills/a", None, &first)
        .unwrap_err();
    assert_eq!(refused.code(), Code::StoreDamaged);
    assert_eq!(refused.finding(), Some(first.as_str()));
    let folder = scratch
        .folder
        .path()
        .join(super::FOLDER)
        .join("refs/heads/skills");
    assert!(!folder.join("a.lock").exists());
    fs_err::write(folder.join("b.lock"), "somebody else's").unwrap();
    let busy = store
        .advance(&scratch.lock, "skills/b", None, &first)
        .unwrap_err();
    assert_eq!(busy.code(), Code::LockTimeout);
    assert!(busy.message().contains("b.lock"), "{busy}");
    assert_eq!(store.remove_lock_files(&scratch.lock).unwrap().len(), 1);
    fs_err::write(folder.join("b.lock"), &first.as_str()[..7]).unwrap();
    store
        .advance(&scratch.lock, "skills/b", None, &first)
        .unwrap();
}

#[test]
fn damaged_objects_are_named_and_healed_by_writing_the_same_again() {
    let scratch = scratch();
    let store = Store::open_or_create(&scratch.dir, &scratch.lock).unwrap();
    let mut batch = store.batch();
    let id = batch.blob(b"content").unwrap();
    batch.write(&scratch.lock).unwrap();
    let (fan, rest) = id.as_str().split_at(2);
    let path = scratch
        .folder
        .path()
        .join(super::FOLDER)
        .join("objects")
        .join(fan)
        .join(rest);
    for bytes in [&b""[..], b"garbage"] {
        fs_err::write(&path, bytes).unwrap();
        let store = Store::open(&scratch.dir).unwrap().unwrap();
        let error = store.blob(&id).unwrap_err();
        assert_eq!(error.code(), Code::StoreDamaged);
        assert!(error.message().contains(id.as_str()), "{error}");
        let mut batch = store.batch();
        batch.blob(b"content").unwrap();
        batch.write(&scratch.lock).unwrap();
        assert_eq!(store.blob(&id).unwrap(), b"content");
    }
}

#[test]
fn a_folder_of_another_product_is_refused_untouched() {
    let scratch = scratch();
    let theirs = scratch.folder.path().join(super::FOLDER);
    fs_err::create_dir(&theirs).unwrap();
    fs_err::write(theirs.join("0a1b.blob"), "theirs").unwrap();
    let refused = Store::open_or_create(&scratch.dir, &scratch.lock).unwrap_err();
    assert_eq!(refused.code(), Code::ForeignState);
    assert_eq!(fs_err::read_dir(&theirs).unwrap().count(), 1);
}

#[test]
fn creation_goes_on_where_a_killed_one_stopped() {
    let scratch = scratch();
    let half = scratch.folder.path().join("skill-loop-blobs.new");
    fs_err::create_dir(&half).unwrap();
    fs_err::write(half.join("config"), "").unwrap();
    fs_err::create_dir(half.join("objects")).unwrap();
    let store = Store::open_or_create(&scratch.dir, &scratch.lock).unwrap();
    assert!(store.branches("skills").unwrap().is_empty());
    assert!(!half.exists());
    assert_eq!(
        git(&scratch, &["fsck", "--strict"]),
        "notice: HEAD points to an unborn branch (main)\nnotice: No default references\n"
    );
}
