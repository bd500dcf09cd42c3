//! `apply`: the human approval act, and the only way to a change of a skill.

use super::{Done, Plan, carry_out};
use crate::error::{Code, Error, Result};
use crate::skill_loop::assess::Assessor;
use crate::skill_loop::queue::Proposal;
use crate::skill_loop::receipt::State;
use crate::skill_loop::standing::{self, Standing};
use crate::skill_loop::workplace::{Locked, Workplace};

/// What applying a proposal would do; `Err(Done::Already)` inside where it is applied.
pub fn plan_apply(
    place: &Workplace,
    assessor: &Assessor<'_>,
    id: &str,
) -> Result<std::result::Result<Plan, Done>> {
    let proposal = place.queue().get(id)?;
    let standing = standing::of(place.ledger()?.as_ref(), id)?;
    plan_standing(assessor, &proposal, &standing)
}

/// As [`plan_apply`], for a proposal whose standing is known.
fn plan_standing(
    assessor: &Assessor<'_>,
    proposal: &Proposal,
    standing: &Standing,
) -> Result<std::result::Result<Plan, Done>> {
    match standing.state {
        State::Applied => {
            let receipt = standing.receipt.clone().unwrap_or_default();
            let note = format!("{} is already applied, nothing was written", proposal.id);
            Ok(Err(Done::Already { receipt, note }))
        }
        State::Rejected | State::RolledBack => Err(not_pending(proposal, standing)),
        // An open decision is undone or finished first; what is pending then is planned anew.
        State::Pending | State::Approved => assessor.plan(proposal, State::Pending).map(Ok),
    }
}

/// Applies one proposal. `approved` is the digest of the plan that a person saw; the plan that is
/// computed under the lock must have it. `None` where the full id itself is the approval.
pub fn apply(locked: &Locked<'_>, id: &str, approved: Option<&str>) -> Result<Done> {
    let assessor = Assessor::load(locked.place)?;
    match plan_apply(locked.place, &assessor, id)? {
        Err(done) => Ok(done),
        Ok(plan) => {
            same_plan(&plan, approved)?;
            carry_out(locked, &plan)
        }
    }
}

/// What was shown is what is done.
pub(super) fn same_plan(plan: &Plan, approved: Option<&str>) -> Result<()> {
    let now = plan.digest();
    match approved {
        Some(seen) if seen != now => {
            let text = "what would be written is not what was shown any more; nothing was changed";
            Err(Error::new(Code::StaleBase, text).expected(seen).found(now))
        }
        _ => Ok(()),
    }
}

fn not_pending(proposal: &Proposal, standing: &Standing) -> Error {
    let state = standing.state.as_str();
    let text = format!(
        "{} is {state}; only a pending proposal can be applied",
        proposal.id
    );
    let receipt = standing.receipt.as_deref().unwrap_or_default();
    Error::new(Code::NotPending, text)
        .expected("pending")
        .found(format!("{state} ({receipt})"))
        .hint("propose the same document again: that makes it pending")
}
