//! `researcher_<ID>_results.tsv`: the history of one lane (conference.md B 2.2).

use super::record::{self, LANE, Record};
use super::{Artifact, Edition, results};
use crate::conference::rounds::terms::Terms;
use crate::engine::state::State;

/// A file for each lane, in their order.
pub(super) fn write(terms: &Terms, state: &State, edition: &Edition<'_>) -> Vec<Artifact> {
    let records = results::own_records(terms, state, edition);
    let file = |lane| {
        let own = records.iter().filter(|record| record.lane == lane);
        Artifact {
            path: format!("researcher_{lane}_results.tsv"),
            bytes: record::file(&LANE, own.map(Record::lane_line)),
        }
    };
    terms.lanes().map(file).collect()
}
