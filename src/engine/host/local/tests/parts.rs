//! Parts of lanes.

use std::collections::BTreeMap;

use proptest::prelude::{prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy as Any;

use super::super::part;
use super::*;

fn first_domains(parameters: &[Parameter], lanes: usize) -> Vec<Domain> {
    let parts = (0..lanes).map(|number| part(parameters, number, lanes));
    parts.map(|part| part[0].domain.clone()).collect()
}

#[test]
fn real_numbers_are_cut_so_that_no_border_belongs_to_two() {
    let parts = first_domains(&named([real(0.0, 1.0), real(0.0, 2.0)]), 2);
    assert_eq!(parts, [real(0.0, 0.5_f64.next_down()), real(0.5, 1.0)]);
}

#[test]
fn a_choice_with_a_word_for_each_lane_is_cut_before_numbers() {
    let parameters = named([whole(1.0, 99.0), words(2), words(5)]);
    let parts: Vec<Vec<Parameter>> = (0..3).map(|number| part(&parameters, number, 3)).collect();
    let taken = |number: usize| match &parts[number][2].domain {
        Domain::Choice { choices } => choices.join(" "),
        Domain::Range { .. } => panic!("a choice stays one"),
    };
    assert_eq!([taken(0), taken(1), taken(2)], ["w0", "w1 w2", "w3 w4"]);
    assert!(parts.iter().all(|part| part[..2] == parameters[..2]));
}

#[test]
fn lanes_beyond_the_values_share_them() {
    let parts = first_domains(&named([whole(1.0, 2.0)]), 3);
    assert_eq!(parts, [whole(1.0, 1.0), whole(2.0, 2.0), whole(1.0, 1.0)]);
    let next = 1.0_f64.next_up();
    for part in first_domains(&named([real(1.0, next)]), 5) {
        let Domain::Range { min, max, .. } = part else {
            panic!("numbers stay numbers")
        };
        assert!(1.0 <= min && min <= max && max <= next);
    }
    assert_eq!(part(&[], 0, 3), []);
    assert_eq!(
        part(&named([whole(1.0, 9.0)]), 4, 0),
        named([whole(1.0, 9.0)])
    );
}

#[test]
fn a_lane_stays_in_its_part_and_begins_where_the_best_elsewhere_points() {
    let parameters = named([whole(0.0, 99.0), whole(0.0, 9.0)]);
    let history = History {
        own: Vec::new(),
        known: vec![
            trial(json!({"a": 80, "b": 2}), 5.0),
            trial(json!({"a": 90, "b": 7}), 3.0),
        ],
    };
    for strategy in STRATEGIES {
        let mine = part(&parameters, 0, 2);
        let mut search = Search::new(
            strategy,
            false,
            &mine,
            Direction::Minimize,
            seed(2),
            &history,
        )
        .unwrap();
        let points = go(&mut search, 40, |point| point["a"].as_f64());
        assert_eq!(points[0], point(json!({"a": 49, "b": 7})));
        assert!(points.iter().all(|point| point["a"].as_f64() <= Some(49.0)));
    }
}

fn domains() -> impl Any<Value = Domain> {
    prop_oneof![
        (1..6_usize).prop_map(words),
        (-3..3_i32, 0..9_i32)
            .prop_map(|(low, width)| whole(f64::from(low), f64::from(low + width))),
    ]
}

proptest! {
    #[test]
    fn parts_share_nothing_and_are_the_whole(domains in prop::collection::vec(domains(), 1..4), lanes in 1..6_usize) {
        let parameters = named(domains);
        let all = |parameters: &[Parameter]| {
            let mut search = alone(Strategy::Random, parameters, Vec::new());
            go(&mut search, usize::MAX, |_| None)
        };
        let mut owners: BTreeMap<String, usize> = BTreeMap::new();
        for number in 0..lanes {
            let points = all(&part(&parameters, number, lanes));
            prop_assert!(!points.is_empty());
            for point in points {
                *owners.entry(json!(point).to_string()).or_default() += 1;
            }
        }
        prop_assert_eq!(owners.len(), all(&parameters).len());
        let most = parameters.iter().map(|one| match &one.domain {
            Domain::Choice { choices } => choices.len(),
            Domain::Range { min, max, .. } => (max - min) as usize + 1,
        }).max().unwrap();
        prop_assert!(most < lanes || owners.values().all(|count| *count == 1));
    }
}
