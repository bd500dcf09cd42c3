//! Where a person is asked between rounds (`pause_every`, conference.md B 1.2).
//!
//! Promises: only what the events say counts: a round is passed once somebody went on after its
//! end, and not by going on in the midst of it.

use super::terms::Terms;
use crate::conference::plan::PauseEvery;
use crate::engine::state::State;

/// Whether nobody went on yet since this round ended, after which a person is asked. A lane that
/// got stuck changes its approach.
pub fn is_due(terms: &Terms, state: &State, round: u32) -> bool {
    let Some(ended) = state.rounds.get(&round) else {
        return false;
    };
    let is_asked = match terms.pause_every {
        PauseEvery::Never => false,
        PauseEvery::Rounds(every) => round.is_multiple_of(every.max(1)),
        PauseEvery::PivotOnly => !ended.stuck.is_empty(),
    };
    is_asked && state.passed < round
}

/// Whether the conference waits for a person: nothing is out, and the next round may not begin.
pub fn is_paused(terms: &Terms, state: &State) -> bool {
    let round = state.current_round();
    let is_over = state.stop.is_some() || state.cancelled || state.out_of_time;
    let has_ended = state
        .rounds
        .get(&round)
        .is_some_and(|one| one.completed.is_some());
    !is_over
        && has_ended
        && is_due(terms, state, round)
        && super::next::decide(terms, state).0.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conference::rounds::tests::terms;
    use crate::engine::id::Lane;
    use crate::engine::state::Round;

    #[test]
    fn who_is_asked_when() {
        let mut state = State::default();
        let lane = Lane::nth(0).unwrap();
        for round in 1..=4 {
            let mut ended = Round::default();
            if round == 3 {
                ended.stuck.insert(lane, 2);
            }
            state.rounds.insert(round, ended);
        }
        let asked = |state: &State, pause_every| {
            let terms = Terms {
                pause_every,
                ..terms()
            };
            let due = (0..=5).filter(|round| is_due(&terms, state, *round));
            due.collect::<Vec<u32>>()
        };
        assert_eq!(asked(&state, PauseEvery::Never), [0; 0]);
        assert_eq!(asked(&state, PauseEvery::Rounds(1)), [1, 2, 3, 4]);
        assert_eq!(asked(&state, PauseEvery::Rounds(2)), [2, 4]);
        assert_eq!(asked(&state, PauseEvery::PivotOnly), [3]);
        state.passed = 2;
        assert_eq!(asked(&state, PauseEvery::Rounds(1)), [3, 4]);
    }
}
