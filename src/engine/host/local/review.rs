//! What the reviewer of `local` says of a claim, from what it measured again (conference.md A4).
//!
//! Promises: only a value that came again is validated; a claim is overturned only where every
//! run speaks against it; without a run nothing is validated.

use crate::count;
use crate::engine::charter::Direction;
use crate::engine::id::ClaimId;
use crate::engine::packet::{Confidence, Judgement, Verdict};

/// So many spreads apart, two values are two.
const SPREADS: f64 = 3.0;
/// Runs from which on their own spread is believed.
const ENOUGH: usize = 3;
/// Runs that the evidence lists.
const LISTED: usize = 16;

/// A claimed value and what was measured again at its point.
#[derive(Debug, Clone, PartialEq)]
pub struct Remeasured {
    /// Which way is better.
    pub direction: Direction,
    /// What the claim says.
    pub claimed: f64,
    /// What the claim is to be better than: the baseline, or the best validated before. `None`
    /// where there is neither.
    pub before: Option<f64>,
    /// Runs of the review, in order; `None` for one that failed.
    pub again: Vec<Option<f64>>,
    /// Greatest minus least of the noise runs that the claim rests on.
    pub spread: f64,
    /// The least difference that counts, by the metric's type.
    pub threshold: f64,
}

/// The judgement of a claim.
pub fn judge(claim: ClaimId, measured: &Remeasured) -> Judgement {
    let runs = measured.runs();
    let (verdict, reason) = measured.verdict(&runs);
    Judgement {
        claim,
        verdict,
        reason,
        evidence: measured.evidence(),
        confidence: sure(&runs),
    }
}

impl Remeasured {
    /// What was measured again, in ascending order.
    fn runs(&self) -> Vec<f64> {
        let mut runs: Vec<f64> = self.again.iter().flatten().copied().collect();
        runs.retain(|run| run.is_finite());
        runs.sort_by(f64::total_cmp);
        runs
    }

    fn verdict(&self, runs: &[f64]) -> (Verdict, String) {
        let failed = self.again.len() - runs.len();
        let Some(median) = median(runs) else {
            return self.without_runs();
        };
        if !self.claimed.is_finite() {
            return (Verdict::Overturned, "the claim is no number".to_owned());
        }
        if failed > 0 {
            let all = count::of(self.again.len(), "run", "runs");
            let reason = format!("{failed} of {all} failed");
            return (Verdict::Challenged, reason);
        }
        self.not_again(runs, median)
            .or_else(|| self.no_gain(runs, median))
            .unwrap_or_else(|| self.validated(runs, median))
    }

    fn without_runs(&self) -> (Verdict, String) {
        if self.again.is_empty() {
            return (Verdict::Challenged, "nothing was measured again".to_owned());
        }
        let all = count::of(self.again.len(), "run", "runs");
        let reason = format!("{all}, and none gave a value");
        (Verdict::Overturned, reason)
    }

    /// The value does not come again.
    fn not_again(&self, runs: &[f64], median: f64) -> Option<(Verdict, String)> {
        let (near, far) = self.tolerances(runs);
        let difference = (self.claimed - median).abs();
        if difference <= near {
            return None;
        }
        let is_refuted = runs.iter().all(|run| self.flattery(*run) > far);
        let verdict = if is_refuted {
            Verdict::Overturned
        } else {
            Verdict::Challenged
        };
        let reason = format!(
            "the median {} differs from the claimed {} by {}; by noise it would by at most {}",
            number(median),
            number(self.claimed),
            about(difference),
            about(if is_refuted { far } else { near }),
        );
        Some((verdict, reason))
    }

    /// The value comes again, near enough, and yet nothing is gained.
    fn no_gain(&self, runs: &[f64], median: f64) -> Option<(Verdict, String)> {
        let before = self.before.filter(|before| before.is_finite())?;
        let is_gain = |value: f64| self.direction.is_better(value, before);
        if !is_gain(self.claimed) || is_gain(median) {
            return None;
        }
        let gains = runs.iter().filter(|run| is_gain(**run)).count();
        let verdict = if gains == 0 {
            Verdict::Overturned
        } else {
            Verdict::Challenged
        };
        let reason = format!(
            "{gains} of {} better than {} before",
            count::of(runs.len(), "run is", "runs are"),
            number(before)
        );
        Some((verdict, reason))
    }

    fn validated(&self, runs: &[f64], median: f64) -> (Verdict, String) {
        let (near, _) = self.tolerances(runs);
        let reason = format!(
            "the median {} of {} lies within {} of the claimed {}",
            number(median),
            count::of(runs.len(), "run", "runs"),
            about(near),
            number(self.claimed),
        );
        (Verdict::Validated, reason)
    }

    /// Within the first a value came again; beyond the second it certainly did not. The noise of
    /// the review counts, for the claim's own runs may be those that were lucky.
    fn tolerances(&self, runs: &[f64]) -> (f64, f64) {
        let tolerance = |spread: f64| (SPREADS * spread).max(self.threshold).max(0.0);
        let (own, both) = (spread(runs), spread(runs).max(self.spread));
        (
            tolerance(if runs.len() < ENOUGH { both } else { own }),
            tolerance(both),
        )
    }

    /// By how much the claim is better than a run.
    fn flattery(&self, run: f64) -> f64 {
        match self.direction {
            Direction::Maximize => self.claimed - run,
            Direction::Minimize => run - self.claimed,
        }
    }

    fn evidence(&self) -> String {
        if self.again.is_empty() {
            return "no run".to_owned();
        }
        let run = |run: &Option<f64>| run.map_or_else(|| "failed".to_owned(), number);
        let mut listed: Vec<String> = self.again.iter().take(LISTED).map(run).collect();
        if self.again.len() > LISTED {
            listed.push("…".to_owned());
        }
        format!("measured again: {}", listed.join(", "))
    }
}

/// Greatest minus least of sorted runs.
fn spread(runs: &[f64]) -> f64 {
    let ends = runs.first().zip(runs.last());
    ends.map_or(0.0, |(least, greatest)| greatest - least)
}

fn sure(runs: &[f64]) -> Confidence {
    match runs.len() {
        0 | 1 => Confidence::Low,
        2..ENOUGH => Confidence::Medium,
        _ => Confidence::High,
    }
}

/// Of sorted runs.
fn median(runs: &[f64]) -> Option<f64> {
    let upper = runs.get(runs.len() / 2)?;
    let lower = runs.get((runs.len() - 1) / 2)?;
    Some(lower / 2.0 + upper / 2.0)
}

/// What was computed, to six digits: those behind them are of the arithmetic, not of the figures.
fn about(value: f64) -> String {
    let rounded = format!("{value:.5e}").parse();
    number(rounded.unwrap_or(value))
}

/// The shortest decimal that reads back to the same value.
fn number(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-6..1e17).contains(&value.abs());
    if is_plain {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}
