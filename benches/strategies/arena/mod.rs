//! Conferences in spaces whose every value is known, held as a root holds them with the host
//! `local`: lanes in turn, and between rounds each lane's best reaches the others.

mod spaces;

use lithermes::engine::charter::{Direction, Domain, Parameter};
use lithermes::engine::host::local::{History, Point, Search, Seed, Strategy, Trial, part};
use lithermes::engine::id::Lane;
use serde_json::Value;

pub(crate) use spaces::all;

/// Rounds of a conference.
const ROUNDS: u32 = 6;
/// Values of a real number at which the space is known.
const LEVELS: u32 = 11;

/// Who searches.
#[derive(Clone)]
pub(crate) struct Lanes {
    pub(crate) name: &'static str,
    pub(crate) strategies: [Strategy; 3],
    /// Whether the last lane is contrarian.
    pub(crate) is_contrarian: bool,
    /// Whether each lane has a part of its own.
    pub(crate) is_assigned: bool,
}

impl Lanes {
    pub(crate) fn new(name: &'static str, strategies: [Strategy; 3]) -> Self {
        let (is_contrarian, is_assigned) = (false, false);
        Self {
            name,
            strategies,
            is_contrarian,
            is_assigned,
        }
    }

    /// The lanes A, B and C of a conference.
    pub(crate) fn three() -> Self {
        let strategy = |number| Strategy::of(Lane::nth(number).unwrap());
        Self::new("A, B, C", [0, 1, 2].map(strategy))
    }

    pub(crate) fn random() -> Self {
        Self::new("random", [Strategy::Random; 3])
    }
}

/// A space whose every value is known.
pub(crate) struct Arena {
    pub(crate) name: &'static str,
    direction: Direction,
    parameters: Vec<Parameter>,
    value: fn(&[f64]) -> f64,
    /// All values, the best first.
    values: Vec<f64>,
}

impl Arena {
    fn new(
        name: &'static str,
        direction: Direction,
        domains: &[Domain],
        value: fn(&[f64]) -> f64,
    ) -> Self {
        let names = (0..).map(|number| format!("p{number}"));
        let parameter = |(name, domain): (String, &Domain)| Parameter {
            name,
            domain: domain.clone(),
        };
        let parameters = names.zip(domains).map(parameter).collect();
        let mut values: Vec<f64> = grid(domains).iter().map(|at| value(at)).collect();
        values.sort_by(|one, other| match direction {
            Direction::Minimize => one.total_cmp(other),
            Direction::Maximize => other.total_cmp(one),
        });
        Self {
            name,
            direction,
            parameters,
            value,
            values,
        }
    }

    pub(crate) fn points(&self) -> usize {
        self.values.len()
    }

    /// Asks of a conference that may ask that share of the points.
    pub(crate) fn asks(&self, budget: f64) -> usize {
        self.iterations(budget) * 3 * ROUNDS as usize
    }

    /// Asks of a lane in a round.
    fn iterations(&self, budget: f64) -> usize {
        (self.values.len() as f64 * budget) as usize / 3 / ROUNDS as usize
    }

    /// In how many of so many conferences a value was found that belongs to that share of all
    /// values which is the best; 0 stands for the very best.
    pub(crate) fn found(
        &self,
        lanes: &Lanes,
        budget: f64,
        shares: &[f64],
        seeds: u64,
    ) -> Vec<usize> {
        let bests: Vec<f64> = (0..seeds)
            .map(|seed| self.play(lanes, budget, seed))
            .collect();
        let count = |share: &f64| {
            let place = (self.values.len() as f64 * share) as usize;
            let bar = self.values[place.saturating_sub(1)];
            let is_met = |best: &&f64| !self.direction.is_better(bar, **best);
            bests.iter().filter(is_met).count()
        };
        shares.iter().map(count).collect()
    }

    /// The best value that a conference finds.
    fn play(&self, lanes: &Lanes, budget: f64, seed: u64) -> f64 {
        let mut own = [const { Vec::<Trial>::new() }; 3];
        let mut known: Vec<(usize, Trial)> = Vec::new();
        for round in 1..=ROUNDS {
            for (number, own) in own.iter_mut().enumerate() {
                let mut search = self.search(lanes, (seed, round), number, own, &known);
                for _ in 0..self.iterations(budget) {
                    let Some(point) = search.ask() else { break };
                    let value = Some(self.measure(&point));
                    search.tell(&point, value);
                    own.push(Trial { point, value });
                }
            }
            let bests = own
                .iter()
                .map(|trials| self.best(trials).clone())
                .enumerate();
            known.extend(bests);
        }
        self.best(own.iter().flatten()).value.unwrap()
    }

    fn search(
        &self,
        lanes: &Lanes,
        (seed, round): (u64, u32),
        number: usize,
        own: &[Trial],
        known: &[(usize, Trial)],
    ) -> Search {
        let others = known.iter().filter(|(whose, _)| *whose != number);
        let known = others.map(|(_, trial)| trial.clone()).collect();
        let parameters = if lanes.is_assigned {
            part(&self.parameters, number, 3)
        } else {
            self.parameters.clone()
        };
        Search::new(
            lanes.strategies[number],
            lanes.is_contrarian && number == 2,
            &parameters,
            self.direction,
            Seed::new(&seed.to_string(), Lane::nth(number).unwrap(), round),
            &History {
                own: own.to_vec(),
                known,
            },
        )
        .unwrap()
    }

    fn measure(&self, point: &Point) -> f64 {
        let at = self
            .parameters
            .iter()
            .map(|one| number(&one.domain, &point[&one.name]));
        (self.value)(&at.collect::<Vec<f64>>())
    }

    fn best<'a>(&self, trials: impl IntoIterator<Item = &'a Trial>) -> &'a Trial {
        let better = |best: &'a Trial, next: &'a Trial| {
            let (value, than) = (next.value.unwrap(), best.value.unwrap());
            if self.direction.is_better(value, than) {
                next
            } else {
                best
            }
        };
        trials.into_iter().reduce(better).unwrap()
    }
}

fn number(domain: &Domain, value: &Value) -> f64 {
    match (domain, value) {
        (Domain::Choice { choices }, Value::String(word)) => {
            choices.iter().position(|choice| choice == word).unwrap() as f64
        }
        _ => value.as_f64().unwrap(),
    }
}

/// Every point, each value as a number; of real numbers some that lie evenly.
fn grid(domains: &[Domain]) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for domain in domains {
        let values = values(domain);
        let longer = |point: &Vec<f64>| {
            let with = |value: &f64| [point.as_slice(), &[*value]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(longer).collect();
    }
    points
}

fn values(domain: &Domain) -> Vec<f64> {
    match domain {
        Domain::Range {
            min,
            max,
            integer: true,
        } => (*min as i32..=*max as i32).map(f64::from).collect(),
        Domain::Range { min, max, .. } => {
            let part = |level| f64::from(level) / f64::from(LEVELS - 1);
            (0..LEVELS)
                .map(|level| min + (max - min) * part(level))
                .collect()
        }
        Domain::Choice { choices } => (0..choices.len()).map(|place| place as f64).collect(),
    }
}
