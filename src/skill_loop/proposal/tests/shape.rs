//! What other rooms rely on: the drafts, their serialised form, their places.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{Change, Edit, NewFile, Places, Signal};
use super::{SKILL_MD, create, draft, drafts, edits, patch, support_file};
use crate::digest::canonical;

fn text(change: &Change) -> String {
    String::from_utf8(canonical(change)).unwrap()
}

#[test]
fn a_draft_holds_what_the_document_says() {
    let mut document = patch();
    let sha = "0f".repeat(32);
    document["patch"]["baseSha256"] = json!(sha);
    let draft = draft(&document);
    assert_eq!(draft.skill, "release-notes");
    assert_eq!(draft.signal, Signal::Correction);
    assert_eq!(draft.evidence_refs.len(), 2);
    assert_eq!(
        draft.base_sha256.into_iter().collect::<Vec<_>>(),
        [("SKILL.md".to_owned(), sha)]
    );
    let edit = Edit {
        old_string: "last".to_owned(),
        new_string: "first".to_owned(),
    };
    let file = "SKILL.md".to_owned();
    assert_eq!(
        draft.change,
        Change::Patch {
            file,
            edits: vec![edit]
        }
    );
    let Change::Create { files } = super::draft(&create()).change else {
        panic!("a new skill");
    };
    let first = NewFile {
        path: "SKILL.md".to_owned(),
        content: SKILL_MD.to_owned(),
        executable: None,
    };
    assert_eq!(
        (files.len(), &files[0], files[2].executable),
        (3, &first, Some(true))
    );
}

#[test]
fn a_change_is_written_with_the_field_names_of_the_document() {
    assert_eq!(
        text(&draft(&patch()).change),
        r#"{"patch":{"edits":[{"newString":"first","oldString":"last"}],"file":"SKILL.md"}}"#
    );
    for document in [edits(), create(), support_file()] {
        let key = ["patch", "create", "supportFile"]
            .into_iter()
            .find(|key| document.get(key).is_some())
            .unwrap();
        let expected = json!({key: document[key]}).to_string();
        assert_eq!(text(&draft(&document).change), expected);
    }
}

#[test]
fn both_spellings_of_one_edit_are_one_change() {
    let mut long = patch();
    long["patch"] = json!({
        "file": "SKILL.md",
        "edits": [{"oldString": "last", "newString": "first"}],
    });
    assert_eq!(draft(&long).change, draft(&patch()).change);
}

#[test]
fn what_is_absent_stays_absent_and_false_stays_false() {
    let mut document = support_file();
    let change = document["supportFile"].as_object_mut().unwrap();
    change.remove("pointer");
    change.insert("executable".to_owned(), json!(false));
    assert_eq!(
        text(&draft(&document).change),
        r##"{"supportFile":{"content":"#!/bin/sh\nsort\n","executable":false,"path":"scripts/sort.sh"}}"##
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Queued {
    id: String,
    signal: Signal,
    #[serde(flatten)]
    change: Change,
}

#[test]
fn a_change_survives_being_flattened_into_a_queue_file() {
    for document in [patch(), edits(), create(), support_file()] {
        let draft = draft(&document);
        let queued = Queued {
            id: "p-1".to_owned(),
            signal: draft.signal,
            change: draft.change,
        };
        let stored = canonical(&queued);
        assert_eq!(serde_json::from_slice::<Queued>(&stored).unwrap(), queued);
        assert_eq!(
            serde_json::from_slice::<Value>(&stored).unwrap()["signal"],
            "correction"
        );
    }
}

#[test]
fn an_altered_change_is_not_read_back() {
    for text in [
        r#"{"patch":{"file":"SKILL.md","edits":[],"more":1}}"#,
        r#"{"create":{"files":[{"path":"a","content":"b","mode":1}]}}"#,
        r#"{"delete":{}}"#,
        r#"{"supportFile":{"path":"a"}}"#,
    ] {
        assert!(serde_json::from_str::<Change>(text).is_err(), "{text}");
    }
}

#[test]
fn signals_are_spelled_as_in_the_document() {
    for signal in Signal::ALL {
        assert_eq!(serde_json::to_value(signal).unwrap(), signal.as_str());
    }
}

fn place(places: &Places, field: &str) -> (String, u32, u32) {
    let fault = places.fault(field, "wrong");
    assert_eq!(fault.message, "wrong");
    (fault.pointer, fault.line, fault.column)
}

#[test]
fn later_faults_find_their_places() {
    let text = format!(
        "```json\n[{},\n{}]\n```",
        edits(),
        serde_json::to_string_pretty(&patch()).unwrap()
    );
    let drafts = drafts(&text);
    let one = &drafts[1].places;
    let line = |needle: &str| 1 + text.lines().position(|l| l.starts_with(needle)).unwrap() as u32;
    assert_eq!(
        place(one, "/skill"),
        ("/1/skill".into(), line("  \"skill\""), 12)
    );
    let old = line("    \"oldString\"");
    assert_eq!(
        place(one, "/patch/edits/0/oldString"),
        ("/1/patch/oldString".into(), old, 18)
    );
    assert_eq!(
        place(one, "/patch/edits/0"),
        ("/1/patch".into(), line("  \"patch\""), 12)
    );
    assert_eq!(place(one, "/nowhere/at/all"), ("/1".into(), 3, 1));
    assert_eq!(place(one, ""), ("/1".into(), 3, 1));
    let many = place(&drafts[0].places, "/patch/edits/1/newString");
    assert_eq!((many.0.as_str(), many.1), ("/0/patch/edits/1/newString", 2));
}
