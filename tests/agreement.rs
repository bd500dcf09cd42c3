//! What `list --json` marks is what `apply --dry-run` says, for every pending id.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use serde_json::{Value, json};

use lithermes::skill_loop::queue::Proposal;

use crate::support::{Sandbox, create, marked, patch, secret};

/// What happened to a file or a proposal since the import.
#[derive(Debug, Clone, Copy)]
enum Event {
    Propose { skill: u8, line: u8, word: u8 },
    Support { skill: u8, file: u8, word: u8 },
    Create { skill: u8, word: u8 },
    Apply(u8),
    Reject(u8),
    Rollback(u8),
    Edit { skill: u8, word: u8 },
    Mode(u8),
    Unmark(u8),
    Pin(u8),
    Remove(u8),
    Link(u8),
    HardLink(u8),
    Alter(u8),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let one = prop_oneof![
        4 => (0..3_u8, 0..3_u8, 0..3_u8).prop_map(|(skill, line, word)| Event::Propose { skill, line, word }),
        2 => (0..4_u8, 0..2_u8, 0..3_u8).prop_map(|(skill, file, word)| Event::Support { skill, file, word }),
        2 => (0..5_u8, 0..2_u8).prop_map(|(skill, word)| Event::Create { skill, word }),
        3 => any::<u8>().prop_map(Event::Apply),
        1 => any::<u8>().prop_map(Event::Reject),
        1 => any::<u8>().prop_map(Event::Rollback),
        1 => (0..5_u8, 0..3_u8).prop_map(|(skill, word)| Event::Edit { skill, word }),
        1 => (0..5_u8).prop_map(Event::Mode),
        1 => (0..5_u8).prop_map(Event::Unmark),
        1 => (0..5_u8).prop_map(Event::Pin),
        1 => (0..5_u8).prop_map(Event::Remove),
        1 => (0..5_u8).prop_map(Event::Link),
        1 => (0..5_u8).prop_map(Event::HardLink),
        1 => any::<u8>().prop_map(Event::Alter),
    ];
    prop::collection::vec(one, 4..14)
}

/// What `list --json` marks is what `apply --dry-run` says, for every pending id (§3).
#[test]
fn list_says_what_a_dry_run_says() {
    let config = Config {
        cases: 12,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&events(), |events| {
            let sandbox = Sandbox::new();
            for skill in 0..3 {
                sandbox.skill(&format!("skill-{skill}"), "line 0\nline 1\nline 2\n");
            }
            for event in events {
                happen(&sandbox, event);
            }
            agree(&sandbox)
        })
        .unwrap();
}

fn agree(sandbox: &Sandbox) -> Result<(), TestCaseError> {
    let list = sandbox.json(&["list"]);
    for item in list["proposals"].as_array().unwrap() {
        let id = item["id"].as_str().unwrap();
        let dry = sandbox.json(&["apply", id, "--dry-run"]);
        let said = if dry["schema"] == "lithermes/error/v1" {
            json!({"applies": false, "code": dry["code"], "message": dry["message"]})
        } else {
            json!({"applies": true, "code": null, "message": null})
        };
        prop_assert_eq!(&item["verdict"], &said, "{}", id);
        let shown = sandbox.json(&["show", id]);
        prop_assert_eq!(
            &shown["planDigest"],
            &dry["results"][0]["planDigest"],
            "{}",
            id
        );
    }
    Ok(())
}

fn happen(sandbox: &Sandbox, event: Event) {
    let name = |skill: u8| format!("skill-{skill}");
    let nth = |n: u8| {
        let list = sandbox.json(&["list", "--all"]);
        let all = list["proposals"].as_array().unwrap();
        let at = usize::from(n).checked_rem(all.len())?;
        Some(all[at].clone())
    };
    let propose = |document: &Value| {
        drop(sandbox.run_with(&["skill-loop", "propose", "-"], document.to_string()));
    };
    let main = |skill: u8| sandbox.skill_path(&name(skill)).join("SKILL.md");
    match event {
        Event::Propose { skill, line, word } => {
            propose(&patch(
                &name(skill),
                &format!("line {line}"),
                &format!("word {word}"),
            ));
        }
        Event::Support { skill, file, word } => {
            let mut document = create(&name(skill), "");
            document.as_object_mut().unwrap().remove("create");
            document["supportFile"] = json!({"path": format!("references/{file}.md"), "content": format!("word {word}\n")});
            propose(&document);
        }
        Event::Create { skill, word } => propose(&create(&name(skill), &format!("word {word}\n"))),
        Event::Apply(n) => decide(sandbox, "apply", nth(n)),
        Event::Reject(n) => decide(sandbox, "reject", nth(n)),
        Event::Rollback(n) => {
            let receipt = nth(n).and_then(|item| Some(item["receipt"].as_str()?.to_owned()));
            if let Some(receipt) = receipt {
                drop(sandbox.sl(&["rollback", &receipt]));
            }
        }
        Event::Edit { skill, word } => {
            if main(skill).is_file() {
                fs_err::write(
                    main(skill),
                    marked(&name(skill), &format!("line 0\nline {word}\n")),
                )
                .unwrap();
            }
        }
        Event::Mode(skill) => {
            use std::os::unix::fs::PermissionsExt as _;
            if main(skill).is_file() {
                let mode = std::fs::Permissions::from_mode(0o600);
                fs_err::set_permissions(main(skill), mode).unwrap();
            }
        }
        Event::Unmark(skill) => {
            if let Ok(text) = fs_err::read_to_string(main(skill)) {
                fs_err::write(
                    main(skill),
                    text.replace("lithermesAgentGenerated", "other"),
                )
                .unwrap();
            }
        }
        Event::Pin(skill) => {
            let usage = json!({name(skill): {"pinned": true}});
            fs_err::write(sandbox.home().join("skills/.usage.json"), usage.to_string()).unwrap();
        }
        Event::Remove(skill) => drop(fs_err::remove_dir_all(sandbox.skill_path(&name(skill)))),
        Event::Link(skill) => {
            let path = sandbox.skill_path(&name(skill));
            drop(fs_err::rename(
                &path,
                sandbox.root().join(format!("moved-{skill}")),
            ));
            drop(std::os::unix::fs::symlink("/nonexistent", path));
        }
        Event::HardLink(skill) => drop(fs_err::hard_link(
            main(skill),
            sandbox.root().join(format!("twin-{skill}")),
        )),
        Event::Alter(n) => {
            if let Some(item) = nth(n) {
                let path = sandbox
                    .queue()
                    .join(format!("{}.json", item["id"].as_str().unwrap()));
                let text = fs_err::read_to_string(&path).unwrap();
                fs_err::write(path, text.replace("word", "sword")).unwrap();
            }
        }
    }
}

fn decide(sandbox: &Sandbox, verb: &str, item: Option<Value>) {
    if let Some(item) = item {
        drop(sandbox.sl(&[verb, item["id"].as_str().unwrap()]));
    }
}

/// Writes a queue file that was never imported but whose id fits its content, as anybody can.
fn forge(sandbox: &Sandbox, imported: &str, edit: impl FnOnce(&mut Value)) -> String {
    let file = |id: &str| sandbox.queue().join(format!("{id}.json"));
    let mut document: Value =
        serde_json::from_slice(&fs_err::read(file(imported)).unwrap()).unwrap();
    edit(&mut document);
    let mut proposal: Proposal = serde_json::from_value(document).unwrap();
    proposal.id = proposal.computed_id();
    fs_err::write(file(&proposal.id), serde_json::to_vec(&proposal).unwrap()).unwrap();
    proposal.id
}

/// What is forged, and how.
type Forgery = (&'static str, fn(&mut Value));

/// An id that fits is no proof of a check: all rules are applied again (§3, §5).
#[test]
fn a_queue_file_that_was_never_imported_is_held_to_every_rule() {
    let forgeries: [Forgery; 8] = [
        ("no base recorded", |p| p["base"] = json!([])),
        ("a base of another file", |p| {
            p["base"][0]["path"] = json!("references/a.md");
        }),
        ("a path beside the folders", |p| {
            p["patch"]["file"] = json!("notes.md");
        }),
        ("a path upwards", |p| {
            p["patch"]["file"] = json!("../demo/SKILL.md");
        }),
        ("a credential", |p| {
            p["rationale"] = json!(format!("use {}", secret()));
        }),
        ("no evidence", |p| p["evidenceRefs"] = json!([])),
        ("an edit of nothing", |p| {
            p["patch"]["edits"][0]["oldString"] = json!("");
        }),
        ("a name that climbs", |p| p["skill"] = json!("..")),
    ];
    for (what, edit) in forgeries {
        let sandbox = Sandbox::new();
        sandbox.skill("demo", "one\n");
        let imported = sandbox.propose(&patch("demo", "one", "two"));
        let id = forge(&sandbox, &imported, edit);
        let before = sandbox.skill_text("demo/SKILL.md");
        assert!(sandbox.marks(&id).contains(&"blocked".to_owned()), "{what}");
        sandbox.refuses(&["apply", &id], "", 3, "INVALID_PROPOSAL");
        assert_eq!(sandbox.skill_text("demo/SKILL.md"), before, "{what}");
        assert_eq!(sandbox.kinds(), Vec::<String>::new(), "{what}");
        agree(&sandbox).unwrap();
    }
}
