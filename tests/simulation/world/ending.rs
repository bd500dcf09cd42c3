//! How a conference ends, as the driver ends it, and what must be true afterwards.

use lithermes::conference::artifacts::{self, Artifact, Edition};
use lithermes::conference::rounds::next::{self, Step};
use lithermes::conference::rounds::{converge, receive};
use lithermes::digest;
use lithermes::engine::event::{Event, Stop, StopCode};

use super::super::conditions::CONFERENCE;
use super::{Broken, Crashed, World};

impl World<'_> {
    /// As the driver ends a conference.
    pub(super) fn finish(&mut self, mut stop: Stop) -> Result<Result<(), Crashed>, Broken> {
        if let Some(call) = self.tape.live.open_calls().next() {
            return Err(format!("it would end although {call} is open"));
        }
        let mut events = Vec::new();
        if !self
            .tape
            .lines
            .iter()
            .any(|line| line.contains("\"conference.converged\""))
        {
            events.extend(self.converged(&stop));
        }
        for Artifact { path, bytes } in self.render(&stop) {
            let digest = digest::sha256_hex(&bytes);
            events.push(Event::ArtifactWritten { path, digest });
        }
        let state = &self.tape.live;
        let ids = state.accounts.iter().map(|(call, account)| {
            let end = account.end.as_ref().map_or("open", |end| end.as_str());
            format!("{call} {end}")
        });
        events.push(Event::Cleanup {
            ids: ids.collect(),
            background_processes: Vec::new(),
            residual_uncertainty: Vec::new(),
        });
        stop.check = "simulated".to_owned();
        events.push(match stop.stop_code {
            StopCode::Cancelled => Event::ConferenceCancelled(stop),
            StopCode::BlockedNoValidPacket
            | StopCode::BlockedMultiAgentUnavailable
            | StopCode::BlockedDispatchReplayConflict => Event::Blocked(stop),
            _ => Event::Completed(stop),
        });
        for event in events {
            if self.record_or_die(event)?.is_err() && self.tape.live.stop.is_none() {
                return Ok(Err(Crashed));
            }
        }
        Ok(Ok(()))
    }

    fn converged(&self, stop: &Stop) -> Option<Event> {
        let reason = match stop.stop_code {
            StopCode::Converged if self.terms.is_metric() => "target",
            StopCode::Converged => "quality_plateau",
            StopCode::ConvergedPlateau => "metric_plateau",
            _ => return None,
        };
        let state = &self.tape.live;
        let best = converge::facts(&self.terms, state).best;
        Some(Event::Converged {
            final_best_metric: best.map(|best| best.value),
            round_count: state.current_round(),
            reason: reason.to_owned(),
        })
    }

    /// Poster and review of a round that ended: nothing that comes later changes them.
    pub(super) fn publish(&mut self) {
        let state = &self.tape.live;
        let round = format!("_round_{}.md", state.current_round());
        let all = artifacts::render(&self.terms, state, &self.edition(None));
        let own = all
            .into_iter()
            .filter(|artifact| artifact.path.ends_with(&round));
        self.pages
            .extend(own.map(|artifact| (artifact.path, artifact.bytes)));
    }

    fn render(&self, stop: &Stop) -> Vec<Artifact> {
        artifacts::render(&self.terms, &self.tape.live, &self.edition(Some(stop)))
    }

    fn edition<'b>(&self, stop: Option<&'b Stop>) -> Edition<'b> {
        Edition {
            title: "A simulated one",
            evaluator: Some("score.py"),
            reported: &[],
            stop,
        }
    }

    /// After the end only what comes too late comes, and what is rendered stays the same.
    pub(super) fn afterwards(&mut self) -> Result<Vec<(String, String)>, Broken> {
        let Some(stop) = self.tape.live.stop.clone() else {
            return Err("it ended without a stop".to_owned());
        };
        let before = self.render(&stop);
        for again in std::mem::take(&mut self.again) {
            self.repeated(&again)?;
        }
        let stranger = receive::unknown(&format!("{CONFERENCE}.r9.Q.1"), b"{}");
        self.tape.record(stranger, self.clock())?;
        self.tape.reopen()?;
        if next::next(&self.terms, &self.tape.live, self.clock(), 1) != Step::Over {
            return Err("something comes after the end".to_owned());
        }
        if !next::expire(&self.terms, &self.tape.live, self.clock(), true).is_empty() {
            return Err("something expires after the end".to_owned());
        }
        if self.render(&stop) != before {
            return Err("rendered again it has other bytes".to_owned());
        }
        for artifact in &before {
            let page = self.pages.get(&artifact.path);
            if page.is_some_and(|page| *page != artifact.bytes) {
                return Err(format!(
                    "{} is not what it was after its round",
                    artifact.path
                ));
            }
            let recorded = self.tape.live.artifacts.get(&artifact.path);
            if recorded != Some(&digest::sha256_hex(&artifact.bytes)) {
                return Err(format!(
                    "{} is not what was written before the end",
                    artifact.path
                ));
            }
        }
        let sections =
            artifacts::sections(&self.terms, &self.tape.live, &self.edition(Some(&stop)));
        let text = |artifact: Artifact| {
            (
                artifact.path,
                String::from_utf8_lossy(&artifact.bytes).into_owned(),
            )
        };
        let mut written: Vec<(String, String)> = before.into_iter().map(text).collect();
        written.push(("Shared Knowledge".to_owned(), sections.knowledge));
        written.push(("Conference Log".to_owned(), sections.log));
        Ok(written)
    }
}
