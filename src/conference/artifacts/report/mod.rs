//! `final_report.md`: how a conference ended, what it found, and what that does not prove
//! (conference.md B 2.7, B 3.8).
//!
//! Promises: the stop code hides nothing: target, plateau, stall and budget stand beside it.

mod tables;

use super::coverage::Coverage;
use super::inert::{inert, quoted};
use super::number::{decimal, percent, share};
use super::page::Page;
use super::record::Record;
use super::{Edition, best, limitations, moments, results, synthesis};
use crate::conference::relayed::Relayed;
use crate::conference::rounds::converge::{self, Best};
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::count;
use crate::engine::event::{RowStatus, Stop, StopCode};
use crate::engine::packet::Verdict;
use crate::engine::state::State;

/// The document.
pub(super) fn write(terms: &Terms, state: &State, edition: &Edition<'_>, stop: &Stop) -> String {
    let mut page = Page::titled(&format!("Conference Report: {}", inert(edition.title)));
    let reviewed = converge::facts(terms, state).best;
    let records = results::records(terms, state, edition);
    head(&mut page, terms, state, stop, reviewed);
    page.section("Executive Summary");
    page.paragraph(&summary(terms, state, stop, reviewed));
    page.section("Best Result");
    best_result(&mut page, terms, state, &records, reviewed);
    tables::write(&mut page, terms, state, &records, stop);
    page.section("Key Findings");
    page.numbered(1, &key_findings(terms, state), "No finding was validated.");
    page.section("Failed Approaches");
    page.list(&failed(terms, state, &records), "None is known.");
    page.section("Recommendations");
    let next = synthesis::packet(state).map_or(&[][..], |packet| &packet.next_decisions);
    let next: Vec<String> = next.iter().map(|text| quoted(text)).collect();
    page.numbered(1, &next, "None was given.");
    page.section("Limitations");
    let limits = limitations::of(terms, state, edition, stop);
    page.list(&limits, "None is known.");
    page.into_text()
}

/// The stop code as it is spelled everywhere.
pub(super) fn code(stop: &Stop) -> &'static str {
    super::stop_code(stop.stop_code)
}

/// The stop code in the words of a report.
pub(super) fn status(stop: &Stop) -> &'static str {
    match stop.stop_code {
        StopCode::Converged | StopCode::ConvergedPlateau => "converged",
        StopCode::BudgetStop => "budget_stop",
        StopCode::Stalled => "stalled",
        StopCode::Cancelled => "cancelled",
        StopCode::BlockedNoValidPacket
        | StopCode::BlockedMultiAgentUnavailable
        | StopCode::BlockedDispatchReplayConflict => "blocked",
    }
}

fn head(page: &mut Page, terms: &Terms, state: &State, stop: &Stop, reviewed: Option<Best>) {
    let metric = reviewed.map_or_else(|| "-".to_owned(), |best| decimal(best.value));
    let hit = match stop.budget_hit.is_empty() {
        true => "none".to_owned(),
        false => stop
            .budget_hit
            .iter()
            .map(|hit| inert(hit))
            .collect::<Vec<_>>()
            .join(", "),
    };
    page.facts(&[
        ("Generated", moments::printed(moments::of_all(state))),
        (
            "Total Rounds",
            format!("{} of {}", state.rounds.len(), terms.max_rounds),
        ),
        (
            "Total Iterations",
            format!("{} of {}", state.budget.iterations(), terms.ceiling),
        ),
        ("Best Metric", format!("{metric} ({})", best::aim(terms))),
        ("Status", status(stop).to_owned()),
        ("stop_code", code(stop).to_owned()),
        ("target_met", stop.target_met.to_string()),
        ("plateau", stop.plateau.to_string()),
        ("stalled", stop.stalled.to_string()),
        ("budget_hit", hit),
        ("Coverage", Coverage::of_all(terms, state).to_string()),
        ("Host", super::host(terms, state)),
        ("Only relayed by a model", Relayed::of(state).to_string()),
    ]);
}

fn summary(terms: &Terms, state: &State, stop: &Stop, reviewed: Option<Best>) -> String {
    let coverage = Coverage::of_all(terms, state);
    let label = if coverage.is_partial() {
        "Partial result. "
    } else {
        ""
    };
    let reviews = state
        .rounds
        .values()
        .filter(|round| round.reviewed == Some(true))
        .count();
    let validated = state.verdicts.values();
    let validated = validated
        .filter(|judged| judged.verdict == Verdict::Validated)
        .count();
    let target = match stop.target_met {
        true => "The target is met by reviewed evidence.",
        false => "The target is not met by reviewed evidence.",
    };
    let best = reviewed.map_or_else(
        || "No reviewed value stands.".to_owned(),
        |best| format!("The best reviewed value is {}.", best::printed(&best)),
    );
    let rounds = count::of(state.rounds.len(), "round", "rounds");
    let judged = count::of(state.verdicts.len(), "judged claim", "judged claims");
    let validated = count::of(validated, "was", "were");
    format!(
        "{label}Goal: {}. The conference ended with {} after {rounds}, {reviews} reviewed. \
         {target} {best} Of {judged} {validated} validated.",
        quoted(&terms.goal),
        code(stop),
    )
}

fn best_result(
    page: &mut Page,
    terms: &Terms,
    state: &State,
    records: &[Record],
    reviewed: Option<Best>,
) {
    let all = state.rounds.keys().flat_map(|round| {
        let lanes = terms.lanes();
        lanes.filter_map(|lane| best::of_lane(terms, state, *round, lane))
    });
    let found = best::of(terms, all);
    // What a lane says of itself compares with no reviewer's score.
    let found = found.filter(|_| terms.is_metric());
    let not_reviewed = found.filter(|found| {
        reviewed.is_none_or(|best| terms.direction().is_better(found.value, best.value))
    });
    match reviewed {
        Some(best) => page.facts(&reviewed_result(terms, state, records, best)),
        None => page.paragraph("No reviewed value stands."),
    }
    if let Some(found) = not_reviewed {
        let found = best::printed(&found);
        page.paragraph(&format!("Better, but not validated by a review: {found}."));
    }
}

fn reviewed_result(
    terms: &Terms,
    state: &State,
    records: &[Record],
    best: Best,
) -> Vec<(&'static str, String)> {
    let record = records.iter().find(|record| {
        (record.round, record.lane, record.iteration) == (best.round, best.lane, best.iteration)
    });
    let mut facts = vec![
        (
            "Source",
            format!(
                "researcher {}, round {}, iteration {}",
                best.lane, best.round, best.iteration
            ),
        ),
        (
            "Change",
            record.map_or_else(|| "-".to_owned(), |record| quoted(&record.description)),
        ),
        ("Value", decimal(best.value)),
        (
            "Value from",
            record.map_or_else(|| "-".to_owned(), |record| inert(&record.source)),
        ),
    ];
    if let Some(baseline) = rows::baseline(terms, state) {
        let gain = terms.gain(best.value, baseline);
        let share = percent(share(gain, baseline));
        facts.push(("Baseline", decimal(baseline)));
        facts.push(("Improvement", format!("{} ({share})", decimal(gain))));
    }
    facts
}

fn key_findings(terms: &Terms, state: &State) -> Vec<String> {
    let validated = synthesis::claims(terms, state)
        .filter(|(.., verdict)| *verdict == Some(Verdict::Validated));
    let point = validated.map(|(id, _, claim, _)| {
        let confidence = super::poster::confidence(claim.confidence);
        format!("{id} {} ({confidence} confidence)", quoted(&claim.claim))
    });
    point.collect()
}

/// Claims that do not hold, with the reason, and how many iterations brought nothing.
fn failed(terms: &Terms, state: &State, records: &[Record]) -> Vec<String> {
    let refuted = synthesis::claims(terms, state).filter_map(|(id, _, claim, verdict)| {
        let word = match verdict? {
            Verdict::Overturned => "overturned",
            Verdict::Challenged => "challenged",
            Verdict::NeedsReview | Verdict::Validated => return None,
        };
        let reason = &state.verdicts.get(&id)?.reason;
        Some(format!(
            "{id} {} was {word}: {}",
            quoted(&claim.claim),
            quoted(reason)
        ))
    });
    let mut points: Vec<String> = refuted.collect();
    let count = |status| records.iter().filter(|row| row.status == status).count();
    let (reverted, failed) = (count(RowStatus::Reverted), count(RowStatus::Failed));
    if reverted + failed > 0 {
        let reverted = count::of(reverted, "was", "were");
        points.push(format!(
            "Iterations: {reverted} not better, {failed} could not be measured."
        ));
    }
    let negative = synthesis::packet(state).map_or(&[][..], |packet| &packet.negative_results);
    points.extend(negative.iter().map(|text| quoted(text)));
    points
}
