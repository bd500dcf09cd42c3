//! A conference as a verb finds it: its root, its conditions, and whether they are whole.

use super::super::invocation::Invocation;
use super::asked;
use crate::args::ConditionArgs;
use crate::conference::approved;
use crate::conference::gate::{Approval, Asked, Conditions, Grant};
use crate::conference::plan::{FILE, Host, Mode, Plan, Severity};
use crate::conference::root::Root;
use crate::engine::journal::{self, Record};
use crate::engine::state::Gate;
use crate::error::{Code, Error, Result};

/// See the module.
pub(super) struct Opened {
    pub(super) root: Root,
    pub(super) asked: Asked,
    /// The grant that the caller names. What was approved may name an earlier revision.
    pub(super) grant: Option<Grant>,
    pub(super) conditions: Conditions,
    /// The words that say the same again.
    pub(super) words: Vec<String>,
}

/// Conditions with nothing vague left.
pub(super) struct Whole {
    pub(super) plan: Plan,
    pub(super) approval: Approval,
    pub(super) digest: String,
}

impl Opened {
    pub(super) fn of(invocation: &Invocation, args: &ConditionArgs) -> Result<Self> {
        let asked = asked::read(args)?;
        let root = Root::open(&args.root)?;
        let grant = asked.grant.clone();
        Self::under(invocation, args, root, asked, grant)
    }

    /// A conference that may have begun, and its events: where neither the call nor the document
    /// names a host, it is the one that the gate was confirmed for. `LEGACY_UNRECEIPTED` for a run
    /// without receipts.
    pub(super) fn begun(invocation: &Invocation, args: &ConditionArgs) -> Result<(Self, Record)> {
        let mut asked = asked::read(args)?;
        let root = Root::open(&args.root)?;
        let record = journal::replay(root.dir())?;
        if record.legacy {
            let text = "a run without receipts can be read, and not gone on with";
            return Err(Error::new(Code::LegacyUnreceipted, text));
        }
        if let (None, Some(gate)) = (asked.host, &record.state.gate)
            && root.read()?.draft.settings.host.is_none()
        {
            asked.host = Host::named(&gate.host);
        }
        let grant = asked.grant.clone();
        if let Some(gate) = &record.state.gate {
            asked.grant = approved_grant(invocation, gate, grant.as_ref())?;
        }
        Ok((Self::under(invocation, args, root, asked, grant)?, record))
    }

    fn under(
        invocation: &Invocation,
        args: &ConditionArgs,
        root: Root,
        asked: Asked,
        grant: Option<Grant>,
    ) -> Result<Self> {
        let home = invocation.home()?;
        root.refuse_closed(&home)?;
        let conditions = Conditions::of(&root, &asked, Some(&home))?;
        asked::fits(&asked, conditions.host)?;
        let words = asked::words(args, conditions.host);
        Ok(Self {
            root,
            asked,
            grant,
            conditions,
            words,
        })
    }

    /// A command on the same conference.
    pub(super) fn command(&self, verb: &str, more: &[&str]) -> String {
        let head = ["lithermes", "conference", verb].map(str::to_owned);
        let tail = more.iter().map(|word| (*word).to_owned());
        let words = head.into_iter().chain(self.words.iter().cloned());
        shell_words::join(words.chain(tail))
    }

    /// `INVALID_CONFERENCE` where something is wrong, `CONDITIONS_INCOMPLETE` where something is
    /// vague; only what is missing is named.
    pub(super) fn whole(&self) -> Result<Whole> {
        let reading = &self.conditions.reading;
        let check = || self.command("check", &[]);
        if !reading.is_ok() {
            let text = format!("{FILE} says something that cannot be");
            return Err(Error::new(Code::InvalidConference, text)
                .found(self.named(Severity::Error))
                .hint(check()));
        }
        let (Some(plan), Some(approval)) = (&reading.plan, &self.conditions.approval) else {
            let missing = self.named(Severity::Gate);
            let text = format!("{FILE} leaves open what has no safe default: {missing}");
            return Err(Error::new(Code::ConditionsIncomplete, text).hint(check()));
        };
        refuse_unbuilt(plan)?;
        Ok(Whole {
            plan: plan.clone(),
            approval: approval.clone(),
            digest: approval.digest(),
        })
    }

    fn named(&self, severity: Severity) -> String {
        let faults = self.conditions.reading.faults.iter();
        let faults = faults.filter(|fault| fault.severity == severity);
        let fields: Vec<&str> = faults.map(|fault| fault.field.as_str()).collect();
        fields.join(", ")
    }
}

/// The grant of the approval, where the caller names the same work: its revision goes on while the
/// conference does (B 5.3). `BLOCKED_BOUNDED_AUTHORITY_REQUIRED` where the caller names none.
fn approved_grant(
    invocation: &Invocation,
    gate: &Gate,
    named: Option<&Grant>,
) -> Result<Option<Grant>> {
    let receipt = approved::receipt(&invocation.place()?, &gate.approval_digest)?;
    let conditions = receipt
        .as_ref()
        .and_then(|line| line.entry.body.get("conditions"));
    let kept = conditions.and_then(|conditions| Grant::kept(conditions.get("grant")?));
    match (kept, named) {
        (Some(kept), None) => {
            let text = format!(
                "the conference is a part of the bounded work {}, and no grant of it was named",
                kept.work_id
            );
            Err(Error::new(Code::BlockedBoundedAuthorityRequired, text)
                .expected("--grant WORK_ID:REVISION"))
        }
        (Some(kept), Some(named)) if kept.work_id == named.work_id => Ok(Some(kept)),
        (_, named) => Ok(named.cloned()),
    }
}

/// What this lithermes cannot keep is not to be approved.
fn refuse_unbuilt(plan: &Plan) -> Result<()> {
    let refused = |what: String| Err(Error::new(Code::ConditionsIncomplete, what));
    if !matches!(plan.mode, Mode::Metric | Mode::Qualitative) {
        let mode = plan.mode.as_str();
        return refused(format!("this lithermes cannot hold the mode `{mode}`"));
    }
    Ok(())
}
