//! State and ledger of bounded work, held against each other (conference.md B 7.2, B 7.5).
//!
//! Promises: stricter than the host: a state that is ahead of its ledger, or has none, is refused,
//! and so is a ledger with one line that cannot be read.

use std::path::Path;

use super::{FOLDER, required, spelling};
use crate::digest;
use crate::disk::Dir;
use crate::error::{Error, Result};
use crate::guard::json::{self, Limits, Node, Value};

const STATE: &str = "state.json";
const LEDGER: &str = "ledger.jsonl";
/// Bytes of a state.
const STATE_BYTES: u64 = 512_000;
/// Bytes of a ledger: the host keeps 96 events, each with a state.
const LEDGER_BYTES: u64 = 64 << 20;
/// Bytes of one of its lines: a state, and what else the event says.
const LINE_BYTES: usize = 1 << 20;
const DEPTH: usize = 32;
const SCHEMA: &str = "3";

/// What a state says, as far as authority goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) revision: u64,
    pub(super) status: String,
    pub(super) grants: Vec<Grant>,
    /// Taken from the ledger, which was ahead.
    pub(super) recovered: bool,
    /// SHA-256 of the host's spelling of it.
    pub(super) digest: String,
    session: Option<String>,
    is_activated: bool,
}

/// One entry of `authority`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grant {
    pub(super) id: String,
    pub(super) action: String,
    pub(super) root: String,
    /// It was asked for at a pause, and not yet taken up.
    is_waiting: bool,
}

/// SHA-256 of the two files, as they lie there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prints([String; 2]);

impl State {
    pub(super) fn is_active(&self) -> bool {
        self.status == "active"
    }

    /// What authorises something now.
    pub(super) fn grants(&self) -> impl Iterator<Item = &Grant> {
        self.grants.iter().filter(|grant| !grant.is_waiting)
    }

    /// What may be done where, in one order.
    pub(super) fn authority_set(&self) -> Vec<(&str, &str)> {
        let pairs = self.grants();
        let pairs = pairs.map(|grant| (grant.action.as_str(), grant.root.as_str()));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Active, taken up, and of a session.
    pub(super) fn require_bound(&self, id: &str) -> Result<()> {
        let status = &self.status;
        if !self.is_active() {
            return Err(required(format!(
                "the bounded work {id} is {status}, not active"
            )));
        }
        if !self.is_activated {
            return Err(required(format!("the bounded work {id} was not activated")));
        }
        match self.session.as_deref() {
            None | Some("") => Err(required(format!(
                "the bounded work {id} belongs to no session"
            ))),
            Some(_) => Ok(()),
        }
    }
}

/// The digests of the two files; `None` where one is missing.
pub(super) fn prints(worktree: &Path, id: &str) -> Result<Option<Prints>> {
    let files = Files::of(worktree, id)?;
    Ok(files.prints())
}

/// Reads the work of a worktree, whose real path is given; `None` where neither file is there.
pub(super) fn read(worktree: &Path, id: &str) -> Result<Option<(State, Prints)>> {
    let files = Files::of(worktree, id)?;
    if files.state.is_none() && files.ledger.is_none() {
        return Ok(None);
    }
    let refused = |why: String| required(format!("the bounded work {id} does not hold: {why}"));
    let prints = files.prints();
    let (Some(prints), Some(state), Some(ledger)) = (prints, &files.state, &files.ledger) else {
        let missing = if files.state.is_none() { STATE } else { LEDGER };
        return Err(refused(format!("it has no {missing}")));
    };
    let state = settle(state, ledger, worktree, id).map_err(refused)?;
    Ok(Some((state, prints)))
}

struct Files {
    state: Option<Vec<u8>>,
    ledger: Option<Vec<u8>>,
}

impl Files {
    fn of(worktree: &Path, id: &str) -> Result<Self> {
        let unreadable = |error: Error| {
            required(format!("the bounded work {id} cannot be read")).caused_by(error)
        };
        Self::read(worktree, id).map_err(unreadable)
    }

    /// Below the worktree no link is followed.
    fn read(worktree: &Path, id: &str) -> Result<Self> {
        let root = Dir::open_root(worktree)?;
        let folder = root.map_or(Ok(None), |root| root.descend(&format!("{FOLDER}/{id}")))?;
        let Some(folder) = folder else {
            return Ok(Self {
                state: None,
                ledger: None,
            });
        };
        let bytes = |name, limit| {
            let content = folder.read(name, limit)?;
            Ok::<_, Error>(content.map(|content| content.bytes))
        };
        Ok(Self {
            state: bytes(STATE, STATE_BYTES)?,
            ledger: bytes(LEDGER, LEDGER_BYTES)?,
        })
    }

    fn prints(&self) -> Option<Prints> {
        let print = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(digest::sha256_hex);
        Some(Prints([print(&self.state)?, print(&self.ledger)?]))
    }
}

/// The state that counts: the one of the file, or the newer one of the ledger.
fn settle(state: &[u8], ledger: &[u8], worktree: &Path, id: &str) -> Result<State, String> {
    let limit = usize::try_from(STATE_BYTES).unwrap_or(usize::MAX);
    let node = parse(state, limit).ok_or_else(|| format!("{STATE} is no JSON that can be read"))?;
    let there = state_of(&node, worktree, id).map_err(|why| format!("{STATE} {why}"))?;
    let (revision, after) = last_event(ledger)?;
    if revision < there.revision {
        let ahead = there.revision;
        return Err(format!(
            "{STATE} is at revision {ahead}, and {LEDGER} only at {revision}"
        ));
    }
    let after = state_of(&after, worktree, id).map_err(|why| format!("its last event {why}"))?;
    if after.revision != revision {
        return Err(format!(
            "the last event of {LEDGER} holds the state of another revision"
        ));
    }
    if revision > there.revision {
        return Ok(State {
            recovered: true,
            ..after
        });
    }
    match after.digest == there.digest {
        true => Ok(there),
        false => Err(format!(
            "{STATE} and {LEDGER} differ at the same revision {revision}"
        )),
    }
}

/// Revision and state of the last line; every line has to be an event.
fn last_event(ledger: &[u8]) -> Result<(u64, Node), String> {
    let text = ledger.strip_suffix(b"\n").unwrap_or(ledger);
    let mut last: Option<(u64, Node)> = None;
    for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let event = parse(line, LINE_BYTES).and_then(|event| {
            member(&event, "event").and_then(string)?;
            let revision = member(&event, "revision").and_then(whole)?;
            Some((revision, event))
        });
        let before = last.as_ref().map_or(0, |(revision, _)| *revision);
        last = event.filter(|(revision, _)| *revision >= before);
        if last.is_none() {
            return Err(format!("line {} of {LEDGER} is no event of it", at + 1));
        }
    }
    let found = last.and_then(|(revision, event)| {
        let state = member(&event, "state_after")?;
        Some((revision, state.clone()))
    });
    found.ok_or_else(|| format!("the last event of {LEDGER} holds no state"))
}

fn parse(bytes: &[u8], limit: usize) -> Option<Node> {
    let limits = Limits {
        bytes: limit,
        depth: DEPTH,
    };
    let reading = json::read(bytes, limits).ok()?;
    reading.faults.is_empty().then_some(reading.root)
}

fn state_of(node: &Node, worktree: &Path, id: &str) -> Result<State, String> {
    let is_ours = matches!(member(node, "schema").map(|node| &node.value), Some(Value::Number(schema)) if schema == SCHEMA);
    if !is_ours {
        return Err(format!("is not of schema {SCHEMA}"));
    }
    let text = |key| member(node, key).and_then(string);
    if text("worktree").map(Path::new) != Some(worktree) {
        return Err("is of another worktree".to_owned());
    }
    if text("work_id") != Some(id) {
        return Err("is of other work".to_owned());
    }
    let revision = member(node, "revision").and_then(whole);
    let revision = revision.ok_or("has no revision")?;
    let digest = spelling::digest(node).ok_or("holds a number that is not whole")?;
    let grants = member(node, "authority").and_then(|node| match &node.value {
        Value::Array(nodes) => nodes.iter().map(grant).collect::<Option<Vec<_>>>(),
        _ => None,
    });
    Ok(State {
        revision,
        status: text("status").ok_or("has no status")?.to_owned(),
        grants: grants.ok_or("has no list of grants that can be read")?,
        recovered: false,
        digest,
        session: text("active_session_id").map(str::to_owned),
        is_activated: is_true(member(node, "activation_consumed")),
    })
}

fn grant(node: &Node) -> Option<Grant> {
    let text = |key| member(node, key).and_then(string).map(str::to_owned);
    let is_null = |key| member(node, key).is_none_or(|node| node.value == Value::Null);
    let is_consumed = text("consumed_at").is_some_and(|at| !at.is_empty());
    Some(Grant {
        id: text("id").filter(|id| super::is_id(id))?,
        action: text("action")?,
        root: text("root")?,
        is_waiting: !is_null("boundary_id") && !is_consumed,
    })
}

fn member<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    let Value::Object(members) = &node.value else {
        return None;
    };
    let found = members.iter().find(|member| member.key == key);
    found.map(|member| &member.node)
}

fn string(node: &Node) -> Option<&str> {
    match &node.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn whole(node: &Node) -> Option<u64> {
    match &node.value {
        Value::Number(text) => text.parse().ok().filter(|number| *number > 0),
        _ => None,
    }
}

fn is_true(node: Option<&Node>) -> bool {
    node.is_some_and(|node| node.value == Value::Bool(true))
}
