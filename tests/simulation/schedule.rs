//! What one seed stands for: the conditions of a conference, and how its world behaves.
//!
//! Promises: plain numbers and words, so that a checker needs no type of the engine to read them.

use super::dice::Dice;

/// Everything that a seed decides.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Which seed.
    pub seed: u64,
    /// What was approved.
    pub conditions: Conditions,
    /// How the world behaves.
    pub temper: Temper,
}

/// What was approved.
#[derive(Debug, Clone)]
pub struct Conditions {
    pub lanes: u64,
    pub iterations: u64,
    pub rounds: u64,
    pub ceiling: u64,
    pub poster_child: bool,
    pub critic: bool,
    pub probe: bool,
    pub evaluator: bool,
    pub lane_timeout: u64,
    pub wall_clock: u64,
    pub redispatch: bool,
    /// Children at a time.
    pub slots: u64,
    /// `None` in qualitative mode.
    pub metric: Option<Metric>,
    pub window: u64,
    pub min_delta: f64,
    /// From which score on a lane is good.
    pub quality: u64,
    pub early_quality: bool,
}

/// What is optimised.
#[derive(Debug, Clone)]
pub struct Metric {
    pub maximize: bool,
    pub kind: Kind,
    /// `<`, `<=`, `>`, `>=` or `==`, and the number.
    pub target: (&'static str, f64),
    pub baseline: Option<f64>,
    /// Where the conditions name one: percent of the baseline, or units.
    pub threshold: Option<(bool, f64)>,
}

/// What kind of number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Percentage,
    Float,
}

/// How the world behaves: chances in percent where nothing else is said.
#[derive(Debug, Clone)]
pub struct Temper {
    /// A packet is refused.
    pub bad: u64,
    /// A child is too slow.
    pub slow: u64,
    /// A child is gone without a trace.
    pub lost: u64,
    /// A child ends as failed.
    pub failing: u64,
    /// A child says that it is blocked, or that it failed.
    pub unwilling: u64,
    /// A packet comes again, or another under its id.
    pub echo: u64,
    pub reviewer: Reviewer,
    /// A claim says more than is true.
    pub inflated: u64,
    /// An evaluation fails.
    pub unmeasured: u64,
    /// How far repeated measurements lie apart.
    pub noise: f64,
    /// So many values of ten bring no gain.
    pub flat: u64,
    /// Gains come in the first round only.
    pub fading: bool,
    /// The root dies after an event (in 1,000).
    pub crash: u64,
    /// The clock is set forward or back (in 1,000 looks).
    pub clock_step: u64,
    /// After how many looks somebody asks to stop.
    pub cancel_after: Option<u64>,
    /// Packets are handed in by a session; else processes print them.
    pub relayed: bool,
    /// Lanes claim as much as they may.
    pub talkative: bool,
    /// Values lie five apart, so that many are equal.
    pub coarse: bool,
}

/// How reviewers judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reviewer {
    ValidatesAll,
    OverturnsAll,
    SaysNothing,
    Mixed,
}

impl Schedule {
    /// What `seed` stands for.
    pub fn of(seed: u64) -> Self {
        let mut dice = Dice::apart(seed, "schedule");
        let mut schedule = Self {
            seed,
            conditions: conditions(&mut dice),
            temper: temper(&mut dice),
        };
        match seed % 16 {
            8 => schedule.make_exact(),
            9 => schedule.make_flat(),
            _ => {}
        }
        schedule
    }

    /// Gains that are just the threshold, which chance brings too seldom.
    fn make_exact(&mut self) {
        if let Some(metric) = &mut self.conditions.metric {
            metric.threshold = Some((false, 5.0));
        }
        self.conditions.min_delta = 0.0;
        (self.temper.coarse, self.temper.noise, self.temper.fading) = (true, 0.0, false);
        self.temper.flat = 7;
        self.calm();
    }

    /// One lane that gains early and never again, so that it is stuck in the very round in which
    /// nothing better came for the second time.
    fn make_flat(&mut self) {
        let conditions = &mut self.conditions;
        if let Some(metric) = &mut conditions.metric {
            metric.threshold = None;
            metric.baseline = Some(50.0);
            metric.target.1 = if metric.maximize { 1_000.0 } else { -1_000.0 };
        }
        (conditions.lanes, conditions.iterations, conditions.rounds) = (1, 4, 6);
        (conditions.ceiling, conditions.window, conditions.min_delta) = (24, 2, 0.0);
        (self.temper.fading, self.temper.noise) = (true, 0.0);
        self.calm();
    }

    /// Nobody is late, lost or ill, and nobody asks to stop.
    fn calm(&mut self) {
        let temper = &mut self.temper;
        (temper.bad, temper.slow, temper.lost, temper.failing) = (0, 0, 0, 0);
        (temper.unwilling, temper.inflated, temper.unmeasured) = (0, 0, 0);
        (temper.reviewer, temper.cancel_after) = (Reviewer::ValidatesAll, None);
        self.conditions.wall_clock = 100_000;
    }
}

fn conditions(dice: &mut Dice) -> Conditions {
    let lanes = dice.between(1, 5);
    let iterations = dice.between(1, 4);
    let rounds = dice.pick(&[1, 2, 3, 4, 4, 5, 6]);
    let product = lanes * iterations * rounds;
    let ceiling = match dice.below(4) {
        0 => dice.between(lanes * iterations, product),
        1 => product + dice.below(lanes * iterations * 2 + 1),
        _ => product,
    };
    let lane_timeout = dice.between(10, 90);
    let wall_clock = match dice.below(6) {
        0 => lane_timeout + dice.below(lane_timeout * 3),
        _ => 100_000,
    };
    let metric = dice.percent(75).then(|| metric(dice));
    Conditions {
        lanes,
        iterations,
        rounds,
        ceiling,
        poster_child: dice.percent(40),
        critic: dice.percent(50),
        probe: dice.percent(25),
        evaluator: metric.is_some() && dice.percent(75),
        lane_timeout,
        wall_clock,
        redispatch: dice.percent(50),
        slots: dice.between(1, lanes + 1),
        metric,
        window: dice.pick(&[2, 2, 2, 1, 3]),
        min_delta: dice.pick(&[0.0, 0.0, 0.5, 2.0]),
        quality: dice.pick(&[8, 8, 9, 7]),
        early_quality: dice.percent(25),
    }
}

fn metric(dice: &mut Dice) -> Metric {
    let maximize = dice.percent(50);
    let kind = dice.pick(&[Kind::Integer, Kind::Percentage, Kind::Float]);
    let away = dice.pick(&[5.0, 30.0, 39.0, 1_000.0]);
    let value = if maximize { 50.0 + away } else { 50.0 - away };
    let comparator = match (maximize, dice.below(8)) {
        (_, 0) => "==",
        (true, 1..=4) => ">=",
        (true, _) => ">",
        (false, 1..=4) => "<=",
        (false, _) => "<",
    };
    Metric {
        maximize,
        kind,
        target: (comparator, value),
        baseline: dice
            .percent(70)
            .then(|| dice.pick(&[50.0, 50.0, 0.0, 48.5])),
        threshold: dice
            .percent(20)
            .then(|| (dice.percent(50), dice.pick(&[0.0, 1.0, 10.0]))),
    }
}

fn temper(dice: &mut Dice) -> Temper {
    let rough = dice.pick(&[0, 0, 3, 8, 30]);
    let mut some = |most: u64| dice.below(most * rough / 12 + 1);
    let (bad, slow, lost) = (some(15), some(12), some(15));
    let (failing, unwilling, inflated) = (some(10), some(10), some(40));
    let unmeasured = some(20);
    Temper {
        bad,
        slow,
        lost,
        failing,
        unwilling,
        echo: dice.pick(&[0, 10, 40]),
        reviewer: dice.pick(&[
            Reviewer::ValidatesAll,
            Reviewer::ValidatesAll,
            Reviewer::Mixed,
            Reviewer::Mixed,
            Reviewer::OverturnsAll,
            Reviewer::SaysNothing,
        ]),
        inflated,
        unmeasured,
        noise: dice.pick(&[0.0, 0.0, 0.01, 0.5]),
        flat: dice.pick(&[2, 5, 9, 10]),
        fading: dice.percent(40),
        crash: dice.pick(&[0, 0, 10, 40]),
        clock_step: dice.pick(&[0, 0, 0, 20]),
        cancel_after: dice.percent(15).then(|| dice.below(120)),
        relayed: dice.percent(35),
        talkative: dice.below(100) < 1,
        coarse: dice.percent(30),
    }
}
