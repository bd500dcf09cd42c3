//! One file a subject; here is the document that the others break.

mod agreement;
mod fields;
mod laws;
mod real;
mod rules;
mod splice;
mod syntax;
mod templates;
mod values;

use super::{Fault, Origin, Reading, Rule, Severity, read};

/// Complete and without a fault.
const BASE: &str = "\
# Conference: Faster log compression

## Goal
Bring the median time of one pass below half a second.

## Mode
metric

## Success Metric
- **Metric:** seconds
- **Target:** < 0.5s
- **Direction:** minimize
- **Evaluator:** python3 bench.py
- **Baseline:** 2.4

## Researchers
- **Count:** 3
- **Iterations per round:** 5
- **Max rounds:** 4

## Pre-Flight Gate
- **Critic / Devil's Advocate:** disabled

## Search Space
- **Allowed changes:** level, window
- **Forbidden changes:** the format

## Search Space Partitioning
- **Strategy:** assigned

### Researcher A Focus
Levels.

### Researcher B Focus
Windows.

### Researcher C Focus
Dictionaries.

## Constraints
- **Max total iterations:** 60
- **Time budget:** 2h
- **Researcher timeout:** 30m

## Current Approach
Level 6, one window for all files.

## Shared Knowledge
<!-- written by the root -->

## Context & References
Ten log files of one week.

---

## Conference Log
| Round | Researcher | Best Metric | Key Finding | Status |
|-------|------------|-------------|-------------|--------|
";

fn reading(text: &str) -> Reading {
    read(text.as_bytes().to_vec(), Origin::New).unwrap()
}

/// [`BASE`] with pieces replaced, each of which must be there.
#[track_caller]
fn with(changes: &[(&str, &str)]) -> String {
    let mut text = BASE.to_owned();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    text
}

/// Rule, severity, field and line of each fault.
fn told(faults: &[Fault]) -> Vec<(Rule, Severity, &str, u32)> {
    let short = |fault| {
        let Fault {
            code,
            severity,
            field,
            line,
            ..
        }: &Fault = fault;
        (*code, *severity, field.as_str(), *line)
    };
    faults.iter().map(short).collect()
}

/// One change and the one fault that it makes.
type Case = (
    &'static str,
    &'static str,
    Rule,
    Severity,
    &'static str,
    u32,
);

#[track_caller]
fn each(cases: &[Case]) {
    for (old, new, rule, severity, field, line) in cases {
        let reading = reading(&with(&[(old, new)]));
        let wanted = [(*rule, *severity, *field, *line)];
        assert_eq!(
            told(&reading.faults),
            wanted,
            "{old} → {new}: {:#?}",
            reading.faults
        );
        assert_eq!(
            reading.plan.is_some(),
            *severity == Severity::Warning,
            "{old} → {new}"
        );
        assert_eq!(
            reading.config_digest.is_some(),
            *severity != Severity::Error,
            "{old} → {new}"
        );
    }
}

#[test]
fn the_base_is_whole() {
    let reading = reading(BASE);
    assert_eq!(reading.faults, []);
    assert!(reading.is_ready());
    let plan = reading.plan.unwrap();
    assert_eq!(plan.settings.title, "Faster log compression");
    assert_eq!(plan.lanes().collect::<String>(), "ABC");
    assert_eq!(plan.contrarian(), None);
    assert_eq!(plan.evaluator_timeout().as_secs(), 360);
    assert_eq!(plan.focus[&'B'], "Windows.");
}
