//! Rows, computed again from packets and measurements; and who is stuck.

use serde_json::Value;

use super::book::{Book, Row, iterations};
use super::ids::Task;
use super::phases::open;

type Told = Result<(), String>;

pub(super) fn recorded(book: &mut Book<'_>, payload: &Value) -> Told {
    let lane = payload["researcher"]
        .as_str()
        .and_then(|text| text.chars().next())
        .ok_or("no lane")?;
    let iteration = payload["iteration"].as_u64().ok_or("no iteration")?;
    let metric = book.on.metric.is_some();
    let open_calls = book.open();
    let (number, round) = open(book, payload)?;
    // Scores are rows after the poster, measurements before it.
    let placed = round.poster != metric;
    round.rows.push((lane, iteration));
    book.hold(placed && open_calls.is_empty(), || {
        "a row in the wrong phase".to_owned()
    })?;
    let row = Row {
        value: payload["metric_value"].as_f64(),
        delta: payload["delta"].as_f64(),
        status: payload["status"].as_str().unwrap_or_default().to_owned(),
    };
    let new = book.rows.insert((number, lane, iteration), row).is_none();
    book.hold(new, || "a row twice".to_owned())
}

pub(super) fn stuck(book: &mut Book<'_>, payload: &Value) -> Told {
    let lane = payload["researcher"]
        .as_str()
        .and_then(|text| text.chars().next())
        .ok_or("no lane")?;
    let level = payload["stuck_level"].as_u64().ok_or("no level")?;
    let (_, round) = open(book, payload)?;
    let new = round.stuck.insert(lane, level).is_none();
    book.hold(new, || "stuck twice".to_owned())
}

/// Before the poster every row of a round stands, in order, with the right numbers.
pub(super) fn complete(book: &mut Book<'_>, number: u64) -> Told {
    if book.on.metric.is_none() {
        return Ok(());
    }
    let mut order = Vec::new();
    for lane in book.lanes() {
        let Some((id, packet)) = book.packet(Task::Lane(number, lane)) else {
            continue;
        };
        all_measured(book, id, packet)?;
        let start = best_before(book, lane, number);
        let mut best = start;
        let mut flat = book.flat.get(&lane).copied().unwrap_or(0);
        let mut rows = vec![(0, start, None, "baseline")];
        for index in 0..iterations(packet) {
            let value = value(book, id, packet, index);
            let kept = value.is_some_and(|value| best.is_none_or(|best| book.better(value, best)));
            let status = match (value, kept) {
                (None, _) => "failed",
                (_, true) => "kept",
                (_, false) => "reverted",
            };
            flat = if kept { 0 } else { flat + 1 };
            best = if kept { value } else { best };
            let delta = value.and_then(|value| start.map(|start| value - start));
            rows.push((index as u64 + 1, value, delta, status));
        }
        for (iteration, value, delta, status) in rows {
            order.push((lane, iteration));
            let status = status.to_owned();
            let expected = Row {
                value,
                delta,
                status,
            };
            let found = book.rows.get(&(number, lane, iteration)).cloned();
            book.hold(found.as_ref() == Some(&expected), || {
                format!("row {lane}/{iteration}: {found:?}, expected {expected:?}")
            })?;
        }
        let level = [3, 5, 7].iter().filter(|least| flat >= **least).count() as u64;
        let told = book
            .rounds
            .get(&number)
            .and_then(|round| round.stuck.get(&lane))
            .copied();
        let expected = Some(level).filter(|level| *level >= 2);
        book.hold(told == expected, || {
            format!("lane {lane} is told as {told:?}, flat for {flat}")
        })?;
        book.flat.insert(lane, flat);
    }
    same_order(book, number, &order)
}

fn same_order(book: &mut Book<'_>, number: u64, order: &[(char, u64)]) -> Told {
    let found = book.rounds.get(&number).map(|round| round.rows.clone());
    book.hold(found.as_deref() == Some(order), || {
        format!("rows {found:?}, expected {order:?}")
    })
}

/// Every candidate was measured, unless time was up.
fn all_measured(book: &mut Book<'_>, id: super::ids::Id, packet: &Value) -> Told {
    let offered = packet["candidates"].as_array().map_or(0, Vec::len) as u64;
    let measured = (0..offered).all(|index| book.evaluations.contains_key(&(id, index)));
    let excused = book.out_of_time || !book.on.evaluator;
    book.hold(measured || excused, || format!("{id:?} was not measured"))
}

fn best_before(book: &Book<'_>, lane: char, round: u64) -> Option<f64> {
    let mut best = book.baseline();
    for ((at, of, _), row) in &book.rows {
        if let Some(value) = row.value.filter(|_| *of == lane && *at < round)
            && best.is_none_or(|best| book.better(value, best))
        {
            best = Some(value);
        }
    }
    best
}

/// The root's number where there is an evaluator, else the claimed one.
fn value(book: &Book<'_>, id: super::ids::Id, packet: &Value, index: usize) -> Option<f64> {
    if book.on.evaluator {
        return book.evaluations.get(&(id, index as u64))?.1;
    }
    packet["measurements"].get(index)?["value"]
        .as_str()?
        .parse()
        .ok()
}

/// In qualitative mode the reviewer's scores are the rows.
pub(super) fn scored(book: &mut Book<'_>, number: u64) -> Told {
    if book.on.metric.is_some() {
        return Ok(());
    }
    let mut order = Vec::new();
    for lane in book.lanes() {
        let score = score(book, number, lane);
        let Some(score) = score.filter(|_| book.packet(Task::Lane(number, lane)).is_some()) else {
            continue;
        };
        order.push((lane, 1));
        let before: Vec<f64> = (1..number)
            .filter_map(|round| book.rows.get(&(round, lane, 1))?.value)
            .collect();
        let kept = before.iter().all(|value| score > *value);
        let expected = Row {
            value: Some(score),
            delta: before.last().map(|last| score - last),
            status: if kept { "kept" } else { "reverted" }.to_owned(),
        };
        let found = book.rows.get(&(number, lane, 1)).cloned();
        book.hold(found.as_ref() == Some(&expected), || {
            format!("score of {lane}: {found:?}, expected {expected:?}")
        })?;
    }
    same_order(book, number, &order)
}

/// What the reviewer of a round gave a lane.
pub(super) fn score(book: &Book<'_>, round: u64, lane: char) -> Option<f64> {
    let (_, review) = book.packet(Task::Review(round))?;
    let given = review["scores"]
        .as_array()?
        .iter()
        .find(|one| one["lane"] == lane.to_string())?;
    given["score"].as_f64()
}
