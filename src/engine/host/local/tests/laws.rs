//! What holds for every space, strategy and history.

use std::collections::BTreeSet;

use proptest::prelude::{
    Just, ProptestConfig, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::sample::select;
use proptest::strategy::Strategy as Any;

use super::*;
use crate::digest;

/// Domains, and among them those on which arithmetic stumbles.
fn domains() -> impl Any<Value = Domain> {
    let odd = vec![
        real(3.25, 3.25),
        real(-0.0, 0.0),
        real(0.0, 5e-324),
        real(1.0, 1.0_f64.next_up().next_up()),
        real(-1.7e308, 1.7e308),
        real(1.0, 1.7e308),
        real(-1e-300, 1e-300),
        whole(7.0, 7.0),
        whole(-2.5, 2.5),
        whole(0.0, 9_007_199_254_740_993.0),
        whole(-1e300, 1e300),
        words(1),
        words(2),
        words(200),
    ];
    let usual = (-1000..1000_i32, 0..1000_i32);
    prop_oneof![
        select(odd),
        usual
            .clone()
            .prop_map(|(low, width)| real(f64::from(low) / 8.0, f64::from(low + width) / 8.0)),
        usual.prop_map(|(low, width)| whole(f64::from(low), f64::from(low + width))),
        (1..7_usize).prop_map(words),
    ]
}

/// Domains of which a few make a space that can be asked to its end.
fn small_domains() -> impl Any<Value = Domain> {
    prop_oneof![
        (1..5_usize).prop_map(words),
        (0..4_i32).prop_map(|width| whole(-1.0, f64::from(width) - 1.0)),
        Just(real(2.0, 2.0_f64.next_up())),
        Just(real(-5e-324, 5e-324)),
    ]
}

#[derive(Debug, Clone)]
struct Case {
    parameters: Vec<Parameter>,
    strategy: Strategy,
    is_contrarian: bool,
    direction: Direction,
    /// Makes the values.
    landscape: u8,
    known: Vec<Trial>,
}

fn cases(
    domains: impl Any<Value = Domain>,
    axes: std::ops::RangeInclusive<usize>,
) -> impl Any<Value = Case> {
    let how = (
        select(&STRATEGIES[..]),
        any::<bool>(),
        select(vec![Direction::Maximize, Direction::Minimize]),
        any::<u8>(),
        0..3_usize,
        any::<bool>(),
    );
    (prop::collection::vec(domains, axes), how).prop_map(|(domains, how)| {
        let (strategy, is_contrarian, direction, landscape, known, is_outside) = how;
        let parameters = named(domains);
        let mut elsewhere = alone(Strategy::Random, &parameters, Vec::new());
        let mut known = go(&mut elsewhere, known, |_| None);
        if is_outside {
            known.push(point(json!({"a": 1e9, "b": "elsewhere"})));
        }
        let known = known.into_iter().map(|point| Trial {
            value: measured(&point, landscape),
            point,
        });
        Case {
            strategy,
            is_contrarian,
            direction,
            landscape,
            known: known.collect(),
            parameters,
        }
    })
}

/// Like chance, and now and then a failure.
fn measured(point: &Point, landscape: u8) -> Option<f64> {
    let bytes = digest::sha256(&digest::canonical(&json!([point, landscape])));
    match bytes[0] % 16 {
        0 => None,
        1 => Some(f64::INFINITY),
        2 => Some(f64::MAX),
        3 => Some(-f64::MAX),
        4 => Some(f64::from(bytes[1] / 64)),
        _ => Some(f64::from(bytes[1]) - f64::from(bytes[2]) / 256.0),
    }
}

impl Case {
    /// The search after these trials, of which seven were asked in each round.
    fn search(&self, own: &[Trial], round: usize) -> Search {
        let history = History {
            own: own.to_vec(),
            known: self.known.clone(),
        };
        Search::new(
            self.strategy,
            self.is_contrarian,
            &self.parameters,
            self.direction,
            seed(round as u32),
            &history,
        )
        .unwrap()
    }

    /// What is asked in rounds of seven.
    fn play(&self, asks: usize) -> Vec<Trial> {
        let mut own: Vec<Trial> = Vec::new();
        for round in 0..asks.div_ceil(7) {
            let mut search = self.search(&own, round);
            let points = go(&mut search, 7, |point| measured(point, self.landscape));
            own.extend(points.into_iter().map(|point| Trial {
                value: measured(&point, self.landscape),
                point,
            }));
        }
        own
    }

    fn allows(&self, point: &Point) -> bool {
        let allows = |one: &Parameter| {
            point
                .get(&one.name)
                .is_some_and(|value| one.domain.allows(value))
        };
        point.len() == self.parameters.len() && self.parameters.iter().all(allows)
    }
}

fn spelled(point: &Point) -> String {
    String::from_utf8(digest::canonical(point)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_point_lies_within_the_parameters_and_none_comes_twice(case in cases(domains(), 1..=12)) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for trial in case.play(35) {
            prop_assert!(case.allows(&trial.point), "{:?}", trial.point);
            prop_assert!(seen.insert(spelled(&trial.point)), "twice: {:?}", trial.point);
            let read: Point = serde_json::from_str(&spelled(&trial.point)).unwrap();
            prop_assert_eq!(read, trial.point, "a point that is read again is the same");
        }
    }

    #[test]
    fn every_point_of_a_small_space_is_asked_once_and_then_there_is_none(case in cases(small_domains(), 0..=3)) {
        let size: usize = case.parameters.iter().map(|one| match &one.domain {
            Domain::Choice { choices } => choices.len(),
            Domain::Range { min, max, integer: true } => (max - min) as usize + 1,
            Domain::Range { min, .. } if *min < 0.0 => 3,
            Domain::Range { .. } => 2,
        }).product();
        let is_known = |trial: &&Trial| case.allows(&trial.point) && trial.value.is_some_and(f64::is_finite);
        let known: BTreeSet<String> = case.known.iter().filter(is_known).map(|trial| spelled(&trial.point)).collect();
        let own = case.play(size + 7);
        let asked: BTreeSet<String> = own.iter().map(|trial| spelled(&trial.point)).collect();
        prop_assert_eq!(asked.len(), own.len());
        prop_assert_eq!(asked.intersection(&known).count(), 0, "others measured it");
        prop_assert_eq!(asked.len() + known.len(), size);
    }

    #[test]
    fn the_same_history_leads_to_the_same_question(case in cases(domains(), 1..=4), cut in 0..35_usize) {
        let own = case.play(35);
        prop_assert_eq!(&case.play(35), &own);
        let cut = cut.min(own.len().saturating_sub(1));
        let next = case.search(&own[..cut], cut / 7).ask();
        prop_assert_eq!(next.as_ref(), own.get(cut).map(|trial| &trial.point));
    }

    #[test]
    fn more_is_better_as_less_of_the_opposite_is(case in cases(domains(), 1..=4)) {
        let other = match case.direction {
            Direction::Maximize => Direction::Minimize,
            Direction::Minimize => Direction::Maximize,
        };
        let turned = |trials: &[Trial]| -> Vec<Trial> {
            trials.iter().map(|one| Trial { value: one.value.map(|value| -value), ..one.clone() }).collect()
        };
        let own = case.play(21);
        let mirror = Case { direction: other, known: turned(&case.known), ..case.clone() };
        prop_assert_eq!(case.search(&own, 3).ask(), mirror.search(&turned(&own), 3).ask());
    }

    #[test]
    fn no_history_makes_a_search_stumble(case in cases(domains(), 1..=3), alien in any::<i64>()) {
        let mut own = case.play(9);
        for value in [json!(alien), json!("w0"), json!(null), json!(1e308), json!([])] {
            own.push(Trial { point: Point::from([("a".to_owned(), value)]), value: Some(1.0) });
        }
        let next = case.search(&own, 2).ask();
        prop_assert!(next.is_none_or(|point| case.allows(&point)));
    }
}
