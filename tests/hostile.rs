//! Somebody else is at work on the same files at the worst moment, or the surroundings are set
//! up against us. The program is stopped before a step, the mischief is done, and it goes on.

use crate::support::{Sandbox, create, marked, patch};

mod meanwhile {
    use std::path::Path;

    use crate::crash::{leftovers, run};
    use crate::support::scenes::{SCENES, SKILL, Scene};
    use crate::support::{Sandbox, Saved, Tree, differences, paused as with};

    const BY_HAND: &str = "---\nname: release-notes\ndescription: By hand.\n---\n\nBy hand.\n";

    fn scenes() -> impl Iterator<Item = Scene> {
        SCENES.into_iter().filter(|scene| scene.decides)
    }

    /// An editor's save: a new file under the old name.
    fn save(path: &Path, text: &str) {
        let beside = path.with_extension("new");
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&beside, text).unwrap();
        fs_err::rename(beside, path).unwrap();
    }

    /// At every step: what was saved by hand is there in the end, whatever the command says.
    #[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
    #[test]
    fn a_save_at_any_moment_is_never_lost() {
        for scene in scenes() {
            let sandbox = Sandbox::in_memory();
            let call = scene.prepare(&sandbox);
            let saved = Saved::of(&sandbox);
            let path = sandbox.skill_path(SKILL).join("SKILL.md");
            for step in 1.. {
                let at = format!("{} and a save before step {step}", scene.name);
                saved.restore(&sandbox);
                let Some(ran) = with(&sandbox, &call.args, &[step], |_| save(&path, BY_HAND))
                else {
                    assert!(step > 30, "{at}");
                    break;
                };
                assert!([0, 1, 3, 4].contains(&ran.status), "{at}: {ran:?}");
                assert!(!ran.stderr.contains("panicked"), "{at}: {ran:?}");
                assert_eq!(
                    fs_err::read_to_string(&path).unwrap(),
                    BY_HAND,
                    "{at}: {ran:?}"
                );
                sandbox.sl(&["verify", "--repair"]).ok();
                assert_eq!(
                    fs_err::read_to_string(&path).unwrap(),
                    BY_HAND,
                    "{at}: {ran:?}"
                );
                assert_eq!(leftovers(&sandbox), Vec::<String>::new(), "{at}: {ran:?}");
                let is_done = sandbox
                    .kinds()
                    .last()
                    .is_some_and(|kind| kind == "skill.apply" || kind == "skill.rollback");
                if ran.status == 0 {
                    assert!(is_done, "{at}: {ran:?}");
                }
                sandbox.holds();
            }
        }
    }

    /// Saved before the exchange and once more before the exchange back: the newer one stays.
    #[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
    #[test]
    fn of_two_saves_the_newer_stays() {
        let scene = SCENES[3];
        let sandbox = Sandbox::in_memory();
        let call = scene.prepare(&sandbox);
        let saved = Saved::of(&sandbox);
        let log = sandbox.root().join("user/steps");
        run(
            &sandbox,
            &call,
            &[("LITHERMES_TEST_STEPS", log.to_str().unwrap())],
        )
        .ok();
        let steps = fs_err::read_to_string(&log).unwrap();
        let exchange = steps.lines().position(|line| line == "Exchange SKILL.md");
        let exchange = exchange.unwrap() as u64 + 1;
        saved.restore(&sandbox);
        let path = sandbox.skill_path(SKILL).join("SKILL.md");
        let texts = [BY_HAND.to_owned(), BY_HAND.replace("By hand", "Again")];
        let twice = [exchange, exchange + 1];
        let ran = with(&sandbox, &call.args, &twice, |turn| {
            save(&path, &texts[turn]);
        })
        .unwrap();
        let ran = ran.exits(4).fails("STALE_BASE");
        assert_eq!(fs_err::read_to_string(&path).unwrap(), texts[1], "{ran:?}");
        assert_eq!(leftovers(&sandbox), Vec::<String>::new());
        sandbox.holds();
    }

    /// A link in the place of the file: neither followed nor replaced.
    #[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
    #[test]
    fn a_link_that_is_swapped_in_is_never_followed() {
        for scene in scenes() {
            let sandbox = Sandbox::in_memory();
            let call = scene.prepare(&sandbox);
            let victim = sandbox.root().join("user/victim.md");
            fs_err::write(&victim, "Not yours.\n").unwrap();
            let saved = Saved::of(&sandbox);
            let path = sandbox.skill_path(SKILL).join("SKILL.md");
            let swap = |_| {
                fs_err::create_dir_all(path.parent().unwrap()).unwrap();
                drop(fs_err::remove_file(&path));
                fs_err::os::unix::fs::symlink(&victim, &path).unwrap();
            };
            for step in (1..).step_by(2) {
                let at = format!("{} and a link before step {step}", scene.name);
                saved.restore(&sandbox);
                let Some(ran) = with(&sandbox, &call.args, &[step], swap) else {
                    break;
                };
                assert!([0, 1, 3, 4].contains(&ran.status), "{at}: {ran:?}");
                sandbox.sl(&["verify", "--repair"]).ok();
                assert_eq!(
                    fs_err::read_to_string(&victim).unwrap(),
                    "Not yours.\n",
                    "{at}"
                );
                assert_eq!(fs_err::read_link(&path).unwrap(), victim, "{at}: {ran:?}");
                assert_eq!(leftovers(&sandbox), Vec::<String>::new(), "{at}: {ran:?}");
                sandbox.holds();
            }
        }
    }

    /// The skill's folder becomes a link to another one, which nobody writes to.
    #[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
    #[test]
    fn a_folder_that_becomes_a_link_is_never_written_through() {
        for scene in scenes() {
            let sandbox = Sandbox::in_memory();
            let call = scene.prepare(&sandbox);
            let other = sandbox.root().join("user/other");
            fs_err::create_dir_all(other.join("references")).unwrap();
            fs_err::write(other.join("SKILL.md"), "Not yours.\n").unwrap();
            let picture = Tree::of(&other);
            let saved = Saved::of(&sandbox);
            let folder = sandbox.skill_path(SKILL);
            let swap = |_| {
                drop(fs_err::rename(&folder, sandbox.root().join("user/moved")));
                fs_err::os::unix::fs::symlink(&other, &folder).unwrap();
            };
            for step in (1..).step_by(2) {
                let at = format!("{} and a linked folder before step {step}", scene.name);
                saved.restore(&sandbox);
                let Some(ran) = with(&sandbox, &call.args, &[step], swap) else {
                    break;
                };
                assert!([0, 1, 3, 4].contains(&ran.status), "{at}: {ran:?}");
                sandbox.sl(&["verify", "--repair"]).ok();
                assert_eq!(
                    differences(&picture, &Tree::of(&other)),
                    Vec::<String>::new(),
                    "{at}"
                );
                assert_eq!(fs_err::read_link(&folder).unwrap(), other, "{at}");
                sandbox.holds();
            }
        }
    }

    /// A file that grew beyond all measure between kill and recovery is somebody else's too.
    #[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
    #[test]
    fn a_huge_file_between_kill_and_recovery_is_contested() {
        let scene = SCENES[3];
        let sandbox = Sandbox::in_memory();
        let call = scene.prepare(&sandbox);
        let saved = Saved::of(&sandbox);
        let open = (1..).find(|stop: &u64| {
            saved.restore(&sandbox);
            drop(run(
                &sandbox,
                &call,
                &[("LITHERMES_TEST_STOP", &stop.to_string())],
            ));
            crate::crash::is_open(&sandbox)
        });
        assert!(open.is_some());
        let path = sandbox.skill_path(SKILL).join("SKILL.md");
        fs_err::File::create(&path)
            .unwrap()
            .set_len((16 << 20) + 1)
            .unwrap();
        let ran = sandbox.sl(&["verify", "--repair"]).ok();
        assert!(ran.stderr.contains("edited by hand"), "{ran:?}");
        sandbox.holds();
    }
}

/// A lock file of another program on the very branch that the next command must move: only the
/// repair removes it, and it does so before it recovers.
#[test]
fn a_foreign_lock_file_does_not_stop_the_repair() {
    let sandbox = Sandbox::new();
    sandbox.skill("release-notes", "one\n");
    let id = sandbox.propose(&patch("release-notes", "one", "1"));
    let first = sandbox.apply(&id);
    let lock = sandbox.store().join("refs/heads/skills/release-notes.lock");
    fs_err::write(&lock, "somebody else's").unwrap();
    let ran = sandbox.sl(&["rollback", &first]).ok();
    assert!(ran.stderr.contains("release-notes.lock"), "{ran:?}");
    let other = create("other", "Text.\n").to_string();
    let ran = sandbox.run_with(&["skill-loop", "propose", "-"], other.clone());
    assert!(
        ran.exits(5)
            .fails("LOCK_TIMEOUT")
            .stderr
            .contains("verify --repair")
    );
    let ran = sandbox.sl(&["verify", "--repair"]).ok();
    assert!(ran.stderr.contains("release-notes.lock"), "{ran:?}");
    assert!(!lock.exists());
    sandbox
        .run_with(&["skill-loop", "propose", "-"], other)
        .ok();
    let text = fs_err::read_to_string(sandbox.skill_path("release-notes").join("SKILL.md"));
    assert_eq!(text.unwrap(), marked("release-notes", "one\n"));
    sandbox.holds();
}
