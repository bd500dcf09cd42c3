//! The order of things: what may be recorded where.

use serde_json::Value;

use super::book::{Book, Round};
use super::ids::{Id, Task};
use super::{charters, ends, money, rows, stages, verdicts};

type Told = Result<(), String>;

/// One line, where it stands.
pub(super) fn line(book: &mut Book<'_>, line: &Value) -> Told {
    let name = line["event"].as_str().unwrap_or_default().to_owned();
    let payload = &line["payload"];
    let aside = matches!(name.as_str(), "packet.stale" | "packet.duplicate");
    let over = book.end.is_some();
    book.hold(aside || !over, || "after the end".to_owned())?;
    let begun = book.began.is_some() != (name == "gate.confirmed");
    book.hold(begun, || "the gate is confirmed first, and once".to_owned())?;
    match name.as_str() {
        "gate.confirmed" => book.began = Some(book.now),
        "budget.reserved" => money::reserved(book, payload)?,
        "dispatch.issued" => {
            let id = money::issued(book, payload)?;
            goes_out(book, id.task)?;
            stages::goes_out(book, id.task)?;
            in_turn(book, id)?;
            charters::check(book, id, payload)?;
        }
        "dispatch.received" | "dispatch.failed" | "dispatch.timed_out" | "dispatch.cancelled" => {
            money::ended(book, &name, payload)?;
        }
        "budget.settled" => money::settled(book, payload)?,
        "packet.accepted" => money::accepted(book, payload)?,
        "evaluation.recorded" => money::measured(book, payload)?,
        "round.started" => started(book, payload)?,
        "researcher.iteration" => rows::recorded(book, payload)?,
        "researcher.stuck" => rows::stuck(book, payload)?,
        "round.poster_session" => poster(book, payload)?,
        "verdict.recorded" => verdicts::recorded(book, payload)?,
        "round.peer_review" => review(book, payload)?,
        "knowledge.transferred" => transfer(book, payload)?,
        "round.completed" => completed(book, payload)?,
        "deadline.passed" => deadline(book)?,
        "cancel.requested" => book.cancelled = true,
        "conference.converged" => ends::converged(book, payload)?,
        "artifact.written" => {}
        "transition" => stages::moved(book, payload)?,
        "cleanup.receipt" => {
            let open = book.open();
            book.hold(open.is_empty(), || format!("{open:?} are not accounted"))?;
            book.cleaned = true;
        }
        "conference.completed" | "conference.cancelled" | "conference.blocked" => {
            ends::ended(book, &name, payload)?;
        }
        "packet.rejected" | "packet.stale" | "packet.duplicate" => {}
        other => return Err(format!("an event called {other}")),
    }
    Ok(())
}

/// The round that is open.
pub(super) fn open<'b>(
    book: &'b mut Book<'_>,
    payload: &Value,
) -> Result<(u64, &'b mut Round), String> {
    let number = payload["round"].as_u64().ok_or("no round")?;
    let last = book.round();
    let round = book
        .rounds
        .get_mut(&number)
        .filter(|round| round.completed.is_none());
    let round = round
        .filter(|_| number == last)
        .ok_or("the round is not open")?;
    Ok((number, round))
}

/// Whether a task may go out now.
fn goes_out(book: &mut Book<'_>, task: Task) -> Told {
    let last = book.round();
    let stands = book.rounds.get(&last);
    let of_this =
        task.round() == Some(last) && stands.is_some_and(|round| round.completed.is_none());
    let fits = match task {
        Task::Probe => book.on.probe && last == 0,
        Task::Lane(_, lane) => {
            of_this
                && stands.is_some_and(|round| !round.poster)
                && book.lanes().contains(&lane)
                && last_of_lane_may(book, task)
        }
        Task::Poster(round) => {
            let open = book.open().iter().filter(|id| id.task != task).count() == 0;
            of_this
                && stands.is_some_and(|round| !round.poster)
                && open
                && all_tried(book, round)
                && !book.claims(round).is_empty()
        }
        Task::Review(round) => {
            let any = book
                .lanes()
                .iter()
                .any(|lane| book.packet(Task::Lane(round, *lane)).is_some());
            of_this && stands.is_some_and(|round| round.poster && round.reviewed.is_none()) && any
        }
        Task::Synthesis => {
            let facts = ends::facts(book);
            let code = ends::code(book, &facts);
            let after = stands.is_some_and(|round| round.completed.is_some());
            after && code.is_some_and(|code| !code.starts_with("BLOCKED"))
        }
    };
    book.hold(fits, || format!("{task:?} goes out where it may not"))
}

/// Lanes go out in one order, begun with another lane each round.
fn in_turn(book: &mut Book<'_>, id: Id) -> Told {
    let (Task::Lane(number, lane), 1) = (id.task, id.attempt) else {
        return Ok(());
    };
    let lanes = book.lanes();
    let place = |lane: char| lanes.iter().position(|own| *own == lane);
    let after =
        |one: char, other: char| place(other) == place(one).map(|at| (at + 1) % lanes.len());
    let first = |round: u64| {
        book.rounds
            .get(&round)
            .and_then(|round| round.turn.first().copied())
    };
    let turn = book
        .rounds
        .get(&number)
        .map(|round| round.turn.clone())
        .unwrap_or_default();
    let fits = match (turn.last(), first(number.saturating_sub(1))) {
        (Some(last), _) => after(*last, lane),
        (None, Some(before)) => lanes.len() == 1 || before != lane,
        (None, None) => true,
    };
    book.hold(fits, || format!("{lane} is not the next after {turn:?}"))?;
    if let Some(round) = book.rounds.get_mut(&number) {
        round.turn.push(lane);
    }
    Ok(())
}

/// Nobody works on what others are still judged by: the lane has no packet yet.
fn last_of_lane_may(book: &Book<'_>, task: Task) -> bool {
    let packets = book.accounts.iter().filter(|(id, _)| id.task == task);
    packets
        .into_iter()
        .all(|(_, account)| account.packet.is_none())
}

/// Every lane of a round went out, unless time was up, and has its end.
fn all_tried(book: &Book<'_>, round: u64) -> bool {
    let lanes = book.lanes();
    lanes
        .iter()
        .all(|lane| match book.last(Task::Lane(round, *lane)) {
            Some((_, account)) => account.end.is_some(),
            None => book.out_of_time,
        })
}

fn started(book: &mut Book<'_>, payload: &Value) -> Told {
    let number = payload["round"].as_u64().ok_or("no round")?;
    let last = book.round();
    book.hold(number == last + 1, || "a round is left out".to_owned())?;
    let ended = book
        .rounds
        .get(&last)
        .is_none_or(|round| round.completed.is_some());
    book.hold(ended, || "the round before has not ended".to_owned())?;
    if book.on.probe {
        let answered = book.packet(Task::Probe).is_some();
        book.hold(answered, || "the host did not answer".to_owned())?;
    }
    let facts = ends::facts(book);
    let code = ends::code(book, &facts);
    book.hold(code.is_none(), || {
        format!("it should have ended with {code:?}")
    })?;
    let fits = number <= book.approved_rounds()
        && book.spent(u64::MAX) + book.a_round() <= book.on.ceiling;
    book.hold(fits, || "the round does not fit the ceiling".to_owned())?;
    let stopped = book.cancelled;
    book.hold(!stopped, || "somebody asked to stop".to_owned())?;
    let open = book.open();
    book.hold(open.is_empty(), || format!("{open:?} are out"))?;
    book.rounds.insert(number, Round::default());
    Ok(())
}

fn poster(book: &mut Book<'_>, payload: &Value) -> Told {
    let (number, round) = open(book, payload)?;
    let first = !round.poster;
    book.hold(first, || "a second poster".to_owned())?;
    let tried = all_tried(book, number);
    book.hold(tried, || "research has not ended".to_owned())?;
    let open = book.open();
    book.hold(open.is_empty(), || format!("{open:?} are out"))?;
    rows::complete(book, number)?;
    let asked = book.last(Task::Poster(number)).is_some();
    let wanted = book.approved_calls(Task::Poster(number)) > 0 && !book.claims(number).is_empty();
    let late = book.out_of_time;
    book.hold(asked || !wanted || late, || {
        "nobody asked for a poster".to_owned()
    })?;
    if let Some(round) = book.rounds.get_mut(&number) {
        round.poster = true;
    }
    Ok(())
}

fn review(book: &mut Book<'_>, payload: &Value) -> Told {
    let (number, round) = open(book, payload)?;
    let first = round.poster && round.reviewed.is_none();
    book.hold(first, || {
        "a review without a poster, or a second one".to_owned()
    })?;
    let open = book.open();
    book.hold(open.is_empty(), || format!("{open:?} are out"))?;
    let any = book
        .lanes()
        .iter()
        .any(|lane| book.packet(Task::Lane(number, *lane)).is_some());
    let asked = book.last(Task::Review(number)).is_some();
    let late = book.out_of_time;
    book.hold(asked == any || (late && !asked), || {
        "nobody was asked to review".to_owned()
    })?;
    verdicts::complete(book, number, payload)?;
    rows::scored(book, number)?;
    let reviewed = book.packet(Task::Review(number)).is_some();
    book.hold(payload["reviewed"] == reviewed, || {
        "reviewed or not?".to_owned()
    })?;
    if let Some(round) = book.rounds.get_mut(&number) {
        round.reviewed = Some(reviewed);
    }
    Ok(())
}

fn transfer(book: &mut Book<'_>, payload: &Value) -> Told {
    let (number, round) = open(book, payload)?;
    let first = round.reviewed.is_some() && !round.transferred;
    book.hold(first, || "before the review, or twice".to_owned())?;
    verdicts::transferred(book, number, payload)?;
    if let Some(round) = book.rounds.get_mut(&number) {
        round.transferred = true;
    }
    Ok(())
}

fn completed(book: &mut Book<'_>, payload: &Value) -> Told {
    let (number, round) = open(book, payload)?;
    let ready = round.transferred;
    book.hold(ready, || "before the transfer".to_owned())?;
    let received = book
        .lanes()
        .iter()
        .all(|lane| book.packet(Task::Lane(number, *lane)).is_some());
    let complete = received && book.packet(Task::Review(number)).is_some();
    book.hold(payload["complete"] == complete, || {
        format!("complete is {complete}")
    })?;
    if let Some(round) = book.rounds.get_mut(&number) {
        round.completed = Some(complete);
    }
    let facts = ends::facts(book);
    let code = ends::code(book, &facts);
    let converged = matches!(code, Some("CONVERGED" | "CONVERGED_PLATEAU"));
    book.hold(payload["converged"] == converged, || {
        format!("expected {code:?}")
    })?;
    ends::same_best(
        book,
        &facts,
        &payload["best_metric"],
        payload["best_researcher"].as_str(),
    )
}

fn deadline(book: &mut Book<'_>) -> Told {
    let passed = book.now - book.began.unwrap_or(book.now);
    let due = passed >= i64::try_from(book.on.wall_clock).unwrap_or(i64::MAX);
    let first = !book.out_of_time;
    book.hold(due && first, || {
        format!("after {passed} s of {}", book.on.wall_clock)
    })?;
    book.out_of_time = true;
    Ok(())
}
