//! A disk that is full from one system call on: the old bytes, or the new ones under a durable
//! opening line that the next command closes.

use crate::support::scenarios::{self as s, Prepare, Scenario};
use crate::support::{Tree, differences};

fn survives(prepare: Prepare) {
    let scenario = Scenario::new(prepare);
    let old = scenario.skills();
    let count = scenario.steps().len();
    let new = scenario.skills();
    for number in 1..=count {
        let place = format!("the disk is full from step {number} on");
        scenario.restore();
        let lines = ledger(&scenario).len();
        let ran = scenario.run(Some(("LITHERMES_TEST_FAIL", &number.to_string())));
        assert!(
            ran.status == 0 || ran.status == 1,
            "{place}: {} {}",
            ran.status,
            ran.stderr
        );
        if ran.status == 1 {
            assert!(
                ran.stderr.contains("error[IO_ERROR]"),
                "{place}: {}",
                ran.stderr
            );
        }
        paired(&scenario, lines, &old, &new, &place);
        let again = scenario.run(None);
        assert_eq!(again.status, 0, "{place}: {}", again.stderr);
        assert_eq!(
            differences(&new, &scenario.skills()),
            Vec::<String>::new(),
            "{place}"
        );
        scenario.sandbox.holds();
    }
}

/// Never a receipt without its write, never a write without an opening line.
fn paired(scenario: &Scenario, lines: usize, old: &Tree, new: &Tree, place: &str) {
    let fresh = ledger(scenario).split_off(lines);
    let has = |kind: &str| {
        fresh
            .iter()
            .any(|line| line.contains(&format!("\"kind\":\"{kind}\"")))
    };
    let now = scenario.skills();
    if has("skill.apply") || has("skill.rollback") {
        let files: Vec<String> = differences(new, &now)
            .into_iter()
            .filter(|line| !line.contains(".lithermes-"))
            // Emptied directories go after the receipt.
            .filter(|line| !line.starts_with('+') || line.contains('.'))
            .collect();
        assert_eq!(
            files,
            Vec::<String>::new(),
            "{place}: a receipt without its write"
        );
    } else if !has("skill.approve") {
        assert_eq!(
            differences(old, &now),
            Vec::<String>::new(),
            "{place}: no opening line"
        );
    }
}

fn ledger(scenario: &Scenario) -> Vec<String> {
    let text = fs_err::read_to_string(scenario.sandbox.ledger()).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(str::to_owned).collect()
}

#[test]
fn propose_on_a_full_disk() {
    survives(s::propose);
}

#[test]
fn apply_of_a_create_on_a_full_disk() {
    survives(s::apply_create);
}

#[test]
fn apply_of_several_edits_on_a_full_disk() {
    survives(s::apply_patch);
}

#[test]
fn apply_of_a_support_file_on_a_full_disk() {
    survives(s::apply_support_file);
}

#[test]
fn reject_on_a_full_disk() {
    survives(s::reject);
}

#[test]
fn rollback_of_a_create_on_a_full_disk() {
    survives(s::rollback_create);
}
