//! Answers in the shapes that models give: a fence and a byte-order mark are tolerated, nothing
//! else is. `tests/real/review.py` has a real Hermes turn say the same ones.

use serde_json::Value;

use crate::support::{Sandbox, patch};

const ANSWERS: &str = include_str!("answers.json");
const NAME: &str = "release-notes";

struct Answer {
    name: String,
    text: String,
    outcome: String,
}

/// The answers, each with a proposal of its own.
fn answers() -> Vec<Answer> {
    let answers: Vec<Value> = serde_json::from_str(ANSWERS).unwrap();
    let field = |answer: &Value, name: &str| answer[name].as_str().unwrap().to_owned();
    let answers = answers.iter().map(|answer| {
        let name = field(answer, "name");
        Answer {
            text: spelled(&field(answer, "answer"), &name),
            outcome: field(answer, "outcome"),
            name,
        }
    });
    answers.collect()
}

/// The proposal in the place of its mark, whole or spoiled.
fn spelled(answer: &str, name: &str) -> String {
    let mut proposal = patch(NAME, "Body.", "Text.");
    proposal["rationale"] = format!("The user said so ({name}).").into();
    let whole = proposal.to_string();
    let end = |more: &str| format!("{}{more}}}", whole.strip_suffix('}').unwrap());
    let spoiled = match answer {
        "@TRAILING-COMMA@" => end(","),
        "@SINGLE-QUOTES@" => whole.replace('"', "'"),
        "@CURLY-QUOTES@" => whole.replace("\"skill\"", "“skill”"),
        "@NAN@" => end(",\"confidence\":NaN"),
        "@TWICE@" => end(",\"skill\":\"release-notes\""),
        "@CUT-OFF@" => whole[..whole.len() / 2].to_owned(),
        "@APPROVED@" => end(",\"status\":\"approved\""),
        "@RECEIPT@" => end(",\"ledgerEntryId\":\"l-0123456789ab\""),
        "@SNAKE-CASE@" => whole.replace("oldString", "old_string"),
        other => return other.replace("@PROPOSAL@", &whole),
    };
    assert_ne!(spoiled, whole, "{answer}");
    spoiled
}

#[test]
fn each_shape_is_taken_or_refused_as_it_is_from_a_file_and_from_a_pipe() {
    let answers = answers();
    assert!(answers.len() >= 30);
    for answer in answers {
        let sandbox = Sandbox::new();
        sandbox.skill(NAME, "Body.\n");
        let path = sandbox.work().join("answer.txt");
        fs_err::write(&path, &answer.text).unwrap();
        let path = path.to_str().unwrap();
        if answer.outcome == "refused" {
            for (file, stdin) in [(path, ""), ("-", answer.text.as_str())] {
                let ran = sandbox.refuses(&["propose", file], stdin, 3, "INVALID_PROPOSAL");
                assert!(
                    ran.stderr.contains("nothing was imported"),
                    "{}: {ran:?}",
                    answer.name
                );
            }
            continue;
        }
        for (file, stdin) in [(path, ""), ("-", answer.text.as_str())] {
            let ran = sandbox
                .run_with(&["skill-loop", "propose", file, "--json"], stdin)
                .ok();
            let count = ran.json()["proposals"].as_array().unwrap().len();
            let expected = usize::from(answer.outcome == "imported");
            assert_eq!(count, expected, "{}: {ran:?}", answer.name);
        }
        let pending = sandbox.json(&["list"])["proposals"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(
            pending,
            usize::from(answer.outcome == "imported"),
            "{}",
            answer.name
        );
    }
}
