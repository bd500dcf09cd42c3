//! The host `recorded`: packets of an earlier run, matched by what follows the conference's id.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Child, End, Host};
use crate::conference::rounds::terms::Terms;
use crate::disk::Dir;
use crate::engine::charter::Charter;
use crate::engine::id::Call;
use crate::engine::journal;
use crate::engine::packet::Packet;
use crate::engine::state::{self, State};
use crate::error::{Code, Error, Result};

/// An earlier run.
#[derive(Debug)]
pub struct Recording {
    calls: BTreeMap<Call, Played>,
}

/// What came of a call then.
#[derive(Debug, Clone)]
enum Played {
    Packet(Arc<Packet>),
    Ended(End),
}

impl Recording {
    /// Reads the run of a root. `LEGACY_UNRECEIPTED` where it has no receipts.
    pub fn of(root: &Dir) -> Result<Self> {
        let record = journal::replay(root)?;
        if record.legacy {
            let text = "a run without receipts cannot be played";
            return Err(Error::new(Code::LegacyUnreceipted, text));
        }
        let state = record.state;
        let played = |(call, account): (&Call, &state::Account)| {
            let packet = state.packets.get(call);
            let packet = packet.map(|accepted| Played::Packet(accepted.packet.clone()));
            let played = packet.or_else(|| account.end.as_ref().map(ended));
            played.map(|played| (*call, played))
        };
        let calls = state.accounts.iter().filter_map(played).collect();
        Ok(Self { calls })
    }
}

fn ended(end: &state::End) -> Played {
    Played::Ended(match end {
        state::End::TimedOut => End::TimedOut,
        state::End::Failed(reason) => End::Failed(reason.clone()),
        // A packet stands under a received call; a call that was cancelled sent nothing.
        state::End::Received | state::End::Cancelled => End::Failed("not recorded".to_owned()),
    })
}

impl Host for Recording {
    fn child(&self, charter: &Charter, _: &Terms, _: &State) -> Child {
        let end = match self.calls.get(&charter.dispatch_id.call) {
            None => End::Failed("not recorded".to_owned()),
            Some(Played::Ended(end)) => end.clone(),
            Some(Played::Packet(packet)) => {
                let mut packet = Packet::clone(packet);
                packet.dispatch_id = charter.dispatch_id.clone();
                End::Output(packet.bytes())
            }
        };
        Box::new(move |_| end.into())
    }

    fn slots(&self, terms: &Terms) -> usize {
        terms.focus.len().max(1)
    }
}
