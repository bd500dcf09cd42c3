//! When a conference must end, and as what.

use serde_json::Value;

use super::book::Book;
use super::ids::Task;
use super::{rows, verdicts};

type Told = Result<(), String>;

/// A value, lane, round and iteration.
pub(super) type Best = (f64, char, u64, u64);

/// What is true after the last round.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) target: bool,
    pub(super) plateau: bool,
    pub(super) stalled: bool,
    pub(super) hit: Vec<&'static str>,
    pub(super) best: Option<Best>,
}

/// Computes them from what was recorded.
pub(super) fn facts(book: &Book<'_>) -> Facts {
    let mut facts = match book.on.metric.is_some() {
        true => metric(book),
        false => qualitative(book),
    };
    facts.stalled |= all_stuck(book);
    facts.hit = hit(book);
    facts
}

/// Limits that forbid another round.
fn hit(book: &Book<'_>) -> Vec<&'static str> {
    let mut hit = Vec::new();
    if book.on.ceiling < book.spent(u64::MAX) + book.a_round() {
        hit.push("iterations");
    }
    if book.round() >= book.on.rounds {
        hit.push("rounds");
    }
    let needs = [
        (Task::Lane(0, 'A'), book.on.lanes),
        (
            Task::Poster(0),
            u64::from(book.approved_calls(Task::Poster(0)) > 0),
        ),
        (Task::Review(0), 1),
    ];
    let short = needs
        .iter()
        .any(|(task, each)| book.calls(*task, u64::MAX) + each > book.approved_calls(*task));
    if hit.is_empty() && short {
        hit.push("calls");
    }
    if book.out_of_time {
        hit.push("time");
    }
    hit
}

/// The code that must end it now; `None` where another round must follow.
pub(super) fn code(book: &Book<'_>, facts: &Facts) -> Option<&'static str> {
    let last = book.round();
    let any = book
        .lanes()
        .iter()
        .any(|lane| book.packet(Task::Lane(last, *lane)).is_some());
    let rules = [
        (!facts.hit.is_empty(), "BUDGET_STOP"),
        (last > 0 && !any, "BLOCKED_NO_VALID_PACKET"),
        (last > 0 && facts.target, "CONVERGED"),
        (last > 0 && facts.plateau, "CONVERGED_PLATEAU"),
        (last > 0 && facts.stalled, "STALLED"),
    ];
    rules
        .into_iter()
        .find(|(holds, _)| *holds)
        .map(|(_, code)| code)
}

/// Values of a round that a review validated.
fn reviewed(book: &Book<'_>, round: u64) -> Vec<Best> {
    let worth = verdicts::of_rows(book, round);
    let validated = worth
        .into_iter()
        .filter(|(_, verdict)| verdict == "validated");
    let valued = validated.filter_map(|((lane, iteration), _)| {
        let value = book.rows.get(&(round, lane, iteration))?.value?;
        Some((value, lane, round, iteration))
    });
    valued.collect()
}

fn best(book: &Book<'_>, all: impl Iterator<Item = Best>) -> Option<Best> {
    all.fold(None, |best: Option<Best>, next| match best {
        Some(best) if !book.better(next.0, best.0) => Some(best),
        _ => Some(next),
    })
}

fn complete(book: &Book<'_>) -> Vec<u64> {
    let complete = book
        .rounds
        .iter()
        .filter(|(_, round)| round.completed == Some(true));
    complete.map(|(number, _)| *number).collect()
}

fn metric(book: &Book<'_>) -> Facts {
    let threshold = book.threshold();
    let mut reference = book.baseline();
    let mut flat = 0;
    for round in complete(book) {
        let found = best(book, reviewed(book, round).into_iter()).map(|best| best.0);
        let gained = match (found, reference) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(found), Some(before)) if book.maximize() => found - before > threshold,
            (Some(found), Some(before)) => before - found > threshold,
        };
        flat = if gained { 0 } else { flat + 1 };
        if let Some(found) = found
            && reference.is_none_or(|before| book.better(found, before))
        {
            reference = Some(found);
        }
    }
    let in_window = best(
        book,
        complete(book)
            .into_iter()
            .flat_map(|round| reviewed(book, round)),
    );
    let improved = in_window.is_some_and(|best| {
        book.baseline()
            .is_none_or(|start| book.better(best.0, start))
    });
    let everything: Vec<Best> = book
        .rounds
        .keys()
        .flat_map(|round| reviewed(book, *round))
        .collect();
    let window = flat >= book.on.window;
    Facts {
        target: everything.iter().any(|best| meets(book, best.0)),
        plateau: window && improved,
        stalled: window && !improved,
        hit: Vec::new(),
        best: best(book, everything.into_iter()),
    }
}

pub(super) fn meets(book: &Book<'_>, value: f64) -> bool {
    let Some(metric) = &book.on.metric else {
        return false;
    };
    let (comparator, target) = metric.target;
    match comparator {
        "<" => value < target,
        "<=" => value <= target,
        ">" => value > target,
        ">=" => value >= target,
        _ => value == target,
    }
}

/// The scores of a round where every lane has one.
fn scores(book: &Book<'_>, round: u64) -> Option<Vec<f64>> {
    book.lanes()
        .iter()
        .map(|lane| rows::score(book, round, *lane))
        .collect()
}

fn qualitative(book: &Book<'_>) -> Facts {
    let window = usize::try_from(book.on.window).unwrap_or(2);
    let rounds = complete(book);
    let all: Vec<Option<Vec<f64>>> = rounds.iter().map(|round| scores(book, *round)).collect();
    let least = |least: f64| {
        move |scores: &Option<Vec<f64>>| {
            scores
                .as_ref()
                .is_some_and(|all| all.iter().all(|score| *score >= least))
        }
    };
    let good = least(book.on.quality as f64);
    let early = book.on.early_quality && all.last().is_some_and(least(9.0));
    let run = all.iter().rev().take_while(|scores| good(scores)).count();
    let means: Vec<f64> = all
        .iter()
        .flatten()
        .map(|scores| scores.iter().sum::<f64>() / scores.len() as f64)
        .collect();
    let flat = means.len() > window
        && means[means.len() - window - 1..]
            .windows(2)
            .all(|pair| pair[1] <= pair[0]);
    let holds = early || (run >= window);
    let rows = book
        .rows
        .iter()
        .filter_map(|((round, lane, iteration), row)| {
            Some((row.value?, *lane, *round, *iteration))
        });
    Facts {
        target: holds,
        plateau: holds,
        stalled: flat && !all.last().is_some_and(good),
        hit: Vec::new(),
        best: best(book, rows),
    }
}

/// In the last two rounds every lane was stuck or brought nothing, and none got better.
fn all_stuck(book: &Book<'_>) -> bool {
    let last = book.round();
    last >= 2
        && [last - 1, last].iter().all(|round| {
            book.lanes()
                .iter()
                .all(|lane| is_stuck(book, *round, *lane))
        })
}

fn is_stuck(book: &Book<'_>, round: u64, lane: char) -> bool {
    let Some((_, packet)) = book.packet(Task::Lane(round, lane)) else {
        return true;
    };
    let kept = book
        .rows
        .iter()
        .any(|((at, of, _), row)| (*at, *of) == (round, lane) && row.status == "kept");
    let level = book
        .rounds
        .get(&round)
        .and_then(|round| round.stuck.get(&lane))
        .copied()
        .unwrap_or(0);
    !kept && (packet["status"] == "blocked" || level >= 2)
}

/// The best that is told is the best that stands.
pub(super) fn same_best(
    book: &mut Book<'_>,
    facts: &Facts,
    value: &Value,
    lane: Option<&str>,
) -> Told {
    let best = facts.best;
    let same = value.as_f64() == best.map(|best| best.0)
        && lane == best.map(|best| best.1.to_string()).as_deref();
    book.hold(same, || format!("the best is {best:?}"))
}

pub(super) fn converged(book: &mut Book<'_>, payload: &Value) -> Told {
    let facts = facts(book);
    let found = code(book, &facts).filter(|_| !book.cancelled);
    let expected = match (found, book.on.metric.is_some()) {
        (Some("CONVERGED"), true) => "target",
        (Some("CONVERGED"), false) => "quality_plateau",
        (Some("CONVERGED_PLATEAU"), _) => "metric_plateau",
        _ => "nothing",
    };
    book.hold(payload["reason"] == expected, || {
        format!("expected {expected}")
    })?;
    let same = payload["final_best_metric"].as_f64() == facts.best.map(|best| best.0);
    book.hold(same, || format!("the best is {:?}", facts.best))?;
    let first = !book.converged;
    book.converged = true;
    book.hold(first, || "converged twice".to_owned())
}

pub(super) fn ended(book: &mut Book<'_>, name: &str, payload: &Value) -> Told {
    let cleaned = book.cleaned;
    book.hold(cleaned, || "no cleanup receipt".to_owned())?;
    let facts = facts(book);
    let silent =
        book.on.probe && book.last(Task::Probe).is_some() && book.packet(Task::Probe).is_none();
    let expected = match (book.cancelled, silent) {
        (true, _) => Some("CANCELLED"),
        (_, true) => Some("BLOCKED_MULTI_AGENT_UNAVAILABLE"),
        _ => code(book, &facts),
    };
    let found = payload["stop_code"].as_str();
    book.hold(found == expected, || format!("expected {expected:?}"))?;
    let called = match expected {
        Some("CANCELLED") => "conference.cancelled",
        Some(code) if code.starts_with("BLOCKED") => "conference.blocked",
        _ => "conference.completed",
    };
    book.hold(name == called, || format!("expected {called}"))?;
    let same = payload["target_met"] == facts.target
        && payload["plateau"] == facts.plateau
        && payload["stalled"] == facts.stalled;
    book.hold(same, || format!("expected {facts:?}"))?;
    book.hold(
        payload["budget_hit"] == Value::from(facts.hit.clone()),
        || format!("expected {:?}", facts.hit),
    )?;
    if name == "conference.completed" {
        let asked = book.last(Task::Synthesis).is_some() || book.rounds.is_empty();
        book.hold(asked, || "nobody was asked for a synthesis".to_owned())?;
    }
    let success = matches!(expected, Some("CONVERGED" | "CONVERGED_PLATEAU"));
    let told = book.converged;
    book.hold(success == told, || {
        "success and conference.converged disagree".to_owned()
    })?;
    book.end = Some((name.to_owned(), payload.clone()));
    Ok(())
}

/// At the end everything is accounted, once.
pub(super) fn at_the_end(book: &mut Book<'_>) -> Told {
    let there = book.end.is_some();
    book.hold(there, || "it has no end".to_owned())?;
    let ids: Vec<_> = book
        .accounts
        .iter()
        .map(|(id, account)| {
            (
                *id,
                account.end.is_some() == account.issued,
                account.settled,
            )
        })
        .collect();
    for (id, ended, settled) in ids {
        book.hold(ended, || format!("{id:?} has no end"))?;
        book.hold(settled.is_some(), || format!("{id:?} is not settled"))?;
    }
    Ok(())
}
