//! The queue as a person wants to see it: each proposal with its state, whether it can be
//! applied, and what stands beside it.
//!
//! Promises: what is said here of a pending proposal is what `apply --dry-run` says of it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::assess::Assessor;
use super::decision::Plan;
use super::queue::Proposal;
use super::receipt::{FileState, State};
use super::standing::{Standing, Standings};
use super::workplace::Workplace;
use crate::error::{Code, Error, Result};

/// A proposal and all that is derived on display (skill-loop.md §3).
#[derive(Debug)]
pub struct Item {
    /// All 32 digits.
    pub id: String,
    /// The proposal, or why its queue file cannot be trusted.
    pub proposal: Result<Arc<Proposal>>,
    /// Where the ledger says that it stands.
    pub standing: Standing,
    /// For a pending one: whether it can be applied, or why it cannot be.
    pub verdict: Option<Result<()>>,
    /// What stands beside it.
    pub marks: Vec<Mark>,
}

/// Something derived about a proposal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A decision began and did not end.
    Interrupted,
    /// A recovery found an edit of somebody else.
    Contested,
    /// The queue file was changed after the import.
    Altered,
    /// A file is not what it was at import; the applied proposal that did it, where one did.
    Stale(Option<String>),
    /// It can never be applied as things are.
    Blocked,
    /// The same document was proposed again on newer files.
    SupersededBy(String),
    /// Other pending proposals on the same file.
    Conflicts(Vec<String>),
    /// A newer proposal on the same base was rejected.
    OlderSiblingOfRejected(String),
    /// The skill bears the marker, but no receipt of ours made it.
    MarkerWithoutReceipt,
}

impl Mark {
    /// As it is spelled in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Contested => "contested",
            Self::Altered => "altered",
            Self::Stale(_) => "stale",
            Self::Blocked => "blocked",
            Self::SupersededBy(_) => "superseded",
            Self::Conflicts(_) => "conflicts",
            Self::OlderSiblingOfRejected(_) => "older-sibling-of-rejected",
            Self::MarkerWithoutReceipt => "marker-without-receipt",
        }
    }

    /// The proposals that it is about.
    pub fn others(&self) -> Vec<&str> {
        match self {
            Self::SupersededBy(id) | Self::OlderSiblingOfRejected(id) => vec![id],
            Self::Stale(Some(id)) => vec![id],
            Self::Conflicts(ids) => ids.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

/// All proposals of the queue, oldest first, with marks. `wanted` chooses by state and skill
/// before the costly part; marks still consider every proposal.
pub fn load(
    place: &Workplace,
    wanted: &dyn Fn(State, Option<&Proposal>) -> bool,
) -> Result<Vec<Item>> {
    let mut all = queued(place)?;
    all.sort_unstable_by(|one, two| one.age().cmp(&two.age()));
    let siblings = Siblings::of(&all);
    let wanted = |one: &&Queued| {
        let proposal = one.proposal.as_ref().ok().map(Arc::as_ref);
        wanted(one.standing.state, proposal)
    };
    let chosen: Vec<&Queued> = all.iter().filter(wanted).collect();
    in_parallel(&chosen, |part| {
        let assessor = Assessor::load(place)?;
        part.iter()
            .map(|one| item(&assessor, &siblings, one))
            .collect()
    })
}

/// Hands parts of a long list to as many threads as there are processors; the order stays.
fn in_parallel<T: Sync, R: Send>(
    list: &[T],
    work: impl Fn(&[T]) -> Result<Vec<R>> + Sync,
) -> Result<Vec<R>> {
    /// Below this a thread costs more than it saves.
    const SHORT: usize = 64;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let size = list.len().div_ceil(threads).max(SHORT);
    let parts: Vec<Result<Vec<R>>> = std::thread::scope(|scope| {
        let running: Vec<_> = list
            .chunks(size)
            .map(|part| scope.spawn(|| work(part)))
            .collect();
        running.into_iter().map(join).collect()
    });
    let mut all = Vec::with_capacity(list.len());
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}

/// A panic of a thread goes on in the caller.
fn join<R>(running: std::thread::ScopedJoinHandle<'_, R>) -> R {
    running
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// One proposal by its full id, and what it would write where it can be applied. `NOT_FOUND` with
/// the ids that exist.
pub fn one(place: &Workplace, id: &str) -> Result<(Item, Option<Plan>)> {
    let all = queued(place)?;
    let Some(wanted) = all.iter().find(|one| one.id == id) else {
        return Err(place
            .queue()
            .not_found(id, all.iter().map(|one| one.id.as_str())));
    };
    let assessor = Assessor::load(place)?;
    let item = item(&assessor, &Siblings::of(&all), wanted)?;
    let plan = match (&item.proposal, &item.verdict) {
        (Ok(proposal), Some(Ok(()))) => Some(assessor.plan(proposal, State::Pending)?),
        _ => None,
    };
    Ok((item, plan))
}

/// A queue file and where its proposal stands.
struct Queued {
    id: String,
    proposal: Result<Arc<Proposal>>,
    standing: Standing,
}

impl Queued {
    /// What the queue is sorted by.
    fn age(&self) -> (Option<Timestamp>, &str) {
        let proposal = self.proposal.as_ref().ok();
        (proposal.map(|proposal| proposal.imported_at), &self.id)
    }
}

fn queued(place: &Workplace) -> Result<Vec<Queued>> {
    let standings = Standings::load(place.ledger()?.as_ref())?;
    let queue = place.queue();
    let ids: Vec<String> = queue.ids()?.into_iter().collect();
    let all = in_parallel(&ids, |part| queue.load_these(part))?;
    Ok(all
        .into_iter()
        .map(|(id, proposal)| Queued {
            standing: standings.of(&id),
            id,
            proposal: proposal.map(Arc::new),
        })
        .collect())
}

fn item(assessor: &Assessor<'_>, siblings: &Siblings<'_>, queued: &Queued) -> Result<Item> {
    let Queued {
        id,
        proposal,
        standing,
    } = queued;
    let mut marks = Vec::new();
    if standing.state == State::Approved {
        marks.push(Mark::Interrupted);
    }
    if standing.contested {
        marks.push(Mark::Contested);
    }
    let open = matches!(standing.state, State::Pending | State::Approved);
    let verdict = match proposal {
        Err(error) => {
            marks.push(Mark::Altered);
            open.then(|| Err(error.clone()))
        }
        Ok(proposal) if open => {
            let verdict = assessor.check(proposal);
            marks.extend(judged(&verdict, proposal, siblings));
            marks.extend(siblings.marks(proposal));
            if verdict.is_ok() && assessor.is_without_receipt(proposal)? {
                marks.push(Mark::MarkerWithoutReceipt);
            }
            Some(verdict)
        }
        Ok(_) => None,
    };
    marks.sort();
    Ok(Item {
        id: id.clone(),
        proposal: proposal.clone(),
        standing: standing.clone(),
        verdict,
        marks,
    })
}

fn judged(verdict: &Result<()>, proposal: &Proposal, siblings: &Siblings<'_>) -> Option<Mark> {
    let error: &Error = verdict.as_ref().err()?;
    Some(match error.code() {
        Code::StaleBase => Mark::Stale(siblings.applied_over(proposal)),
        _ => Mark::Blocked,
    })
}

/// Proposals, each with its state.
type Peers<'a> = Vec<(&'a Proposal, State)>;

/// Proposals by the file and base that they are about.
struct Siblings<'a> {
    by_base: HashMap<OnBase<'a>, Peers<'a>>,
    by_file: HashMap<(&'a str, &'a str), Peers<'a>>,
}

/// Skill, path and what was there at import.
type OnBase<'a> = (&'a str, &'a str, Option<&'a FileState>);

impl<'a> Siblings<'a> {
    fn of(all: &'a [Queued]) -> Self {
        let mut siblings = Self {
            by_base: HashMap::with_capacity(all.len()),
            by_file: HashMap::with_capacity(all.len()),
        };
        for Queued {
            proposal, standing, ..
        } in all
        {
            let Ok(proposal) = proposal else { continue };
            for base in &proposal.base {
                let (skill, path) = (proposal.skill.as_str(), base.path.as_str());
                let on_base = (skill, path, base.file.as_ref());
                let peer = (proposal.as_ref(), standing.state);
                siblings.by_base.entry(on_base).or_default().push(peer);
                siblings
                    .by_file
                    .entry((skill, path))
                    .or_default()
                    .push(peer);
            }
        }
        siblings
    }

    /// Proposals on one of the same files, on the same base or on any.
    fn near(&self, proposal: &Proposal, same_base: bool) -> Peers<'a> {
        let mut near: Peers<'a> = Vec::new();
        let mut seen = HashSet::from([proposal.id.as_str()]);
        for base in &proposal.base {
            let (skill, path) = (proposal.skill.as_str(), base.path.as_str());
            let found = match same_base {
                true => self.by_base.get(&(skill, path, base.file.as_ref())),
                false => self.by_file.get(&(skill, path)),
            };
            let peers = found.into_iter().flatten();
            near.extend(peers.filter(|(other, _)| seen.insert(&other.id)));
        }
        near
    }

    fn applied_over(&self, proposal: &Proposal) -> Option<String> {
        let near = self.near(proposal, true);
        near.iter()
            .find(|(_, state)| *state == State::Applied)
            .map(|(other, _)| other.id.clone())
    }

    fn marks(&self, proposal: &Proposal) -> Vec<Mark> {
        let mut marks = Vec::new();
        let newer = |other: &Proposal| other.imported_at >= proposal.imported_at;
        let again = self.near(proposal, false).into_iter().find(|(other, _)| {
            other.same_document(proposal) && other.base != proposal.base && newer(other)
        });
        if let Some((other, _)) = again {
            marks.push(Mark::SupersededBy(other.id.clone()));
        }
        let same = self.near(proposal, true);
        let pending: Vec<String> = same
            .iter()
            .filter(|(_, state)| matches!(state, State::Pending | State::Approved))
            .map(|(other, _)| other.id.clone())
            .collect();
        if !pending.is_empty() {
            marks.push(Mark::Conflicts(pending));
        }
        let rejected = same
            .iter()
            .find(|(other, state)| *state == State::Rejected && newer(other));
        if let Some((other, _)) = rejected {
            marks.push(Mark::OlderSiblingOfRejected(other.id.clone()));
        }
        marks
    }
}
