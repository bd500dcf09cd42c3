//! Six spaces of 10,000 points and more, and what is measured in each. All is plain arithmetic, so
//! that a table can be made again elsewhere.

use lithermes::engine::charter::{Direction, Domain};

use super::Arena;

/// All of them.
pub(crate) fn all() -> Vec<Arena> {
    let (least, most) = (Direction::Minimize, Direction::Maximize);
    let mixed = [choice(4), choice(3), whole(1, 22), whole(0, 19), choice(2)];
    vec![
        Arena::new("smooth", least, &vec![whole(1, 30); 3], valley),
        Arena::new("many hollows", least, &vec![whole(0, 149); 2], hollows),
        Arena::new("choices", most, &mixed, choices),
        Arena::new("rugged", most, &vec![choice(4); 7], rugged),
        Arena::new("slopes", least, &vec![whole(0, 4); 6], slopes),
        Arena::new("real", least, &vec![real(); 4], bowl),
    ]
}

fn whole(min: i32, max: i32) -> Domain {
    let (min, max, integer) = (f64::from(min), f64::from(max), true);
    Domain::Range { min, max, integer }
}

fn real() -> Domain {
    let (min, max, integer) = (0.0, 1.0, false);
    Domain::Range { min, max, integer }
}

fn choice(count: usize) -> Domain {
    let choices = (0..count).map(|place| format!("way-{place}")).collect();
    Domain::Choice { choices }
}

/// A wave of straight lines between -1 and 1.
fn wave(at: f64) -> f64 {
    4.0 * (at - (at + 0.5).floor()).abs() - 1.0
}

/// A number between 0 and 1 that looks like chance.
fn chance(seed: u64) -> f64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A valley, long and aslant.
fn valley(at: &[f64]) -> f64 {
    let (x, y, z) = (at[0] - 23.0, at[1] - 8.0, at[2] - 19.0);
    (x + y) * (x + y) * 4.0 + (x - y) * (x - y) * 0.3 + (z - 0.5 * x) * (z - 0.5 * x)
}

/// Many hollows in a bowl.
fn hollows(at: &[f64]) -> f64 {
    let (x, y) = (at[0] - 104.0, at[1] - 37.0);
    let bowl = (x * x + y * y) / 900.0;
    bowl - 2.0 * wave(x / 17.0 + 0.5) - 2.0 * wave(y / 13.0 + 0.5)
}

/// Choices that change what the numbers do.
fn choices(at: &[f64]) -> f64 {
    let gain = [0.0, 6.0, 14.0, 9.0][at[0] as usize];
    let best = [4.0, 17.0, 12.0, 20.0][at[0] as usize];
    let window = [3.0, 11.0, 7.0][at[1] as usize];
    let (level, size) = (at[2], at[3]);
    let both = if at[4] == 1.0 && at[1] == 1.0 {
        5.0
    } else {
        0.0
    };
    gain + both - (level - best).abs() * 0.8 - (size - window) * (size - window) * 0.15
}

/// A bowl of four real numbers, aslant.
fn bowl(at: &[f64]) -> f64 {
    let [a, b, c, d] = [at[0] - 0.31, at[1] - 0.77, at[2] - 0.12, at[3] - 0.58];
    (a + b) * (a + b) * 4.0 + (a - b) * (a - b) + c * c * 2.0 + (d + c) * (d + c)
}

/// Seven choices, each worth what a table says of it and of two others: order there is, but little.
fn rugged(at: &[f64]) -> f64 {
    let count = at.len();
    let part = |place: usize| {
        let here = [at[place], at[(place + 1) % count], at[(place + 3) % count]];
        chance(
            here.iter()
                .fold(place as u64 + 1, |seed, at| seed * 31 + *at as u64),
        )
    };
    (0..count).map(part).sum()
}

/// Six short numbers, each with a weight of its own.
fn slopes(at: &[f64]) -> f64 {
    let best = [1.0, 4.0, 2.0, 0.0, 3.0, 4.0];
    let weight = [8.0, 1.0, 3.0, 5.0, 0.5, 2.0];
    (0..6)
        .map(|place| weight[place] * (at[place] - best[place]).abs())
        .sum()
}
