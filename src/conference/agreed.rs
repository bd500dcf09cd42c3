//! From what a person wrote and approved to what the round protocol uses.

use std::path::Path;
use std::time::Duration;

use crate::conference::evaluator;
use crate::conference::plan::{
    self, Critic, Evaluator, Host, MetricKind, OnLostChild, Plan, Poster, Strategy, Success,
};
use crate::conference::rounds::terms::Terms;
use crate::engine::charter;
use crate::engine::host::command::command_line;
use crate::engine::id::ConferenceId;
use crate::process::{Shim, environment};

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
        target: target(plan).cloned(),
        metric_kind: metric_kind(plan),
        convergence: settings.convergence.clone(),
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
        pause_every: settings.pause_every,
        host: host.as_str().to_owned(),
        parameters: settings.parameters.clone(),
        read_context: Vec::new(),
        allowed_read_roots: settings.allowed_read_roots.clone(),
        forbidden_actions,
    }
}

/// The terms of a run without receipts: it has no approval, and nobody knows who worked.
pub fn of_old(plan: &Plan) -> Terms {
    let nobody = ConferenceId::of_approval("000000000000");
    let mut terms = terms(plan, nobody, Host::Handoff);
    "unknown".clone_into(&mut terms.host);
    terms
}

/// The evaluator's command, where the root measures.
pub fn evaluator(plan: &Plan) -> Option<&plan::Argv> {
    match &plan.success {
        Success::Metric { evaluator, .. } => Evaluator::command(evaluator),
        Success::Criteria(_) => None,
    }
}

/// The name of the evaluator's file: of its script where it names one, else of its program.
pub fn evaluator_file(plan: &Plan) -> Option<String> {
    let words = evaluator(plan)?.words();
    let is_script = |word: &&String| !word.starts_with('-') && word.contains('.');
    let script = words.iter().skip(1).find(is_script).or(words.first())?;
    let name = Path::new(script).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// What measures in this root: evaluator and guard, as they were approved.
pub fn measures(plan: &Plan, root: &Path) -> Option<evaluator::Evaluator> {
    let argv = evaluator(plan)?;
    let guard = plan.settings.guard.as_ref();
    let Success::Metric {
        target, direction, ..
    } = &plan.success
    else {
        return None;
    };
    Some(evaluator::Evaluator {
        argv: command_line(root, argv.words()),
        guard: guard.map(|guard| command_line(root, guard.words())),
        environment: environment::of_this_process(&plan.settings.pass_environment),
        time: plan.evaluator_timeout().max(Duration::from_millis(1)),
        noise_runs: plan.settings.noise_runs,
        direction: *direction,
        scale: target.scale,
        shim: Shim::default(),
    })
}

/// Metric, direction and target in one line.
pub fn summary(plan: &Plan) -> String {
    match &plan.success {
        Success::Metric {
            name,
            direction,
            target,
            ..
        } => format!(
            "{} {name}, target {} {}",
            direction.as_str(),
            target.comparator.as_str(),
            plan::shortest(target.value)
        ),
        Success::Criteria(_) => "scored by a reviewer".to_owned(),
    }
}

fn success(plan: &Plan) -> charter::Success {
    match &plan.success {
        Success::Metric {
            name,
            target,
            direction,
            ..
        } => charter::Success::Metric {
            metric: name.clone(),
            direction: *direction,
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

fn target(plan: &Plan) -> Option<&plan::Target> {
    match &plan.success {
        Success::Metric { target, .. } => Some(target),
        Success::Criteria(_) => None,
    }
}

/// Scores are whole numbers.
fn metric_kind(plan: &Plan) -> MetricKind {
    match &plan.success {
        Success::Metric { kind, .. } => *kind,
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
