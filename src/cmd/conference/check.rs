//! `conference check`: the faults, the totals, and what there is to approve.

use serde_json::{Value, json};

use super::super::invocation::Invocation;
use super::{agents, asked, drawn, replayed};
use crate::args::CheckArgs;
use crate::conference::authority::{Authority, Wanted};
use crate::conference::gate::{Approval, Conditions, Grant};
use crate::conference::plan::{FILE, Host, Severity};
use crate::conference::root::Root;
use crate::count;
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::term::output::error_document;

pub(super) fn run(invocation: &Invocation, args: &CheckArgs) -> Result<u8> {
    let asked = asked::read(&args.conditions)?;
    let root = Root::open(&args.conditions.root)?;
    // Without a home there is nothing to approve for, but the file can be checked all the same.
    let home = invocation.home();
    let conditions = Conditions::of(&root, &asked, home.as_deref().ok())?;
    asked::fits(&asked, conditions.host)?;
    if let (Err(error), true) = (&home, conditions.reading.is_ready()) {
        invocation
            .output
            .warn(&format!("nothing can be approved: {error}"));
    }
    let replayed = match args.replay {
        true => Some(replayed::of(invocation, &root, &conditions.reading)?),
        false => None,
    };
    let words = asked::words(&args.conditions, conditions.host);
    invocation.output.text(&drawn::conditions(&conditions));
    let mut document = document(&conditions);
    if conditions.host == Host::Hermes {
        let seen = agents::look();
        invocation.output.text(&seen.told());
        document["hermes"] = seen.document();
    }
    let under = under(&conditions, asked.grant.as_ref());
    invocation.output.text(&under.told);
    // The document of the specification, where no bounded work has a say.
    if !under.document.is_null() {
        document["authority"] = under.document;
    }
    if let Some(error) = &conditions.refused {
        document["error"] = error_document(error);
    }
    match &replayed {
        // What has begun is not to be approved any more.
        Some(replayed) => {
            invocation.output.text(&replayed.drawn());
            replayed.tell(&mut document);
        }
        None => invocation.output.text(&drawn::next(&conditions, &words)),
    }
    invocation.output.document(&document);
    let failure = replayed.and_then(|replayed| replayed.failure());
    let failure = failure.or_else(|| failure_of(&conditions));
    Ok(failure.map_or(0, |error| {
        invocation.output.failure_text(&error);
        error.code().exit()
    }))
}

/// Where it lies comes first: no word of the file changes that.
fn failure_of(conditions: &Conditions) -> Option<Error> {
    if conditions.refused.is_some() || conditions.reading.is_ok() {
        return conditions.refused.clone();
    }
    let faults = conditions.reading.faults.iter();
    let errors = faults
        .filter(|fault| fault.severity == Severity::Error)
        .count();
    let rules = count::of(errors, "rule", "rules");
    Some(Error::new(
        Code::InvalidConference,
        format!("{FILE} breaks {rules}"),
    ))
}

/// What bounded work says to the conditions.
#[derive(Default)]
struct Under {
    told: String,
    document: Value,
}

/// Nothing where nothing demands a grant, and where there is nothing to approve yet.
fn under(conditions: &Conditions, grant: Option<&Grant>) -> Under {
    let Some(approval) = &conditions.approval else {
        return Under::default();
    };
    match Authority::of(approval, grant, Wanted::All) {
        Ok(None) => Under::default(),
        Ok(Some(authority)) => Under {
            told: format!(
                "authority granted by {} under {}",
                authority.ids().join(", "),
                authority.grant()
            ),
            document: json!({
                "granted": true,
                "work_id": authority.grant().work_id,
                "revision": authority.grant().revision,
                "grants": authority.ids(),
                "recovered": authority.is_recovered(),
            }),
        },
        Err(error) => Under {
            told: text::line(&format!(
                "authority missing ({}): {error}",
                error.code().as_str()
            ))
            .into_owned(),
            document: json!({
                "granted": false,
                "code": error.code().as_str(),
                "message": error.to_string(),
            }),
        },
    }
}

/// `lithermes/conference-check/v1` (conference.md A8).
fn document(conditions: &Conditions) -> Value {
    let reading = &conditions.reading;
    let draft = &reading.draft;
    let totals = conditions.totals.as_ref();
    let target = draft.target.as_ref().map(|target| {
        json!({
            "metric": draft.metric,
            "comparator": target.comparator,
            "value": target.value,
            "scale": target.scale,
            "unit": target.unit,
        })
    });
    json!({
        "schema": "lithermes/conference-check/v1",
        "ok": reading.is_ok() && conditions.refused.is_none(),
        "ready": reading.is_ready() && conditions.refused.is_none(),
        "faults": reading.faults,
        "config_digest": reading.config_digest,
        "knowledge_digest": reading.knowledge_digest,
        "approval_digest": conditions.approval.as_ref().map(Approval::digest),
        "count": draft.count,
        "iterations_per_round": draft.iterations_per_round,
        "max_rounds": draft.max_rounds,
        "ceiling": draft.max_total_iterations,
        "product": totals.map(|totals| totals.product),
        "effective_rounds": totals.map(|totals| totals.effective_rounds),
        "calls": totals.map(|totals| totals.calls),
        "evaluator_runs": totals.and_then(|totals| totals.evaluator_runs),
        "target": target,
    })
}
