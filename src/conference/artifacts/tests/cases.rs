//! Whole artifacts of small conferences, and what each must say.

use insta::{assert_snapshot, with_settings};

use super::super::inert::{inert, quoted};
use super::super::number::{decimal, percent, share};
use super::super::{Edition, Reported, render};
use super::table::{Held, Script, hold, metric, qualitative};
use crate::conference::history::{lanes, results, reviews};
use crate::engine::event::{StopCode, Via};
use crate::engine::id::{ClaimId, Lane};
use crate::engine::packet::Verdict;

fn snapshot(name: &str, held: &Held, paths: &[&str]) {
    with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
        for path in paths {
            assert_snapshot!(format!("{name}-{path}"), held.text(path));
        }
    });
}

#[test]
fn a_conference_that_converged() {
    let held = hold(metric(), &Script::default());
    snapshot(
        "converged",
        &held,
        &[
            "conference_results.tsv",
            "researcher_A_results.tsv",
            "final_report.md",
            "synthesis.md",
            "peer_review_round_1.md",
            "poster_session_round_1.md",
        ],
    );
    let sections = held.sections();
    with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
        assert_snapshot!("converged-knowledge", sections.knowledge);
        assert_snapshot!("converged-log", sections.log);
    });
}

#[test]
fn scores_in_qualitative_mode() {
    let held = hold(qualitative(), &Script::default());
    snapshot(
        "qualitative",
        &held,
        &[
            "conference_results.tsv",
            "researcher_A_results.tsv",
            "peer_review_round_2.md",
        ],
    );
}

#[test]
fn what_is_missing_is_said_everywhere() {
    let script = Script {
        fail: vec!["r1.B.1", "r1.poster.1", "r2.reviewer.1", "synthesis.1"],
        via: Via::Relayed,
        ..Script::default()
    };
    let held = hold(metric(), &script);
    snapshot(
        "partial",
        &held,
        &[
            "final_report.md",
            "synthesis.md",
            "peer_review_round_2.md",
            "poster_session_round_1.md",
        ],
    );
    for path in ["poster_session_round_1.md", "peer_review_round_1.md"] {
        assert!(
            held.text(path).contains("**Coverage:** 1/2 (partial)"),
            "{path}"
        );
    }
    let rows = held.text("conference_results.tsv");
    let of_round_2 = rows.lines().filter(|line| line.starts_with("2\t"));
    assert!(of_round_2.clone().count() > 0);
    assert!(
        of_round_2
            .into_iter()
            .all(|line| line.split('\t').nth(9) == Some("-"))
    );
    assert!(held.sections().log.contains("failed: exit 3"));
}

/// Between a review and its transfer a conference can be cancelled.
#[test]
fn what_did_not_go_over_is_not_said_to() {
    let mut held = hold(metric(), &Script::default());
    let last = held.state.current_round();
    let review = format!("peer_review_round_{last}.md");
    let gone = "**Action:** goes over to every lane";
    let kept = "**Action:** went over to no lane; the conference ended before";
    let none = "Nothing of this round went over to other lanes: the conference ended before.";
    let before = held.text(&review);
    assert!(before.contains(gone), "{before}");
    for absent in [kept, none] {
        assert!(!before.contains(absent), "{before}");
    }
    let round = held.state.rounds.get_mut(&last).unwrap();
    (round.withheld, round.completed) = (None, None);
    let of_round = |id: ClaimId| id.call.task.round() == Some(last);
    held.state.knowledge.retain(|finding| !of_round(finding.id));
    held.stop.stop_code = StopCode::Cancelled;
    let after = held.text(&review);
    assert_eq!(after.matches(gone).count(), 0, "{after}");
    let times = before.matches(gone).count();
    assert_eq!(after.matches(kept).count(), times, "{after}");
    assert_eq!(after.matches(none).count(), 1, "{after}");
    let text = held.text("synthesis.md");
    let line = format!("- Round {last}: nothing went over; the conference ended before.\n");
    assert!(text.contains(&line), "{text}");
    let text = held.text("final_report.md");
    let row = format!("| {last} | transfer | none: the conference ended before | - |");
    assert!(text.contains(&row), "{text}");
    // What an earlier round said stays.
    let earlier = held.text("peer_review_round_1.md");
    assert!(
        earlier.contains(gone) && !earlier.contains(none),
        "{earlier}"
    );
}

#[test]
fn nothing_is_written_before_it_stands() {
    let held = hold(metric(), &Script::default());
    let edition = Edition {
        stop: None,
        ..held.edition("t")
    };
    let open = render(&held.terms, &held.state, &edition);
    assert!(
        !open
            .iter()
            .any(|one| one.path == "synthesis.md" || one.path == "final_report.md")
    );
    assert_eq!(render(&held.terms, &Default::default(), &edition), []);
    let ended = render(&held.terms, &Default::default(), &held.edition("t"));
    let paths: Vec<&str> = ended.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["final_report.md"]);
}

#[test]
fn a_change_of_model_is_a_limitation() {
    let held = hold(metric(), &Script::default());
    let reported = |call: &str, model: &str| Reported {
        call: call.parse().unwrap(),
        model: Some(model.to_owned()),
        provider: None,
    };
    let reported = [reported("r1.B.1", "other"), reported("r1.A.1", "one")];
    let edition = Edition {
        reported: &reported,
        ..held.edition("t")
    };
    let report = super::super::report::write(&held.terms, &held.state, &edition, &held.stop);
    let line =
        "- The host changed its model at r1.B.1: other of unknown, before it one of unknown.";
    assert!(report.contains(line), "{report}");
}

#[test]
fn what_is_written_reads_back() {
    let held = hold(metric(), &Script::default());
    let read = results::read(held.text("conference_results.tsv").as_bytes()).unwrap();
    assert_eq!(read.notes, []);
    let edition = held.edition("t");
    let written = super::super::results::records(&held.terms, &held.state, &edition);
    assert_eq!(read.items, written);
    let own = lanes::read(
        held.text("researcher_A_results.tsv").as_bytes(),
        Lane::nth(0).unwrap(),
    );
    let lanes::LaneFile::Records(own) = own.unwrap() else {
        panic!("no records")
    };
    let (told, known): (Vec<_>, Vec<_>) = own
        .items
        .iter()
        .zip(written.iter().filter(|record| record.lane.number() == 0))
        .map(|(own, all)| {
            (
                (own.round, own.iteration, own.value),
                (all.round, all.iteration, all.value),
            )
        })
        .unzip();
    assert_eq!(told, known);
    let said = reviews::read(held.text("peer_review_round_1.md").as_bytes()).unwrap();
    let said: Vec<_> = said
        .iter()
        .map(|one| (one.heading.as_str(), one.verdict))
        .collect();
    assert_eq!(
        said,
        [
            ("r1.A.1#1 (Researcher A)", Verdict::Challenged),
            ("r1.A.1#2 (Researcher A)", Verdict::Challenged),
            ("r1.B.1#1 (Researcher B)", Verdict::Validated),
        ]
    );
}

#[test]
fn numbers() {
    let cases = [
        (34.0, "34"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (f64::NAN, "-"),
        (f64::INFINITY, "-"),
    ];
    for (value, text) in cases {
        assert_eq!(decimal(value), text);
    }
    assert_eq!(percent(share(-1.4133, 2.3950)), "-59.0%");
    assert_eq!(percent(share(-0.001, 100.0)), "0.0%");
    assert_eq!(percent(share(1.0, 0.0)), "-");
    assert_eq!(percent(share(5.0, -10.0)), "50.0%");
}

#[test]
fn marks_are_shown_and_words_stay_as_they_are() {
    let cases = [
        (
            "r1.A.1#2 max_tokens, 50% (a-b)",
            "r1.A.1#2 max_tokens, 50% (a-b)",
        ),
        ("# x\n\n- y", r"\# x - y"),
        ("_a_ *b* `c` ~d~", r"\_a\_ \*b\* \`c\` \~d\~"),
        (
            "[x](http://y) <b> | & $z$",
            r"\[x\](http\://y) \<b\> \| \& \$z\$",
        ),
        ("www.x.org @me you@x.org", "www\\.x.org \\@me you`@`x.org"),
        ("a\u{202e}b", r"a\\u{202e}b"),
    ];
    for (text, shown) in cases {
        assert_eq!(inert(text), shown);
    }
    assert_eq!(quoted(" "), "“”");
}
