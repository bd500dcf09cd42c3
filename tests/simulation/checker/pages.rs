//! What was rendered: results against the events, findings against the verdicts, and nothing of
//! what was refused.

use std::collections::BTreeSet;

use super::Evidence;
use super::book::Book;
use super::ids::{self, Task};
use super::verdicts;

type Told = Result<(), String>;

pub(super) fn check(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    for (name, text) in evidence.written {
        let poison = text.contains(evidence.poison);
        book.hold(!poison, || format!("{name} repeats what was refused"))?;
        let numbers = text
            .split(|c: char| !c.is_alphanumeric())
            .all(|word| !matches!(word, "NaN" | "inf" | "Infinity"));
        book.hold(numbers, || format!("{name} has a number that is none"))?;
    }
    names(book, evidence)?;
    if !book.rounds.is_empty() {
        results(book, evidence)?;
        established(book, evidence)?;
    }
    knowledge(book, evidence)?;
    report(book, evidence)
}

fn text<'a>(evidence: &Evidence<'a>, name: &str) -> &'a str {
    let found = evidence.written.iter().find(|(own, _)| own == name);
    found.map_or("", |(_, text)| text.as_str())
}

/// The files that there must be, and no other.
fn names(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    let mut expected: BTreeSet<String> = ["final_report.md", "Shared Knowledge", "Conference Log"]
        .map(str::to_owned)
        .into();
    if !book.rounds.is_empty() {
        expected.insert("synthesis.md".to_owned());
        expected.insert("conference_results.tsv".to_owned());
        expected.extend(
            book.lanes()
                .iter()
                .map(|lane| format!("researcher_{lane}_results.tsv")),
        );
    }
    for (number, round) in &book.rounds {
        if round.poster {
            expected.insert(format!("poster_session_round_{number}.md"));
        }
        if round.reviewed.is_some() {
            expected.insert(format!("peer_review_round_{number}.md"));
        }
    }
    let found: BTreeSet<String> = evidence
        .written
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    book.hold(
        found == expected && evidence.written.len() == expected.len(),
        || format!("{found:?}, expected {expected:?}"),
    )
}

/// Every row of the results is a row of the events, in order, and none is missing.
fn results(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    let metric = book.on.metric.is_some();
    let lines: Vec<Vec<&str>> = text(evidence, "conference_results.tsv")
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    let mut order = Vec::new();
    for cells in &lines {
        book.hold(cells.len() == 11, || {
            format!("{} cells: {cells:?}", cells.len())
        })?;
        let key = (
            cells[0].parse::<u64>().ok(),
            cells[1].chars().next(),
            cells[2].parse::<u64>().ok(),
        );
        let (Some(round), Some(lane), Some(iteration)) = key else {
            return Err(format!("no row: {cells:?}"));
        };
        order.push((round, lane, iteration));
        let Some(row) = book.rows.get(&(round, lane, iteration)).cloned() else {
            // A lane that no reviewer scored has a row without a value.
            let none = !metric && cells[3] == "-" && cells[6] == "failed";
            book.hold(none, || format!("no event tells {cells:?}"))?;
            continue;
        };
        let number = |cell: &str| cell.parse::<f64>().ok();
        book.hold(
            number(cells[3]) == row.value && number(cells[4]) == row.delta,
            || format!("{cells:?}, expected {row:?}"),
        )?;
        book.hold(cells[6] == row.status, || {
            format!("{cells:?}, expected {row:?}")
        })?;
        share(book, cells, (round, lane))?;
        let worth = verdicts::of_rows(book, round).remove(&(lane, iteration));
        let worth = worth.filter(|word| word != "needs_review");
        let worth = worth.unwrap_or_else(|| "-".to_owned());
        book.hold(cells[9] == worth, || format!("{cells:?}, expected {worth}"))?;
        book.hold(
            !cells[7].is_empty() && ids::seconds(cells[10]).is_some(),
            || format!("{cells:?}"),
        )?;
    }
    let sorted = order.windows(2).all(|pair| pair[0] < pair[1]);
    book.hold(sorted, || "rows are not in order".to_owned())?;
    let found: BTreeSet<_> = order.iter().copied().collect();
    let missing = book.rows.keys().find(|key| !found.contains(*key)).copied();
    book.hold(missing.is_none(), || format!("{missing:?} is missing"))?;
    if metric {
        lane_files(book, evidence, &lines)?;
    }
    Ok(())
}

/// Percent of where the round began, to one decimal.
fn share(book: &mut Book<'_>, cells: &[&str], (round, lane): (u64, char)) -> Told {
    let row = match book.on.metric.is_some() {
        true => book.rows.get(&(round, lane, 0)),
        false => book
            .rows
            .range((1, lane, 1)..(round, lane, 1))
            .filter(|((_, of, _), _)| *of == lane)
            .map(|(_, row)| row)
            .next_back(),
    };
    let base = row.and_then(|row| row.value).filter(|base| *base != 0.0);
    let delta = cells[4].parse::<f64>().ok();
    let expected = delta.and_then(|delta| Some(delta / base?.abs() * 100.0));
    let found = cells[5]
        .strip_suffix('%')
        .and_then(|text| text.parse::<f64>().ok());
    let same = match (expected, found) {
        (None, None) => cells[5] == "-",
        (Some(expected), Some(found)) => (expected - found).abs() < 0.051,
        _ => false,
    };
    book.hold(same, || format!("{cells:?}, expected {expected:?} percent"))
}

/// A lane's file has its rows of the conference's file.
fn lane_files(book: &mut Book<'_>, evidence: &Evidence<'_>, lines: &[Vec<&str>]) -> Told {
    for lane in book.lanes() {
        let name = format!("researcher_{lane}_results.tsv");
        let found: Vec<&str> = text(evidence, &name).lines().skip(1).collect();
        let own = lines.iter().filter(|cells| cells[1] == lane.to_string());
        let expected: Vec<String> = own
            .map(|cells| [&cells[2..9], &cells[10..]].concat().join("\t"))
            .collect();
        book.hold(found == expected, || {
            format!("{name} differs from the conference's file")
        })?;
    }
    Ok(())
}

/// Claims as they are named in a text, in order.
fn named(text: &str) -> Vec<ids::ClaimId> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '#'));
    words.filter_map(ids::claim).collect()
}

/// What a synthesis calls established was validated.
fn established(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    let page = text(evidence, "synthesis.md");
    let part = page
        .split("### Established\n")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .unwrap_or_default();
    let starts = part.lines().filter_map(|line| {
        line.strip_prefix("- ")?
            .split(' ')
            .next()
            .and_then(ids::claim)
    });
    let found: Vec<_> = starts.collect();
    let all: Vec<_> = book
        .rounds
        .keys()
        .flat_map(|round| book.claims(*round))
        .map(|(claim, ..)| claim)
        .collect();
    let expected: Vec<_> = all
        .into_iter()
        .filter(|claim| {
            book.verdicts
                .get(claim)
                .is_some_and(|word| word == "validated")
        })
        .collect();
    book.hold(found == expected, || {
        format!("established {found:?}, expected {expected:?}")
    })
}

/// Shared Knowledge names what went over, each once.
fn knowledge(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    let page = text(evidence, "Shared Knowledge");
    let lines = page.lines().filter(|line| line.contains(". **"));
    let found: Vec<_> = lines
        .filter_map(|line| named(line).first().copied())
        .collect();
    let expected: Vec<_> = book.knowledge.iter().map(|(claim, _)| *claim).collect();
    book.hold(found == expected, || {
        format!("knowledge {found:?}, expected {expected:?}")
    })
}

/// The report says how it ended, and hides nothing.
fn report(book: &mut Book<'_>, evidence: &Evidence<'_>) -> Told {
    let page = text(evidence, "final_report.md");
    let Some((_, stop)) = book.end.clone() else {
        return Ok(());
    };
    let hit: Vec<&str> = stop["budget_hit"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|word| word.as_str())
        .collect();
    let hit = if hit.is_empty() {
        "none".to_owned()
    } else {
        hit.join(", ")
    };
    let best = super::ends::facts(book).best;
    let best = best.map_or_else(|| "-".to_owned(), |best| best.0.to_string());
    let best = format!("- **Best Metric:** {best} (");
    let there = page.lines().any(|line| line.starts_with(&best));
    book.hold(there, || format!("the report lacks `{best}`"))?;
    let facts = [
        (
            "stop_code",
            stop["stop_code"].as_str().unwrap_or_default().to_owned(),
        ),
        ("target_met", stop["target_met"].to_string()),
        ("plateau", stop["plateau"].to_string()),
        ("stalled", stop["stalled"].to_string()),
        ("budget_hit", hit),
        (
            "Total Iterations",
            format!("{} of {}", book.spent(u64::MAX), book.on.ceiling),
        ),
        (
            "Total Rounds",
            format!("{} of {}", book.rounds.len(), book.on.rounds),
        ),
        ("Coverage", coverage(book)),
    ];
    for (label, value) in facts {
        let line = format!("- **{label}:** {value}");
        let there = page.lines().any(|own| own == line);
        book.hold(there, || format!("the report lacks `{line}`"))?;
    }
    Ok(())
}

fn coverage(book: &Book<'_>) -> String {
    let lanes = book.lanes();
    let all = book.rounds.len() * lanes.len();
    let packets = book
        .rounds
        .keys()
        .flat_map(|round| lanes.iter().map(|lane| Task::Lane(*round, *lane)));
    let received = packets.filter(|task| book.packet(*task).is_some()).count();
    let partial = if received < all { " (partial)" } else { "" };
    format!("{received}/{all}{partial}")
}
