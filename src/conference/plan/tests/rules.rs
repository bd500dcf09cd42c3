//! V1 to V4: what is missing, what cannot be, what was left to fill in.

use super::super::{Host, Toolset};
use super::Severity::{Error, Gate, Warning};
use super::{BASE, Rule, each, reading, told, with};

#[test]
fn v1_what_is_missing_is_vague_and_a_word_that_is_unknown_is_wrong() {
    each(&[
        (
            "Bring the median time of one pass below half a second.",
            "",
            Rule::V1,
            Gate,
            "Goal",
            3,
        ),
        ("metric\n", "numeric\n", Rule::V1, Error, "Mode", 6),
        ("- **Count:** 3\n", "", Rule::V1, Gate, "Count", 16),
        (
            "- **Count:** 3\n",
            "- **Count:**\n",
            Rule::V1,
            Gate,
            "Count",
            17,
        ),
        (
            "- **Iterations per round:** 5\n",
            "",
            Rule::V1,
            Gate,
            "Iterations per round",
            16,
        ),
        (
            "- **Max rounds:** 4\n",
            "",
            Rule::V1,
            Gate,
            "Max rounds",
            16,
        ),
        (
            "- **Evaluator:** python3 bench.py\n",
            "",
            Rule::V1,
            Gate,
            "Evaluator",
            9,
        ),
        (
            "python3 bench.py",
            "python3 'bench.py",
            Rule::V1,
            Error,
            "Evaluator",
            13,
        ),
        (
            "python3 bench.py",
            "python3 bench.py > out",
            Rule::V1,
            Warning,
            "Evaluator",
            13,
        ),
        (
            "- **Critic / Devil's Advocate:** disabled\n",
            "",
            Rule::V1,
            Gate,
            "Critic",
            21,
        ),
        ("disabled", "maybe", Rule::V1, Error, "Critic", 22),
        (
            "- **Strategy:** assigned\n",
            "",
            Rule::V1,
            Gate,
            "Strategy",
            28,
        ),
        ("assigned\n", "divergent\n", Rule::V1, Error, "Strategy", 29),
        (
            "- **Time budget:** 2h\n",
            "",
            Rule::V1,
            Gate,
            "Time budget",
            40,
        ),
        (
            "- **Researcher timeout:** 30m\n",
            "",
            Rule::V1,
            Gate,
            "Researcher timeout",
            40,
        ),
        (
            "30m\n",
            "30m\n- **pause_every:** sometimes\n",
            Rule::V1,
            Error,
            "pause_every",
            44,
        ),
        (
            "30m\n",
            "30m\n- **On lost child:** cry\n",
            Rule::V1,
            Error,
            "On lost child",
            44,
        ),
        (
            "rounds:** 4\n",
            "rounds:** 4\n- **Poster:** nobody\n",
            Rule::V1,
            Error,
            "Poster",
            20,
        ),
        (
            "disabled",
            "disabled\n- **Final confirmation:** yes",
            Rule::V1,
            Error,
            "Final confirmation",
            23,
        ),
    ]);
}

#[test]
fn v1_of_the_host() {
    let host = |lines: &str| reading(&format!("{BASE}\n## Host\n{lines}\n"));
    for (lines, field) in [
        ("- **Host:** docker", "Host"),
        ("- **Command:** 'open", "Command"),
        ("- **Toolsets:** web, terminal", "Toolsets"),
        ("- **Toolsets:** file", "Toolsets"),
        ("- **Pass environment:** LANG=C", "Pass environment"),
        (
            "- **Pass environment:** HERMES_YOLO_MODE",
            "Pass environment",
        ),
        ("- **Pass environment:** A-B", "Pass environment"),
    ] {
        assert_eq!(
            told(&host(lines).faults),
            [(Rule::V1, Error, field, 61)],
            "{lines}"
        );
    }
    let lines = "Host: command\nCommand: './lane one' --fast\nToolsets: search, web, web\n\
                 pass_environment: B A\n";
    let settings = host(lines).plan.unwrap().settings;
    assert_eq!(settings.host, Some(Host::Command));
    assert_eq!(settings.command.unwrap().words(), ["./lane one", "--fast"]);
    assert_eq!(settings.toolsets, [Toolset::Search, Toolset::Web]);
    assert_eq!(settings.pass_environment, ["A", "B"]);
}

#[test]
fn a_value_that_is_passed_is_never_repeated() {
    let secret = ["hunter2", "hunter3"].concat();
    let text = format!("{BASE}\n## Host\n- **Pass environment:** KEY={secret}\n");
    let faults = reading(&text).faults;
    assert_eq!(faults.len(), 1);
    assert!(!faults[0].message.contains(&secret), "{faults:?}");
    let token = ["gh", "p_", "16C7e42F292c6912E7", "710c838347Ae178B4a"].concat();
    let faults = reading(&with(&[("assigned\n", &format!("{token}\n"))])).faults;
    assert!(!faults[0].message.contains(&token), "{faults:?}");
}

#[test]
fn v2_success_is_defined() {
    each(&[
        ("- **Metric:** seconds\n", "", Rule::V2, Gate, "Metric", 9),
        ("- **Target:** < 0.5s\n", "", Rule::V2, Gate, "Target", 9),
        (
            "- **Direction:** minimize\n",
            "",
            Rule::V2,
            Gate,
            "Direction",
            9,
        ),
        (
            "metric\n",
            "qualitative\n",
            Rule::V2,
            Gate,
            "Success Criteria",
            1,
        ),
    ]);
    let text = with(&[(
        "metric\n",
        "qualitative\n\n## Success Criteria\nBoth sides heard.\n",
    )]);
    assert_eq!(reading(&text).faults, []);
    // Criteria may stand beside a metric.
    let text = with(&[(
        "## Researchers",
        "## Success Criteria\n{none}\n\n## Researchers",
    )]);
    assert_eq!(reading(&text).faults, []);
}

#[test]
fn v3_numbers_and_durations() {
    each(&[
        ("**Count:** 3", "**Count:** 0", Rule::V3, Error, "Count", 17),
        (
            "**Count:** 3",
            "**Count:** 27",
            Rule::V3,
            Error,
            "Count",
            17,
        ),
        (
            "**Count:** 3",
            "**Count:** -3",
            Rule::V3,
            Error,
            "Count",
            17,
        ),
        (
            "**Count:** 3",
            "**Count:** three",
            Rule::V3,
            Error,
            "Count",
            17,
        ),
        (
            "round:** 5",
            "round:** 33",
            Rule::V3,
            Error,
            "Iterations per round",
            18,
        ),
        (
            "round:** 5",
            "round:** 2.5",
            Rule::V3,
            Error,
            "Iterations per round",
            18,
        ),
        (
            "rounds:** 4",
            "rounds:** NaN",
            Rule::V3,
            Error,
            "Max rounds",
            19,
        ),
        (
            "rounds:** 4",
            "rounds:** 99999999999",
            Rule::V3,
            Error,
            "Max rounds",
            19,
        ),
        (
            "iterations:** 60",
            "iterations:** inf",
            Rule::V3,
            Error,
            "Max total iterations",
            41,
        ),
        ("2h", "0h", Rule::V3, Error, "Time budget", 42),
        ("2h", "120", Rule::V3, Error, "Time budget", 42),
        ("30m\n", "-30m\n", Rule::V3, Error, "Researcher timeout", 43),
        ("30m\n", "3h\n", Rule::V3, Error, "Researcher timeout", 43),
        ("2.4", "NaN", Rule::V3, Error, "Baseline", 14),
        (
            "30m\n",
            "30m\n- **Evaluator timeout:** 5\n",
            Rule::V3,
            Error,
            "Evaluator timeout",
            44,
        ),
        (
            "30m\n",
            "30m\n- **Evaluator slots:** 0\n",
            Rule::V3,
            Error,
            "Evaluator slots",
            44,
        ),
        (
            "30m\n",
            "30m\n- **Token budget:** 0\n",
            Rule::V3,
            Error,
            "Token budget",
            44,
        ),
        (
            "30m\n",
            "30m\n- **Cost ceiling:** 0 USD\n",
            Rule::V3,
            Error,
            "Cost ceiling",
            44,
        ),
        (
            "30m\n",
            "30m\n\n## Noise Handling\nnoise_runs: 0\n",
            Rule::V3,
            Error,
            "Noise runs",
            46,
        ),
        (
            "30m\n",
            "30m\n\n## Noise Handling\nmin_consensus_delta: -1\n",
            Rule::V3,
            Error,
            "Min consensus delta",
            46,
        ),
        (
            "30m\n",
            "30m\n\n## Parameters\n- x: 2 .. 1\n",
            Rule::V3,
            Error,
            "Parameters",
            46,
        ),
        (
            "30m\n",
            "30m\n\n## Parameters\n- x: 1 .. 2\n- x: a | b\n",
            Rule::V3,
            Error,
            "Parameters",
            47,
        ),
    ]);
    let huge = with(&[
        ("- **Max rounds:** 4", "- **Max rounds:** 4294967295"),
        ("- **Max total iterations:** 60\n", ""),
        (
            "30m\n",
            "30m\n\n## Noise Handling\nnoise_runs: 4294967295\n",
        ),
    ]);
    let faults = reading(&huge).faults;
    assert!(
        told(&faults).contains(&(Rule::V3, Error, "Noise runs", 45)),
        "{faults:#?}"
    );
}

#[test]
fn v4_placeholders() {
    each(&[
        (
            "Bring the median",
            "{Bring the median}",
            Rule::V4,
            Gate,
            "Goal",
            3,
        ),
        ("seconds", "{metric_name}", Rule::V4, Gate, "Metric", 10),
        ("< 0.5s", "{e.g., < 0.5}", Rule::V4, Gate, "Target", 11),
        ("< 0.5s", "TBD", Rule::V4, Gate, "Target", 11),
        (
            "minimize",
            "_maximize or minimize_",
            Rule::V4,
            Gate,
            "Direction",
            12,
        ),
        (
            "python3 bench.py",
            "{command}",
            Rule::V4,
            Gate,
            "Evaluator",
            13,
        ),
        ("2.4", "unknown", Rule::V4, Warning, "Baseline", 14),
        ("2h", "TBD", Rule::V4, Gate, "Time budget", 42),
        (
            "Levels.",
            "_What does this lane look at?_",
            Rule::V4,
            Gate,
            "Researcher A Focus",
            31,
        ),
        (
            "level, window",
            "{what may change}",
            Rule::V4,
            Warning,
            "Allowed changes",
            25,
        ),
        (
            "Level 6, one window",
            "_Say what is done now._\nOne",
            Rule::V4,
            Warning,
            "Current Approach",
            45,
        ),
        (
            "metric\n",
            "{metric | qualitative}\n",
            Rule::V4,
            Warning,
            "Mode",
            6,
        ),
        (
            "iterations:** 60",
            "iterations:** {N}",
            Rule::V4,
            Warning,
            "Max total iterations",
            41,
        ),
    ]);
}
