//! What is written, and how a conference ends.
//!
//! Promises: `artifact.written` is flushed before the file is replaced; the same bytes are not
//! written twice; the end is recorded after the cleanup receipt, and as complete only after the
//! root's own replay found the same.

use super::{Driver, replay};
use crate::conference::artifacts::{self, Artifact, Sections};
use crate::conference::plan::{self, Document, FILE, FILE_BYTES, Origin};
use crate::conference::replay::NOT_REPLAYED;
use crate::conference::rounds::{converge, receive};
use crate::conference::seal::Seal;
use crate::conference::standing::is_handed_off;
use crate::digest;
use crate::disk::durable;
use crate::engine::event::{Event, Stop, StopCode};
use crate::engine::id::{Call, DispatchId};
use crate::engine::journal::Journal;
use crate::engine::state::State;
use crate::error::{Code, Error, Result};

impl Driver<'_> {
    /// Writes what a round that ended left to write.
    pub(super) fn publish_rounds(&mut self) -> Result<()> {
        let state = self.journal.state();
        let ended = state.rounds.values().filter(|one| one.completed.is_some());
        let ended = u32::try_from(ended.count()).unwrap_or(u32::MAX);
        if ended == self.published {
            return Ok(());
        }
        self.published = ended;
        self.publish(None)?;
        self.seal();
        Ok(())
    }

    fn publish(&mut self, stop: Option<&Stop>) -> Result<()> {
        let state = self.journal.state();
        let edition = self.drive.edition(state, stop);
        let written = artifacts::render(&self.drive.terms, state, &edition);
        let sections = artifacts::sections(&self.drive.terms, state, &edition);
        let left = self.unwritten.clone();
        // What an earlier root announced and did not write comes first: should this one be ended
        // too, no other file stands between the two.
        if left.as_deref() == Some(FILE) {
            self.splice(&sections)?;
        }
        let (first, others): (Vec<_>, Vec<_>) = written
            .into_iter()
            .partition(|artifact| left.as_ref() == Some(&artifact.path));
        for Artifact { path, bytes } in first.into_iter().chain(others) {
            self.write(&path, &bytes, 0o644)?;
        }
        self.splice(&sections)?;
        self.commit()
    }

    fn write(&mut self, path: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let digest = digest::sha256_hex(bytes);
        let is_announced = self.journal.state().artifacts.get(path) == Some(&digest);
        let is_unwritten = self.unwritten.take_if(|left| left == path).is_some();
        if is_announced && !is_unwritten {
            return Ok(());
        }
        if !is_announced {
            let event = Event::ArtifactWritten {
                path: path.to_owned(),
                digest,
            };
            self.journal.record(event)?;
            self.commit()?;
        }
        durable::replace(
            self.journal.root(),
            path,
            &format!(".{path}.tmp"),
            bytes,
            mode,
        )
    }

    /// Shared Knowledge and Conference Log, into the bytes of `conference.md` as they are now.
    /// `BLOCKED_STALE_CONFERENCE_STATE` where what may not change did: then nothing is written.
    fn splice(&mut self, sections: &Sections) -> Result<()> {
        let content = self.journal.root().read(FILE, FILE_BYTES as u64)?;
        let mode = content.as_ref().map_or(0o644, |content| content.mode);
        let there = content.map(|content| content.bytes).unwrap_or_default();
        let reading = plan::read(there.clone(), Origin::New)?;
        if reading.config_digest.as_ref() != Some(&self.drive.config_digest) {
            let found = reading
                .config_digest
                .unwrap_or_else(|| "nothing".to_owned());
            let text = format!("{FILE} was changed while the conference ran; it was not written");
            return Err(Error::new(Code::BlockedStaleConferenceState, text)
                .expected(&self.drive.config_digest)
                .found(found));
        }
        let with_knowledge = reading.document.with_knowledge(&sections.knowledge);
        let with_log = with_knowledge
            .map(Document::parse)
            .and_then(|document| document.with_log(&sections.log));
        match with_log {
            Some(text) => {
                // A person writes here too, where it may be changed.
                if text.as_bytes() != there {
                    self.unwritten = Some(FILE.to_owned());
                }
                self.write(FILE, text.as_bytes(), mode)
            }
            None => {
                self.doubt(format!("{FILE} has no place for findings and log"));
                Ok(())
            }
        }
    }

    pub(super) fn seal(&mut self) {
        let (lines, head) = self.journal.head();
        let round = self.journal.state().current_round();
        (self.drive.sealed)(&Seal { round, lines, head });
    }

    pub(super) fn finish(&mut self, mut stop: Stop) -> Result<Stop> {
        self.measuring.refuse();
        // What is measured after the end of the rounds counts for nothing.
        self.measuring.abandon();
        self.converged(&stop)?;
        self.publish(Some(&stop))?;
        self.cleanup()?;
        self.commit()?;
        (self.drive.stands)()?;
        stop.check = match replay::check(&self.drive, &self.journal, &stop) {
            Err(error) if self.drive.is_abandoned => format!("{NOT_REPLAYED}: {error}"),
            checked => checked?,
        };
        self.journal.record(match stop.stop_code {
            StopCode::Cancelled => Event::ConferenceCancelled(stop.clone()),
            StopCode::BlockedNoValidPacket
            | StopCode::BlockedMultiAgentUnavailable
            | StopCode::BlockedDispatchReplayConflict => Event::Blocked(stop.clone()),
            StopCode::Converged
            | StopCode::ConvergedPlateau
            | StopCode::BudgetStop
            | StopCode::Stalled => Event::Completed(stop.clone()),
        })?;
        self.commit()?;
        self.seal();
        if stop.stop_code == StopCode::Cancelled {
            self.journal.clear_cancel()?;
        }
        Ok(stop)
    }

    /// Once, also where a crash came between this and the end.
    fn converged(&mut self, stop: &Stop) -> Result<()> {
        if self.journal.state().converged {
            return Ok(());
        }
        let is_metric = self.drive.terms.is_metric();
        let reason = match stop.stop_code {
            StopCode::Converged if is_metric => "target",
            StopCode::Converged => "quality_plateau",
            StopCode::ConvergedPlateau => "metric_plateau",
            _ => return Ok(()),
        };
        let state = self.journal.state();
        if state.converged {
            // Whoever was the root before has told it.
            return Ok(());
        }
        let best = converge::facts(&self.drive.terms, state).best;
        let event = Event::Converged {
            final_best_metric: best.map(|best| best.value),
            round_count: state.current_round(),
            reason: reason.to_owned(),
        };
        self.journal.record(event)
    }

    fn cleanup(&mut self) -> Result<()> {
        let state = self.journal.state();
        let is_told = self.doubts.iter().all(|one| state.uncertain.contains(one));
        if state.cleaned && is_told {
            return Ok(());
        }
        let event = receipt(state, &self.doubts);
        self.journal.record(event)
    }
}

/// Asks a conference that no runner works on to stop: what was out is lost with its runner.
pub fn give_up(journal: &mut Journal) -> Result<()> {
    if !journal.state().cancelled {
        let by = "command".to_owned();
        journal.record(Event::CancelRequested { by })?;
    }
    match is_handed_off(journal.state()) {
        true => recall(journal),
        false => lose(journal),
    }
}

/// Ends a conference that was given up and of which nothing can be published, and why: nothing is
/// claimed.
pub fn end_unpublished(journal: &mut Journal, why: &str) -> Result<()> {
    journal.record(receipt(journal.state(), &[]))?;
    journal.record(Event::ConferenceCancelled(Stop {
        stop_code: StopCode::Cancelled,
        target_met: false,
        plateau: false,
        stalled: false,
        budget_hit: Vec::new(),
        check: format!("{NOT_REPLAYED}: {why}"),
    }))?;
    journal.commit().map(drop)
}

/// Ends what is out as lost: the processes went with the runner that started them.
pub fn lose(journal: &mut Journal) -> Result<()> {
    end(journal, |id| receive::failed(id, receive::LOST))
}

/// Ends what is out as cancelled: nobody will take it back.
pub(super) fn recall(journal: &mut Journal) -> Result<()> {
    end(journal, receive::cancelled)
}

fn end(journal: &mut Journal, event: impl Fn(&DispatchId) -> Event) -> Result<()> {
    settle(journal)?;
    let open: Vec<Call> = journal.state().open_calls().collect();
    for call in open {
        if let Some(gate) = &journal.state().gate {
            let id = gate.conference.dispatch(call);
            journal.record(event(&id))?;
        }
    }
    settle(journal)
}

fn settle(journal: &mut Journal) -> Result<()> {
    for event in receive::owed(journal.state()) {
        journal.record(event)?;
    }
    Ok(())
}

/// Each id with its end, and what nobody can prove.
fn receipt(state: &State, doubts: &[String]) -> Event {
    let ids = state.accounts.iter().map(|(call, account)| {
        let end = account.end.as_ref();
        let end = end.map_or("open", |end| end.as_str());
        format!("{call} {end}")
    });
    Event::Cleanup {
        ids: ids.collect(),
        background_processes: Vec::new(),
        residual_uncertainty: doubts.to_vec(),
    }
}
