//! What a lane claims, what the root measures, and what a reviewer makes of it, end to end: a value
//! that does not hold reaches neither knowledge nor best nor report.

use serde_json::json;

use crate::support::held::{BELIEVES, Held};

/// Lane A claims a cost of 1 where the root measures 49; lane B is honest.
const INFLATES: &str = r#"
claimed=49
[ $lane = A ] && claimed=1
claim='{"claim":"cost '$claimed' from lane '$lane'","evidence":"seen","confidence":"high","rows":[0]}'
say ',"candidates":[{"values":{"level":20}}],"measurements":[{"name":"cost","value":"'$claimed'","provenance":"script:cost"}]' "$claim"
"#;

/// A cost that is lucky once: the very first look at level 21 says 2, every later one 64.
const NOISY: &str = r#"#!/bin/sh
read -r line
level=$(printf '%s' "$line" | sed -n 's/.*"level":\([0-9]*\).*/\1/p')
cost=$(( (${level:-0} - 13) * (${level:-0} - 13) ))
if [ "$level" = 21 ] && mkdir "$LUCK" 2>/dev/null; then cost=2; fi
echo $cost
"#;

/// What a person reads names this only with what speaks against it, and no later charter has it as
/// knowledge.
#[track_caller]
fn is_told_nowhere(held: &Held, text: &str) {
    for name in ["synthesis.md", "final_report.md"] {
        for line in held.text(name).lines().filter(|line| line.contains(text)) {
            let against = ["challenged", "overturned", "not reviewed", "| - |"];
            let is_against = against.iter().any(|word| line.contains(word));
            assert!(is_against, "{name}: {line}");
        }
    }
    let plan = held.text("conference.md");
    let (_, knowledge) = plan.split_once("## Shared Knowledge").unwrap();
    let (knowledge, _) = knowledge.split_once("\n## ").unwrap_or((knowledge, ""));
    assert!(!knowledge.contains(text), "{knowledge}");
    for line in held.events() {
        if line["event"] == "knowledge.transferred" {
            let findings = line["payload"]["findings"].to_string();
            assert!(!findings.contains(text), "{findings}");
        }
    }
}

#[test]
fn an_inflated_claim_is_challenged_although_the_reviewer_believes_it() {
    let held = Held::command(&format!("{BELIEVES}{INFLATES}"));
    let ran = held.run().exits(8);
    assert!(
        ran.stdout.contains("not validated by the root"),
        "{}",
        ran.stdout
    );
    let status = held.status();
    let challenged = json!(["r1.A.1#1", "r2.A.1#1"]);
    assert_eq!(status["findings"]["challenged"], challenged);
    assert_eq!(
        status["findings"]["validated"],
        json!(["r1.B.1#1", "r2.B.1#1"])
    );
    assert_eq!(status["stop"]["best"]["value"], 49.0);
    assert_eq!(status["stop"]["best"]["lane"], "B");
    is_told_nowhere(&held, "cost 1 from lane A");
    let table = held.text("conference_results.tsv");
    let row = table
        .lines()
        .find(|line| line.starts_with("1\tA\t1\t"))
        .unwrap();
    let cells: Vec<&str> = row.split('\t').collect();
    assert_eq!(
        (cells[3], cells[9]),
        ("49", "challenged"),
        "the root's value stands"
    );
    let reviews = held.text("peer_review_round_1.md");
    assert!(reviews.contains("claimed 1, measured 49"), "{reviews}");
    held.conference(&["check", "--replay"]).ok();
}

#[test]
fn what_a_reviewer_overturns_counts_for_nothing_however_good_it_is() {
    let child = r#"
case $role in
reviewer) say ',"verdicts":['"$(verdicts overturned)"']' ; exit ;;
esac
at 13"#;
    let held = Held::command(child);
    held.run().exits(8);
    let status = held.status();
    assert_eq!(status["stop"]["target_met"], false);
    assert_eq!(status["stop"]["best"], json!(null));
    assert_eq!(status["findings"]["validated"], json!([]));
    assert_eq!(held.count("conference.converged"), 0);
    is_told_nowhere(&held, "this level is good");
}

/// Lane A measured a lucky value. The root measures it several times and takes the median.
#[test]
fn a_value_that_was_luck_is_not_confirmed_by_the_root() {
    let child = format!("{BELIEVES}\n[ $lane = A ] && at 21 || at 20");
    let held = Held::command_with(&child, |plan| {
        plan.replace(
            "## Constraints",
            "## Noise Handling\n- **Noise runs:** 3\n\n## Constraints",
        ) + "- **Pass environment:** LUCK\n"
    });
    let mut held = held;
    let luck = held.sandbox.root().join("luck");
    held.sandbox.set("LUCK", luck.to_str().unwrap());
    held.program("cost.sh", NOISY);
    held.run().exits(8);
    assert!(luck.is_dir(), "somebody was lucky");
    let all = held.events();
    let lucky = all
        .iter()
        .find(|line| line["payload"]["raw"] == json!([2.0, 64.0, 64.0]));
    assert_eq!(lucky.unwrap()["payload"]["median"], 64.0);
    let status = held.status();
    assert_eq!(status["stop"]["best"]["value"], 49.0, "{status:#}");
    assert!(!held.text("conference_results.tsv").contains("\t2\t"));
}

/// The lane believes its own lucky run and claims it; the re-run does not bear it out.
#[test]
fn a_lucky_claim_is_challenged_by_the_re_run() {
    let child = format!(
        "{BELIEVES}{}",
        INFLATES
            .replace("claimed=1\n", "claimed=2\n")
            .replace("\"level\":20", "\"level\":21")
            .replace("claimed=49", "claimed=64")
    );
    let held = Held::command(&child);
    held.run().exits(8);
    let status = held.status();
    assert_eq!(
        status["findings"]["challenged"],
        json!(["r1.A.1#1", "r2.A.1#1"])
    );
    assert_eq!(status["stop"]["best"]["value"], 64.0);
    is_told_nowhere(&held, "cost 2 from lane A");
}

#[test]
fn the_local_reviewer_measures_again_and_a_lucky_best_falls() {
    let mut held = Held::local();
    let luck = held.sandbox.root().join("luck");
    held.sandbox.set("LUCK", luck.to_str().unwrap());
    // Every first look at a level is lucky: it costs nothing.
    held.program(
        "cost.sh",
        r#"#!/bin/sh
read -r line
level=$(printf '%s' "$line" | sed -n 's/.*"level":\([0-9]*\).*/\1/p')
mkdir -p "$LUCK"
if [ -n "$level" ] && mkdir "$LUCK/$level" 2>/dev/null; then echo 0; else echo 50; fi
"#,
    );
    let plan = held.text("conference.md");
    fs_err::write(
        held.path("conference.md"),
        plan + "- **Pass environment:** LUCK\n",
    )
    .unwrap();
    held.run().exits(8);
    let status = held.status();
    assert_eq!(status["stop"]["target_met"], false, "{status:#}");
    assert_eq!(held.count("conference.converged"), 0);
    assert!(
        held.text("conference_results.tsv").contains("\t0\t"),
        "somebody was lucky"
    );
    let best = &status["stop"]["best"]["value"];
    assert_ne!(best, &json!(0.0));
    let challenged = status["findings"]["challenged"].as_array().unwrap().len();
    let overturned = status["findings"]["overturned"].as_array().unwrap().len();
    assert!(challenged + overturned > 0, "{status:#}");
}

#[test]
fn a_reviewer_that_is_too_late_blocks_the_transfer_and_the_conference_goes_on() {
    let child = "case $role in\nreviewer) exec sleep 1000 ;;\nesac\nat 13";
    let held = Held::command_with(child, |plan| plan.replace("timeout:** 1m", "timeout:** 1s"));
    held.run().exits(8);
    let status = held.status();
    assert_eq!(status["round"], 2, "it went on");
    assert_eq!(
        status["stop"]["target_met"], false,
        "nobody reviewed what met it"
    );
    assert_eq!(status["stop"]["best"], json!(null));
    let all = held.events();
    let of = |event: &str| {
        all.iter()
            .filter(|line| line["event"] == event)
            .collect::<Vec<_>>()
    };
    assert!(
        of("round.peer_review")
            .iter()
            .all(|line| line["payload"]["reviewed"] == false)
    );
    for line in of("knowledge.transferred") {
        assert_eq!(line["payload"]["findings"], json!([]));
        let withheld = line["payload"]["withheld"].as_array().unwrap();
        assert_eq!(withheld.len(), 2);
        assert!(withheld.iter().all(|one| one["reason"] == "not reviewed"));
    }
    assert_eq!(of("verdict.recorded").len(), 0);
    let table = held.text("conference_results.tsv");
    let verdicts = table
        .lines()
        .skip(1)
        .map(|line| line.split('\t').nth(9).unwrap());
    assert!(
        verdicts.into_iter().all(|verdict| verdict == "-"),
        "{table}"
    );
    is_told_nowhere(&held, "this level is good");
    held.conference(&["check", "--replay"]).ok();
}
