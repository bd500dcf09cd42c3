//! The keys of fields: where they stand, how they are labelled, which rule their values break
//! (conference.md B 1.2, A9.6, A10.1).

use super::document::{Part, folded};
use super::fault::Rule;

/// What a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    Mode,
    Metric,
    Target,
    Direction,
    Evaluator,
    Baseline,
    Count,
    IterationsPerRound,
    MaxRounds,
    Poster,
    SuccessDefinition,
    Critic,
    Confirmation,
    AllowedChanges,
    ForbiddenChanges,
    AllowedReadRoots,
    ForbiddenRoots,
    Strategy,
    Guard,
    NoiseRuns,
    MinConsensusDelta,
    PlateauWindow,
    Threshold,
    QualitativeThreshold,
    EarlyQuality,
    MaxTotalIterations,
    TimeBudget,
    TokenBudget,
    CostCeiling,
    ResearcherTimeout,
    PauseEvery,
    OnLostChild,
    EvaluatorTimeout,
    EvaluatorSlots,
    Host,
    Command,
    Toolsets,
    PassEnvironment,
}

/// Where fields stand and how they are labelled, folded. The first row of a key is its home and
/// the spelling in messages; the others are further labels, and mirrors in other sections.
const FIELDS: [(Key, Part, &str); 48] = [
    (Key::Mode, Part::Mode, "mode"),
    (Key::Metric, Part::SuccessMetric, "metric"),
    (Key::Metric, Part::SuccessMetric, "name"),
    (Key::Target, Part::SuccessMetric, "target"),
    (Key::Direction, Part::SuccessMetric, "direction"),
    (Key::Evaluator, Part::SuccessMetric, "evaluator"),
    (Key::Baseline, Part::SuccessMetric, "baseline"),
    (Key::Count, Part::Researchers, "count"),
    (Key::Count, Part::Gate, "researcher count"),
    (
        Key::IterationsPerRound,
        Part::Researchers,
        "iterations per round",
    ),
    (Key::IterationsPerRound, Part::Gate, "iterations per round"),
    (Key::MaxRounds, Part::Researchers, "max rounds"),
    (Key::MaxRounds, Part::Constraints, "max rounds"),
    (Key::MaxRounds, Part::Gate, "max rounds"),
    (Key::Poster, Part::Researchers, "poster"),
    (Key::SuccessDefinition, Part::Gate, "success definition"),
    (Key::Critic, Part::Gate, "critic"),
    (Key::Critic, Part::Gate, "critic / devil's advocate"),
    (Key::Critic, Part::Gate, "devil's advocate"),
    (Key::Confirmation, Part::Gate, "final confirmation"),
    (Key::AllowedChanges, Part::SearchSpace, "allowed changes"),
    (
        Key::ForbiddenChanges,
        Part::SearchSpace,
        "forbidden changes",
    ),
    (
        Key::AllowedReadRoots,
        Part::SearchSpace,
        "allowed read roots",
    ),
    (Key::AllowedReadRoots, Part::SearchSpace, "allowed roots"),
    (Key::ForbiddenRoots, Part::SearchSpace, "forbidden roots"),
    (Key::Strategy, Part::Partitioning, "strategy"),
    (Key::Guard, Part::Guard, "guard"),
    (Key::NoiseRuns, Part::Noise, "noise runs"),
    (Key::MinConsensusDelta, Part::Noise, "min consensus delta"),
    (
        Key::MinConsensusDelta,
        Part::Convergence,
        "min consensus delta",
    ),
    (Key::PlateauWindow, Part::Convergence, "plateau window"),
    (Key::Threshold, Part::Convergence, "threshold"),
    (
        Key::QualitativeThreshold,
        Part::Convergence,
        "qualitative threshold",
    ),
    (Key::EarlyQuality, Part::Convergence, "early quality"),
    (
        Key::MaxTotalIterations,
        Part::Constraints,
        "max total iterations",
    ),
    (Key::MaxTotalIterations, Part::Gate, "max total iterations"),
    (Key::TimeBudget, Part::Constraints, "time budget"),
    (Key::TokenBudget, Part::Constraints, "token budget"),
    (Key::CostCeiling, Part::Constraints, "cost ceiling"),
    (
        Key::ResearcherTimeout,
        Part::Constraints,
        "researcher timeout",
    ),
    (Key::PauseEvery, Part::Constraints, "pause every"),
    (Key::OnLostChild, Part::Constraints, "on lost child"),
    (
        Key::EvaluatorTimeout,
        Part::Constraints,
        "evaluator timeout",
    ),
    (Key::EvaluatorSlots, Part::Constraints, "evaluator slots"),
    (Key::Host, Part::Host, "host"),
    (Key::Command, Part::Host, "command"),
    (Key::Toolsets, Part::Host, "toolsets"),
    (Key::PassEnvironment, Part::Host, "pass environment"),
];

impl Key {
    /// What a label says in a section; a mirror is told by its section.
    pub(super) fn of(part: Part, label: &str) -> Option<Self> {
        let label = folded(label);
        let mut rows = FIELDS.iter();
        let row = rows.find(|(_, home, name)| *home == part && *name == label);
        row.map(|(key, ..)| *key)
    }

    /// What a label says in the section that it belongs into.
    pub(super) fn at_home(label: &str) -> Option<Self> {
        let label = folded(label);
        let mut rows = FIELDS.iter();
        let row = rows.find(|(key, part, name)| *part == key.part() && *name == label);
        row.map(|(key, ..)| *key)
    }

    /// Its spelling in messages.
    pub(super) fn label(self) -> String {
        if self == Self::PauseEvery {
            return "pause_every".to_owned();
        }
        let mut letters = self.home().1.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    }

    /// The section that holds it.
    pub(super) fn part(self) -> Part {
        self.home().0
    }

    fn home(self) -> (Part, &'static str) {
        let row = FIELDS.iter().find(|(key, ..)| *key == self);
        row.map_or((Part::Other, ""), |(_, part, label)| (*part, *label))
    }

    /// The rule that a value breaks which cannot be one (A9.6).
    pub(super) fn rule_of_values(self) -> Rule {
        match self {
            Self::Target | Self::Direction => Rule::V12,
            Self::Baseline
            | Self::Count
            | Self::IterationsPerRound
            | Self::MaxRounds
            | Self::NoiseRuns
            | Self::MinConsensusDelta
            | Self::PlateauWindow
            | Self::Threshold
            | Self::QualitativeThreshold
            | Self::MaxTotalIterations
            | Self::TimeBudget
            | Self::TokenBudget
            | Self::CostCeiling
            | Self::ResearcherTimeout
            | Self::EvaluatorTimeout
            | Self::EvaluatorSlots => Rule::V3,
            _ => Rule::V1,
        }
    }

    /// The rule that is broken where it is missing.
    pub(super) fn rule_of_absence(self) -> Rule {
        match self {
            Self::Metric | Self::Target | Self::Direction => Rule::V2,
            _ => Rule::V1,
        }
    }

    /// Its value may go on in indented lines; those of other fields are prose.
    pub(super) fn is_text(self) -> bool {
        matches!(
            self,
            Self::SuccessDefinition
                | Self::AllowedChanges
                | Self::ForbiddenChanges
                | Self::AllowedReadRoots
                | Self::ForbiddenRoots
        )
    }
}
