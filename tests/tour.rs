//! `tour`: what the README's first command runs.

use crate::support::{Sandbox, differences};

#[test]
fn tour_ends_well_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ran = sandbox.run(&["tour"]).ok();
    assert_eq!(ran.stderr, "");
    for step in [
        "observe --signal coverage-gap",
        "review | sed",
        "propose create.json",
        "list",
        "apply p-",
        "rollback l-",
        "log",
        "verify",
    ] {
        assert!(
            ran.stdout
                .contains(&format!("$ lithermes skill-loop {step}")),
            "{step}"
        );
    }
    assert!(ran.stdout.contains("error[ROLLBACK_CAS_MISMATCH]"));
    for part in [
        "$ lithermes conference check upload",
        "$ lithermes conference run upload --approve ",
        "\nround 2 ended, best validated ",
        "\nCONVERGED\n",
        "stop        CONVERGED",
        "conference.approve",
    ] {
        assert!(ran.stdout.contains(part), "{part}");
    }
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn tour_speaks_json() {
    let sandbox = Sandbox::new();
    let document = sandbox.run(&["tour", "--json"]).ok().json();
    let steps = document["steps"].as_array().unwrap();
    let refused = steps.iter().filter(|step| step["exit"] == 4).count();
    assert_eq!(refused, 1, "{document:#}");
}
