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

#[test]
fn a_strategy_asks_these_points() {
    let parameters = named([real(-1.0, 3.0), whole(1.0, 22.0), words(3)]);
    let measure = |point: &Point| {
        let (a, b) = (point["a"].as_f64().unwrap(), point["b"].as_f64().unwrap());
        let c = if point["c"] == "w1" { 0.0 } else { 1.0 };
        Some((a - 0.7) * (a - 0.7) + (b - 9.0).abs() / 7.0 + c)
    };
    let last = |strategy| {
        let mut search = alone(strategy, &parameters, Vec::new());
        json!(go(&mut search, 25, measure)[24])
    };
    let points = [
        json!({"a": 0.49461041161172026, "b": 9, "c": "w1"}),
        json!({"a": 0.8078770946035236, "b": 9, "c": "w1"}),
        json!({"a": 0.9760345705772844, "b": 15, "c": "w1"}),
        json!({"a": -0.9348950548610016, "b": 19, "c": "w2"}),
    ];
    assert_eq!(STRATEGIES.map(last), points);
}
