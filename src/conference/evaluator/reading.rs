//! What an evaluator printed, as a number (conference.md A4, B 4.4).
//!
//! Promises: one number or nothing; what is ambiguous is refused, with a reason that quotes none
//! of it.

use crate::engine::charter::Direction;
use crate::guard::json::{self, Limits, Member, Value};

const LIMITS: Limits = Limits {
    bytes: 64 << 10,
    depth: 16,
};

/// One run's result.
#[derive(Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) value: f64,
    /// `false` only where the evaluator says so.
    pub(super) pass: bool,
}

/// The first JSON line that bears a value, else the one number that is all there is.
pub(super) fn of(
    stdout: &[u8],
    direction: Direction,
    scale: Option<f64>,
) -> Result<Reading, String> {
    let text = std::str::from_utf8(stdout).map_err(|_| "the output is no UTF-8".to_owned())?;
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let reading = match lines().find_map(|line| of_json(line, direction)) {
        Some(reading) => reading?,
        None => alone(lines())?,
    };
    match scale {
        Some(scale) if !(0.0..=scale).contains(&reading.value) => {
            Err(format!("the value is not between 0 and {scale}"))
        }
        _ => Ok(reading),
    }
}

fn alone<'a>(mut lines: impl Iterator<Item = &'a str>) -> Result<Reading, String> {
    match (lines.next(), lines.next()) {
        (None, _) => Err("there is no output".to_owned()),
        (Some(_), Some(_)) => {
            Err("there is more than one line, and none is JSON with a value".to_owned())
        }
        (Some(line), None) => match finite(line) {
            Some(value) => Ok(Reading { value, pass: true }),
            None => Err("the output is neither a finite number nor JSON with a value".to_owned()),
        },
    }
}

/// `None` where the line is no JSON object that bears a value.
fn of_json(line: &str, direction: Direction) -> Option<Result<Reading, String>> {
    if !line.starts_with('{') {
        return None;
    }
    let reading = json::read(line.as_bytes(), LIMITS).ok()?;
    let Value::Object(members) = reading.root.value else {
        return None;
    };
    if !reading.faults.is_empty() {
        return None; // A key that stands twice bears no value.
    }
    let pass = match member(&members, "pass") {
        None => true,
        Some(Value::Bool(pass)) => *pass,
        Some(_) => return Some(Err("`pass` is neither true nor false".to_owned())),
    };
    let (key, value) = ["metric", "metric_value", "score"]
        .into_iter()
        .find_map(|key| Some((key, member(&members, key)?)))?;
    let Some(value) = number(value) else {
        return Some(Err(format!("`{key}` is no finite number")));
    };
    if key == "score" && direction == Direction::Minimize {
        let reason =
            "more `score` is always better, but the metric is to be minimized: `metric` is missing";
        return Some(Err(reason.to_owned()));
    }
    Some(Ok(Reading { value, pass }))
}

fn member<'a>(members: &'a [Member], key: &str) -> Option<&'a Value> {
    let found = members.iter().find(|member| member.key == key)?;
    Some(&found.node.value)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(text) => finite(text),
        _ => None,
    }
}

/// A zero has no sign: both would be the same value with two digests.
fn finite(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    value
        .is_finite()
        .then_some(if value == 0.0 { 0.0 } else { value })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Direction, Reading, of};

    fn read(text: &str) -> Result<f64, String> {
        of(text.as_bytes(), Direction::Minimize, None).map(|reading| reading.value)
    }

    #[test]
    fn one_number_or_one_line_of_json() {
        for (text, value) in [
            ("1.84", 1.84),
            ("  -3e2\n\n", -300.0),
            ("+7", 7.0),
            ("0.5\r\n", 0.5),
            (r#"{"metric": 2}"#, 2.0),
            (
                r#"{"metric": 2, "score": 9, "pass": true, "more": [1]}"#,
                2.0,
            ),
            (r#"{"pass": true, "score": 9, "metric_value": 4.5}"#, 4.5),
            ("warming up\n{\"metric\": 3}\ndone\n", 3.0),
            ("{\"unrelated\": 1}\n{\"metric\": 3}\n{\"metric\": 4}", 3.0),
            ("{broken\n{\"metric\": 3}", 3.0),
        ] {
            assert_eq!(read(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_and_not_quoted() {
        for (text, reason) in [
            ("", "no output"),
            (" \n\t\n", "no output"),
            ("NaN", "finite"),
            ("inf", "finite"),
            ("1e999", "finite"),
            ("3 ms", "finite"),
            ("1,000", "finite"),
            ("hunter2", "finite"),
            ("1\n2", "more than one line"),
            ("{\"metric\": 1e999}", "`metric` is no finite number"),
            ("{\"metric\": \"3\"}", "`metric` is no finite number"),
            ("{\"metric\": null}", "`metric` is no finite number"),
            ("{\"metric\": NaN}", "finite"),
            ("{\"metric\": 1, \"metric\": 2}", "finite"),
            ("[1]", "finite"),
            ("{}", "finite"),
            ("{\"metric\": 1, \"pass\": 1}", "`pass`"),
            ("{\"score\": 1, \"pass\": true}", "minimized"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(reason), "{text}: {said}");
            assert!(!said.contains("hunter2"));
        }
        assert!(of(b"\xff1", Direction::Maximize, None).is_err());
    }

    #[test]
    fn a_score_counts_where_more_is_better_and_a_candidate_may_not_pass() {
        let line = br#"{"pass": false, "score": 3}"#;
        let reading = of(line, Direction::Maximize, None);
        assert_eq!(
            reading,
            Ok(Reading {
                value: 3.0,
                pass: false
            })
        );
    }

    #[test]
    fn a_value_outside_of_its_scale_is_refused() {
        for (text, fits) in [("0", true), ("10", true), ("10.01", false), ("-0.1", false)] {
            let reading = of(text.as_bytes(), Direction::Maximize, Some(10.0));
            assert_eq!(reading.is_ok(), fits, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_finite_number_is_read_back(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
            prop_assert_eq!(read(&value.to_string()), Ok(value));
            prop_assert_eq!(read(&format!("{{\"metric\":{value:?}}}")), Ok(value));
        }

        #[test]
        fn no_bytes_are_trouble(bytes: Vec<u8>) {
            if let Ok(reading) = of(&bytes, Direction::Maximize, None) {
                prop_assert!(reading.value.is_finite());
            }
        }
    }
}
