//! Documents and lines, without a disk.

use jiff::Timestamp;
use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Value, json};

use super::reading::of_bytes;
use super::{Attribution, Beside, Draft, Observation, SIGNALS, Signal, attribute};
use crate::digest::canonical;
use crate::error::{Code, Error};
use crate::hermes::session::Consultation;

fn document() -> Value {
    json!({
        "signal": "correction",
        "skill_id": "release-notes",
        "observed": "\"breaking changes first\"",
        "proposal": "SKILL.md, Steps: sort breaking changes to the top",
    })
}

fn with(key: &str, value: Value) -> Value {
    let mut document = document();
    document[key] = value;
    document
}

fn read(document: &Value) -> Result<Draft, Error> {
    Draft::read(document.to_string().as_bytes())
}

fn line(observation: &Observation) -> Vec<u8> {
    let mut line = canonical(observation);
    line.push(b'\n');
    line
}

/// A token in the form of a real one, which no file of this repository holds.
fn token() -> String {
    ["gh", "p_", "16C7e42F292c6912E7", "710c838347Ae178B4a"].concat()
}

#[test]
fn a_document_is_taken_and_its_id_is_that_of_its_content() {
    let draft = read(&document()).unwrap();
    assert_eq!(draft.signal, Signal::Correction);
    let one = Observation::new(draft.clone(), "2026-01-02T03:04:05Z".parse().unwrap());
    let later = Observation::new(draft, "2027-01-02T03:04:05Z".parse().unwrap());
    assert_eq!(one.id, later.id);
    // Fixed for ever: evidence references name it.
    let essence = "{\"applied\":false,\"observed\":\"\\\"breaking changes first\\\"\",\
                   \"proposal\":\"SKILL.md, Steps: sort breaking changes to the top\",\
                   \"schema\":\"lithermes/observation/v1\",\"signal\":\"correction\",\
                   \"skill_id\":\"release-notes\"}";
    let expected = crate::digest::sha256_hex(essence.as_bytes());
    assert_eq!(one.id, format!("o-{}", &expected[..12]));
    let same = with("schema", json!(super::SCHEMA));
    assert_eq!(read(&same), read(&document()));
    assert_eq!(read(&with("applied", json!(false))), read(&document()));
}

#[test]
fn only_a_coverage_gap_may_name_no_skill() {
    for signal in SIGNALS {
        for named in [json!(null), json!("x"), json!("plugin:x"), json!("docs/x")] {
            let mut document = with("signal", json!(signal));
            document["skill_id"] = named.clone();
            let fits = signal == Signal::CoverageGap || !named.is_null();
            assert_eq!(read(&document).is_ok(), fits, "{document}");
        }
    }
    let mut without = with("signal", json!("coverage-gap"));
    without.as_object_mut().unwrap().remove("skill_id");
    assert_eq!(read(&without).unwrap().skill_id, None);
}

#[test]
fn every_rule_has_its_pointer() {
    let cases = [
        (with("signal", json!("technique")), "/signal"),
        (with("signal", json!("Correction")), "/signal"),
        (with("signal", json!(1)), "/signal"),
        (with("skill_id", json!("")), "/skill_id"),
        (with("skill_id", json!(" x")), "/skill_id"),
        (with("skill_id", json!("x\ny")), "/skill_id"),
        (with("skill_id", json!("x".repeat(257))), "/skill_id"),
        (with("observed", json!(" \n")), "/observed"),
        (with("observed", json!("é".repeat(2001))), "/observed"),
        (with("proposal", json!("x".repeat(2001))), "/proposal"),
        (with("proposal", json!(null)), "/proposal"),
        (with("applied", json!(true)), "/applied"),
        (with("applied", json!("false")), "/applied"),
        (with("schema", json!("lithermes/observation/v2")), "/schema"),
        (with("id", json!("o-000000000000")), "/id"),
        (with("at", json!("2026-01-02T03:04:05Z")), "/at"),
        (with("active_skills", json!([])), "/active_skills"),
        (json!([document()]), ""),
        (json!("Nothing to save."), ""),
    ];
    for (document, pointer) in cases {
        let error = read(&document).unwrap_err();
        assert_eq!(error.code(), Code::InvalidObservation, "{document}");
        let pointers: Vec<&str> = error.faults().iter().map(|f| f.pointer.as_str()).collect();
        assert_eq!(pointers, [pointer], "{document}");
    }
    assert!(read(&with("observed", json!("é".repeat(2000)))).is_ok());
    let all = read(&json!({"signal": 1, "observed": "", "x": 2})).unwrap_err();
    let pointers: Vec<&str> = all.faults().iter().map(|f| f.pointer.as_str()).collect();
    assert_eq!(pointers, ["", "/observed", "/signal", "/x"]);
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    for text in [
        "",
        "{",
        "{} {}",
        "{\"signal\":NaN}",
        "\u{feff}{}",
        "```json\n{}\n```",
    ] {
        let error = Draft::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.code(), Code::InvalidObservation, "{text}");
        assert_eq!(error.faults().len(), 1, "{text}");
    }
    let twice = br#"{"signal":"correction","signal":"repetition","skill_id":"x","observed":"o","proposal":"p"}"#;
    assert!(
        Draft::read(twice).unwrap_err().faults()[0]
            .message
            .contains("already")
    );
    let large = with("observed", json!("x".repeat(super::MOST_BYTES)));
    assert_eq!(read(&large).unwrap_err().code(), Code::InvalidObservation);
}

#[test]
fn a_credential_anywhere_blocks_and_is_not_repeated() {
    let token = token();
    let mut as_key = document();
    as_key[&token] = json!(1);
    let cases = [
        (
            with("observed", json!(format!("it used {token} there"))),
            "/observed",
        ),
        (with("proposal", json!(token)), "/proposal"),
        (with("skill_id", json!(token)), "/skill_id"),
        (with("signal", json!(token)), "/signal"),
        (with("schema", json!(token)), "/schema"),
        (with("extra", json!({"deep": [token]})), "/extra/deep/0"),
        (as_key, "/[REDACTED_SECRET]"),
    ];
    let shown = |error: &Error| format!("{error:?}");
    for (document, pointer) in cases {
        let error = read(&document).unwrap_err();
        assert_eq!(error.code(), Code::BlockedObserverSecret, "{pointer}");
        assert_eq!(error.faults()[0].pointer, pointer);
        assert!(error.faults()[0].message.contains("GitHub token"));
        for part in [&token[..], &token[..8], &token[8..20]] {
            assert!(!shown(&error).contains(part), "{pointer}");
        }
    }
    let error = Draft::of_values(Signal::Correction, Some("x"), &token, "p").unwrap_err();
    assert_eq!(error.code(), Code::BlockedObserverSecret);
    assert_eq!((error.faults()[0].line, error.faults()[0].column), (0, 0));
    let beside = [
        Beside {
            active_skills: vec!["x".to_owned(), token.clone()],
            ..Beside::default()
        },
        Beside {
            evidence: Some(token.clone()),
            ..Beside::default()
        },
        Beside {
            session: Some(token.clone()),
            ..Beside::default()
        },
    ];
    for beside in beside {
        let error = beside.check().unwrap_err();
        assert_eq!(error.code(), Code::BlockedObserverSecret);
        assert!(!shown(&error).contains(&token[..8]));
    }
    Beside::default().check().unwrap();
}

#[test]
fn prose_about_tokens_is_no_credential() {
    for text in [
        "max_tokens: 512 was too few",
        "the token budget",
        "secret: none",
    ] {
        assert!(read(&with("observed", json!(text))).is_ok(), "{text}");
    }
}

#[test]
fn records_of_older_versions_are_read() {
    let mut old = document();
    old["applied"] = json!(false);
    let reading = of_bytes(format!("{old}\n").as_bytes());
    let [observation] = &reading.observations[..] else {
        panic!("{reading:?}");
    };
    assert_eq!(observation.at, Timestamp::UNIX_EPOCH);
    assert_eq!(observation.id, observation.computed_id());
    for none in [json!(null), json!("")] {
        let mut gap = old.clone();
        gap["signal"] = json!("coverage-gap");
        gap["skill_id"] = none;
        let reading = of_bytes(format!("{gap}\n").as_bytes());
        assert_eq!(reading.observations[0].skill_id, None);
    }
}

#[test]
fn what_is_damaged_is_counted_and_passed_over() {
    let good = Observation::new(read(&document()).unwrap(), Timestamp::UNIX_EPOCH);
    let whole = String::from_utf8(line(&good)).unwrap();
    let damaged = [
        "\n".to_owned(),
        "{}\n".to_owned(),
        "not json\n".to_owned(),
        whole.replace("breaking", "harmless"),
        whole.replace(&good.id, "o-000000000000"),
        whole.replace("observation/v1", "observation/v2"),
        whole.replace("\"applied\":false", "\"applied\":true"),
        whole.replace("\"applied\":false", "\"applied\":false,\"more\":1"),
        whole.replace("\"applied\":false,", ""),
        whole.replace("\"at\":\"1970-01-01T00:00:00Z\",", ""),
        whole.replace("correction", "technique"),
        whole.replace('{', "{\"applied\":false,"),
        format!("{{\"observed\":\"{}\"}}\n", "x".repeat(70_000)),
    ];
    for bad in &damaged {
        let text = format!("{whole}{bad}{whole}");
        let reading = of_bytes(text.as_bytes());
        assert_eq!(
            (reading.observations.len(), reading.damaged),
            (2, 1),
            "{bad}"
        );
    }
    let mut bytes = whole.clone().into_bytes();
    bytes[20] = 0xff;
    assert_eq!(of_bytes(&bytes).damaged, 1);
}

fn consulted(skills: &[&str]) -> Vec<Consultation> {
    let number = |(index, skill): (usize, &&str)| Consultation {
        skill: (*skill).to_owned(),
        message: index as i64 + 10,
    };
    skills.iter().enumerate().map(number).collect()
}

#[test]
fn attribution_says_no_more_than_the_session() {
    let session = consulted(&["a", "docs/b", "plugin:c"]);
    let asked = |skill| attribute(Some(skill), Some(&session));
    assert_eq!(attribute(Some("a"), None), (Attribution::Unverified, None));
    assert_eq!(attribute(None, None), (Attribution::Unverified, None));
    assert_eq!(
        attribute(None, Some(&session)),
        (Attribution::NoSkill, None)
    );
    for (skill, message) in [
        ("a", 10),
        ("b", 11),
        ("docs/b", 11),
        ("x/a", 10),
        ("plugin:c", 12),
    ] {
        assert_eq!(
            asked(skill),
            (Attribution::Consulted, Some(message)),
            "{skill}"
        );
    }
    for skill in ["A", "c", "other/b", "docs", ""] {
        assert_eq!(asked(skill), (Attribution::NotConsulted, None), "{skill}");
    }
}

fn observations() -> impl Strategy<Value = Observation> {
    let text = || any::<String>().prop_map(|text| format!("x{text}"));
    let skill = prop_oneof![Just(None), "[a-z]{1,8}".prop_map(Some)];
    let signal = (0..SIGNALS.len()).prop_map(|index| SIGNALS[index]);
    let at = (1i64..4_000_000_000).prop_map(|second| Timestamp::from_second(second).unwrap());
    (signal, skill, text(), text(), at).prop_map(|(signal, skill_id, observed, proposal, at)| {
        Observation::new(
            Draft {
                signal,
                skill_id,
                observed,
                proposal,
            },
            at,
        )
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_and_a_cut_at_any_byte_loses_only_what_it_cut(
        written in proptest::collection::vec(observations(), 0..4),
        cut in any::<proptest::sample::Index>(),
    ) {
        let lines: Vec<Vec<u8>> = written.iter().map(line).collect();
        let bytes = lines.concat();
        prop_assert_eq!(&of_bytes(&bytes).observations, &written);
        let cut = cut.index(bytes.len() + 1);
        let reading = of_bytes(&bytes[..cut]);
        let whole = bytes[..cut].iter().filter(|byte| **byte == b'\n').count();
        prop_assert_eq!(reading.observations, &written[..whole]);
        prop_assert_eq!(reading.damaged, 0);
        prop_assert_eq!(reading.torn, !(cut == 0 || bytes[cut - 1] == b'\n'));
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in any::<Vec<u8>>()) {
        let reading = of_bytes(&bytes);
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        prop_assert_eq!(reading.observations.len() + reading.damaged, lines);
        // No panic, whatever it says.
        drop(Draft::read(&bytes));
    }

    #[test]
    fn what_a_draft_takes_is_read_back(document in "[ -~\\n]{1,40}") {
        let mut whole = document_with(&document);
        whole["skill_id"] = json!("x");
        if let Ok(draft) = read(&whole) {
            let observation = Observation::new(draft, Timestamp::UNIX_EPOCH);
            prop_assert_eq!(&of_bytes(&line(&observation)).observations, &[observation]);
        }
    }
}

fn document_with(text: &str) -> Value {
    with("observed", json!(text))
}
