use super::{Approval, Asked, Conditions, Grant, Program, totals};
use crate::conference::plan::{Argv, Host, Origin, Reading, Rule, Severity, read};
use crate::conference::root::Root;
use crate::error::Code;
use serde_json::Value;

const PLAN: &str = "\
# Conference: Small

## Goal
Less.

## Mode
metric

## Success Metric
- **Metric:** bytes
- **Target:** < 10
- **Direction:** minimize
- **Evaluator:** python3 bench.py --data=set.csv

## Researchers
- **Count:** 2
- **Iterations per round:** 3
- **Max rounds:** 4

## Pre-Flight Gate
- **Critic:** disabled

## Search Space Partitioning
- **Strategy:** free

## Parameters
- level: 1 .. 9 integer

## Constraints
- **Time budget:** 2h
- **Researcher timeout:** 30m
";

fn reading(text: &str) -> Reading {
    read(text.as_bytes().to_vec(), Origin::New).unwrap()
}

#[test]
fn calls_and_runs_are_counted_by_host_and_mode() {
    let counted = |text: &str, host| {
        let totals = totals(&reading(text).draft, host).unwrap();
        (
            totals.calls.total,
            totals.calls.probe,
            totals.evaluator_runs,
        )
    };
    // 24 iterations and a baseline that is measured.
    assert_eq!(counted(PLAN, Host::Command), (13, 0, Some(25)));
    assert_eq!(counted(PLAN, Host::Hermes), (14, 1, Some(25)));
    // The reviewer measures the best of each lane in each round once more.
    assert_eq!(counted(PLAN, Host::Local), (13, 0, Some(33)));
    let noisy = PLAN.replace(
        "## Parameters",
        "## Noise Handling\nnoise_runs: 3\n\n## Parameters",
    );
    assert_eq!(counted(&noisy, Host::Local), (13, 0, Some(99)));
    let known = PLAN.replace("minimize", "minimize\n- **Baseline:** 40");
    assert_eq!(counted(&known, Host::Command), (13, 0, Some(24)));
    let claims = PLAN.replace("python3 bench.py --data=set.csv", "none");
    assert_eq!(counted(&claims, Host::Hermes), (14, 1, Some(0)));
    let unsaid = PLAN.replace("- **Evaluator:** python3 bench.py --data=set.csv\n", "");
    assert_eq!(counted(&unsaid, Host::Hermes), (14, 1, None));
    let ceiling = PLAN.replace("2h", "2h\n- **Max total iterations:** 23");
    assert_eq!(counted(&ceiling, Host::Command), (10, 0, Some(19)));
    let alone = PLAN.replace("**Count:** 2", "**Count:** 1\n- **Poster:** child");
    assert_eq!(counted(&alone, Host::Command), (9, 0, Some(13)));
}

#[test]
fn a_debate_calls_each_side_three_times_a_round() {
    let debate = |rounds: &str| {
        let text = PLAN.replace(
            "metric\n\n##",
            "debate\n\n## Success Criteria\nHeard.\n\n##",
        );
        let text = text.replace("rounds:** 4", rounds);
        totals(&reading(&text).draft, Host::Handoff)
            .unwrap()
            .calls
            .total
    };
    assert_eq!(debate("rounds:** 3"), 22);
    assert_eq!(debate("rounds:** 1"), 4);
}

#[test]
fn nothing_is_counted_while_a_factor_is_not_said() {
    for field in [
        "- **Count:** 2\n",
        "- **Iterations per round:** 3\n",
        "- **Max rounds:** 4\n",
    ] {
        let draft = reading(&PLAN.replace(field, "")).draft;
        assert_eq!(totals(&draft, Host::Hermes), None);
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name, text| fs_err::write(folder.path().join(name), text).unwrap();
        write("conference.md", text);
        write("bench.py", "print(1)\n");
        write("set.csv", "1\n");
        Self(folder)
    }

    fn look(&self, asked: &Asked) -> Conditions {
        let root = Root::open(self.0.path()).unwrap();
        Conditions::of(&root, asked, Some("/home/of/hermes".as_ref())).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs_err::write(self.0.path().join(name), text).unwrap();
    }

    fn digest(&self, asked: &Asked) -> String {
        self.look(asked).approval.unwrap().digest()
    }
}

#[test]
fn an_approval_is_of_everything_that_the_specification_lists() {
    let folder = Folder::new(PLAN);
    let asked = Asked::default();
    let first = folder.digest(&asked);
    assert_eq!(first, folder.digest(&asked));
    let mut seen = vec![first.clone()];
    let mut other = |digest: String| {
        assert!(!seen.contains(&digest), "{seen:?}");
        seen.push(digest);
    };
    for (old, new) in [
        ("Less.", "Less!"),
        ("< 10", "< 9"),
        ("rounds:** 4", "rounds:** 3"),
        ("2h", "3h"),
        ("30m", "29m"),
        ("2h", "2h\n- **On lost child:** redispatch"),
        ("2h", "2h\n- **pause_every:** 1"),
        ("2h", "2h\n- **Evaluator timeout:** 1m"),
        ("2h", "2h\n- **Cost ceiling:** 5 USD"),
        ("30m", "30m\n\n## Convergence\n- **Plateau window:** 3"),
        ("30m", "30m\n\n## Host\n- **Toolsets:** web"),
        ("30m", "30m\n\n## Host\n- **Pass environment:** API_BASE"),
        ("30m", "30m\n\n## Guard\n- **Guard:** ./bench.py"),
    ] {
        folder.write("conference.md", &PLAN.replace(old, new));
        other(folder.digest(&asked));
    }
    folder.write("conference.md", PLAN);
    for (name, text) in [("bench.py", "print(2)\n"), ("set.csv", "2\n")] {
        folder.write(name, text);
        other(folder.digest(&asked));
    }
    let grant = Some("work-0123456789abcdef:4".parse::<Grant>().unwrap());
    other(folder.digest(&Asked {
        grant,
        ..Asked::default()
    }));
    let host = Some(Host::Local);
    other(folder.digest(&Asked {
        host,
        ..Asked::default()
    }));
    for command in ["./lane", "./lane --fast", "./bench.py"] {
        let command = Some(Argv::parse(command).unwrap());
        let host = Some(Host::Command);
        other(folder.digest(&Asked {
            host,
            command,
            ..Asked::default()
        }));
    }
    let elsewhere = Folder::new(PLAN);
    other(elsewhere.digest(&asked));
    let root = Root::open(folder.0.path()).unwrap();
    let home = Conditions::of(&root, &asked, Some("/another/home".as_ref())).unwrap();
    other(home.approval.unwrap().digest());
}

#[test]
fn an_approval_is_of_nothing_else() {
    let folder = Folder::new(PLAN);
    let first = folder.digest(&Asked::default());
    for text in [
        format!("{PLAN}\n## Shared Knowledge\n1. **x** y\n\n---\n\n## Conference Log\nStarted.\n"),
        PLAN.replace("disabled", "disabled\n- **Final confirmation:** pending"),
        PLAN.replace(
            "disabled",
            "disabled\n- **Final confirmation:** confirmed 12ab",
        ),
        PLAN.replace("- **Count:** 2", "count: 2"),
        PLAN.replace("2h", "120m"),
    ] {
        folder.write("conference.md", &text);
        assert_eq!(folder.digest(&Asked::default()), first, "{text}");
    }
    folder.write("not-named.py", "x");
    assert_eq!(folder.digest(&Asked::default()), first);
}

#[test]
fn the_document_of_an_approval_names_each_of_its_parts() {
    let folder = Folder::new(PLAN);
    let approval: Approval = folder.look(&Asked::default()).approval.unwrap();
    let document = serde_json::to_value(&approval).unwrap();
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "allowed_read_roots",
            "config_digest",
            "contract",
            "evaluator",
            "forbidden_roots",
            "grant",
            "guard",
            "home",
            "host",
            "on_lost_child",
            "pause_every",
            "root",
            "stop",
            "totals"
        ]
    );
    assert_eq!(document["evaluator"]["files"][0]["word"], 1);
    assert_eq!(document["evaluator"]["files"][1]["word"], 2);
    assert_eq!(document["stop"]["threshold"]["absolute"], 0.0);
    assert_eq!(document["totals"]["time_budget"], 7200);
    assert_eq!(document["totals"]["evaluator_timeout"], 600);
    assert_eq!(document["guard"], Value::Null);
}

#[test]
fn what_a_host_takes_for_granted_is_demanded() {
    let faults = |text: &str, asked: Asked| -> Vec<(Rule, Severity, String)> {
        let faults = Folder::new(text).look(&asked).reading.faults;
        faults
            .into_iter()
            .map(|fault| (fault.code, fault.severity, fault.field))
            .collect()
    };
    let by = |host| Asked {
        host: Some(host),
        ..Asked::default()
    };
    let gate = |field: &str| vec![(Rule::V1, Severity::Gate, field.to_owned())];
    assert_eq!(faults(PLAN, by(Host::Command)), gate("Command"));
    assert_eq!(faults(PLAN, by(Host::Recorded)), gate("Host"));
    assert_eq!(faults(PLAN, by(Host::Handoff)), []);
    assert_eq!(faults(PLAN, by(Host::Local)), []);
    let flat = PLAN.replace("## Parameters\n- level: 1 .. 9 integer\n", "");
    assert_eq!(faults(&flat, by(Host::Local)), gate("Host"));
    let words = PLAN.replace(
        "metric\n\n##",
        "qualitative\n\n## Success Criteria\nGood.\n\n##",
    );
    let wrong = |field: &str| vec![(Rule::V1, Severity::Error, field.to_owned())];
    assert_eq!(faults(&words, by(Host::Local)), wrong("Host"));
    let claims = PLAN.replace("python3 bench.py --data=set.csv", "none\n- **Baseline:** 1");
    assert_eq!(faults(&claims, by(Host::Local)), wrong("Evaluator"));
    let absent = PLAN.replace("python3 bench.py --data=set.csv", "./gone");
    let warned = vec![(Rule::V1, Severity::Warning, "Evaluator".to_owned())];
    assert_eq!(faults(&absent, by(Host::Handoff)), warned);
    let unused = format!("{PLAN}\n## Host\n- **Command:** ./lane\n");
    let warned = vec![(Rule::V1, Severity::Warning, "Command".to_owned())];
    assert_eq!(faults(&unused, Asked::default()), warned);
    assert_eq!(faults(&unused, by(Host::Local)), []);
    // What the file says, and what wins over it.
    let said = format!("{PLAN}\n## Host\n- **Host:** command\n- **Command:** ./lane\n");
    let conditions = Folder::new(&said).look(&by(Host::Handoff));
    assert_eq!((conditions.host, conditions.command), (Host::Handoff, None));
}

#[test]
fn a_confirmation_of_other_conditions_is_told() {
    let folder = Folder::new(PLAN);
    let digest = folder.digest(&Asked::default());
    let confirmed = |digest: &str| {
        let line = format!("disabled\n- **Final confirmation:** confirmed {digest}");
        folder.write("conference.md", &PLAN.replace("disabled", &line));
        folder.look(&Asked::default()).reading.faults
    };
    assert_eq!(confirmed(&digest), []);
    let faults = confirmed("12ab");
    assert_eq!(
        (faults[0].code, faults[0].severity, faults[0].line),
        (Rule::V10, Severity::Warning, 22)
    );
}

#[test]
fn a_recording_is_known_by_its_events() {
    let (folder, other) = (Folder::new(PLAN), Folder::new(PLAN));
    let asked = Asked {
        host: Some(Host::Recorded),
        recorded: Some(other.0.path().to_owned()),
        ..Asked::default()
    };
    let root = Root::open(folder.0.path()).unwrap();
    let missing = Conditions::of(&root, &asked, Some("/h".as_ref())).unwrap_err();
    assert_eq!(missing.code().as_str(), "NOT_FOUND");
    other.write("conference_events.jsonl", "{\"seq\":1}\n");
    let first = folder.digest(&asked);
    other.write("conference_events.jsonl", "{\"seq\":1}\n{\"seq\":2}\n");
    assert_ne!(first, folder.digest(&asked));
}

#[test]
fn files_are_those_that_a_word_names_by_path() {
    let folder = Folder::new(PLAN);
    let named = |text: &str| {
        let program = Program::of(&Argv::parse(text).unwrap(), folder.0.path()).unwrap();
        let words: Vec<usize> = program.files.iter().map(|file| file.word).collect();
        (words, program.is_absent())
    };
    assert_eq!(named("bench.py bench.py . gone"), (vec![1], false));
    assert_eq!(
        named("./bench.py --data=set.csv -x=gone a=set.csv"),
        (vec![0, 1], false)
    );
    assert_eq!(named("./gone bench.py"), (vec![1], true));
    let absolute = folder.0.path().join("bench.py");
    assert_eq!(named(absolute.to_str().unwrap()), (vec![0], false));
}

#[test]
fn grants_name_work_and_revision() {
    for (text, id, revision) in [
        ("work-0123456789abcdef:4", "work-0123456789abcdef", 4),
        ("a:b:1", "a:b", 1),
    ] {
        let grant: Grant = text.parse().unwrap();
        assert_eq!((grant.work_id.as_str(), grant.revision), (id, revision));
        assert_eq!(grant.to_string(), text);
    }
    let long = format!("{}:1", "x".repeat(97));
    for text in [
        "", "work", "work:", ":1", "work:0", "work:-1", "work:+1", "-w:1", "w w:1", &long,
    ] {
        assert!(text.parse::<Grant>().is_err(), "{text}");
    }
}

/// Neither faults nor totals are kept back by the place; only the approval is.
#[test]
fn no_approval_is_of_a_root_among_the_skills_of_the_home() {
    let held = Folder::new(PLAN);
    let home = held.0.path();
    let look = |below: &str| {
        let folder = home.join(below);
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::write(folder.join("conference.md"), PLAN).unwrap();
        let root = Root::open(&folder).unwrap();
        Conditions::of(&root, &Asked::default(), Some(home)).unwrap()
    };
    for below in ["skills", "skills/one/two", "lithermes/x"] {
        let conditions = look(below);
        let refused = conditions.refused.map(|error| error.code());
        assert_eq!(refused, Some(Code::UnsafePath), "{below}");
        assert_eq!(conditions.approval, None, "{below}");
        assert!(conditions.totals.is_some(), "{below}");
    }
    for below in ["", "skills-of-mine", "conferences/one"] {
        let conditions = look(below);
        assert_eq!(conditions.refused, None, "{below}");
        assert!(conditions.approval.is_some(), "{below}");
    }
}
