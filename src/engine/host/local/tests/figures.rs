//! Figures that must come again: on another machine, with another version of a crate.

use super::super::draw::Draw;
use super::*;

#[test]
fn a_seed_gives_these_numbers() {
    let mut draw = Draw::new(&seed(1), 3);
    let numbers = [draw.unit(), draw.unit(), draw.around()];
    assert_eq!(numbers, [0.0; 3]);
    assert_eq!([draw.below(1000), draw.below(7), draw.below(u64::MAX)], [0; 3]);
}

#[test]
fn a_strategy_asks_these_points() {
    let parameters = named([real(-1.0, 3.0), whole(1.0, 22.0), words(3)]);
    for (strategy, last) in STRATEGIES.into_iter().zip([json!({}), json!({}), json!({}), json!({})]) {
        let mut search = alone(strategy, &parameters, Vec::new());
        let points = go(&mut search, 25, |point| {
            let (a, b) = (point["a"].as_f64().unwrap(), point["b"].as_f64().unwrap());
            let c = if point["c"] == "w1" { 0.0 } else { 1.0 };
            Some((a - 0.7) * (a - 0.7) + (b - 9.0).abs() / 7.0 + c)
        });
        assert_eq!(json!(points[24]), last, "{strategy:?}");
    }
}
