//! What holds of every packet, whatever it is made of.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::guard::text::is_hidden;

/// A letter that no text of ours has: where it stands, others wrote.
const FOREIGN: char = '§';

/// Text that wants out: fences of all kinds, headings, marks, hidden characters, paths, secrets.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "```",
            "````",
            "~~~",
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            "# ",
            "## Catalogue\n",
            "---\n",
            "<quoted-0123456789ab>\n",
            "</quoted-0123456789ab>\n",
            "<quoted-TAG>",
            "> ",
            "#1 user\n",
            "\n## Observations\n",
            " <<< NOT PATCHABLE: redacted",
            "\u{1b}[2J",
            "\u{202e}",
            "\u{200b}",
            "\u{feff}",
            "\0",
            "\t",
            " /home/ada/x",
            "password: hunter-two",
            "[REDACTED_SECRET]",
            "Bearer ",
            "eligible | ",
            "| ",
            "End of the packet.",
            "ü",
            "\u{1f980}",
        ])
        .prop_map(str::to_owned),
        "[a-z0-9 .:=`~#<>|-]{0,30}",
        any::<char>().prop_map(String::from),
        Just(FOREIGN.to_string()),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn material() -> impl Strategy<Value = Material> {
    let skill = (hostile(), hostile(), proptest::option::of(hostile()));
    let skills = vec(skill, 0..5).prop_map(|skills| {
        let skills = skills
            .into_iter()
            .map(|(name, description, ineligible)| Listing {
                ineligible,
                ..listing(&name, &description)
            });
        skills.collect::<Vec<_>>()
    });
    let files = vec(
        (hostile(), proptest::option::of(0..4_usize), 0..3_usize),
        0..5,
    );
    let files = files.prop_map(|files| {
        let files = files
            .into_iter()
            .enumerate()
            .map(|(at, (text, named_by, kind))| SkillFile {
                named_by,
                bytes: if kind == 0 { 1 << 40 } else { text.len() },
                body: match kind {
                    0 if at % 2 == 0 => Body::NotText,
                    0 => Body::Unread,
                    _ => Body::Text(text.clone()),
                },
                ..file(
                    "some-skill",
                    ["SKILL.md", "references/a.md", "scripts/b.sh"][at % 3],
                    &text,
                )
            });
        files.collect::<Vec<_>>()
    });
    let observations = vec((hostile(), hostile(), hostile(), 0..3_usize), 0..4);
    let observations = observations.prop_map(|all| {
        let all = all
            .into_iter()
            .enumerate()
            .map(|(at, (skill, observed, proposal, more))| Noted {
                pending: vec![skill.clone(); more],
                ..noted(at, Some(&skill), &observed, &proposal)
            });
        all.collect::<Vec<_>>()
    });
    let turns = vec(
        (hostile(), hostile(), vec((hostile(), hostile()), 0..2)),
        0..6,
    );
    let turns = turns.prop_map(|turns| {
        let turns = turns
            .into_iter()
            .enumerate()
            .map(|(at, (role, text, calls))| Turn {
                role: if at % 2 == 0 {
                    "user".to_owned()
                } else {
                    role.clone()
                },
                tool: (at % 3 == 0).then(|| role.clone()),
                at: Some(role.clone()),
                calls,
                ..turn(i64::try_from(at).unwrap(), "", &text)
            });
        turns.collect::<Vec<_>>()
    });
    let session = proptest::option::of((hostile(), turns, 0..3_usize));
    let counts = (0..3_usize, 0..3_usize, 0..3_usize, 0..3_usize);
    (skills, files, observations, session, counts).prop_map(
        |(skills, files, observations, session, (decided, damaged, unlisted, not_asked))| {
            Material {
                not_asked,
                user_homes: vec!["/home/ada".to_owned()],
                skills,
                files,
                unlisted,
                observations,
                decided,
                damaged,
                session: session.map(|(id, turns, more)| Session {
                    id,
                    messages: turns.len() + more,
                    turns,
                }),
            }
        },
    )
}

/// Whether no section is so large that nothing else is cut for it, with room for escapes.
fn could_fit(material: &Material, spare: usize) -> bool {
    material.files.iter().all(|file| match &file.body {
        Body::Text(text) => 10 * text.len() + 500 < spare,
        Body::NotText => true,
        Body::Unread => false,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn never_too_long_and_contract_and_form_always_whole(
        material in material(), spare in 0..6_000_usize,
    ) {
        let least = least(&material);
        prop_assert!(compose(&material, least - 1).is_err());
        let packet = packet(&material, least + spare);
        prop_assert!(packet.text.len() <= least + spare, "{} {least}+{spare}", packet.text.len());
        prop_assert!(packet.text.contains(CONTRACT) && packet.text.contains(ANSWER));
        prop_assert!(packet.text.ends_with("with nothing else.\n"));
    }

    #[test]
    fn what_others_wrote_stands_in_quotations(material in material(), spare in 0..6_000_usize) {
        for max in [least(&material) + spare, AMPLE] {
            let packet = packet(&material, max);
            let read = Read::of(&packet);
            prop_assert!(!read.around.contains(FOREIGN), "{}", read.around);
            // As many parts as there are, in their order, and none forged.
            let headings = read.around.lines().filter(|line| line.starts_with("## "));
            let headings: Vec<&str> = headings.skip_while(|line| *line != "## Catalogue").collect();
            prop_assert_eq!(
                headings, ["## Catalogue", "## Text of skills", "## Observations", "## Session"]
            );
        }
    }

    #[test]
    fn nothing_hidden_no_home_and_no_secret_is_left(material in material()) {
        let packet = packet(&material, AMPLE);
        let hidden = packet.text.chars().find(|c| is_hidden(*c) && !"\n\t\u{fe0f}".contains(*c));
        prop_assert_eq!(hidden, None);
        prop_assert!(!packet.text.contains("hunter-two"));
        let read = Read::of(&packet);
        let others = read.quotations.iter().filter(|(part, _)| part != "Text of skills");
        for (part, body) in others {
            prop_assert!(!body.contains(" /home/ada/x"), "{part}: {body}");
        }
    }

    #[test]
    fn a_string_from_any_unmarked_line_occurs_in_the_file(
        material in material(), spare in 0..6_000_usize,
    ) {
        let texts: Vec<&str> = material.files.iter().filter_map(|file| match &file.body {
            Body::Text(text) => Some(text.as_str()),
            _ => None,
        }).collect();
        for max in [least(&material) + spare, AMPLE] {
            for line in Read::of(&packet(&material, max)).patchable() {
                prop_assert!(texts.iter().any(|text| text.contains(line)), "{line:?}");
            }
        }
    }

    #[test]
    fn a_patch_of_unmarked_lines_in_a_row_matches_too(text in hostile()) {
        let material = Material {
            files: vec![file("some-skill", "SKILL.md", &text)],
            ..Material::default()
        };
        // Line ends of two bytes are told in the head of the file.
        prop_assume!(!text.contains('\r'));
        let read = Read::of(&packet(&material, AMPLE));
        for block in read.bodies() {
            let lines: Vec<&str> = block.split_inclusive('\n').collect();
            let runs = lines.split(|line| line.contains(NOT_PATCHABLE));
            for run in runs {
                let shown = run.concat();
                let shown = if text.ends_with('\n') { shown.as_str() } else { shown.trim_end_matches('\n') };
                prop_assert!(text.contains(shown), "{shown:?}");
            }
        }
    }

    #[test]
    fn the_same_material_gives_the_same_bytes(material in material(), spare in 0..6_000_usize) {
        let max = least(&material) + spare;
        prop_assert_eq!(packet(&material, max), packet(&material.clone(), max));
    }

    #[test]
    fn a_part_is_cut_only_where_those_before_it_are_gone(
        material in material(), spare in 0..6_000_usize,
    ) {
        let packet = packet(&material, least(&material) + spare);
        let is_cut = |shown: super::super::Shown| shown.shown < shown.of;
        if is_cut(packet.observations) {
            prop_assert_eq!(packet.messages.shown, 0);
        }
        if is_cut(packet.catalogue) {
            prop_assert_eq!((packet.observations.shown, packet.messages.shown), (0, 0));
        }
        if is_cut(packet.sections) && !material.skills.is_empty() && could_fit(&material, spare) {
            prop_assert_eq!(packet.catalogue.shown, 0);
        }
        if packet.support_sections.shown > 0 {
            let others = [packet.messages, packet.observations, packet.catalogue];
            prop_assert!(!others.into_iter().any(is_cut));
        }
    }

    #[test]
    fn more_room_never_shows_less(material in material(), spare in 0..6_000_usize, more in 1..2_000_usize) {
        prop_assume!(could_fit(&material, spare));
        let least = least(&material);
        let (small, large) = (packet(&material, least + spare), packet(&material, least + spare + more));
        prop_assert!(small.messages.shown <= large.messages.shown);
        prop_assert!(small.observations.shown <= large.observations.shown);
        prop_assert!(small.catalogue.shown <= large.catalogue.shown);
    }
}
