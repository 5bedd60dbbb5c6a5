//! Outcomes for one or two heaps where a move takes any number of stones from one of them.
//!
//! Each line has at most one lost position, so the lost positions pair up the sizes of heaps. We go through the sizes
//! upwards, and pair each with the least size that has no partner yet. Only a few sizes wait for a partner, since only
//! a pass, or the rule for the end of the game, forbids the least one. In normal play without passes the pairs are
//! (0,0), (1,1), (2,2), ... A game of one heap gets a second heap that is always empty.

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules};

use crate::control::{CancelCheck, Control};
use crate::making::GenerateError;
use crate::memory::filled;

/// The lost positions with the same number of passes left.
pub(crate) struct Pairs {
    /// For each size of a heap, the size of the other heap with which it is lost; the greatest bound plus 1 if
    /// there is none.
    pub(crate) partners: Vec<Heap>,
    /// Number of lost positions.
    pub(crate) lost_count: u64,
}

/// Finds the pairs. `passed` is the layer with one pass less.
pub(crate) fn solve(
    rules: &HeapRules,
    passed: Option<&Pairs>,
    control: &dyn Control,
) -> Result<Pairs, GenerateError> {
    let greatest = rules.greatest_bound();
    let least = if rules.heaps() == 1 { 0 } else { rules.bounds()[0] };
    let none = greatest + 1;
    let mut pairs = Pairs { partners: filled(u64::from(greatest) + 1, none)?, lost_count: 0 };
    let mut cancel_check = CancelCheck::new(control);
    // Sizes within the least bound that have no partner so far, ascending.
    let mut free: Vec<Heap> = Vec::new();
    for heap in 0..=greatest {
        cancel_check.spend(1 + free.len())?;
        if heap <= least {
            free.push(heap);
        }
        let is_lost = |other: Heap| match (heap, other) {
            (0, 0) => rules.play().outcome_without_moves() == Outcome::Loss,
            _ => passed.is_none_or(|passed| passed.partners[heap as usize] != other),
        };
        if let Some(index) = free.iter().position(|&other| is_lost(other)) {
            let other = free.remove(index);
            if other != heap && heap <= least {
                free.pop();
            }
            pairs.partners[heap as usize] = other;
            pairs.partners[other as usize] = heap;
            pairs.lost_count += 1;
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use bouton_tables::Play;
    use bouton_tables::heaps::{HeapKeys, Ranks};

    use super::super::plain;
    use super::*;
    use crate::heaps::passes::by_passes;

    #[test]
    fn pairs_agree_with_the_plain_solver() {
        let bounds: [&[Heap]; 8] = [&[1], &[9], &[1, 1], &[1, 9], &[7, 7], &[6, 40], &[25, 30], &[40, 40]];
        for bounds in bounds {
            for (play, passes) in
                [Play::Normal, Play::Misere].into_iter().flat_map(|play| (0..5).map(move |n| (play, n)))
            {
                let keys = HeapKeys { bounds: bounds.to_vec(), play, passes, ..Default::default() };
                let rules = keys.rules().unwrap();
                let ranks = Ranks::try_new(rules.bounds()).unwrap();
                let expected = plain::solve(&rules, &ranks, &()).unwrap();
                let found: Vec<Pairs> = by_passes(&rules, |passed| solve(&rules, passed, &())).unwrap();
                for (found, expected) in found.iter().zip(&expected) {
                    let mut lost = 0;
                    for rank in 0..ranks.count() {
                        let heaps = ranks.unrank(rank);
                        let (heap, other) = (heaps[0], heaps.get(1).copied().unwrap_or(0));
                        let is_lost = expected.at(rank).is_lost(play);
                        assert_eq!(found.partners[heap as usize] == other, is_lost, "{heaps:?}, {rules:?}");
                        assert!(
                            bounds.len() == 1 || (found.partners[other as usize] == heap) == is_lost,
                            "{heaps:?}, {rules:?}"
                        );
                        lost += u64::from(is_lost);
                    }
                    assert_eq!(found.lost_count, lost, "{rules:?}");
                }
            }
        }
    }
}
