//! The schedule's plain numbers as the engine's terms.

use lithermes::conference::plan::{Comparator, Convergence, MetricKind, Target, Threshold};
use lithermes::conference::rounds::terms::Terms;
use lithermes::engine::charter::{Direction, Domain, Parameter, Success};

use super::schedule::{Conditions, Kind, Metric, Schedule};

/// The id of every conference here.
pub const CONFERENCE: &str = "c-0123456789ab";

/// The terms of a schedule.
pub fn terms(schedule: &Schedule) -> Terms {
    let conditions = &schedule.conditions;
    let lanes = usize::try_from(conditions.lanes).unwrap_or(0);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Terms {
        conference: CONFERENCE.parse().unwrap(),
        goal: "Score more points".to_owned(),
        success: success(conditions),
        target: conditions.metric.as_ref().map(target),
        metric_kind: conditions
            .metric
            .as_ref()
            .map_or(MetricKind::Float, |metric| kind(metric.kind)),
        convergence: convergence(conditions),
        focus: (0..lanes).map(|lane| format!("part {lane}")).collect(),
        critic: conditions.critic,
        iterations_per_round: small(conditions.iterations),
        max_rounds: small(conditions.rounds),
        ceiling: conditions.ceiling,
        poster_child: conditions.poster_child,
        probe: conditions.probe,
        has_evaluator: conditions.evaluator,
        lane_timeout_s: conditions.lane_timeout,
        wall_clock_s: conditions.wall_clock,
        pause_every: Default::default(),
        redispatch_lost: conditions.redispatch,
        host: "simulated".to_owned(),
        parameters: parameters(),
        read_context: Vec::new(),
        allowed_read_roots: Vec::new(),
        forbidden_actions: vec!["write".to_owned()],
    }
}

fn success(conditions: &Conditions) -> Success {
    match &conditions.metric {
        Some(metric) => Success::Metric {
            metric: "points".to_owned(),
            direction: if metric.maximize {
                Direction::Maximize
            } else {
                Direction::Minimize
            },
            target: format!("{} {}", metric.target.0, metric.target.1),
            baseline: metric.baseline,
        },
        None => Success::Qualitative {
            criteria: "clear".to_owned(),
        },
    }
}

fn target(metric: &Metric) -> Target {
    let comparator = match metric.target.0 {
        "<" => Comparator::Less,
        "<=" => Comparator::LessOrEqual,
        ">" => Comparator::Greater,
        ">=" => Comparator::GreaterOrEqual,
        _ => Comparator::Equal,
    };
    Target {
        comparator,
        value: metric.target.1,
        scale: None,
        unit: None,
    }
}

fn kind(kind: Kind) -> MetricKind {
    match kind {
        Kind::Integer => MetricKind::Integer,
        Kind::Percentage => MetricKind::Percentage,
        Kind::Float => MetricKind::Float,
    }
}

fn convergence(conditions: &Conditions) -> Convergence {
    let named = conditions
        .metric
        .as_ref()
        .and_then(|metric| metric.threshold);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Convergence {
        plateau_window: small(conditions.window),
        threshold: named.map(|(percent, value)| match percent {
            true => Threshold::PercentOfBaseline(value),
            false => Threshold::Absolute(value),
        }),
        min_consensus_delta: conditions.min_delta,
        qualitative_threshold: small(conditions.quality),
        early_quality: conditions.early_quality,
    }
}

fn parameters() -> Vec<Parameter> {
    let named = |name: &str, domain| Parameter {
        name: name.to_owned(),
        domain,
    };
    let level = Domain::Range {
        min: 1.0,
        max: 22.0,
        integer: true,
    };
    let way = Domain::Choice {
        choices: vec!["a".to_owned(), "b".to_owned()],
    };
    vec![named("level", level), named("way", way)]
}
