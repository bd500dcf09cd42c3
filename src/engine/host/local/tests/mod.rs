mod axes;
mod figures;
mod laws;
mod parts;
mod review;
mod ways;

use serde_json::{Value, json};

use super::{History, Point, Search, Seed, Strategy, Trial};
use crate::engine::charter::{Direction, Domain, Parameter};
use crate::engine::id::Lane;

const STRATEGIES: [Strategy; 4] = [
    Strategy::Tpe,
    Strategy::Descent,
    Strategy::Annealing,
    Strategy::Random,
];

fn real(min: f64, max: f64) -> Domain {
    let integer = false;
    Domain::Range { min, max, integer }
}

fn whole(min: f64, max: f64) -> Domain {
    let integer = true;
    Domain::Range { min, max, integer }
}

fn words(count: usize) -> Domain {
    let choices = (0..count).map(|number| format!("w{number}")).collect();
    Domain::Choice { choices }
}

/// Parameters `a`, `b`, `c`, …
fn named(domains: impl IntoIterator<Item = Domain>) -> Vec<Parameter> {
    let names = ('a'..='z').map(String::from);
    let parameter = |(name, domain)| Parameter { name, domain };
    names.zip(domains).map(parameter).collect()
}

fn seed(round: u32) -> Seed {
    Seed::new("conditions", Lane::nth(0).unwrap(), round)
}

fn point(value: Value) -> Point {
    serde_json::from_value(value).unwrap()
}

fn trial(values: Value, value: f64) -> Trial {
    Trial {
        point: point(values),
        value: Some(value),
    }
}

/// A search for the least value that nobody else takes part in.
fn alone(strategy: Strategy, parameters: &[Parameter], own: Vec<Trial>) -> Search {
    let history = History {
        own,
        known: Vec::new(),
    };
    Search::new(
        strategy,
        false,
        parameters,
        Direction::Minimize,
        seed(1),
        &history,
    )
    .unwrap()
}

/// Asks and measures so many times.
fn go(search: &mut Search, asks: usize, measure: impl Fn(&Point) -> Option<f64>) -> Vec<Point> {
    let mut points = Vec::new();
    while let Some(point) = search.ask().filter(|_| points.len() < asks) {
        search.tell(&point, measure(&point));
        points.push(point);
    }
    points
}

#[test]
fn a_question_stands_until_it_is_told() {
    let mut search = alone(Strategy::Random, &named([real(0.0, 1.0)]), Vec::new());
    let first = search.ask();
    assert!(first.is_some());
    assert_eq!(search.ask(), first);
    search.tell(&first.clone().unwrap(), None);
    assert_ne!(search.ask(), first);
}

#[test]
fn lanes_have_strategies_in_turn() {
    let of = |number| Strategy::of(Lane::nth(number).unwrap());
    let lanes: Vec<Strategy> = (0..4).map(of).collect();
    assert_eq!(lanes, STRATEGIES);
    assert_eq!(of(4), of(0));
    assert_eq!(of(25), of(1));
}

#[test]
fn a_parameter_without_values_is_named() {
    for domain in [
        real(2.0, 1.0),
        real(f64::NAN, 1.0),
        real(0.0, f64::INFINITY),
        whole(0.2, 0.8),
        words(0),
    ] {
        let parameters = named([real(0.0, 1.0), domain]);
        let fault = Search::new(
            Strategy::Tpe,
            false,
            &parameters,
            Direction::Maximize,
            seed(1),
            &History::default(),
        )
        .unwrap_err();
        assert_eq!(fault.parameter, "b");
    }
}

#[test]
fn a_value_that_is_no_number_is_a_failure() {
    let parameters = named([whole(0.0, 9.0)]);
    for strategy in STRATEGIES {
        let [mut failed, mut odd] = [(); 2].map(|()| alone(strategy, &parameters, Vec::new()));
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let asked = failed.ask().unwrap();
            failed.tell(&asked, None);
            odd.tell(&asked, Some(value));
        }
        assert_eq!(odd.best(), None);
        assert_eq!(odd, failed);
    }
}

#[test]
fn the_best_is_the_first_of_the_best_values() {
    let parameters = named([whole(0.0, 9.0)]);
    let own = vec![
        trial(json!({"a": 3}), 2.0),
        trial(json!({"a": 4}), 1.0),
        trial(json!({"a": 5}), 1.0),
    ];
    let search = alone(Strategy::Tpe, &parameters, own);
    assert_eq!(search.best(), Some(point(json!({"a": 4}))));
}
