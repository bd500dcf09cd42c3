//! `peer_review_round_N.md`: each claim with its verdict, and what follows from it
//! (conference.md B 2.7, B 3.4).
//!
//! Promises: the verdict lines read back ([`crate::conference::history::reviews`]).

use super::coverage::Coverage;
use super::inert::{inert, quoted};
use super::moments;
use super::number::NONE;
use super::page::Page;
use crate::conference::rounds::judge;
use crate::conference::rounds::receive;
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::engine::id::{ClaimId, Lane, Task};
use crate::engine::packet::{Claim, Judgement, Packet, Verdict};
use crate::engine::state::State;

/// What stands below recommendations that came to nothing.
const NOT_TRANSFERRED: &str =
    "Nothing of this round went over to other lanes: the conference ended before.";

/// A score from which on a lane is good.
const GOOD: u8 = 8;

/// The document.
pub(super) fn write(terms: &Terms, state: &State, round: u32) -> String {
    let mut page = Page::titled(&format!("Peer Review — Round {round}"));
    let review = super::accepted(state, Task::Review(round));
    let review = review.map(|(_, accepted)| accepted.packet.as_ref());
    let reviewer = review.map_or_else(
        || format!("none: {}", why_none(state, round)),
        |packet| packet.dispatch_id.call.to_string(),
    );
    page.facts(&[
        ("Reviewer", reviewer),
        ("Date", moments::printed(moments::of_review(state, round))),
        (
            "Coverage",
            Coverage::of_round(terms, state, round).to_string(),
        ),
        ("Host", super::host(terms, state)),
    ]);
    if review.is_none() {
        page.paragraph("This round is not reviewed: nothing of it goes over to other lanes, and it counts in no window.");
    }
    for (id, lane, _, claim) in judge::claims(terms, state, round) {
        let said = review.and_then(|packet| judgement(packet, id));
        finding(&mut page, state, id, lane, claim, said);
    }
    page.section("Round Verdict Summary");
    let summary: Vec<_> = terms
        .lanes()
        .map(|lane| counts(terms, state, round, lane))
        .collect();
    page.table(
        [
            "Researcher",
            "Findings",
            "Validated",
            "Challenged",
            "Overturned",
            "Needs review",
        ],
        &summary,
        "",
    );
    page.section("Knowledge Transfer Recommendations");
    let validated: Vec<String> = judge::claims(terms, state, round)
        .filter(|(id, ..)| verdict(state, *id) == Some(Verdict::Validated))
        .map(|(id, _, _, claim)| format!("{id} {}", quoted(&claim.claim)))
        .collect();
    page.numbered(1, &validated, "None: no finding was validated.");
    if !validated.is_empty() && !is_transferred(state, round) {
        page.paragraph(NOT_TRANSFERRED);
    }
    if !terms.is_metric() {
        scores(&mut page, terms, state, round, review);
    }
    page.into_text()
}

fn why_none(state: &State, round: u32) -> String {
    let account = state.last_call(Task::Review(round));
    let end = account.and_then(|(_, account)| account.end.as_ref());
    end.map_or_else(
        || "never dispatched".to_owned(),
        |end| inert(&receive::spelled(end)),
    )
}

fn judgement(review: &Packet, id: ClaimId) -> Option<&Judgement> {
    review.verdicts.iter().find(|one| one.claim == id)
}

fn verdict(state: &State, id: ClaimId) -> Option<Verdict> {
    state.verdicts.get(&id).map(|judged| judged.verdict)
}

fn finding(
    page: &mut Page,
    state: &State,
    id: ClaimId,
    lane: Lane,
    claim: &Claim,
    said: Option<&Judgement>,
) {
    page.section(&format!("{id} (Researcher {lane})"));
    let mut facts = vec![
        ("Claim", quoted(&claim.claim)),
        ("Evidence", quoted(&claim.evidence)),
    ];
    if let Some(judged) = state.verdicts.get(&id) {
        facts.push(("Verdict", judge::spelled(judged.verdict).to_owned()));
        facts.push(("Judged by", inert(&judged.by)));
        facts.push(("Reasoning", quoted(&judged.reason)));
    }
    if let Some(said) = said {
        let confidence = super::poster::confidence(said.confidence);
        let evidence = quoted(&said.evidence);
        facts.push((
            "Evidence of the review",
            format!("{evidence} ({confidence} confidence)"),
        ));
        // The root challenged what the reviewer held: both stand here.
        if verdict(state, id) != Some(said.verdict) {
            let held = judge::spelled(said.verdict);
            facts.push((
                "The reviewer said",
                format!("{held}, {}", quoted(&said.reason)),
            ));
        }
    }
    let is_transferred = is_transferred(state, id.call.task.round().unwrap_or_default());
    let action = action(verdict(state, id), is_transferred);
    facts.push(("Action", action.to_owned()));
    page.facts(&facts);
}

/// Whether findings went over. A page is written once they did, or when the conference ended before.
fn is_transferred(state: &State, round: u32) -> bool {
    let round = state.rounds.get(&round);
    round.is_some_and(|round| round.withheld.is_some())
}

fn action(verdict: Option<Verdict>, is_transferred: bool) -> &'static str {
    match verdict {
        Some(Verdict::Validated) if !is_transferred => {
            "went over to no lane; the conference ended before"
        }
        Some(Verdict::Validated) => "goes over to every lane",
        Some(Verdict::Challenged) => "withheld; wants more evidence",
        Some(Verdict::Overturned) => "withheld; does not hold",
        Some(Verdict::NeedsReview) => "withheld; the reviewer could not tell",
        None => "withheld; not reviewed",
    }
}

/// Verdicts of a lane's claims in a round: all, and by verdict.
pub(super) fn tally(terms: &Terms, state: &State, round: u32, lane: Option<Lane>) -> [usize; 5] {
    let claims = judge::claims(terms, state, round);
    let claims = claims.filter(|(_, of, ..)| lane.is_none_or(|lane| lane == *of));
    let mut tally = [0; 5];
    for (id, ..) in claims {
        tally[0] += 1;
        match verdict(state, id) {
            Some(Verdict::Validated) => tally[1] += 1,
            Some(Verdict::Challenged) => tally[2] += 1,
            Some(Verdict::Overturned) => tally[3] += 1,
            Some(Verdict::NeedsReview) => tally[4] += 1,
            None => {}
        }
    }
    tally
}

fn counts(terms: &Terms, state: &State, round: u32, lane: Lane) -> [String; 6] {
    let [all, validated, challenged, overturned, needs_review] =
        tally(terms, state, round, Some(lane)).map(|count| count.to_string());
    [
        lane.to_string(),
        all,
        validated,
        challenged,
        overturned,
        needs_review,
    ]
}

fn scores(page: &mut Page, terms: &Terms, state: &State, round: u32, review: Option<&Packet>) {
    page.section("Qualitative Scores");
    let given = |lane| rows::score(state, round, lane);
    let out_of =
        |score: Option<u8>| score.map_or_else(|| NONE.to_owned(), |score| score.to_string());
    let notes = |lane| {
        let scores = review.map_or(&[][..], |packet| &packet.scores);
        let found = scores.iter().find(|score| score.lane == lane);
        found.map_or_else(|| NONE.to_owned(), |score| quoted(&score.notes))
    };
    let row = |lane: Lane| {
        let own = rows::packet(state, round, lane).and_then(|packet| packet.self_score);
        [
            lane.to_string(),
            out_of(own),
            out_of(given(lane)),
            notes(lane),
        ]
    };
    let table: Vec<_> = terms.lanes().map(row).collect();
    let headings = [
        "Researcher",
        "Self-Assessed Score",
        "Reviewer Score",
        "Notes",
    ];
    page.table(headings, &table, "");
    let good = terms
        .lanes()
        .all(|lane| given(lane).is_some_and(|score| score >= GOOD));
    let answer = if good { "yes" } else { "no" };
    page.facts(&[("Every researcher at 8/10 or more", answer.to_owned())]);
}
