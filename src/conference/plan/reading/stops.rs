//! When it stops by itself: noise, thresholds, windows.

use super::super::convergence::{Convergence, Threshold};
use super::super::draft::Draft;
use super::super::fault::quoted;
use super::super::key::Key;
use super::super::reader::Reader;

use super::super::value::{number, word};

/// Scores go from 1 to 10.
const BEST_SCORE: u32 = 10;

const SWITCH: [(&str, bool); 2] = [("enabled", true), ("disabled", false)];

pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft) {
    let usual = Convergence::default();
    let positive = |text: &str| number::positive(text, u32::MAX);
    draft.settings.noise_runs = reader.may(Key::NoiseRuns, positive).unwrap_or(1);
    let window = reader.may(Key::PlateauWindow, positive);
    let threshold = reader.may(Key::Threshold, threshold);
    let delta = reader.may(Key::MinConsensusDelta, not_negative);
    let score = reader.may(Key::QualitativeThreshold, |text| {
        number::positive(text, BEST_SCORE)
    });
    let early = reader.may(Key::EarlyQuality, |text| word::choose(text, &SWITCH));
    draft.settings.convergence = Convergence {
        plateau_window: window.unwrap_or(usual.plateau_window),
        threshold,
        min_consensus_delta: delta.unwrap_or(usual.min_consensus_delta),
        qualitative_threshold: score.unwrap_or(usual.qualitative_threshold),
        early_quality: early.unwrap_or(usual.early_quality),
    };
}

fn not_negative(text: &str) -> Result<f64, String> {
    let value = number::decimal(text)?;
    match value >= 0.0 {
        true => Ok(value),
        false => Err(format!("{} is less than nothing", quoted(text))),
    }
}

/// `0.5%` is of the baseline, a bare number in units of the metric.
fn threshold(text: &str) -> Result<Threshold, String> {
    match text.strip_suffix('%') {
        Some(number) => not_negative(number.trim_end()).map(Threshold::PercentOfBaseline),
        None => not_negative(text).map(Threshold::Absolute),
    }
}
