//! The root dies, of the worst that can happen to it.

use std::process::{Command, Stdio};

use lithermes::process::{Cancel, run};

use super::scene::{LONG, SLACK, Scene, die_within};

const SCRIPT: &str = "LITHERMES_TEST_SCRIPT";

/// No test of its own: the process that [`whoever_kills_the_root_ends_its_children`] kills.
#[test]
#[ignore = "the root of another test"]
fn a_root_with_one_child() {
    let Some(script) = std::env::var_os(SCRIPT) else {
        return;
    };
    let scene = Scene::new();
    let mut job = scene.sh(script.to_str().unwrap(), LONG);
    for name in ["LITHERMES_TEST_MARK", "TMPDIR", "HERE"] {
        job.environment
            .insert(name.into(), std::env::var_os(name).unwrap());
    }
    run(&job, &Cancel::new().unwrap());
}

#[test]
fn whoever_kills_the_root_ends_its_children() {
    for left in [
        "",
        "setsid sh -c 'sleep 100; echo late >$HERE/canary' &",
        "trap '' TERM HUP; setsid sh -c \"trap '' TERM; sleep 100; echo late >\\$HERE/canary\" &",
        "kill -STOP $$;",
    ] {
        let scene = Scene::new();
        let fifo = scene.fifo("begun");
        let script = format!("(echo >$HERE/begun) & {left} while :; do sleep 100; done");
        let mut root = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "process::root::a_root_with_one_child",
                "--ignored",
            ])
            .env(SCRIPT, script)
            .env("LITHERMES_TEST_MARK", &scene.mark)
            .env("TMPDIR", scene.path("tmp"))
            .env("HERE", scene.path(""))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        fs_err::read(&fifo).unwrap();
        let held = scene.held();
        assert!(
            held.len() >= 3,
            "root, shim and child: {:?}",
            scene.living()
        );
        root.kill().unwrap();
        die_within(&held, SLACK);
        root.wait().unwrap();
        assert_eq!(scene.living(), Vec::<String>::new(), "{left}");
        assert!(!scene.path("canary").exists());
        let left_over = fs_err::read_dir(scene.path("tmp")).unwrap();
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
