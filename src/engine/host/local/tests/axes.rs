//! The ends of arithmetic.

use std::collections::BTreeSet;

use super::super::axis::Axis;
use super::super::draw::Draw;
use super::*;

/// Domains whose widths overflow, vanish or have no fraction.
fn extremes() -> [Axis; 9] {
    [
        real(-f64::MAX, f64::MAX),
        real(0.0, 5e-324),
        real(-5e-324, 5e-324),
        real(1.0, 1.0_f64.next_up()),
        real(1e16, f64::MAX),
        real(-3.0, -3.0),
        whole(-1e300, 1e300),
        whole(9e15, 1e16),
        words(3),
    ]
    .map(|domain| Axis::new(&domain).unwrap())
}

#[test]
fn ends_are_reached_and_nothing_lies_beyond_them() {
    for axis in extremes() {
        let (first, last) = (axis.at(0.0), axis.at(1.0));
        assert_eq!(first, axis.first(), "{axis:?}");
        assert_eq!(axis.after(last), None, "{axis:?}");
        assert_eq!(axis.at(-7.0), first, "{axis:?}");
        assert_eq!(axis.at(7.0), last, "{axis:?}");
        assert_eq!(axis.unit(first), 0.0, "{axis:?}");
        assert!(axis.unit(last) == 1.0 || first == last, "{axis:?}");
    }
}

#[test]
fn the_value_after_is_another_and_before_it_is_the_first_again() {
    for axis in extremes() {
        let mut draw = Draw::new(&seed(1), 0);
        for _ in 0..200 {
            let at = axis.random(&mut draw);
            assert!(at >= axis.first(), "{axis:?}");
            if let Some(next) = axis.after(at) {
                assert!(next > at, "{axis:?} {at}");
                assert_eq!(axis.before(next), at, "{axis:?}");
            }
            assert_eq!(axis.read(&axis.write(at)), Some(at), "{axis:?}");
        }
    }
}

#[test]
fn values_are_spelled_as_a_person_would() {
    let spelled = |domain: Domain, at: f64| Axis::new(&domain).unwrap().write(at).to_string();
    assert_eq!(spelled(whole(-5.0, 5.0), -3.0), "-3");
    assert_eq!(spelled(whole(0.0, 1e18), 1e18), "1000000000000000000");
    assert_eq!(spelled(whole(0.0, 1e19), 1e19), "1e+19");
    assert_eq!(spelled(real(0.0, 1.0), 0.25), "0.25");
    assert_eq!(spelled(words(3), 2.0), "\"w2\"");
}

#[test]
fn only_whole_numbers_lie_within_whole_ends() {
    let axis = Axis::new(&whole(-1.5, 2.5)).unwrap();
    assert_eq!((axis.first(), axis.at(1.0)), (-1.0, 2.0));
    assert_eq!(axis.read(&json!(1.0)), Some(1.0));
    for outside in [json!(1.5), json!(3), json!("1"), json!(null)] {
        assert_eq!(axis.read(&outside), None, "{outside}");
    }
}

#[test]
fn a_word_that_is_written_twice_is_one_choice() {
    let choices = ["x", "y", "x"].map(String::from).to_vec();
    let parameters = named([Domain::Choice { choices }]);
    let points = go(
        &mut alone(Strategy::Random, &parameters, Vec::new()),
        9,
        |_| None,
    );
    assert_eq!(points.len(), 2);
}

#[test]
fn chance_reaches_every_value_about_as_often() {
    let axis = Axis::new(&whole(1.0, 6.0)).unwrap();
    let mut draw = Draw::new(&seed(1), 0);
    let mut counts = [0_u32; 6];
    for _ in 0..6000 {
        counts[axis.random(&mut draw) as usize - 1] += 1;
    }
    assert!(
        counts.iter().all(|count| (850..1150).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn turns_and_coins_have_numbers_of_their_own() {
    let numbers = |mut draw: Draw| [draw.unit().to_bits(), draw.unit().to_bits()];
    let mut seen = BTreeSet::new();
    for round in 1..4 {
        for turn in 0..40 {
            assert!(seen.insert(numbers(Draw::new(&seed(round), turn))));
            assert!(seen.insert(numbers(Draw::coin(&seed(round), turn))));
        }
    }
}
