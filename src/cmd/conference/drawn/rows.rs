//! The rows of the tables: conditions and totals, in words.

use std::fmt::Display;
use std::time::Duration;

use crate::conference::gate::{Conditions, Totals};
use crate::conference::plan::{
    Critic, Draft, Evaluator, Host, Mode, OnLostChild, PauseEvery, Poster, Strategy, Threshold,
    shortest, written,
};
use crate::count;
use crate::guard::text;

/// What stands for a value that nobody said.
const UNSAID: &str = "not said";

/// What was read, a row each.
pub(super) fn said(conditions: &Conditions) -> Vec<Vec<String>> {
    let draft = &conditions.reading.draft;
    let mut rows = Rows::default();
    rows.add("title", some(&draft.settings.title));
    rows.add("goal", first_line(draft.goal.as_deref()));
    rows.add("mode", draft.mode.as_str());
    match draft.mode {
        Mode::Metric => metric(&mut rows, draft),
        _ => rows.add("criteria", first_line(draft.success_criteria.as_deref())),
    }
    rows.add("lanes", lanes(draft));
    rows.add("rounds", rounds(draft));
    rows.add("time budget", time(draft.time_budget));
    rows.add("lane timeout", time(draft.researcher_timeout));
    if let Some(tokens) = &draft.settings.token_budget {
        rows.add("token budget", &tokens.text);
    }
    if let Some(cost) = &draft.settings.cost_ceiling {
        rows.add(
            "cost ceiling",
            format!("{} {}", shortest(cost.amount), cost.currency),
        );
    }
    rows.add("stops", stops(draft));
    rows.add("host", host(conditions));
    if !draft.settings.allowed_read_roots.is_empty() {
        rows.add("reads", draft.settings.allowed_read_roots.join(", "));
    }
    rows.add("poster", poster(draft));
    rows.add("lost child", lost(draft));
    rows.add("pauses", pauses(draft));
    let grant = conditions
        .approval
        .as_ref()
        .and_then(|approval| approval.grant.as_ref());
    if let Some(grant) = grant {
        rows.add("grant", grant);
    }
    rows.0
}

fn metric(rows: &mut Rows, draft: &Draft) {
    let settings = &draft.settings;
    let direction = draft
        .direction
        .map_or(UNSAID, |direction| direction.as_str());
    let kind = draft
        .metric_kind
        .map_or(String::new(), |kind| format!(", {}", kind.as_str()));
    rows.add(
        "metric",
        format!("{}, {direction}{kind}", or_unsaid(draft.metric.as_deref())),
    );
    let target = draft.target.as_ref().map(|target| {
        let scale = target
            .scale
            .map_or(String::new(), |scale| format!("/{}", shortest(scale)));
        let unit = target
            .unit
            .as_deref()
            .map_or(String::new(), |unit| format!(" {unit}"));
        let (sign, value) = (target.comparator.as_str(), shortest(target.value));
        format!("{sign} {value}{scale}{unit}")
    });
    rows.add("target", or_unsaid(target.as_deref()));
    let is_measured = matches!(draft.evaluator, Some(Evaluator::Command(_)));
    rows.add(
        "baseline",
        match (settings.baseline, is_measured) {
            (Some(value), _) => shortest(value),
            (None, true) => "measured first".to_owned(),
            (None, false) => UNSAID.to_owned(),
        },
    );
    rows.add(
        "evaluator",
        match &draft.evaluator {
            None => UNSAID.to_owned(),
            Some(Evaluator::None) => "none: values stay claims".to_owned(),
            Some(Evaluator::Command(argv)) => {
                format!("{argv}, {} each", times(settings.noise_runs))
            }
        },
    );
    if let Some(guard) = &settings.guard {
        rows.add("guard", guard.to_string());
    }
    if !settings.parameters.is_empty() {
        let names = settings.parameters.iter().map(|one| one.name.as_str());
        rows.add("parameters", names.collect::<Vec<_>>().join(", "));
    }
}

fn lanes(draft: &Draft) -> String {
    let count = draft
        .count
        .map_or(UNSAID.to_owned(), |count| count.to_string());
    let strategy = match draft.strategy {
        Some(Strategy::Assigned) => "assigned",
        Some(Strategy::Free) => "free",
        None => "strategy not said",
    };
    let critic = match draft.critic {
        Some(Critic::Enabled) => "the last one argues against the others",
        Some(Critic::Disabled) => "no critic",
        None => "critic not said",
    };
    format!("{count}, {strategy}, {critic}")
}

fn rounds(draft: &Draft) -> String {
    let rounds = draft
        .max_rounds
        .map_or(UNSAID.to_owned(), |rounds| rounds.to_string());
    let each = draft.iterations_per_round;
    let each = each.map_or(UNSAID.to_owned(), |each| each.to_string());
    format!("{rounds}, iterations of a lane in each: {each}")
}

/// When it stops by itself, beside its budgets.
fn stops(draft: &Draft) -> String {
    let convergence = &draft.settings.convergence;
    let window = convergence.plateau_window;
    if draft.mode != Mode::Metric {
        let score = convergence.qualitative_threshold;
        let early = if convergence.early_quality {
            ", or once at 9"
        } else {
            ""
        };
        let window = count::of(window, "round", "rounds");
        return format!("{window} with a score of {score} for every lane{early}");
    }
    let gain = draft.metric_kind.map(|kind| convergence.threshold_of(kind));
    let gain = match gain {
        None => UNSAID.to_owned(),
        Some(Threshold::Absolute(gain)) => format!("more than {}", shortest(gain)),
        Some(Threshold::PercentOfBaseline(gain)) => {
            format!("more than {} % of the baseline", shortest(gain))
        }
    };
    let delta = convergence.min_consensus_delta;
    let delta = match delta > 0.0 {
        true => format!(", at least {}", shortest(delta)),
        false => String::new(),
    };
    let window = count::of(window, "comparison", "comparisons");
    format!("{window} of rounds without a gain ({gain}{delta})")
}

fn host(conditions: &Conditions) -> String {
    let settings = &conditions.reading.draft.settings;
    let mut text = conditions.host.as_str().to_owned();
    if let Some(argv) = &conditions.command {
        text.push_str(&format!(": {argv}"));
    }
    if conditions.host == Host::Hermes {
        let names: Vec<&str> = settings.toolsets.iter().map(|one| one.as_str()).collect();
        let tools = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        text.push_str(&format!(", tools: {tools}"));
    }
    if !settings.pass_environment.is_empty() {
        text.push_str(&format!(
            ", passes {}",
            settings.pass_environment.join(", ")
        ));
    }
    text
}

fn poster(draft: &Draft) -> &'static str {
    match draft.settings.poster {
        Poster::Root => "composed by the root",
        Poster::Child => "written by a child",
    }
}

fn lost(draft: &Draft) -> &'static str {
    match draft.settings.on_lost_child {
        OnLostChild::Ask => "asks",
        OnLostChild::Redispatch => "is dispatched again while budget is left",
    }
}

fn pauses(draft: &Draft) -> String {
    match draft.settings.pause_every {
        PauseEvery::Never => "none".to_owned(),
        PauseEvery::Rounds(1) => "after every round".to_owned(),
        PauseEvery::Rounds(rounds) => format!("after every {rounds} rounds"),
        PauseEvery::PivotOnly => "when a lane changes its approach".to_owned(),
    }
}

/// What it costs at most, a row each.
pub(super) fn spent(totals: &Totals) -> Vec<Vec<String>> {
    let mut rows = Rows::default();
    let Totals {
        product,
        ceiling,
        effective_rounds,
        iterations,
        calls,
        ..
    } = totals;
    let rounds = count::of(*effective_rounds, "round", "rounds");
    rows.add(
        "iterations",
        format!("{iterations} in {rounds} (ceiling {ceiling}, product {product})"),
    );
    rows.add(
        "calls",
        format!(
            "{}: {} probe, {} research, {} poster, {} review, {} synthesis",
            calls.total, calls.probe, calls.research, calls.poster, calls.review, calls.synthesis
        ),
    );
    let runs = totals.evaluator_runs.map(|runs| runs.to_string());
    let timeout = totals
        .evaluator_timeout
        .filter(|_| totals.evaluator_runs != Some(0));
    let each = timeout.map_or(String::new(), |each| {
        format!(", up to {} each", written(each))
    });
    rows.add(
        "evaluator runs",
        format!("{}{each}", or_unsaid(runs.as_deref())),
    );
    rows.0
}

#[derive(Default)]
struct Rows(Vec<Vec<String>>);

impl Rows {
    fn add(&mut self, name: &str, value: impl Display) {
        let value = text::line(&value.to_string()).into_owned();
        self.0.push(vec![name.to_owned(), value]);
    }
}

fn or_unsaid(text: Option<&str>) -> &str {
    text.unwrap_or(UNSAID)
}

fn some(text: &str) -> &str {
    if text.is_empty() { UNSAID } else { text }
}

fn first_line(text: Option<&str>) -> &str {
    let line = text.and_then(|text| text.lines().next());
    or_unsaid(line)
}

fn time(duration: Option<Duration>) -> String {
    duration.map_or(UNSAID.to_owned(), written)
}

fn times(runs: u32) -> String {
    count::of(runs, "run", "runs")
}
