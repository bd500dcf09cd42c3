//! When a conference stops by itself (conference.md A6, B 3.8 and 3.9).

use serde::Serialize;

use super::settings::MetricKind;

/// From which gain on a round has improved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Threshold {
    /// Of the absolute baseline, in percent.
    PercentOfBaseline(f64),
    /// In units of the metric.
    Absolute(f64),
}

impl Threshold {
    /// In units of the metric; a share of an unknown baseline is nothing.
    pub fn in_units(self, baseline: Option<f64>) -> f64 {
        match self {
            Self::Absolute(value) => value,
            Self::PercentOfBaseline(percent) => baseline.unwrap_or(0.0).abs() * percent / 100.0,
        }
    }
}

/// When a conference stops by itself, beside its budgets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Convergence {
    /// So many comparisons of complete rounds without a gain are a plateau.
    pub plateau_window: u32,
    /// `None`: by the kind of the metric (B 3.8).
    pub threshold: Option<Threshold>,
    /// The threshold is never less; finite, not negative.
    pub min_consensus_delta: f64,
    /// The reviewer's score, 1 to 10, that every lane must reach.
    pub qualitative_threshold: u32,
    /// One round with scores of 9 and 10 alone is enough.
    pub early_quality: bool,
}

impl Default for Convergence {
    fn default() -> Self {
        Self {
            plateau_window: 2,
            threshold: None,
            min_consensus_delta: 0.0,
            qualitative_threshold: 8,
            early_quality: false,
        }
    }
}

impl Convergence {
    /// The threshold that holds for this kind of metric.
    pub fn threshold_of(&self, kind: MetricKind) -> Threshold {
        self.threshold.unwrap_or(match kind {
            MetricKind::Integer => Threshold::Absolute(0.0),
            MetricKind::Percentage => Threshold::Absolute(0.1),
            MetricKind::Float => Threshold::PercentOfBaseline(0.1),
        })
    }
}
