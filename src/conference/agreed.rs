//! From what a person wrote and approved to what the round protocol uses.

use crate::conference::plan::{
    self, Critic, Evaluator, Host, OnLostChild, Plan, Poster, Strategy, Success,
};
use crate::conference::rounds::terms::{Comparator, MetricKind, Target, Terms};
use crate::engine::charter::{self, Direction, Domain, Parameter};
use crate::engine::id::ConferenceId;

/// What no child may do, in the words of its charter.
const FORBIDDEN: [&str; 5] = [
    "write or change any file that others use",
    "start other agents, or hand work on",
    "use credentials, or change the host's configuration",
    "publish, deploy, release, commit or push anything",
    "change the evaluator, the guard or how they measure",
];

/// The terms of a plan under its approval.
pub fn terms(plan: &Plan, conference: ConferenceId, host: Host) -> Terms {
    let settings = &plan.settings;
    let mut forbidden_actions = FORBIDDEN.map(str::to_owned).to_vec();
    forbidden_actions.extend(settings.forbidden_changes.clone());
    Terms {
        conference,
        goal: plan.goal.clone(),
        success: success(plan),
        target: target(plan),
        metric_kind: metric_kind(plan),
        min_consensus_delta: settings.convergence.min_consensus_delta,
        focus: plan.lanes().map(|lane| focus(plan, lane)).collect(),
        critic: plan.critic == Critic::Enabled,
        iterations_per_round: plan.iterations_per_round,
        max_rounds: plan.max_rounds,
        ceiling: plan.max_total_iterations,
        poster_child: settings.poster == Poster::Child,
        probe: host == Host::Hermes,
        has_evaluator: evaluator(plan).is_some(),
        lane_timeout_s: plan.researcher_timeout.as_secs(),
        wall_clock_s: plan.time_budget.as_secs(),
        redispatch_lost: settings.on_lost_child == OnLostChild::Redispatch,
        host: host.as_str().to_owned(),
        parameters: settings.parameters.iter().map(parameter).collect(),
        read_context: Vec::new(),
        allowed_read_roots: settings.allowed_read_roots.clone(),
        forbidden_actions,
    }
}

/// The evaluator's command, where the root measures.
pub fn evaluator(plan: &Plan) -> Option<&plan::Argv> {
    match &plan.success {
        Success::Metric { evaluator, .. } => Evaluator::command(evaluator),
        Success::Criteria(_) => None,
    }
}

/// Which way is better; more is, for scores.
pub fn direction(plan: &Plan) -> Direction {
    match &plan.success {
        Success::Metric {
            direction: plan::Direction::Minimize,
            ..
        } => Direction::Minimize,
        _ => Direction::Maximize,
    }
}

fn success(plan: &Plan) -> charter::Success {
    match &plan.success {
        Success::Metric { name, target, .. } => charter::Success::Metric {
            metric: name.clone(),
            direction: direction(plan),
            target: spelled(target),
            baseline: plan.settings.baseline,
        },
        Success::Criteria(criteria) => charter::Success::Qualitative {
            criteria: criteria.clone(),
        },
    }
}

fn spelled(target: &plan::Target) -> String {
    let number = plan::shortest(target.value);
    let scale = target.scale.map(plan::shortest);
    let scale = scale.map_or_else(String::new, |scale| format!("/{scale}"));
    let unit = target.unit.as_deref().unwrap_or_default();
    format!("{} {number}{scale}{unit}", target.comparator.as_str())
}

fn target(plan: &Plan) -> Option<Target> {
    let Success::Metric { target, .. } = &plan.success else {
        return None;
    };
    let comparator = match target.comparator {
        plan::Comparator::Less => Comparator::Less,
        plan::Comparator::LessOrEqual => Comparator::AtMost,
        plan::Comparator::Greater => Comparator::More,
        plan::Comparator::GreaterOrEqual => Comparator::AtLeast,
        plan::Comparator::Equal => Comparator::Equal,
    };
    let value = target.value;
    Some(Target { comparator, value })
}

fn metric_kind(plan: &Plan) -> MetricKind {
    match &plan.success {
        Success::Metric { kind, .. } => match kind {
            plan::MetricKind::Integer => MetricKind::Integer,
            plan::MetricKind::Percentage => MetricKind::Percentage,
            plan::MetricKind::Float => MetricKind::Float,
        },
        Success::Criteria(_) => MetricKind::Integer,
    }
}

fn focus(plan: &Plan, lane: char) -> String {
    let said = plan.focus.get(&lane).cloned();
    said.unwrap_or_else(|| match plan.strategy {
        Strategy::Free => "the whole search space".to_owned(),
        Strategy::Assigned => "this lane's part of the search space".to_owned(),
    })
}

fn parameter(parameter: &plan::Parameter) -> Parameter {
    let domain = match &parameter.domain {
        plan::Domain::Real { min, max } => Domain::Range {
            min: *min,
            max: *max,
            integer: false,
        },
        // Whole numbers of a plan are those that a double holds exactly.
        plan::Domain::Integer { min, max } => Domain::Range {
            min: *min as f64,
            max: *max as f64,
            integer: true,
        },
        plan::Domain::Choice(choices) => Domain::Choice {
            choices: choices.clone(),
        },
    };
    Parameter {
        name: parameter.name.clone(),
        domain,
    }
}
