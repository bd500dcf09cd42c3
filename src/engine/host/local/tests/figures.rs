//! Figures that must come again: on another machine, with another version of a crate.

use super::super::draw::Draw;
use super::*;

#[test]
fn a_seed_gives_these_numbers() {
    let mut draw = Draw::new(&seed(1), 3);
    let numbers = [draw.unit(), draw.unit(), draw.around()];
    assert_eq!(
        numbers,
        [
            0.33010077617032046,
            0.6890857464874193,
            -0.17201178411050783
        ]
    );
    assert_eq!(
        [draw.below(1000), draw.below(7), draw.below(u64::MAX)],
        [556, 6, 17737998455845167876]
    );
}

/// The last of 70 points, asked with what another lane knows.
fn last(strategy: Strategy, contrarian: bool) -> Value {
    let parameters = named([real(-1.0, 3.0), whole(1.0, 22.0), words(3)]);
    let history = History {
        own: Vec::new(),
        known: vec![trial(json!({"a": 2.0, "b": 20, "c": "w1"}), 3.26)],
    };
    let least = Direction::Minimize;
    let mut search =
        Search::new(strategy, contrarian, &parameters, least, seed(1), &history).unwrap();
    let points = go(&mut search, 70, |point| {
        let (a, b) = (point["a"].as_f64().unwrap(), point["b"].as_f64().unwrap());
        let c = if point["c"] == "w1" { 0.0 } else { 1.0 };
        Some((a - 0.7) * (a - 0.7) + (b - 9.0).abs() / 7.0 + c)
    });
    json!(points[69])
}

#[test]
fn a_contrarian_asks_these_points() {
    let points = [
        json!({"a": 1.1012833717630817, "b": 9, "c": "w1"}),
        json!({"a": 0.6941713835652166, "b": 9, "c": "w1"}),
        json!({"a": 0.08046315553476213, "b": 9, "c": "w2"}),
        json!({"a": 0.9388444245770036, "b": 3, "c": "w0"}),
    ];
    assert_eq!(STRATEGIES.map(|strategy| last(strategy, true)), points);
}

#[test]
fn a_strategy_asks_these_points() {
    let points = [
        json!({"a": 0.6507134732792599, "b": 9, "c": "w1"}),
        json!({"a": 0.70001220703125, "b": 10, "c": "w1"}),
        json!({"a": 2.0098762665704495, "b": 10, "c": "w2"}),
        json!({"a": 0.9388444245770036, "b": 3, "c": "w0"}),
    ];
    assert_eq!(STRATEGIES.map(|strategy| last(strategy, false)), points);
}
