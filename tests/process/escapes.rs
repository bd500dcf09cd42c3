//! Whatever a child leaves behind is ended: no canary is ever written.

use lithermes::process::{Cancel, Descendants, Ended, run};

use crate::support::place::{LONG, Place, SHORT, SLACK};

/// Each leaves somebody behind who would write a file later.
const LEFT_BEHIND: [(&str, &str); 6] = [
    ("a grandchild", "(sleep 100; echo late >$HERE/canary) &"),
    (
        "in its own session",
        "setsid sh -c 'sleep 100; echo late >$HERE/canary' &",
    ),
    (
        "deaf to the request",
        "setsid sh -c \"trap '' TERM HUP; sleep 100; echo late >\\$HERE/canary\" &",
    ),
    (
        "twice removed",
        "setsid sh -c 'setsid sh -c \"sleep 100; echo late >\\$HERE/canary\" & exit 0' &",
    ),
    (
        "without open files",
        "setsid sh -c 'exec <&- >&- 2>&-; sleep 100; echo late >$HERE/canary' &",
    ),
    (
        "without a name",
        "env -i HERE=\"$HERE\" setsid sh -c 'sleep 100; echo late >$HERE/canary' &",
    ),
];

#[test]
fn a_good_answer_counts_and_whoever_outlives_it_is_ended() {
    for (what, script) in LEFT_BEHIND {
        let place = Place::new();
        let script = format!("{script} echo answer; exit 0");
        let finished = place.run(&place.sh(&script, LONG));
        assert_eq!(finished.ended, Ended::Exited(0), "{what}");
        assert_eq!(finished.stdout, b"answer\n", "{what}");
        assert!(finished.outlived, "{what}");
        assert!(!place.path("canary").exists());
    }
}

#[test]
fn at_the_deadline_everybody_is_ended() {
    for (what, script) in LEFT_BEHIND {
        let place = Place::new();
        let script = format!("trap '' TERM; {script} while :; do sleep 100; done");
        let finished = place.run(&place.sh(&script, SHORT));
        assert_eq!(finished.ended, Ended::Deadline, "{what}");
        assert!(!place.path("canary").exists());
    }
}

#[test]
fn a_deep_family_is_ended_to_the_last() {
    let place = Place::new();
    let script = "n=$1; [ $n -gt 0 ] && setsid sh -c \"$0\" \"$0\" $((n - 1)) & exec sleep 100000";
    let job = place.job(&["/bin/sh", "-c", script, script, "30"], SHORT);
    assert_eq!(place.run(&job).ended, Ended::Deadline);
}

/// A chain: each process starts the next one in a session of its own, and dies.
#[test]
fn a_family_that_always_moves_on_is_caught() {
    let place = Place::new();
    let script = "trap '' TERM; setsid sh -c \"$0\" \"$0\" & exit 0";
    let job = place.job(&["/bin/sh", "-c", script, script], LONG);
    assert_eq!(place.run(&job).ended, Ended::Exited(0));
}

#[test]
fn a_child_that_kills_the_process_above_it_gains_nothing() {
    let place = Place::new();
    let script =
        "setsid sh -c 'sleep 100; echo late >$HERE/canary' & kill -KILL $PPID; exec sleep 100000";
    let finished = run(&place.sh(script, LONG), &Cancel::new().unwrap());
    assert_eq!(finished.ended.reason(), "lost", "{finished:?}");
    let Descendants::NotProvable(_) = &finished.descendants else {
        panic!("{finished:?}");
    };
    place.is_empty(&finished);
    assert!(finished.took < SLACK);
}

#[test]
fn a_child_that_asks_the_process_above_it_to_end_is_ended_too() {
    let place = Place::new();
    for signal in ["TERM", "INT", "HUP"] {
        let script = format!("setsid sleep 100000 & kill -{signal} $PPID; exec sleep 100000");
        let finished = place.run(&place.sh(&script, LONG));
        assert_eq!(finished.ended.reason(), "lost", "{finished:?}");
        assert!(finished.took < SLACK);
    }
}

#[test]
fn a_child_that_stops_the_process_above_it_meets_its_deadline_all_the_same() {
    let place = Place::new();
    let finished = place.run(&place.sh("kill -STOP $PPID; exec sleep 100000", SHORT));
    assert_eq!(finished.ended, Ended::Deadline);
    // Again and again: then the root does it.
    let script = "trap '' TERM; while :; do kill -STOP $PPID; done";
    let finished = run(&place.sh(script, SHORT), &Cancel::new().unwrap());
    assert_eq!(finished.ended, Ended::Deadline);
    assert!(finished.took < SHORT + SLACK, "{finished:?}");
    place.is_empty(&finished);
}

/// The pipe of its output is in a stranger's hands: nobody waits for that.
#[test]
fn an_output_that_never_closes_is_not_waited_for() {
    let place = Place::new();
    let fifo = place.fifo("held");
    let script = "exec 3<>$HERE/held; echo answer; echo $$ >&3; exec sleep 100000";
    let cancel = Cancel::new().unwrap();
    let job = place.sh(script, LONG);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| place.run_until(&job, &cancel));
        let mut line = String::new();
        let mut reader = std::io::BufReader::new(fs_err::File::open(&fifo).unwrap());
        std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
        // Opened through /proc, the pipe has one more writer, who is no descendant.
        let stranger = fs_err::OpenOptions::new()
            .write(true)
            .open(format!("/proc/{}/fd/1", line.trim()))
            .unwrap();
        cancel.request();
        let finished = running.join().unwrap();
        assert_eq!(finished.ended, Ended::Cancelled);
        assert_eq!(finished.stdout, b"answer\n");
        drop(stranger);
    });
}
