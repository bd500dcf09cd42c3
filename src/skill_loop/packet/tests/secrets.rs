//! No credential of any class comes through, wherever it stands and wherever the packet is cut.

use std::collections::HashSet;

use super::*;
use crate::guard::secret::samples::{CLASSES, Dice, Sample, sample};

/// Credentials per class.
const EACH: usize = 1_000;
/// Bytes in a row of a credential that would be a part of it.
const PART: usize = 8;

/// What a credential stands in.
const FRAMES: [(&str, &str); 8] = [
    ("It failed with ", " and was sent again."),
    ("Before.\n\n", "\n\nAfter.\n"),
    ("{\"text\": \"", "\", \"n\": 1}"),
    ("{\"text\": \"{\\\"inner\\\": \\\"", "\\\"}\"}"),
    ("key:\n  - ", "\n  - other\n"),
    ("value: '", "'\n"),
    ("| name | ", " | note |\n|---|---|\n"),
    ("größer (", ") später"),
];

/// Where texts are cut: descriptions, names, the two ends of the middle of messages and calls, and
/// what the host cuts itself.
const BORDERS: [usize; 9] = [64, 80, 333, 500, 666, 1_000, 1_021, 2_000, 4_000];

#[test]
fn none_of_a_thousand_of_each_class_is_left() {
    for class in CLASSES {
        let mut dice = Dice(0x5eed_0000 + class as u64);
        let samples: Vec<Sample> = (0..EACH).map(|_| sample(class, &mut dice)).collect();
        for (round, chunk) in samples.chunks(40).enumerate() {
            let material = holding(chunk, &mut dice);
            let room = [0, 1_500, 6_000, 20_000, 80_000, 400_000][round % 6];
            let packet = packet(&material, least(&material) + room);
            let (_, quoted) = packet.text.split_once("\n## Catalogue\n").unwrap();
            let parts: HashSet<&[u8]> = quoted.as_bytes().windows(PART).collect();
            for (written, value) in chunk {
                let survives = value
                    .as_bytes()
                    .windows(PART)
                    .any(|part| parts.contains(part));
                assert!(!survives, "class {class}: {written}\n{quoted}");
            }
        }
    }
}

/// Each credential goes into one text, so that it straddles a border of it.
fn holding(samples: &[Sample], dice: &mut Dice) -> Material {
    let mut material = Material::default();
    let mut turns = Vec::new();
    for (at, (written, _)) in samples.iter().enumerate() {
        let text = framed(written, dice);
        match at % 8 {
            0 => material.skills.push(listing("ours", &text)),
            1 => material.skills.push(foreign(&text, "theirs")),
            2 => material.files.push(file(
                "ours",
                "SKILL.md",
                &format!("# A\n{text}\n# B\n{text}"),
            )),
            3 => material
                .files
                .push(file("ours", "references/a.json", &text)),
            4 => material
                .observations
                .push(noted(at, Some(&text), &text, "x")),
            5 => material.observations.push(noted(at, None, "x", &text)),
            6 => turns.push(turn(i64::try_from(at).unwrap(), "tool", &text)),
            _ => {
                let mut calling = turn(i64::try_from(at).unwrap(), "user", &text);
                calling.calls = vec![(text.clone(), text)];
                turns.push(calling);
            }
        }
    }
    material.session = session(turns);
    material
}

fn framed(written: &str, dice: &mut Dice) -> String {
    let (head, tail) = FRAMES[dice.below(FRAMES.len())];
    let border = BORDERS[dice.below(BORDERS.len())];
    // So that the border falls somewhere into it.
    let before = border.saturating_sub(head.chars().count() + dice.below(written.len()));
    let filler = |length: usize| "word ".repeat(length / 5);
    format!(
        "{}{head}{written}{tail}{}",
        filler(before),
        filler(dice.below(4_000))
    )
}
