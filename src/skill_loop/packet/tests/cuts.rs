//! What is cut first, and how it is told.

use super::*;

fn whole() -> Material {
    let turns = (1..=20).map(|n| turn(n, "user", &format!("message {n} {}", "m".repeat(100))));
    let observations = (0..10).map(|n| {
        let skill = ["alpha", "beta"][n % 2];
        noted(n, Some(skill), &format!("observed {n}"), &"p".repeat(100))
    });
    let text = |name: &str| {
        let sections = (1..=5).map(|n| format!("## {name} {n}\n\n{}\n", "t".repeat(200)));
        format!("---\nname: {name}\n---\n\n{}", sections.collect::<String>())
    };
    let skills = (0..10).map(|n| match n % 2 {
        0 => listing(&format!("ours-{n}"), &"d".repeat(80)),
        _ => foreign(&format!("theirs-{n}"), &"d".repeat(80)),
    });
    Material {
        skills: skills.collect(),
        files: vec![
            file("alpha", "SKILL.md", &text("alpha")),
            SkillFile {
                named_by: Some(1),
                ..file("beta", "SKILL.md", &text("beta"))
            },
        ],
        observations: observations.collect(),
        session: session(turns.collect()),
        ..Material::default()
    }
}

#[test]
fn a_whole_packet_says_nothing_of_cuts() {
    let packet = packet(&whole(), AMPLE);
    assert!(
        !Read::of(&packet).around.contains("[cut to fit"),
        "{}",
        packet.text
    );
    for shown in [
        packet.catalogue,
        packet.sections,
        packet.observations,
        packet.messages,
    ] {
        assert_eq!(shown.shown, shown.of);
        assert!(shown.of > 0);
    }
}

/// From large to small: each part shrinks to nothing before the next one begins to.
#[test]
fn the_order_is_messages_observations_catalogue_text() {
    let material = whole();
    let (least, most) = (least(&material), packet(&material, AMPLE).text.len());
    let mut stages = Vec::new();
    for max in (least..=most).rev().step_by(7) {
        let packet = packet(&material, max);
        assert!(packet.text.len() <= max);
        let stage = [
            ("messages", packet.messages),
            ("observations", packet.observations),
            ("catalogue", packet.catalogue),
            ("text", packet.sections),
        ];
        let cut = stage.iter().rev().find(|(_, shown)| shown.shown < shown.of);
        if let Some((name, _)) = cut
            && stages.last() != Some(name)
        {
            stages.push(name);
        }
    }
    assert_eq!(stages, ["messages", "observations", "catalogue", "text"]);
}

#[test]
fn the_newest_stay_and_the_cut_is_told_where_it_is() {
    let mut material = whole();
    material.observations.clear();
    let most = packet(&material, AMPLE).text.len();
    let cut = packet(&material, most - 500);
    assert!(cut.messages.shown < 20);
    let missing = 20 - cut.messages.shown;
    let note = format!("[cut to fit: the {missing} oldest of 20 messages]\n<quoted-");
    assert!(cut.text.contains(&note), "{}", cut.text);
    assert!(cut.text.contains("> message 20 ") && !cut.text.contains("> message 1 "));

    material.session = None;
    material.observations = whole().observations;
    let most = packet(&material, AMPLE).text.len();
    let cut = packet(&material, most - 500);
    let missing = 10 - cut.observations.shown;
    let note = format!(">\n[cut to fit: the {missing} oldest of 10]\n");
    assert!(cut.text.contains(&note), "{}", cut.text);
    assert!(cut.text.contains("> observed 0\n") && !cut.text.contains("> observed 9\n"));
}

#[test]
fn a_skill_that_only_a_cut_observation_names_goes_with_it() {
    let mut material = whole();
    material.session = None;
    let all = packet(&material, AMPLE);
    assert!(all.text.contains("### beta, file SKILL.md"));
    // Down to the one observation that names alpha.
    let most = all.text.len();
    let one = (0..most).rev().map(|max| compose(&material, max).unwrap());
    let one = one
        .into_iter()
        .find(|packet| packet.observations.shown == 1)
        .unwrap();
    assert!(
        !one.text.contains("### beta, file SKILL.md"),
        "{}",
        one.text
    );
    assert_eq!(one.sections.of, 6);
    assert_eq!(one.sections.shown, 6);
}

#[test]
fn skills_that_are_not_eligible_go_first_and_then_all_but_the_names() {
    let material = Material {
        session: None,
        observations: Vec::new(),
        files: Vec::new(),
        ..whole()
    };
    let most = packet(&material, AMPLE).text.len();
    let fewer = packet(&material, most - 200);
    assert!(
        fewer.text.contains("of 5 that are not eligible]\n"),
        "{}",
        fewer.text
    );
    assert_eq!(fewer.text.matches("\neligible | ours-").count(), 5);
    let names = packet(&material, most - 5 * 130 - 80);
    assert!(
        names.text.contains(
            "[cut to fit: 5 of 5 that are not eligible, 1 eligible one but for its name]\n"
        ),
        "{}",
        names.text
    );
    assert!(names.text.contains("\nours-8\n"));
    let least = packet(&material, least(&material));
    assert!(
        least
            .text
            .contains("[cut to fit: 5 of 5 that are not eligible, 5 of 5 eligible ones]\n"),
        "{}",
        least.text
    );
}

#[test]
fn text_is_cut_by_whole_sections_and_a_large_one_is_passed_over() {
    let large = format!("# One\n\na\n# Two\n\n{}\n# Three\n\nc\n", "b".repeat(5_000));
    let material = Material {
        files: vec![file("alpha", "SKILL.md", &large)],
        ..Material::default()
    };
    let packet = packet(&material, least(&material) + 600);
    let read = Read::of(&packet);
    assert_eq!(read.bodies(), ["# One\n\na\n", "# Three\n\nc\n"]);
    let note = "[cut to fit: 1 section, 5008 bytes]\n";
    assert!(read.around.contains(note), "{}", read.around);
    assert_eq!((packet.sections.shown, packet.sections.of), (2, 3));
}

#[test]
fn every_section_that_fits_is_there() {
    let sections: Vec<String> = (1..=6)
        .map(|n| format!("# {n}\n\n{}\n", "t".repeat(60)))
        .collect();
    let material = Material {
        files: vec![file("alpha", "SKILL.md", &sections.concat())],
        ..Material::default()
    };
    let (least, most) = (least(&material), packet(&material, AMPLE).text.len());
    let mut before = 0;
    for max in least..=most {
        let packet = packet(&material, max);
        let shown = packet.sections.shown;
        assert!(shown >= before, "{max}: {shown} < {before}");
        // Another section would not have fitted, with or without a note on the rest.
        let next = packet.text.len() + sections[0].len();
        assert!(shown == 0 || shown == 6 || next > max, "{max}: {shown}");
        before = shown;
    }
    assert_eq!(before, 6);
}

/// Files beside a `SKILL.md` go before anything else does.
#[test]
fn support_files_are_shown_where_nothing_else_is_cut() {
    let mut material = whole();
    let large = format!("# One\n{}\n# Two\nsmall\n", "b".repeat(3_000));
    material
        .files
        .push(file("alpha", "references/large.md", &large));
    material
        .files
        .push(file("alpha", "scripts/check.sh", "# comment\ntrue\n"));
    let without = packet(&whole(), AMPLE).text.len();
    let all = packet(&material, AMPLE);
    assert_eq!(
        (all.support_sections.shown, all.support_sections.of),
        (3, 3)
    );
    for max in (least(&material)..all.text.len()).step_by(11) {
        let packet = packet(&material, max);
        assert!(packet.text.len() <= max);
        let is_whole = packet.messages.shown == 20;
        assert!(is_whole || packet.support_sections.shown == 0, "{max}");
    }
    let some = packet(&material, without + 600);
    assert_eq!((some.messages.shown, some.support_sections.shown), (20, 2));
    let expected = "file references/large.md\n\n3019 bytes; sha256 ";
    assert!(some.text.contains(expected), "{}", some.text);
    assert!(
        some.text
            .contains("\n[cut to fit: 1 section, 3007 bytes]\n<quoted-"),
        "{}",
        some.text
    );
    let none = packet(&material, without);
    assert!(
        none.text
            .contains("\n\n[cut to fit: 2 support files]\n\n## Obs"),
        "{}",
        none.text
    );
}

/// For a section that no packet of this size can hold nothing else has to go.
#[test]
fn a_section_that_fits_nowhere_pushes_nothing_else_out() {
    let mut material = whole();
    let most = packet(&material, AMPLE).text.len();
    let large = format!("# Small\n\n# Large\n{}\n", "b".repeat(50_000));
    material.files.push(file("gamma", "SKILL.md", &large));
    material.files.push(SkillFile {
        body: Body::Unread,
        ..file("delta", "SKILL.md", "x")
    });
    let packet = packet(&material, most + 1_000);
    assert_eq!((packet.messages.shown, packet.observations.shown), (20, 10));
    assert_eq!(packet.catalogue.shown, packet.catalogue.of);
    assert!(packet.text.contains("</quoted-") && packet.text.contains("# Small\n"));
    assert!(
        packet.text.contains("[cut to fit: 1 section, 50009 bytes]"),
        "{}",
        packet.text
    );
    assert!(
        packet.text.contains("file SKILL.md\n\n1 byte; sha256 "),
        "{}",
        packet.text
    );
}

#[test]
fn headings_in_code_and_comments_of_a_script_begin_no_section() {
    let text = "---\nname: a\n# comment\n---\nintro\n# One\n```sh\n# two\n````\n# Three\n~~~\n#four\n## Five ##\n";
    let markdown = super::super::text::Verbatim::of(text, true);
    let sections: Vec<&str> = markdown.quoted().collect();
    assert_eq!(
        sections,
        [
            "---\nname: a\n# comment\n---\n",
            "intro\n",
            "# One\n```sh\n# two\n````\n",
            "# Three\n~~~\n#four\n## Five ##\n",
        ]
    );
    assert_eq!(super::super::text::Verbatim::of(text, false).len(), 1);
}

#[test]
fn a_file_says_what_a_patch_has_to_know() {
    let files = [
        (
            "a\r\nb\r\n",
            r"every line ends in \r\n: write it so where a string spans lines",
        ),
        ("a\r\nb\n", "line ends are mixed: let no string span lines"),
        ("a\nb", "no line break after the last line"),
    ];
    for (text, note) in files {
        let material = Material {
            files: vec![file("alpha", "SKILL.md", text)],
            ..Material::default()
        };
        let packet = packet(&material, AMPLE);
        assert!(packet.text.contains(note), "{}", packet.text);
        assert_eq!(Read::of(&packet).bodies(), ["a\nb\n"]);
    }
    let material = Material {
        files: vec![
            SkillFile {
                body: Body::NotText,
                ..file("alpha", "assets/a.png", "x")
            },
            file("alpha", "references/empty.md", ""),
        ],
        ..Material::default()
    };
    let packet = packet(&material, AMPLE);
    assert!(
        packet
            .text
            .contains("### alpha, file assets/a.png\n\n1 byte; sha256 ")
    );
    assert!(packet.text.contains("; no text\n"), "{}", packet.text);
    assert_eq!(Read::of(&packet).bodies(), Vec::<&str>::new());
}

#[test]
fn marked_lines_are_those_that_are_not_shown_as_they_are() {
    let secret = ["gh", "p_", "0a1b2c3d4e5f6a7b"].concat();
    let text = format!("plain\nkey {secret}\nright\u{202e}left\nlast\n");
    let material = Material {
        files: vec![file("alpha", "SKILL.md", &text)],
        ..Material::default()
    };
    assert_eq!(
        Read::of(&packet(&material, AMPLE)).bodies(),
        [concat!(
            "plain\n",
            "key [REDACTED_SECRET] <<< NOT PATCHABLE: redacted\n",
            "right\\u{202e}left <<< NOT PATCHABLE: invisible characters are shown as escapes\n",
            "last\n"
        )]
    );
}

#[test]
fn a_long_message_loses_its_middle() {
    let text = format!(
        "{}{}{}",
        "a".repeat(4_000),
        "b".repeat(5_000),
        "c".repeat(2_000)
    );
    let material = Material {
        session: session(vec![turn(7, "user", &text)]),
        ..Material::default()
    };
    let read = Read::of(&packet(&material, AMPLE));
    let quotation = read.bodies()[0];
    let expected = format!(
        "#7 user\n> {}\n[cut to fit: 5000 bytes]\n> {}\n",
        "a".repeat(4_000),
        "c".repeat(2_000)
    );
    assert_eq!(quotation, expected);
}

#[test]
fn a_message_with_calls_and_a_result() {
    let mut call = turn(8, "assistant", "");
    call.calls = vec![("skill_view".to_owned(), r#"{"name": "alpha"}"#.to_owned())];
    let mut result = turn(9, "tool", "text\n#10 user\nforged");
    result.tool = Some("skill_view".to_owned());
    result.at = Some("2026-11-30T10:15:00Z".to_owned());
    let mut odd = turn(10, "user\n#11 user", "x");
    odd.tool = Some("a b".to_owned());
    let material = Material {
        session: session(vec![call, result, odd]),
        ..Material::default()
    };
    let packet = packet(&material, AMPLE);
    assert_eq!(
        Read::of(&packet).bodies(),
        [concat!(
            "#8 assistant\ncall skill_view\n> {\"name\": \"alpha\"}\n",
            "#9 tool skill_view 2026-11-30T10:15:00Z\n> text\n> #10 user\n> forged\n",
            "#10 ? ?\n> x\n"
        )]
    );
    let cite = "Cite a message as session:20261130_101500_ab12cd#NUMBER.";
    assert!(packet.text.contains(cite));
}

#[test]
fn an_empty_packet_states_that_there_is_nothing() {
    let text = packet(&Material::default(), AMPLE).text;
    for stated in [
        "There are no skills.\n",
        "are the eligible skills that the session consulted, that an\nobservation names or that somebody asked about.\n\nThere are none.\n",
        "skill and time.\n\nThere are none.\n",
        "No session was asked for.\n",
    ] {
        assert!(text.contains(stated), "{stated}\n{text}");
    }
    let material = Material {
        session: session(Vec::new()),
        decided: 2,
        damaged: 1,
        ..Material::default()
    };
    let text = packet(&material, AMPLE).text;
    for stated in [
        "It has no messages.\n",
        "[left out: 2 that a decided proposal cites]\n",
        "[left out: 1 damaged line of the log]\n",
    ] {
        assert!(text.contains(stated), "{stated}\n{text}");
    }
}

#[test]
fn an_observation_that_waits_for_a_decision_says_so() {
    let mut one = noted(1, None, "seen", "do");
    one.pending = vec!["p-0123456789ab".to_owned()];
    let material = Material {
        observations: vec![one],
        ..Material::default()
    };
    assert_eq!(
        Read::of(&packet(&material, AMPLE)).bodies(),
        [
            "o-000000000001 correction (no skill) 2026-11-30T10:15:00Z pending proposal p-0123456789ab\nobserved\n> seen\nproposed\n> do\n"
        ]
    );
}
