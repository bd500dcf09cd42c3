//! V5 to V14: what several values must agree on.

use super::super::{Comparator, Mode, Origin, Success, read};
use super::Severity::{Error, Gate, Warning};
use super::{Rule, each, reading, told, with};

#[test]
fn v5_what_is_said_twice_agrees() {
    each(&[
        (
            "disabled",
            "disabled\n- **Max total iterations:** 61",
            Rule::V5,
            Error,
            "Max total iterations",
            23,
        ),
        (
            "disabled",
            "disabled\n- **Researcher count:** 2",
            Rule::V5,
            Error,
            "Count",
            23,
        ),
        (
            "2h\n",
            "2h\n- **Max rounds:** 3\n",
            Rule::V5,
            Error,
            "Max rounds",
            43,
        ),
        (
            "**Count:** 3",
            "**Count:** 3\n- **Count:** 4",
            Rule::V5,
            Error,
            "Count",
            18,
        ),
        (
            "## Mode",
            "## Goal\nAnother.\n\n## Mode",
            Rule::V5,
            Error,
            "Goal",
            6,
        ),
    ]);
    let agreeing = with(&[
        (
            "disabled",
            "disabled\n- **Researcher count:** 3\n- **Iterations per round:** 5\n\
             - **Max rounds:** {rounds}\n- **Max total iterations:** 60",
        ),
        ("2h\n", "2h\n- **Max rounds:** 4\n"),
    ]);
    assert_eq!(reading(&agreeing).faults, []);
}

#[test]
fn v6_each_lane_has_its_focus() {
    each(&[
        (
            "### Researcher B Focus\nWindows.\n",
            "",
            Rule::V6,
            Gate,
            "Researcher B Focus",
            28,
        ),
        (
            "Dictionaries.",
            "Dictionaries.\n\n### Researcher D Focus\nMore.",
            Rule::V6,
            Warning,
            "Researcher D Focus",
            40,
        ),
        (
            "Dictionaries.",
            "Dictionaries.\n\n## Researcher A Focus\nMore.",
            Rule::V6,
            Error,
            "Researcher A Focus",
            40,
        ),
        (
            "Windows.",
            "levels.",
            Rule::V6,
            Warning,
            "Researcher B Focus",
            34,
        ),
    ]);
    let free = with(&[
        ("assigned", "free"),
        ("### Researcher B Focus\nWindows.\n", ""),
    ]);
    assert_eq!(reading(&free).faults, []);
}

/// Whoever wrote it believes that a lane has that focus.
#[test]
fn v6_a_heading_that_is_read_as_the_focus_of_no_lane_is_named() {
    let field = "Researcher Focus";
    for (heading, severity) in [
        ("### Researcher Ä Focus", Error),
        ("### Researcher AA Focus", Error),
        ("### Researcher A Fokus", Error),
        ("## Researcher AA Focus", Error),
        ("# Researcher 1 Focus", Error),
        ("#### Researcher A Focus", Error),
        ("### Researcher A: Focus", Error),
        ("### Researcher A", Warning),
        ("## Researcher A -- levels", Warning),
    ] {
        // Behind a focus, in a section of fields, in prose, and before every section.
        for old in [
            "Dictionaries.\n",
            "- **Strategy:** assigned\n",
            "Ten log files of one week.\n",
            "# Conference: Faster log compression\n",
        ] {
            let text = with(&[(old, &format!("{old}\n{heading}\nMore.\n"))]);
            let before = text.lines().take_while(|line| *line != heading);
            let line = u32::try_from(before.count()).unwrap() + 1;
            let read = reading(&text);
            let fault = (Rule::V6, severity, field, line);
            assert!(
                told(&read.faults).contains(&fault),
                "{heading}: {:?}",
                read.faults
            );
        }
        let old = with(&[(
            "Dictionaries.",
            &format!("Dictionaries.\n\n{heading}\nMore."),
        )]);
        let old = read(old.into_bytes(), Origin::Legacy).unwrap();
        assert_eq!(told(&old.faults), [(Rule::V6, Warning, field, 40)]);
        assert!(old.document.text().contains(heading));
    }
    for harmless in [
        "### Researcher notes",
        "```\n### Researcher AA Focus\n```",
        "<!-- ### Researcher AA Focus -->",
        "The focus of researcher A is said below.",
    ] {
        let text = with(&[("Level 6, one", &format!("{harmless}\n\nLevel 6, one"))]);
        assert_eq!(reading(&text).faults, [], "{harmless}");
    }
    // The root writes about researchers too.
    let noted = "<!-- written by the root -->\n### Researcher A Fokus\n1. **x** y";
    let text = with(&[("<!-- written by the root -->", noted)]);
    assert_eq!(reading(&text).faults, []);
}

#[test]
fn v6_a_focus_that_stands_on_a_line_is_named() {
    for line in ["- **Researcher B Focus:** windows", "Lane B focus: windows"] {
        let new = format!("- **Strategy:** free\n{line}\n");
        let text = with(&[("- **Strategy:** assigned\n", &new)]);
        let faults = reading(&text).faults;
        assert_eq!(
            told(&faults),
            [(Rule::V6, Warning, "Researcher Focus", 30)],
            "{line}"
        );
    }
}

#[test]
fn v7_to_v9_ceilings_and_budgets() {
    each(&[
        ("60", "45", Rule::V7, Warning, "Max total iterations", 41),
        ("60", "61", Rule::V7, Warning, "Max total iterations", 41),
        ("60", "14", Rule::V8, Error, "Max total iterations", 41),
        ("30m", "31m", Rule::V9, Warning, "Time budget", 42),
    ]);
    let cut = reading(&with(&[("60", "45"), ("30m", "40m")]));
    assert_eq!(
        told(&cut.faults),
        [(Rule::V7, Warning, "Max total iterations", 41)]
    );
    let extent = cut.plan.unwrap().extent().unwrap();
    assert_eq!(
        (extent.effective_rounds, extent.iterations(), extent.product),
        (3, 45, 60)
    );
    let absent = reading(&with(&[("- **Max total iterations:** 60\n", "")]));
    assert_eq!(absent.plan.unwrap().max_total_iterations, 60);
    let in_the_gate = reading(&with(&[
        ("- **Max total iterations:** 60\n", ""),
        ("disabled", "disabled\n- **Max total iterations:** 45"),
    ]));
    assert_eq!(in_the_gate.plan.unwrap().max_total_iterations, 45);
}

#[test]
fn v10_confirmation_and_critic() {
    let pending = "disabled\n- **Final confirmation:** pending";
    each(&[
        (
            "disabled",
            "ask user before run",
            Rule::V10,
            Gate,
            "Critic",
            22,
        ),
        (
            "disabled",
            pending,
            Rule::V10,
            Warning,
            "Final confirmation",
            23,
        ),
    ]);
    let confirmed = with(&[(
        "disabled",
        "disabled\n- **Final confirmation:** confirmed 12ab",
    )]);
    assert_eq!(reading(&confirmed).faults, []);
}

#[test]
fn v11_more_than_one_number_is_read_in_old_files_alone() {
    each(&[(
        "round:** 5",
        "round:** 5 (rounds 1-2), 3 (round 3)",
        Rule::V11,
        Error,
        "Iterations per round",
        18,
    )]);
    let text = with(&[("round:** 5", "round:** 5 (rounds 1-2), 3 (round 3)")]);
    let old = read(text.into_bytes(), Origin::Legacy).unwrap();
    assert_eq!(
        told(&old.faults),
        [(Rule::V11, Warning, "Iterations per round", 18)]
    );
    assert_eq!(old.plan.unwrap().iterations_per_round, 5);
}

#[test]
fn v12_target_and_direction() {
    each(&[
        ("< 0.5s", "fast", Rule::V12, Error, "Target", 11),
        ("< 0.5s", "> 0.5s", Rule::V12, Error, "Target", 11),
        ("minimize", "down", Rule::V12, Error, "Direction", 12),
        ("2.4", "2400 ms", Rule::V12, Error, "Baseline", 14),
    ]);
    let bare = reading(&with(&[("< 0.5s", "0.5s")])).plan.unwrap();
    let target = match bare.success {
        Success::Metric { target, .. } => target,
        Success::Criteria(_) => panic!("a metric"),
    };
    assert_eq!(target.comparator, Comparator::LessOrEqual);
}

#[test]
fn a_baseline_is_measured_where_something_measures() {
    let kept = with(&[("- **Baseline:** 2.4\n", "")]);
    assert_eq!(reading(&kept).faults, []);
    let nobody = with(&[("- **Baseline:** 2.4\n", ""), ("python3 bench.py", "none")]);
    assert_eq!(
        told(&reading(&nobody).faults),
        [(Rule::V1, Warning, "Baseline", 9)]
    );
}

#[test]
fn v13_a_debate_has_two_assigned_lanes() {
    let debate = |changes: &[(&str, &str)]| {
        let two = with(&[
            (
                "metric\n",
                "debate\n\n## Success Criteria\nBoth are heard.\n",
            ),
            ("**Count:** 3", "**Count:** 2"),
            ("### Researcher C Focus\nDictionaries.\n", ""),
            ("60", "40"),
        ]);
        changes
            .iter()
            .fold(two, |text, (old, new)| text.replacen(old, new, 1))
    };
    assert_eq!(reading(&debate(&[])).faults, []);
    assert_eq!(reading(&debate(&[])).draft.mode, Mode::Debate);
    let cases: [(&[(&str, &str)], _); 5] = [
        (
            &[("**Count:** 2", "**Count:** 1"), ("40", "20")],
            (Rule::V13, Error, "Count"),
        ),
        (&[("assigned", "free")], (Rule::V13, Error, "Strategy")),
        (
            &[("rounds:** 4", "rounds:** 9"), ("40", "90"), ("2h", "9h")],
            (Rule::V13, Error, "Max rounds"),
        ),
        (
            &[("rounds:** 4", "rounds:** 7"), ("40", "70"), ("2h", "9h")],
            (Rule::V13, Warning, "Max rounds"),
        ),
        (
            &[("Windows", "Levels")],
            (Rule::V13, Error, "Researcher B Focus"),
        ),
    ];
    for (changes, wanted) in cases {
        let faults = reading(&debate(changes)).faults;
        let told: Vec<_> = told(&faults)
            .into_iter()
            .map(|(a, b, c, _)| (a, b, c))
            .collect();
        assert!(told.contains(&wanted), "{changes:?}: {told:?}");
    }
}

#[test]
fn v14_a_survey_has_categories_and_parts() {
    let survey = |more: &str| {
        let criteria = format!("survey\n\n## Success Criteria\nCovered.\n{more}");
        with(&[("metric\n", &criteria)])
    };
    let taxonomy = "\n## Taxonomy Categories\n1. Levels\n2. Windows\n";
    let reading_of = reading(&survey(taxonomy));
    assert_eq!(reading_of.faults, []);
    assert_eq!(reading_of.draft.settings.taxonomy, ["Levels", "Windows"]);
    assert_eq!(
        told(&reading(&survey("")).faults),
        [(Rule::V14, Gate, "Taxonomy Categories", 1)]
    );
    let open = survey("\n## Taxonomy Categories\n1. {first}\n2. {second}\n");
    assert_eq!(
        told(&reading(&open).faults),
        [(Rule::V14, Gate, "Taxonomy Categories", 12)]
    );
    let half = survey("\n## Taxonomy Categories\n- Levels\n- {second}\n");
    assert_eq!(
        told(&reading(&half).faults),
        [(Rule::V4, Warning, "Taxonomy Categories", 12)]
    );
    let same = survey(taxonomy).replace("Windows.", "LEVELS.");
    assert_eq!(
        told(&reading(&same).faults),
        [(Rule::V14, Error, "Researcher B Focus", 41)]
    );
    let free = survey(taxonomy).replace("assigned", "free");
    assert_eq!(
        told(&reading(&free).faults),
        [(Rule::V14, Warning, "Strategy", 36)]
    );
}
