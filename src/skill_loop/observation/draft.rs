//! What somebody wants recorded, checked before anything is made.

use serde_json::json;

use super::{SCHEMA, SIGNALS, Signal};
use crate::count;
use crate::error::{Code, Error, Fault, Result};
use crate::guard::json::{self, Faults};
use crate::guard::text::is_hidden;
use crate::skill_loop::credentials::{self, shown};
use crate::skill_loop::fields::{Field, Form};

/// Bytes of a document.
pub const MOST_BYTES: usize = 1 << 20;
const LIMITS: json::Limits = json::Limits {
    bytes: MOST_BYTES,
    depth: 16,
};
/// Characters of `observed` and of `proposal`.
const TEXT_CHARS: usize = 2000;
/// Characters of a skill's name, with plugin or category before it.
const NAME_CHARS: usize = 256;

const KNOWN: [&str; 6] = [
    "schema", "signal", "skill_id", "observed", "proposal", "applied",
];

/// A record without id and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// One of [`SIGNALS`].
    pub signal: Signal,
    /// The skill concerned.
    pub skill_id: Option<String>,
    /// 1 to 2,000 characters.
    pub observed: String,
    /// 1 to 2,000 characters.
    pub proposal: String,
}

/// What is answered and not stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Beside {
    /// The skills that were active, as the caller says.
    pub active_skills: Vec<String>,
    /// The turn that the observation rests on.
    pub evidence: Option<String>,
    /// The session that is asked what it consulted.
    pub session: Option<String>,
}

impl Draft {
    /// Reads one JSON object. `BLOCKED_OBSERVER_SECRET` where any text in it, keys included, bears
    /// a credential; `INVALID_OBSERVATION` with all other faults.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let reading = json::read(bytes, LIMITS).map_err(|fault| refusal(vec![fault]))?;
        let root = Field::root(&reading.root);
        blocked(&root)?;
        let mut faults = Faults::from_list(reading.faults);
        let draft = draft(&root, &mut faults);
        let faults = faults.sorted();
        match draft {
            Some(draft) if faults.is_empty() => Ok(draft),
            _ => Err(refusal(faults)),
        }
    }

    /// As [`Draft::read`], for values that came from no document.
    pub fn of_values(
        signal: Signal,
        skill_id: Option<&str>,
        observed: &str,
        proposal: &str,
    ) -> Result<Self> {
        let document = json!({
            "signal": signal,
            "skill_id": skill_id,
            "observed": observed,
            "proposal": proposal,
        });
        Self::read(document.to_string().as_bytes()).map_err(without_places)
    }
}

impl Beside {
    /// `BLOCKED_OBSERVER_SECRET` where a text of it bears a credential.
    pub fn check(&self) -> Result<()> {
        let document = json!(self).to_string();
        let reading = json::read(document.as_bytes(), LIMITS);
        let reading = reading.map_err(|fault| without_places(refusal(vec![fault])))?;
        blocked(&Field::root(&reading.root)).map_err(without_places)
    }
}

fn blocked(root: &Field<'_>) -> Result<()> {
    let mut found = Faults::default();
    credentials::refuse(root, &mut found);
    let found = found.sorted();
    if found.is_empty() {
        return Ok(());
    }
    let text = "the observation bears a credential";
    Err(Error::new(Code::BlockedObserverSecret, text).with_faults(clean(found)))
}

fn refusal(faults: Vec<Fault>) -> Error {
    let what = count::of(faults.len(), "fault", "faults");
    let what = format!("the observation has {what}");
    Error::new(Code::InvalidObservation, what).with_faults(clean(faults))
}

/// A key is the user's text, and may be a credential like any other.
fn clean(mut faults: Vec<Fault>) -> Vec<Fault> {
    for fault in &mut faults {
        fault.pointer = credentials::without_secrets(&fault.pointer);
    }
    faults
}

fn without_places(error: Error) -> Error {
    let mut faults = error.faults().to_vec();
    for fault in &mut faults {
        (fault.line, fault.column) = (0, 0);
    }
    error.with_faults(faults)
}

fn draft(root: &Field<'_>, faults: &mut Faults) -> Option<Draft> {
    let form = root.object(&KNOWN, faults)?;
    constants(&form, faults);
    // Each is read before any is asked for, so that one fault hides no other.
    let signal = signal(&form, faults);
    let skill_id = skill_id(&form, signal, faults);
    let observed = text(&form, "observed", "what happened", faults);
    let proposal = text(
        &form,
        "proposal",
        "the edit that would have prevented it",
        faults,
    );
    Some(Draft {
        signal: signal?,
        skill_id: skill_id?,
        observed: observed?,
        proposal: proposal?,
    })
}

/// What may stand there, and can only be one thing.
fn constants(form: &Form<'_>, faults: &mut Faults) {
    if let Some(field) = form.optional("schema")
        && let Some(found) = field.text(faults).filter(|text| *text != SCHEMA)
    {
        let message = format!("expected `{SCHEMA}`, found {}", shown(found));
        field.fault(faults, message);
    }
    if let Some(field) = form.optional("applied")
        && field.flag(faults) == Some(true)
    {
        field.fault(faults, "expected `false`: an observation applies nothing");
    }
}

fn signal(form: &Form<'_>, faults: &mut Faults) -> Option<Signal> {
    let field = form.required("signal", faults)?;
    let text = field.text(faults)?;
    let signal = SIGNALS.into_iter().find(|signal| signal.as_str() == text);
    if signal.is_none() {
        let right = SIGNALS.map(Signal::as_str).join("`, `");
        field.fault(
            faults,
            format!("expected one of `{right}`, found {}", shown(text)),
        );
    }
    signal
}

/// `None` for a fault, `Some(None)` for none named.
#[expect(clippy::option_option, reason = "a fault and nothing named differ")]
fn skill_id(
    form: &Form<'_>,
    signal: Option<Signal>,
    faults: &mut Faults,
) -> Option<Option<String>> {
    let named = form.optional("skill_id").filter(|field| !field.is_null());
    let Some(field) = named else {
        if signal.is_some_and(|signal| signal != Signal::CoverageGap) {
            let message = "`skill_id` is missing: only a coverage gap may name no skill";
            form.field.fault(faults, message);
        }
        return Some(None);
    };
    let text = field.text(faults)?;
    let found = text.chars().count();
    if text.trim() != text || text.is_empty() || text.chars().any(is_hidden) {
        field.fault(
            faults,
            "expected a skill's name on one line, without space around it",
        );
    } else if found > NAME_CHARS {
        field.fault(
            faults,
            format!("expected at most {NAME_CHARS} characters, found {found}"),
        );
    }
    Some(Some(text.to_owned()))
}

fn text(form: &Form<'_>, key: &str, what: &str, faults: &mut Faults) -> Option<String> {
    let field = form.required(key, faults)?;
    let text = field.text(faults)?;
    let found = text.chars().count();
    if text.trim().is_empty() {
        field.fault(faults, format!("expected {what}, found none"));
    } else if found > TEXT_CHARS {
        field.fault(
            faults,
            format!("expected at most {TEXT_CHARS} characters, found {found}"),
        );
    }
    Some(text.to_owned())
}
