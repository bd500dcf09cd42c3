//! Shared Knowledge of `conference.md`: what reviews validated, with receipts
//! (conference.md B 1.5, B 3.3).

use super::coverage::Coverage;
use super::inert::quoted;
use super::number::decimal;
use super::page::Page;
use crate::conference::rounds::rows;
use crate::conference::rounds::terms::Terms;
use crate::engine::event::Carried;
use crate::engine::id::Task;
use crate::engine::state::State;

/// Digits of a digest that a person is shown.
const DIGITS: usize = 12;

/// The section: a part a round, numbers that go on from round to round.
pub(super) fn write(terms: &Terms, state: &State) -> String {
    let mut page = Page::new();
    let mut next = 1;
    for round in state.rounds.keys() {
        let of_round = state
            .knowledge
            .iter()
            .filter(|finding| finding.id.call.task.round() == Some(*round));
        let mut findings: Vec<&Carried> = of_round.collect();
        findings.sort_by_key(|finding| finding.id);
        if findings.is_empty() {
            continue;
        }
        page.part(&format!("Round {round} Validated Findings"));
        let coverage = Coverage::of_round(terms, state, *round);
        if coverage.is_partial() {
            page.paragraph(&format!("Coverage {coverage}."));
        }
        let points: Vec<String> = findings
            .iter()
            .map(|finding| point(terms, state, *round, finding))
            .collect();
        page.numbered(next, &points, "");
        next += points.len();
    }
    page.into_text()
}

fn point(terms: &Terms, state: &State, round: u32, finding: &Carried) -> String {
    let id = finding.id;
    let value = rows::value_of_claim(state, id).filter(|_| terms.is_metric());
    let value = value.map_or_else(String::new, |value| format!(" Value {}.", decimal(value)));
    let packet = state.packets.get(&id.call);
    let packet = packet.map_or("-", |accepted| short(&accepted.digest));
    let review = super::accepted(state, Task::Review(round));
    let review = review.map_or("-", |(_, accepted)| short(&accepted.digest));
    let text = quoted(&finding.text);
    format!("**{id}** {text}.{value} Packet `{packet}`, review `{review}`.")
}

/// The beginning of a digest.
pub(super) fn short(digest: &str) -> &str {
    digest.get(..DIGITS).unwrap_or(digest)
}
