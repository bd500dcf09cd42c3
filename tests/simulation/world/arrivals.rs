//! What comes in from children: their ends, their packets, and packets that come once more.

use lithermes::conference::rounds::receive::{self, Outcome};
use lithermes::digest;
use lithermes::engine::charter::Charter;
use lithermes::engine::event::Via;
use lithermes::engine::id::Call;
use lithermes::engine::state::State;

use super::super::fate::{self, Echo, Fate};
use super::{Again, Broken, Out, World};

impl World<'_> {
    pub(super) fn answered(&mut self, call: Call, out: Out) -> Result<(), Broken> {
        let Out { charter, fate, .. } = out;
        match fate {
            Fate::Says { bytes, sound } => self.said(&charter, &bytes, sound),
            Fate::TooSlow if self.schedule.temper.relayed => Ok(()),
            Fate::Fails(_) | Fate::Lost if self.schedule.temper.relayed => Ok(()),
            Fate::TooSlow => self.record_all(vec![receive::timed_out(&self.terms, call)]),
            Fate::Fails(reason) => {
                self.record_all(vec![receive::failed(&charter.dispatch_id, reason)])
            }
            Fate::Lost => {
                self.record_all(vec![receive::failed(&charter.dispatch_id, receive::LOST)])
            }
        }
    }

    fn via(&self) -> Via {
        if self.schedule.temper.relayed {
            Via::Relayed
        } else {
            Via::Process
        }
    }

    pub(super) fn said(
        &mut self,
        charter: &Charter,
        bytes: &[u8],
        sound: bool,
    ) -> Result<(), Broken> {
        let call = charter.dispatch_id.call;
        let was_open = self
            .tape
            .live
            .accounts
            .get(&call)
            .is_some_and(|account| account.end.is_none());
        let taken = receive::output(&self.tape.live, charter, bytes, self.via());
        let expected = matches!(
            (&taken.result, was_open, sound),
            (Outcome::Accepted, true, true)
                | (Outcome::Rejected(_), true, false)
                | (Outcome::Stale(_), false, _)
        );
        if let Outcome::Rejected(refusal) = &taken.result {
            self.count(&format!("refused: {}", refusal.reason.as_str()));
        }
        if !expected {
            let text = String::from_utf8_lossy(bytes);
            let text: String = text.chars().take(600).collect();
            return Err(format!(
                "{call} (open: {was_open}, sound: {sound}) came to {:?}: {text}",
                taken.result
            ));
        }
        if !(sound && was_open) {
            self.refusable.push(digest::sha256_hex(bytes));
        }
        if let Some(packet) = &taken.packet {
            self.tape.keep(packet);
        }
        let accepted = taken.packet.is_some();
        self.record_all(taken.events)?;
        if accepted && self.arrival.percent(self.schedule.temper.echo) {
            let (echo, bytes) = fate::echo(self.schedule, charter, bytes);
            let at = self.passed + self.arrival.below(40);
            let charter = charter.clone();
            self.again.push(Again {
                charter,
                at,
                bytes,
                echo,
            });
        }
        if !accepted && !sound && self.schedule.temper.relayed && self.arrival.percent(50) {
            self.try_again(charter);
        }
        Ok(())
    }

    /// A refused packet left its id open: the session hands in another.
    fn try_again(&mut self, charter: &Charter) {
        let fate = fate::second(self.schedule, charter);
        let at = self.passed + self.arrival.between(1, 30);
        let charter = charter.clone();
        self.out
            .insert(charter.dispatch_id.call, Out { charter, at, fate });
    }

    /// Packets that come once more, when their time has come.
    pub(super) fn one_more_time(&mut self) -> Result<(), Broken> {
        let due = self.again.iter().position(|again| again.at <= self.passed);
        let Some(at) = due else {
            return Ok(());
        };
        let again = self.again.swap_remove(at);
        self.repeated(&again)
    }

    /// What comes twice changes nothing but what stands aside.
    pub(super) fn repeated(&mut self, again: &Again) -> Result<(), Broken> {
        let open = self
            .tape
            .live
            .accounts
            .get(&again.charter.dispatch_id.call)
            .is_some_and(|account| account.end.is_none());
        if open
            && !self
                .tape
                .live
                .packets
                .contains_key(&again.charter.dispatch_id.call)
        {
            return Ok(());
        }
        let taken = receive::output(&self.tape.live, &again.charter, &again.bytes, self.via());
        let fits = matches!(
            (again.echo, &taken.result),
            (Echo::Same, Outcome::Duplicate)
                | (Echo::Other, Outcome::Conflict)
                | (Echo::Broken, Outcome::Stale(_))
        );
        if !fits || taken.packet.is_some() {
            return Err(format!(
                "{:?} of {} came to {:?}",
                again.echo, again.charter.dispatch_id.call, taken.result
            ));
        }
        if again.echo != Echo::Same {
            self.refusable.push(digest::sha256_hex(&again.bytes));
        }
        let before = settled(&self.tape.live);
        for event in taken.events {
            self.count(&format!("echo {:?}", again.echo));
            self.tape.record(event, self.clock())?;
        }
        match before == settled(&self.tape.live) {
            true => Ok(()),
            false => Err("a packet that came again changed the state".to_owned()),
        }
    }
}

/// A state without what may come aside.
fn settled(state: &State) -> State {
    State {
        asides: Vec::new(),
        conflict: None,
        lines: 0,
        now: None,
        ..state.clone()
    }
}
