//! The root dies, of the worst that can happen to it.

use std::process::{Command, Stdio};

use lithermes::process::{Cancel, run};

use crate::support::place::{LONG, Place, SLACK, die_within};

const SCRIPT: &str = "LITHERMES_TEST_SCRIPT";

/// No test of its own: the process that [`whoever_kills_the_root_ends_its_children`] kills.
#[test]
#[ignore = "the root of another test"]
fn a_root_with_one_child() {
    let Some(script) = std::env::var_os(SCRIPT) else {
        return;
    };
    let place = Place::new();
    let mut job = place.sh(script.to_str().unwrap(), LONG);
    for name in ["LITHERMES_TEST_MARK", "TMPDIR", "HERE"] {
        job.environment
            .insert(name.into(), std::env::var_os(name).unwrap());
    }
    run(&job, &Cancel::new().unwrap());
}

/// Starts [`a_root_with_one_child`], whose child runs the script.
fn root(place: &Place, script: String) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "process::root::a_root_with_one_child",
            "--ignored",
        ])
        .env(SCRIPT, script)
        .env("LITHERMES_TEST_MARK", &place.mark)
        .env("TMPDIR", place.path("tmp"))
        .env("HERE", place.path(""))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn whoever_kills_the_root_ends_its_children() {
    for left in [
        "",
        "setsid sh -c 'sleep 100; echo late >$HERE/canary' &",
        "trap '' TERM HUP; setsid sh -c \"trap '' TERM; sleep 100; echo late >\\$HERE/canary\" &",
        "kill -STOP $$;",
    ] {
        let place = Place::new();
        let fifo = place.fifo("begun");
        let script = format!("(echo >$HERE/begun) & {left} while :; do sleep 100; done");
        let mut root = root(&place, script);
        fs_err::read(&fifo).unwrap();
        let held = place.held();
        assert!(
            held.len() >= 3,
            "root, shim and child: {:?}",
            place.living()
        );
        root.kill().unwrap();
        die_within(&held, SLACK);
        root.wait().unwrap();
        assert_eq!(place.living(), Vec::<String>::new(), "{left}");
        assert!(!place.path("canary").exists());
        let left_over = fs_err::read_dir(place.path("tmp")).unwrap();
        let children: Vec<_> = left_over
            .filter_map(|one| one.unwrap().file_name().into_string().ok())
            .filter(|name| name.starts_with("lithermes-child-"))
            .collect();
        assert_eq!(
            children,
            Vec::<String>::new(),
            "the shim removes the folder"
        );
    }
}

#[test]
fn whoever_types_the_name_of_the_shim_is_told_that_nobody_should() {
    let sandbox = crate::support::Sandbox::new();
    let before = sandbox.tree();
    let order = ["--stdin-bytes=0", "--time-ms=1", "--", "/bin/echo"];
    let typed = [&["host-child"], &order[..]].concat();
    let ran = sandbox.run(&typed).exits(2).fails("USAGE");
    assert_eq!(ran.stdout, "");
    let ran = sandbox.run(&["host-child", "--no-such-flag"]).exits(2);
    assert_eq!(ran.stdout, "");
    assert!(crate::support::differences(&before, &sandbox.tree()).is_empty());
    let help = sandbox.run(&["--help"]).ok();
    assert!(!help.stdout.contains("host-child"));
}

/// What [`a_root_with_one_child`] began loses root and shim in one go: the child goes too.
#[test]
fn whoever_kills_root_and_shim_at_once_ends_the_child() {
    for does in [
        "trap '' TERM HUP PIPE; while :; do echo more >&2; done",
        "exec cat /dev/zero >&2",
        "kill -STOP $$",
    ] {
        let place = Place::new();
        let fifo = place.fifo("begun");
        let script = format!("echo $PPID >$HERE/begun; {does}");
        let mut root = root(&place, script);
        let shim = fs_err::read_to_string(&fifo).unwrap();
        let shim = rustix::process::Pid::from_raw(shim.trim().parse().unwrap()).unwrap();
        let held = place.held();
        assert!(held.len() >= 3, "{:?}", place.living());
        // The shim sees the root go at once: it must not have the time to act on it.
        rustix::process::kill_process(shim, rustix::process::Signal::STOP).unwrap();
        root.kill().unwrap();
        rustix::process::kill_process(shim, rustix::process::Signal::KILL).unwrap();
        die_within(&held, SLACK);
        root.wait().unwrap();
        assert_eq!(place.living(), Vec::<String>::new(), "{does}");
    }
}
