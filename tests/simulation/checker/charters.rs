//! What a child was told: all that it needs, and nothing that was refused.

use serde_json::Value;

use super::book::{Book, cited};
use super::ids::{self, Id, Task};
use super::money;

type Told = Result<(), String>;

/// Bytes of a charter at most, and findings in it.
const BYTES: usize = 96 << 10;
const FINDINGS: usize = 24;

/// The charter of an id that goes out.
pub(super) fn check(book: &mut Book<'_>, id: Id, payload: &Value) -> Told {
    let digest = payload["charter_digest"].as_str().unwrap_or_default();
    let charter = book.charters.get(digest).ok_or("its charter is not kept")?;
    let bytes = charter.to_string().len();
    book.hold(bytes <= BYTES, || format!("a charter of {bytes} bytes"))?;
    identity(book, id, payload, charter)?;
    let allowance = money::allowance(book, id);
    let same = |key: &str, value: Value| charter[key] == value;
    book.hold(same("iteration_allowance", allowance.into()), || {
        "another allowance".to_owned()
    })?;
    book.hold(same("delegation_allowed", false.into()), || {
        "it may delegate".to_owned()
    })?;
    let last = book.lanes().last().copied();
    let contrarian = book.on.critic && matches!(id.task, Task::Lane(_, lane) if Some(lane) == last);
    book.hold(same("contrarian", contrarian.into()), || {
        format!("contrarian is {contrarian}")
    })?;
    time(book, id, payload)?;
    signal(book, id, payload, charter)?;
    knowledge(book, charter, bytes)?;
    claims(book, id, charter)?;
    let researcher = matches!(id.task, Task::Lane(..));
    let parameters = charter["parameters"].as_array().map_or(0, Vec::len);
    book.hold(parameters == if researcher { 2 } else { 0 }, || {
        "other parameters".to_owned()
    })?;
    let poison = book.poison;
    book.hold(!charter.to_string().contains(poison), || {
        "it repeats what was refused".to_owned()
    })
}

fn identity(book: &mut Book<'_>, id: Id, payload: &Value, charter: &Value) -> Told {
    let lane = match id.task {
        Task::Lane(_, lane) => Value::from(lane.to_string()),
        _ => Value::Null,
    };
    let round = id.task.round().map_or(Value::Null, Value::from);
    let own = charter["schema"] == "lithermes/charter/v1"
        && charter["dispatch_id"] == payload["dispatch_id"]
        && [charter, payload].iter().all(|one| {
            one["role"] == id.task.role()
                && one["lane"] == lane
                && one["round"] == round
                && one["attempt"] == id.attempt
        });
    book.hold(own, || "the charter of another".to_owned())
}

/// A child has its lane's time, or what is left of the wall clock; a synthesis stands outside.
fn time(book: &mut Book<'_>, id: Id, payload: &Value) -> Told {
    let given = payload["timeout_s"].as_u64().unwrap_or(0);
    let passed = u64::try_from(book.now - book.began.unwrap_or(book.now)).unwrap_or(0);
    let left = book.on.wall_clock.saturating_sub(passed);
    let expected = match id.task {
        Task::Synthesis => book.on.lane_timeout,
        _ => book.on.lane_timeout.min(left),
    };
    book.hold(given == expected && given > 0, || {
        format!("{given} s, expected {expected}")
    })
}

/// `LAST_ROUND` where no other round can follow: by rounds, ceiling, calls or time.
fn signal(book: &mut Book<'_>, id: Id, payload: &Value, charter: &Value) -> Told {
    let last = match id.task.round() {
        None => true,
        Some(round) => {
            let (used, this) = match id.task {
                Task::Lane(..) => (book.spent(round), book.a_round()),
                _ => (book.spent(u64::MAX), 0),
            };
            let ceiling = used + this + book.a_round() > book.on.ceiling;
            let time = payload["timeout_s"].as_u64() < Some(book.on.lane_timeout);
            round >= book.approved_rounds() || ceiling || time || calls_are_short(book, round)
        }
    };
    let expected = if last { "LAST_ROUND" } else { "NORMAL" };
    book.hold(charter["signal"] == expected, || {
        format!("expected {expected}")
    })
}

/// Whether this round and one more need more calls than were approved.
fn calls_are_short(book: &Book<'_>, round: u64) -> bool {
    let needs = [
        (Task::Lane(round, 'A'), book.on.lanes),
        (
            Task::Poster(round),
            u64::from(book.approved_calls(Task::Poster(round)) > 0),
        ),
        (Task::Review(round), 1),
    ];
    needs
        .iter()
        .any(|(task, each)| book.calls(*task, round) + 2 * each > book.approved_calls(*task))
}

/// The newest of what went over, and nothing else.
fn knowledge(book: &mut Book<'_>, charter: &Value, bytes: usize) -> Told {
    let told = charter["knowledge"].as_array().cloned().unwrap_or_default();
    let known = book.knowledge.len().min(FINDINGS);
    let full = bytes > BYTES * 17 / 20 || charter["claims"].to_string().contains(" […]");
    let all = told.len() == known || (told.len() < known && full);
    book.hold(all, || format!("{} findings of {known}", told.len()))?;
    let newest = book.knowledge[book.knowledge.len() - told.len()..].to_vec();
    for (told, (claim, text)) in told.iter().zip(newest) {
        let id = told["finding"].as_str().and_then(ids::claim);
        let value = value(book, claim);
        let same =
            id == Some(claim) && told["claim"] == text.as_str() && told["value"].as_f64() == value;
        book.hold(same, || format!("it is told {told}"))?;
    }
    Ok(())
}

/// What the row says that a claim cites first.
fn value(book: &Book<'_>, (id, number): ids::ClaimId) -> Option<f64> {
    let Task::Lane(round, lane) = id.task else {
        return None;
    };
    let (_, packet) = book.packet(id.task)?;
    let claim = packet["claims"].get(usize::try_from(number - 1).ok()?)?;
    let row = cited(claim).first().copied()?;
    book.rows.get(&(round, lane, row + 1))?.value
}

/// Judges see every claim of what they judge; researchers none.
fn claims(book: &mut Book<'_>, id: Id, charter: &Value) -> Told {
    let rounds = match id.task {
        Task::Poster(round) | Task::Review(round) => round..round + 1,
        Task::Synthesis => 1..book.round() + 1,
        Task::Probe | Task::Lane(..) => 0..0,
    };
    let expected: Vec<_> = rounds.flat_map(|round| book.claims(round)).collect();
    let told = charter["claims"].as_array().cloned().unwrap_or_default();
    book.hold(told.len() == expected.len(), || {
        format!("{} claims of {}", told.len(), expected.len())
    })?;
    for (told, (claim, lane, said)) in told.iter().zip(expected) {
        let whole = |key: &str| {
            let (told, said) = (
                told[key].as_str().unwrap_or_default(),
                said[key].as_str().unwrap_or_default(),
            );
            told == said
                || told
                    .strip_suffix(" […]")
                    .is_some_and(|start| said.starts_with(start))
        };
        let own = told["id"].as_str().and_then(ids::claim) == Some(claim)
            && told["lane"] == lane.to_string();
        let value = value(book, claim);
        let same =
            own && whole("claim") && whole("evidence") && told["confidence"] == said["confidence"];
        book.hold(same, || format!("it is told {told}"))?;
        book.hold(told["value"].as_f64() == value, || {
            format!("{} is {value:?}", ids::printed(claim))
        })?;
        let verdict = book
            .verdicts
            .get(&claim)
            .map_or(Value::Null, |word| word.as_str().into());
        book.hold(told["verdict"] == verdict, || {
            format!("{} is {verdict}", ids::printed(claim))
        })?;
    }
    Ok(())
}
