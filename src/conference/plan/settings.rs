//! What has a safe default (conference.md A3), and the words that fields may say.

use std::time::Duration;

use serde::Serialize;

use super::convergence::Convergence;
use super::value::argv::Argv;
use super::value::cost::{Cost, TokenBudget};
use super::value::duration::as_seconds;
use super::value::parameter::Parameter;

/// The protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Rounds towards a metric.
    #[default]
    Metric,
    /// Rounds towards criteria that a reviewer scores.
    Qualitative,
    /// Two positions against each other.
    Debate,
    /// Sources, partitioned among the lanes.
    Survey,
    /// Hypotheses in pairs.
    Tournament,
}

impl Mode {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Qualitative => "qualitative",
            Self::Debate => "debate",
            Self::Survey => "survey",
            Self::Tournament => "tournament",
        }
    }
}

/// What kind of number the metric is; decides from which gain on a round has improved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricKind {
    /// Whole numbers: any gain counts.
    Integer,
    /// Percent, or a scale to 100: a gain of more than 0.1.
    Percentage,
    /// Any other: a gain of more than 0.1 % of the baseline.
    Float,
}

impl MetricKind {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Percentage => "percentage",
            Self::Float => "float",
        }
    }
}

/// Who may look where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// Each lane has its focus.
    Assigned,
    /// Every lane looks everywhere.
    Free,
}

/// Whether the last lane argues against the consensus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Critic {
    /// It does.
    Enabled,
    /// It does not.
    Disabled,
}

/// Who writes the poster of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Poster {
    /// The root, from the accepted packets.
    #[default]
    Root,
    /// A child of its own.
    Child,
}

/// What becomes of a child whose process is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnLostChild {
    /// `resume` asks.
    #[default]
    Ask,
    /// A replacement is dispatched while budget is left.
    Redispatch,
}

/// When a person is asked between rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseEvery {
    /// Never.
    #[default]
    Never,
    /// After so many rounds; at least 1.
    Rounds(u32),
    /// When a lane changes its approach.
    PivotOnly,
}

/// Which way children are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    /// One Hermes process a charter.
    Hermes,
    /// Any program that speaks charters and packets.
    Command,
    /// The embedded search strategies.
    Local,
    /// The packets of an earlier run.
    Recorded,
    /// The session that calls `next` and `receive`.
    Handoff,
}

impl Host {
    /// The host with this spelling.
    pub fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Hermes,
            Self::Command,
            Self::Local,
            Self::Recorded,
            Self::Handoff,
        ];
        all.into_iter().find(|host| host.as_str() == name)
    }

    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hermes => "hermes",
            Self::Command => "command",
            Self::Local => "local",
            Self::Recorded => "recorded",
            Self::Handoff => "handoff",
        }
    }
}

/// A toolset that a child may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Toolset {
    /// Searching in files that the host chooses.
    Search,
    /// The web.
    Web,
}

impl Toolset {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Web => "web",
        }
    }
}

/// What has a safe default.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The title; by default the first words of the goal.
    pub title: String,
    /// What success is, in words.
    pub success_definition: Option<String>,
    /// What may be changed; by default what the goal says.
    pub allowed_changes: Option<String>,
    /// What may not.
    pub forbidden_changes: Option<String>,
    /// Paths whose files may be quoted to children.
    pub allowed_read_roots: Vec<String>,
    /// Paths that may not.
    pub forbidden_roots: Vec<String>,
    /// What a candidate may be, in the order of the document; names are unique.
    pub parameters: Vec<Parameter>,
    /// Runs after each evaluation.
    pub guard: Option<Argv>,
    /// The baseline; `None` is measured by the root where there is an evaluator.
    pub baseline: Option<f64>,
    /// Repeats of each evaluation; at least 1.
    pub noise_runs: u32,
    /// When to stop.
    pub convergence: Convergence,
    /// Who writes the poster.
    pub poster: Poster,
    /// A ceiling of tokens.
    pub token_budget: Option<TokenBudget>,
    /// A ceiling of cost.
    pub cost_ceiling: Option<Cost>,
    /// When a person is asked between rounds.
    pub pause_every: PauseEvery,
    /// What becomes of a lost child.
    pub on_lost_child: OnLostChild,
    /// `None`: the researcher timeout divided by the iterations.
    #[serde(serialize_with = "as_seconds")]
    pub evaluator_timeout: Option<Duration>,
    /// Evaluations at the same time; at least 1.
    pub evaluator_slots: u32,
    /// The host; `None` is the default, `hermes`.
    pub host: Option<Host>,
    /// The program of the host `command`.
    pub command: Option<Argv>,
    /// Sorted, without repeats.
    pub toolsets: Vec<Toolset>,
    /// Names of environment variables that children get; sorted, without repeats.
    pub pass_environment: Vec<String>,
    /// The categories of a survey.
    pub taxonomy: Vec<String>,
    /// What is done now.
    pub current_approach: Option<String>,
    /// Further context.
    pub context: Option<String>,
    /// What to tidy up at the end.
    pub cleanup: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            title: String::new(),
            success_definition: None,
            allowed_changes: None,
            forbidden_changes: None,
            allowed_read_roots: Vec::new(),
            forbidden_roots: Vec::new(),
            parameters: Vec::new(),
            guard: None,
            baseline: None,
            noise_runs: 1,
            convergence: Convergence::default(),
            poster: Poster::default(),
            token_budget: None,
            cost_ceiling: None,
            pause_every: PauseEvery::default(),
            on_lost_child: OnLostChild::default(),
            evaluator_timeout: None,
            evaluator_slots: 1,
            host: None,
            command: None,
            toolsets: Vec::new(),
            pass_environment: Vec::new(),
            taxonomy: Vec::new(),
            current_approach: None,
            context: None,
            cleanup: None,
        }
    }
}
