//! `skill-loop observations`: what was recorded, without a lock.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::super::invocation::Invocation;
use crate::args::ObservationsArgs;
use crate::count;
use crate::error::{Code, Error, Result};
use crate::guard::{secret, text};
use crate::hermes::skills::is_same;
use crate::skill_loop::observation::{self, Observation};

pub(super) fn run(invocation: &Invocation, args: &ObservationsArgs) -> Result<u8> {
    let since = args.since.as_deref().map(time).transpose()?;
    let place = invocation.place()?;
    let workspace = &place.workspace.path;
    let reading = observation::read(workspace)?;
    let none = reading.observations.is_empty();
    let fits = |one: &&Observation| wanted(one, args, since);
    let found = reading.observations.iter().filter(fits);
    let found: Vec<Observation> = found.map(redacted).collect();
    let log = observation::path(workspace);
    if reading.damaged > 0 {
        let lines = count::of(reading.damaged, "damaged line was", "damaged lines were");
        let text = format!("{lines} passed over in {}", log.display());
        invocation.output.warn(&text);
    }
    if reading.torn {
        let text = "the last line is not finished; the next observe sets it aside";
        invocation.output.warn(text);
    }
    let spoilt = reading.damaged > 0 || reading.torn;
    invocation.output.text(&match (none, found.as_slice()) {
        (true, _) if spoilt => "No whole observation is here.".to_owned(),
        (true, _) => "Nothing was observed here yet.".to_owned(),
        (false, []) => "No observation fits.".to_owned(),
        (false, found) => found.iter().map(drawn).collect(),
    });
    let documents: Vec<Value> = found.iter().map(document).collect();
    invocation.output.document(&json!({
        "schema": "lithermes/observations/v1",
        "workspace": workspace.to_string_lossy(),
        "log": log.to_string_lossy(),
        "observations": documents,
        "damaged": reading.damaged,
        "torn": reading.torn,
    }));
    Ok(0)
}

/// A time, or a day from its beginning in UTC.
fn time(given: &str) -> Result<Timestamp> {
    let day = |date: Date| date.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    let parsed = given.parse::<Timestamp>().ok();
    let parsed = parsed.or_else(|| given.parse::<Date>().ok().and_then(day));
    parsed.ok_or_else(|| {
        let text = format!("`{}` is no time", text::line(given));
        Error::new(Code::Usage, text).expected("2026-11-30 or 2026-11-30T10:15:00Z")
    })
}

fn wanted(one: &Observation, args: &ObservationsArgs, since: Option<Timestamp>) -> bool {
    let skill = args.skill.as_deref();
    args.signal.is_none_or(|signal| one.signal == signal.into())
        && skill.is_none_or(|skill| {
            one.skill_id
                .as_deref()
                .is_some_and(|own| is_same(own, skill))
        })
        && since.is_none_or(|since| one.at >= since)
}

/// When it was recorded, where the record says so.
fn recorded(one: &Observation) -> Option<Timestamp> {
    Some(one.at).filter(|at| *at != Timestamp::UNIX_EPOCH)
}

/// What `observe` refuses may have been written by hand, or by an older version.
fn redacted(one: &Observation) -> Observation {
    let clean = |text: &String| secret::redact(text).into_owned();
    Observation {
        skill_id: one.skill_id.as_ref().map(clean),
        observed: clean(&one.observed),
        proposal: clean(&one.proposal),
        ..one.clone()
    }
}

fn drawn(one: &Observation) -> String {
    let at = recorded(one).map_or("at an unknown time".to_owned(), |at| at.to_string());
    let skill = text::line(one.skill_id.as_deref().unwrap_or("no skill"));
    let mut lines = format!("{}  {at}  {:<12}  {skill}\n", one.id, one.signal.as_str());
    for (name, value) in [("observed", &one.observed), ("proposal", &one.proposal)] {
        let shown = text::block(value);
        let mut label = name;
        for line in shown.lines() {
            lines.push_str(&format!("    {label:<8}  {line}\n"));
            label = "";
        }
    }
    lines
}

/// One record, for a program.
fn document(one: &Observation) -> Value {
    let mut document = json!(one);
    document["at"] = json!(recorded(one));
    document
}
