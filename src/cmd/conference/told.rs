//! An event of a conference as one line for a person.

use crate::conference::plan::shortest;
use crate::conference::rounds::rows::BASELINE;
use crate::conference::standing::spelled;
use crate::count;
use crate::engine::event::{Decision, Event, Line};
use crate::engine::id::DispatchId;
use crate::engine::packet::Verdict;
use crate::guard::text;

/// What of the file of events says nothing, a sentence each.
pub(super) fn passed_over(torn: u64, repeated: u64) -> impl Iterator<Item = String> {
    let bytes = count::of(torn, "byte", "bytes");
    let lines = count::of(repeated, "line that repeats", "lines that repeat");
    let torn = (torn > 0).then(|| format!("passed over: {bytes} of a line that was not finished"));
    let repeated = (repeated > 0).then(|| format!("passed over: {lines} the one before"));
    torn.into_iter().chain(repeated)
}

/// The line; `None` for what a person need not see.
pub(super) fn line(line: &Line) -> Option<String> {
    let told = match &line.event {
        Event::GateConfirmed {
            conference_id,
            host,
            slots,
            ..
        } => format!("{conference_id} begins on the host {host}, {slots} at a time"),
        Event::RoundStarted { round, .. } => format!("round {round}"),
        Event::Issued {
            dispatch_id,
            timeout_s,
            ..
        } => format!("  {} out, {timeout_s} s", dispatch_id.call),
        Event::Received(ended) => format!("  {} received", ended.dispatch_id.call),
        Event::Failed(ended) => format!(
            "  {} failed: {}",
            ended.dispatch_id.call,
            ended.reason.as_deref().unwrap_or("no reason")
        ),
        Event::TimedOut(ended) => format!("  {} timed out", ended.dispatch_id.call),
        Event::Cancelled(ended) => format!("  {} cancelled", ended.dispatch_id.call),
        Event::Evaluated {
            dispatch_id,
            index,
            median,
            reason,
            ..
        } => {
            let came = match median {
                Some(median) => shortest(*median),
                None => format!("failed: {}", reason.as_deref().unwrap_or("no reason")),
            };
            match (dispatch_id.call, *index) == BASELINE {
                true => format!("  baseline measured {came}"),
                false => format!("  {} #{} measured {came}", dispatch_id.call, index + 1),
            }
        }
        Event::VerdictRecorded {
            claim,
            verdict,
            by,
            reason,
            ..
        } if *verdict != Verdict::Validated => {
            format!("  {claim} not validated by the {by}: {reason}")
        }
        Event::PeerReview {
            validated_count,
            challenged_count,
            overturned_count,
            reviewed,
            ..
        } => match reviewed {
            true => format!(
                "  review: {validated_count} validated, {challenged_count} challenged, {overturned_count} overturned"
            ),
            false => "  review: none; nothing goes over".to_owned(),
        },
        Event::RoundCompleted {
            round, best_metric, ..
        } => match best_metric {
            Some(best) => format!("round {round} ended, best validated {}", shortest(*best)),
            None => format!("round {round} ended, nothing validated"),
        },
        Event::Resumed(resumed) => match resumed.decision {
            Decision::None => format!("goes on: {}", resumed.recovery_point),
            Decision::GoOn => format!("goes on without {}", calls(&resumed.decided)),
            Decision::Redispatch => format!("goes on; out again: {}", calls(&resumed.decided)),
            Decision::KeepFirst => "goes on with the first packet".to_owned(),
        },
        Event::DeadlinePassed { what } => format!("time is up: {what}"),
        Event::CancelRequested { by } => format!("asked to stop by {by}"),
        Event::Completed(stop) | Event::ConferenceCancelled(stop) | Event::Blocked(stop) => {
            spelled(stop.stop_code)
        }
        _ => return None,
    };
    Some(text::line(&told).into_owned())
}

fn calls(ids: &[DispatchId]) -> String {
    let calls: Vec<String> = ids.iter().map(|id| id.call.to_string()).collect();
    calls.join(", ")
}

#[cfg(test)]
mod tests {
    use super::passed_over;

    #[test]
    fn what_says_nothing_is_counted() {
        let told = |torn, repeated| passed_over(torn, repeated).collect::<Vec<_>>();
        assert_eq!(told(0, 0), [""; 0]);
        assert_eq!(
            told(1, 1),
            [
                "passed over: 1 byte of a line that was not finished",
                "passed over: 1 line that repeats the one before"
            ]
        );
        assert_eq!(
            told(2, 2),
            [
                "passed over: 2 bytes of a line that was not finished",
                "passed over: 2 lines that repeat the one before"
            ]
        );
    }
}
