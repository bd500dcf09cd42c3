//! What comes next in a round conference: events to record, or work for the outside.
//!
//! Promises: asked again in the same state it says the same; after a crash at any line it goes on
//! from there and repeats nothing.

use jiff::Timestamp;

use super::converge::{self, Facts};
use super::judge;
use super::lost;
use super::pause;
use super::rows;
use super::terms::Terms;
use super::{charters, receive, stages};
use crate::count;
use crate::engine::charter::Charter;
use crate::engine::event::{Cost, Event, Stop, StopCode};
use crate::engine::id::{Call, Task};
use crate::engine::packet::Candidate;
use crate::engine::state::{End, State};

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Record these, in this order, and ask again.
    Record(Vec<Event>),
    /// Keep the charter's bytes, record that it goes out, and start a child for it.
    Dispatch(Box<Charter>),
    /// Wait for these, or measure.
    Await(Work),
    /// A person is asked before the next round begins.
    Pause,
    /// Everything is accounted: write what is left to write, and end it so.
    Finish(Stop),
    /// It has ended.
    Over,
}

/// What is awaited.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// Calls that are out.
    pub calls: Vec<Call>,
    /// Candidates that the root is to measure, in order.
    pub measure: Vec<Measure>,
}

/// A candidate that the root is to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Whose.
    pub call: Call,
    /// Which of its iterations, from 0.
    pub index: u32,
    /// It; empty for the baseline.
    pub candidate: Candidate,
}

/// What comes next at `now`, where `room` more children may run. The time of a conference is that
/// of its lines: a clock that went back gives it none.
pub fn next(terms: &Terms, state: &State, now: Timestamp, room: usize) -> Step {
    if state.stop.is_some() {
        return Step::Over;
    }
    if state.gate.is_none() {
        return Step::Await(Work::default());
    }
    let step = step(terms, state, now, room);
    match stages::before(terms, state, &step) {
        Some(transition) => Step::Record(vec![transition]),
        None => step,
    }
}

fn step(terms: &Terms, state: &State, now: Timestamp, room: usize) -> Step {
    let owed = receive::owed(state);
    if !owed.is_empty() {
        return Step::Record(owed);
    }
    let asked = Ask {
        terms,
        state,
        now: since(state, now),
        room,
    };
    if state.cancelled {
        return asked.wind_down(StopCode::Cancelled);
    }
    if let Some(step) = asked.before_the_first_round() {
        return step;
    }
    let round = state.current_round();
    match state.rounds.get(&round) {
        Some(open) if open.completed.is_none() => asked.within(round),
        _ => asked.between(round),
    }
}

/// Records what time has made due: the wall clock, and (where no process of ours keeps it) the
/// deadline of an id.
pub fn expire(terms: &Terms, state: &State, now: Timestamp, ids_too: bool) -> Vec<Event> {
    let Some(gate) = state.gate.as_ref().filter(|_| state.stop.is_none()) else {
        return Vec::new();
    };
    let now = since(state, now);
    let mut events = Vec::new();
    // The synthesis has its own time: what ended the rounds stays what it was.
    let is_timed = !state.out_of_time && !stages::is_after_rounds(state);
    if is_timed && left(terms, gate.at, now) == 0 {
        events.push(out_of_time());
    }
    if ids_too {
        // What has its packet only waits for its end to be recorded.
        let late = state.open_calls().filter(|call| {
            state.accounts[call].deadline <= now && !state.packets.contains_key(call)
        });
        events.extend(late.map(|call| receive::timed_out(terms, call)));
    }
    events
}

/// What the rules say after the last round that ended: the code that ends the conference, if any,
/// and the facts beside it.
pub fn decide(terms: &Terms, state: &State) -> (Option<StopCode>, Facts) {
    let facts = converge::facts(terms, state);
    let asked = Ask {
        terms,
        state,
        now: Timestamp::UNIX_EPOCH,
        room: 0,
    };
    (asked.stop_code(state.current_round(), &facts), facts)
}

fn out_of_time() -> Event {
    let what = crate::engine::state::WALL_CLOCK.to_owned();
    Event::DeadlinePassed { what }
}

/// Now, but never before the last line.
fn since(state: &State, now: Timestamp) -> Timestamp {
    state.now.map_or(now, |last| last.max(now))
}

/// Whole seconds that the wall clock leaves.
fn left(terms: &Terms, began: Timestamp, now: Timestamp) -> u64 {
    let passed = u64::try_from(now.duration_since(began).as_secs()).unwrap_or(0);
    terms.wall_clock_s.saturating_sub(passed)
}

/// What the wall clock leaves; nothing before the gate is confirmed is counted.
pub fn time_left(terms: &Terms, state: &State, now: Timestamp) -> std::time::Duration {
    let now = since(state, now);
    let began = state.gate.as_ref().map_or(now, |gate| gate.at);
    std::time::Duration::from_secs(left(terms, began, now))
}

struct Ask<'a> {
    terms: &'a Terms,
    state: &'a State,
    now: Timestamp,
    room: usize,
}

/// How a task stands.
enum Standing {
    /// It was never issued, or is to be tried once more.
    Due(Call),
    /// It is out.
    Out,
    /// It has its end.
    Ended,
}

impl Ask<'_> {
    fn before_the_first_round(&self) -> Option<Step> {
        let (terms, state) = (self.terms, self.state);
        if terms.probe && state.rounds.is_empty() {
            match self.standing(Task::Probe) {
                // Nobody is asked whether it answers once nothing else may go out.
                Standing::Due(_) if state.out_of_time => return None,
                Standing::Due(call) if self.room > 0 => return Some(self.dispatch(call)),
                Standing::Due(_) | Standing::Out => return Some(self.wait()),
                Standing::Ended if self.failed(Task::Probe) => {
                    return Some(self.wind_down(StopCode::BlockedMultiAgentUnavailable));
                }
                Standing::Ended => {}
            }
        }
        let unknown = terms.is_metric() && rows::baseline(terms, state).is_none();
        let unmeasured = !state.evaluations.contains_key(&rows::BASELINE);
        (terms.has_evaluator && unknown && unmeasured && !state.out_of_time).then(|| {
            let (call, index) = rows::BASELINE;
            let candidate = Candidate {
                values: Default::default(),
            };
            Step::Await(Work {
                calls: Vec::new(),
                measure: vec![Measure {
                    call,
                    index,
                    candidate,
                }],
            })
        })
    }

    fn failed(&self, task: Task) -> bool {
        let end = self
            .state
            .last_call(task)
            .and_then(|(_, account)| account.end.as_ref());
        end != Some(&End::Received)
    }

    /// After a round, or before the first: the rules, in their order (conference.md A6).
    fn between(&self, round: u32) -> Step {
        let facts = converge::facts(self.terms, self.state);
        match self.stop_code(round, &facts) {
            Some(code) => self.conclude(code, facts, round),
            None if pause::is_due(self.terms, self.state, round) => Step::Pause,
            None => {
                let round = round + 1;
                let researcher_states = self
                    .terms
                    .lanes()
                    .map(|lane| format!("{lane}:ready"))
                    .collect();
                Step::Record(vec![Event::RoundStarted {
                    round,
                    researcher_states,
                }])
            }
        }
    }

    fn stop_code(&self, round: u32, facts: &Facts) -> Option<StopCode> {
        let valid = |lane| rows::packet(self.state, round, lane).is_some();
        if !facts.budget_hit.is_empty() {
            Some(StopCode::BudgetStop)
        } else if round == 0 {
            None
        } else if !self.terms.lanes().any(valid) {
            Some(StopCode::BlockedNoValidPacket)
        } else if facts.target_met {
            Some(StopCode::Converged)
        } else if facts.plateau {
            Some(StopCode::ConvergedPlateau)
        } else if facts.stalled {
            Some(StopCode::Stalled)
        } else {
            None
        }
    }

    fn within(&self, round: u32) -> Step {
        let open = &self.state.rounds[&round];
        if !open.measured {
            return self.research(round);
        }
        if open.reviewed.is_none() {
            return self.review(round);
        }
        if open.withheld.is_none() {
            return Step::Record(vec![judge::transfer(self.terms, self.state, round)]);
        }
        Step::Record(vec![self.completed(round)])
    }

    fn research(&self, round: u32) -> Step {
        let mut out = false;
        let mut due = None;
        for task in self.in_turn(round) {
            match self.standing(task) {
                // A wall clock that ran out stops every new charter.
                Standing::Due(_) if self.state.out_of_time => {}
                Standing::Due(call) => due = due.or(Some(call)),
                Standing::Out => out = true,
                Standing::Ended => {}
            }
        }
        if let Some(call) = due.filter(|_| self.room > 0) {
            return self.dispatch(call);
        }
        let measure = self.unmeasured(round);
        if out || due.is_some() || !measure.is_empty() {
            return Step::Await(Work {
                calls: self.state.open_calls().collect(),
                measure,
            });
        }
        self.poster(round)
    }

    /// The lanes' tasks, begun with another lane each round, so that no lane is always last.
    fn in_turn(&self, round: u32) -> impl Iterator<Item = Task> {
        let lanes: Vec<_> = self.terms.lanes().collect();
        let first = (round as usize).saturating_sub(1) % lanes.len().max(1);
        let (head, tail) = lanes.split_at(first);
        let turned: Vec<_> = tail.iter().chain(head).copied().collect();
        turned
            .into_iter()
            .map(move |lane| Task::Research(round, lane))
    }

    /// What the root has still to measure in a round; nothing once time is up.
    fn unmeasured(&self, round: u32) -> Vec<Measure> {
        if !self.terms.has_evaluator || self.state.out_of_time {
            return Vec::new();
        }
        let packets = self
            .terms
            .lanes()
            .filter_map(|lane| rows::packet(self.state, round, lane));
        let candidates = packets.flat_map(|packet| {
            let call = packet.dispatch_id.call;
            (0..)
                .zip(&packet.candidates)
                .map(move |(index, candidate)| Measure {
                    call,
                    index,
                    candidate: candidate.clone(),
                })
        });
        candidates
            .filter(|one| !self.state.evaluations.contains_key(&(one.call, one.index)))
            .collect()
    }

    /// The rows, and the poster: the root's, or a child's.
    fn poster(&self, round: u32) -> Step {
        // Before the poster, whose child is told the values.
        if self.terms.is_metric() {
            let rows = rows::of_round(self.terms, self.state, round);
            if !rows.is_empty() {
                return Step::Record(rows);
            }
        }
        let task = Task::Poster(round);
        let claims = judge::claims(self.terms, self.state, round)
            .next()
            .is_some();
        let child = self.terms.poster_child && self.terms.focus.len() > 1 && claims;
        if child {
            match self.standing(task) {
                Standing::Due(_) if self.state.out_of_time => {}
                Standing::Due(call) if self.room > 0 => return self.dispatch(call),
                Standing::Due(_) | Standing::Out => return self.wait(),
                Standing::Ended => {}
            }
        }
        let received = self
            .terms
            .lanes()
            .filter(|lane| rows::packet(self.state, round, *lane).is_some())
            .count();
        let lanes = count::of(self.terms.focus.len(), "lane", "lanes");
        let by = if child && !self.failed(task) {
            "a child"
        } else {
            "the root"
        };
        let summary = format!("{received}/{lanes}, composed by {by}");
        Step::Record(vec![Event::PosterSession { round, summary }])
    }

    fn review(&self, round: u32) -> Step {
        let valid = |lane| rows::packet(self.state, round, lane).is_some();
        if self.terms.lanes().any(valid) {
            match self.standing(Task::Review(round)) {
                Standing::Due(_) if self.state.out_of_time => {}
                Standing::Due(call) if self.room > 0 => return self.dispatch(call),
                Standing::Due(_) | Standing::Out => return self.wait(),
                Standing::Ended => {}
            }
        }
        let mut events = match self.terms.is_metric() {
            true => Vec::new(),
            false => rows::of_scores(self.terms, self.state, round),
        };
        events.extend(judge::of_round(self.terms, self.state, round));
        Step::Record(events)
    }

    fn completed(&self, round: u32) -> Event {
        let complete = judge::is_complete(self.terms, self.state, round);
        // What holds once this very round counts.
        let mut after = self.state.clone();
        if let Some(open) = after.rounds.get_mut(&round) {
            open.completed = Some(complete);
        }
        let facts = converge::facts(self.terms, &after);
        let code = self.stop_code(round, &facts);
        Event::RoundCompleted {
            round,
            best_metric: facts.best.map(|best| best.value),
            best_researcher: facts.best.map(|best| best.lane),
            converged: matches!(code, Some(StopCode::Converged | StopCode::ConvergedPlateau)),
            complete,
        }
    }

    /// After a stop only one synthesis may go out, and none after a block or of no round at all.
    fn conclude(&self, code: StopCode, facts: Facts, round: u32) -> Step {
        if code != StopCode::BlockedNoValidPacket && round > 0 {
            match self.standing(Task::Synthesis) {
                Standing::Due(call) if self.room > 0 => return self.dispatch(call),
                Standing::Due(_) | Standing::Out => return self.wait(),
                Standing::Ended => {}
            }
        }
        Step::Finish(stop(code, facts))
    }

    fn wind_down(&self, code: StopCode) -> Step {
        match self.state.open_calls().next() {
            Some(_) => self.wait(),
            None => Step::Finish(stop(code, converge::facts(self.terms, self.state))),
        }
    }

    fn standing(&self, task: Task) -> Standing {
        let again = judge::next_try(self.state, task);
        let Some((_, account)) = self.state.last_call(task) else {
            return Standing::Due(again);
        };
        match &account.end {
            None => Standing::Out,
            Some(_) if lost::is_replaced(self.terms, self.state, task) => Standing::Due(again),
            Some(_) => Standing::Ended,
        }
    }

    /// Sets its cost aside, and then sends it out.
    fn dispatch(&self, call: Call) -> Step {
        let dispatch_id = self.terms.conference.dispatch(call);
        if !self.state.budget.reserved.contains_key(&call) {
            let cost = Cost {
                dispatch_id,
                iterations: self.terms.allowance(call.task),
                calls: 1,
            };
            return Step::Record(vec![Event::Reserved(cost)]);
        }
        let began = self.state.gate.as_ref().map_or(self.now, |gate| gate.at);
        let timeout = match call.task {
            Task::Synthesis => self.terms.lane_timeout_s,
            _ => match left(self.terms, began, self.now) {
                0 => return Step::Record(vec![out_of_time()]),
                left => self.terms.lane_timeout_s.min(left),
            },
        };
        Step::Dispatch(Box::new(charters::charter(
            self.terms, self.state, call, timeout,
        )))
    }

    fn wait(&self) -> Step {
        Step::Await(Work {
            calls: self.state.open_calls().collect(),
            measure: Vec::new(),
        })
    }
}

fn stop(stop_code: StopCode, facts: Facts) -> Stop {
    Stop {
        stop_code,
        target_met: facts.target_met,
        plateau: facts.plateau,
        stalled: facts.stalled,
        budget_hit: facts.budget_hit,
        check: String::new(),
    }
}
