//! Verdicts, computed again from review and measurements; and what may go over to other lanes.

use serde_json::Value;

use super::book::{Book, cited};
use super::ids::{self, ClaimId, Id, Task};
use super::phases::open;

type Told = Result<(), String>;

pub(super) fn recorded(book: &mut Book<'_>, payload: &Value) -> Told {
    let (_, round) = open(book, payload)?;
    let placed = round.poster && round.reviewed.is_none();
    book.hold(placed, || "a verdict in the wrong phase".to_owned())?;
    let claim = payload["claim"]
        .as_str()
        .and_then(ids::claim)
        .ok_or("no claim")?;
    let verdict = payload["verdict"].as_str().unwrap_or_default().to_owned();
    let new = book.verdicts.insert(claim, verdict).is_none();
    book.hold(new, || "judged twice".to_owned())
}

/// With the review every claim has the verdict that it must have.
pub(super) fn complete(book: &mut Book<'_>, number: u64, payload: &Value) -> Told {
    let review = book.packet(Task::Review(number)).map(|(_, review)| review);
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    for (claim, _, said) in book.claims(number) {
        let expected = review.and_then(|review| expected(book, review, claim, said));
        let found = book.verdicts.get(&claim).cloned();
        let name = ids::printed(claim);
        book.hold(found.as_deref() == expected, || {
            format!("{name} is {found:?}, expected {expected:?}")
        })?;
        if let Some(verdict) = expected {
            *counts.entry(verdict).or_default() += 1;
        }
    }
    for verdict in ["validated", "challenged", "overturned", "needs_review"] {
        let expected = counts.get(verdict).copied().unwrap_or(0);
        let found = payload[format!("{verdict}_count")].as_u64();
        book.hold(found == Some(expected), || {
            format!("{expected} are {verdict}")
        })?;
    }
    let own = book
        .verdicts
        .keys()
        .filter(|(id, _)| id.task.round() == Some(number))
        .count() as u64;
    book.hold(own == counts.values().sum::<u64>(), || {
        "verdicts on what nobody claimed".to_owned()
    })
}

/// What the reviewer said, unless the root knows worse.
fn expected<'a>(
    book: &Book<'_>,
    review: &'a Value,
    claim: ClaimId,
    said: &Value,
) -> Option<&'a str> {
    let name = ids::printed(claim);
    let given = review["verdicts"].as_array().into_iter().flatten();
    let given = given
        .filter(|one| one["claim"] == name.as_str())
        .filter_map(|one| one["verdict"].as_str())
        .next();
    let refuted = book.on.evaluator
        && cited(said)
            .iter()
            .any(|row| does_not_hold(book, claim.0, *row));
    match given {
        Some("overturned") => given,
        _ if refuted => Some("challenged"),
        _ => given,
    }
}

/// Whether the root measured something else than was claimed, or nothing.
fn does_not_hold(book: &Book<'_>, id: Id, row: u64) -> bool {
    let Some((raw, median)) = book.evaluations.get(&(id, row)) else {
        return true;
    };
    let Some(median) = median else {
        return true;
    };
    let claimed = book.packet(id.task).and_then(|(_, packet)| {
        let row = usize::try_from(row).ok()?;
        packet["measurements"].get(row)?["value"]
            .as_str()?
            .parse::<f64>()
            .ok()
    });
    let most = raw.iter().copied().fold(f64::MIN, f64::max);
    let least = raw.iter().copied().fold(f64::MAX, f64::min);
    let spread = if raw.len() > 1 { most - least } else { 0.0 };
    let allowed = (3.0 * spread).max(book.threshold());
    claimed.is_some_and(|claimed| (claimed - median).abs() > allowed)
}

/// What goes over is exactly what was validated, in order; all else is withheld, and why.
pub(super) fn transferred(book: &mut Book<'_>, number: u64, payload: &Value) -> Told {
    let (mut over, mut back) = (Vec::new(), Vec::new());
    for (claim, _, said) in book.claims(number) {
        let name = ids::printed(claim);
        match book.verdicts.get(&claim).map(String::as_str) {
            Some("validated") => {
                let text = said["claim"].as_str().unwrap_or_default().to_owned();
                over.push(serde_json::json!({"id": name, "text": text}));
                book.knowledge.push((claim, text));
            }
            other => back
                .push(serde_json::json!({"id": name, "reason": other.unwrap_or("not reviewed")})),
        }
    }
    book.hold(payload["findings"] == Value::from(over.clone()), || {
        format!("expected {over:?}")
    })?;
    book.hold(payload["withheld"] == Value::from(back.clone()), || {
        format!("expected withheld {back:?}")
    })
}

/// What a row is worth: the worst that was said of the claims that cite it.
pub(super) fn of_rows(
    book: &Book<'_>,
    round: u64,
) -> std::collections::BTreeMap<(char, u64), String> {
    let rank = |word: &str| {
        ["overturned", "challenged", "needs_review", "validated"]
            .iter()
            .position(|one| *one == word)
    };
    let mut worth = std::collections::BTreeMap::<(char, u64), String>::new();
    for (claim, lane, said) in book.claims(round) {
        let Some(verdict) = book.verdicts.get(&claim) else {
            continue;
        };
        for row in cited(said) {
            let key = (lane, row + 1);
            let worse = worth
                .get(&key)
                .is_none_or(|found| rank(verdict) < rank(found));
            if worse {
                worth.insert(key, verdict.clone());
            }
        }
    }
    worth
}
