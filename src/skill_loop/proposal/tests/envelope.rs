use super::super::{Import, read};
use super::{create, drafts, edits, faults, patch};

#[test]
fn one_object_an_array_or_a_list_of_proposals() {
    let (one, two) = (patch(), edits());
    assert_eq!(drafts(&one.to_string()).len(), 1);
    let array = drafts(&format!("[{one}, {two}]"));
    let wrapped = drafts(&format!("{{\"proposals\": [{one}, {two}]}}"));
    let skills = |drafts: &[super::Draft]| -> Vec<_> {
        drafts.iter().map(|draft| draft.change.clone()).collect()
    };
    assert_eq!(array.len(), 2);
    assert_eq!(skills(&array), skills(&wrapped));
}

#[test]
fn nothing_to_save_is_a_result() {
    for text in [
        "Nothing to save.",
        "\n  Nothing to save. \r\n",
        "\u{feff}Nothing to save.",
    ] {
        assert_eq!(read(text.as_bytes()), Ok(Import::NothingToSave), "{text:?}");
    }
    for text in [
        "nothing to save.",
        "Nothing to save",
        "Nothing to save. Really.",
        "\"Nothing to save.\"",
    ] {
        assert_eq!(faults(text).len(), 1, "{text:?}");
    }
}

#[test]
fn a_mark_and_one_fence_are_tolerated() {
    let json = serde_json::to_string_pretty(&create()).unwrap();
    for text in [
        format!("\u{feff}{json}"),
        format!("```json\n{json}\n```"),
        format!("```\n{json}\n```\n"),
        format!("\u{feff}\n```json  \r\n{json}\r\n```  \n\n"),
    ] {
        assert_eq!(drafts(&text).len(), 1, "{text}");
    }
}

#[test]
fn nothing_else_around_the_json_is() {
    let json = patch().to_string();
    for (text, line) in [
        (format!("Here it is:\n{json}"), 1),
        (format!("{json}\nDone."), 2),
        (format!("{json}\n{json}"), 2),
        (format!("```bash\n{json}\n```"), 1),
        (format!("```json5\n{json}\n```"), 1),
        (format!("```json {json}```"), 1),
        (format!("````\n{json}\n````"), 1),
        (format!("~~~\n{json}\n~~~"), 1),
        (format!("```json\n{json}"), 2),
        (format!("```json\n{json}\n```\nDone."), 4),
        (format!("```json\n{json}\n```\n```json\n{json}\n```"), 3),
        (format!("```json\n```json\n{json}\n```\n```"), 2),
        ("```".to_owned(), 1),
        ("```json\n\n```".to_owned(), 3),
        (format!("\u{feff}\u{feff}{json}"), 1),
    ] {
        let faults = faults(&text);
        assert_eq!(
            (faults.len(), faults[0].line),
            (1, line),
            "{text}: {faults:?}"
        );
    }
}

#[test]
fn places_are_those_of_the_file_that_the_user_has() {
    let bare = "{\n  \"schema\": 1,\n  \"skill\": \"A\"\n}";
    let places = |text: &str| -> Vec<_> {
        faults(text)
            .iter()
            .map(|f| (f.line, f.column, f.pointer.clone()))
            .collect()
    };
    let bare_places = places(bare);
    assert_eq!(
        bare_places[4..],
        [(2, 13, "/schema".into()), (3, 12, "/skill".into())]
    );
    assert_eq!(places(&format!("\u{feff}{bare}")), bare_places);
    let shifted: Vec<_> = bare_places
        .into_iter()
        .map(|(l, c, p)| (l + 2, c, p))
        .collect();
    assert_eq!(
        places(&format!("\u{feff}\n```json\n{bare}\n```\n")),
        shifted
    );
}

#[test]
fn an_empty_document_is_told_what_to_say() {
    for text in ["", " \n", "\u{feff}", "[]", "{\"proposals\": []}"] {
        let faults = faults(text);
        assert_eq!(faults.len(), 1, "{text:?}");
        assert!(
            faults[0].message.contains("`Nothing to save.`"),
            "{text:?}: {faults:?}"
        );
    }
}

#[test]
fn an_empty_object_misses_every_field() {
    let missing: Vec<_> = faults("{}")
        .into_iter()
        .map(|fault| fault.message)
        .collect();
    assert_eq!(missing.len(), 6);
    for key in [
        "schema",
        "skill",
        "signal",
        "rationale",
        "evidenceRefs",
        "patch",
    ] {
        assert!(
            missing.iter().any(|m| m.contains(&format!("`{key}`"))),
            "{key}: {missing:?}"
        );
    }
}

#[test]
fn what_is_no_proposal_is_told_so_where_it_stands() {
    for (text, pointer, why) in [
        ("null", "", "expected an object, found null"),
        ("1e999", "", "expected an object, found a number"),
        ("[\"x\"]", "/0", "expected an object, found a string"),
        (
            "{\"proposals\": {}}",
            "/proposals",
            "expected an array, found an object",
        ),
        (
            "{\"proposals\": [[]]}",
            "/proposals/0",
            "expected an object, found an array",
        ),
    ] {
        let faults = faults(text);
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert_eq!(
            (faults[0].pointer.as_str(), faults[0].message.as_str()),
            (pointer, why)
        );
    }
    let beside = faults(format!("{{\"proposals\": [{}], \"note\": 1}}", patch()));
    assert_eq!((beside.len(), beside[0].pointer.as_str()), (1, "/note"));
}

#[test]
fn a_syntax_error_is_reported_alone() {
    let found = faults("{\"schema\": 1, \"schema\": 2, \"skill\": NaN}");
    assert_eq!(
        (found.len(), found[0].pointer.as_str(), found[0].column),
        (1, "/skill", 37)
    );
}

#[test]
fn a_document_above_the_limits_is_refused() {
    let fence = format!("```json\n{}\n```", " ".repeat(4 << 20));
    for text in [" {}".repeat(2 << 20), fence] {
        let faults = faults(&text);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].message.contains("at most 4194304"), "{faults:?}");
    }
    assert!(faults("[".repeat(65))[0].message.contains("64 levels"));
}
