//! Numbers of positions and sizes that the rules of a game determine; among them the effective bounds.
//!
//! The *effective bound* of the greatest heap is the largest size that can change an answer. If a move takes any number
//! from one heap, and one heap can have more stones than all others together, the player to move wins at each of its
//! largest sizes. Example: with bounds 2 and 1000 in normal play, every position whose greatest heap is above 2 is won.
//! So the solver uses the bounds 2 and 3, and the reader looks up 1000 as 3.

use bouton_tables::Play;
use bouton_tables::heaps::{Heap, HeapRules, MoveKind, Take, multisets_within};

use crate::census::Census;

/// Returns the number of layers: one for each number of passes left.
pub(crate) fn layers(rules: &HeapRules) -> u64 {
    u64::from(rules.passes()) + 1
}

/// Returns the number of multisets of heaps within all bounds except the `omitted` lowest, saturating.
pub(crate) fn multisets_without(bounds: &[Heap], omitted: usize) -> u128 {
    multisets_within(&bounds[omitted.min(bounds.len())..]).unwrap_or(u64::MAX).into()
}

/// Returns the greatest amount that a move can take from a heap; 1 if there are no moves.
pub(crate) fn reach(rules: &HeapRules) -> Heap {
    match (rules.take(), rules.take().count(rules.greatest_bound())) {
        (Take::Exactly(amounts), count) => amounts[..count as usize].last().copied().unwrap_or(1),
        // The amounts are 1, 2, ..., `count`.
        (Take::Any | Take::UpTo(_), count) => count,
    }
}

/// Returns the rules with effective bounds: a greatest heap above its effective bound has the same outcome as one at
/// this bound.
///
/// The bound is lowered only if a move takes any number from one heap. Proof: fix all heaps except the greatest. Its
/// least size from which no move leads to a lost position is itself lost. Each move in another heap excludes at most
/// one size, as no line has two lost positions; the pass excludes at most one; and in misère play the empty position is
/// excluded. The other heaps have as many moves as stones. So the lost size is at most the stones of the other heaps,
/// plus 1 with passes, plus 1 in misère play.
pub(crate) fn effective_bounds(rules: &HeapRules) -> HeapRules {
    if rules.move_kind() != MoveKind::AnyFromOne {
        return rules.clone();
    }
    let (greatest, others) = rules.bounds().split_last().expect("there is a heap");
    let moves: u64 = others.iter().copied().map(u64::from).sum();
    let max_lost = moves + u64::from(rules.passes() > 0) + u64::from(rules.play() == Play::Misere);
    let effective = Heap::try_from(max_lost + 1).unwrap_or(Heap::MAX).min(*greatest);
    let bounds = others.iter().copied().chain([effective]).collect();
    rules.with_bounds(bounds).expect("smaller bounds are allowed")
}

/// Returns the census of all positions, given the census of the positions within the effective bounds.
pub(crate) fn full_census(rules: &HeapRules, effective: &HeapRules, census: Census) -> Census {
    // All other positions are won, and none is deeper than those with the greatest effective size.
    Census { wins: census.wins.saturating_add(positions_above(rules, effective.greatest_bound())), ..census }
}

/// Returns the number of positions whose greatest heap is above `greatest`, saturating. No other bound may exceed
/// `greatest`.
fn positions_above(rules: &HeapRules, greatest: Heap) -> u64 {
    let (_, others) = rules.bounds().split_last().expect("there is a heap");
    let per_size = multisets_within(others).unwrap_or(u64::MAX).saturating_mul(layers(rules));
    u64::from(rules.greatest_bound() - greatest).saturating_mul(per_size)
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use super::*;

    #[test]
    fn only_a_bound_greater_than_all_others_together_is_lowered() {
        let effective = |bounds: &[Heap], keys: HeapKeys| {
            let rules = HeapKeys { bounds: bounds.to_vec(), ..keys }.rules().unwrap();
            effective_bounds(&rules).bounds().to_vec()
        };
        let nim = HeapKeys::default();
        let misere = HeapKeys { play: Play::Misere, ..HeapKeys::default() };
        let passes = HeapKeys { passes: 15, ..misere.clone() };
        for (bounds, [normal, with_misere, with_passes]) in [
            (&[1_000_000_000][..], [1, 2, 3]),
            (&[5, 5], [5, 5, 5]),
            (&[5, 6], [6, 6, 6]),
            (&[5, 100], [6, 7, 8]),
            (&[100, 100, 1_000_000], [201, 202, 203]),
            (&[1_000_000_000; 16], [1_000_000_000; 3]),
        ] {
            let greatest = |keys: &HeapKeys| *effective(bounds, keys.clone()).last().unwrap();
            assert_eq!(
                [greatest(&nim), greatest(&misere), greatest(&passes)],
                [normal, with_misere, with_passes]
            );
        }
        let several = HeapKeys { heaps_per_move: 2.into(), ..HeapKeys::default() };
        let listed = HeapKeys { take: Take::UpTo(3), ..HeapKeys::default() };
        assert_eq!([effective(&[5, 100], several), effective(&[5, 100], listed)], [[5, 100]; 2]);
    }

    #[test]
    fn positions_above_a_size_are_counted() {
        let rules = |bounds: &[Heap], passes| {
            HeapKeys { bounds: bounds.to_vec(), passes, ..HeapKeys::default() }.rules().unwrap()
        };
        for (bounds, passes) in [(&[9][..], 0), (&[9], 3), (&[2, 3, 30], 0), (&[2, 3, 30], 2), (&[5, 5], 1)] {
            let all = rules(bounds, passes);
            for greatest in bounds.iter().rev().nth(1).copied().unwrap_or(1)..=all.greatest_bound() {
                let less = rules(&[&bounds[..bounds.len() - 1], &[greatest]].concat(), passes);
                assert_eq!(
                    positions_above(&all, greatest),
                    all.positions() - less.positions(),
                    "{bounds:?} {greatest}"
                );
            }
        }
        assert_eq!(positions_above(&rules(&[1_000_000_000; 16], 0), 1_000_000_000), 0);
        let many = [&[1_000_000; 15][..], &[1_000_000_000]].concat();
        assert_eq!(positions_above(&rules(&many, 0), 1_000_000), u64::MAX);
    }
}
