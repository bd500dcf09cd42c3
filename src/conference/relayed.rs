//! Packets that a model only relayed, and what the host's own records say of them.
//!
//! Promises: a function of the state; what the records tell nothing of is counted as neither.

use std::fmt;

use crate::count;
use crate::engine::event::Via;
use crate::engine::state::State;

/// See the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relayed {
    /// How many packets count.
    pub accepted: usize,
    /// Those among them that a model relayed.
    pub relayed: usize,
    /// Those among these that the host's own records hold.
    pub corroborated: usize,
    /// Those that they would have to hold, and do not.
    pub uncorroborated: usize,
}

impl Relayed {
    /// Counts.
    pub fn of(state: &State) -> Self {
        let relayed = state.packets.values();
        let relayed = relayed.filter(|accepted| accepted.via == Via::Relayed);
        let says = |wanted| {
            let said = relayed.clone().map(|accepted| accepted.corroborated);
            said.filter(|said| *said == Some(wanted)).count()
        };
        Self {
            accepted: state.packets.len(),
            relayed: relayed.clone().count(),
            corroborated: says(true),
            uncorroborated: says(false),
        }
    }
}

impl fmt::Display for Relayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = count::of(self.accepted, "packet", "packets");
        write!(f, "{} of {all}", self.relayed)?;
        if self.corroborated + self.uncorroborated == 0 {
            return Ok(());
        }
        let (corroborated, uncorroborated) = (self.corroborated, self.uncorroborated);
        write!(
            f,
            "; the host's own records hold {corroborated} of them and lack {uncorroborated}"
        )
    }
}
