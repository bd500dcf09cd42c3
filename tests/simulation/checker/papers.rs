//! Posters and reviews, line by line where a line is a number or a word of ours.

use super::Evidence;
use super::book::{Book, iterations};
use super::ends;
use super::ids::{self, Task};

type Told = Result<(), String>;

pub(super) fn check(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    let rounds: Vec<u64> = book.rounds.keys().copied().collect();
    for round in rounds {
        let poster = format!("poster_session_round_{round}.md");
        let review = format!("peer_review_round_{round}.md");
        for (name, text) in evidence.written {
            let told = match name {
                name if *name == poster => lanes(book, round, text),
                name if *name == review => {
                    claims(book, round, text).and_then(|()| counts(book, round, text))
                }
                _ => Ok(()),
            };
            told.map_err(|why| format!("{name}: {why}"))?;
        }
    }
    Ok(())
}

/// The part below a heading.
fn part<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let start = format!("\n## {heading}\n");
    let rest = text.split_once(&start)?.1;
    Some(rest.split("\n## ").next().unwrap_or(rest))
}

/// What stands behind a label.
fn fact<'a>(part: &'a str, label: &str) -> Option<&'a str> {
    let start = format!("- **{label}:** ");
    part.lines().find_map(|line| line.strip_prefix(&start))
}

/// What each lane did in a round.
fn lanes(book: &mut Book<'_>, round: u64, text: &str) -> Told {
    let metric = book.on.metric.is_some();
    for lane in book.lanes() {
        let part = part(text, &format!("Researcher {lane}"))
            .ok_or_else(|| format!("nothing of lane {lane}"))?;
        let packet = book
            .packet(Task::Lane(round, lane))
            .map(|(_, packet)| packet);
        let done = format!("{}/{}", packet.map_or(0, iterations), book.on.iterations);
        let same = fact(part, "Iterations completed") == Some(done.as_str());
        book.hold(same, || format!("lane {lane}: expected {done} iterations"))?;
        let found = book
            .rows
            .range((round, lane, 1)..=(round, lane, u64::MAX))
            .filter_map(|(_, row)| row.value);
        let best = found.reduce(|best, value| {
            if book.better(value, best) {
                value
            } else {
                best
            }
        });
        let best = best.filter(|_| metric);
        let level = book
            .rounds
            .get(&round)
            .and_then(|round| round.stuck.get(&lane))
            .copied();
        let expected = match (
            packet,
            best.is_some_and(|best| ends::meets(book, best)),
            level,
        ) {
            (None, ..) => "FAILED (",
            (Some(packet), ..) if packet["status"] == "blocked" => "FAILED (blocked)",
            (_, true, _) => "target_reached",
            (_, _, Some(3)) => "stalled_L3",
            (_, _, Some(_)) => "stalled_L2",
            (_, _, None) => "completed",
        };
        let status = fact(part, "Status").unwrap_or_default();
        book.hold(status.starts_with(expected), || {
            format!("lane {lane} is {status}, expected {expected}")
        })?;
        if metric {
            let told = fact(part, "Best metric this round").unwrap_or_default();
            let told = told
                .split(' ')
                .next()
                .and_then(|word| word.parse::<f64>().ok());
            book.hold(told == best, || {
                format!("lane {lane}: best {told:?}, expected {best:?}")
            })?;
        }
    }
    Ok(())
}

/// Each claim with its verdict, and none besides.
fn claims(book: &mut Book<'_>, round: u64, text: &str) -> Told {
    let sections = text.lines().filter_map(|line| {
        line.strip_prefix("## ")?
            .split(' ')
            .next()
            .and_then(ids::claim)
    });
    let found: Vec<_> = sections.collect();
    let expected: Vec<_> = book
        .claims(round)
        .into_iter()
        .map(|(claim, lane, _)| (claim, lane))
        .collect();
    let same = found.iter().eq(expected.iter().map(|(claim, _)| claim));
    book.hold(same, || format!("claims {found:?}"))?;
    for (claim, lane) in expected {
        let name = ids::printed(claim);
        let part = part(text, &format!("{name} (Researcher {lane})")).unwrap_or_default();
        let verdict = book.verdicts.get(&claim).cloned();
        book.hold(fact(part, "Verdict") == verdict.as_deref(), || {
            format!("{name}: expected {verdict:?}")
        })?;
        let goes = fact(part, "Action").is_some_and(|action| !action.starts_with("withheld"));
        // A stop may come before the transfer: the page says what the verdict means.
        let over = verdict.as_deref() == Some("validated");
        book.hold(goes == over, || format!("{name} goes over: {over}"))?;
    }
    Ok(())
}

/// The summary of verdicts, lane by lane.
fn counts(book: &mut Book<'_>, round: u64, text: &str) -> Told {
    let table = part(text, "Round Verdict Summary").unwrap_or_default();
    for lane in book.lanes() {
        let start = format!("| {lane} | ");
        let row = table
            .lines()
            .find_map(|line| line.strip_prefix(&start))
            .unwrap_or_default();
        let found: Vec<usize> = row
            .split('|')
            .filter_map(|cell| cell.trim().parse().ok())
            .collect();
        let own: Vec<_> = book
            .claims(round)
            .into_iter()
            .filter(|(_, of, _)| *of == lane)
            .collect();
        let of = |word: &str| {
            own.iter()
                .filter(|(claim, ..)| book.verdicts.get(claim).is_some_and(|own| own == word))
                .count()
        };
        let expected = vec![
            own.len(),
            of("validated"),
            of("challenged"),
            of("overturned"),
            of("needs_review"),
        ];
        book.hold(found == expected, || {
            format!("lane {lane}: {found:?}, expected {expected:?}")
        })?;
    }
    Ok(())
}
