use super::super::{Document, Part};
use super::{BASE, reading, with};

fn document(text: &str) -> Document {
    Document::parse(text.to_owned())
}

#[test]
fn findings_take_the_place_of_those_before_and_the_marker_stays() {
    let first = document(BASE)
        .with_knowledge("### Round 1\n1. **Levels.** x")
        .unwrap();
    let wanted = with(&[(
        "<!-- written by the root -->\n",
        "<!-- written by the root -->\n\n### Round 1\n1. **Levels.** x\n",
    )]);
    assert_eq!(first, wanted);
    let second = document(&first).with_knowledge("1. y").unwrap();
    assert_eq!(
        second,
        first.replace("### Round 1\n1. **Levels.** x", "1. y")
    );
    assert_eq!(document(&second).with_knowledge("1. y").unwrap(), second);
    assert_eq!(reading(&second).config_digest, reading(BASE).config_digest);
}

#[test]
fn the_log_at_the_end_of_the_file() {
    let row = "| 1 | A | 0.9 | x | validated |";
    let log = document(BASE)
        .section(Part::ConferenceLog)
        .cloned()
        .unwrap();
    let table = document(BASE).prose(&log);
    let text = document(BASE).with_log(&format!("{table}\n{row}")).unwrap();
    let wanted = with(&[("## Conference Log\n", "## Conference Log\n\n")]);
    assert_eq!(text, format!("{wanted}{row}\n"));
    let open = BASE.trim_end();
    assert_eq!(
        document(open).with_log(row).unwrap().lines().last(),
        Some(row)
    );
}

#[test]
fn a_missing_section_is_added_where_it_belongs() {
    let none = with(&[("## Shared Knowledge\n<!-- written by the root -->\n\n", "")]);
    let text = document(&none).with_knowledge("1. x").unwrap();
    let wanted = none.replace("one week.\n", "one week.\n\n## Shared Knowledge\n\n1. x\n");
    assert_eq!(text, wanted);
    let bare = "# T\n\n## Goal\nG";
    let text = document(bare).with_knowledge("1. x").unwrap();
    assert_eq!(text, "# T\n\n## Goal\nG\n\n## Shared Knowledge\n\n1. x\n");
    let text = document(bare).with_log("Started.").unwrap();
    assert_eq!(
        text,
        "# T\n\n## Goal\nG\n\n---\n\n## Conference Log\n\nStarted.\n"
    );
    assert_eq!(
        document("").with_log("x").unwrap(),
        "---\n\n## Conference Log\n\nx\n"
    );
}

#[test]
fn the_confirmation_stands_in_its_field_in_its_section_or_in_a_new_one() {
    let value = "confirmed 12ab";
    let pending = with(&[(
        "disabled",
        "disabled\n- **Final confirmation:** `pending` <!-- x -->",
    )]);
    let text = document(&pending).with_confirmation(value).unwrap();
    assert_eq!(text, pending.replace("`pending` <!-- x -->", value));
    let bare = with(&[("disabled", "disabled\nfinal_confirmation:")]);
    let text = document(&bare).with_confirmation(value).unwrap();
    assert_eq!(
        text,
        bare.replace("confirmation:", "confirmation: confirmed 12ab")
    );
    let text = document(BASE).with_confirmation(value).unwrap();
    let item = format!("disabled\n- **Final confirmation:** {value}");
    assert_eq!(text, with(&[("disabled", &item)]));
    let none = with(&[(
        "## Pre-Flight Gate\n- **Critic / Devil's Advocate:** disabled\n\n",
        "",
    )]);
    let text = document(&none).with_confirmation(value).unwrap();
    assert_eq!(reading(&text).confirmation.as_deref(), Some(value));
    assert_eq!(reading(&text).config_digest, reading(&none).config_digest);
    assert_eq!(document(BASE).with_confirmation("a\n## Goal"), None);
    assert_eq!(document(BASE).with_confirmation(""), None);
}

#[test]
fn line_endings_are_those_of_the_document() {
    let windows = BASE.replace('\n', "\r\n");
    let text = document(&windows).with_knowledge("1. x\n2. y").unwrap();
    let text = document(&text).with_confirmation("confirmed 1").unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert!(text.contains("1. x\r\n2. y\r\n"));
}

#[test]
fn a_text_that_would_reach_beyond_its_section_is_refused() {
    for text in [
        "x\n\n## Constraints\n- **Time budget:** 9h",
        "# A new title",
        "```\nan open fence",
        "<!-- an open comment",
        "## Researcher A Focus\nx",
        "x\n## Shared Knowledge\ny",
        "<!-- a marker -->\nx",
        "x\n\n---",
    ] {
        assert_eq!(document(BASE).with_knowledge(text), None, "{text}");
    }
    for text in [
        "```\n## no heading\n```",
        "### Researcher A Focus\nx",
        "a <!-- b",
    ] {
        assert!(document(BASE).with_knowledge(text).is_some(), "{text}");
    }
    let fenced = "# T\n\n```\nopen";
    assert_eq!(document(fenced).with_knowledge("1. x"), None);
}
