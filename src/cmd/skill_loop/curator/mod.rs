//! `skill-loop curator`: what the host's curator has to do with our skills. Reports, never acts.

mod ask;

use serde_json::{Value, json};

use self::ask::{Asked, QUESTION, TIME, ask};
use super::super::invocation::Invocation;
use crate::args::CuratorArgs;
use crate::count;
use crate::error::{Code, Error, Result};
use crate::guard::{name, secret, text};
use crate::hermes::curator::{self, Curator, Record};
use crate::hermes::program::{self, Program};
use crate::hermes::skills::{Owner, Owners, catalogue};
use crate::skill_loop::workplace::Workplace;
use crate::term::table;

const HAND_OFF: &str = "hermes curator adopt";
const ENTAILS: &str = include_str!("../../../../templates/curator-hand-off.txt");

/// Everything that is reported.
struct Report {
    host: Option<Program>,
    curator: Curator,
    /// The names of the agent-owned skills, as the host keeps its records; `None` where that
    /// cannot be told.
    ours: Option<Vec<String>>,
    asked: Option<Asked>,
}

pub(super) fn run(invocation: &Invocation, args: &CuratorArgs) -> Result<u8> {
    let place = invocation.place()?;
    let host = program::find();
    let mut curator = curator::read(&place.home_dir)?;
    let owners = Owners::load(&place.home_dir)?;
    let ours = match owners.doubt() {
        None => Some(ours(&place, &owners)?),
        Some(doubt) => {
            if !curator.doubts.iter().any(|known| known == doubt) {
                curator.doubts.push(doubt.to_owned());
            }
            None
        }
    };
    let asked = match (args.ask_host, &host) {
        (false, _) => None,
        (true, Some(host)) => Some(ask(&place, host)?),
        (true, None) => return Err(no_host()),
    };
    let report = Report {
        host,
        curator,
        ours,
        asked,
    };
    for doubt in &report.curator.doubts {
        invocation.output.warn(&text::line(doubt));
    }
    let late = report.asked.as_ref().is_some_and(|asked| asked.timed_out);
    if late {
        let seconds = TIME.as_secs();
        let text = format!("hermes curator status did not end in {seconds} s and was stopped");
        invocation.output.warn(&text);
    }
    invocation.output.text(&report.drawn());
    invocation.output.document(&report.document(&place));
    Ok(u8::from(late))
}

fn no_host() -> Error {
    let text = format!("there is no `{}` on PATH to be asked", program::NAME);
    Error::new(Code::NotFound, text).hint("lithermes skill-loop curator")
}

fn ours(place: &Workplace, owners: &Owners) -> Result<Vec<String>> {
    let mut ours = Vec::new();
    for entry in catalogue(&place.home_dir)? {
        let flat = !entry.path.is_empty() && !entry.path.contains('/') && !entry.linked;
        if flat && owners.owner(&entry.dir_name)? == Owner::Agent {
            ours.push(entry.name);
        }
    }
    Ok(ours)
}

/// Whether a shell takes the name as one plain word.
fn is_plain(skill: &str) -> bool {
    name::check_skill(skill).is_ok()
}

impl Report {
    fn record(&self, skill: &str) -> Option<&Record> {
        self.curator.records.as_ref()?.get(skill)
    }

    /// Whether the host manages it; `None` where its records cannot be read.
    fn managed(&self, skill: &str) -> Option<bool> {
        let records = self.curator.records.as_ref()?;
        Some(records.get(skill).is_some_and(|record| record.managed))
    }

    fn drawn(&self) -> String {
        let mut lines = self.host_line();
        lines.push_str(&self.state_lines());
        lines.push_str(&match self.ours.as_deref() {
            None => "Which skills are ours cannot be told.\n".to_owned(),
            Some([]) => "No skill here is ours.\n".to_owned(),
            Some(ours) => self.table(ours),
        });
        if !self.curator.archived.is_empty() {
            let names = text::line(&self.curator.archived.join(", ")).into_owned();
            lines.push_str(&format!("Ours, and archived by the curator: {names}\n"));
        }
        lines.push_str(&self.hand_off());
        if let Some(asked) = &self.asked {
            lines.push_str(&answer(asked));
        }
        lines
    }

    fn host_line(&self) -> String {
        format!("{}\n", program::told(self.host.as_ref()))
    }

    fn state_lines(&self) -> String {
        let switch = match self.curator.enabled {
            Some(true) => "on",
            Some(false) => "switched off in config.yaml",
            None => "on or off (config.yaml cannot be read)",
        };
        let Some(state) = &self.curator.state else {
            return format!("Curator: {switch}, its state cannot be read\n");
        };
        let paused = if state.paused { ", paused" } else { "" };
        let last = state
            .last_run_at
            .map_or("never".to_owned(), |at| at.to_string());
        let runs = count::of(state.runs, "run", "runs");
        let mut lines = format!("Curator: {switch}{paused}, {runs}, last {last}\n");
        let summary = state.last_summary.as_deref().map(secret::redact);
        for line in summary.unwrap_or_default().lines() {
            lines.push_str(&format!("    {}\n", text::line(line)));
        }
        lines
    }

    fn table(&self, ours: &[String]) -> String {
        let row = |skill: &String| {
            let record = self.record(skill).cloned().unwrap_or_default();
            let managed = match self.managed(skill) {
                Some(true) => "yes",
                Some(false) => "no",
                None => "?",
            };
            let last = record.last_activity_at;
            vec![
                text::line(skill).into_owned(),
                managed.to_owned(),
                text::line(record.state.as_deref().unwrap_or("-")).into_owned(),
                record.activity.to_string(),
                last.map_or("never".to_owned(), |at| at.to_string()),
            ]
        };
        let rows: Vec<Vec<String>> = ours.iter().map(row).collect();
        let headings = ["SKILL", "MANAGED", "STATE", "ACTIVITY", "LAST"];
        table::draw(&headings, &rows, table::width())
    }

    /// The command that hands a skill over, or why there is none.
    fn hand_off(&self) -> String {
        let free = |skill: &&String| self.managed(skill) == Some(false) && is_plain(skill);
        let ours = self.ours.iter().flatten();
        let free: Vec<&str> = ours.filter(free).map(String::as_str).collect();
        let mut lines = "\nTo hand a skill over to the curator:\n".to_owned();
        for skill in if free.is_empty() {
            vec!["<name>"]
        } else {
            free
        } {
            lines.push_str(&format!("    {HAND_OFF} {skill}\n"));
        }
        lines.push_str(&match (&self.host, self.adopts()) {
            (Some(host), Some(false)) => format!(
                "Hermes {} has no `adopt`: it came with 0.20.0.\n",
                text::line(host.version.as_deref().unwrap_or_default())
            ),
            (_, None) => "Hermes has `adopt` from 0.20.0 on.\n".to_owned(),
            (_, Some(_)) => String::new(),
        });
        lines + ENTAILS
    }

    fn adopts(&self) -> Option<bool> {
        self.host.as_ref().and_then(Program::adopts)
    }

    fn document(&self, place: &Workplace) -> Value {
        let host = self.host.as_ref().map(|host| {
            json!({
                "path": host.path.to_string_lossy(),
                "version": host.version,
                "adopts": host.adopts(),
            })
        });
        let state = self.curator.state.as_ref().map(|state| {
            json!({
                "paused": state.paused,
                "runs": state.runs,
                "lastRunAt": state.last_run_at,
                "lastSummary": state.last_summary.as_deref().map(secret::redact),
                "lastReport": state.last_report,
            })
        });
        let skills = self.ours.as_ref().map(|ours| {
            let skills = ours.iter().map(|skill| self.skill(skill));
            skills.collect::<Vec<_>>()
        });
        json!({
            "schema": "lithermes/curator/v1",
            "home": place.home_text(),
            "host": host,
            "enabled": self.curator.enabled,
            "state": state,
            "skills": skills,
            "archived": self.curator.archived,
            "doubts": self.curator.doubts,
            "handOff": {
                "command": format!("{HAND_OFF} <name>"),
                "available": self.adopts(),
                "entails": ENTAILS.split_whitespace().collect::<Vec<_>>().join(" "),
            },
            "asked": self.asked.as_ref().map(asked),
        })
    }

    fn skill(&self, skill: &str) -> Value {
        let record = self.record(skill);
        let managed = self.managed(skill);
        let hands_over = managed == Some(false) && is_plain(skill);
        json!({
            "name": skill,
            "managed": managed,
            "state": record.and_then(|record| record.state.as_ref()),
            "activity": record.map(|record| record.activity),
            "lastActivityAt": record.and_then(|record| record.last_activity_at),
            "handOff": hands_over.then(|| format!("{HAND_OFF} {skill}")),
        })
    }
}

fn answer(asked: &Asked) -> String {
    let status = match asked.status {
        Some(status) => format!("status {status}, which proves nothing"),
        None => "stopped".to_owned(),
    };
    let mut lines = format!("\n$ hermes {} ({status})\n", QUESTION.join(" "));
    for stream in [&asked.stdout, &asked.stderr] {
        for line in text::block(&stream.text).lines() {
            lines.push_str(&format!("    {line}\n"));
        }
        if stream.cut {
            lines.push_str("    … (cut)\n");
        }
    }
    lines
}

fn asked(asked: &Asked) -> Value {
    json!({
        "command": ["hermes", QUESTION[0], QUESTION[1]],
        "status": asked.status,
        "timedOut": asked.timed_out,
        "cut": asked.stdout.cut || asked.stderr.cut,
        "stdout": asked.stdout.text,
        "stderr": asked.stderr.text,
    })
}
