//! `conference check --replay`: everything is compared with what the events say, every difference
//! has its place, and nothing is written.

use serde_json::{Value, json};

use crate::support::held::{BELIEVES, Held};
use crate::support::{Ran, Sandbox, differences};

/// Runs `check --replay` and proves that no byte of the disk changed.
#[track_caller]
fn replay(held: &Held, args: &[&str]) -> Ran {
    let before = held.sandbox.tree();
    let ran = held.conference(&[&["check", "--replay"], args].concat());
    let after = held.sandbox.tree();
    assert_eq!(differences(&before, &after), Vec::<String>::new());
    ran
}

/// A conference that ended.
fn over() -> Held {
    let held = Held::local();
    let ran = held.run();
    assert!([0, 8].contains(&ran.status), "{ran:?}");
    held
}

/// The differences that are found after `change`.
#[track_caller]
fn found(change: impl Fn(&Held)) -> Vec<Value> {
    let held = over();
    change(&held);
    let ran = replay(&held, &["--json"]).exits(4);
    let text = replay(&held, &[]).exits(4);
    text.fails("BLOCKED_STALE_CONFERENCE_STATE");
    assert_eq!(ran.json()["ok"], false);
    let found = ran.json()["replay"]["differences"].clone();
    found.as_array().unwrap().clone()
}

/// Exactly one difference, in this file.
#[track_caller]
fn only(file: &str, change: impl Fn(&Held)) -> Value {
    let all = found(change);
    let [one] = &all[..] else {
        panic!("{all:#?}");
    };
    assert_eq!(one["file"], file, "{one:#}");
    assert_ne!(one["expected"], one["found"], "{one:#}");
    one.clone()
}

/// A file of `packets/` that an event of this kind names.
fn packet(held: &Held, event: &str, field: &str) -> String {
    let all = held.events();
    let line = all.iter().find(|line| line["event"] == event).unwrap();
    format!("packets/{}.json", line["payload"][field].as_str().unwrap())
}

#[test]
fn a_run_that_ended_is_what_its_events_say() {
    let held = over();
    let document = replay(&held, &["--json"]).ok().json();
    let replayed = &document["replay"];
    assert_eq!(replayed["differences"], json!([]));
    assert_eq!(replayed["notes"], json!([]));
    assert_eq!(replayed["legacy"], false);
    assert_eq!(replayed["events"], held.events().len());
    let rounds = document["rounds"].as_array().unwrap();
    assert_eq!(replayed["seals"], rounds.len() + 1);
    let status = held.status();
    let last = rounds.last().unwrap();
    for (key, of_stop) in [
        ("stop_code", "code"),
        ("target_met", "target_met"),
        ("plateau", "plateau"),
        ("stalled", "stalled"),
        ("budget_hit", "budget_hit"),
    ] {
        assert_eq!(last[key], status["stop"][of_stop], "{key}");
    }
    assert_eq!(last["decision"], "stop");
    assert!(
        rounds
            .iter()
            .rev()
            .skip(1)
            .all(|one| one["decision"] == "continue")
    );
    let text = replay(&held, &[]).ok();
    assert!(text.stdout.contains("\nROUND  BEST"), "{}", text.stdout);
    assert!(text.stdout.contains("\nReplayed "), "{}", text.stdout);
    // What the root found before it claimed the end is of the same replay.
    let check = status["stop"]["check"].as_str().unwrap().to_owned();
    assert!(check.ends_with("artifacts: the same"), "{check}");
}

#[test]
fn a_changed_row_is_named_with_its_line() {
    let one = only("conference_results.tsv", |held| {
        held.edit("conference_results.tsv", "\tbaseline\t", "\tkept\t");
    });
    assert_eq!(one["line"], 2);
    assert!(one["expected"].as_str().unwrap().contains("\tbaseline\t"));
    assert!(one["found"].as_str().unwrap().contains("\tkept\t"));
    let one = only("researcher_A_results.tsv", |held| {
        let text = held.text("researcher_A_results.tsv");
        fs_err::write(held.path("researcher_A_results.tsv"), text + "more\n").unwrap();
    });
    assert!(one["line"].as_u64().unwrap() > 2);
}

#[test]
fn an_artifact_that_was_changed_or_is_gone_is_named() {
    only("synthesis.md", |held| held.edit("synthesis.md", "#", "##"));
    let one = only("final_report.md", |held| {
        fs_err::remove_file(held.path("final_report.md")).unwrap();
    });
    assert_eq!(one["found"], "nothing");
}

#[test]
fn a_charter_or_a_packet_that_is_another_is_named() {
    let held = over();
    let charter = packet(&held, "dispatch.issued", "charter_digest");
    fs_err::write(held.path(&charter), "{}").unwrap();
    let document = replay(&held, &["--json"]).exits(4).json();
    let all = document["replay"]["differences"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(all[0]["file"], charter);
    let accepted = packet(&held, "packet.accepted", "digest");
    fs_err::remove_file(held.path(&accepted)).unwrap();
    let document = replay(&held, &["--json"]).exits(4).json();
    let all = document["replay"]["differences"].as_array().unwrap();
    let files: Vec<&str> = all
        .iter()
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    // What cannot be read back stops the replay at the line that names it.
    assert_eq!(files, ["conference_events.jsonl", &charter, &accepted]);
}

#[test]
fn an_edited_history_is_named_with_its_line() {
    let one = only("conference_events.jsonl", |held| {
        held.edit(
            "conference_events.jsonl",
            "\"mode\":\"metric\"",
            "\"mode\":\"other\"",
        );
    });
    assert_eq!(one["line"], 2);
    // One that is spelled well is caught by what the ledger sealed.
    let all = found(|held| {
        let mut lines = held.events();
        lines[1]["payload"]["goal"] = json!("another goal");
        let text = held.text("conference_events.jsonl");
        let mut texts: Vec<String> = text.lines().map(str::to_owned).collect();
        let line: lithermes::engine::event::Line =
            serde_json::from_value(lines[1].clone()).unwrap();
        let first: lithermes::engine::event::Line =
            serde_json::from_value(lines[0].clone()).unwrap();
        let before = Some((first.seq, first.timestamp));
        let forged = lithermes::engine::event::Line::following(before, line.event, line.timestamp);
        texts[1] = serde_json::to_string(&forged).unwrap();
        fs_err::write(
            held.path("conference_events.jsonl"),
            texts.join("\n") + "\n",
        )
        .unwrap();
    });
    let sealed = |one: &Value| one["what"].as_str().unwrap().contains("the ledger sealed");
    assert!(all.iter().all(sealed), "{all:#?}");
    assert!(all.len() >= 2);
}

#[test]
fn an_end_that_was_cut_off_is_found() {
    let all = found(|held| {
        let text = held.text("conference_events.jsonl");
        let last = text.trim_end().rfind('\n').unwrap() + 1;
        fs_err::write(held.path("conference_events.jsonl"), &text[..last]).unwrap();
    });
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(all[0]["found"], "fewer lines");
}

#[test]
fn changed_conditions_and_a_changed_evaluator_are_found() {
    let all = found(|held| held.edit("conference.md", "least cost", "most cost"));
    let whats: Vec<&str> = all
        .iter()
        .map(|one| one["what"].as_str().unwrap())
        .collect();
    assert_eq!(
        whats,
        ["what may not change since the approval", "the file"],
        "{all:#?}"
    );
    let one = only("./cost.sh", |held| held.edit("cost.sh", "13", "14"));
    assert_eq!(one["what"], "the file of the evaluator");
}

#[test]
fn an_approval_that_no_ledger_knows_is_found() {
    let held = over();
    fs_err::remove_file(held.sandbox.ledger()).unwrap();
    let document = replay(&held, &["--json"]).exits(4).json();
    assert_eq!(document["replay"]["differences"][0]["file"], "ledger");
    fs_err::remove_dir_all(held.sandbox.home().join("lithermes")).unwrap();
    let document = replay(&held, &["--json"]).ok().json();
    let note = document["replay"]["notes"][0].as_str().unwrap().to_owned();
    assert!(note.starts_with("this home has no ledger"), "{note}");
}

#[test]
fn the_ledger_is_proved_from_its_first_line() {
    let held = Held::local();
    held.approve();
    held.edit("conference.md", "# Conference: ", "# Conference: Another, ");
    let ran = held.run();
    assert!([0, 8].contains(&ran.status), "{ran:?}");
    replay(&held, &[]).ok();
    let path = held.sandbox.ledger();
    let text = fs_err::read_to_string(&path).unwrap();
    fs_err::write(
        &path,
        text.replacen("conference.approve", "conference.Approve", 1),
    )
    .unwrap();
    let document = replay(&held, &["--json"]).exits(4).json();
    let found = &document["replay"]["differences"][0];
    assert_eq!(
        (&found["file"], &found["line"]),
        (&json!("ledger"), &json!(1)),
        "{found:#}"
    );
}

#[test]
fn the_repository_s_head_is_compared() {
    let held = Held::local();
    let git = |args: &[&str]| {
        let mut git = held.sandbox.process("git");
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        assert!(git.args(who).args(args).output().unwrap().status.success());
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "one"]);
    let ran = held.run();
    assert!([0, 8].contains(&ran.status), "{ran:?}");
    replay(&held, &[]).ok();
    git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    let document = replay(&held, &["--json"]).exits(4).json();
    let one = &document["replay"]["differences"][0];
    assert_eq!(
        (&one["file"], &one["line"]),
        (&json!("repository"), &Value::Null)
    );
    assert_eq!(one["expected"].as_str().unwrap().len(), 40);
}

#[test]
fn the_root_asks_the_same_before_it_claims_an_end() {
    for (change, what) in [
        (
            "echo more >>peer_review_round_1.md",
            "peer_review_round_1.md",
        ),
        (
            "echo >>cost.sh",
            "not what was approved and recorded: evaluator",
        ),
    ] {
        let child = format!("{BELIEVES}\n[ $round = 2 ] && (cd '$ROOT' && {change})\nat 20");
        let held = Held::command(&child);
        let root = held.sandbox.work();
        let head = held.text("child.sh");
        held.program("child.sh", &head.replace("$ROOT", root.to_str().unwrap()));
        let ran = held.run().exits(4);
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
        assert_eq!(held.count("conference.completed"), 0);
        assert_eq!(held.status()["stop"]["code"], Value::Null);
    }
}

#[test]
fn where_nothing_was_begun_there_is_nothing_to_replay() {
    let held = Held::local();
    let ran = replay(&held, &[]).exits(1);
    ran.fails("NOT_FOUND");
    fs_err::write(held.path("conference_events.jsonl"), "no event\n").unwrap();
    let document = replay(&held, &["--json"]).exits(4).json();
    assert_eq!(document["replay"]["differences"][0]["line"], 1);
}

const OLD_PLAN: &str = include_str!("support/old_run.md");
const OLD_EVENTS: &str =
    include_str!("../src/conference/history/tests/run/conference_events.jsonl");
const OLD_RESULTS: &str =
    include_str!("../src/conference/history/tests/run/conference_results.tsv");

/// A run of the first days, without receipts.
fn old() -> Held {
    let held = Held::with(OLD_PLAN);
    fs_err::remove_file(held.path("cost.sh")).unwrap();
    fs_err::write(held.path("conference_events.jsonl"), OLD_EVENTS).unwrap();
    fs_err::write(held.path("conference_results.tsv"), OLD_RESULTS).unwrap();
    fs_err::write(held.path("synthesis.md"), "# Done\n").unwrap();
    held
}

#[test]
fn an_old_run_is_decided_by_both_orders() {
    let held = old();
    let document = replay(&held, &["--json"]).ok().json();
    assert_eq!(document["replay"]["legacy"], true);
    assert_eq!(document["replay"]["events"], 28);
    let rounds = document["rounds"].as_array().unwrap();
    let figure = |key: &str| {
        rounds
            .iter()
            .map(|one| one[key].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(figure("best"), [48.0, 91.2, 91.2]);
    let mean = |one: &Value| format!("{:.3}", one["mean"].as_f64().unwrap());
    let means: Vec<String> = rounds.iter().map(mean).collect();
    assert_eq!(means, ["34.667", "73.267", "91.183"]);
    assert_eq!(figure("decision"), ["continue", "stop", "stop"]);
    let codes = [json!(null), json!("BUDGET_STOP"), json!("BUDGET_STOP")];
    assert_eq!(figure("stop_code"), codes);
    let codes = [json!(null), json!("CONVERGED"), json!("CONVERGED")];
    assert_eq!(figure("target_first"), codes);
    let codes = [json!(null), json!("CONVERGED"), json!("BUDGET_STOP")];
    assert_eq!(figure("time_ignored"), codes);
    assert_eq!(figure("target_met"), [false, true, true]);
    assert_eq!(rounds[1]["budget_hit"], json!(["time"]));
    let text = replay(&held, &[]).ok().stdout;
    assert!(
        text.ends_with("Read 28 events of a run without receipts.\n"),
        "{text}"
    );
}

#[test]
fn an_old_run_s_results_are_held_against_its_events() {
    let held = old();
    held.edit("conference_results.tsv", "26.5\t+6.5", "29.5\t+9.5");
    held.edit(
        "conference_events.jsonl",
        "{\"event\": \"round.1.completed\"",
        "{torn",
    );
    let document = replay(&held, &["--json"]).exits(4).json();
    let all = document["replay"]["differences"].as_array().unwrap();
    assert_eq!(all.len(), 2, "{all:#?}");
    assert_eq!((&all[0]["line"], &all[1]["line"]), (&json!(11), &json!(3)));
    assert_eq!(all[1]["expected"], "29.5, kept");
    assert_eq!(all[1]["found"], "26.5, kept");
}

#[test]
fn status_tells_of_an_old_run_what_can_be_told() {
    let held = old();
    let before = held.sandbox.tree();
    let status = held.status();
    assert_eq!(status["state"], "LEGACY");
    assert_eq!(
        (&status["rows"], &status["events"]),
        (&json!(24), &json!(28))
    );
    assert_eq!(
        (&status["round"], &status["max_rounds"]),
        (&json!(3), &json!(3))
    );
    let best = json!({"value": 91.2, "lane": "A", "round": 2, "iteration": 2});
    assert_eq!(status["stop"]["best"], best);
    assert_eq!(
        status["stop"]["code"],
        Value::Null,
        "nobody recorded an end"
    );
    assert_eq!(status["stop"]["target_met"], true);
    assert_eq!(
        status["outputs"],
        json!(["conference_results.tsv", "synthesis.md"])
    );
    assert_eq!(
        status["read"],
        json!(["synthesis.md", "conference_events.jsonl"])
    );
    let next = status["next_action"].as_str().unwrap().to_owned();
    assert!(next.contains("no receipts"), "{next}");
    let text = held.conference(&["status"]).ok().stdout;
    assert!(text.contains("state       LEGACY\n"), "{text}");
    assert_eq!(
        differences(&before, &held.sandbox.tree()),
        Vec::<String>::new()
    );
    held.conference(&["cancel"])
        .exits(6)
        .fails("LEGACY_UNRECEIPTED");
}

/// The run that the specification measured, where its folder is named by `LITHERMES_REAL_RUN`.
#[test]
fn the_measured_run_comes_to_the_measured_figures() {
    let Some(folder) = std::env::var_os("LITHERMES_REAL_RUN") else {
        return;
    };
    let sandbox = Sandbox::new();
    let root = folder.to_str().unwrap();
    let ran = sandbox.run(&["conference", "check", root, "--replay", "--json"]);
    let document = ran.ok().json();
    assert_eq!(document["replay"]["differences"], json!([]));
    assert_eq!(document["replay"]["events"], 37);
    let rounds = document["rounds"].as_array().unwrap();
    let told = |one: &Value| {
        let mean = one["mean"].as_f64().unwrap();
        let word = |key: &str| one[key].as_str().unwrap_or("continue").to_owned();
        let codes = ["stop_code", "target_first", "time_ignored"].map(word);
        (
            format!("{} {mean:.3} {}", one["best"], codes.join(" ")),
            one["target_met"] == true,
        )
    };
    let told: Vec<_> = rounds.iter().map(told).collect();
    let expected = [
        ("65.0 46.958 continue continue continue", false),
        ("99.9 83.500 BUDGET_STOP CONVERGED CONVERGED", true),
        ("99.9 99.889 BUDGET_STOP CONVERGED BUDGET_STOP", true),
    ];
    assert_eq!(told, expected.map(|(text, met)| (text.to_owned(), met)));
    assert!(
        rounds
            .iter()
            .all(|one| one["plateau"] == false && one["stalled"] == false)
    );
    let status = sandbox
        .run(&["conference", "status", root, "--json"])
        .ok()
        .json();
    assert_eq!(status["state"], "LEGACY");
    assert_eq!(status["rows"], 33);
    let best = json!({"value": 99.9, "lane": "A", "round": 2, "iteration": 3});
    assert_eq!(status["stop"]["best"], best);
}
