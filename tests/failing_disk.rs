//! A disk that is full from some step on: the command fails and says so, or is done and warns;
//! nothing is written without an opening line, and a healthy disk settles the rest.

#![cfg(debug_assertions)]

use crate::crash::{Next, at_every_point, run};
use crate::support::scenes::SCENES;
use crate::support::{Tree, differences};

#[test]
fn full_from_every_step_on() {
    for scene in SCENES {
        let steps = at_every_point(scene, |stage, first| {
            let next = [Next::Propose, Next::Repair][usize::from(first % 2 == 0)];
            let at = format!("{} on a disk full from step {first}", scene.name);
            stage.saved.restore(&stage.sandbox);
            let lines = || fs_err::read_to_string(stage.sandbox.ledger()).unwrap_or_default();
            let before = lines();
            let old = Tree::of(&stage.sandbox.home()).below("skills");
            let failing = [("LITHERMES_TEST_FAIL", first.to_string())];
            let ran = run(
                &stage.sandbox,
                &stage.call,
                &[(failing[0].0, &failing[0].1)],
            );
            let skills = Tree::of(&stage.sandbox.home()).below("skills");
            let changed = differences(&old, &skills);
            let after = lines();
            let written = after
                .strip_prefix(&before)
                .unwrap_or_else(|| panic!("{at}"));
            let approved = written.contains("\"kind\":\"skill.approve\"");
            assert!(
                changed.is_empty() || approved,
                "{at}: {changed:?} without a receipt"
            );
            match ran.status {
                0 => {
                    stage.next(next, &[]).ok();
                    assert!(stage.settled(&at, true), "{at}: said done, {ran:?}");
                }
                1 => {
                    let ran = ran.fails("IO_ERROR");
                    let unchanged = ran.stderr.contains("nothing was changed");
                    assert!(
                        !unchanged || changed.is_empty(),
                        "{at}: {changed:?} {ran:?}"
                    );
                    let pending = ran.stderr.contains("closing entry pending");
                    stage.looks_well(&at);
                    stage.goes_on(next, &at);
                    run(&stage.sandbox, &stage.call, &[]).ok();
                    assert!(stage.settled(&at, true), "{at}: pending {pending}");
                }
                status => panic!("{at}: status {status}: {ran:?}"),
            }
        });
        println!("{}: {steps} points", scene.name);
    }
}
