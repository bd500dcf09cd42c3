use std::time::Duration;

use super::super::value::target::{Direction, Expression, Quantity};
use super::super::value::{argv, cost, duration, number, parameter, placeholder};
use super::super::{Domain, Target, shortest, written};

fn target(text: &str, direction: Direction) -> Result<Target, String> {
    Expression::parse(text)?.directed(direction)
}

#[test]
fn targets_as_they_are_met_in_real_files() {
    use Direction::{Maximize, Minimize};
    let cases = [
        ("> 0.90", Maximize, ">", 0.9, None, None),
        ("< 0.5", Minimize, "<", 0.5, None, None),
        (">= 80", Maximize, ">=", 80.0, None, None),
        ("< 0.5s", Minimize, "<", 0.5, None, Some("s")),
        ("> 90%", Maximize, ">", 90.0, None, Some("%")),
        ("> 90 %", Maximize, ">", 90.0, None, Some("%")),
        ("< 50ms", Minimize, "<", 50.0, None, Some("ms")),
        ("<200 ms", Minimize, "<", 200.0, None, Some("ms")),
        ("> 8/10", Maximize, ">", 8.0, Some(10.0), None),
        ("score_2 > 95.0", Maximize, ">", 95.0, None, None),
        (
            "8/8 topics covered (100%)",
            Maximize,
            ">=",
            8.0,
            Some(8.0),
            None,
        ),
        ("≤ 1,250 MB/s", Minimize, "<=", 1250.0, None, Some("MB/s")),
        ("≥ -1.5e-3", Maximize, ">=", -0.0015, None, None),
        ("== 0", Minimize, "==", 0.0, None, None),
        ("= 3 of all tries", Maximize, "==", 3.0, None, None),
        ("0.25", Minimize, "<=", 0.25, None, None),
        (".5", Maximize, ">=", 0.5, None, None),
        (
            "> 0.95 on the held-out set",
            Maximize,
            ">",
            0.95,
            None,
            None,
        ),
        ("< 10, every time", Minimize, "<", 10.0, None, None),
    ];
    for (text, direction, sign, value, scale, unit) in cases {
        let target = target(text, direction).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(target.comparator.as_str(), sign, "{text}");
        assert_eq!(target.value, value, "{text}");
        assert_eq!(target.scale, scale, "{text}");
        assert_eq!(target.unit.as_deref(), unit, "{text}");
    }
}

#[test]
fn what_is_no_target() {
    for text in [
        "",
        ">",
        "fast",
        "at least 0.9",
        "> NaN",
        "> inf",
        "> 1e999",
        "> 0,5",
        "> 1.2.3",
        "> 12/10",
        "> 8/0",
        "> 8/x",
        "> 0x10",
        "<> 3",
        "> 5-7",
        "> -",
        "> .",
    ] {
        let wrong = target(text, Direction::Maximize);
        assert!(wrong.is_err(), "{text}: {wrong:?}");
    }
    for (text, direction) in [
        ("< 5", Direction::Maximize),
        ("<= 5", Direction::Maximize),
        ("> 5", Direction::Minimize),
        (">= 5", Direction::Minimize),
    ] {
        let why = target(text, direction).unwrap_err();
        assert!(why.contains("contradicts"), "{text}: {why}");
    }
}

#[test]
fn a_target_is_met_in_its_own_unit() {
    let met = |text: &str, direction, value| target(text, direction).unwrap().is_met_by(value);
    assert!(met("< 0.5", Direction::Minimize, 0.49));
    assert!(!met("< 0.5", Direction::Minimize, 0.5));
    assert!(met("<= 0.5", Direction::Minimize, 0.5));
    assert!(met("> 8/10", Direction::Maximize, 9.0));
    assert!(!met("> 8/10", Direction::Maximize, 0.9));
    assert!(met(">= 80", Direction::Maximize, 80.0));
    assert!(met("== 3", Direction::Maximize, 3.0));
    assert!(!met("== 3", Direction::Maximize, f64::NAN));
}

#[test]
fn quantities_are_numbers_with_a_unit_and_nothing_else() {
    for (text, value, unit) in [
        ("2.4", 2.4, None),
        ("65%", 65.0, Some("%")),
        ("120 ms", 120.0, Some("ms")),
        ("+3", 3.0, None),
    ] {
        let read = Quantity::parse(text).unwrap();
        assert_eq!((read.value, read.unit.as_deref()), (value, unit), "{text}");
    }
    for text in [
        "",
        "fast",
        "2.4 seconds each",
        "NaN",
        "1e999",
        "0,5",
        "2.4,",
    ] {
        assert!(Quantity::parse(text).is_err(), "{text}");
    }
}

#[test]
fn durations() {
    for (text, seconds) in [
        ("8h", 28_800),
        ("30m", 1_800),
        ("90m", 5_400),
        ("2h30m", 9_000),
        ("2h 30m", 9_000),
        ("1H5M3S", 3_903),
        ("45s", 45),
    ] {
        let read = duration::parse(text).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(read, Duration::from_secs(seconds), "{text}");
        assert_eq!(duration::parse(&written(read)), Ok(read), "{text}");
    }
    for text in [
        "",
        "0m",
        "0h0m",
        "-1h",
        "30",
        "h",
        "1.5h",
        "2 hours",
        "30m2h",
        "2h2h",
        "2h30",
        "5d",
        "99999999999999999999h",
        "9000h",
        "2h (hard)",
        "é",
    ] {
        assert!(duration::parse(text).is_err(), "{text}");
    }
    assert_eq!(written(Duration::ZERO), "0s");
}

#[test]
fn whole_numbers() {
    assert_eq!(number::positive(" 26 ", 26), Ok(26));
    for text in [
        "",
        "0",
        "-1",
        "+3",
        "27",
        "2.0",
        "1e1",
        "three",
        "3 lanes",
        "99999999999",
    ] {
        assert!(number::positive(text, 26).is_err(), "{text}");
    }
    assert_eq!(shortest(0.1 + 0.2), "0.30000000000000004");
    assert_eq!(shortest(80.0), "80");
}

#[test]
fn commands_are_words_and_no_shell() {
    let words = |text: &str| argv::Argv::parse(text).map(|argv| argv.words().to_vec());
    assert_eq!(
        words("a 'b c' \"d\" e\\ f").unwrap(),
        ["a", "b c", "d", "e f"]
    );
    assert_eq!(words("./run --x=1 # note").unwrap(), ["./run", "--x=1"]);
    assert_eq!(words("run a|b > c").unwrap(), ["run", "a|b", ">", "c"]);
    let operator = |text| {
        argv::Argv::parse(text)
            .unwrap()
            .operator()
            .map(str::to_owned)
    };
    assert_eq!(operator("run > c").as_deref(), Some(">"));
    assert_eq!(operator("run a"), None);
    for text in ["", "   ", "'open", "a \"b", "# all note", "''"] {
        assert!(words(text).is_err(), "{text}");
    }
    assert_eq!(argv::Argv::parse("a 'b c'").unwrap().to_string(), "a 'b c'");
}

#[test]
fn costs_and_tokens() {
    for (text, amount, currency) in [
        ("25 USD", 25.0, "USD"),
        ("usd 2.50", 2.5, "USD"),
        ("$25", 25.0, "USD"),
        ("1,000.5€", 1000.5, "EUR"),
    ] {
        let read = cost::cost(text).unwrap().unwrap();
        assert_eq!((read.amount, &*read.currency), (amount, currency), "{text}");
    }
    assert_eq!(cost::cost("none"), Ok(None));
    for text in [
        "",
        "25",
        "0 USD",
        "-5 USD",
        "$-5",
        "cheap",
        "5 bananas",
        "USD 5 EUR",
        "1e999 USD",
    ] {
        assert!(cost::cost(text).is_err(), "{text}");
    }
    let tokens = |text| cost::tokens(text).map(|read| read.and_then(|budget| budget.tokens));
    assert_eq!(tokens("200k"), Ok(Some(200_000)));
    assert_eq!(tokens("1.5M tokens"), Ok(Some(1_500_000)));
    assert_eq!(tokens("1,000"), Ok(Some(1_000)));
    assert_eq!(tokens("as few as possible"), Ok(None));
    assert_eq!(tokens("none"), Ok(None));
    for text in ["0", "-1", "1e40", "0.5", "5 parsecs"] {
        assert!(tokens(text).is_err(), "{text}");
    }
}

#[test]
fn parameters() {
    let domain = |text: &str| parameter::domain(text);
    assert_eq!(
        domain("0.1 .. 0.9"),
        Ok(Domain::Range {
            min: 0.1,
            max: 0.9,
            integer: false
        })
    );
    assert_eq!(
        domain("-1..1e3"),
        Ok(Domain::Range {
            min: -1.0,
            max: 1000.0,
            integer: false
        })
    );
    assert_eq!(
        domain("1 .. 22 integer"),
        Ok(Domain::Range {
            min: 1.0,
            max: 22.0,
            integer: true
        })
    );
    let words = ["small", "a bit more", "large"].map(str::to_owned).to_vec();
    assert_eq!(
        domain("small | a bit more | `large`"),
        Ok(Domain::Choice { choices: words })
    );
    for text in [
        "",
        "5",
        "1 .. 1",
        "2 .. 1",
        "1 .. inf",
        "NaN .. 1",
        "1 .. 2 whole",
        "0.5 .. 2 integer",
        "0 .. 1e300 integer",
        "a | a",
        "a | ",
        "| a",
        "1 .. 2 .. 3",
        "1 - 2",
    ] {
        assert!(domain(text).is_err(), "{text}");
    }
    assert_eq!(parameter::name("`level_2`").as_deref(), Ok("level_2"));
    for text in ["", "2x", "a b", "é", &"x".repeat(65)] {
        assert!(parameter::name(text).is_err(), "{text}");
    }
}

#[test]
fn placeholders() {
    for text in [
        "{metric name}",
        "{e.g., < 0.5}",
        "< {limit}s",
        "_describe it here_",
        "TBD",
        "todo",
        " Unknown ",
        "ask user before run",
        "pending approval",
        "TODO: ask Ann",
        "3 {lanes}",
    ] {
        assert!(placeholder::in_value(text), "{text}");
    }
    for text in [
        "seconds",
        "unknown token rate",
        "todos_per_day",
        "pendingness",
        "`{x}`",
        "{\"a\": 1}",
        "{}",
        "{1, 2}",
        "${HOME}/x",
        "x_{i}",
        "\\frac{a}{b}",
        "f{x}",
        "_private_",
        "snake_case_name",
    ] {
        assert!(!placeholder::in_value(text), "{text}");
    }
    assert!(placeholder::in_command("{your command}"));
    assert!(!placeholder::in_command("find . -exec wc {} ;"));
    assert!(!placeholder::in_command(
        "run --json '{\"a\": 1}' --fmt {name}"
    ));
    assert!(placeholder::in_text(
        "Do this.\n\n_Say what is done now._\n"
    ));
    assert!(placeholder::in_text("tbd\n"));
    assert!(!placeholder::in_text(
        "Pending tasks wait.\n\n```\n{not this}\n```\n"
    ));
}
