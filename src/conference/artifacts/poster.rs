//! `poster_session_round_N.md`: what the lanes of a round found, side by side, before anybody
//! judged it (conference.md B 2.7).

use super::coverage::{Coverage, absence};
use super::inert::{inert, quoted};
use super::number::{decimal, percent, share};
use super::page::Page;
use super::{best, moments, results};
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::count;
use crate::engine::event::RowStatus;
use crate::engine::id::{Lane, Task};
use crate::engine::packet::{Packet, Status};
use crate::engine::state::State;

/// Iterations of a lane that are looked at, the last.
const LAST: usize = 10;

/// The document.
pub(super) fn write(terms: &Terms, state: &State, round: u32) -> String {
    let mut page = Page::titled(&format!("Poster Session — Round {round}"));
    let child = child(state, round);
    let composer = child.map_or_else(
        || "the root".to_owned(),
        |packet| format!("a child ({})", packet.dispatch_id.call),
    );
    let mode = if terms.is_metric() {
        "metric"
    } else {
        "qualitative"
    };
    page.facts(&[
        ("Date", moments::printed(moments::of_research(state, round))),
        ("Researchers", terms.lanes().count().to_string()),
        ("Mode", mode.to_owned()),
        (
            "Coverage",
            Coverage::of_round(terms, state, round).to_string(),
        ),
        ("Host", super::host(terms, state)),
        ("Composed by", composer),
    ]);
    for lane in terms.lanes() {
        page.section(&format!("Researcher {lane}"));
        of_lane(&mut page, terms, state, round, lane);
        let summary = child.and_then(|poster| summary(poster, round, lane));
        if let Some(summary) = summary {
            page.paragraph(&format!("Summary: {}", quoted(summary)));
        }
    }
    page.section("Round Summary");
    page.facts(&overview(terms, state, round));
    if let Some(poster) = child {
        let parts = [
            ("Agreements", &poster.agreements),
            ("Conflicts", &poster.conflicts),
            ("Missing Evidence", &poster.missing_evidence),
            ("Open Questions", &poster.open_questions),
        ];
        for (heading, said) in parts {
            page.part(heading);
            page.list(
                &said.iter().map(|text| quoted(text)).collect::<Vec<_>>(),
                "None named.",
            );
        }
    }
    page.into_text()
}

/// The packet of the child that composed it.
fn child(state: &State, round: u32) -> Option<&Packet> {
    let (_, accepted) = super::accepted(state, Task::Poster(round))?;
    Some(accepted.packet.as_ref()).filter(|packet| packet.status == Status::Completed)
}

fn summary(poster: &Packet, round: u32, lane: Lane) -> Option<&str> {
    let of = Task::Research(round, lane);
    let found = poster
        .summaries
        .iter()
        .find(|one| one.dispatch_id.task == of);
    found.map(|one| one.summary.as_str())
}

fn of_lane(page: &mut Page, terms: &Terms, state: &State, round: u32, lane: Lane) {
    let focus = terms.focus.get(lane.number()).map_or("", String::as_str);
    let packet = rows::packet(state, round, lane);
    let done = packet.map_or(0, Packet::iterations);
    let label = match terms.is_metric() {
        true => "Best metric this round",
        false => "Self score of 10",
    };
    page.facts(&[
        (
            "Iterations completed",
            format!("{done}/{}", terms.iterations_per_round),
        ),
        ("Status", status(terms, state, round, lane)),
        (label, best_with_delta(terms, state, round, lane)),
        ("Approach", quoted(focus)),
        (
            "Transfer recommendation",
            transfer(state, round, lane).to_owned(),
        ),
    ]);
    let Some(packet) = packet else {
        return;
    };
    page.part("Key Findings");
    let findings = packet.claims_with_ids().map(|(id, claim)| {
        let confidence = confidence(claim.confidence);
        format!("{id} {} ({confidence} confidence)", quoted(&claim.claim))
    });
    page.list(&findings.collect::<Vec<_>>(), "No claim was made.");
    page.part("Notable Failures");
    page.list(&failures(state, round, lane, packet), "None.");
}

pub(super) fn confidence(confidence: crate::engine::packet::Confidence) -> &'static str {
    use crate::engine::packet::Confidence;
    match confidence {
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
    }
}

fn status(terms: &Terms, state: &State, round: u32, lane: Lane) -> String {
    if let Some(why) = absence(state, round, lane) {
        return format!("FAILED ({why})");
    }
    let found = best::of_lane(terms, state, round, lane).filter(|_| terms.is_metric());
    let reaches = found.is_some_and(|best| {
        let target = terms.target.as_ref();
        target.is_some_and(|target| target.is_met_by(best.value))
    });
    let stuck = state.rounds.get(&round).and_then(|at| at.stuck.get(&lane));
    match (reaches, stuck) {
        (true, _) => "target_reached".to_owned(),
        (false, Some(level)) => format!("stalled_L{level}"),
        (false, None) => "completed".to_owned(),
    }
}

fn best_with_delta(terms: &Terms, state: &State, round: u32, lane: Lane) -> String {
    let Some(best) = best::of_lane(terms, state, round, lane) else {
        return "-".to_owned();
    };
    let value = decimal(best.value);
    let start = state.rows.get(&(round, lane, 0)).and_then(|row| row.value);
    let delta = start.map(|start| (best.value - start, start));
    match delta.filter(|(delta, _)| terms.is_metric() && delta.is_finite()) {
        Some((delta, start)) => {
            let share = percent(share(delta, start));
            format!(
                "{value} (iteration {}, delta {}, {share})",
                best.iteration,
                decimal(delta)
            )
        }
        None => value,
    }
}

/// `yes` where a claim rests on a gain, `partial` where claims rest on none, else `no`.
fn transfer(state: &State, round: u32, lane: Lane) -> &'static str {
    let claims = rows::packet(state, round, lane).map_or(&[][..], |packet| &packet.claims);
    let gains = |row: &usize| {
        let iteration = u32::try_from(row + 1).unwrap_or(u32::MAX);
        let row = state.rows.get(&(round, lane, iteration));
        row.is_some_and(|row| row.status == RowStatus::Kept)
    };
    match claims.iter().flat_map(|claim| &claim.rows).any(gains) {
        true => "yes",
        false if claims.is_empty() => "no",
        false => "partial",
    }
}

fn failures(state: &State, round: u32, lane: Lane, packet: &Packet) -> Vec<String> {
    let rows = state.rows.range((round, lane, 1)..=(round, lane, u32::MAX));
    let looked_at = rows.rev().take(LAST).filter_map(|((.., iteration), row)| {
        let tried = results::tried(packet, *iteration as usize - 1).unwrap_or_default();
        let why = match row.status {
            RowStatus::Failed => {
                let key = (packet.dispatch_id.call, iteration - 1);
                let found = state
                    .evaluations
                    .get(&key)
                    .and_then(|one| one.reason.as_deref());
                format!("failed: {}", inert(found.unwrap_or("no value")))
            }
            RowStatus::Reverted => "not better".to_owned(),
            RowStatus::Kept | RowStatus::Baseline => return None,
        };
        Some(format!("Iteration {iteration} {}: {why}", quoted(&tried)))
    });
    let mut failures: Vec<String> = looked_at.collect();
    failures.reverse();
    failures
}

fn overview(terms: &Terms, state: &State, round: u32) -> [(&'static str, String); 4] {
    let all = || {
        let lanes = terms.lanes();
        lanes.filter_map(|lane| best::of_lane(terms, state, round, lane))
    };
    let best = best::of(terms, all());
    let received = |lane: &Lane| rows::packet(state, round, *lane).is_some();
    let kept = |lane: Lane| {
        let rows = state.rows.range((round, lane, 1)..=(round, lane, u32::MAX));
        rows.into_iter()
            .any(|(_, row)| row.status == RowStatus::Kept)
    };
    let lanes: Vec<Lane> = terms.lanes().filter(received).collect();
    let gained = lanes.iter().filter(|lane| kept(**lane)).count();
    let least = all().map(|best| best.value).reduce(f64::min);
    let most = all().map(|best| best.value).reduce(f64::max);
    let spread = least
        .zip(most)
        .map(|(least, most)| format!("lane bests from {} to {}", decimal(least), decimal(most)));
    let candidates: Vec<String> = lanes
        .iter()
        .filter(|lane| transfer(state, round, **lane) != "no")
        .map(|lane| format!("researcher {lane}"))
        .collect();
    let one = "lane improved on where it began";
    let more = "lanes improved on where they began";
    let of = count::of(lanes.len(), one, more);
    let named = match candidates.is_empty() {
        true => "none".to_owned(),
        false => candidates.join(", "),
    };
    [
        (
            "Best overall, not reviewed",
            best.map_or_else(|| "-".to_owned(), |best| best::printed(&best)),
        ),
        ("Consensus direction", format!("{gained} of {of}")),
        ("Divergence", spread.unwrap_or_else(|| "-".to_owned())),
        ("Transfer candidates", named),
    ]
}
