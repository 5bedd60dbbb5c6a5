//! Sizes of heaps beyond which nothing is lost: games in which one heap may have many more stones than all others together.

use bouton_tables::Play;
use bouton_tables::heaps::{Heap, HeapKeys, HeapRules, Take, multisets_within};

use crate::Census;

/// The rules with the bounds within which sizes of heaps are told apart: greater heaps are like the greatest of these.
///
/// Where anything may be taken from one heap, the least size with which a line's heap is not kept from being lost is lost. A move
/// that leaves this heap alone keeps one size from being lost at the most, as no line has two lost positions; so does the pass;
/// and in misère play the position without stones is won. The other heaps have as many moves as stones.
pub(super) fn effective_bounds(rules: &HeapRules) -> HeapRules {
    if *rules.take() != Take::Any || rules.heaps_per_move() > 1 {
        return rules.clone();
    }
    let (greatest, others) = rules.bounds().split_last().expect("there is a heap");
    let moves: u64 = others.iter().copied().map(u64::from).sum();
    let kept = moves + u64::from(rules.passes() > 0) + u64::from(rules.play() == Play::Misere);
    let told = Heap::try_from(kept + 1).unwrap_or(Heap::MAX).min(*greatest);
    let bounds = others.iter().copied().chain([told]).collect();
    HeapKeys { bounds, ..rules.keys().clone() }.rules().expect("smaller bounds are allowed")
}

/// What is counted of all positions of a game, by what is counted of those whose sizes are told apart.
pub(super) fn full_census(rules: &HeapRules, told: &HeapRules, census: Census) -> Census {
    // No other positions are lost, and none is deeper than those with the greatest size told apart.
    Census { wins: census.wins.saturating_add(beyond(rules, told.greatest())), ..census }
}

/// How many positions have a heap greater than so many stones, at most the greatest u64. No other heap can be as great.
fn beyond(rules: &HeapRules, greatest: Heap) -> u64 {
    let (_, others) = rules.bounds().split_last().expect("there is a heap");
    let layers = u64::from(rules.passes()) + 1;
    let of_size = multisets_within(others).unwrap_or(u64::MAX).saturating_mul(layers);
    u64::from(rules.greatest() - greatest).saturating_mul(of_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_heap_greater_than_all_others_together_is_cut_short() {
        let told = |bounds: &[Heap], keys: HeapKeys| {
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
            let greatest = |keys: &HeapKeys| *told(bounds, keys.clone()).last().unwrap();
            assert_eq!(
                [greatest(&nim), greatest(&misere), greatest(&passes)],
                [normal, with_misere, with_passes]
            );
        }
        let several = HeapKeys { heaps_per_move: 2, ..HeapKeys::default() };
        let listed = HeapKeys { take: Take::UpTo(3), ..HeapKeys::default() };
        assert_eq!([told(&[5, 100], several), told(&[5, 100], listed)], [[5, 100]; 2]);
    }

    #[test]
    fn positions_with_a_greater_heap_are_counted() {
        let rules = |bounds: &[Heap], passes| {
            HeapKeys { bounds: bounds.to_vec(), passes, ..HeapKeys::default() }.rules().unwrap()
        };
        for (bounds, passes) in [(&[9][..], 0), (&[9], 3), (&[2, 3, 30], 0), (&[2, 3, 30], 2), (&[5, 5], 1)] {
            let all = rules(bounds, passes);
            for greatest in bounds.iter().rev().nth(1).copied().unwrap_or(1)..=all.greatest() {
                let less = rules(&[&bounds[..bounds.len() - 1], &[greatest]].concat(), passes);
                assert_eq!(
                    beyond(&all, greatest),
                    all.positions() - less.positions(),
                    "{bounds:?} {greatest}"
                );
            }
        }
        assert_eq!(beyond(&rules(&[1_000_000_000; 16], 0), 1_000_000_000), 0);
        let many = [&[1_000_000; 15][..], &[1_000_000_000]].concat();
        assert_eq!(beyond(&rules(&many, 0), 1_000_000), u64::MAX);
    }
}
