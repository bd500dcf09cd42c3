//! Somebody asks to stop.

use lithermes::process::{Cancel, Ended};

use crate::support::place::{LONG, Place, SLACK};

#[test]
fn a_child_is_ended_in_the_middle() {
    let place = Place::new();
    let fifo = place.fifo("begun");
    let job = place.sh(
        "trap '' TERM; echo half; echo >$HERE/begun; while :; do sleep 100; done",
        LONG,
    );
    let cancel = Cancel::new().unwrap();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| place.run_until(&job, &cancel));
        fs_err::read(&fifo).unwrap();
        let asked = std::time::Instant::now();
        cancel.request();
        let finished = running.join().unwrap();
        assert_eq!(finished.ended, Ended::Cancelled);
        assert_eq!(finished.stdout, b"half\n");
        assert!(asked.elapsed() < SLACK);
    });
}

#[test]
fn one_request_ends_everybody_and_nobody_begins_after_it() {
    let place = Place::new();
    let fifo = place.fifo("begun");
    let job = place.sh("echo >$HERE/begun; exec sleep 100000", LONG);
    let cancel = Cancel::new().unwrap();
    std::thread::scope(|scope| {
        let begin = || lithermes::process::run(&job, &cancel);
        let running: Vec<_> = (0..8).map(|_| scope.spawn(begin)).collect();
        let mut begun = 0;
        while begun < running.len() {
            begun += fs_err::read(&fifo).unwrap().len();
        }
        let asked = std::time::Instant::now();
        cancel.request();
        for one in running {
            let finished = one.join().unwrap();
            assert_eq!(finished.ended, Ended::Cancelled);
        }
        assert!(asked.elapsed() < SLACK);
    });
    let late = place.sh("touch $HERE/canary", LONG);
    assert_eq!(place.run_until(&late, &cancel).ended, Ended::Cancelled);
    assert!(!place.path("canary").exists());
}
