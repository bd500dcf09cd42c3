//! `skill-loop observe`: one record, and the proof that no skill changed.

use std::io::{IsTerminal as _, Read as _};

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use crate::args::ObserveArgs;
use crate::clock;
use crate::engine::host::hermes::prompt;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::hermes::session::{self, Consultation, Session};
use crate::hermes::skills::{Fingerprint, fingerprint, locate};
use crate::skill_loop::observation::{
    self, Attribution, Beside, Draft, MOST_BYTES, Observation, attribute,
};
use crate::skill_loop::workplace::Workplace;

/// What is answered beside the record.
struct Answer {
    /// Where the skill lies, below `H/skills`.
    at: Option<String>,
    attribution: Attribution,
    session: Option<Session>,
    message: Option<i64>,
    before: Option<Fingerprint>,
    after: Option<Fingerprint>,
    torn: Option<String>,
}

impl Answer {
    /// Whether something of the skill was not seen, before or after.
    fn is_partial(&self) -> bool {
        let both = [&self.before, &self.after].into_iter().flatten();
        both.into_iter().any(|one| one.partial)
    }
}

pub(super) fn run(invocation: &Invocation, args: &ObserveArgs) -> Result<u8> {
    let (place, observation, mut answer) = record(invocation, args).map_err(unrecorded)?;
    let after = proof(&place, answer.at.as_deref());
    answer.after = after.map_err(|error| observation::committed(&observation, error))?;
    remarks(invocation, args, &observation, &answer);
    invocation.output.text(&drawn(args, &observation, &answer));
    invocation
        .output
        .document(&document(&place, args, &observation, &answer));
    Ok(0)
}

/// Checks everything, then records it.
fn record(invocation: &Invocation, args: &ObserveArgs) -> Result<(Workplace, Observation, Answer)> {
    beside(args).check()?;
    let draft = draft(args)?;
    let place = invocation.place()?;
    let asked = args.session.as_deref();
    let session = asked.map(|asked| in_session(invocation, &place, asked));
    let session = session.transpose()?;
    let (session, consulted) = session.unzip();
    let skill = draft.skill_id.clone();
    let (attribution, message) = attribute(skill.as_deref(), consulted.as_deref());
    let found = skill.map(|skill| locate(&place.home_dir, &skill));
    let at = found.transpose()?.flatten();
    let before = proof(&place, at.as_deref())?;
    let observation = Observation::new(draft, clock::now());
    let torn = observation::append(&place, &observation, &mut |holder| {
        invocation.waiting(holder);
    })?;
    let answer = Answer {
        at,
        attribution,
        session,
        message,
        before,
        after: None,
        torn,
    };
    Ok((place, observation, answer))
}

/// Says so, but for the failures that leave a record or do not know.
fn unrecorded(error: Error) -> Error {
    match error.code() {
        Code::ObserverRecordStateUnknown | Code::ObserverRecordCommittedCleanupFailed => error,
        _ => error.and("nothing was recorded"),
    }
}

fn beside(args: &ObserveArgs) -> Beside {
    Beside {
        active_skills: args.active_skills.clone(),
        evidence: args.evidence.clone(),
        session: args.session.clone(),
    }
}

/// From the flags, or from standard input when there is none.
fn draft(args: &ObserveArgs) -> Result<Draft> {
    if let (Some(signal), Some(observed), Some(proposal)) =
        (args.signal, &args.observed, &args.proposal)
    {
        return Draft::of_values(signal.into(), args.skill.as_deref(), observed, proposal);
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let text = "an observation needs its fields: as flags, or as JSON on standard input";
        return Err(Error::new(Code::Usage, text).hint("lithermes skill-loop observe --help"));
    }
    let mut bytes = Vec::new();
    // One byte more than the limit is enough to know that it is too much.
    stdin
        .lock()
        .take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Draft::read(&bytes)
}

/// The session that is asked, and what it consulted.
fn in_session(
    invocation: &Invocation,
    place: &Workplace,
    asked: &str,
) -> Result<(Session, Vec<Consultation>)> {
    let found = session::named(&place.home.path, asked, &prompt::is_one)?;
    super::tell_passed(&invocation.output, found.passed);
    let consulted = found.sessions.consulted(&found.session.id)?;
    Ok((found.session, consulted))
}

/// What the skill at a path is at this moment.
fn proof(place: &Workplace, at: Option<&str>) -> Result<Option<Fingerprint>> {
    match at {
        Some(path) => fingerprint(&place.home_dir, path),
        None => Ok(None),
    }
}

fn remarks(invocation: &Invocation, args: &ObserveArgs, record: &Observation, answer: &Answer) {
    let output = &invocation.output;
    if let Some(name) = &answer.torn {
        output.note(&format!("a torn last line was set aside as {name}"));
    }
    let Some(skill) = &record.skill_id else {
        return;
    };
    let shown = text::line(skill);
    if answer.is_partial() {
        output.warn(&format!(
            "{shown} was not compared in full: something in it is too large or cannot be read"
        ));
    } else if answer.before != answer.after {
        output.warn(&format!(
            "{shown} changed while this was recorded; lithermes did not touch it"
        ));
    }
    let active = &args.active_skills;
    let unnamed = !active.is_empty() && !active.contains(skill);
    let doubt = match answer.attribution {
        Attribution::NotConsulted => {
            "was not consulted in that session, as far as Hermes recorded it"
        }
        Attribution::Unverified if unnamed => "is not among the active skills",
        _ => return,
    };
    output.note(&format!(
        "{shown} {doubt}: then this is about what should have loaded it"
    ));
}

fn strength(args: &ObserveArgs) -> &'static str {
    match args.occurrences {
        1 => "once",
        _ => "pattern",
    }
}

fn drawn(args: &ObserveArgs, record: &Observation, answer: &Answer) -> String {
    let skill = record.skill_id.as_deref().map(text::line);
    let about = skill
        .as_ref()
        .map_or(String::new(), |skill| format!(" of {skill}"));
    let mut lines = format!(
        "Recorded {}: {}{about}, {}, attribution {}\n",
        record.id,
        record.signal.as_str(),
        strength(args),
        answer.attribution.as_str(),
    );
    let short = |of: &Fingerprint| of.sha256.get(..12).unwrap_or_default().to_owned();
    if let Some(skill) = skill {
        lines.push_str(&match (&answer.before, &answer.after) {
            _ if answer.is_partial() => format!("Not compared in full: {skill}\n"),
            (None, None) => format!("No skill {skill} to be seen in this home\n"),
            (Some(before), Some(after)) if before == after => {
                format!("Unchanged: {skill} {}\n", short(after))
            }
            _ => format!("Changed by somebody else: {skill}\n"),
        });
    }
    lines.push_str("Next: lithermes skill-loop observations\n");
    lines
}

fn document(place: &Workplace, args: &ObserveArgs, record: &Observation, answer: &Answer) -> Value {
    let session = answer.session.as_ref().map(
        |session| json!({"id": session.id, "source": session.source, "message": answer.message}),
    );
    let compared = record.skill_id.as_ref().filter(|_| !answer.is_partial());
    let digest = |of: &Option<Fingerprint>| json!(of.as_ref().map(|of| &of.sha256));
    let unchanged = compared.map(|skill| {
        json!({
            "skill": skill,
            "before": digest(&answer.before),
            "after": digest(&answer.after),
            "same": answer.before == answer.after,
        })
    });
    json!({
        "schema": "lithermes/observe/v1",
        "workspace": place.workspace.path.to_string_lossy(),
        "log": observation::path(&place.workspace.path).to_string_lossy(),
        "observation": record,
        "attribution": answer.attribution,
        "session": session,
        "activeSkills": args.active_skills,
        "evidence": args.evidence,
        "occurrences": args.occurrences,
        "strength": strength(args),
        "unchanged": unchanged,
        "setAside": answer.torn,
    })
}
