//! `--json`: one document a command, of one shape whatever there is to say. The shapes are
//! committed below `tests/golden/`; `LITHERMES_BLESS=1 cargo test --test main json` writes them.

mod states;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::conference_check::PLAN;
use crate::support::{Sandbox, State, create, patch, secret};

const NAME: &str = "release-notes";
const GAP: &str = r#"{"signal": "coverage-gap", "observed": "o", "proposal": "p"}"#;
/// A record of an older version between a damaged line and a torn one.
const DAMAGED: &str = r#"{}
{"signal": "repetition", "skill_id": "x", "observed": "o", "proposal": "p", "applied": false}
{torn"#;
const BLESS: &str = "LITHERMES_BLESS=1 cargo test --test main json";

/// What was seen at each key path; `[]` is any item.
type Shape = BTreeMap<String, Seen>;

#[derive(Default)]
struct Seen {
    kinds: BTreeSet<&'static str>,
    times: usize,
    /// How many of them were objects, which could have had a key.
    objects: usize,
}

/// The documents of each kind, from every state that was tried.
#[derive(Default)]
struct Shapes {
    kinds: BTreeMap<String, Shape>,
    /// What is being tried, for messages.
    state: String,
}

impl Shapes {
    /// Runs a command: exactly one document, of a known schema.
    #[track_caller]
    fn see(&mut self, sandbox: &Sandbox, args: &[&str], stdin: &str) -> Value {
        self.see_as_it_is(sandbox, &[args, &["--json"]].concat(), stdin)
    }

    #[track_caller]
    fn see_as_it_is(&mut self, sandbox: &Sandbox, args: &[&str], stdin: &str) -> Value {
        let mut command = sandbox.command();
        command.args(args).write_stdin(stdin);
        let ran = sandbox.ran(&mut command);
        let state = &self.state;
        let document = ran.json();
        let known = [0, 1, 2, 3, 4, 5, 6, 7];
        assert!(known.contains(&ran.status), "{state}: {args:?}: {ran:?}");
        assert!(
            !ran.stderr.contains("panicked"),
            "{state}: {args:?}: {ran:?}"
        );
        let failed = document["schema"] == "lithermes/error/v1";
        assert!(!failed || ran.status != 0, "{state}: {args:?}: {ran:?}");
        assert_eq!(
            ran.stdout
                .matches("\"schema\": \"lithermes/error/v1\"")
                .count()
                > 0
                || document["ok"] == false,
            ran.stderr.contains("error["),
            "{state}: {args:?}: {ran:?}"
        );
        let name = document["schema"]
            .as_str()
            .unwrap()
            .split('/')
            .nth(1)
            .unwrap()
            .to_owned();
        walk(&document, "", self.kinds.entry(name).or_default());
        document
    }

    fn sl(&mut self, sandbox: &Sandbox, args: &[&str]) -> Value {
        self.see(sandbox, &[&["skill-loop"], args].concat(), "")
    }
}

fn walk(value: &Value, path: &str, shape: &mut Shape) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let seen = shape.entry(path.to_owned()).or_default();
    seen.kinds.insert(kind);
    seen.times += 1;
    seen.objects += usize::from(value.is_object());
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| walk(item, &format!("{path}[]"), shape)),
        Value::Object(fields) => {
            for (key, value) in fields {
                walk(value, &format!("{path}.{key}"), shape);
            }
        }
        _ => {}
    }
}

/// One line a path; a `?` marks a key that some objects have and some have not.
fn drawn(shape: &Shape) -> String {
    let line = |(path, seen): (&String, &Seen)| {
        let parent = path.rsplit_once('.').filter(|_| !path.ends_with("[]"));
        let parent = parent.map_or(seen.times, |(parent, _)| shape[parent].objects);
        let optional = if seen.times < parent { "?" } else { "" };
        let kinds: Vec<&str> = seen.kinds.iter().copied().collect();
        let path = if path.is_empty() { "." } else { path };
        format!("{path}{optional}: {}\n", kinds.join(" | "))
    };
    shape.iter().map(line).collect()
}

#[test]
fn g4_every_command_in_every_state_is_one_document_of_the_committed_shape() {
    let mut shapes = Shapes::default();
    nothing(&mut shapes);
    one_and_many(&mut shapes);
    errors(&mut shapes);
    damaged(&mut shapes);
    states::every_command_in_every_state(&mut shapes);
    conference(&mut shapes);
    handed_off(&mut shapes);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os("LITHERMES_BLESS").is_some();
    let mut known = BTreeSet::new();
    for (name, shape) in &shapes.kinds {
        let path = folder.join(format!("{name}.shape"));
        if bless {
            fs_err::create_dir_all(&folder).unwrap();
            fs_err::write(&path, drawn(shape)).unwrap();
        }
        let golden = fs_err::read_to_string(&path).unwrap_or_default();
        let new = drawn(shape);
        assert!(
            golden == new,
            "{name} has another shape ({BLESS}):\n{}",
            changed(&golden, &new)
        );
        known.insert(format!("{name}.shape"));
    }
    for entry in fs_err::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            known.contains(&name),
            "no document has the shape of tests/golden/{name}"
        );
    }
}

fn changed(old: &str, new: &str) -> String {
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) =
        (old.lines().collect(), new.lines().collect());
    let gone = old.difference(&new).map(|line| format!("- {line}\n"));
    let come = new.difference(&old).map(|line| format!("+ {line}\n"));
    gone.chain(come).collect()
}

fn nothing(shapes: &mut Shapes) {
    let sandbox = Sandbox::new();
    shapes.see(
        &sandbox,
        &["skill-loop", "propose", "-"],
        "Nothing to save.",
    );
    for args in [
        &["list"][..],
        &["list", "--all"],
        &["log"],
        &["verify"],
        &["observations"],
        &["review"],
        &["curator"],
    ] {
        shapes.sl(&sandbox, args);
    }
    shapes.see(&sandbox, &["doctor"], "");
    completions(shapes, &sandbox);
}

/// The script, ids, and a place where none belongs.
fn completions(shapes: &mut Shapes, sandbox: &Sandbox) {
    shapes.see(sandbox, &["completions", "fish"], "");
    for words in [&["show", ""][..], &["rollback", ""], &["list", ""]] {
        let line = [
            "--json",
            "completions",
            "fish",
            "--",
            "lithermes",
            "skill-loop",
        ];
        shapes.see_as_it_is(sandbox, &[&line[..], words].concat(), "");
    }
}

fn one_and_many(shapes: &mut Shapes) {
    let sandbox = Sandbox::new();
    sandbox.skill("marked", "one\ntwo\n");
    let ids = sandbox.propose_all(&json!([
        patch("marked", "one", "1"),
        patch("marked", "two", "2"),
        create("third", "x\n")
    ]));
    let document = create(NAME, "Body.\n").to_string();
    for _ in 0..2 {
        shapes.see(&sandbox, &["skill-loop", "propose", "-"], &document);
    }
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    for args in [
        &["list"][..],
        &["show", &id],
        &["show", &ids[0]],
        &["apply", &id, "--dry-run"],
        &["apply", &ids[0], &ids[2], "--dry-run"],
        &["apply", &id],
        &["apply", &id],
        &["apply", &id, "--dry-run"],
        &["show", &id],
        &["apply", &ids[0], &ids[2]],
        &["show", &ids[1]],
        &["list"],
        &["apply", &ids[1], &ids[2], "--keep-going"],
        &["apply", &ids[1], &ids[2], "--keep-going", "--dry-run"],
        &["reject", &ids[1], "--reason", "no"],
        &["reject", &ids[1]],
        &["list", "--all"],
        &["verify"],
        &["verify", "--repair"],
        &["log"],
    ] {
        shapes.sl(&sandbox, args);
    }
    let receipt = sandbox.item(&id)["receipt"].as_str().unwrap().to_owned();
    for args in [
        &["rollback", &receipt, "--dry-run"][..],
        &["rollback", &receipt],
        &["rollback", &receipt],
        &["rollback", &receipt, "--dry-run"],
        &["log"],
    ] {
        shapes.sl(&sandbox, args);
    }
    shapes.see(&sandbox, &["skill-loop", "propose", "-"], &document);
    fs_err::write(sandbox.skill_path("marked").join("SKILL.md"), "by hand\n").unwrap();
    shapes.sl(&sandbox, &["verify"]);
    shapes.see(&sandbox, &["doctor"], "");
    completions(shapes, &sandbox);
    shapes.see(&sandbox, &["tour"], "");
    observed(shapes, &sandbox);
    curated(shapes);
}

fn curated(shapes: &mut Shapes) {
    let mut sandbox = Sandbox::new();
    sandbox.skill("marked", "x\n");
    sandbox.skill("other", "x\n");
    crate::curator::hermes(&mut sandbox, "0.19.0", "echo no news");
    for args in [&["curator"][..], &["curator", "--ask-host"]] {
        shapes.sl(&sandbox, args);
    }
    crate::curator::host_files(&sandbox);
    shapes.sl(&sandbox, &["curator"]);
    crate::curator::hermes(&mut sandbox, "unknown", "kill $$");
    shapes.sl(&sandbox, &["curator", "--ask-host"]);
    let skills = sandbox.home().join("skills");
    for file in [".curator_state", ".usage.json"] {
        fs_err::write(skills.join(file), "{").unwrap();
    }
    shapes.sl(&sandbox, &["curator"]);
}

fn observed(shapes: &mut Shapes, sandbox: &Sandbox) {
    let state = State::new(sandbox);
    state.session("s", "cli", 1);
    state.calls("s", "skill_view", &json!({"name": "marked"}));
    shapes.see(sandbox, &["skill-loop", "observe"], GAP);
    shapes.sl(sandbox, &["observations"]);
    for skill in ["marked", "nowhere"] {
        let args = crate::observe::flags("correction", Some(skill), "o");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let more = [
            "--session",
            "latest",
            "--active-skill",
            "a",
            "--evidence",
            "turn 1",
        ];
        shapes.sl(sandbox, &args);
        shapes.sl(sandbox, &[&args[..], &more].concat());
    }
    shapes.sl(sandbox, &["observations"]);
    shapes.sl(sandbox, &["observations", "--skill", "none"]);
    for args in [
        &["review"][..],
        &["review", "--session", "latest"],
        &["review", "--session", "s", "--skill", "third"],
        &["review", "--session", "s", "--max-bytes", "10500"],
    ] {
        shapes.sl(sandbox, args);
    }
}

fn errors(shapes: &mut Shapes) {
    let mut sandbox = Sandbox::new();
    sandbox.skill("marked", "one\none\n");
    let receipt = sandbox.apply(&sandbox.propose(&create(NAME, "Body.\n")));
    fs_err::write(sandbox.skill_path(NAME).join("SKILL.md"), "by hand\n").unwrap();
    shapes.see(&sandbox, &["skill-loop", "propose", "-"], "[1, {\"a\": 2}]");
    shapes.see(
        &sandbox,
        &["skill-loop", "propose", "-"],
        &patch("marked", "one", "1").to_string(),
    );
    for args in [
        &["show", "p-doesnotexist"][..],
        &["apply"],
        &["apply", "p-doesnotexist"],
        &["reject", "p-doesnotexist"],
        &["rollback", "l-000000000000"],
        &["rollback", &receipt],
        &["propose", "nofile.json"],
        &["list", "--state", "gone"],
        &["log", "--limit", "0"],
        &["frobnicate"],
        &["list", "--hermes-home", "/nonexistent-home"],
        &["observe"],
        &["observe", "--signal", "correction"],
        &["observations", "--since", "never"],
        &["review", "--session", "latest"],
        &["review", "--skill", "nowhere"],
        &["review", "--max-bytes", "99"],
    ] {
        let document = shapes.sl(&sandbox, args);
        assert_eq!(document["schema"], "lithermes/error/v1", "{args:?}");
    }
    let gap = crate::observe::flags("coverage-gap", None, &secret());
    let gap: Vec<&str> = gap.iter().map(String::as_str).collect();
    let document = shapes.sl(&sandbox, &gap);
    assert_eq!(document["code"], "BLOCKED_OBSERVER_SECRET");
    sandbox.set("LITHERMES_CHILD", "1");
    let document = shapes.sl(&sandbox, &["rollback", &receipt]);
    assert_eq!(document["code"], "FOREGROUND_REQUIRED");
    sandbox.set("TMPDIR", "/nonexistent-folder");
    let document = shapes.see(&sandbox, &["tour"], "");
    assert_eq!(document["code"], "IO_ERROR");
}

fn conference(shapes: &mut Shapes) {
    let sandbox = Sandbox::new();
    let check = ["conference", "check"];
    shapes.see(&sandbox, &check, "");
    let criteria = "qualitative\n\n## Success Criteria\nGood.\n\n##";
    for text in [
        PLAN.to_owned(),
        PLAN.replace("< 40", "> 9/10 points")
            .replace("minimize", "maximize"),
        PLAN.replace("- **Critic:** disabled\n", ""),
        PLAN.replace("**Count:** 3", "**Count:** 0"),
        PLAN.replace("metric\n\n##", criteria),
        String::new(),
    ] {
        fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
        shapes.see(&sandbox, &check, "");
        shapes.see(&sandbox, &[&check[..], &["--host", "hermes"]].concat(), "");
        shapes.see(&sandbox, &["conference", "approve"], "");
        shapes.see(&sandbox, &["conference", "run"], "");
    }
    checked(shapes);
    held(shapes);
}

/// Where a Hermes is on the path, where none is, and where no conference may be held.
fn checked(shapes: &mut Shapes) {
    let mut sandbox = Sandbox::new();
    fs_err::write(sandbox.work().join("conference.md"), PLAN).unwrap();
    let check = ["conference", "check", "--host", "hermes"];
    crate::curator::hermes(&mut sandbox, "0.19.0", "exit 1");
    shapes.see(&sandbox, &check, "");
    crate::curator::hermes(&mut sandbox, "unknown", "exit 1");
    shapes.see(&sandbox, &check, "");
    sandbox.set("PATH", "/nonexistent");
    shapes.see(&sandbox, &check, "");
    let root = sandbox.home().join("skills/pack");
    fs_err::create_dir_all(&root).unwrap();
    fs_err::write(root.join("conference.md"), PLAN).unwrap();
    let root = root.to_str().unwrap();
    shapes.see(&sandbox, &["conference", "check", root], "");
}

/// A conference from its approval to its end, and one that is cancelled without a runner.
fn held(shapes: &mut Shapes) {
    let sandbox = Sandbox::new();
    let text = PLAN
        .replace("python3 pack.py", "/bin/echo 39")
        .replace("**Max rounds:** 4", "**Max rounds:** 1");
    fs_err::write(sandbox.work().join("conference.md"), text).unwrap();
    let status = ["conference", "status"];
    let cancel = ["conference", "cancel"];
    let replay = ["conference", "check", "--replay"];
    shapes.see(&sandbox, &status, "");
    shapes.see(&sandbox, &replay, "");
    shapes.see(&sandbox, &cancel, "");
    let found = shapes.see(&sandbox, &["conference", "check"], "");
    let digest = found["approval_digest"].as_str().unwrap();
    for _ in 0..2 {
        shapes.see(&sandbox, &["conference", "approve", "--digest", digest], "");
    }
    let ran = sandbox.run(&["conference", "run"]);
    assert_eq!(ran.status, 8, "{ran:?}");
    shapes.see(&sandbox, &status, "");
    shapes.see(&sandbox, &replay, "");
    let results = sandbox.work().join("conference_results.tsv");
    fs_err::write(results, "no row\n").unwrap();
    shapes.see(&sandbox, &replay, "");
    shapes.see(&sandbox, &cancel, "");
    shapes.see(&sandbox, &["conference", "run"], "");
    let events = sandbox.work().join("conference_events.jsonl");
    let whole = fs_err::read_to_string(&events).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let begun = lines
        .iter()
        .position(|line| line.contains("dispatch.issued"));
    fs_err::write(&events, lines[..=begun.unwrap()].concat() + "{torn").unwrap();
    shapes.see(&sandbox, &status, "");
    shapes.see(&sandbox, &["conference", "resume"], "");
    shapes.see(&sandbox, &cancel, "");
    shapes.see(&sandbox, &status, "");
    fs_err::write(&events, whole.replacen("local", "other", 1)).unwrap();
    shapes.see(&sandbox, &status, "");
    shapes.see(&sandbox, &replay, "");
    fs_err::write(
        &events,
        "{\"event\": \"round.1.completed\", \"payload\": {}}\n",
    )
    .unwrap();
    shapes.see(&sandbox, &status, "");
    shapes.see(&sandbox, &replay, "");
    shapes.see(&sandbox, &cancel, "");
}

/// A conference that a session holds: what goes out, what comes back, and what is blocked.
fn handed_off(shapes: &mut Shapes) {
    let sandbox = crate::conference_run::root("- **Host:** handoff");
    let next = ["conference", "next"];
    let receive = ["conference", "receive", ".", "-", "--session", "parent"];
    let resume = ["conference", "resume"];
    for verb in [&next[..], &receive, &resume] {
        shapes.see(&sandbox, verb, "");
    }
    crate::conference_run::approve(&sandbox);
    let out = shapes.see(&sandbox, &next, "");
    let id = out["awaiting"][0].as_str().unwrap();
    let packet = json!({
        "dispatch_id": id, "role": "researcher", "status": "completed",
        "claims": [{"claim": "c", "evidence": "e", "confidence": "low"}],
        "uncertainties": [], "recommended_root_actions": [],
    });
    State::new(&sandbox).subagent("child", "parent", &packet.to_string());
    shapes.see(&sandbox, &receive, "nonsense");
    shapes.see(&sandbox, &receive, "{\"results\": []}");
    let blocked = packet.to_string().replace("completed", "failed");
    let blocked = blocked.replace("r1.A.1", "r1.B.1");
    for text in [
        packet.to_string(),
        packet.to_string(),
        blocked.clone(),
        blocked,
    ] {
        shapes.see(&sandbox, &receive, &text);
    }
    shapes.see(
        &sandbox,
        &receive,
        &packet.to_string().replace("low", "high"),
    );
    shapes.see(&sandbox, &next, "");
    shapes.see(&sandbox, &resume, "");
    shapes.see(&sandbox, &[&resume[..], &["--keep-first"]].concat(), "");
    shapes.see(&sandbox, &next, "");
    sandbox.run(&["conference", "cancel"]).ok();
    shapes.see(&sandbox, &next, "");
    shapes.see(&sandbox, &["conference", "status"], "");
}

fn damaged(shapes: &mut Shapes) {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "Body.\n"));
    let other = sandbox.propose(&create("other", "Body.\n"));
    let receipt = sandbox.apply(&id);
    fs_err::write(sandbox.queue().join(format!("{other}.json")), "{").unwrap();
    shapes.see(&sandbox, &["skill-loop", "observe"], GAP);
    let log = sandbox.observer().join("observations.jsonl");
    fs_err::write(log, DAMAGED).unwrap();
    shapes.sl(&sandbox, &["observations"]);
    shapes.see(&sandbox, &["skill-loop", "observe"], GAP);
    for args in [
        &["list"][..],
        &["show", &other],
        &["apply", &other, "--dry-run"],
        &["verify"],
    ] {
        shapes.sl(&sandbox, args);
    }
    let whole = fs_err::read_to_string(sandbox.ledger()).unwrap();
    fs_err::write(sandbox.ledger(), format!("{whole}{{\"torn")).unwrap();
    for args in [&["verify"][..], &["log"], &["list"]] {
        shapes.sl(&sandbox, args);
    }
    fs_err::write(sandbox.ledger(), whole.replace("tester", "forger")).unwrap();
    for args in [
        &["verify"][..],
        &["verify", "--repair"],
        &["log"],
        &["list"],
        &["show", &id],
        &["apply", &id],
        &["reject", &other],
        &["rollback", &receipt],
    ] {
        shapes.sl(&sandbox, args);
    }
    shapes.see(&sandbox, &["doctor"], "");
}

#[test]
fn g4_warnings_stand_on_stderr_and_quiet_keeps_them() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "Body.\n");
    let document = create("release-note", "Body.\n").to_string();
    for args in [&["--json"][..], &["--json", "--quiet"], &["--quiet"]] {
        let sandbox = Sandbox::new();
        sandbox.skill(NAME, "Body.\n");
        let ran = sandbox
            .run_with(
                &[&["skill-loop", "propose", "-"], args].concat(),
                document.clone(),
            )
            .ok();
        assert!(ran.stderr.starts_with("warning: "), "{ran:?}");
        assert!(!ran.stdout.contains("warning: "), "{ran:?}");
    }
}
