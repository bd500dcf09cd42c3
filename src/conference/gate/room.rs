//! Whether what every child is told leaves room in its charter (conference.md A2): goal, criteria
//! and focus are never cut.
//!
//! Promises: what passes leaves a reviewer at least half of its charter for claims.

use crate::conference::agreed;
use crate::conference::plan::{Host, Part, Plan, Reading, Rule, Severity, Success};
use crate::conference::rounds::charters::{self, charter};
use crate::conference::rounds::terms::Terms;
use crate::count;
use crate::engine::charter::MAX_BYTES;
use crate::engine::id::{Call, ConferenceId, Task};
use crate::engine::state::State;

/// Bytes that numbers may grow by from the first round to the last.
const GROWTH: usize = 1 << 10;

/// V3 at the longest text where a charter has no room.
pub(super) fn check(reading: &mut Reading, host: Host) {
    let Some(plan) = &reading.plan else {
        return;
    };
    let nobody = ConferenceId::of_approval("000000000000");
    let terms = agreed::terms(plan, nobody, host);
    let lanes = terms.lanes().zip('A'..);
    let lanes = lanes.map(|(lane, name)| (Task::Research(1, lane), Some(name), MAX_BYTES - GROWTH));
    let others = [Task::Review(1), Task::Synthesis];
    let others = others.map(|task| (task, None, charters::ROOM_BESIDE_CLAIMS));
    let mut fullest = lanes.chain(others).filter_map(|(task, lane, room)| {
        let bytes = least(&terms, task);
        (bytes > room).then_some((lane, bytes, room))
    });
    let Some((lane, bytes, room)) = fullest.next() else {
        return;
    };
    let part = longest(plan, lane);
    let bytes = count::of(bytes, "byte", "bytes");
    let text = format!("makes a charter of {bytes}, and at most {room} have room");
    reading.add_of(Rule::V3, Severity::Error, part, text);
}

/// Bytes of a charter while nothing is found.
fn least(terms: &Terms, task: Task) -> usize {
    let call = Call { task, attempt: 1 };
    charter(terms, &State::default(), call, terms.lane_timeout_s)
        .bytes()
        .len()
}

/// What of the texts in a charter is the longest.
fn longest(plan: &Plan, lane: Option<char>) -> Part {
    let criteria = match &plan.success {
        Success::Criteria(criteria) => criteria.len(),
        Success::Metric { .. } => 0,
    };
    let focus = lane.and_then(|lane| Some((plan.focus.get(&lane)?.len(), Part::Focus(lane))));
    let forbidden = &plan.settings.forbidden_changes;
    let forbidden = forbidden.iter().map(String::len).sum();
    let parameters = serde_json::to_vec(&plan.settings.parameters);
    let parameters = parameters.map_or(0, |bytes| bytes.len());
    let texts = [
        (parameters, Part::Parameters),
        (forbidden, Part::SearchSpace),
        (criteria, Part::SuccessCriteria),
        (plan.goal.len(), Part::Goal),
    ];
    let all = texts.into_iter().chain(focus);
    let longest = all.max_by_key(|(bytes, _)| *bytes);
    longest.map_or(Part::Goal, |(_, part)| part)
}
