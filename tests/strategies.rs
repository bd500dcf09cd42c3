//! The embedded strategies find what is best sooner than chance does. The whole table:
//! `cargo bench --bench strategies`.

#[path = "../benches/strategies/arena/mod.rs"]
mod arena;

use arena::Lanes;

/// Conferences of each kind.
const SEEDS: u64 = 10;
/// Share of the points that may be asked.
const BUDGET: f64 = 0.01;

#[test]
fn three_lanes_find_the_best_hundredth_and_oftener_than_chance_the_best_thousandth() {
    let (three, chance) = (Lanes::three(), Lanes::random());
    for arena in arena::all().iter().take(3) {
        assert!(arena.points() >= 10_000);
        let found = |lanes: &Lanes| arena.found(lanes, BUDGET, &[0.01, 0.001], SEEDS);
        let (threes, chances) = (found(&three), found(&chance));
        let row = format!(
            "{}, {} asks, {SEEDS} conferences: {} {threes:?}, {} {chances:?}",
            arena.name,
            arena.asks(BUDGET),
            three.name,
            chance.name
        );
        // When this was written: 9 and 7 at the least; of the latter by chance 2 at the most.
        assert!(threes[0] >= 7, "{row}");
        assert!(threes[1] >= 5 && threes[1] > chances[1], "{row}");
    }
}
