//! The random numbers of a search.
//!
//! Promises: the same seed and the same turn give the same numbers, on every machine and with
//! every version: the bits are PCG64's, and all that is made of them is exact arithmetic.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use crate::digest;
use crate::engine::id::Lane;

/// Where the random numbers of one lane in one round come from (conference.md A4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed(String);

impl Seed {
    /// The seed of a lane in a round under these conditions.
    pub fn new(config_digest: &str, lane: Lane, round: u32) -> Self {
        let origin = json!({"config_digest": config_digest, "lane": lane, "round": round});
        Self(digest::sha256_hex(&digest::canonical(&origin)))
    }
}

/// The numbers of one turn: what one ask may use.
pub(super) struct Draw(Pcg64);

impl Draw {
    /// The numbers of the turn after `turn` others. Each turn has its own, so that nothing but the
    /// history decides what is asked next.
    pub(super) fn new(seed: &Seed, turn: usize) -> Self {
        Self::from(&json!([seed.0, turn]))
    }

    /// The number that judges what was asked in a turn: none of those that it was asked with.
    pub(super) fn coin(seed: &Seed, turn: usize) -> Self {
        Self::from(&json!([seed.0, turn, "coin"]))
    }

    fn from(origin: &Value) -> Self {
        Self(Pcg64::from_seed(digest::sha256(&digest::canonical(origin))))
    }

    /// From 0 to 1, both included.
    pub(super) fn unit(&mut self) -> f64 {
        const LAST: u64 = (1 << 53) - 1;
        (self.0.next_u64() >> 11) as f64 / LAST as f64
    }

    /// From -1 to 1, most often near 0.
    pub(super) fn around(&mut self) -> f64 {
        self.unit() - self.unit()
    }

    /// Below `count`; 0 where that is 0.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        let product = u128::from(self.0.next_u64()) * u128::from(count);
        (product >> 64) as u64
    }

    /// The place of one of `count` things.
    pub(super) fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}
