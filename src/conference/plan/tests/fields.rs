//! Fields with a default, and what follows from the spelling of others.

use super::super::{Domain, MetricKind, OnLostChild, PauseEvery, Poster, Threshold};
use super::{reading, with};

#[test]
fn every_field_is_read() {
    let text = with(&[
        (
            "- **Max rounds:** 4",
            "- **Max rounds:** 4\n- **Poster:** child",
        ),
        (
            "30m\n",
            "30m\n- **Token budget:** 200k\n- **Cost ceiling:** 25 USD\n- **pause_every:** every_2_rounds\n\
             - **On lost child:** redispatch\n- **Evaluator timeout:** 90s\n- **Evaluator slots:** 2\n\n\
             ## Noise Handling\n- **Noise runs:** 3\n\n## Guard\nTests pass.\n- **Guard:** ./test --all\n\n\
             ## Convergence\n- **min_consensus_delta:** 0.05\n- **Threshold:** 1.5%\n- **Plateau window:** 3\n\
             - **Qualitative threshold:** 9\n- **Early quality:** enabled\n\n\
             ## Parameters\nWhat may be tried.\n- level: 1 .. 22 integer\n- **ratio:** 0.1 .. 0.9\n- window: s | m\n\n\
             ## Cleanup\nNothing.\n",
        ),
    ]);
    let reading = reading(&text);
    assert_eq!(reading.faults, []);
    let plan = reading.plan.unwrap();
    assert_eq!(plan.evaluator_timeout().as_secs(), 90);
    let settings = plan.settings;
    assert_eq!(settings.poster, Poster::Child);
    assert_eq!(settings.token_budget.unwrap().tokens, Some(200_000));
    assert_eq!(settings.cost_ceiling.unwrap().amount, 25.0);
    assert_eq!(settings.pause_every, PauseEvery::Rounds(2));
    assert_eq!(settings.on_lost_child, OnLostChild::Redispatch);
    assert_eq!((settings.noise_runs, settings.evaluator_slots), (3, 2));
    assert_eq!(settings.guard.unwrap().words(), ["./test", "--all"]);
    let convergence = settings.convergence;
    assert_eq!(
        convergence.threshold,
        Some(Threshold::PercentOfBaseline(1.5))
    );
    assert_eq!(convergence.plateau_window, 3);
    assert_eq!(convergence.min_consensus_delta, 0.05);
    assert_eq!(convergence.qualitative_threshold, 9);
    assert!(convergence.early_quality);
    let names: Vec<&str> = settings.parameters.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["level", "ratio", "window"]);
    assert_eq!(
        settings.parameters[0].domain,
        Domain::Range {
            min: 1.0,
            max: 22.0,
            integer: true
        }
    );
    assert_eq!(settings.cleanup.as_deref(), Some("Nothing."));
}

#[test]
fn pauses() {
    for (text, pause) in [
        ("never", PauseEvery::Never),
        ("every_round", PauseEvery::Rounds(1)),
        ("every 3 rounds", PauseEvery::Rounds(3)),
        ("2", PauseEvery::Rounds(2)),
        ("pivot_only", PauseEvery::PivotOnly),
    ] {
        let text = with(&[("30m\n", &format!("30m\npause_every: {text}\n"))]);
        assert_eq!(reading(&text).plan.unwrap().settings.pause_every, pause);
    }
}

#[test]
fn the_kind_of_a_metric_is_its_spelling() {
    let kind = |changes: &[(&str, &str)]| reading(&with(changes)).draft.metric_kind.unwrap();
    assert_eq!(kind(&[]), MetricKind::Float);
    assert_eq!(
        kind(&[("< 0.5s", "< 5"), ("2.4", "24")]),
        MetricKind::Integer
    );
    assert_eq!(
        kind(&[("< 0.5s", "< 5"), ("2.4", "24.0")]),
        MetricKind::Float
    );
    assert_eq!(
        kind(&[("< 0.5s", "< 5"), ("- **Baseline:** 2.4\n", "")]),
        MetricKind::Integer
    );
    assert_eq!(
        kind(&[("< 0.5s", "< 5%"), ("2.4", "24")]),
        MetricKind::Percentage
    );
    assert_eq!(
        kind(&[("< 0.5s", "< 5/100"), ("2.4", "24")]),
        MetricKind::Percentage
    );
    assert_eq!(kind(&[("seconds", "loss (0-100)")]), MetricKind::Percentage);
}
