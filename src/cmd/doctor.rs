//! `doctor`: what lithermes found, and what to do where something is wrong.

use serde_json::{Value, json};

use super::invocation::Invocation;
use crate::count;
use crate::disk::Dir;
use crate::disk::exchange;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::hermes::ancestry;
use crate::hermes::skills::{CatalogEntry, Owner, Owners, catalogue};
use crate::skill_loop::observation;
use crate::skill_loop::standing;
use crate::skill_loop::workplace::Workplace;
use crate::term::table;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    Ok,
    Info,
    Warning,
    Error,
}

#[derive(Debug, serde::Serialize)]
struct Check {
    check: &'static str,
    result: Grade,
    message: String,
    hint: Option<String>,
    #[serde(skip)]
    exit: u8,
}

pub(super) fn run(invocation: &Invocation) -> Result<u8> {
    let place = invocation.place()?;
    let (catalogue, mut checks) = skills(&place);
    let mut all = vec![
        ok(
            "home",
            format!("{} (by {})", place.home_text(), place.home.decided_by),
        ),
        ok(
            "profile",
            place
                .home
                .profile
                .clone()
                .unwrap_or_else(|| "the root".to_owned()),
        ),
        workspace(&place),
        caller(),
        host(&place),
    ];
    all.append(&mut checks);
    all.push(ledger(&place));
    all.push(store(&place));
    all.push(observations(&place));
    all.push(file_system(&place));
    invocation.output.text(&drawn(&all));
    invocation.output.document(&json!({
        "schema": "lithermes/doctor/v1",
        "home": place.home_text(),
        "profile": place.home.profile,
        "workspace": place.workspace.path.to_string_lossy(),
        "checks": all,
        "catalogue": catalogue,
    }));
    Ok(all.iter().map(|check| check.exit).max().unwrap_or(0))
}

fn drawn(checks: &[Check]) -> String {
    let mut rows = Vec::new();
    for check in checks {
        let grade = match check.result {
            Grade::Ok => "ok",
            Grade::Info => "info",
            Grade::Warning => "warning",
            Grade::Error => "error",
        };
        let cells = [check.check, grade, &text::line(&check.message)];
        rows.push(cells.map(str::to_owned).to_vec());
        if let Some(hint) = &check.hint {
            rows.push(vec![
                String::new(),
                String::new(),
                format!("hint: {}", text::line(hint)),
            ]);
        }
    }
    table::draw(&["CHECK", "RESULT", "MESSAGE"], &rows, None)
}

fn ok(check: &'static str, message: impl Into<String>) -> Check {
    Check {
        check,
        result: Grade::Ok,
        message: message.into(),
        hint: None,
        exit: 0,
    }
}

fn failed(check: &'static str, error: &Error) -> Check {
    Check {
        check,
        result: Grade::Error,
        message: format!("{}: {}", error.code().as_str(), error.message()),
        hint: error.hints().first().cloned(),
        exit: error.code().exit().min(Code::LedgerDamaged.exit()),
    }
}

fn workspace(place: &Workplace) -> Check {
    let path = place.workspace.path.display();
    let message = format!("{path} (by {})", place.workspace.decided_by);
    match place.queue().ids() {
        Ok(ids) => {
            let proposals = count::of(ids.len(), "proposal", "proposals");
            ok("workspace", format!("{message}, {proposals}"))
        }
        Err(error) => failed("workspace", &error),
    }
}

fn caller() -> Check {
    match ancestry::agent_behind() {
        None => ok("caller", "a person: no agent stands behind this call"),
        Some(found) => Check {
            check: "caller",
            result: Grade::Info,
            message: format!("{found}; deciding commands refuse here"),
            hint: None,
            exit: 0,
        },
    }
}

fn host(place: &Workplace) -> Check {
    let signs = [
        "config.yaml",
        "state.db",
        "SOUL.md",
        ".skills_prompt_snapshot.json",
    ];
    let found: Vec<&str> = signs
        .into_iter()
        .filter(|name| matches!(place.home_dir.stat(name), Ok(Some(_))))
        .collect();
    if found.is_empty() {
        return Check {
            check: "host",
            result: Grade::Info,
            message: "no trace of a Hermes turn in this home yet".to_owned(),
            hint: None,
            exit: 0,
        };
    }
    ok(
        "host",
        format!("Hermes Agent was here: {}", found.join(", ")),
    )
}

fn skills(place: &Workplace) -> (Vec<Value>, Vec<Check>) {
    let found = catalogue(&place.home_dir).and_then(|entries| {
        let owners = Owners::load(&place.home_dir)?;
        entries
            .iter()
            .map(|entry| document(&owners, entry))
            .collect()
    });
    let entries: Vec<Value> = match found {
        Ok(entries) => entries,
        Err(error) => return (Vec::new(), vec![failed("skills", &error)]),
    };
    let ours = entries
        .iter()
        .filter(|entry| entry["owner"] == "agent")
        .count();
    let message = format!("{} listed by the host, {ours} agent-owned", entries.len());
    let mut checks = vec![ok("skills", message)];
    let excluded = |part: &std::ffi::OsStr| {
        crate::guard::name::HOST_EXCLUDED
            .iter()
            .any(|name| part == *name)
    };
    if place.home.path.iter().any(excluded) {
        checks.push(Check {
            check: "skills",
            result: Grade::Warning,
            message: "a directory on the way to the home has a name that Hermes leaves out: it \
                      sees no skill in this home"
                .to_owned(),
            hint: Some("move the home elsewhere".to_owned()),
            exit: 0,
        });
    }
    (entries, checks)
}

fn document(owners: &Owners, entry: &CatalogEntry) -> Result<Value> {
    let flat = !entry.path.contains('/') && !entry.linked;
    let (owner, reason) = if flat {
        match owners.owner(&entry.dir_name) {
            Ok(Owner::Agent) => ("agent", None),
            Ok(Owner::Absent) => ("absent", None),
            Ok(Owner::Other(reason)) => ("other", Some(reason)),
            Err(error) if error.code() == Code::UnsafePath => {
                ("other", Some(error.message().to_owned()))
            }
            Err(error) => return Err(error),
        }
    } else if entry.linked {
        ("other", Some("reached through a link".to_owned()))
    } else {
        ("other", Some("not directly under skills/".to_owned()))
    };
    Ok(json!({
        "path": entry.path,
        "name": entry.name,
        "description": entry.description,
        "owner": owner,
        "reason": reason,
    }))
}

fn ledger(place: &Workplace) -> Check {
    let looked = || -> Result<Check> {
        let Some(ledger) = place.ledger()? else {
            return Ok(ok("ledger", "none yet: nothing was ever decided"));
        };
        let Some(last) = ledger.last()? else {
            return Ok(ok("ledger", "empty"));
        };
        let entries = count::of(last.entry.seq, "entry", "entries");
        let message = format!("{entries}, the last is {}", last.entry.id);
        let torn = ledger.torn()?;
        let open = standing::unfinished(&ledger)?;
        let what = match (open, torn) {
            (Some((_, opening)), _) => format!("{} was interrupted", opening.proposal_id),
            (None, 0) => return Ok(ok("ledger", message)),
            (None, bytes) => {
                let bytes = count::of(bytes, "byte", "bytes");
                format!("the last line is torn ({bytes})")
            }
        };
        Ok(Check {
            check: "ledger",
            result: Grade::Warning,
            message: format!("{message}; {what}"),
            hint: Some("lithermes skill-loop verify --repair".to_owned()),
            exit: 0,
        })
    };
    looked().unwrap_or_else(|error| failed("ledger", &error))
}

fn store(place: &Workplace) -> Check {
    let looked = || -> Result<Check> {
        let Some(store) = place.store()? else {
            return Ok(ok("store", "none yet"));
        };
        let branches = store.branches("skills")?;
        let skills = count::of(branches.len(), "skill", "skills");
        let path = store.path();
        let message = format!("{skills} with a history in {}", path.display());
        Ok(ok("store", message))
    };
    looked().unwrap_or_else(|error| failed("store", &error))
}

fn observations(place: &Workplace) -> Check {
    let reading = match observation::read(&place.workspace.path) {
        Ok(reading) => reading,
        Err(error) => return failed("observations", &error),
    };
    let damaged = count::of(reading.damaged, "damaged line", "damaged lines");
    let faults = [
        (reading.damaged > 0, damaged.as_str()),
        (reading.torn, "the last line is not finished"),
        (reading.exposed, "others than the owner may open the log"),
    ];
    let found: Vec<&str> = faults
        .iter()
        .filter(|fault| fault.0)
        .map(|fault| fault.1)
        .collect();
    let message = match reading.observations.len() {
        0 if found.is_empty() => "none yet".to_owned(),
        count => format!("{count} recorded"),
    };
    if found.is_empty() {
        return ok("observations", message);
    }
    // The next append sets a torn line aside and closes the log; a damaged line stays.
    let mends = reading.torn || reading.exposed;
    Check {
        check: "observations",
        result: Grade::Warning,
        message: format!("{message}; {}", found.join(", ")),
        hint: mends.then(|| "the next lithermes skill-loop observe mends the log".to_owned()),
        exit: 0,
    }
}

/// Where skills are written; the home itself where there is no skill yet.
fn file_system(place: &Workplace) -> Check {
    let tried = || -> Result<exchange::Abilities> {
        let dir: Dir = match place.home_dir.sub("skills")? {
            Some(skills) => skills,
            None => place.home_dir.again()?,
        };
        exchange::abilities(&dir)
    };
    let abilities = match tried() {
        Ok(abilities) => abilities,
        Err(error) => {
            return Check {
                check: "file system",
                result: Grade::Warning,
                message: format!("it cannot be written to: {}", error.message()),
                hint: None,
                exit: 0,
            };
        }
    };
    let words = [
        (abilities.exchange, "exchange"),
        (abilities.link, "link"),
        (abilities.flush, "flush of directories"),
    ];
    let has: Vec<&str> = words
        .iter()
        .filter(|word| word.0)
        .map(|word| word.1)
        .collect();
    let lacks: Vec<&str> = words
        .iter()
        .filter(|word| !word.0)
        .map(|word| word.1)
        .collect();
    if lacks.is_empty() {
        return ok("file system", has.join(", "));
    }
    Check {
        check: "file system",
        result: Grade::Warning,
        message: format!(
            "no {}: an edit made in the instant of a write may be lost from the skill",
            lacks.join(", no ")
        ),
        hint: None,
        exit: 0,
    }
}
