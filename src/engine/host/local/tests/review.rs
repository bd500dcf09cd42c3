//! Verdicts on claims.

use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

use super::super::{Remeasured, judge};
use super::*;
use crate::engine::packet::{Confidence, Judgement, Verdict};

fn claim(claimed: f64, again: &[f64]) -> Remeasured {
    Remeasured {
        direction: Direction::Minimize,
        claimed,
        before: None,
        again: again.iter().copied().map(Some).collect(),
        spread: 0.0,
        threshold: 0.0,
    }
}

fn judged(measured: &Remeasured) -> Judgement {
    judge("r1.A.1#2".parse().unwrap(), measured)
}

fn verdict(measured: &Remeasured) -> Verdict {
    judged(measured).verdict
}

#[test]
fn what_comes_again_is_validated() {
    let judgement = judged(&claim(9.5, &[9.5, 9.5, 9.5]));
    assert_eq!(judgement.verdict, Verdict::Validated);
    assert_eq!(judgement.confidence, Confidence::High);
    assert_eq!(judgement.claim.to_string(), "r1.A.1#2");
    assert_eq!(
        judgement.reason,
        "the median 9.5 of 3 runs lies within 0 of the claimed 9.5"
    );
    assert_eq!(judgement.evidence, "measured again: 9.5, 9.5, 9.5");
    assert_eq!(
        verdict(&claim(10.0, &[9.8, 10.1, 10.3])),
        Verdict::Validated
    );
}

#[test]
fn differences_are_told_to_six_digits_and_figures_whole() {
    let lucky = claim(0.476, &[0.583, 0.622, 0.628]);
    let reason = judged(&lucky).reason;
    let begins = "the median 0.622 differs from the claimed 0.476 by 0.146; by noise it would by";
    assert!(reason.starts_with(begins), "{reason}");
    assert!(reason.ends_with(" at most 0.135"), "{reason}");
    let large = judged(&claim(1234567.25, &[1234567.25])).reason;
    assert!(large.contains("the claimed 1234567.25"), "{large}");
}

#[test]
fn an_inflated_claim_is_overturned() {
    let judgement = judged(&claim(5.0, &[9.8, 10.1, 10.3]));
    assert_eq!(judgement.verdict, Verdict::Overturned);
    assert!(
        judgement
            .reason
            .starts_with("the median 10.1 differs from the claimed 5 by 5.1;")
    );
    let opposite = Remeasured {
        direction: Direction::Maximize,
        ..claim(15.0, &[9.8, 10.1, 10.3])
    };
    assert_eq!(verdict(&opposite), Verdict::Overturned);
}

#[test]
fn a_claim_that_is_too_modest_is_only_challenged() {
    assert_eq!(
        verdict(&claim(15.0, &[9.8, 10.1, 10.3])),
        Verdict::Challenged
    );
}

#[test]
fn a_lucky_claim_does_not_hide_behind_the_spread_of_its_own_runs() {
    let lucky = Remeasured {
        spread: 5.0,
        ..claim(5.0, &[9.8, 10.1, 10.3])
    };
    assert_eq!(verdict(&lucky), Verdict::Challenged);
}

#[test]
fn few_runs_borrow_the_spread_of_the_claim() {
    let one = claim(9.0, &[10.0]);
    assert_eq!(verdict(&one), Verdict::Overturned);
    let one = Remeasured { spread: 0.5, ..one };
    assert_eq!(verdict(&one), Verdict::Validated);
    assert_eq!(judged(&one).confidence, Confidence::Low);
}

#[test]
fn a_difference_below_the_threshold_is_none() {
    let near = Remeasured {
        threshold: 0.1,
        ..claim(9.95, &[10.0, 10.0, 10.0])
    };
    assert_eq!(verdict(&near), Verdict::Validated);
    assert_eq!(
        verdict(&Remeasured {
            threshold: 0.01,
            ..near
        }),
        Verdict::Overturned
    );
}

#[test]
fn a_gain_that_does_not_come_again_is_none() {
    let gain = |before: f64, again: &[f64]| {
        let before = Some(before);
        judged(&Remeasured {
            before,
            ..claim(9.9, again)
        })
    };
    let lost = gain(10.0, &[10.1, 10.2, 10.3]);
    assert_eq!(lost.verdict, Verdict::Overturned);
    assert_eq!(lost.reason, "0 of 3 runs are better than 10 before");
    assert_eq!(gain(10.0, &[9.8, 10.1, 10.3]).verdict, Verdict::Challenged);
    assert_eq!(gain(10.0, &[9.8, 9.9, 10.3]).verdict, Verdict::Validated);
    // It does not say that it is better.
    assert_eq!(gain(9.0, &[9.8, 10.1, 10.3]).verdict, Verdict::Validated);
}

#[test]
fn runs_that_fail_validate_nothing() {
    let with = |again: Vec<Option<f64>>| {
        judged(&Remeasured {
            again,
            ..claim(1.0, &[])
        })
    };
    let none = with(Vec::new());
    assert_eq!(
        (none.verdict, none.confidence),
        (Verdict::Challenged, Confidence::Low)
    );
    assert_eq!(none.reason, "nothing was measured again");
    let all = with(vec![None, Some(f64::NAN)]);
    assert_eq!(
        (all.verdict, all.reason.as_str()),
        (Verdict::Overturned, "2 runs, and none gave a value")
    );
    let some = with(vec![Some(1.0), None, Some(1.0)]);
    assert_eq!(
        (some.verdict, some.reason.as_str()),
        (Verdict::Challenged, "1 of 3 runs failed")
    );
    assert_eq!(some.evidence, "measured again: 1, failed, 1");
    assert_eq!(
        verdict(&claim(f64::NAN, &[1.0, 1.0, 1.0])),
        Verdict::Overturned
    );
}

proptest! {
    #[test]
    fn only_a_value_that_came_again_is_validated(
        claimed in any::<f64>(),
        before in any::<Option<f64>>(),
        again in prop::collection::vec(any::<Option<f64>>(), 0..9),
        spread in 0.0..10.0,
        threshold in 0.0..10.0,
    ) {
        let measured = Remeasured { direction: Direction::Maximize, claimed, before, again, spread, threshold };
        let judgement = judged(&measured);
        prop_assert!(judgement.reason.len() < 300 && judgement.evidence.chars().count() < 600);
        if judgement.verdict == Verdict::Validated {
            let runs: Vec<f64> = measured.again.iter().flatten().copied().collect();
            prop_assert!(!runs.is_empty() && runs.len() == measured.again.len());
            let (least, greatest) = runs.iter().fold((f64::MAX, f64::MIN), |ends, run| (ends.0.min(*run), ends.1.max(*run)));
            let far = threshold.max(3.0 * (greatest - least).max(spread));
            prop_assert!(claimed >= least - far && claimed <= greatest + far);
        }
    }

    #[test]
    fn a_claim_without_noise_is_validated_if_it_is_exact(claimed in -1e6..1e6, off in -1.0..1.0_f64) {
        prop_assert_eq!(verdict(&claim(claimed, &[claimed; 3])), Verdict::Validated);
        let other = claimed + off;
        prop_assert_eq!(verdict(&claim(claimed, &[other; 3])) == Verdict::Validated, other == claimed);
    }
}
