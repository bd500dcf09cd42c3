//! What a model is told, and how it is handed over.

use std::path::Path;

use super::{Hermes, Report, prompt};
use crate::engine::charter::{
    self, Charter, Claimed, Direction, Domain, Parameter, Signal, Success,
};
use crate::engine::id::{Call, ConferenceId, Lane, Role, Task};
use crate::engine::packet::{self, Confidence, Reason, schema};
use crate::process::{Environment, Shim};

const ROLES: [Role; 5] = [
    Role::Probe,
    Role::Researcher,
    Role::Poster,
    Role::Reviewer,
    Role::Synthesis,
];

fn metric() -> Success {
    Success::Metric {
        metric: "lookups".to_owned(),
        direction: Direction::Minimize,
        target: "< 5".to_owned(),
        baseline: Some(20.0),
    }
}

fn criteria() -> Success {
    Success::Qualitative {
        criteria: "clear".to_owned(),
    }
}

fn charter(role: Role, success: Success, conference: &str) -> Charter {
    let lane = Lane::nth(0).unwrap();
    let task = match role {
        Role::Probe => Task::Probe,
        Role::Researcher => Task::Research(1, lane),
        Role::Poster => Task::Poster(1),
        Role::Reviewer => Task::Review(1),
        Role::Synthesis => Task::Synthesis,
    };
    let size = Parameter {
        name: "size".to_owned(),
        domain: Domain::Range {
            min: 1.0,
            max: 99.0,
            integer: true,
        },
    };
    let quoted = Claimed {
        id: "r1.A.1#1".parse().unwrap(),
        lane,
        claim: "it is faster".to_owned(),
        evidence: "measured".to_owned(),
        confidence: Confidence::High,
        value: None,
        verdict: None,
    };
    let parameters = match success {
        Success::Metric { .. } => vec![size],
        Success::Qualitative { .. } => Vec::new(),
    };
    let conference: ConferenceId = conference.parse().unwrap();
    Charter {
        schema: charter::SCHEMA.to_owned(),
        conference_id: conference.clone(),
        dispatch_id: conference.dispatch(Call { task, attempt: 1 }),
        round: task.round(),
        role,
        lane: task.lane(),
        attempt: 1,
        objective: "fewer lookups".to_owned(),
        focus: String::new(),
        success,
        signal: Signal::Normal,
        contrarian: false,
        iteration_allowance: 3,
        claims_allowed: 4,
        parameters,
        knowledge: Vec::new(),
        claims: vec![quoted],
        read_context: Vec::new(),
        allowed_read_roots: Vec::new(),
        forbidden_actions: Vec::new(),
        delegation_allowed: false,
        timeout_s: 60,
        on_cancel: String::new(),
        packet_schema: schema::of(role),
    }
}

/// The example that a prompt shows.
fn example(prompt: &str) -> &str {
    let line = prompt.lines().find(|line| line.starts_with("{\""));
    line.unwrap_or_else(|| panic!("no example in {prompt}"))
}

#[test]
fn the_example_is_a_packet_of_its_own_charter_and_none_of_any_other() {
    for role in ROLES {
        for success in [metric(), criteria()] {
            let shown = charter(role, success.clone(), "c-0123456789ab");
            let prompt = prompt::of(&shown).unwrap();
            let own = charter(role, success, "c-000000000000");
            let read = packet::read(example(&prompt).as_bytes(), &own);
            assert!(read.is_ok(), "{role:?}: {read:?}");
            let repeated = packet::read(example(&prompt).as_bytes(), &shown).unwrap_err();
            assert_eq!(repeated.reason, Reason::OtherIdentity, "{role:?}");
        }
    }
}

#[test]
fn a_prompt_begins_with_a_letter_ends_with_the_charter_and_names_every_limit() {
    for role in ROLES {
        let charter = charter(role, metric(), "c-0123456789ab");
        let prompt = prompt::of(&charter).unwrap();
        assert!(prompt.starts_with("Answer the charter"), "{prompt}");
        let (before, after) = prompt.split_once("The charter:\n\n").unwrap();
        assert_eq!(after.as_bytes(), charter.bytes(), "{role:?}");
        let id = format!("`dispatch_id` is \"{}\"", charter.dispatch_id);
        let said = format!("`role` is \"{}\"", role.as_str());
        let most = "At most 4 claims, 3 iterations, 2000 characters in a string, 65536 bytes";
        for text in [id.as_str(), said.as_str(), most] {
            assert!(before.contains(text), "{text} in {before}");
        }
        assert!(!before.contains('@'), "a mark is left in {before}");
        assert!(before.len() < 3_500, "{} bytes are not short", before.len());
    }
}

#[test]
fn a_prompt_is_known_again_and_what_only_quotes_one_is_not() {
    for role in ROLES {
        let charter = charter(role, metric(), "c-0123456789ab");
        let prompt = prompt::of(&charter).unwrap();
        assert!(prompt::is_one(&prompt), "{role:?}");
        assert!(prompt::is_one(&format!("{prompt}\n")), "{role:?}");
        assert!(!prompt::is_one(&format!("Look at this: {prompt}")));
        assert!(!prompt::is_one(&format!(
            "{prompt}\nWhat do you make of it?"
        )));
        let (before, charter) = prompt.rsplit_once('\n').unwrap();
        assert!(!prompt::is_one(before) && !prompt::is_one(charter));
        let other = charter.replace(charter::SCHEMA, "lithermes/charter/v0");
        assert!(!prompt::is_one(&format!("{before}\n{other}")));
    }
    assert!(!prompt::is_one("") && !prompt::is_one("hello"));
}

#[test]
fn marks_in_a_charter_stay_what_they_are() {
    let mut charter = charter(Role::Researcher, metric(), "c-0123456789ab");
    charter.objective = "@ID@ @EXAMPLE@ @CHARTER@ \0 --yolo".to_owned();
    let prompt = prompt::of(&charter).unwrap();
    assert!(prompt.as_bytes().ends_with(&charter.bytes()));
    assert!(!prompt.contains('\0'), "no argument holds a zero");
}

#[test]
fn the_largest_charter_fits_into_one_argument_and_a_larger_one_is_told() {
    for role in ROLES {
        let mut charter = charter(role, metric(), "c-0123456789ab");
        let room = charter::MAX_BYTES - charter.bytes().len();
        charter.focus = "x".repeat(room);
        assert_eq!(charter.bytes().len(), charter::MAX_BYTES);
        assert!(prompt::of(&charter).is_some_and(|prompt| prompt.len() < 128 << 10));
        charter.focus.push('x');
        assert_eq!(prompt::of(&charter), None, "{role:?}");
    }
}

fn argv(home: &Path, toolsets: &[&str], iterations: u32) -> Vec<String> {
    let hermes = Hermes {
        program: "/x/hermes".into(),
        home: home.to_owned(),
        toolsets: toolsets.iter().map(|one| (*one).to_owned()).collect(),
        environment: Environment::new(),
        shim: Shim::at("/x/lithermes"),
    };
    let words = hermes.argv("Prompt".to_owned(), iterations);
    words
        .into_iter()
        .map(|word| word.into_string().unwrap())
        .collect()
}

#[test]
fn a_child_gets_no_tools_or_those_that_were_granted() {
    let home = tempfile::tempdir().unwrap();
    let none = [
        "/x/hermes",
        "-z",
        "Prompt",
        "-t",
        "context_engine",
        "--usage-file",
        "usage.json",
    ];
    assert_eq!(argv(home.path(), &[], 5), none);
    let words = argv(home.path(), &["search", "web"], 5).join(" ");
    let rest = "--ignore-rules --source tool -t search,web";
    assert_eq!(
        words,
        format!("/x/hermes chat -q Prompt -Q --max-turns 28 {rest}")
    );
    let words = argv(home.path(), &["web"], u32::MAX).join(" ");
    assert!(words.contains(" --max-turns 90 "), "{words}");
}

#[test]
fn an_active_profile_leads_nobody_away() {
    let held = tempfile::tempdir().unwrap();
    let profile = held.path().join("profiles/one");
    fs_err::create_dir_all(&profile).unwrap();
    assert_eq!(argv(held.path(), &[], 1)[1], "-z");
    fs_err::write(held.path().join("active_profile"), "one\n").unwrap();
    fs_err::write(profile.join("active_profile"), "two\n").unwrap();
    assert_eq!(argv(held.path(), &[], 1)[1..4], ["-p", "default", "-z"]);
    assert_eq!(
        argv(held.path(), &["web"], 1)[1..4],
        ["-p", "default", "chat"]
    );
    assert_eq!(
        argv(&profile, &[], 1)[1],
        "-z",
        "a profile's home is trusted"
    );
}

#[test]
fn a_usage_file_is_read_as_far_as_it_says_something() {
    let read = |text: &str| Report::of_usage(text);
    let whole = read(
        r#"{"completed":true,"failed":false,"model":"m\u001b[31m","provider":" p ","input_tokens":7,"output_tokens":-1}"#,
    );
    let whole = whole.unwrap();
    assert!(whole.is_complete && !whole.is_failed);
    assert!(
        !whole.model.as_deref().unwrap().contains('\u{1b}'),
        "{whole:?}"
    );
    assert_eq!(whole.provider.as_deref(), Some("p"));
    assert_eq!((whole.input_tokens, whole.output_tokens), (Some(7), None));
    let long = format!(r#"{{"model":"{}"}}"#, "m".repeat(5_000));
    assert_eq!(read(&long).unwrap().model.unwrap().len(), 120);
    for (text, is_complete, is_failed) in [
        ("{}", false, true),
        (r#"{"completed":"true","failed":0}"#, false, true),
        (
            r#"{"completed":true,"failed":false,"failure":"x"}"#,
            true,
            true,
        ),
        (
            r#"{"completed":true,"failed":false,"failure":null}"#,
            true,
            false,
        ),
    ] {
        let read = read(text).unwrap();
        assert_eq!(
            (read.is_complete, read.is_failed),
            (is_complete, is_failed),
            "{text}"
        );
    }
    for text in ["", "[]", "{", "null", "\u{0}"] {
        assert_eq!(read(text), None, "{text:?}");
    }
}
