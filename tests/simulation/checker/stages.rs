//! The stages of a conference: each move begins where the last one ended, only the moves of the
//! protocol are made, and what goes out belongs to its stage.

use serde_json::Value;

use super::book::Book;
use super::ids::{self, Task};

type Told = Result<(), String>;

/// Where every conference begins.
pub(super) const FIRST: &str = "PLANNING";

/// From where to where.
const MOVES: [(&str, &[&str]); 6] = [
    (FIRST, &["CONFIRMED"]),
    ("CONFIRMED", &["DISPATCHING", "SYNTHESIZING"]),
    ("DISPATCHING", &["COLLECTING", "REVIEWING", "SYNTHESIZING"]),
    ("COLLECTING", &["DISPATCHING", "REVIEWING", "SYNTHESIZING"]),
    ("REVIEWING", &["DISPATCHING", "SYNTHESIZING"]),
    ("SYNTHESIZING", &[]),
];

pub(super) fn moved(book: &mut Book<'_>, payload: &Value) -> Told {
    let text = |key: &str| payload[key].as_str().unwrap_or_default().to_owned();
    let (prev, next) = (text("prev"), text("next"));
    let here = book.stage.clone();
    book.hold(prev == here, || format!("the stage was {here}"))?;
    let legal = MOVES
        .iter()
        .any(|(from, to)| *from == prev && to.contains(&next.as_str()));
    book.hold(legal, || "no move of the protocol".to_owned())?;
    let round = book.round();
    book.hold(payload["round"] == round, || {
        format!("the round is {round}")
    })?;
    for one in payload["dispatch_ids"].as_array().into_iter().flatten() {
        let id = one.as_str().and_then(ids::id).ok_or("no id")?;
        let known = book.accounts.get(&id).is_some_and(|account| account.issued);
        book.hold(known, || format!("{one} never went out"))?;
    }
    book.stage = next;
    Ok(())
}

/// What goes out belongs to the stage.
pub(super) fn goes_out(book: &mut Book<'_>, task: Task) -> Told {
    let fitting: &[&str] = match task {
        Task::Probe => &["CONFIRMED"],
        Task::Lane(..) => &["DISPATCHING"],
        Task::Poster(_) => &["COLLECTING"],
        Task::Review(_) => &["REVIEWING"],
        Task::Synthesis => &["SYNTHESIZING"],
    };
    let fits = fitting.contains(&book.stage.as_str());
    let stage = book.stage.clone();
    book.hold(fits, || format!("{task:?} goes out in the stage {stage}"))
}
