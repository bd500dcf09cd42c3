//! What success is: metric, target, direction, evaluator and baseline, or criteria.

use super::super::document::Part;
use super::super::draft::{Draft, Evaluator};
use super::super::fault::{Rule, Severity};
use super::super::key::Key;
use super::super::reader::Reader;
use super::super::settings::{MetricKind, Mode};
use super::super::value::argv::Argv;
use super::super::value::target::{Direction, Expression, Quantity};
use super::super::value::word;

const DIRECTIONS: [(&str, Direction); 2] = [
    ("maximize", Direction::Maximize),
    ("minimize", Direction::Minimize),
];

pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft) {
    match draft.mode {
        Mode::Metric => metric(reader, draft),
        _ => draft.success_criteria = reader.need_text(Part::SuccessCriteria, Rule::V2),
    }
}

fn metric(reader: &mut Reader<'_>, draft: &mut Draft) {
    draft.metric = reader.need(Key::Metric, |text| Ok(text.to_owned()));
    draft.direction = reader.need(Key::Direction, |text| word::choose(text, &DIRECTIONS));
    let target = reader.need(Key::Target, Expression::parse);
    draft.evaluator = reader.need(Key::Evaluator, evaluator);
    let baseline = baseline(reader, draft);
    if let Some(target) = target {
        units(reader, &target, baseline.as_ref());
        draft.metric_kind = Some(kind(draft.metric.as_deref(), &target, baseline.as_ref()));
        draft.target = draft.direction.and_then(|direction| {
            let directed = target.directed(direction);
            directed
                .map_err(|why| reader.fault(Rule::V12, Severity::Error, Key::Target, why))
                .ok()
        });
    }
    draft.settings.baseline = baseline.map(|baseline| baseline.value);
    if let Some(Evaluator::Command(argv)) = &draft.evaluator {
        operator(reader, Key::Evaluator, argv);
    }
}

fn evaluator(text: &str) -> Result<Evaluator, String> {
    match text.eq_ignore_ascii_case("none") {
        true => Ok(Evaluator::None),
        false => Argv::parse(text).map(Evaluator::Command),
    }
}

/// `none`, or nothing at all, leaves it to the root to measure.
fn baseline(reader: &mut Reader<'_>, draft: &Draft) -> Option<Quantity> {
    let faults = reader.faults.len();
    let said = reader.may(Key::Baseline, |text| {
        match text.eq_ignore_ascii_case("none") {
            true => Ok(None),
            false => Quantity::parse(text).map(Some),
        }
    });
    let baseline = said.flatten();
    let is_unmeasured = baseline.is_none() && draft.evaluator == Some(Evaluator::None);
    if is_unmeasured && reader.faults.len() == faults {
        let text = "is missing, and there is no evaluator to measure it: any gain counts";
        reader.fault(Rule::V1, Severity::Warning, Key::Baseline, text);
    }
    baseline
}

/// `2400 ms` is no baseline for a target in seconds.
fn units(reader: &mut Reader<'_>, target: &Expression, baseline: Option<&Quantity>) {
    let baseline = baseline.and_then(|baseline| baseline.unit.as_deref());
    if let (Some(one), Some(other)) = (baseline, target.quantity.unit.as_deref())
        && one != other
    {
        let text = format!("is in `{one}`, but the target is in `{other}`");
        reader.fault(Rule::V12, Severity::Error, Key::Baseline, text);
    }
}

/// From the spelling of baseline and target, and a scale to 100 in the metric's name (B 3.8).
fn kind(name: Option<&str>, target: &Expression, baseline: Option<&Quantity>) -> MetricKind {
    let scaled = |name: &str| name.contains("0-100") || name.contains("0\u{2013}100");
    let in_percent = baseline.is_some_and(|baseline| baseline.unit.as_deref() == Some("%"));
    if target.is_percentage() || in_percent || name.is_some_and(scaled) {
        return MetricKind::Percentage;
    }
    let whole = |quantity: &Quantity| quantity.is_integer;
    match whole(&target.quantity) && baseline.is_none_or(whole) {
        true => MetricKind::Integer,
        false => MetricKind::Float,
    }
}

/// A sign that only a shell would act on is passed to the program as a word.
pub(super) fn operator(reader: &mut Reader<'_>, key: Key, argv: &Argv) {
    if let Some(sign) = argv.operator() {
        let text = format!("no shell runs it: `{sign}` is passed on as a word");
        reader.fault(Rule::V1, Severity::Warning, key, text);
    }
}
