//! What distinguishes one way to search from another.

use super::*;

fn numbers(points: &[Point]) -> Vec<f64> {
    points
        .iter()
        .map(|point| point["a"].as_f64().unwrap())
        .collect()
}

fn far_from(best: f64) -> impl Fn(&Point) -> Option<f64> {
    move |point| Some((point["a"].as_f64().unwrap() - best).abs())
}

/// Knows a best of another lane, and nothing else.
fn told(strategy: Strategy, contrarian: bool, parameters: &[Parameter], known: Trial) -> Search {
    let history = History {
        own: Vec::new(),
        known: vec![known],
    };
    Search::new(
        strategy,
        contrarian,
        parameters,
        Direction::Minimize,
        seed(1),
        &history,
    )
    .unwrap()
}

#[test]
fn descent_goes_on_while_it_gets_better_and_halves_its_steps_when_not() {
    let parameters = named([real(0.0, 64.0)]);
    let own = vec![
        trial(json!({"a": 0.0}), 40.0),
        trial(json!({"a": 64.0}), 24.0),
    ];
    let mut search = alone(Strategy::Descent, &parameters, own);
    let points = go(&mut search, 10, far_from(40.0));
    // From 64 down by 16 to 48; 32 is not better. By 8 to 40, then by 4, by 2 and by 1 around it.
    assert_eq!(
        numbers(&points),
        [48.0, 32.0, 40.0, 36.0, 44.0, 38.0, 42.0, 39.0, 41.0, 39.5]
    );
}

#[test]
fn descent_steps_to_the_next_whole_number_at_last_and_then_begins_anew() {
    let parameters = named([whole(0.0, 40.0)]);
    let own = vec![trial(json!({"a": 20}), 0.0), trial(json!({"a": 0}), 20.0)];
    let mut search = alone(Strategy::Descent, &parameters, own);
    let points = go(&mut search, 10, far_from(20.0));
    let around = [30.0, 10.0, 25.0, 15.0, 23.0, 18.0, 21.0, 19.0];
    assert_eq!(numbers(&points)[..8], around);
    assert!((numbers(&points)[8] - 20.0).abs() > 1.0);
}

#[test]
fn descent_tries_every_choice_of_a_short_list() {
    let parameters = named([words(5)]);
    let own = vec![
        trial(json!({"a": "w2"}), 1.0),
        trial(json!({"a": "w0"}), 2.0),
    ];
    let mut search = alone(Strategy::Descent, &parameters, own);
    let points = go(&mut search, 9, |_| Some(3.0));
    let words: Vec<&str> = points
        .iter()
        .map(|point| point["a"].as_str().unwrap())
        .collect();
    assert_eq!(words, ["w3", "w1", "w4"]);
}

#[test]
fn descent_and_annealing_begin_at_the_best_that_is_known_elsewhere() {
    let parameters = named([real(0.0, 1.0), real(0.0, 1.0), real(0.0, 1.0)]);
    let known = trial(json!({"a": 0.5, "b": 0.25, "c": 0.75}), 1.0);
    let search = told(Strategy::Descent, false, &parameters, known.clone());
    assert_eq!(
        search.ask(),
        Some(point(json!({"a": 0.75, "b": 0.25, "c": 0.75})))
    );
    let search = told(Strategy::Annealing, false, &parameters, known.clone());
    let first = search.ask().unwrap();
    let near = first.iter().all(|(name, value)| {
        let known = known.point[name].as_f64().unwrap();
        (value.as_f64().unwrap() - known).abs() <= 0.5
    });
    assert!(near, "{first:?}");
}

#[test]
fn annealing_takes_worse_spots_while_it_is_hot_and_none_when_it_is_cold() {
    let parameters = named([whole(0.0, 9999.0)]);
    let mut search = alone(Strategy::Annealing, &parameters, Vec::new());
    let points = numbers(&go(&mut search, 36, far_from(2000.0)));
    let (hot, cold) = (&points[1..9], &points[27..36]);
    let steps = |points: &[f64]| {
        let steps = points.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        steps.sum::<f64>() / (points.len() - 1) as f64
    };
    assert!(steps(hot) > 5.0 * steps(cold), "{points:?}");
    let least = |points: &[f64]| {
        points
            .iter()
            .map(|at| (at - 2000.0).abs())
            .fold(f64::MAX, f64::min)
    };
    assert!(least(cold) <= least(hot), "{points:?}");
}

#[test]
fn annealing_begins_anew_at_the_best_when_it_is_cold() {
    let parameters = named([whole(0.0, 9999.0)]);
    let high = |number: i32| trial(json!({"a": 5000 + number}), 100.0);
    let low = |number: i32| trial(json!({"a": 9999 - number}), 1.0);
    let best = trial(json!({"a": 0}), 0.0);
    let own: Vec<Trial> = (0..11)
        .map(high)
        .chain([best])
        .chain((0..24).map(low))
        .collect();
    let ask = |trials: usize| {
        let search = alone(Strategy::Annealing, &parameters, own[..trials].to_vec());
        search.ask().unwrap()["a"].as_f64().unwrap()
    };
    assert!(
        ask(35) > 9000.0,
        "a little worse was taken while it was hot"
    );
    assert!(ask(36) < 5000.0, "no step is longer than half an axis");
}

#[test]
fn the_model_asks_where_good_trials_are_dense() {
    let parameters = named([real(0.0, 1.0), words(4)]);
    let measure = |point: &Point| {
        let other = if point["b"] == "w3" { 0.0 } else { 0.3 };
        Some((point["a"].as_f64().unwrap() - 0.8).abs() + other)
    };
    // Of a hundred by chance, five would be.
    let is_good = |point: &&Point| measure(point).unwrap() < 0.1;
    let mut good = 0;
    for round in 1..=5 {
        let history = History::default();
        let least = Direction::Minimize;
        let mut search = Search::new(
            Strategy::Tpe,
            false,
            &parameters,
            least,
            seed(round),
            &history,
        )
        .unwrap();
        good += go(&mut search, 60, measure)[40..]
            .iter()
            .filter(is_good)
            .count();
    }
    assert!(good >= 50, "{good}");
}

#[test]
fn a_contrarian_goes_where_the_others_are_not() {
    let parameters = named([real(0.0, 1.0), real(0.0, 1.0)]);
    let known = trial(json!({"a": 0.1, "b": 0.1}), 1.0);
    let distance = |point: &Point| {
        let apart = |name: &str| (point[name].as_f64().unwrap() - 0.1).abs();
        (apart("a") + apart("b")) / 2.0
    };
    for strategy in STRATEGIES {
        // Everything speaks for the others' best.
        let ask = |contrarian| {
            let mut search = told(strategy, contrarian, &parameters, known.clone());
            let points = go(&mut search, 40, |point| Some(1.0 + distance(point)));
            points.iter().map(distance).collect::<Vec<f64>>()
        };
        let near = |contrarian| ask(contrarian).iter().filter(|one| **one < 0.1).count();
        assert_eq!(near(true), 0, "{strategy:?}");
        let is_led = strategy != Strategy::Random;
        assert!(!is_led || near(false) > 10, "{strategy:?}");
    }
}
