//! The lanes of a run for a person who watches: a bar for each on a terminal, a line for each event
//! elsewhere.

use std::collections::BTreeMap;

use super::told;
use crate::conference::plan::shortest;
use crate::conference::rounds::terms::Terms;
use crate::engine::charter::Direction;
use crate::engine::event::{Event, Line};
use crate::engine::id::{Call, Lane, Task};
use crate::term::bars::Bars;
use crate::term::output::Output;

/// How far each lane is.
pub(super) struct Lanes<'a> {
    output: &'a Output,
    bars: Bars,
    /// Iterations of a lane in a round.
    iterations: u32,
    direction: Direction,
    best: BTreeMap<Lane, f64>,
}

impl<'a> Lanes<'a> {
    /// Nothing is drawn yet.
    pub(super) fn new(output: &'a Output, terms: &Terms) -> Self {
        let names = terms.lanes().map(|lane| lane.to_string());
        let length = u64::from(terms.iterations_per_round) * u64::from(terms.max_rounds);
        let bars = match output.is_json() {
            true => Bars::new([], 0),
            false => Bars::new(names, length),
        };
        Self {
            output,
            bars,
            iterations: terms.iterations_per_round,
            direction: terms.direction(),
            best: BTreeMap::new(),
        }
    }

    /// Tells an event that is durable.
    pub(super) fn hear(&mut self, line: &Line) {
        self.output
            .event(&serde_json::to_value(line).unwrap_or_default());
        let shown = self.bars.are_drawn() && self.draw(&line.event);
        if let Some(told) = told::line(line).filter(|_| !shown) {
            self.bars.above(|| self.output.text(&told));
        }
    }

    /// Warns, with no bar in the way.
    pub(super) fn warn(&self, text: &str) {
        self.bars.above(|| self.output.warn(text));
    }

    /// Moves the bar of the lane that an event is about; whether the bar says all of it.
    fn draw(&mut self, event: &Event) -> bool {
        let (call, into_round, doing) = match event {
            Event::Issued { dispatch_id, .. } => (dispatch_id.call, 0, "at work".to_owned()),
            Event::Evaluated {
                dispatch_id,
                index,
                median: Some(median),
                ..
            } => {
                let doing = self.measured(dispatch_id.call, *median);
                (dispatch_id.call, index + 1, doing)
            }
            Event::Received(ended) => (ended.dispatch_id.call, self.iterations, "done".to_owned()),
            _ => return false,
        };
        let Task::Research(round, lane) = call.task else {
            return false;
        };
        let before = u64::from(round.saturating_sub(1)) * u64::from(self.iterations);
        let best = self
            .best
            .get(&lane)
            .map(|best| format!(", best {}", shortest(*best)));
        let doing = format!("round {round}: {doing}{}", best.unwrap_or_default());
        let done = before + u64::from(into_round);
        self.bars.set(&lane.to_string(), done, &doing);
        true
    }

    fn measured(&mut self, call: Call, value: f64) -> String {
        if let Task::Research(_, lane) = call.task {
            let best = self.best.entry(lane).or_insert(value);
            if self.direction.is_better(value, *best) {
                *best = value;
            }
        }
        format!("measured {}", shortest(value))
    }
}
