use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::subsequence;

use super::super::{Document, FILE_BYTES, Origin, Part, read};
use super::Severity::{Error, Gate, Warning};
use super::{Rule, Severity, reading, told, with};

/// One way to break the base: what is replaced, by what, and the fault that it makes.
type Breach = (&'static str, &'static str, Rule, Severity, &'static str);

/// Breaches that do not touch one another; a document may have any of them.
const BREACHES: [Breach; 20] = [
    (
        "Faster log compression",
        "{title}",
        Rule::V4,
        Warning,
        "Title",
    ),
    (
        "Bring the median time of one pass below half a second.",
        "TBD",
        Rule::V4,
        Gate,
        "Goal",
    ),
    ("metric\n", "metrics\n", Rule::V1, Error, "Mode"),
    ("- **Metric:** seconds\n", "", Rule::V2, Gate, "Metric"),
    ("< 0.5s", "soon", Rule::V12, Error, "Target"),
    ("minimize", "down", Rule::V12, Error, "Direction"),
    (
        "python3 bench.py",
        "{a command}",
        Rule::V4,
        Gate,
        "Evaluator",
    ),
    ("2.4", "Infinity", Rule::V3, Error, "Baseline"),
    ("**Count:** 3", "**Count:** 0", Rule::V3, Error, "Count"),
    (
        "round:** 5",
        "round:** 5, later 3",
        Rule::V11,
        Error,
        "Iterations per round",
    ),
    ("- **Max rounds:** 4\n", "", Rule::V1, Gate, "Max rounds"),
    ("disabled", "ask user before run", Rule::V10, Gate, "Critic"),
    ("level, window", "{x}", Rule::V4, Warning, "Allowed changes"),
    ("assigned\n", "divergent\n", Rule::V1, Error, "Strategy"),
    ("60", "sixty", Rule::V3, Error, "Max total iterations"),
    ("2h", "2 hours", Rule::V3, Error, "Time budget"),
    ("30m\n", "0m\n", Rule::V3, Error, "Researcher timeout"),
    (
        "Level 6, one window for all files.",
        "TODO",
        Rule::V4,
        Warning,
        "Current Approach",
    ),
    (
        "## Shared",
        "## Guard\n- Guard: 'open\n\n## Shared",
        Rule::V1,
        Error,
        "Guard",
    ),
    (
        "## Context",
        "## Host\n- Host: moon\n\n## Context",
        Rule::V1,
        Error,
        "Host",
    ),
];

/// Sections as fields, to be spelled and ordered in any way.
const FIELDS: [(&str, &[(&str, &str)]); 6] = [
    (
        "Success Metric",
        &[
            ("Metric", "seconds"),
            ("Target", "< 0.5s"),
            ("Direction", "minimize"),
            ("Evaluator", "python3 bench.py"),
            ("Baseline", "2.4"),
        ],
    ),
    (
        "Researchers",
        &[
            ("Count", "3"),
            ("Iterations per round", "5"),
            ("Max rounds", "4"),
        ],
    ),
    (
        "Pre-Flight Gate",
        &[
            ("Critic", "disabled"),
            ("Success definition", "It is fast."),
        ],
    ),
    (
        "Search Space",
        &[
            ("Allowed changes", "level, window"),
            ("Forbidden changes", "the format"),
        ],
    ),
    ("Search Space Partitioning", &[("Strategy", "free")]),
    (
        "Constraints",
        &[
            ("Max total iterations", "60"),
            ("Time budget", "2h"),
            ("Researcher timeout", "30m"),
            ("pause_every", "never"),
        ],
    ),
];

/// A way to write a field.
fn spelled(label: &str, value: &str, way: u8) -> String {
    let bare = label.to_lowercase().replace(' ', "_");
    match way {
        0 => format!("- **{label}:** {value}\n"),
        1 => format!("{bare}: {value}\n"),
        2 => format!("{bare}: \"{value}\"   # a remark\n"),
        3 => format!("* **{label}**: {value}\r\n"),
        _ => format!("- {}: `{value}`\n", label.to_uppercase()),
    }
}

fn written(ways: &[u8], order: &[usize], sections: &[usize]) -> String {
    let mut text = "# Conference: Any order\n\n## Goal\nFaster.\n\n## Mode\nmetric\n\n".to_owned();
    let mut ways = ways.iter().cycle();
    for section in sections {
        let (heading, fields) = FIELDS[*section];
        text.push_str(&format!("## {heading}\n"));
        let mut ranked: Vec<_> = fields.iter().enumerate().collect();
        ranked.sort_by_key(|(at, _)| order[*at]);
        for (_, (label, value)) in ranked {
            text.push_str(&spelled(label, value, *ways.next().unwrap()));
        }
        text.push('\n');
    }
    text
}

/// Pieces that documents are made of, and that break them.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "## Goal\n",
        "## Shared Knowledge\n",
        "## Conference Log\n",
        "## Pre-Flight Gate\n",
        "### Researcher A Focus\n",
        "## Constraints\n",
        "# Title\n",
        "## Parameters\n",
        "- **Count:** 3\n",
        "- **Final confirmation:** pending\n",
        "final_confirmation:\n",
        "- **Time budget:** 2h\n",
        "```\n",
        "~~~\n",
        "<!--\n",
        "-->\n",
        "<!-- a -->\n",
        "---\n",
        "\n",
        "\r\n",
        "text\r\n",
        "{x}\n",
        "- x: 1 .. 2\n",
        "  - nested\n",
        "\u{feff}",
        "é\u{2028}x",
        "**",
        "- ",
        ": ",
        "`",
        "# ",
        "a",
    ]);
    prop_oneof![3 => known.prop_map(str::to_owned), 1 => "\\PC{0,12}\n?"]
}

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// Only one stretch of the old text is gone from the new one, or something was put between.
fn touched(old: &str, new: &str) -> std::ops::Range<usize> {
    let same = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let head = same(&mut old.bytes(), &mut new.bytes());
    let tail = same(&mut old.bytes().rev(), &mut new.bytes().rev());
    head.min(old.len())..(old.len() - tail.min(old.len())).max(head)
}

proptest! {
    #[test]
    fn independent_faults_are_told_each_and_no_other(chosen in subsequence(BREACHES.to_vec(), 0..=20)) {
        let changes: Vec<(&str, &str)> = chosen.iter().map(|breach| (breach.0, breach.1)).collect();
        let reading = reading(&with(&changes));
        let mut faults: Vec<_> = told(&reading.faults).into_iter().map(|(a, b, c, _)| (a, b, c)).collect();
        let mut wanted: Vec<_> = chosen.iter().map(|(_, _, rule, severity, field)| (*rule, *severity, *field)).collect();
        faults.sort_unstable();
        wanted.sort_unstable();
        prop_assert_eq!(faults, wanted);
    }

    #[test]
    fn order_and_spelling_change_no_digest(
        ways in prop::collection::vec(0u8..5, 1..20),
        order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
        sections in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let usual = reading(&written(&[0], &[0, 1, 2, 3, 4], &[0, 1, 2, 3, 4, 5]));
        let other = reading(&written(&ways, &order, &sections));
        prop_assert_eq!(&usual.faults, &[]);
        prop_assert_eq!(&other.faults, &[]);
        prop_assert_eq!(usual.config_digest, other.config_digest);
        prop_assert_eq!(usual.draft, other.draft);
    }

    #[test]
    fn no_text_makes_it_panic_and_none_is_lost(text in pieces()) {
        for origin in [Origin::New, Origin::Legacy] {
            let reading = read(text.clone().into_bytes(), origin).unwrap();
            prop_assert_eq!(reading.document.text(), &text);
            prop_assert!(reading.plan.is_some() == reading.is_ready());
            let lines = u32::try_from(text.lines().count()).unwrap().max(1);
            prop_assert!(reading.faults.iter().all(|fault| (1..=lines).contains(&fault.line)));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let read = read(bytes, Origin::New);
        prop_assert!(read.is_ok() || read.is_err_and(|error| error.code().exit() == 3));
    }

    #[test]
    fn a_splice_touches_its_own_place_alone(text in pieces(), new in pieces()) {
        let document = Document::parse(text.clone());
        for (part, spliced) in [
            (Part::SharedKnowledge, document.with_knowledge(&new)),
            (Part::ConferenceLog, document.with_log(&new)),
        ] {
            let Some(spliced) = spliced else { continue };
            let touched = touched(&text, &spliced);
            if let Some(section) = document.section(part) {
                prop_assert!(touched.is_empty() || section.body.start <= touched.start);
                prop_assert!(touched.is_empty() || touched.end <= section.body.end);
            } else {
                prop_assert!(touched.is_empty(), "{:?}", touched);
            }
            let (before, after) = (reading(&text), reading(&spliced));
            prop_assert_eq!(before.config_digest, after.config_digest);
            let again = Document::parse(spliced.clone());
            let twice = match part {
                Part::SharedKnowledge => again.with_knowledge(&new),
                _ => again.with_log(&new),
            };
            prop_assert_eq!(twice, Some(spliced));
        }
    }

    #[test]
    fn a_confirmation_touches_its_own_place_alone(text in pieces()) {
        let Some(confirmed) = Document::parse(text.clone()).with_confirmation("confirmed 12ab") else {
            return Ok(());
        };
        let touched = touched(&text, &confirmed);
        let old = &text[touched];
        prop_assert!(!old.contains("##") && !old.contains('\n'), "{old:?}");
        let (before, after) = (reading(&text), reading(&confirmed));
        prop_assert_eq!(before.draft, after.draft);
        prop_assert_eq!(after.confirmation.as_deref(), Some("confirmed 12ab"));
    }
}

/// What grows with the square of the length would take minutes here.
#[test]
fn every_pattern_is_read_in_linear_time() {
    const BYTES: usize = FILE_BYTES / 16;
    let heads = [
        "",
        "## Researchers\n",
        "## Parameters\n",
        "## Goal\n",
        "## Success Metric\n- **Target:** ",
    ];
    let patterns = [
        "{",
        "}",
        "{x",
        "`",
        "<!--",
        "<!-- a -->",
        "-->",
        "```\n",
        "~~~~\n",
        "#",
        "## x\n",
        "# ",
        "## Goal\n",
        "### Researcher A Focus\nx\n",
        "- **",
        "- **a:** b\n",
        "- **Count:** 3\n",
        "- ",
        "*",
        "_",
        "\"",
        "\n",
        "\r\n",
        " ",
        "\t",
        "1,",
        "a: b\n",
        "---\n",
        "| a ",
        "\u{feff}",
        "é",
    ];
    for (pattern, head) in patterns
        .iter()
        .flat_map(|p| heads.iter().map(move |h| (p, h)))
    {
        let mut text = (*head).to_owned();
        text.push_str(&pattern.repeat((BYTES - head.len()) / pattern.len()));
        let began = Instant::now();
        assert_eq!(reading(&text).document.text(), text);
        let took = began.elapsed();
        assert!(
            took < Duration::from_secs(10),
            "{head:?} {pattern:?}: {took:?}"
        );
    }
}

#[test]
fn the_largest_file_is_read_in_seconds() {
    let text = format!("## Goal\n{}", "\n".repeat(FILE_BYTES - 8));
    let began = Instant::now();
    assert_eq!(reading(&text).document.text(), text);
    assert!(
        began.elapsed() < Duration::from_secs(60),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_long_value_that_is_said_often_is_read_once() {
    let long = "x".repeat(FILE_BYTES / 2);
    let mut text = format!("## Success Metric\n- **Metric:** {long}\n");
    text.push_str(&"- **Name:** y\n".repeat(FILE_BYTES / 30));
    let began = Instant::now();
    let faults = reading(&text).faults.len();
    assert!(faults > FILE_BYTES / 30, "{faults}");
    assert!(
        began.elapsed() < Duration::from_secs(120),
        "{:?}",
        began.elapsed()
    );
}
