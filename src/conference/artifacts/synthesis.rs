//! `synthesis.md`: what the reviews leave standing (conference.md A9.3, B 2.7).
//!
//! Promises: what is called established was validated; without a synthesis packet the root writes
//! it from validated findings, and says so.

use super::coverage::Coverage;
use super::inert::{inert, quoted};
use super::page::Page;
use super::{Edition, best, limitations, moments, report};
use crate::conference::rounds::terms::Terms;
use crate::conference::rounds::{converge, judge};
use crate::count;
use crate::engine::event::Stop;
use crate::engine::id::{ClaimId, Lane, Task};
use crate::engine::packet::{Claim, Packet, Status, Verdict};
use crate::engine::state::State;

/// The document.
pub(super) fn write(terms: &Terms, state: &State, edition: &Edition<'_>, stop: &Stop) -> String {
    let mut page = Page::titled(&format!("Conference Synthesis: {}", inert(edition.title)));
    let packet = packet(state);
    let author = packet.map_or_else(
        || "the root, from validated findings".to_owned(),
        |packet| packet.dispatch_id.call.to_string(),
    );
    let mode = if terms.is_metric() {
        "metric"
    } else {
        "qualitative"
    };
    page.facts(&[
        ("Generated", moments::printed(moments::of_all(state))),
        ("Conference Rounds", state.rounds.len().to_string()),
        ("Researchers", terms.lanes().count().to_string()),
        ("Mode", mode.to_owned()),
        ("Coverage", Coverage::of_all(terms, state).to_string()),
        ("Host", super::host(terms, state)),
        ("Written by", author),
        ("Stop code", report::code(stop).to_owned()),
    ]);
    unified(&mut page, terms, state, packet);
    insights(&mut page, terms, state);
    cross_pollination(&mut page, state);
    verdicts(&mut page, terms, state);
    if let Some(packet) = packet {
        said(&mut page, packet);
    }
    page.section("Open Questions");
    page.list(&uncertainties(state), "None was named.");
    page.section("Recommendations");
    let next = packet.map_or(&[][..], |packet| &packet.next_decisions);
    page.numbered(
        1,
        &next.iter().map(|text| quoted(text)).collect::<Vec<_>>(),
        "None was given.",
    );
    page.section("Limitations");
    let limits = limitations::of(terms, state, edition, stop);
    page.list(&limits, "None is known.");
    page.into_text()
}

/// The synthesis packet, where one was taken that does its work.
pub(super) fn packet(state: &State) -> Option<&Packet> {
    let (_, accepted) = super::accepted(state, Task::Synthesis)?;
    Some(accepted.packet.as_ref()).filter(|packet| packet.status == Status::Completed)
}

/// Every claim of research, in order.
pub(super) fn claims<'a>(
    terms: &'a Terms,
    state: &'a State,
) -> impl Iterator<Item = (ClaimId, Lane, &'a Claim, Option<Verdict>)> {
    let rounds = state.rounds.keys();
    let claims = rounds.flat_map(|round| judge::claims(terms, state, *round));
    claims.map(|(id, lane, _, claim)| {
        let verdict = state.verdicts.get(&id).map(|judged| judged.verdict);
        (id, lane, claim, verdict)
    })
}

fn unified(page: &mut Page, terms: &Terms, state: &State, packet: Option<&Packet>) {
    page.section("Unified Result");
    let best = converge::facts(terms, state).best;
    let best = best.map_or_else(
        || "No reviewed value stands.".to_owned(),
        |best| format!("Best reviewed value: {}.", best::printed(&best)),
    );
    page.paragraph(&best);
    let said = packet.map_or(&[][..], |packet| &packet.claims).iter();
    let said: Vec<String> = said
        .map(|claim| {
            let (text, evidence) = (quoted(&claim.claim), quoted(&claim.evidence));
            let confidence = super::poster::confidence(claim.confidence);
            format!("{text} on {evidence} ({confidence} confidence; nobody reviewed the synthesis)")
        })
        .collect();
    if !said.is_empty() {
        page.part("As the Synthesis Puts It");
        page.list(&said, "");
    }
    page.part("Established");
    let validated =
        claims(terms, state).filter(|(.., verdict)| *verdict == Some(Verdict::Validated));
    let validated: Vec<String> = validated
        .map(|(id, _, claim, _)| format!("{id} {}", quoted(&claim.claim)))
        .collect();
    page.list(&validated, "No finding was validated.");
}

fn insights(page: &mut Page, terms: &Terms, state: &State) {
    page.section("Key Insights by Researcher");
    let row = |lane: Lane| {
        let validated = claims(terms, state)
            .filter(|(_, of, _, verdict)| *of == lane && *verdict == Some(Verdict::Validated));
        let validated: Vec<_> = validated.collect();
        // The last validated finding rests on the most knowledge.
        let finding = validated.last();
        [
            lane.to_string(),
            finding.map_or_else(
                || "-".to_owned(),
                |(id, _, claim, _)| format!("{id} {}", quoted(&claim.claim)),
            ),
            format!("validated findings: {}", validated.len()),
        ]
    };
    let table: Vec<_> = terms.lanes().map(row).collect();
    page.table(["Researcher", "Best Finding", "Contribution"], &table, "");
}

fn cross_pollination(page: &mut Page, state: &State) {
    page.section("Cross-Pollination");
    let rounds = state.rounds.iter().map(|(round, stands)| {
        let count = state
            .knowledge
            .iter()
            .filter(|finding| finding.id.call.task.round() == Some(*round))
            .count();
        match &stands.withheld {
            Some(withheld) => {
                let all = count::of(count + withheld.len(), "finding", "findings");
                format!("Round {round}: {count} of {all} went over to every lane.")
            }
            None => format!("Round {round}: nothing went over; the conference ended before."),
        }
    });
    page.list(&rounds.collect::<Vec<_>>(), "No round was held.");
}

fn verdicts(page: &mut Page, terms: &Terms, state: &State) {
    page.section("Validated vs. Overturned Claims");
    let rows = claims(terms, state).map(|(id, lane, claim, verdict)| {
        let reason = state.verdicts.get(&id).map(|judged| quoted(&judged.reason));
        [
            format!("{id} {}", quoted(&claim.claim)),
            lane.to_string(),
            verdict.map_or("not reviewed", judge::spelled).to_owned(),
            reason.unwrap_or_else(|| "-".to_owned()),
        ]
    });
    let rows: Vec<_> = rows.collect();
    page.table(
        ["Claim", "Researcher", "Verdict", "Reason"],
        &rows,
        "No claim was made.",
    );
}

fn said(page: &mut Page, packet: &Packet) {
    let parts = [
        ("Promising but Unverified", &packet.promising),
        ("Contradictions", &packet.contradictions),
        ("Negative Results", &packet.negative_results),
    ];
    for (heading, said) in parts {
        page.section(heading);
        page.list(
            &said.iter().map(|text| quoted(text)).collect::<Vec<_>>(),
            "None named.",
        );
    }
}

/// What packets do not know, in the order of artifacts.
fn uncertainties(state: &State) -> Vec<String> {
    let mut packets: Vec<_> = state.packets.iter().collect();
    packets.sort_by_key(|(call, _)| super::place(call));
    let said = packets.into_iter().flat_map(|(call, accepted)| {
        let packet = &accepted.packet;
        let said = packet.uncertainties.iter().chain(&packet.open_questions);
        said.map(move |text| format!("{call} {}", quoted(text)))
    });
    said.collect()
}
